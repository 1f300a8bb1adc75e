// Ranges where an iterator and a count stand; range_order_test.cpp has the algorithms that sort,
// merge and search.

#include "evenfold/core/range.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

static_assert(sized_range<array<int>> && sized_range<const std::vector<int>&>);
static_assert(sized_range<std::span<int>> && sized_range<int[3]> && sized_range<std::vector<bool>>);
static_assert(contiguous_range<std::span<const int>> && !contiguous_range<std::vector<bool>>);
static_assert(!sized_range<int*> && sequence<int*> && !sequence<int> && !sequence<plus>);

template <class Context>
class range_on : public on<Context> {};
TYPED_TEST_SUITE(range_on, contexts);

using ints = std::vector<int>;

struct is_odd {
  EF_HD constexpr bool operator()(int x) const { return x % 2 != 0; }
};
struct twice {
  EF_HD constexpr int operator()(int x) const { return 2 * x; }
};

template <class Context>
void check_elements(Context& ctx) {
  const array<int> x = to_context(ctx, ints{5, 1, 4, 2, 3});
  array<int> y(ctx, 5);
  const auto now = [&] { return to_host(ctx, y); };
  fill(ctx, y, 7);
  EXPECT_EQ(now(), (ints{7, 7, 7, 7, 7}));
  iota(ctx, y);
  EXPECT_EQ(now(), (ints{0, 1, 2, 3, 4}));
  iota(ctx, std::span(y.data(), 4), 3, 2);
  EXPECT_EQ(now(), (ints{3, 5, 7, 9, 4}));
  transform(ctx, x, y, twice{});
  EXPECT_EQ(now(), (ints{10, 2, 8, 4, 6}));
  transform(ctx, std::span(x.data(), 2), y.data() + 3, twice{});
  EXPECT_EQ(now(), (ints{10, 2, 8, 10, 2}));
  adjacent_difference(ctx, x, y);
  EXPECT_EQ(now(), (ints{5, -4, 3, -2, 1}));
  const array<int> order = to_context(ctx, ints{4, 0, 1, 3, 2});
  gather(ctx, x, order, y);
  EXPECT_EQ(now(), (ints{3, 5, 1, 2, 4}));
  scatter(ctx, x, order, y);
  EXPECT_EQ(now(), (ints{1, 4, 3, 2, 5}));
  permute(ctx, y, order);
  EXPECT_EQ(now(), (ints{5, 1, 4, 2, 3}));
  multiply(ctx, x, x, y);
  EXPECT_EQ(now(), (ints{25, 1, 16, 4, 9}));
  const array<float> floats = to_context(ctx, std::vector<float>{1, 2});
  array<float> sum = to_context(ctx, std::vector<float>{10, 20});
  saxpy(ctx, 3, floats, sum);
  EXPECT_EQ(to_host(ctx, sum), (std::vector<float>{13, 26}));
}

template <class Context>
void check_copies(Context& ctx) {
  const std::array<int, 3> numbers{1, 2, 3};
  array<int> x = to_context(ctx, numbers);
  EXPECT_EQ(to_host(ctx, std::span(x.data() + 1, 2)), (ints{2, 3}));
  array<int> y(ctx, 4);
  fill(ctx, y, 9);
  copy(ctx, x, y);
  copy(ctx, std::span(x.data(), 1), y.data() + 3);
  EXPECT_EQ(to_host(ctx, y), (ints{1, 2, 3, 1}));
  expect_argument_error("copy: to is a range of size 3", [&] { copy(ctx, y, x); });
}

