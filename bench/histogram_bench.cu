// histogram compared with CUB.

#include <cmath>
#include <cub/device/device_histogram.cuh>

#include "bench/cuda_platform.cuh"
#include "evenfold/algorithm/histogram.hpp"

namespace bench {
namespace {

using evenfold::array;

/// All values are the same, so that all items are in one bin.
template <class T>
struct one_number {
  T* out;
  evenfold::random_stream random;
  __device__ void operator()(int i) { out[i] = T(0.5); }
};

/// As by the law of Zipf: as many between 2^-k and 2^(1 - k) for each k up to 20.
template <class T>
struct powers_of_two {
  T* out;
  evenfold::random_stream random;
  __device__ void operator()(int i) {
    out[i] = exp2(T(20) * (random.uniform<T>(static_cast<std::uint64_t>(i)) - 1));
  }
};

template <class T>
struct sums_of {
  int count, bins;
  array<float> in;
  array<T> ours = device_array<T>(bins);
  array<T> theirs = device_array<T>(bins);
};

/// As users of CUB call it. CUB counts in 32 bits, and therefore ours does, too.
template <class Data>
std::function<void()> cub_even(const std::shared_ptr<Data>& d) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, d->in.data(), d->theirs.data(),
                                               d->bins + 1, 0.f, 1.f, d->count,
                                               device_context().stream());
  });
}

template <template <class> class Numbers>
prepared_case counts(const options& chosen, int bins, std::vector<mark> marks) {
  using data = sums_of<unsigned>;
  const int count = chosen.size(28);
  auto d = std::make_shared<data>(count, bins, filled<Numbers, float>(count, 1));
  const float* const x = d->in.data();
  const auto width = static_cast<float>(bins);
  const auto bin = EF_LAMBDA(int i) { return static_cast<int>(x[i] * width); };
  const auto ours = [=] {
    evenfold::histogram(device_context(), d->count, d->bins, bin, d->ours.data());
  };
  const auto theirs = cub_even(d);
  return {.bytes = 4.0 * count + 4.0 * bins,
          .contestants = {{"evenfold histogram", ours}, {"cub even", theirs, {}, 5}},
          .check = same_results(d, ours, theirs, d->bins),
          .marks = std::move(marks)};
}

/// Exact edges in double arithmetic. CUB has no exact edges, so that its bins may differ there.
prepared_case exact_edges(const options& chosen) {
  using data = sums_of<unsigned>;
  const int count = chosen.size(28);
  auto d = std::make_shared<data>(count, 101, filled<any_numbers, float>(count, 1));
  const float* const x = d->in.data();
  const auto even = evenfold::even_bins(0, 1, d->bins);
  const evenfold::elementwise bin(even, x);
  const auto lambda = EF_LAMBDA(int i) { return even(x[i]); };
  const auto ours = [=] {
    evenfold::histogram(device_context(), d->count, d->bins, bin, d->ours.data());
  };
  const auto by_edges = [=] {
    std::vector<float> levels;
    for (int k = 0; k <= d->bins; ++k) {
      // The smallest float that is not below the edge.
      const auto edge = static_cast<float>(even.edge(k));
      levels.push_back(edge < even.edge(k) ? std::nextafter(edge, 2.f) : edge);
    }
    const auto at = evenfold::to_context(device_context(), levels);
    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceHistogram::HistogramRange(scratch, bytes, d->in.data(), d->theirs.data(),
                                                  d->bins + 1, at.data(), d->count,
                                                  device_context().stream());
    })();
    device_context().synchronize();
  };
  return {.bytes = 4.0 * count,
          .contestants = {{"evenfold histogram, elementwise even_bins", ours},
                          {"even_bins in a lambda",
                           [=] {
                             evenfold::histogram(device_context(), d->count, d->bins, lambda,
                                                 d->theirs.data());
                           }}},
          .check = same_results(d, ours, by_edges, d->bins)};
}

template <class T>
struct weigh {
  const float* x;
  const T* weight;
  float width;
  T* sums;
  __device__ void operator()(int i) {
    T* const to = sums + static_cast<int>(x[i] * width);
    if constexpr (std::is_same_v<T, std::int64_t>) {
      atomicAdd(reinterpret_cast<unsigned long long*>(to),
                static_cast<unsigned long long>(weight[i]));
    } else {
      atomicAdd(to, weight[i]);
    }
  }
};

