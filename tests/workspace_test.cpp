#include "evenfold/core/workspace.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

TEST(taken_parts, take_the_first_free_part_that_is_large_enough) {
  detail::taken_parts parts(100);
  EXPECT_EQ(parts.take(10, 1), 0u);
  EXPECT_EQ(parts.take(10, 16), 16u);
  EXPECT_EQ(parts.take(6, 1), 10u);
  EXPECT_EQ(parts.take(20, 1), 26u);
  EXPECT_THROW(parts.take(55, 1), std::bad_alloc);
  EXPECT_EQ(parts.most(), 46u);
  // Free parts that touch are one.
  parts.give_back(0, 10);
  parts.give_back(16, 10);
  EXPECT_THROW(parts.take(55, 1), std::bad_alloc);
  parts.give_back(10, 6);
  EXPECT_EQ(parts.take(26, 1), 0u);
  parts.give_back(26, 20);
  EXPECT_EQ(parts.take(74, 1), 26u);
  EXPECT_THROW(parts.take(1, 1), std::bad_alloc);
  EXPECT_EQ(parts.most(), 100u);
  EXPECT_THROW(detail::taken_parts(0).take(1, 1), std::bad_alloc);
}

template <class Context>
class workspace_on : public on<Context> {};
TYPED_TEST_SUITE(workspace_on, contexts);

// Structures, which are sorted with scratch on every backend.
struct keyed {
  std::int64_t key, mark;
};
struct negate_mark {
  EF_HD keyed operator()(const keyed& k) const { return {k.key, -k.mark}; }
};
struct by_key {
  EF_HD bool operator()(const keyed& a, const keyed& b) const { return a.key < b.key; }
};

template <class Context>
void check_workspace(Context& ctx) {
  std::vector<keyed> given(100000);
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i] = {static_cast<std::int64_t>(i * 7919 % 1009), static_cast<std::int64_t>(i)};
  }
  const array<keyed> input = to_context(ctx, given);
  const auto work = [&](Context& c) {
    array<keyed> keys(c, given.size());
    transform(c, input, keys, negate_mark{});
    sort(c, keys, by_key{});
    const std::vector<keyed> sorted = to_host(c, keys);
    EXPECT_EQ(sorted.front().key, 0);
    EXPECT_EQ(sorted.front().mark, 0);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      ASSERT_TRUE(sorted[i - 1].key < sorted[i].key ||
                  (sorted[i - 1].key == sorted[i].key && sorted[i].mark < sorted[i - 1].mark))
          << i;
    }
  };
  const std::size_t bytes = workspace_bytes(ctx, work);
  EXPECT_GE(bytes, given.size() * sizeof(keyed));
  array<std::byte> memory(ctx, bytes);
  {
    // An address that is not aligned, at the end of which less is left.
    workspace own(memory.data(), bytes);
    Context with_own = ctx.with_memory(own);
    work(with_own);
    work(with_own);
  }
  workspace small(memory.data() + 1, bytes / 2);
  Context with_small = ctx.with_memory(small);
  EXPECT_THROW(work(with_small), allocation_error);
  EXPECT_EQ(workspace_bytes(ctx, [](Context&) {}), 0u);
  EXPECT_THROW(array<int>(with_small, bytes), allocation_error);
  // Everything has been given back.
  const array<std::byte> all(with_small, bytes / 2 - 255);
}

TYPED_TEST(workspace_on, suffices_for_a_call) { check_workspace(this->ctx); }

TYPED_TEST(workspace_on, of_no_memory) {
  workspace none(nullptr, 0);
  TypeParam other = this->ctx.with_memory(none);
  other.check_arguments = false;
  EXPECT_FALSE(other.with_memory(none).check_arguments);
  EXPECT_THROW(array<int>(other, 1), allocation_error);
  EXPECT_EQ(array<int>(other, 0).size(), 0u);
}

template <int N>
struct numbered {
  static constexpr int number = N;
};
struct number_of {
  template <class Tuning>
  int operator()() const {
    if constexpr (requires { Tuning::number; }) return Tuning::number;
    return 0;
  }
};

struct of_architecture : host_context {
  int number;
  explicit of_architecture(int given) : number(given) {}
  int architecture() const { return number; }
};

TEST(with_tuning, takes_the_largest_number_that_the_architecture_reaches) {
  const auto choice = [](int architecture) {
    of_architecture ctx(architecture);
    return with_tuning<tuning_from<80, numbered<1>>, tuning_from<100, numbered<2>>,
                       tuning_from<90, numbered<3>>>(ctx, number_of{});
  };
  EXPECT_EQ(choice(75), 0);
  EXPECT_EQ(choice(80), 1);
  EXPECT_EQ(choice(89), 1);
  EXPECT_EQ(choice(90), 3);
  EXPECT_EQ(choice(120), 2);
}

#if defined(__CUDACC__)
using own_tuning = reduce_tuning<128, 8>;
#else
using own_tuning = cpu_tuning<64>;
#endif

template <class Context>
void check_tunings(Context& ctx) {
  const int choice =
      with_tuning<tuning_from<50, numbered<1>>, tuning_from<0, numbered<2>>>(ctx, number_of{});
  EXPECT_EQ(choice, Context::side == memory_side::device ? 1 : 2);
  const array<int> x = to_context(ctx, std::vector<int>{1, 2, 3});
  const int sum = with_tuning<tuning_from<0, own_tuning>>(
      ctx, [&]<class Tuning>() { return reduce<Tuning>(ctx, x, plus{}, 0); });
  EXPECT_EQ(sum, 6);
}

TYPED_TEST(workspace_on, tunings_by_architecture) { check_tunings(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