template <class Context>
void check_folds(Context& ctx) {
  const array<int> x = to_context(ctx, ints{5, 1, 4, 2, 3});
  array<int> one(ctx, 1);
  const auto result = [&] { return to_host(ctx, one)[0]; };
  EXPECT_EQ(reduce(ctx, x, plus{}, 1), 16);
  EXPECT_EQ(reduce(ctx, std::span(x.data(), 2), plus{}, 1), 7);
  reduce(ctx, x, maximum{}, 0, one.data());
  EXPECT_EQ(result(), 5);
  EXPECT_EQ(dot(ctx, x, x, 0), 55);
  dot(ctx, x, x.data(), 1, one.data());
  EXPECT_EQ(result(), 56);
  EXPECT_EQ(fold(ctx, x, plus{}, 0, fold_strategy::tournament), 15);
  EXPECT_EQ(argmin(ctx, x), 1u);
  EXPECT_EQ(argmax(ctx, x), 0u);
  EXPECT_EQ(argmin(ctx, x, greater{}), 0u);
  EXPECT_EQ(argmax(ctx, x, greater{}), 1u);
  EXPECT_EQ(count_if(ctx, x, is_odd{}), 3u);
  EXPECT_EQ(find_if(ctx, x, is_odd{}), 0u);
  EXPECT_TRUE(any_of(ctx, x, is_odd{}));
  EXPECT_FALSE(all_of(ctx, x, is_odd{}));
  EXPECT_FALSE(none_of(ctx, x, is_odd{}));
  array<int> y(ctx, 5);
  const auto now = [&] { return to_host(ctx, y); };
  inclusive_scan(ctx, x, y, plus{});
  EXPECT_EQ(now(), (ints{5, 6, 10, 12, 15}));
  inclusive_scan(ctx, x, y, plus{}, 1, one.data());
  EXPECT_EQ(now(), (ints{6, 7, 11, 13, 16}));
  EXPECT_EQ(result(), 16);
  exclusive_scan(ctx, x, y.data(), plus{}, 1);
  EXPECT_EQ(now(), (ints{1, 6, 7, 11, 13}));
  EXPECT_EQ(compact(ctx, x, is_odd{}, y), 3u);
  EXPECT_EQ(now(), (ints{5, 1, 3, 11, 13}));
  EXPECT_EQ(partition(ctx, x, is_odd{}, y), 3u);
  EXPECT_EQ(now(), (ints{5, 1, 3, 4, 2}));
  array<std::size_t> kept(ctx, 2);
  compact(ctx, x, is_odd{}, y, kept.data());
  partition(ctx, x, is_odd{}, y, kept.data() + 1);
  EXPECT_EQ(to_host(ctx, kept), (std::vector<std::size_t>{3, 3}));
  array<int> bins(ctx, 3);
  histogram(
      ctx, 5, EF_LAMBDA(int i) { return i % 3; }, bins);
  EXPECT_EQ(to_host(ctx, bins), (ints{2, 2, 1}));
  histogram(
      ctx, 5, EF_LAMBDA(int i) { return i % 3; }, EF_LAMBDA(int i) { return i; }, bins);
  EXPECT_EQ(to_host(ctx, bins), (ints{3, 5, 2}));
}

template <class Context>
void check_segments(Context& ctx) {
  const array<int> x = to_context(ctx, ints{5, 1, 4, 2, 3});
  const array<int> offsets = to_context(ctx, ints{0, 2, 2});
  const array<int> of_segment = to_context(ctx, ints{10, 20, 30});
  array<int> sums(ctx, 3), y(ctx, 5);
  const int* const in = x.data();
  const auto value = EF_LAMBDA(int i) { return in[i]; };
  segreduce(ctx, x, offsets, sums, plus{}, 0);
  EXPECT_EQ(to_host(ctx, sums), (ints{6, 0, 9}));
  transform_segreduce(ctx, 5, value, offsets, sums, plus{}, 1);
  EXPECT_EQ(to_host(ctx, sums), (ints{7, 1, 10}));
  lbs_segreduce(
      ctx, 5, EF_LAMBDA(int i, int, int) { return in[i]; }, offsets, sums, plus{}, 2);
  EXPECT_EQ(to_host(ctx, sums), (ints{8, 2, 11}));
  const auto cached_value = EF_LAMBDA(int i, int, int, tuple<int> c) { return in[i] * get<0>(c); };
  lbs_segreduce(ctx, 5, cached_value, offsets, make_tuple(of_segment.data()), sums, plus{}, 0);
  EXPECT_EQ(to_host(ctx, sums), (ints{60, 0, 270}));
  load_balance_search(ctx, offsets, y);
  EXPECT_EQ(to_host(ctx, y), (ints{0, 0, 2, 2, 2}));
  interval_expand(ctx, of_segment, offsets, y);
  EXPECT_EQ(to_host(ctx, y), (ints{10, 10, 30, 30, 30}));
  const array<int> from = to_context(ctx, ints{3, 0, 0});
  interval_gather(ctx, x, from, offsets, y);
  EXPECT_EQ(to_host(ctx, y), (ints{2, 3, 5, 1, 4}));
  interval_scatter(ctx, x, offsets, from, y);
  EXPECT_EQ(to_host(ctx, y), (ints{4, 2, 3, 5, 1}));
  interval_move(ctx, x, from, 5, offsets, from, y);
  EXPECT_EQ(to_host(ctx, y), (ints{5, 1, 4, 2, 3}));
  int* const out = y.data();
  transform_lbs(
      ctx, 5, EF_LAMBDA(int i, int, int rank) { out[i] = rank; }, offsets);
  EXPECT_EQ(to_host(ctx, y), (ints{0, 1, 0, 1, 2}));
  const auto write_cached = EF_LAMBDA(int i, int, int, tuple<int> c) { out[i] = get<0>(c); };
  transform_lbs(ctx, 5, write_cached, offsets, make_tuple(of_segment.data()));
  EXPECT_EQ(to_host(ctx, y), (ints{10, 10, 30, 30, 30}));
  const auto created = EF_LAMBDA(int i, int, int rank)->optional<int> {
    if (rank == 0) return nullopt;
    return i;
  };
  EXPECT_EQ(lbs_workcreate(ctx, 5, created, offsets, y.data()), 3);
  EXPECT_EQ(to_host(ctx, y), (ints{1, 3, 4, 30, 30}));
  array<int> longer(ctx, 7);
  bulk_insert(ctx, x, std::span(of_segment.data(), 2), std::span(offsets.data(), 2), longer);
  EXPECT_EQ(to_host(ctx, longer), (ints{10, 5, 1, 20, 4, 2, 3}));
  bulk_remove(ctx, x, std::span(offsets.data(), 2), std::span(longer.data(), 3));
  EXPECT_EQ(to_host(ctx, longer), (ints{1, 2, 3, 20, 4, 2, 3}));
}

