// sort and segmented_sort compared with CUB. The figures of moderngpu 2.13 were measured on an H100
// 80GB HBM3 with 2^26 int keys.

#include <cstdint>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <functional>

#include "bench/cuda_platform.cuh"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_columns.hpp"

namespace bench {
namespace {

using evenfold::array;

const std::string moderngpu = "moderngpu on an H100";

/// Ours sorts in place, so that the input is restored before each call. CUB writes to another
/// array.
template <class Key>
struct sorted_keys {
  int count;
  array<Key> keys = filled<any_numbers, Key>(count, 1);
  array<Key> ours = device_array<Key>(count);
  array<Key> theirs = device_array<Key>(count);

  explicit sorted_keys(int size) : count(size) {}
  void restore() { evenfold::copy(device_context(), keys.data(), count, ours.data()); }
  std::string differences() { return difference(ours.data(), theirs.data(), count); }
};

template <class Key>
struct sorted_segments : sorted_keys<Key> {
  int num_segments;
  array<int> offsets;

  explicit sorted_segments(const std::vector<int>& shape)
      : sorted_keys<Key>(shape.back()),
        num_segments(static_cast<int>(shape.size()) - 1),
        offsets(evenfold::to_context(device_context(), shape)) {
    device_context().synchronize();
  }
};

template <class Key = int>
prepared_case sort_keys(const std::vector<int>& shape, int cub_repeats, std::vector<mark> marks) {
  auto d = std::make_shared<sorted_segments<Key>>(shape);
  const auto restore = [=] { d->restore(); };
  const auto ours = [=] {
    evenfold::segmented_sort(device_context(), d->ours.data(), d->count, d->offsets.data(),
                             d->num_segments, evenfold::less{});
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::StableSortKeys(
        scratch, bytes, d->keys.data(), d->theirs.data(), d->count, d->num_segments,
        d->offsets.data(), d->offsets.data() + 1, device_context().stream());
  });
  return {.bytes = 2.0 * sizeof(Key) * d->count + 4.0 * d->num_segments,
          .contestants = {{"evenfold segmented_sort", ours, restore},
                          {"cub segmented sort", cub_sort, {}, cub_repeats}},
          .check =
              [=] {
                restore();
                ours();
                cub_sort();
                return d->differences();
              },
          .marks = std::move(marks),
          .repeats_factor = repeats_factor_of(d->count)};
}

/// 2^16 distinct keys. The values are positions, which show whether the sort is stable.
struct fill_pairs {
  int* keys;
  int* values;
  evenfold::random_stream random;
  int dropped_bits = 16;
  __device__ void operator()(int i) {
    keys[i] = static_cast<int>(random.bits32(static_cast<std::uint64_t>(i)) >> dropped_bits);
    values[i] = i;
  }
};

prepared_case sort_pairs(const std::vector<int>& shape, int cub_repeats) {
  struct data : sorted_segments<int> {
    array<int> values = device_array<int>(count);
    array<int> our_values = device_array<int>(count);
    array<int> their_values = device_array<int>(count);
    explicit data(const std::vector<int>& s) : sorted_segments<int>(s) {}
  };
  auto d = std::make_shared<data>(shape);
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(d->count,
                           fill_pairs{d->keys.data(), d->values.data(), evenfold::random_stream(2)},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  const auto restore = [=] {
    d->restore();
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

/// The order of less{}, which no library recognises.
struct in_order {
  EF_HD bool operator()(int a, int b) const { return a < b; }
};

/// Keys and values that a sort overwrites, so that they are restored before each call.
struct sorted_pairs {
  int count;
  array<int> keys = device_array<int>(count);
  array<int> values = device_array<int>(count);
  array<int> ours = device_array<int>(count);
  array<int> our_values = device_array<int>(count);
  array<int> theirs = device_array<int>(count);
  array<int> their_values = device_array<int>(count);

  /// Keys of `bits` random bits. The values are positions, which show whether the sort is stable.
  sorted_pairs(int n, int bits) : count(n) {
    evenfold::device::check_cuda(
        cub::DeviceFor::Bulk(
            count, fill_pairs{keys.data(), values.data(), evenfold::random_stream(4), 32 - bits},
            device_context().stream()),
        "cub::DeviceFor::Bulk");
  }
  void restore(array<int>& to_keys, array<int>& to_values) {
    evenfold::copy(device_context(), keys.data(), count, to_keys.data());
    evenfold::copy(device_context(), values.data(), count, to_values.data());
  }
  std::string differences() {
    const std::string in_keys = difference(ours.data(), theirs.data(), count, "keys: ");
    return !in_keys.empty() ? in_keys
                            : difference(our_values.data(), their_values.data(), count, "values: ");
  }
};

/// By radix with less{} and std::less<>{}, by merging with in_order{}.
template <class Less>
prepared_case sort_one(int count, bool pairs) {
  constexpr bool radix = evenfold::detail::radix_order<Less, int>;
  auto d = std::make_shared<sorted_pairs>(count, 32);
  const auto restore = [=] { d->restore(d->ours, d->our_values); };
  const auto restore_theirs = [=] { d->restore(d->theirs, d->their_values); };
  const auto ours = [=] {
    if (pairs) {
      evenfold::sort_by_key(device_context(), d->ours.data(), d->our_values.data(), d->count,
                            Less{});
    } else {
      evenfold::sort(device_context(), d->ours.data(), d->count, Less{});
    }
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    const cudaStream_t stream = device_context().stream();
    if constexpr (radix) {
      return pairs ? cub::DeviceRadixSort::SortPairs(
                         scratch, bytes, d->keys.data(), d->theirs.data(), d->values.data(),
                         d->their_values.data(), d->count, 0, 32, stream)
                   : cub::DeviceRadixSort::SortKeys(scratch, bytes, d->keys.data(),
                                                    d->theirs.data(), d->count, 0, 32, stream);
    } else {
      return pairs ? cub::DeviceMergeSort::StableSortPairs(scratch, bytes, d->theirs.data(),
                                                           d->their_values.data(), d->count, Less{},
                                                           stream)
                   : cub::DeviceMergeSort::StableSortKeys(scratch, bytes, d->theirs.data(),
                                                          d->count, Less{}, stream);
    }
  });
  return {.bytes = (pairs ? 16.0 : 8.0) * d->count,
          .contestants = {{"evenfold sort", ours, restore},
                          {radix ? "cub radix sort" : "cub merge sort", cub_sort, restore_theirs}},
          .check =
              [=] {
                restore();
                restore_theirs();
                ours();
                cub_sort();
                return d->differences();
              },
          .marks = {at_most_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(count)};
}

/// Keys of 1 or 2 bytes.
template <class Key>
prepared_case sort_narrow(int count) {
  auto d = std::make_shared<sorted_keys<Key>>(count);
  const auto restore = [=] { d->restore(); };
  const auto ours = [=] {
    evenfold::sort(device_context(), d->ours.data(), d->count, evenfold::less{});
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, d->keys.data(), d->theirs.data(),
                                          d->count, 0, 8 * sizeof(Key), device_context().stream());
  });
  return {.bytes = 2.0 * sizeof(Key) * count,
          .contestants = {{"evenfold sort", ours, restore}, {"cub radix sort", cub_sort}},
          .check =
              [=] {
                restore();
                ours();
                cub_sort();
                return d->differences();
              },
          .marks = {at_most_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(count)};
}

struct pack_columns {
  const int* x;
  const int* y;
  std::uint64_t* packed;
  __device__ void operator()(int i) {
    packed[i] = static_cast<std::uint64_t>(static_cast<unsigned>(x[i]) ^ 0x80000000u) << 32 |
                (static_cast<unsigned>(y[i]) ^ 0x80000000u);
  }
};

struct unpack_columns {
  const std::uint64_t* packed;
  int* x;
  int* y;
  __device__ void operator()(int i) {
    x[i] = static_cast<int>(static_cast<unsigned>(packed[i] >> 32) ^ 0x80000000u);
    y[i] = static_cast<int>(static_cast<unsigned>(packed[i]) ^ 0x80000000u);
  }
};

/// (x, y) as two arrays. The peer packs them, sorts by radix and unpacks them.
prepared_case sort_columns(const options& chosen, int bits_of_x, std::vector<mark> marks) {
  struct data : sorted_pairs {
    array<std::uint64_t> packed = device_array<std::uint64_t>(count);
    array<std::uint64_t> sorted = device_array<std::uint64_t>(count);
    data(int n, int bits) : sorted_pairs(n, bits) { values = filled<any_numbers, int>(count, 5); }
  };
  auto d = std::make_shared<data>(chosen.size(26), bits_of_x);
  const auto restore = [=] { d->restore(d->ours, d->our_values); };
  const auto ours = [=] {
    evenfold::sort_columns(device_context(),
                           evenfold::make_tuple(evenfold::ascending(d->ours.data()),
                                                evenfold::ascending(d->our_values.data())),
                           d->count);
  };
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, d->packed.data(), d->sorted.data(),
                                          d->count, 0, 64, device_context().stream());
  });
  const auto theirs = [=] {
    const cudaStream_t stream = device_context().stream();
    cub::DeviceFor::Bulk(d->count, pack_columns{d->keys.data(), d->values.data(), d->packed.data()},
                         stream);
    cub_sort();
    evenfold::device::check_cuda(
        cub::DeviceFor::Bulk(
            d->count, unpack_columns{d->sorted.data(), d->theirs.data(), d->their_values.data()},
            stream),
        "cub::DeviceFor::Bulk");
  };
  return {.bytes = 16.0 * d->count,
          .contestants = {{"evenfold sort_columns", ours, restore},
                          {"pack, cub radix sort, unpack", theirs}},
          .check =
              [=] {
                restore();
                ours();
                theirs();
                return d->differences();
              },
          .marks = std::move(marks)};
}

