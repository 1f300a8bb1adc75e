// The algorithms over segments. CUB has one of them. The published figures of moderngpu 2.13 are
// those of an H100 80GB HBM3 (2^26 ints, 2^27 outputs for interval_expand).

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <span>
#include <type_traits>

#include "bench/cuda_platform.cuh"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/interval_expand.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"

namespace bench {
namespace {

using evenfold::array;

const std::string moderngpu = "moderngpu on an H100";

/// The offsets on the device, followed by the count.
struct segments_data {
  int count;
  int num_segments;
  array<int> offsets;

  segments_data(int items, const std::vector<int>& shape)
      : count(items),
        num_segments(static_cast<int>(shape.size()) - 1),
        offsets(evenfold::to_context(device_context(), shape)) {
    device_context().synchronize();
  }
};

/// A sum that ours does not know to be commutative.
struct sum_of_user {
  template <class T>
  EF_HD T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

template <class T, class Op = evenfold::plus>
prepared_case segreduce(const std::vector<int>& shape, int cub_repeats, std::vector<mark> marks) {
  struct data : segments_data {
    array<T> in = filled<small_numbers, T>(count, 1);
    array<T> ours = device_array<T>(num_segments);
    array<T> theirs = device_array<T>(num_segments);
    explicit data(const std::vector<int>& s) : segments_data(s.back(), s) {}
  };
  auto d = std::make_shared<data>(shape);
  const auto ours = [=] {
    evenfold::segreduce(device_context(), d->in.data(), d->count, d->offsets.data(),
                        d->num_segments, d->ours.data(), Op{}, T{});
  };
  using cub_op = std::conditional_t<std::is_same_v<Op, evenfold::plus>, ::cuda::std::plus<>, Op>;
  const auto cub_sum = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Reduce(
        scratch, bytes, d->in.data(), d->theirs.data(), d->num_segments, d->offsets.data(),
        d->offsets.data() + 1, cub_op{}, T{}, device_context().stream());
  });
  return {.bytes = sizeof(T) * (1.0 * d->count + d->num_segments) + 4.0 * d->num_segments,
          .contestants = {{"evenfold segreduce", ours},
                          {"cub segmented reduce", cub_sum, {}, cub_repeats}},
          .check = same_results(d, ours, cub_sum, d->num_segments),
          .marks = std::move(marks),
          .repeats_factor = repeats_factor_of(d->count)};
}

prepared_case segreduce_uniform(const options& chosen, int mean, double published_gbs) {
  return segreduce<int>(uniform_shape(chosen.size(26), mean), mean < 64 ? 5 : 1000,
                        {at_least_published(1.5, published_gbs, moderngpu), at_least_best_peer(1.0),
                         at_least_best_case(0.8, "segreduce_")});
}

prepared_case segreduce_skewed(const options& chosen) {
  return segreduce<int>(skewed_shape(chosen.size(26)), 3,
                        {at_least_published(1.4, 1638, moderngpu), at_least_best_peer(1.0),
                         at_least_best_case(0.8, "segreduce_")});
}

prepared_case segreduce_one_full(const options& chosen) {
  return segreduce<int>(one_full_shape(chosen.size(26)), 3,
                        {at_least_best_peer(1.0), at_least_best_case(0.8, "segreduce_")});
}

/// Ranges count in 64 bits; the peer is the same call with counts of 32 bits.
prepared_case segreduce_of_ranges(const options& chosen) {
  struct data : segments_data {
    array<float> in = filled<small_numbers, float>(count, 1);
    array<float> ours = device_array<float>(num_segments);
    array<float> theirs = device_array<float>(num_segments);
    explicit data(const std::vector<int>& s) : segments_data(s.back(), s) {}
  };
  auto d = std::make_shared<data>(uniform_shape(chosen.size(26), 8));
  const auto ours = [=] {
    const std::span offsets(d->offsets.data(), d->ours.size());
    evenfold::segreduce(device_context(), d->in, offsets, d->ours, evenfold::plus{}, 0.f);
  };
  const auto theirs = [=] {
    evenfold::segreduce(device_context(), d->in.data(), d->count, d->offsets.data(),
                        d->num_segments, d->theirs.data(), evenfold::plus{}, 0.f);
  };
  return {.bytes = 4.0 * d->count + 8.0 * d->num_segments,
          .contestants = {{"evenfold segreduce of ranges", ours}, {"counts of 32 bits", theirs}},
          .check = same_results(d, ours, theirs, d->num_segments),
          .marks = {at_least_best_peer(1.0)}};
}

struct product_at {
  const int* x;
  const int* y;
  EF_HD int operator()(int i) const { return x[i] * y[i]; }
};

prepared_case transform_segreduce(const std::vector<int>& shape) {
  struct data : segments_data {
    array<int> x = filled<small_numbers, int>(count, 2);
    array<int> y = filled<small_numbers, int>(count, 3);
    array<int> ours = device_array<int>(num_segments);
    explicit data(const std::vector<int>& s) : segments_data(s.back(), s) {}
  };
  auto d = std::make_shared<data>(shape);
  const product_at product{d->x.data(), d->y.data()};
  const auto ours = [=] {
    evenfold::transform_segreduce(device_context(), d->count, product, d->offsets.data(),
                                  d->num_segments, d->ours.data(), evenfold::plus{}, 0);
  };
  return {.bytes = 8.0 * d->count + 8.0 * d->num_segments,
          .contestants = {{"evenfold transform_segreduce", ours}},
          .check = [=] {
            auto theirs = device_array<int>(d->num_segments);
            const auto products =
                thrust::make_transform_iterator(thrust::counting_iterator<int>(0), product);
            with_scratch([&](void* scratch, std::size_t& bytes) {
              return cub::DeviceSegmentedReduce::Sum(
                  scratch, bytes, products, theirs.data(), d->num_segments, d->offsets.data(),
                  d->offsets.data() + 1, device_context().stream());
            })();
            spoil(d->ours);
            ours();
            return difference(d->ours.data(), theirs.data(), d->num_segments);
          }};
}

/// (index, seg, rank, (weight)) -> weight * x[index], where the weight belongs to the segment.
struct weighted {
  const int* x;
  EF_HD int operator()(int index, int, int, const evenfold::tuple<int>& weight) const {
    return evenfold::get<0>(weight) * x[index];
  }
};

/// The sum of each segment multiplied by its weight: the same result, computed differently.
struct scale_by {
  int* sums;
  const int* weights;
  __device__ void operator()(int s) { sums[s] *= weights[s]; }
};

prepared_case lbs_segreduce(const std::vector<int>& shape) {
  struct data : segments_data {
    array<int> x = filled<small_numbers, int>(count, 4);
    array<int> weights = filled<small_numbers, int>(num_segments, 5);
    array<int> ours = device_array<int>(num_segments);
    explicit data(const std::vector<int>& s) : segments_data(s.back(), s) {}
  };
  auto d = std::make_shared<data>(shape);
  const weighted worth{d->x.data()};
  const auto ours = [=] {
    evenfold::lbs_segreduce(device_context(), d->count, worth, d->offsets.data(), d->num_segments,
                            evenfold::make_tuple(static_cast<const int*>(d->weights.data())),
                            d->ours.data(), evenfold::plus{}, 0);
  };
  return {.bytes = 4.0 * d->count + 12.0 * d->num_segments,
          .contestants = {{"evenfold lbs_segreduce", ours}},
          .check = [=] {
            auto theirs = device_array<int>(d->num_segments);
            with_scratch([&](void* scratch, std::size_t& bytes) {
              return cub::DeviceSegmentedReduce::Sum(
                  scratch, bytes, d->x.data(), theirs.data(), d->num_segments, d->offsets.data(),
                  d->offsets.data() + 1, device_context().stream());
            })();
            evenfold::device::check_cuda(
                cub::DeviceFor::Bulk(d->num_segments, scale_by{theirs.data(), d->weights.data()},
                                     device_context().stream()),
                "cub::DeviceFor::Bulk");
            spoil(d->ours);
            ours();
            return difference(d->ours.data(), theirs.data(), d->num_segments);
          }};
}

/// out[i] = values[segment of i], or the segment of i without values, by one search per item.
struct find_segment {
  const int* offsets;
  int num_segments;
  const int* values;
  int* out;

