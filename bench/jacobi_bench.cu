// jacobi compared with a program without it: a sweep, then CUB's fold of the differences.

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_reduce.cuh>

#include "bench/cuda_platform.cuh"
#include "evenfold/matrix/jacobi.hpp"

namespace bench {
namespace {

using evenfold::array;

/// One element per thread, by the definition.
template <class T>
struct plain_sweep {
  const T* from;
  T* to;
  int side;

  __device__ void operator()(int at) const {
    const int i = at / side;
    const int j = at % side;
    if (i == 0 || j == 0 || i == side - 1 || j == side - 1) return;
    to[at] = ((from[at - side] + from[at + side]) + (from[at - 1] + from[at + 1])) * T{0.25};
  }
};

template <class T>
struct change_at {
  const T* x;
  const T* y;
  EF_HD T operator()(int i) const { return x[i] < y[i] ? y[i] - x[i] : x[i] - y[i]; }
};

/// `sweeps` sweeps, an even number, so that the last grid is in the memory of the first one.
template <class T>
prepared_case sweep(const options& chosen, int side, int sweeps, std::vector<mark> marks) {
  struct data {
    int side, count;
    array<T> ours, theirs, other;
    array<T> residual = device_array<T>(1);
    T reached = 0;
  };
  if (chosen.quick && side > 1024) side = 1024;
  const int count = side * side;
  auto d =
      std::make_shared<data>(side, count, filled<any_numbers, T>(count, 10),
                             filled<any_numbers, T>(count, 10), filled<any_numbers, T>(count, 10));
  const auto ours = [=] {
    const auto grid = evenfold::matrix_view<T>::row_major(d->ours.data(), side, side);
    d->reached = evenfold::jacobi(device_context(), grid, 0, sweeps).residual;
  };
  const auto fold = [=](const T* from, const T* to) {
    return with_scratch([=](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::TransformReduce(
          scratch, bytes, thrust::counting_iterator<int>(0), d->residual.data(), count,
          evenfold::maximum{}, change_at<T>{from, to}, T{0}, device_context().stream());
    });
  };
  const auto turn = [=](const array<T>& from, array<T>& to) {
    evenfold::device::check_cuda(
        cub::DeviceFor::Bulk(count, plain_sweep<T>{from.data(), to.data(), side},
                             device_context().stream()),
        "cub::DeviceFor::Bulk");
  };
  const auto forth = fold(d->theirs.data(), d->other.data());
  const auto back = fold(d->other.data(), d->theirs.data());
  const auto theirs = [=] {
    for (int k = 0; k < sweeps; k += 2) {
      turn(d->theirs, d->other);
      forth();
      turn(d->other, d->theirs);
      back();
    }
  };
  return {.bytes = 2.0 * sizeof(T) * count * sweeps,
          .contestants = {{"evenfold jacobi", ours}, {"plain sweep + cub max", theirs}},
          .check = [=]() -> std::string {
            ours();
            theirs();
            const T right = evenfold::to_host(device_context(), d->residual)[0];
            if (d->reached != right) {
              return "the residual is " + std::to_string(right) + ", not " +
                     std::to_string(d->reached);
            }
            return difference(d->ours.data(), d->theirs.data(), count);
          },
          .marks = std::move(marks)};
}

const add_case cases[] = {
    {"jacobi_double_64_sweeps",
     [](const options& o) {
       return sweep<double>(o, 8192, 64, {at_least_bandwidth(0.9), at_least_best_peer(1.0)});
     }},
    {"jacobi_double_odd_rows",
     [](const options& o) { return sweep<double>(o, 8191, 64, {at_least_best_peer(1.0)}); }},
    {"jacobi_float_64_sweeps",
     [](const options& o) { return sweep<float>(o, 8192, 64, {at_least_best_peer(1.0)}); }},
    {"jacobi_double_512x512",
     [](const options& o) { return sweep<double>(o, 512, 64, {at_least_best_peer(1.0)}); }},
};

}  // namespace
}  // namespace bench
