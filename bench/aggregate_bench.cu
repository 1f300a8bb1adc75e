// Aggregates of dense matrices compared with CUB: of all elements in every shape and layout,
// returned to the host, and of rows and columns at extreme aspect ratios.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <string>
#include <utility>
#include <vector>

#include "bench/cuda_platform.cuh"
#include "evenfold/matrix/aggregate.hpp"

namespace bench {
namespace {

using evenfold::array;
using evenfold::matrix_view;

/// k -> element k, row by row: the input of a peer that takes only sequences.
struct element_at {
  matrix_view<const double> a;
  __host__ __device__ double operator()(int k) const {
    const int columns = static_cast<int>(a.columns());
    return a(k / columns, k % columns);
  }
};

auto elements_of(matrix_view<const double> a) {
  return thrust::make_transform_iterator(thrust::counting_iterator<int>(0), element_at{a});
}

struct segment_begin {
  int length;
  __host__ __device__ int operator()(int s) const { return s * length; }
};

enum class layout { row_major, column_major, strided };

/// A strided view leaves out the last three columns of a matrix.
matrix_view<const double> view_of(layout how, const double* data, int rows, int columns) {
  using view = matrix_view<const double>;
  return how == layout::row_major      ? view::row_major(data, rows, columns)
         : how == layout::column_major ? view::column_major(data, rows, columns)
                                       : view::row_major(data, rows, columns, columns + 3);
}

/// The maximum, returned to the host. For a small matrix the time is latency. CUB writes to pinned
/// memory, with its scratch already allocated.
prepared_case max_to_host(layout how, int rows, int columns, const std::string& transposed) {
  struct data {
    array<double> in;
    double* pinned = nullptr;
    double ours = 0;
    explicit data(int n) : in(filled<any_numbers, double>(n, 6)) {
      evenfold::device::check_cuda(cudaMallocHost(&pinned, sizeof(double)), "cudaMallocHost");
    }
    ~data() { cudaFreeHost(pinned); }
    data(const data&) = delete;
    data& operator=(const data&) = delete;
  };
  auto d = std::make_shared<data>(rows * (columns + 3));
  const auto a = view_of(how, d->in.data(), rows, columns);
  const auto ours = [=] {
    d->ours = evenfold::aggregate(device_context(), a, evenfold::maximum{});
  };
  std::function<void()> cub_max;
  if (how == layout::strided) {
    cub_max = with_scratch([=](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Max(scratch, bytes, elements_of(a), d->pinned, rows * columns,
                                    device_context().stream());
    });
  } else {
    cub_max = with_scratch([=](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Max(scratch, bytes, d->in.data(), d->pinned, rows * columns,
                                    device_context().stream());
    });
  }
  const auto theirs = [=] {
    cub_max();
    device_context().synchronize();
  };
  std::vector<mark> marks{at_most_best_peer(0.85)};
  if (rows != columns) marks.push_back(at_most_case(1.1, transposed));
  return {.bytes = 8.0 * rows * columns,
          .contestants = {{"evenfold aggregate", ours}, {"cub reduce, pinned", theirs}},
          .check = [=]() -> std::string {
            ours();
            theirs();
            if (d->ours == *d->pinned) return "";
            return "the maximum is " + std::to_string(*d->pinned) + ", not " +
                   std::to_string(d->ours);
          },
          .marks = std::move(marks),
          .host_clock = true,
          .repeats_factor = 10};
}

/// The maximum of a matrix much larger than the caches, left on the device.
prepared_case max_large(layout how, const options& chosen) {
  struct data {
    array<double> in;
    array<double> ours = device_array<double>(1);
    array<double> theirs = device_array<double>(1);
  };
  const int side = chosen.quick ? 2048 : 16384;
  auto d = std::make_shared<data>(filled<any_numbers, double>(side * (side + 3), 2));
  const auto a = view_of(how, d->in.data(), side, side);
  const auto ours = [=] {
    evenfold::aggregate(device_context(), a, evenfold::maximum{}, d->ours.data());
  };
  const auto cub_max = [=](auto in) {
    return with_scratch([=](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Max(scratch, bytes, in, d->theirs.data(), side * side,
                                    device_context().stream());
    });
  };
  const std::function<void()> theirs =
      how == layout::strided ? cub_max(elements_of(a)) : cub_max(d->in.data());
  return {.bytes = 8.0 * side * side,
          .contestants = {{"evenfold aggregate", ours}, {"cub reduce", theirs}},
          .check = same_results(d, ours, theirs, 1),
          .marks = {at_least_best_peer(1.0)}};
}

enum class axis { rows, columns };

/// The sum of each row or of each column. The peer gets one segment for each of them. It is many
/// times slower if segments are short, or few and long, so that the mark is not its time.
prepared_case axis_sums(axis which, layout how, int rows, int columns) {
  struct data {
    array<double> in, ours, theirs;
  };
  const int folds = which == axis::rows ? rows : columns;
  const int length = which == axis::rows ? columns : rows;
  auto d = std::make_shared<data>(filled<small_numbers, double>(rows * (columns + 3), 3),
                                  device_array<double>(folds), device_array<double>(folds));
  const auto a = view_of(how, d->in.data(), rows, columns);
  const auto ours = [=] {
    if (which == axis::rows) {
      evenfold::aggregate_rows(device_context(), a, d->ours.data(), evenfold::plus{});
    } else {
      evenfold::aggregate_columns(device_context(), a, d->ours.data(), evenfold::plus{});
    }
  };
  const auto begins =
      thrust::make_transform_iterator(thrust::counting_iterator<int>(0), segment_begin{length});
  const auto in = elements_of(which == axis::rows ? a : a.transposed());
  const auto theirs = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(scratch, bytes, in, d->theirs.data(), folds, begins,
                                           begins + 1, device_context().stream());
  });
  return {.bytes = 8.0 * (1.0 * rows * columns + folds),
          .contestants = {{"evenfold", ours},
                          {.name = "cub segmented reduce", .run = theirs, .most_repeats = 3}},
          .check = same_results(d, ours, theirs, folds)};
}

