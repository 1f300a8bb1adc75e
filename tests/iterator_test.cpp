// Iterators whose [] returns proxies, and their element types.

#include "evenfold/core/iterator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/values.hpp"

#if defined(__CUDACC__)
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#endif

namespace evenfold::testing {
namespace {

/// A proxy of a number in memory. It converts to the number but cannot be compared or added.
struct number_proxy {
  const std::uint16_t* at;
  EF_HD constexpr operator std::uint16_t() const { return *at; }
};
bool operator<(const number_proxy&, const number_proxy&) = delete;
bool operator==(const number_proxy&, const number_proxy&) = delete;
bool operator+(const number_proxy&, const number_proxy&) = delete;

/// An iterator that returns such proxies.
struct proxies {
  using value_type = std::uint16_t;
  const std::uint16_t* data;
  template <std::integral Size>
  EF_HD constexpr number_proxy operator[](Size i) const {
    return number_proxy{data + i};
  }
};

/// A sequence without a value_type.
struct squares {
  EF_HD constexpr std::int64_t operator[](int i) const { return std::int64_t{i} * i; }
};

static_assert(std::same_as<element_t<const float*>, float>);
static_assert(std::same_as<element_t<proxies>, std::uint16_t>);
static_assert(std::same_as<element_t<squares>, std::int64_t>);
static_assert(std::same_as<element_t<std::vector<bool>::iterator>, bool>);
static_assert(std::same_as<element_t<std::vector<int>::const_iterator>, int>);
static_assert(detail::gives_proxies<proxies> && detail::gives_proxies<std::vector<bool>::iterator>);
static_assert(!detail::gives_proxies<const float*> && !detail::gives_proxies<squares>);
#if defined(__CUDACC__)
static_assert(std::same_as<element_t<thrust::device_vector<float>::const_iterator>, float>);
#endif

template <class Context>
class iterators_on : public on<Context> {};
TYPED_TEST_SUITE(iterators_on, contexts);

/// Runs `check(ctx, input, values)` with iterators of several kinds to the same values.
template <class Context, class Check>
void with_iterators(Context& ctx, std::int64_t count, Check check) {
  std::vector<std::uint16_t> values = random_values<std::uint16_t>(count);
  for (std::uint16_t& value : values) value %= 50;
  std::sort(values.begin(), values.end());
  const array<std::uint16_t> there = to_context(ctx, values);
  check(ctx, there.data(), values);
  check(ctx, proxies{there.data()}, values);
#if !defined(__CUDACC__)
  check(ctx, values.begin(), values);
#else
  if constexpr (Context::side == memory_side::device) {
    const thrust::device_vector<std::uint16_t> vector(values.begin(), values.end());
    check(ctx, vector.begin(), values);
  }
#endif
}

struct is_odd {
  EF_HD constexpr bool operator()(std::uint16_t value) const { return value % 2 == 1; }
};

struct checks {
  template <class Context, class Input>
  void operator()(Context& ctx, Input input, const std::vector<std::uint16_t>& values) const {
    const auto count = static_cast<int>(values.size());

    const int sum = std::accumulate(values.begin(), values.end(), 0);
    EXPECT_EQ(reduce(ctx, input, count, plus{}, 0), sum);
    EXPECT_EQ(dot(ctx, input, input, count, std::int64_t{0}),
              std::inner_product(values.begin(), values.end(), values.begin(), std::int64_t{0}));

    array<int> sums(ctx, count);
    inclusive_scan(ctx, input, count, sums.data(), plus{});
    EXPECT_EQ(to_host(ctx, sums).back(), sum);
    exclusive_scan(ctx, input, count, sums.data(), plus{}, 0);
    EXPECT_EQ(to_host(ctx, sums).back(), sum - values.back());

    const array<int> offsets = to_context(ctx, std::vector<int>{0, count / 2});
    array<int> folds(ctx, 2);
    segreduce(ctx, input, count, offsets.data(), 2, folds.data(), plus{}, 0);
    EXPECT_EQ(to_host(ctx, folds)[0] + to_host(ctx, folds)[1], sum);

    std::vector<int> table(50);
    std::iota(table.begin(), table.end(), 0);
    const array<int> table_there = to_context(ctx, table);
    array<int> found(ctx, count);
    gather(ctx, table_there.data(), input, count, found.data());
    EXPECT_EQ(to_host(ctx, found), std::vector<int>(values.begin(), values.end()));

    array<std::uint16_t> out(ctx, count);
    const int odd = compact(ctx, input, count, is_odd{}, out.data());
    EXPECT_EQ(odd, std::count_if(values.begin(), values.end(), is_odd{}));
    const int distinct = unique(ctx, input, count, equal_to{}, out.data());
    EXPECT_EQ(distinct, std::ssize(distinct_values(values)));
    array<int> counts(ctx, count);
    EXPECT_EQ(
        reduce_by_key(ctx, input, input, count, equal_to{}, out.data(), counts.data(), plus{}, 0),
        distinct);

    array<int> indices(ctx, count);
    sort_indices(ctx, input, indices.data(), count, greater{});
    EXPECT_EQ(values[to_host(ctx, indices)[0]], values.back());
    sort_indices(ctx, evenfold::make_tuple(descending(input), ascending(input)), indices.data(),
                 count);
    EXPECT_EQ(values[to_host(ctx, indices)[0]], values.back());

    sorted_search<bounds::upper>(ctx, input, count, input, count, indices.data(), less{});
    EXPECT_EQ(to_host(ctx, indices).back(), count);
    search<bounds::lower>(ctx, input, count, input, count, indices.data(), less{});
    EXPECT_EQ(to_host(ctx, indices)[0], 0);

    array<std::uint16_t> merged(ctx, 2 * count);
    merge(ctx, input, count, input, count, merged.data(), less{});
    EXPECT_EQ(to_host(ctx, merged)[1], values[1 / 2]);
    EXPECT_EQ(set_intersection(ctx, input, count, input, count, less{}).size(), values.size());
    EXPECT_EQ(inner_join(ctx, input, count, input, count, less{}).size(), pairs(values));

    array<int> expanded(ctx, count);
    interval_expand(ctx, input, count, offsets.data(), 2, expanded.data());
    EXPECT_EQ(to_host(ctx, expanded).back(), values[1]);
    interval_gather(ctx, input, offsets.data(), count, offsets.data(), 2, out.data());
    EXPECT_EQ(to_host(ctx, out), values);
    bulk_remove(ctx, input, count, offsets.data() + 1, 1, out.data());
    EXPECT_EQ(to_host(ctx, out)[0], values[0]);
  }

