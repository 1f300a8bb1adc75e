// bulk_insert and bulk_remove, which are inverse to each other.

#include "evenfold/algorithm/bulk_insert.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/algorithm/bulk_remove.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

enum class where { none, all, every_third, front, back, clustered };

/// Ascending positions among `count`.
template <class Position>
std::vector<Position> positions_at(where kind, std::int64_t count) {
  std::vector<Position> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool chosen = kind == where::all || (kind == where::every_third && i % 3 == 0) ||
                        (kind == where::front && i < count / 4) ||
                        (kind == where::back && i >= count - count / 4) ||
                        (kind == where::clustered && i / 100 % 7 == 2);
    if (chosen) result.push_back(static_cast<Position>(i));
  }
  return result;
}

template <class T, class Position, class Context>
void check_remove(Context& ctx, std::int64_t count, where kind) {
  const std::vector<T> host = random_values<T>(count);
  const std::vector<Position> at = positions_at<Position>(kind, count);
  std::vector<T> expected;
  std::size_t next = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (next < at.size() && static_cast<std::int64_t>(at[next]) == i) {
      ++next;
    } else {
      expected.push_back(host[i]);
    }
  }
  const array<T> input = to_context(ctx, host);
  const array<Position> positions = to_context(ctx, at);
  array<T> out(ctx, expected.size());
  bulk_remove(ctx, input.data(), count, positions.data(), at.size(), out.data());
  EXPECT_TRUE(to_host(ctx, out) == expected) << count << " elements";
}

template <class T, class Context>
void check_insert(Context& ctx, const std::vector<T>& base, const std::vector<T>& more,
                  const std::vector<int>& at) {
  std::vector<T> expected;
  std::size_t next = 0;
  for (std::size_t i = 0; i <= base.size(); ++i) {
    for (; next < at.size() && static_cast<std::size_t>(at[next]) == i; ++next) {
      expected.push_back(more[next]);
    }
    if (i < base.size()) expected.push_back(base[i]);
  }
  const array<T> input = to_context(ctx, base), inserted = to_context(ctx, more);
  const array<int> positions = to_context(ctx, at);
  array<T> out(ctx, expected.size());
  bulk_insert(ctx, input.data(), static_cast<int>(base.size()), inserted.data(), positions.data(),
              static_cast<int>(more.size()), out.data());
  EXPECT_TRUE(to_host(ctx, out) == expected) << more.size() << " into " << base.size();

  // Removing the inserted elements gives the original sequence.
  std::vector<int> added;
  for (std::size_t k = 0; k < at.size(); ++k) added.push_back(at[k] + static_cast<int>(k));
  const array<int> removals = to_context(ctx, added);
  array<T> back(ctx, base.size());
  bulk_remove(ctx, out.data(), static_cast<int>(expected.size()), removals.data(),
              static_cast<int>(added.size()), back.data());
  EXPECT_TRUE(to_host(ctx, back) == base) << more.size() << " out of " << expected.size();
}

template <class Context>
class bulk_on : public on<Context> {};
TYPED_TEST_SUITE(bulk_on, contexts);

TYPED_TEST(bulk_on, removes_wherever_the_positions_lie) {
  for (const where kind :
       {where::none, where::all, where::every_third, where::front, where::back, where::clustered}) {
    for (const std::int64_t count : {0, 1, 2, 3, 4097, 50000}) {
      check_remove<int, int>(this->ctx, count, kind);
    }
  }
  check_remove<triple, std::uint64_t>(this->ctx, 5000, where::every_third);
}

TYPED_TEST(bulk_on, inserts_anywhere_and_takes_it_back) {
  const std::vector<int> base = random_values<int>(20000);
  check_insert<int>(this->ctx, {}, {}, {});
  check_insert<int>(this->ctx, {}, {1, 2, 3}, {0, 0, 0});
  check_insert<int>(this->ctx, {7, 8}, {1, 2, 3, 4}, {0, 1, 1, 2});
  check_insert<int>(this->ctx, base, {}, {});
  for (const where kind :
       {where::all, where::every_third, where::front, where::back, where::clustered}) {
    const std::vector<int> at = positions_at<int>(kind, 20001);
    check_insert(this->ctx, base, random_values<int>(at.size()), at);
  }
  // All at one position.
  check_insert(this->ctx, base, random_values<int>(30000), std::vector<int>(30000, 12345));
}

TYPED_TEST(bulk_on, refuses_more_removals_than_elements) {
  array<int> out(this->ctx, 1);
  int* const p = out.data();
  expect_refusal("bulk_remove", "num_positions", [&] { bulk_remove(this->ctx, p, 1, p, 2, p); });
  expect_refusal("bulk_remove", "count", [&] { bulk_remove(this->ctx, p, -1, p, 0, p); });
  expect_refusal("bulk_insert", "num_inserted", [&] { bulk_insert(this->ctx, p, 1, p, p, -2, p); });
}

TYPED_TEST(bulk_on, refuses_results_beyond_the_type_of_the_count) {
  constexpr int most = std::numeric_limits<int>::max();
  array<int> out(this->ctx, 1);
  int* const p = out.data();
  const auto insert = [&](int count, auto num_inserted) {
    expect_refusal("bulk_insert", "num_inserted",
                   [&] { bulk_insert(this->ctx, p, count, p, p, num_inserted, p); });
  };
  insert(most, 1);
  insert(most - 100, 101);
  insert(0, most);
  insert(1, std::int64_t{1} << 40);
  insert(1, std::numeric_limits<std::uint32_t>::max());
}

TYPED_TEST(bulk_on, refuses_a_last_position_outside_where_that_is_free) {
  if (TypeParam::side == memory_side::device) GTEST_SKIP() << "reading a position would wait";
  int p[] = {0, 5, 0, 0, 0, 0, 0, 0};
  const int before[] = {0, -1};
  expect_refusal("bulk_remove", "positions[1]", [&] { bulk_remove(this->ctx, p, 5, p, 2, p); });
  expect_refusal("bulk_remove", "positions[1]",
                 [&] { bulk_remove(this->ctx, p, 5, before, 2, p); });
  expect_refusal("bulk_insert", "positions[1]", [&] { bulk_insert(this->ctx, p, 4, p, p, 2, p); });
}

}  // namespace
}  // namespace evenfold::testing
