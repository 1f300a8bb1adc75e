// merge, sorted_search and sorted_equal_range compared with CUB and Thrust. The figures of
// moderngpu 2.13 were measured on an H100 80GB HBM3.

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <cub/device/device_merge.cuh>

#include "bench/cuda_platform.cuh"
#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"

namespace bench {
namespace {

using evenfold::array;

const std::string moderngpu = "moderngpu on an H100";

struct whole_numbers {
  int* out;
  int distinct;
  evenfold::random_stream random;
  __device__ void operator()(int i) {
    out[i] = static_cast<int>(
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(distinct)));
  }
};

/// `count` sorted numbers with `distinct` values.
array<int> sorted_numbers(int count, int distinct, std::uint64_t seed) {
  evenfold::cuda_context& ctx = device_context();
  auto numbers = device_array<int>(count);
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(count,
                           whole_numbers{numbers.data(), distinct, evenfold::random_stream(seed)},
                           ctx.stream()),
      "cub::DeviceFor::Bulk");
  const auto whole = evenfold::to_context(ctx, std::vector<int>{0});
  evenfold::segmented_sort(ctx, numbers.data(), count, whole.data(), 1, evenfold::less{});
  return numbers;
}

constexpr int all_different = 1 << 30;

struct two_sides {
  int count;
  array<int> a, b;
  two_sides(int n, int distinct)
      : count(n), a(sorted_numbers(n, distinct, 1)), b(sorted_numbers(n, distinct, 2)) {}
};

prepared_case merge_keys(const options& chosen, int distinct) {
  struct data : two_sides {
    array<int> ours = device_array<int>(2 * std::int64_t{count});
    array<int> theirs = device_array<int>(2 * std::int64_t{count});
    using two_sides::two_sides;
  };
  auto d = std::make_shared<data>(chosen.size(26), distinct);
  const auto ours = [=] {
    evenfold::merge(device_context(), d->a.data(), d->count, d->b.data(), d->count, d->ours.data(),
                    evenfold::less{});
  };
  const auto cub_merge = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceMerge::MergeKeys(scratch, bytes, d->a.data(), d->count, d->b.data(), d->count,
                                       d->theirs.data(), evenfold::less{},
                                       device_context().stream());
  });
  return {.bytes = 16.0 * d->count,
          .contestants = {{"evenfold merge", ours}, {"cub merge", cub_merge}},
          .check = same_results(d, ours, cub_merge, 2 * d->count),
          .marks = {at_least_best_peer(1.0)}};
}

prepared_case merge_pairs(const options& chosen) {
  struct data : two_sides {
    array<int> a_values = filled<any_numbers, int>(count, 3);
    array<int> b_values = filled<any_numbers, int>(count, 4);
    array<int> keys = device_array<int>(2 * std::int64_t{count});
    array<int> ours = device_array<int>(2 * std::int64_t{count});
    array<int> theirs = device_array<int>(2 * std::int64_t{count});
    using two_sides::two_sides;
  };
  auto d = std::make_shared<data>(chosen.size(26), chosen.size(24));
  const auto ours = [=] {
    evenfold::merge(device_context(), d->a.data(), d->a_values.data(), d->count, d->b.data(),
                    d->b_values.data(), d->count, d->keys.data(), d->ours.data(), evenfold::less{});
  };
  const auto cub_merge = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceMerge::MergePairs(
        scratch, bytes, d->a.data(), d->a_values.data(), d->count, d->b.data(), d->b_values.data(),
        d->count, d->keys.data(), d->theirs.data(), evenfold::less{}, device_context().stream());
  });
  return {.bytes = 32.0 * d->count,
          .contestants = {{"evenfold merge", ours}, {"cub merge", cub_merge}},
          .check = same_results(d, ours, cub_merge, 2 * d->count),
          .marks = {at_least_best_peer(1.0)}};
}

