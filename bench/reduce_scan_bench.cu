// reduce and scan compared with CUB.

#include <cstdint>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <limits>

#include "bench/cuda_platform.cuh"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"

namespace bench {
namespace {

using evenfold::array;

template <class T, class Item = T>
struct folded {
  int count;
  array<Item> in;
  array<T> ours = device_array<T>(1);
  array<T> theirs = device_array<T>(1);
};

/// Compares two folds of the same items.
template <class Data, class Ours, class Theirs>
prepared_case compare_folds(const Data& d, Ours ours, Theirs theirs, std::vector<mark> marks) {
  return {.bytes = 1.0 * sizeof(d->in.data()[0]) * d->count,
          .contestants = {{"evenfold reduce", ours}, {"cub reduce", theirs}},
          .check = same_results(d, ours, theirs, 1),
          .marks = std::move(marks),
          .repeats_factor = repeats_factor_of(d->count)};
}

prepared_case reduce_sum_float(int count, std::vector<mark> marks) {
  auto d = std::make_shared<folded<float>>(count, filled<small_numbers, float>(count, 1));
  const auto ours = [=] {
    evenfold::reduce(device_context(), d->in.data(), d->count, evenfold::plus{}, 0.0f,
                     d->ours.data());
  };
  const auto cub_sum = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(scratch, bytes, d->in.data(), d->theirs.data(), d->count,
                                  device_context().stream());
  });
  return compare_folds(d, ours, cub_sum, std::move(marks));
}

/// Items that are narrower than their sum, from element `From` on.
template <class Item, class T, int From = 0>
prepared_case reduce_narrow(const options& chosen) {
  const int count = chosen.size(26);
  auto d = std::make_shared<folded<T, Item>>(count, filled<small_numbers, Item>(count + From, 1));
  const auto ours = [=] {
    evenfold::reduce(device_context(), d->in.data() + From, d->count, evenfold::plus{}, T{0},
                     d->ours.data());
  };
  const auto cub_sum = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, d->in.data() + From, d->theirs.data(),
                                     d->count, cuda::std::plus<>{}, T{0},
                                     device_context().stream());
  });
  return compare_folds(d, ours, cub_sum, {at_most_best_peer(1.0)});
}

prepared_case reduce_max_double(const options& chosen) {
  const int count = chosen.size(28);
  auto d = std::make_shared<folded<double>>(count, filled<any_numbers, double>(count, 2));
  const auto ours = [=] {
    evenfold::reduce(device_context(), d->in.data(), d->count, evenfold::maximum{},
                     std::numeric_limits<double>::lowest(), d->ours.data());
  };
  const auto cub_max = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Max(scratch, bytes, d->in.data(), d->theirs.data(), d->count,
                                  device_context().stream());
  });
  return compare_folds(d, ours, cub_max, {at_least_best_peer(1.0)});
}

/// x -> a * x + b over 32-bit words: composing such functions is associative and does not commute.
struct affine {
  std::uint32_t a, b;
  friend EF_HD bool operator==(affine x, affine y) { return x.a == y.a && x.b == y.b; }
};

struct then {
  EF_HD affine operator()(affine first, affine second) const {
    return {second.a * first.a, second.a * first.b + second.b};
  }
};

struct fill_affine {
  affine* out;
  evenfold::random_stream random;
  __device__ void operator()(int i) {
    const std::uint64_t bits = random.bits64(static_cast<std::uint64_t>(i));
    out[i] = {static_cast<std::uint32_t>(bits) | 1u, static_cast<std::uint32_t>(bits >> 32)};
  }
};

