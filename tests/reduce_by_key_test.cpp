#include "evenfold/algorithm/reduce_by_key.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "evenfold/algorithm/unique.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Keys whose runs have the lengths of the segments; a segment without items has no run.
template <class Key>
std::vector<Key> keys_of(const segments_of<int>& data) {
  std::vector<Key> keys(static_cast<std::size_t>(data.count));
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) keys[i] = static_cast<Key>(s % 100);
  }
  return keys;
}

/// The runs by the definition: the position where each begins, followed by the count.
template <class Key>
std::vector<std::int64_t> run_offsets(const std::vector<Key>& keys) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !(keys[i - 1] == keys[i])) result.push_back(static_cast<std::int64_t>(i));
  }
  result.push_back(static_cast<std::int64_t>(keys.size()));
  return result;
}

template <class Key, class T, class Size, class Context, class Op>
void check_reduce(Context& ctx, const std::vector<Key>& host_keys, Op op, T init) {
  const auto count = static_cast<Size>(host_keys.size());
  const std::vector<T> host = random_values<T>(static_cast<std::int64_t>(count));
  const array<Key> keys = to_context(ctx, host_keys);
  const array<T> values = to_context(ctx, host);
  const std::vector<std::int64_t> offsets = run_offsets(host_keys);
  const std::size_t runs = offsets.size() - 1;
  array<Key> keys_out(ctx, runs);
  array<T> out(ctx, runs);

  const Size found = reduce_by_key(ctx, keys.data(), values.data(), count, equal_to{},
                                   keys_out.data(), out.data(), op, init);
  ASSERT_EQ(static_cast<std::size_t>(found), runs);
  const std::vector<Key> got_keys = to_host(ctx, keys_out);
  const std::vector<T> got = to_host(ctx, out);
  for (std::size_t r = 0; r < runs; ++r) {
    T fold = init;
    for (std::int64_t i = offsets[r]; i < offsets[r + 1]; ++i) fold = op(fold, host[i]);
    ASSERT_EQ(got_keys[r], host_keys[offsets[r]]) << "key of run " << r << " of " << runs;
    ASSERT_TRUE(got[r] == fold) << "run " << r << " of " << runs << ", " << count << " items";
  }
}

template <class Key, class Context>
void check_unique(Context& ctx, const std::vector<Key>& host_keys) {
  const auto count = static_cast<int>(host_keys.size());
  const array<Key> keys = to_context(ctx, host_keys);
  const std::vector<std::int64_t> offsets = run_offsets(host_keys);
  const std::size_t runs = offsets.size() - 1;
  std::vector<Key> expected;
  for (std::size_t r = 0; r < runs; ++r) expected.push_back(host_keys[offsets[r]]);

  array<Key> out(ctx, runs);
  ASSERT_EQ(unique(ctx, keys.data(), count, equal_to{}, out.data()), static_cast<int>(runs));
  ASSERT_EQ(to_host(ctx, out), expected);

  array<Key> again(ctx, runs);
  array<std::int64_t> begins(ctx, runs);
  ASSERT_EQ(unique_offsets(ctx, keys.data(), count, equal_to{}, again.data(), begins.data()),
            static_cast<int>(runs));
  ASSERT_EQ(to_host(ctx, again), expected);
  ASSERT_EQ(to_host(ctx, begins), std::vector<std::int64_t>(offsets.begin(), offsets.end() - 1));
}

/// Float sums over long runs are the same bits every time.
template <class Context>
void check_bits_of_reduce_by_key() {
  const std::vector<float> host = random_fractions<float>(large_size);
  const std::vector<int> host_keys = keys_of<int>(make_segments<int>(shape::one_giant, large_size));
  std::vector<std::vector<float>> results;
  for (const auto& ctx : equal_contexts<Context>()) {
    const array<float> values = to_context(*ctx, host);
    const array<int> keys = to_context(*ctx, host_keys);
    array<int> keys_out(*ctx, host_keys.size());
    array<float> out(*ctx, host_keys.size());
    for (int run = 0; run < 2; ++run) {
      const auto runs = reduce_by_key(*ctx, keys.data(), values.data(), host_keys.size(),
                                      equal_to{}, keys_out.data(), out.data(), plus{}, 0.1f);
      results.push_back(to_host(*ctx, out.data(), runs));
    }
  }
  for (const std::vector<float>& result : results) {
    ASSERT_EQ(result.size(), results[0].size());
    ASSERT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(float)), 0);
  }
}

template <class Context>
class reduce_by_key_on : public on<Context> {};
TYPED_TEST_SUITE(reduce_by_key_on, contexts);

TYPED_TEST(reduce_by_key_on, runs_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 5000, 70000}) {
      const std::vector<int> keys = keys_of<int>(make_segments<int>(kind, count));
      check_reduce<int, int, int>(this->ctx, keys, plus{}, 3);
      check_unique(this->ctx, keys);
    }
  }
}

TYPED_TEST(reduce_by_key_on, runs_at_every_size) {
  for (const std::int64_t count : sizes()) {
    const std::vector<int> keys = keys_of<int>(make_segments<int>(shape::power_law, count));
    check_reduce<int, int, int>(this->ctx, keys, plus{}, -7);
    check_unique(this->ctx, keys);
  }
}

// A GPU has smaller tiles for up to 262144 keys, or 614400 of 16 bytes.
TYPED_TEST(reduce_by_key_on, unique_keys_of_more_and_more_tiles) {
  for (const int count : {262144, 262145}) {
    check_unique(this->ctx, keys_of<int>(make_segments<int>(shape::uniform, count)));
  }
  for (const std::int64_t count : {std::int64_t{20000}, third_if_sanitized(614'401)}) {
    std::vector<couple> keys;
    for (std::int64_t i = 0; i < count; ++i) keys.push_back({i / 3 % 100, i / 7 % 5});
    check_unique(this->ctx, keys);
  }
}

TYPED_TEST(reduce_by_key_on, keeps_the_order_of_operands) {
  for (const shape kind : shapes) {
    const std::vector<std::int64_t> keys = keys_of<std::int64_t>(make_segments<int>(kind, 50000));
    check_reduce<std::int64_t, matrix2, int>(this->ctx, keys, multiplies{}, matrix2(1, 1, 0, 1));
  }
}

TYPED_TEST(reduce_by_key_on, takes_wide_values_and_64_bit_counts) {
  const std::vector<int> keys = keys_of<int>(make_segments<int>(shape::one_giant, 40001));
  check_reduce<int, int, std::int64_t>(this->ctx, keys, plus{}, 0);
  check_reduce<int, wide, std::int64_t>(this->ctx, keys, plus{}, wide(5));
}

TYPED_TEST(reduce_by_key_on, keys_that_differ_from_themselves_are_runs_of_one) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> host = {1, 1, nan, nan, 0., -0.};
  const array<double> keys = to_context(this->ctx, host);
  array<double> out(this->ctx, 6);
  EXPECT_EQ(unique(this->ctx, keys.data(), 6, equal_to{}, out.data()), 4);
}

TYPED_TEST(reduce_by_key_on, gives_the_same_bits_every_time) {
  check_bits_of_reduce_by_key<TypeParam>();
}

TYPED_TEST(reduce_by_key_on, refuses_a_negative_count) {
  int* const no = nullptr;
  try {
    reduce_by_key(this->ctx, no, no, -1, equal_to{}, no, no, plus{}, 0);
    FAIL() << "took a negative count";
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 26), "reduce_by_key: count is -1") << e.what();
  }
  EXPECT_THROW(unique(this->ctx, no, -1, equal_to{}, no), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