/// count / `per_needle` needles in `count` elements. Thrust searches for each needle on its own.
prepared_case search_sorted(int count, int distinct, int per_needle, std::vector<mark> marks) {
  struct data {
    int count, num_needles;
    array<int> haystack, needles;
    array<int> ours = device_array<int>(num_needles);
    array<int> theirs = device_array<int>(num_needles);
    data(int n, int each, int values)
        : count(n),
          num_needles(n / each),
          haystack(sorted_numbers(count, values, 2)),
          needles(sorted_numbers(num_needles, values, 1)) {}
  };
  auto d = std::make_shared<data>(count, per_needle, distinct);
  const auto ours = [=] {
    evenfold::sorted_search<evenfold::bounds::lower>(device_context(), d->needles.data(),
                                                     d->num_needles, d->haystack.data(), d->count,
                                                     d->ours.data(), evenfold::less{});
  };
  const auto thrust_search = [=] {
    thrust::lower_bound(thrust::cuda::par_nosync.on(device_context().stream()), d->haystack.data(),
                        d->haystack.data() + d->count, d->needles.data(),
                        d->needles.data() + d->num_needles, d->theirs.data(), evenfold::less{});
  };
  // Few needles do not need the whole haystack.
  const double haystack_bytes = per_needle == 1 ? 4.0 * count : 0;
  return {.bytes = 8.0 * d->num_needles + haystack_bytes,
          .contestants = {{"evenfold sorted_search", ours}, {"thrust lower_bound", thrust_search}},
          .check = same_results(d, ours, thrust_search, d->num_needles),
          .marks = std::move(marks),
          .repeats_factor = repeats_factor_of(count)};
}

prepared_case search_few(int count, int per_needle) {
  return search_sorted(count, all_different, per_needle, {at_most_best_peer(1.0)});
}

prepared_case equal_range(const options& chosen, int distinct) {
  struct data : two_sides {
    array<int> first = device_array<int>(count);
    array<int> counts = device_array<int>(count);
    array<int> theirs = device_array<int>(count);
    using two_sides::two_sides;
  };
  auto d = std::make_shared<data>(chosen.size(26), distinct);
  const auto ours = [=] {
    evenfold::sorted_equal_range(device_context(), d->a.data(), d->count, d->b.data(), d->count,
                                 d->first.data(), d->counts.data(), evenfold::less{});
  };
  return {.bytes = 16.0 * d->count,
          .contestants = {{"evenfold sorted_equal_range", ours}},
          .check = [=]() -> std::string {
            spoil(d->first);
            spoil(d->counts);
            ours();
            const auto stream = thrust::cuda::par_nosync.on(device_context().stream());
            thrust::lower_bound(stream, d->b.data(), d->b.data() + d->count, d->a.data(),
                                d->a.data() + d->count, d->theirs.data(), evenfold::less{});
            const std::string first =
                difference(d->first.data(), d->theirs.data(), d->count, "lower bounds: ");
            if (!first.empty()) return first;
            int* const counts = d->counts.data();
            const int* const lower = d->first.data();
            evenfold::transform(
                device_context(), d->count, EF_LAMBDA(int i) { counts[i] += lower[i]; });
            thrust::upper_bound(stream, d->b.data(), d->b.data() + d->count, d->a.data(),
                                d->a.data() + d->count, d->theirs.data(), evenfold::less{});
            return difference(d->counts.data(), d->theirs.data(), d->count, "upper bounds: ");
          }};
}

const add_case cases[] = {
    {"merge_keys", [](const options& o) { return merge_keys(o, all_different); }},
    {"merge_keys_all_equal", [](const options& o) { return merge_keys(o, 1); }},
    {"merge_pairs", [](const options& o) { return merge_pairs(o); }},
    {"sorted_search",
     [](const options& o) {
       return search_sorted(o.size(26), all_different, 1,
                            {at_least_best_peer(1.0), at_least_published(1.2, 2032, moderngpu)});
     }},
    {"sorted_search_all_equal",
     [](const options& o) {
       return search_sorted(o.size(26), 1, 1,
                            {at_least_best_peer(1.0), at_least_published(1.2, 2032, moderngpu)});
     }},
    {"sorted_search_1_in_8", [](const options& o) { return search_few(o.size(26), 8); }},
    {"sorted_search_1_in_16", [](const options& o) { return search_few(o.size(26), 16); }},
    {"sorted_search_1_in_64", [](const options& o) { return search_few(o.size(26), 64); }},
    {"sorted_search_1_in_256", [](const options& o) { return search_few(o.size(26), 256); }},
    {"sorted_search_1_in_1024", [](const options& o) { return search_few(o.size(26), 1024); }},
    {"sorted_search_1_in_65536", [](const options& o) { return search_few(o.size(26), 65536); }},
    {"few_1000_sorted_search", [](const options&) { return search_few(1000, 1); }},
    {"few_100000_sorted_search", [](const options&) { return search_few(100'000, 1); }},
    {"sorted_equal_range", [](const options& o) { return equal_range(o, o.size(26) / 2); }},
    {"sorted_equal_range_all_equal", [](const options& o) { return equal_range(o, 1); }},
};

}  // namespace
}  // namespace bench