prepared_case reduce_in_order(const options& chosen) {
  const int count = chosen.size(27);
  auto d = std::make_shared<folded<affine>>(count, device_array<affine>(count));
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(count, fill_affine{d->in.data(), evenfold::random_stream(3)},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  const auto ours = [=] {
    evenfold::reduce(device_context(), d->in.data(), d->count, then{}, affine{1, 0},
                     d->ours.data());
  };
  return {.bytes = 8.0 * count, .contestants = {{"evenfold reduce", ours}}, .check = [=] {
            // CUB keeps the operand order only in its scan.
            auto scanned = device_array<affine>(count);
            with_scratch([&](void* scratch, std::size_t& bytes) {
              return cub::DeviceScan::InclusiveScan(scratch, bytes, d->in.data(), scanned.data(),
                                                    then{}, count, device_context().stream());
            })();
            spoil(d->ours);
            ours();
            return difference(d->ours.data(), scanned.data() + count - 1, 1);
          }};
}

template <class T>
prepared_case inclusive_scan(int count, std::vector<mark> marks) {
  struct data {
    int count;
    array<T> in;
    array<T> ours = device_array<T>(count);
    array<T> theirs = device_array<T>(count);
  };
  auto d = std::make_shared<data>(count, filled<small_numbers, T>(count, 7));
  const auto ours = [=] {
    evenfold::inclusive_scan(device_context(), d->in.data(), d->count, d->ours.data(),
                             evenfold::plus{});
  };
  const auto cub_scan = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, d->in.data(), d->theirs.data(), d->count,
                                         device_context().stream());
  });
  return {.bytes = 2.0 * sizeof(T) * count,
          .contestants = {{"evenfold inclusive_scan", ours}, {"cub inclusive sum", cub_scan}},
          .check = same_results(d, ours, cub_scan, d->count),
          .marks = std::move(marks),
          .repeats_factor = repeats_factor_of(count)};
}

const add_case cases[] = {
    {"reduce_sum_float",
     [](const options& o) {
       return reduce_sum_float(o.size(28), {at_least_best_peer(1.0), at_least_bandwidth(0.98)});
     }},
    {"few_1000_reduce",
     [](const options&) { return reduce_sum_float(1000, {at_most_best_peer(1.0)}); }},
    {"few_100000_reduce",
     [](const options&) { return reduce_sum_float(100'000, {at_most_best_peer(1.0)}); }},
    {"few_1000000_reduce",
     [](const options&) { return reduce_sum_float(1'000'000, {at_most_best_peer(1.0)}); }},
    {"reduce_int8_to_double", reduce_narrow<std::int8_t, double>},
    {"reduce_int8_to_float", reduce_narrow<std::int8_t, float>},
    {"reduce_int16_to_double", reduce_narrow<std::int16_t, double>},
    {"reduce_int_to_double", reduce_narrow<int, double>},
    {"reduce_int8_to_double_off_by_one", reduce_narrow<std::int8_t, double, 1>},
    {"reduce_int8_to_float_off_by_one", reduce_narrow<std::int8_t, float, 1>},
    {"reduce_int16_to_float_off_by_one", reduce_narrow<std::int16_t, float, 1>},
    {"reduce_int_to_double_off_by_one", reduce_narrow<int, double, 1>},
    {"reduce_max_double", reduce_max_double},
    {"reduce_in_order", reduce_in_order},
    {"scan_int",
     [](const options& o) { return inclusive_scan<int>(o.size(28), {at_least_best_peer(1.0)}); }},
    {"scan_float", [](const options& o) { return inclusive_scan<float>(o.size(28), {}); }},
    {"scan_double", [](const options& o) { return inclusive_scan<double>(o.size(28), {}); }},
    {"few_1000_scan",
     [](const options&) { return inclusive_scan<float>(1000, {at_most_best_peer(1.0)}); }},
    {"few_100000_scan",
     [](const options&) { return inclusive_scan<float>(100'000, {at_most_best_peer(1.0)}); }},
    {"few_1000000_scan",
     [](const options&) { return inclusive_scan<float>(1'000'000, {at_most_best_peer(1.0)}); }},
};

}  // namespace
}  // namespace bench
