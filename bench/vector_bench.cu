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
#include "evenfold/algorithm/transform.hpp"

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

template <class T>
struct multiply_add {
  T a;
  __device__ T operator()(T x, T y) const { return a * x + y; }
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
                                        d->cubs.data(), count, multiply_add<float>{a},
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

/// saxpy with x and y at offsets of `shift_x` and `shift_y` elements from an aligned address: by
/// `saxpy`, or by `transform` of a lambda, of which nothing is known.
template <class T, bool Lambda>
prepared_case saxpy_at(const options& chosen, int shift_x, int shift_y) {
  struct data {
    array<T> x, ours, cubs;
  };
  const int count = chosen.size(26) - 64;
  auto d = std::make_shared<data>(filled<small_numbers, T>(count + 64, 7),
                                  filled<small_numbers, T>(count + 64, 8),
                                  filled<small_numbers, T>(count + 64, 8));
  const T a = 2;
  const T* const x = d->x.data() + shift_x;
  T* const y = d->ours.data() + shift_y;
  T* const cubs = d->cubs.data() + shift_y;
  const auto ours = [=] {
    (void)d;
    if constexpr (Lambda) {
      evenfold::transform(
          device_context(), count, EF_LAMBDA(int i) { y[i] = a * x[i] + y[i]; });
    } else {
      evenfold::saxpy(device_context(), count, a, x, y);
    }
  };
  const auto cub_saxpy = [=] {
    (void)d;
    evenfold::device::check_cuda(
        cub::DeviceTransform::Transform(::cuda::std::make_tuple(x, static_cast<const T*>(cubs)),
                                        cubs, count, multiply_add<T>{a}, device_context().stream()),
        "cub::DeviceTransform::Transform");
  };
  return {.bytes = 3.0 * sizeof(T) * count,
          .contestants = {{"evenfold", ours}, {"cub transform", cub_saxpy}},
          .check =
              [=] {
                ours();
                cub_saxpy();
                return difference(d->ours.data(), d->cubs.data(), count + 64);
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
          .check = same_results(d, ours, theirs, count),
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {
    {"dot", dot},
    {"saxpy", saxpy},
    {"saxpy_float_off_by_one", [](const options& o) { return saxpy_at<float, false>(o, 1, 1); }},
    {"saxpy_float_x_off_by_one", [](const options& o) { return saxpy_at<float, false>(o, 1, 0); }},
    {"saxpy_float_y_off_by_one", [](const options& o) { return saxpy_at<float, false>(o, 0, 1); }},
    {"saxpy_double", [](const options& o) { return saxpy_at<double, false>(o, 0, 0); }},
    {"saxpy_double_off_by_one", [](const options& o) { return saxpy_at<double, false>(o, 1, 1); }},
    {"saxpy_double_x_off_by_one",
     [](const options& o) { return saxpy_at<double, false>(o, 1, 0); }},
    {"saxpy_int8_off_by_one",
     [](const options& o) { return saxpy_at<signed char, false>(o, 1, 1); }},
    {"saxpy_int8_x_off_by_one",
     [](const options& o) { return saxpy_at<signed char, false>(o, 1, 0); }},
    {"transform_lambda_float", [](const options& o) { return saxpy_at<float, true>(o, 0, 0); }},
    {"transform_lambda_float_off_by_one",
     [](const options& o) { return saxpy_at<float, true>(o, 1, 1); }},
    {"transform_lambda_double", [](const options& o) { return saxpy_at<double, true>(o, 0, 0); }},
    {"multiply", multiply},
};

}  // namespace
}  // namespace bench
