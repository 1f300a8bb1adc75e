// group_by, scans of segments, and the k first elements, compared with what they are made of and
// with CUB.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "bench/cuda_platform.cuh"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/segmented_scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segmented_top_k.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/top_k.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/table/aggregates.hpp"
#include "evenfold/table/group_by.hpp"

namespace bench {
namespace {

using evenfold::array;

struct keys_below {
  int* out;
  int groups;
  evenfold::random_stream random;
  __device__ void operator()(int i) {
    out[i] = static_cast<int>(
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(groups)));
  }
};

/// Sums of 2^26 rows in 10^6 groups, in the order of the keys.
prepared_case group_sums(const options& chosen) {
  struct data {
    int count;
    array<int> keys = device_array<int>(count);
    array<int> values = filled<small_numbers, int>(count, 2);
    array<int> sorted_keys = device_array<int>(count);
    array<int> sorted_values = device_array<int>(count);
    array<int> heads = device_array<int>(count);
    array<int> sums = device_array<int>(count);
    array<int> runs = device_array<int>(1);
    explicit data(int n) : count(n) {}
  };
  auto d = std::make_shared<data>(chosen.size(26));
  const int groups = chosen.quick ? 100000 : 1000000;
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(d->count, keys_below{d->keys.data(), groups, evenfold::random_stream(1)},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  const auto grouped = [=] {
    return evenfold::group_by(device_context(), d->keys.data(), d->count,
                              evenfold::sum_of(d->values.data()));
  };
  const auto sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, d->keys.data(), d->sorted_keys.data(),
                                           d->values.data(), d->sorted_values.data(), d->count, 0,
                                           32, device_context().stream());
  });
  const auto fold = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, d->sorted_keys.data(), d->heads.data(),
                                          d->sorted_values.data(), d->sums.data(), d->runs.data(),
                                          cuda::std::plus<>{}, d->count, device_context().stream());
  });
  const auto theirs = [=] {
    sort();
    fold();
  };
  return {.bytes = 8.0 * d->count,
          .contestants = {{"evenfold group_by", [=] { grouped(); }},
                          {"cub radix sort, reduce by key", theirs}},
          .check = [=]() -> std::string {
            evenfold::cuda_context& ctx = device_context();
            const auto ours = grouped();
            theirs();
            const int runs = evenfold::to_host(ctx, d->runs)[0];
            if (static_cast<int>(ours.size()) != runs) return "the numbers of groups differ";
            auto narrow = device_array<int>(runs);
            int* const to = narrow.data();
            const auto* const sums = evenfold::get<0>(ours.values).data();
            evenfold::transform(
                ctx, runs, EF_LAMBDA(int g) { to[g] = static_cast<int>(sums[g]); });
            return difference(to, d->sums.data(), runs, "sums: ");
          },
          .marks = {at_most_best_peer(1.1)}};
}

/// Sums of the items before each item in its segment. The other contestant writes one sum per
/// segment.
prepared_case scan_segments(const std::vector<int>& shape) {
  struct data {
    int count, num_segments;
    array<int> offsets, segments;
    array<float> values = filled<small_numbers, float>(count, 1);
    array<float> ours = device_array<float>(count);
    array<float> theirs = device_array<float>(count);
    array<float> sums = device_array<float>(num_segments);
    explicit data(const std::vector<int>& s)
        : count(s.back()),
          num_segments(static_cast<int>(s.size()) - 1),
          offsets(evenfold::to_context(device_context(), s)),
          segments(device_array<int>(count)) {
      evenfold::load_balance_search(device_context(), count, offsets.data(), num_segments,
                                    segments.data());
    }
  };
  auto d = std::make_shared<data>(shape);
  const auto ours = [=] {
    evenfold::segmented_scan<evenfold::scan_kind::inclusive>(
        device_context(), d->values.data(), d->count, d->offsets.data(), d->num_segments,
        d->ours.data(), evenfold::plus{}, 0.f);
  };
  const auto by_key = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, d->segments.data(), d->values.data(),
                                              d->theirs.data(), d->count, cuda::std::equal_to<>{},
                                              device_context().stream());
  });
  const auto sums = [=] {
    evenfold::segreduce(device_context(), d->values.data(), d->count, d->offsets.data(),
                        d->num_segments, d->sums.data(), evenfold::plus{}, 0.f);
  };
  return {.bytes = 8.0 * d->count + 4.0 * d->num_segments,
          .contestants = {{"evenfold segmented_scan", ours},
                          {"cub inclusive sum by key", by_key},
                          {"evenfold segreduce", sums}},
          .check = same_results(d, ours, by_key, d->count),
          .marks = {at_most_best_peer(2.5)}};
}