struct abs_difference_at {
  matrix_view<const double> a, b;
  __host__ __device__ double operator()(int k) const {
    const int columns = static_cast<int>(a.columns());
    return std::abs(a(k / columns, k % columns) - b(k / columns, k % columns));
  }
};

prepared_case max_abs_difference(const options& chosen, layout of_b) {
  struct data {
    array<double> a, b;
    array<double> ours = device_array<double>(1);
    array<double> theirs = device_array<double>(1);
  };
  const int side = chosen.quick ? 2048 : 8192;
  auto d = std::make_shared<data>(filled<any_numbers, double>(side * side, 4),
                                  filled<any_numbers, double>(side * side, 5));
  const auto a = view_of(layout::row_major, d->a.data(), side, side);
  const auto b = view_of(of_b, d->b.data(), side, side);
  const auto ours = [=] { evenfold::max_abs_difference(device_context(), a, b, d->ours.data()); };
  const auto apart =
      thrust::make_transform_iterator(thrust::counting_iterator<int>(0), abs_difference_at{a, b});
  const auto theirs = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Max(scratch, bytes, apart, d->theirs.data(), side * side,
                                  device_context().stream());
  });
  return {.bytes = 16.0 * side * side,
          .contestants = {{"evenfold", ours}, {"cub transform reduce", theirs}},
          .check = same_results(d, ours, theirs, 1),
          .marks = {at_least_best_peer(1.0)}};
}

/// The position of the maximum, returned to the host.
prepared_case argmax(layout how, const options& chosen) {
  struct data {
    array<double> in;
    evenfold::located<double> ours{};
    array<double> value = device_array<double>(1);
    array<std::int64_t> index = device_array<std::int64_t>(1);
  };
  const int side = chosen.quick ? 2048 : 8192;
  auto d = std::make_shared<data>(filled<any_numbers, double>(side * side, 6));
  const auto a = view_of(how, d->in.data(), side, side);
  const auto ours = [=] { d->ours = evenfold::argmax(device_context(), a); };
  const auto cub_argmax = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ArgMax(scratch, bytes, d->in.data(), d->value.data(), d->index.data(),
                                     std::int64_t{side} * side, device_context().stream());
  });
  const auto theirs = [=] {
    cub_argmax();
    device_context().synchronize();
  };
  return {.bytes = 8.0 * side * side,
          .contestants = {{"evenfold argmax", ours}, {"cub arg max", theirs}},
          .check = [=]() -> std::string {
            ours();
            theirs();
            const std::int64_t index = evenfold::to_host(device_context(), d->index)[0];
            const std::int64_t mine = how == layout::row_major
                                          ? d->ours.row * side + d->ours.column
                                          : d->ours.column * side + d->ours.row;
            if (mine == index) return "";
            return "the maximum is at " + std::to_string(index) + ", not " + std::to_string(mine);
          },
          .marks = {at_least_best_peer(1.0)},
          .host_clock = true};
}

const char* name_of(layout how) {
  constexpr const char* names[] = {"row_major", "column_major", "strided"};
  return names[static_cast<int>(how)];
}

std::vector<add_case> all_cases() {
  std::vector<add_case> cases;
  const layout layouts[] = {layout::row_major, layout::column_major, layout::strided};
  constexpr int sizes[] = {1, 2, 7, 42, 666, 2048};
  for (const layout how : layouts) {
    for (const int rows : sizes) {
      for (const int columns : sizes) {
        const auto name = [=](int r, int c) {
          return "matrix_max_" + std::string(name_of(how)) + "_" + std::to_string(r) + "x" +
                 std::to_string(c);
        };
        cases.emplace_back(name(rows, columns), [=](const options&) {
          return max_to_host(how, rows, columns, name(columns, rows));
        });
      }
    }
  }
  for (const layout how : layouts) {
    cases.emplace_back("matrix_max_large_" + std::string(name_of(how)),
                       [=](const options& o) { return max_large(how, o); });
    cases.emplace_back("matrix_max_abs_difference_" + std::string(name_of(how)),
                       [=](const options& o) { return max_abs_difference(o, how); });
  }
  for (const layout how : {layout::row_major, layout::column_major}) {
    cases.emplace_back("matrix_argmax_" + std::string(name_of(how)),
                       [=](const options& o) { return argmax(how, o); });
  }
  constexpr std::pair<int, int> extents[] = {{1, 10000000}, {10000000, 1}, {3, 4000000},
                                             {4000000, 3},  {100, 100000}, {100000, 100},
                                             {2048, 2048},  {8192, 8192}};
  for (const layout how : {layout::row_major, layout::strided}) {
    for (const axis which : {axis::rows, axis::columns}) {
      for (const auto& [r, c] : extents) {
        const int rows = r;
        const int columns = c;
        cases.emplace_back("matrix_" + std::string(which == axis::rows ? "rows_" : "columns_") +
                               name_of(how) + "_" + std::to_string(rows) + "x" +
                               std::to_string(columns),
                           [=](const options&) { return axis_sums(which, how, rows, columns); });
      }
    }
  }
  return cases;
}

const std::vector<add_case> cases = all_cases();

}  // namespace
}  // namespace bench
