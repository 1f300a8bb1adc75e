#pragma once
// The common parts of the CUDA benches: the context, data on the device, scratch of peers,
// comparisons.

#include <cstdint>
#include <cub/device/device_for.cuh>
#include <memory>
#include <string>
#include <utility>

#include "bench/harness.hpp"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"

namespace bench {

/// The context of all contestants. It exists once the platform is open.
evenfold::cuda_context& device_context();

/// An array on the device.
template <class T>
evenfold::array<T> device_array(std::int64_t count) {
  return evenfold::array<T>(device_context(), count);
}

/// Integers in [-8, 8], whose sums are exact in any order, in float, too, so that results can be
/// compared bit by bit.
template <class T>
struct small_numbers {
  static constexpr std::uint64_t values = 17;
  T* out;
  evenfold::random_stream random;

  __device__ void operator()(int i) {
    out[i] =
        static_cast<T>(static_cast<int>(random.below(static_cast<std::uint64_t>(i), values)) - 8);
  }
};

/// All 2^32 bit patterns, for keys; fractions in [0, 1) for floating point.
template <class T>
struct any_numbers {
  T* out;
  evenfold::random_stream random;

  __device__ void operator()(int i) {
    const auto n = static_cast<std::uint64_t>(i);
    if constexpr (std::is_floating_point_v<T>) {
      out[i] = random.uniform<T>(n);
    } else {
      out[i] = static_cast<T>(random.bits32(n));
    }
  }
};

template <template <class> class Numbers, class T>
evenfold::array<T> filled(int count, std::uint64_t seed) {
  auto data = device_array<T>(count);
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(count, Numbers<T>{data.data(), evenfold::random_stream(seed)},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  return data;
}

/// A CUB algorithm with its scratch allocated. `call(scratch, bytes)` is CUB's two-phase call.
template <class Call>
std::function<void()> with_scratch(Call call) {
  std::size_t bytes = 0;
  evenfold::device::check_cuda(call(nullptr, bytes), "cub, scratch size");
  auto scratch = std::make_shared<evenfold::array<unsigned char>>(device_context(), bytes);
  return [=]() {
    std::size_t size = bytes;
    evenfold::device::check_cuda(call(static_cast<void*>(scratch->data()), size), "cub");
  };
}

template <class T>
struct count_differences {
  const T* ours;
  const T* theirs;
  /// The number of differences, and the first of them.
  unsigned long long* found;

  __device__ void operator()(int i) {
    if (ours[i] == theirs[i]) return;
    atomicAdd(found, 1ull);
    atomicMin(found + 1, static_cast<unsigned long long>(i));
  }
};

/// States where two arrays differ, or returns nothing if they are equal.
template <class T>
std::string difference(const T* ours, const T* theirs, int count, const std::string& what = "") {
  evenfold::cuda_context& ctx = device_context();
  const std::vector<unsigned long long> none{0, ~0ull};
  auto found = evenfold::to_context(ctx, none);
  if (count > 0) {
    evenfold::device::check_cuda(
        cub::DeviceFor::Bulk(count, count_differences<T>{ours, theirs, found.data()}, ctx.stream()),
        "cub::DeviceFor::Bulk");
  }
  const auto result = evenfold::to_host(ctx, found);
  if (result[0] == 0) return "";
  return what + std::to_string(result[0]) + " of " + std::to_string(count) +
         " elements differ, the first at " + std::to_string(result[1]);
}

/// Fills memory with bytes that are unlikely in a correct result.
template <class T>
void spoil(evenfold::array<T>& data) {
  device_context().fill_bytes(data.data(), 0xa5, data.size() * sizeof(T));
}

/// The check of a case whose first contestant writes `count` elements to d->ours, and another one
/// the same ones to d->theirs.
template <class Data, class Ours, class Theirs>
auto same_results(Data d, Ours ours, Theirs theirs, int count) {
  return [=] {
    spoil(d->ours);
    ours();
    theirs();
    return difference(d->ours.data(), d->theirs.data(), count);
  };
}

}  // namespace bench