/// The k least of 2^26 floats, in order.
prepared_case first_k(const options& chosen, int k) {
  struct data {
    int count, k;
    array<float> keys = filled<any_numbers, float>(count, 1);
    array<float> ours = device_array<float>(k);
    array<float> theirs = device_array<float>(count);
    data(int n, int wanted) : count(n), k(wanted) {}
  };
  auto d = std::make_shared<data>(chosen.size(26), k);
  const auto ours = [=] {
    evenfold::top_k(device_context(), d->keys.data(), d->count, d->k, d->ours.data(),
                    evenfold::less{});
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, d->keys.data(), d->theirs.data(),
                                          d->count, 0, 32, device_context().stream());
  });
  return {.bytes = 4.0 * d->count,
          .contestants = {{"evenfold top_k", ours}, {"cub radix sort", cub_sort}},
          .check = same_results(d, ours, cub_sort, d->k),
          .marks = {at_least_bandwidth(0.9)}};
}

/// The 16 largest of each segment of 2^26 floats, beside a sort of all segments.
prepared_case first_of_segments(const options& chosen) {
  static constexpr int k = 16;
  struct data {
    int count, num_segments;
    array<int> offsets;
    array<float> keys = filled<any_numbers, float>(count, 1);
    array<float> sorted = device_array<float>(count);
    array<float> ours = device_array<float>(k * num_segments);
    array<float> theirs = device_array<float>(k * num_segments);
    array<int> begins = device_array<int>(num_segments);
    explicit data(const std::vector<int>& s)
        : count(s.back()),
          num_segments(static_cast<int>(s.size()) - 1),
          offsets(evenfold::to_context(device_context(), s)) {}
  };
  auto d = std::make_shared<data>(uniform_shape(chosen.size(26), 1000));
  const auto ours = [=] {
    return evenfold::segmented_top_k(device_context(), d->keys.data(), d->count, d->offsets.data(),
                                     d->num_segments, k, d->ours.data(), d->begins.data(),
                                     evenfold::greater{});
  };
  const auto restore = [=] {
    evenfold::copy(device_context(), d->keys.data(), d->count, d->sorted.data());
  };
  const auto sort = [=] {
    evenfold::segmented_sort(device_context(), d->sorted.data(), d->count, d->offsets.data(),
                             d->num_segments, evenfold::greater{});
  };
  return {.bytes = 4.0 * d->count,
          .contestants = {{"evenfold segmented_top_k", [=] { ours(); }},
                          {"evenfold segmented_sort", sort, restore}},
          .check =
              [=] {
                spoil(d->ours);
                const int results = ours();
                restore();
                sort();
                const float* const sorted = d->sorted.data();
                const int* const offsets = d->offsets.data();
                float* const theirs = d->theirs.data();
                evenfold::transform_lbs(
                    device_context(), results,
                    EF_LAMBDA(int i, int s, int rank) { theirs[i] = sorted[offsets[s] + rank]; },
                    d->begins.data(), d->num_segments);
                return difference(d->ours.data(), theirs, results);
              },
          .marks = {at_most_best_peer(0.35)}};
}

const add_case cases[] = {
    {"group_by_sums", group_sums},
    {"segmented_scan_mean_8",
     [](const options& o) { return scan_segments(uniform_shape(o.size(26), 8)); }},
    {"segmented_scan_mean_1024",
     [](const options& o) { return scan_segments(uniform_shape(o.size(26), 1024)); }},
    {"segmented_scan_half_in_one",
     [](const options& o) { return scan_segments(half_uniform_shape(o.size(26), 100)); }},
    {"top_k_16", [](const options& o) { return first_k(o, 16); }},
    {"top_k_100000", [](const options& o) { return first_k(o, 100000); }},
    {"segmented_top_k_16", first_of_segments},
};

const add_shapes segment_scans{"segmented_scan", 26, scan_segments};
const add_few_shapes few_segment_scans{"segmented_scan", scan_segments};

}  // namespace
}  // namespace bench