  static std::vector<std::uint16_t> distinct_values(std::vector<std::uint16_t> values) {
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  static std::size_t pairs(const std::vector<std::uint16_t>& values) {
    std::size_t sum = 0;
    for (const std::uint16_t value : values) {
      sum += static_cast<std::size_t>(std::count(values.begin(), values.end(), value));
    }
    return sum;
  }
};

TYPED_TEST(iterators_on, algorithms_read_values_where_there_are_proxies) {
  with_iterators(this->ctx, 3000, checks{});
}

#if !defined(__CUDACC__)

TEST(iterators_on_hosts, vectors_of_bool_are_read) {
  std::vector<bool> flags;
  for (int i = 0; i < 1000; ++i) flags.push_back(i % 3 == 0);
  const auto check = [&](auto& ctx) {
    EXPECT_EQ(reduce(ctx, flags.begin(), 1000, plus{}, 0), 334);
    array<int> out(ctx, 1000);
    inclusive_scan(ctx, flags.begin(), 1000, out.data(), plus{});
    EXPECT_EQ(out[999], 334);
    array<bool> kept(ctx, 1000);
    EXPECT_EQ(compact(ctx, flags.begin(), 1000, std::identity{}, kept.data()), 334);
    sort_indices(ctx, flags.begin(), out.data(), 1000, less{});
    EXPECT_EQ(out[666], 0);
  };
  reference_context serial;
  check(serial);
  cpu_context threads(3);
  check(threads);
}

#else

/// The first element of a pair.
struct first_less {
  template <class Pair>
  EF_HD bool operator()(const Pair& a, const Pair& b) const {
    return cuda::std::get<0>(a) < cuda::std::get<0>(b);
  }
};

TEST(iterators_on_gpu, zipped_sequences_are_keys) {
  cuda_context ctx;
  const std::vector<int> names = {3, 1, 2, 1};
  const array<int> left = to_context(ctx, names);
  const array<float> right = to_context(ctx, std::vector<float>{0.5f, 1.5f, 2.5f, 3.5f});
  const auto rows = thrust::make_zip_iterator(left.data(), right.data());
  array<int> indices(ctx, 4);
  sort_indices(ctx, rows, indices.data(), 4, first_less{});
  EXPECT_EQ(to_host(ctx, indices), (std::vector<int>{1, 3, 2, 0}));
}

TEST(iterators_on_gpu, results_go_to_a_device_vector) {
  cuda_context ctx;
  const std::vector<int> ones(1000, 1);
  const thrust::device_vector<int> in(ones.begin(), ones.end());
  thrust::device_vector<int> out(1000);
  inclusive_scan(ctx, in.begin(), 1000, out.begin(), plus{});
  sorted_search<bounds::upper>(ctx, in.begin(), 1000, in.begin(), 1000, out.begin(), less{});
  ctx.synchronize();
  EXPECT_EQ(out[0], 1000);
}

#endif

}  // namespace
}  // namespace evenfold::testing