template <class Context>
void check_sizes(Context& ctx) {
  const array<int> five = to_context(ctx, ints{5, 1, 4, 2, 3});
  array<int> none(ctx, 0), four(ctx, 4);
  expect_argument_error("transform: out is a range of size 4, but up to 5 elements are written",
                        [&] { transform(ctx, five, four, twice{}); });
  expect_argument_error(
      "dot: y is a range of size 4, but x has size 5; pass ranges of the same size",
      [&] { dot(ctx, five, four, 0); });
  expect_argument_error("segreduce: out is", [&] { segreduce(ctx, five, five, four, plus{}, 0); });
  expect_argument_error("gather: out is", [&] { gather(ctx, five, five, four); });
  expect_argument_error("scatter: input is", [&] { scatter(ctx, four, five, four); });
  expect_argument_error("bulk_remove: out is a range of size 4",
                        [&] { bulk_remove(ctx, five, std::span(five.data(), 0), four); });
  EXPECT_EQ(reduce(ctx, none, plus{}, 3), 3);
  inclusive_scan(ctx, none, none, plus{});
}

TYPED_TEST(range_on, copies) { check_copies(this->ctx); }
TYPED_TEST(range_on, elements) { check_elements(this->ctx); }
TYPED_TEST(range_on, folds_and_prefixes) { check_folds(this->ctx); }
TYPED_TEST(range_on, segments) { check_segments(this->ctx); }
TYPED_TEST(range_on, sizes_are_checked) { check_sizes(this->ctx); }

template <class Context>
void check_spmv(Context& ctx) {
  const csr<float, int, int> a =
      to_context(ctx, csr_view<const float, int, int>{2, 3, 3, std::array<int, 3>{0, 2, 3}.data(),
                                                      std::array<int, 3>{0, 2, 1}.data(),
                                                      std::array<float, 3>{1, 2, 3}.data()});
  const array<float> x = to_context(ctx, std::vector<float>{10, 20, 30});
  array<float> y(ctx, 2);
  spmv(ctx, a.view(), x, y);
  EXPECT_EQ(to_host(ctx, y), (std::vector<float>{70, 60}));
  expect_argument_error("spmv: x is a range of size 2", [&] { spmv(ctx, a.view(), y, y); });
}
TYPED_TEST(range_on, vectors_of_a_product) { check_spmv(this->ctx); }

TEST(range, views_and_containers_of_the_host) {
  reference_context ctx;
  const std::array<int, 3> numbers{1, 2, 3};
  const int of_c[] = {4, 5};
  EXPECT_EQ(reduce(ctx, numbers, plus{}, 0), 6);
  EXPECT_EQ(reduce(ctx, of_c, plus{}, 0), 9);
#if !defined(__CUDACC__)
  // Iterators of the standard library are functions of the host, which nvcc warns of.
  EXPECT_EQ(reduce(ctx, std::vector<bool>{true, false, true}, plus{}, 0), 2);
  EXPECT_EQ(reduce(ctx, std::views::iota(1, 101), plus{}, 0), 5050);
#endif
  std::vector<int> out(3);
  transform(ctx, numbers, out, twice{});
  EXPECT_EQ(out, (ints{2, 4, 6}));
}

}  // namespace
}  // namespace evenfold::testing