/// Integers as weights, so that the sums of the peer, which are in any order, are exact, too.
template <class T, template <class> class Numbers = any_numbers>
prepared_case weights(const options& chosen, int bins) {
  using data = sums_of<T>;
  const int count = chosen.size(28);
  auto d = std::make_shared<data>(count, bins, filled<Numbers, float>(count, 1));
  auto w = std::make_shared<array<T>>(filled<small_numbers, T>(count, 2));
  const float* const x = d->in.data();
  const T* const weight = w->data();
  const auto width = static_cast<float>(bins);
  const auto bin = EF_LAMBDA(int i) { return static_cast<int>(x[i] * width); };
  const auto value = EF_LAMBDA(int i) { return weight[i]; };
  const auto ours = [=] {
    evenfold::histogram(device_context(), d->count, d->bins, bin, value, d->ours.data());
  };
  const auto atomics = [=] {
    device_context().fill_bytes(d->theirs.data(), 0, d->theirs.size() * sizeof(T));
    evenfold::device::check_cuda(
        cub::DeviceFor::Bulk(d->count, weigh<T>{x, w->data(), width, d->theirs.data()},
                             device_context().stream()),
        "cub::DeviceFor::Bulk");
  };
  return {.bytes = (4.0 + sizeof(T)) * count,
          .contestants = {{"evenfold histogram", ours}, {"atomics in any order", atomics, {}, 3}},
          .check = same_results(d, ours, atomics, d->bins)};
}

const add_case cases[] = {
    {"histogram_101",
     [](const options& o) {
       return counts<any_numbers>(o, 101,
                                  {at_least_best_peer(1.0), at_least_published(1.0, 2927, "CUB")});
     }},
    {"histogram_101_one_bin",
     [](const options& o) { return counts<one_number>(o, 101, {at_least_best_peer(1.0)}); }},
    {"histogram_2^16",
     [](const options& o) { return counts<any_numbers>(o, 1 << 16, {at_least_best_peer(1.0)}); }},
    {"histogram_2^16_one_bin",
     [](const options& o) { return counts<one_number>(o, 1 << 16, {at_least_best_peer(1.0)}); }},
    {"histogram_2^20",
     [](const options& o) { return counts<any_numbers>(o, 1 << 20, {at_least_best_peer(1.0)}); }},
    {"histogram_2^20_one_bin", [](const options& o) { return counts<one_number>(o, 1 << 20, {}); }},
    {"histogram_even_bins", exact_edges},
    {"histogram_float_weights_101", [](const options& o) { return weights<float>(o, 101); }},
    {"histogram_double_weights_101", [](const options& o) { return weights<double>(o, 101); }},
    {"histogram_double_weights_4096", [](const options& o) { return weights<double>(o, 4096); }},
    {"histogram_double_weights_2^14", [](const options& o) { return weights<double>(o, 1 << 14); }},
    {"histogram_double_weights_2^16", [](const options& o) { return weights<double>(o, 1 << 16); }},
    {"histogram_double_weights_2^20", [](const options& o) { return weights<double>(o, 1 << 20); }},
    {"histogram_double_weights_zipf_2^20",
     [](const options& o) { return weights<double, powers_of_two>(o, 1 << 20); }},
    {"histogram_float_weights_2^20", [](const options& o) { return weights<float>(o, 1 << 20); }},
    {"histogram_int_weights_101", [](const options& o) { return weights<int>(o, 101); }},
    {"histogram_int64_weights_101", [](const options& o) { return weights<std::int64_t>(o, 101); }},
    {"histogram_int64_weights_4096",
     [](const options& o) { return weights<std::int64_t>(o, 4096); }},
    {"histogram_int64_weights_2^16",
     [](const options& o) { return weights<std::int64_t>(o, 1 << 16); }},
    {"histogram_int64_weights_2^20",
     [](const options& o) { return weights<std::int64_t>(o, 1 << 20); }},
    {"histogram_int64_weights_2^20_one_bin",
     [](const options& o) { return weights<std::int64_t, one_number>(o, 1 << 20); }},
};

}  // namespace
}  // namespace bench
