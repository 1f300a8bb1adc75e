// Sums, scans, sorts and runs of segments on CPU threads, compared with plain loops: over the
// segments, an equal number of them per thread or in turn, or by one thread.

#include <algorithm>
#include <functional>
#include <memory>
#include <parallel/algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/cpu_data.hpp"
#include "bench/harness.hpp"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/segmented_scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"

#if defined(EVENFOLD_BENCH_THRUST)
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>
#endif

namespace bench {
namespace {

using evenfold::array;

/// Segments of items, and two results of `num_results` elements.
template <class T>
struct segments_data {
  std::vector<int> offsets;
  array<T> in, ours, theirs;
  int count, num_segments;

  template <class Item>
  segments_data(const std::vector<int>& shape, Item item, bool result_per_item)
      : offsets(shape),
        in(filled<T>(shape.back(), item)),
        count(shape.back()),
        num_segments(static_cast<int>(shape.size()) - 1) {
    const auto zero = [](std::int64_t) { return 0; };
    const int num_results = result_per_item ? count : num_segments;
    ours = filled<T>(num_results, zero);
    theirs = filled<T>(num_results, zero);
  }
};

/// A case with the loops that call fold(s, begin, end) for each segment as peers.
template <class T, class Ours, class Fold>
prepared_case beside_loops(std::shared_ptr<segments_data<T>> d, double bytes,
                           const std::string& name, Ours ours, Fold fold) {
  return {.bytes = bytes,
          .contestants = {{name, ours},
                          {"OpenMP static loop", [=] { for_segments<false>(d->offsets, fold); }},
                          {"OpenMP dynamic loop", [=] { for_segments<true>(d->offsets, fold); }}},
          .check =
              [=] {
                ours();
                for_segments<false>(d->offsets, fold);
                return difference(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(d->count)};
}

template <class T>
prepared_case segreduce(const std::vector<int>& shape) {
  const auto d = std::make_shared<segments_data<T>>(shape, small_numbers(3), false);
  const auto ours = [=] {
    evenfold::segreduce(host(), d->in.data(), d->count, d->offsets.data(), d->num_segments,
                        d->ours.data(), evenfold::plus{}, T{});
  };
  const auto fold = [in = d->in.data(), out = d->theirs.data()](std::int64_t s, int begin,
                                                                int end) {
    T sum = 0;
    for (int i = begin; i < end; ++i) sum += in[i];
    out[s] = sum;
  };
  return beside_loops(d, 4.0 * d->count + 8.0 * d->num_segments, "evenfold segreduce", ours, fold);
}

prepared_case segmented_scan(const std::vector<int>& shape) {
  const auto d = std::make_shared<segments_data<float>>(shape, small_numbers(3), true);
  const auto ours = [=] {
    evenfold::segmented_scan<evenfold::scan_kind::inclusive>(
        host(), d->in.data(), d->count, d->offsets.data(), d->num_segments, d->ours.data(),
        evenfold::plus{}, evenfold::no_init{});
  };
  const auto fold = [in = d->in.data(), out = d->theirs.data()](std::int64_t, int begin, int end) {
    float sum = 0;
    for (int i = begin; i < end; ++i) out[i] = sum += in[i];
  };
  return beside_loops(d, 8.0 * d->count + 4.0 * d->num_segments, "evenfold segmented_scan", ours,
                      fold);
}

/// The segments are runs of equal keys.
prepared_case unique(const std::vector<int>& shape) {
  const auto zero = [](std::int64_t) { return 0; };
  const auto d = std::make_shared<segments_data<int>>(shape, zero, true);
  for_segments<false>(shape, [keys = d->in.data()](std::int64_t s, int begin, int end) {
    std::fill(keys + begin, keys + end, static_cast<int>(s));
  });
  const auto ours = [=] {
    evenfold::unique(host(), d->in.data(), d->count, evenfold::equal_to{}, d->ours.data());
  };
  const auto theirs = [=] { std::unique_copy(d->in.begin(), d->in.end(), d->theirs.begin()); };
  return {.bytes = 4.0 * d->count + 4.0 * d->num_segments,
          .contestants = {{"evenfold unique", ours}, {"std::unique_copy, one thread", theirs}},
          .check =
              [=] {
                ours();
                theirs();
                return difference(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(d->count)};
}

prepared_case segmented_sort(std::vector<int> shape) {
  struct data {
    std::vector<int> offsets;
    array<int> keys, ours, theirs;
  };
  const int count = shape.back();
  const auto num_segments = static_cast<int>(shape.size()) - 1;
  const auto zero = [](std::int64_t) { return 0; };
  auto d = std::make_shared<data>(std::move(shape), filled<int>(count, any_numbers(4)),
                                  filled<int>(count, zero), filled<int>(count, zero));
  const auto restore = [=] { std::copy(d->keys.begin(), d->keys.end(), d->ours.begin()); };
  const auto restore_theirs = [=] { std::copy(d->keys.begin(), d->keys.end(), d->theirs.begin()); };
  const auto ours = [=] {
    evenfold::segmented_sort(host(), d->ours.data(), count, d->offsets.data(), num_segments,
                             evenfold::less{});
  };
  int* keys = d->theirs.data();
  const auto sort_one = [=](std::int64_t, int begin, int end) {
    std::stable_sort(keys + begin, keys + end);
  };
  std::vector<contestant> contestants{
      {"evenfold segmented_sort", ours, restore},
      {"OpenMP loop of stable_sort", [=] { for_segments<true>(d->offsets, sort_one); },
       restore_theirs}};
  if (num_segments == 1) {
    contestants.push_back({"__gnu_parallel::stable_sort",
                           [=] { __gnu_parallel::stable_sort(keys, keys + count); },
                           restore_theirs});
    contestants.push_back({"__gnu_parallel::sort",
                           [=] { __gnu_parallel::sort(keys, keys + count); }, restore_theirs});
#if defined(EVENFOLD_BENCH_THRUST)
    contestants.push_back({"thrust::stable_sort",
                           [=] { thrust::stable_sort(thrust::omp::par, keys, keys + count); },
                           restore_theirs});
#endif
  }
  for (contestant& c : contestants) c.most_repeats = 5;
  return {.bytes = 8.0 * count + 4.0 * num_segments,
          .contestants = std::move(contestants),
          .check =
              [=] {
                restore();
                ours();
                restore_theirs();
                for_segments<true>(d->offsets, sort_one);
                return difference(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(1.0)}};
}

const add_shapes sums{"segreduce", 24, segreduce<float>};
const add_shapes scans{"segmented_scan", 24, segmented_scan};
const add_shapes runs{"unique", 24, unique};
const add_case cases[] = {
    {"segreduce_mean_8",
     [](const options& o) { return segreduce<int>(uniform_shape(o.size(25), 8)); }},
    {"segreduce_mean_1024",
     [](const options& o) { return segreduce<int>(uniform_shape(o.size(25), 1024)); }},
    {"segreduce_skewed", [](const options& o) { return segreduce<int>(skewed_shape(o.size(25))); }},
    {"segmented_sort_mean_100",
     [](const options& o) { return segmented_sort(uniform_shape(o.size(23), 100)); }},
    {"segmented_sort_half_in_one",
     [](const options& o) { return segmented_sort(half_uniform_shape(o.size(23), 100)); }},
    {"sort",
     [](const options& o) {
       return segmented_sort({0, o.size(23)});
     }},
};

}  // namespace
}  // namespace bench
