// segmented_sort beside CUB. The figures of moderngpu 2.13 were taken on an H100 80GB HBM3, 2^26
// int keys.

#include <cub/device/device_segmented_sort.cuh>

#include "bench/cuda_platform.cuh"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"

namespace bench {
namespace {

using evenfold::array;

const std::string moderngpu = "moderngpu on an H100";

/// Ours sorts in place, so the input is put back before each call; CUB writes elsewhere.
struct sorted_segments {
  int count;
  int num_segments;
  array<int> offsets;
  array<int> keys = filled<any_numbers, int>(count, 1);
  array<int> ours = device_array<int>(count);
  array<int> theirs = device_array<int>(count);

  explicit sorted_segments(const std::vector<int>& shape)
      : count(shape.back()),
        num_segments(static_cast<int>(shape.size()) - 1),
        offsets(evenfold::to_context(device_context(), shape)) {
    device_context().synchronize();
  }
};

bout sort_keys(const std::vector<int>& shape, int cub_repeats, std::vector<mark> marks) {
  auto d = std::make_shared<sorted_segments>(shape);
  const auto restore = [=] {
    evenfold::copy(device_context(), d->keys.data(), d->count, d->ours.data());
  };
  const auto ours = [=] {
    evenfold::segmented_sort(device_context(), d->ours.data(), d->count, d->offsets.data(),
                             d->num_segments, evenfold::less{});
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::StableSortKeys(
        scratch, bytes, d->keys.data(), d->theirs.data(), d->count, d->num_segments,
        d->offsets.data(), d->offsets.data() + 1, device_context().stream());
  });
  return {.bytes = 8.0 * d->count + 4.0 * d->num_segments,
          .contestants = {{"evenfold segmented_sort", ours, restore},
                          {"cub segmented sort", cub_sort, {}, cub_repeats}},
          .check =
              [=] {
                restore();
                ours();
                cub_sort();
                return difference(d->ours.data(), d->theirs.data(), d->count);
              },
          .marks = std::move(marks)};
}

/// 2^16 distinct keys, so that a sort that is not stable shows in the values, which are positions.
struct fill_pairs {
  int* keys;
  int* values;
  evenfold::random_stream random;
  __device__ void operator()(int i) {
    keys[i] = static_cast<int>(random.bits32(static_cast<std::uint64_t>(i)) >> 16);
    values[i] = i;
  }
};

bout sort_pairs(const std::vector<int>& shape, int cub_repeats) {
  struct data : sorted_segments {
    array<int> values = device_array<int>(count);
    array<int> our_values = device_array<int>(count);
    array<int> their_values = device_array<int>(count);
    explicit data(const std::vector<int>& s) : sorted_segments(s) {}
  };
  auto d = std::make_shared<data>(shape);
  evenfold::check_cuda(
      cub::DeviceFor::Bulk(d->count,
                           fill_pairs{d->keys.data(), d->values.data(), evenfold::random_stream(2)},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  const auto restore = [=] {
    evenfold::copy(device_context(), d->keys.data(), d->count, d->ours.data());
    evenfold::copy(device_context(), d->values.data(), d->count, d->our_values.data());
  };
  const auto ours = [=] {
    evenfold::segmented_sort(device_context(), d->ours.data(), d->our_values.data(), d->count,
                             d->offsets.data(), d->num_segments, evenfold::less{});
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::StableSortPairs(
        scratch, bytes, d->keys.data(), d->theirs.data(), d->values.data(), d->their_values.data(),
        d->count, d->num_segments, d->offsets.data(), d->offsets.data() + 1,
        device_context().stream());
  });
  return {.bytes = 16.0 * d->count + 4.0 * d->num_segments,
          .contestants = {{"evenfold segmented_sort", ours, restore},
                          {"cub segmented sort", cub_sort, {}, cub_repeats}},
          .check =
              [=] {
                restore();
                ours();
                cub_sort();
                const std::string keys =
                    difference(d->ours.data(), d->theirs.data(), d->count, "keys: ");
                return !keys.empty() ? keys
                                     : difference(d->our_values.data(), d->their_values.data(),
                                                  d->count, "values: ");
              },
          .marks = {at_least_best_peer(1.0)}};
}

std::vector<int> mean_100(const options& o) { return uniform_shape(o.size(26), 100); }
std::vector<int> mean_10000(const options& o) { return uniform_shape(o.size(26), 10000); }
std::vector<int> half_in_one(const options& o) { return half_uniform_shape(o.size(26), 100); }

const add_case cases[] = {
    {"segmented_sort_keys_mean_100",
     [](const options& o) {
       return sort_keys(mean_100(o), 5,
                        {at_most_published(0.6, 1.65, moderngpu), at_least_best_peer(1.0)});
     }},
    {"segmented_sort_keys_mean_10000",
     [](const options& o) {
       return sort_keys(mean_10000(o), 1000,
                        {at_most_published(0.9, 2.08, moderngpu), at_least_best_peer(1.0)});
     }},
    {"segmented_sort_keys_half_in_one",
     [](const options& o) {
       return sort_keys(
           half_in_one(o), 2,
           {at_most_case(1.5, "segmented_sort_keys_mean_10000"), at_least_best_peer(1.0)});
     }},
    {"segmented_sort_pairs_mean_100", [](const options& o) { return sort_pairs(mean_100(o), 5); }},
    {"segmented_sort_pairs_mean_10000",
     [](const options& o) { return sort_pairs(mean_10000(o), 1000); }},
    {"segmented_sort_pairs_half_in_one",
     [](const options& o) { return sort_pairs(half_in_one(o), 2); }},
};

}  // namespace
}  // namespace bench
