// dot, saxpy and multiply compared with cuBLAS and CUB.

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>

#include "bench/cublas.cuh"
#include "bench/cuda_platform.cuh"
#include "evenfold/algorithm/dot.hpp"
#include "evenfold/algorithm/multiply.hpp"
#include "evenfold/algorithm/saxpy.hpp"

namespace bench {
namespace {

using evenfold::array;

struct product_at {
  const float* x;
  const float* y;
  __device__ float operator()(int i) const { return x[i] * y[i]; }
};

prepared_case dot(const options& chosen) {
  struct data {
    int count;
    array<float> x, y;
    array<float> ours = device_array<float>(1), cubs = device_array<float>(1),
                 blass = device_array<float>(1);
    blas library;
  };
  const int count = chosen.size(28);
  auto d = std::make_shared<data>(count, filled<small_numbers, float>(count, 4),
                                  filled<small_numbers, float>(count, 5));
  const product_at product{d->x.data(), d->y.data()};
  const auto ours = [=] {
    evenfold::dot(device_context(), d->x.data(), d->y.data(), count, 0.0f, d->ours.data());
  };
  const auto cub_dot = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(scratch, bytes, thrust::counting_iterator<int>(0),
                                              d->cubs.data(), count, ::cuda::std::plus<>{}, product,
                                              0.0f, device_context().stream());
  });
  const auto blas_dot = [=] { d->library.dot(count, d->x.data(), d->y.data(), d->blass.data()); };
  return {.bytes = 8.0 * count,
          .contestants = {{"evenfold dot", ours},
                          {"cublas dot", blas_dot},
                          {"cub transform reduce", cub_dot}},
          .check =
              [=] {
                spoil(d->ours);
                ours();
                cub_dot();
                return difference(d->ours.data(), d->cubs.data(), 1);
              },
          .marks = {at_least_best_peer(1.0)}};
}

struct multiply_add {
  float a;
  __device__ float operator()(float x, float y) const { return a * x + y; }
};

prepared_case saxpy(const options& chosen) {
  struct data {
    array<float> x, ours, cubs, blass;
    blas library;
  };
  const int count = chosen.size(28);
  auto d = std::make_shared<data>(
      filled<small_numbers, float>(count, 7), filled<small_numbers, float>(count, 8),
      filled<small_numbers, float>(count, 8), filled<small_numbers, float>(count, 8));
  const float a = 2;
  const auto ours = [=] {
    evenfold::saxpy(device_context(), count, a, d->x.data(), d->ours.data());
  };
  const auto cub_saxpy = [=] {
    evenfold::device::check_cuda(
        cub::DeviceTransform::Transform(::cuda::std::make_tuple(d->x.data(), d->cubs.data()),
                                        d->cubs.data(), count, multiply_add{a},
                                        device_context().stream()),
        "cub::DeviceTransform::Transform");
  };
  const auto blas_saxpy = [=] { d->library.saxpy(count, a, d->x.data(), d->blass.data()); };
  return {.bytes = 12.0 * count,
          .contestants = {{"evenfold saxpy", ours},
                          {"cub transform", cub_saxpy},
                          {"cublas saxpy", blas_saxpy}},
          .check =
              [=] {
                ours();
                cub_saxpy();
                return difference(d->ours.data(), d->cubs.data(), count);
              },
          .marks = {at_least_best_peer(1.0)}};
}

prepared_case multiply(const options& chosen) {
  struct data {
    array<float> x, y, ours, theirs;
  };
  const int count = chosen.size(28);
  auto d = std::make_shared<data>(filled<small_numbers, float>(count, 9),
                                  filled<small_numbers, float>(count, 10),
                                  device_array<float>(count), device_array<float>(count));
  const auto ours = [=] {
    evenfold::multiply(device_context(), d->x.data(), d->y.data(), count, d->ours.data());
  };
  const auto theirs = [=] {
    evenfold::device::check_cuda(
        cub::DeviceTransform::Transform(::cuda::std::make_tuple(d->x.data(), d->y.data()),
                                        d->theirs.data(), count, ::cuda::std::multiplies<>{},
                                        device_context().stream()),
        "cub::DeviceTransform::Transform");
  };
  return {.bytes = 12.0 * count,
          .contestants = {{"evenfold multiply", ours}, {"cub transform", theirs}},
          .check =
              [=] {
                spoil(d->ours);
                ours();
                theirs();
                return difference(d->ours.data(), d->theirs.data(), count);
              },
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {{"dot", dot}, {"saxpy", saxpy}, {"multiply", multiply}};

}  // namespace
}  // namespace bench