std::vector<int> mean_100(const options& o) { return uniform_shape(o.size(26), 100); }
std::vector<int> mean_10000(const options& o) { return uniform_shape(o.size(26), 10000); }
std::vector<int> half_in_one(const options& o) { return half_uniform_shape(o.size(26), 100); }

/// Few segments, of which a call takes some microseconds.
prepared_case sort_few_segments(const std::vector<int>& shape) {
  return sort_keys(shape, 20, {at_most_best_peer(1.0)});
}

const add_case cases[] = {
    {"sort_arithmetic_keys",
     [](const options& o) { return sort_one<evenfold::less>(o.size(26), false); }},
    {"sort_arithmetic_pairs",
     [](const options& o) { return sort_one<evenfold::less>(o.size(26), true); }},
    {"sort_std_less_keys",
     [](const options& o) { return sort_one<std::less<>>(o.size(26), false); }},
    {"sort_int8_keys", [](const options& o) { return sort_narrow<std::int8_t>(o.size(26)); }},
    {"sort_int8_keys_1000000", [](const options&) { return sort_narrow<std::int8_t>(1'000'000); }},
    {"sort_int16_keys", [](const options& o) { return sort_narrow<std::int16_t>(o.size(26)); }},
    {"sort_int16_keys_1000000",
     [](const options&) { return sort_narrow<std::int16_t>(1'000'000); }},
    {"sort_any_order_keys", [](const options& o) { return sort_one<in_order>(o.size(26), false); }},
    {"sort_any_order_pairs", [](const options& o) { return sort_one<in_order>(o.size(26), true); }},
    {"sort_few_arithmetic_100",
     [](const options&) { return sort_one<evenfold::less>(100, false); }},
    {"sort_few_arithmetic_1792",
     [](const options&) { return sort_one<evenfold::less>(1792, false); }},
    {"sort_few_arithmetic_10000",
     [](const options&) { return sort_one<evenfold::less>(10000, false); }},
    {"sort_few_arithmetic_pairs_100",
     [](const options&) { return sort_one<evenfold::less>(100, true); }},
    {"sort_few_any_order_100", [](const options&) { return sort_one<in_order>(100, false); }},
    {"sort_few_any_order_1792", [](const options&) { return sort_one<in_order>(1792, false); }},
    {"sort_few_any_order_3000", [](const options&) { return sort_one<in_order>(3000, false); }},
    {"sort_few_any_order_10000", [](const options&) { return sort_one<in_order>(10000, false); }},
    {"sort_few_any_order_100000", [](const options&) { return sort_one<in_order>(100000, false); }},
    {"sort_few_any_order_500000", [](const options&) { return sort_one<in_order>(500000, false); }},
    {"sort_few_any_order_pairs_100", [](const options&) { return sort_one<in_order>(100, true); }},
    {"sort_few_any_order_pairs_10000",
     [](const options&) { return sort_one<in_order>(10000, true); }},
    {"sort_columns",
     [](const options& o) { return sort_columns(o, 32, {at_most_best_peer(0.8)}); }},
    {"sort_columns_many_ties",
     [](const options& o) {
       return sort_columns(o, 8, {at_most_case(1.5, "sort_columns"), at_most_best_peer(1.0)});
     }},
    {"few_segments_sorted_10^4_of_100",
     [](const options&) { return sort_few_segments(equal_shape(10'000, 100)); }},
    {"few_segments_sorted_10^5_of_1000",
     [](const options&) { return sort_few_segments(equal_shape(100'000, 1000)); }},
    {"few_segments_sorted_10^5_of_3000",
     [](const options&) { return sort_few_segments(equal_shape(100'000, 3000)); }},
    {"few_segments_sorted_10^5_to_4000",
     [](const options&) { return sort_few_segments(uniform_shape(100'000, 2000)); }},
    {"few_segments_sorted_5x10^5_of_5000",
     [](const options&) { return sort_few_segments(equal_shape(500'000, 5000)); }},
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

const add_shapes key_sorts{"segmented_sort_keys", 26, [](const std::vector<int>& shape) {
                             return sort_keys(shape, 2, {at_least_best_peer(1.0)});
                           }};
const add_few_shapes few_key_sorts{
    "segmented_sort_keys", [](const std::vector<int>& shape) { return sort_keys(shape, 20, {}); }};
const add_shapes byte_sorts{"segmented_sort_bytes", 26, [](const std::vector<int>& shape) {
                              return sort_keys<std::int8_t>(shape, 2, {at_least_best_peer(1.0)});
                            }};
const add_shapes pair_sorts{"segmented_sort_pairs", 26,
                            [](const std::vector<int>& shape) { return sort_pairs(shape, 2); }};

}  // namespace
}  // namespace bench