  __device__ void operator()(int i) {
    int low = 0;
    int high = num_segments;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (offsets[middle] <= i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    out[i] = values != nullptr ? values[low - 1] : low - 1;
  }
};

struct expanded : segments_data {
  array<int> values = filled<any_numbers, int>(num_segments, 6);
  array<int> ours = device_array<int>(count);
  explicit expanded(const std::vector<int>& s) : segments_data(s.back(), s) {}
};

std::string expanded_difference(expanded& d, const int* values) {
  auto theirs = device_array<int>(d.count);
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(d.count,
                           find_segment{d.offsets.data(), d.num_segments, values, theirs.data()},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  return difference(d.ours.data(), theirs.data(), d.count);
}

prepared_case interval_expand(const std::vector<int>& shape, std::vector<mark> marks) {
  auto d = std::make_shared<expanded>(shape);
  const auto ours = [=] {
    evenfold::interval_expand(device_context(), d->values.data(), d->count, d->offsets.data(),
                              d->num_segments, d->ours.data());
  };
  return {.bytes = 4.0 * d->count + 8.0 * d->num_segments,
          .contestants = {{"evenfold interval_expand", ours}},
          .check =
              [=] {
                spoil(d->ours);
                ours();
                return expanded_difference(*d, d->values.data());
              },
          .marks = std::move(marks)};
}

prepared_case load_balance_search(const std::vector<int>& shape, std::vector<mark> marks) {
  auto d = std::make_shared<expanded>(shape);
  const auto ours = [=] {
    evenfold::load_balance_search(device_context(), d->count, d->offsets.data(), d->num_segments,
                                  d->ours.data());
  };
  return {.bytes = 4.0 * d->count + 4.0 * d->num_segments,
          .contestants = {{"evenfold load_balance_search", ours}},
          .check =
              [=] {
                spoil(d->ours);
                ours();
                return expanded_difference(*d, nullptr);
              },
          .marks = std::move(marks)};
}

/// Few items, of which a call takes some microseconds.
template <class T>
prepared_case few_segments(int count, int mean) {
  return segreduce<T>(uniform_shape(count, mean), 1000, {at_most_best_peer(1.0)});
}

/// Long segments, to which other libraries give a thread block each.
template <class T>
prepared_case long_segments(const options& chosen) {
  return segreduce<T>(uniform_shape(chosen.size(26), 10000), 1000, {at_least_best_peer(1.0)});
}

const add_case cases[] = {
    {"few_segments_10^5_of_300", [](const options&) { return few_segments<float>(100000, 300); }},
    {"few_segments_3x10^5_of_600", [](const options&) { return few_segments<float>(300000, 600); }},
    {"few_segments_10^6_of_1000",
     [](const options&) { return few_segments<float>(1000000, 1000); }},
    {"few_segments_3x10^6_of_2000",
     [](const options&) { return few_segments<float>(3000000, 2000); }},
    {"few_segments_10^6_of_1000_double",
     [](const options&) { return few_segments<double>(1000000, 1000); }},
    {"few_segments_1.6x10^7_of_4000",
     [](const options&) { return few_segments<float>(16000000, 4000); }},
    {"few_segments_5x10^6_of_4000_int8",
     [](const options&) { return few_segments<std::int8_t>(5000000, 4000); }},
    {"few_segments_3x10^5_of_600_user",
     [](const options&) {
       return segreduce<float, sum_of_user>(uniform_shape(300000, 600), 1000,
                                            {at_most_best_peer(1.0)});
     }},
    {"few_segments_10^5_of_4",
     [](const options&) {
       return segreduce<float>(uniform_shape(100000, 4), 100, {at_most_best_peer(1.0)});
     }},
    {"few_segments_10^6_half",
     [](const options&) {
       return segreduce<float>(half_uniform_shape(1000000, 300), 100, {at_most_best_peer(1.0)});
     }},
    {"segreduce_mean_8", [](const options& o) { return segreduce_uniform(o, 8, 1438); }},
    {"segreduce_mean_64", [](const options& o) { return segreduce_uniform(o, 64, 1530); }},
    {"segreduce_mean_1024", [](const options& o) { return segreduce_uniform(o, 1024, 1670); }},
    {"segreduce_mean_10000", long_segments<int>},
    {"long_segreduce_mean_10000_float", long_segments<float>},
    {"long_segreduce_mean_10000_double", long_segments<double>},
    {"long_segreduce_mean_10000_int8", long_segments<std::int8_t>},
    {"segreduce_skewed", segreduce_skewed},
    {"segreduce_one_full", segreduce_one_full},
    {"segreduce_giant_then_few_empty",
     [](const options& o) {
       return segreduce<int>(giant_then_empty_shape(o.size(26), 1'000'000), 3,
                             {at_least_best_peer(1.0), at_least_best_case(0.8, "segreduce_")});
     }},
    {"segreduce_of_ranges", segreduce_of_ranges},
    {"transform_segreduce_mean_64",
     [](const options& o) { return transform_segreduce(uniform_shape(o.size(26), 64)); }},
    {"lbs_segreduce_mean_64",
     [](const options& o) { return lbs_segreduce(uniform_shape(o.size(26), 64)); }},
    {"interval_expand_mean_8",
     [](const options& o) {
       return interval_expand(uniform_shape(o.size(27), 8),
                              {at_least_published(1.25, 2004, moderngpu)});
     }},
    {"interval_expand_mean_256",
     [](const options& o) {
       return interval_expand(uniform_shape(o.size(27), 256),
                              {at_least_published(1.25, 2317, moderngpu)});
     }},
    {"load_balance_search_mean_8",
     [](const options& o) { return load_balance_search(uniform_shape(o.size(27), 8), {}); }},
    {"load_balance_search_mean_256",
     [](const options& o) { return load_balance_search(uniform_shape(o.size(27), 256), {}); }},
};

/// The speed is compared with that on the best shape.
const add_shapes segreduces{"segreduce", 26, [](const std::vector<int>& shape) {
                              return segreduce<int>(
                                  shape, 3,
                                  {at_least_best_peer(1.0), at_least_best_case(0.8, "segreduce_")});
                            }};
const add_few_shapes few_segreduces{
    "segreduce", [](const std::vector<int>& shape) { return segreduce<float>(shape, 20, {}); }};
const add_shapes transform_segreduces{"transform_segreduce", 26, transform_segreduce};
const add_shapes lbs_segreduces{"lbs_segreduce", 26, lbs_segreduce};
const add_shapes expansions{"interval_expand", 26, [](const std::vector<int>& shape) {
                              return interval_expand(shape,
                                                     {at_least_best_case(0.8, "interval_expand_")});
                            }};
const add_shapes searches{"load_balance_search", 26, [](const std::vector<int>& shape) {
                            return load_balance_search(
                                shape, {at_least_best_case(0.8, "load_balance_search_")});
                          }};

}  // namespace
}  // namespace bench
