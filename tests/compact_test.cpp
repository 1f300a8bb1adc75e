#include "evenfold/algorithm/compact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

struct all {
  template <class T>
  EF_HD constexpr bool operator()(const T&) const {
    return true;
  }
};

struct none {
  template <class T>
  EF_HD constexpr bool operator()(const T&) const {
    return false;
  }
};

struct positive {
  template <class T>
  EF_HD constexpr bool operator()(const T& x) const {
    return x > T{0};
  }
};

struct odd_word {
  EF_HD constexpr bool operator()(const couple& c) const { return c.x % 2 != 0; }
  EF_HD constexpr bool operator()(const triple& t) const { return t.x % 2 != 0; }
  EF_HD constexpr bool operator()(const wide& w) const { return w.word[0] % 2 != 0; }
};

/// Keeps and drops runs of thousands of elements.
struct in_even_block {
  EF_HD constexpr bool operator()(std::int64_t i) const { return i / 5000 % 2 == 0; }
};

template <class T, class Context, class Keep>
void check_compact(Context& ctx, std::int64_t count, Keep keep) {
  const std::vector<T> host = random_values<T>(count);
  const array<T> input = to_context(ctx, host);
  array<T> out(ctx, count);
  array<std::int64_t> num_kept(ctx, 1);
  std::vector<T> kept;
  std::vector<T> others;
  for (const T& x : host) (keep(x) ? kept : others).push_back(x);
  const auto expected = static_cast<std::int64_t>(kept.size());

  compact(ctx, input.data(), count, keep, out.data(), num_kept.data());
  ASSERT_EQ(to_host(ctx, num_kept)[0], expected) << count;
  ASSERT_TRUE(to_host(ctx, out.data(), kept.size()) == kept) << count;

  // The output has exactly the size of the kept elements.
  array<T> exact(ctx, expected);
  ASSERT_EQ(compact(ctx, input.data(), count, keep, exact.data()), expected);
  ASSERT_TRUE(to_host(ctx, exact) == kept) << count;

  kept.insert(kept.end(), others.begin(), others.end());
  ASSERT_EQ(partition(ctx, input.data(), count, keep, out.data()), expected);
  ASSERT_TRUE(to_host(ctx, out) == kept) << count;
}

template <class Context>
void check_indices(Context& ctx, std::int64_t count) {
  array<std::int64_t> out(ctx, count);
  const std::int64_t kept = compact_indices(ctx, count, in_even_block{}, out.data());
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < count; ++i) {
    if (in_even_block{}(i)) expected.push_back(i);
  }
  ASSERT_EQ(kept, static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(to_host(ctx, out.data(), expected.size()), expected);
}

/// Both steps of a plan, with a predicate that counts its calls.
template <class Context>
void check_plan(Context& ctx, int count) {
  const std::vector<int> host = random_values<int>(count);
  const array<int> input = to_context(ctx, host);
  array<int> asked = to_context(ctx, std::vector<int>(static_cast<std::size_t>(count)));
  const int* in = input.data();
  int* asks = asked.data();
  const compact_plan plan(
      ctx, count, EF_LAMBDA(int i) {
        ++asks[i];
        return in[i] > 0;
      });
  array<int> values(ctx, plan.num_kept());
  array<int> sources(ctx, plan.num_kept());
  int* out = values.data();
  int* from_out = sources.data();
  plan.write(EF_LAMBDA(int to, int from) { from_out[to] = from; });
  plan.write(EF_LAMBDA(int to, int from) { out[to] = in[from]; });

  std::vector<int> expected;
  std::vector<int> expected_sources;
  for (int i = 0; i < count; ++i) {
    if (host[i] > 0) {
      expected.push_back(host[i]);
      expected_sources.push_back(i);
    }
  }
  ASSERT_EQ(to_host(ctx, values), expected);
  ASSERT_EQ(to_host(ctx, sources), expected_sources);
  ASSERT_EQ(to_host(ctx, asked), std::vector<int>(static_cast<std::size_t>(count), 1));
}

template <class Context>
class compact_on : public on<Context> {};
TYPED_TEST_SUITE(compact_on, contexts);

TYPED_TEST(compact_on, keeps_some_at_every_size) {
  for (const std::int64_t count : sizes()) check_compact<int>(this->ctx, count, positive{});
}

TYPED_TEST(compact_on, keeps_all_and_none) {
  for (const std::int64_t count : {0, 1, 12288, 40001}) {
    check_compact<int>(this->ctx, count, all{});
    check_compact<int>(this->ctx, count, none{});
  }
}

TYPED_TEST(compact_on, keeps_some_of_so_many_tiles_that_a_gpu_reads_ahead) {
  check_compact<std::int8_t>(this->ctx, third_if_sanitized(25'200'003), positive{});
}

// A GPU has smaller tiles for up to 458752 items, or 163840 that are parted; and all tiles of up to
// 2359296 items of 4 bytes that are parted wait for each other.
TYPED_TEST(compact_on, keeps_some_of_more_and_more_tiles) {
  for (const std::int64_t count : {163840, 163841, 458752, 458753}) {
    check_compact<int>(this->ctx, count, positive{});
  }
  check_compact<int>(this->ctx, third_if_sanitized(2'359'297), positive{});
  check_compact<couple>(this->ctx, third_if_sanitized(819'201), odd_word{});
}

TYPED_TEST(compact_on, values_of_1_to_64_bytes) {
  check_compact<std::int8_t>(this->ctx, 40001, positive{});
  check_compact<double>(this->ctx, 40001, positive{});
  check_compact<couple>(this->ctx, 40001, odd_word{});
  check_compact<triple>(this->ctx, 40001, odd_word{});
  check_compact<wide>(this->ctx, 40001, odd_word{});
}

TYPED_TEST(compact_on, keeps_indices_in_long_runs) {
  for (const std::int64_t count : {0, 1, 5000, 100000}) check_indices(this->ctx, count);
}

TYPED_TEST(compact_on, a_plan_counts_first_and_calls_the_predicate_once) {
  for (const int count : {0, 1, 12289, 200000}) check_plan(this->ctx, count);
}

TYPED_TEST(compact_on, refuses_a_negative_count) {
  try {
    compact(this->ctx, static_cast<int*>(nullptr), -1, all{}, static_cast<int*>(nullptr));
    FAIL() << "took a negative count";
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 20), "compact: count is -1") << e.what();
  }
  EXPECT_THROW((compact_plan(this->ctx, -1, all{})), argument_error);
  EXPECT_THROW(
      partition(this->ctx, static_cast<int*>(nullptr), -1, all{}, static_cast<int*>(nullptr)),
      argument_error);
}

}  // namespace
}  // namespace evenfold::testing
