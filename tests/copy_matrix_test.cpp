#include "evenfold/algorithm/copy_matrix.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "evenfold/core/array.hpp"
#include "support/bytes.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// The layout of a matrix in memory.
enum class layout { rows, columns, pitched_rows, pitched_columns, odd_rows, odd_columns, sparse };

constexpr layout layouts[] = {
    layout::rows,     layout::columns,     layout::pitched_rows, layout::pitched_columns,
    layout::odd_rows, layout::odd_columns, layout::sparse};

/// The position of element (0, 0), and the strides of rows and columns.
struct strides {
  std::int64_t first, row, column;
};

strides strides_of(layout kind, std::int64_t rows, std::int64_t columns) {
  switch (kind) {
    case layout::rows:
      return {0, columns, 1};
    case layout::columns:
      return {0, 1, rows};
    case layout::pitched_rows:
      return {0, (columns / 16 + 1) * 16, 1};
    case layout::pitched_columns:
      return {0, 1, (rows / 16 + 1) * 16};
    case layout::odd_rows:
      return {1, columns / 2 * 2 + 3, 1};
    case layout::odd_columns:
      return {1, 1, rows / 2 * 2 + 3};
    case layout::sparse:
      return {0, 2 * columns + 1, 2};
  }
  return {};
}

template <class T>
matrix_view<T> view_in(T* data, layout kind, std::int64_t rows, std::int64_t columns) {
  const strides s = strides_of(kind, rows, columns);
  return matrix_view<T>(data + s.first, rows, columns, s.row, s.column);
}

/// The number of elements of memory that such a matrix needs, and a few more.
std::int64_t size_of_memory(layout kind, std::int64_t rows, std::int64_t columns) {
  const strides s = strides_of(kind, rows, columns);
  return s.first + rows * s.row + columns * s.column + 1;
}

/// The first of the random values of a seed, which are computed once.
template <class T, std::uint64_t Seed>
std::vector<T> first_values(std::int64_t count) {
  static std::vector<T> values;
  if (count > static_cast<std::int64_t>(values.size())) values = random_values<T>(count, Seed);
  return {values.begin(), values.begin() + count};
}

/// Copies inside the memory of the context, and checks every element and every gap.
template <class T, class Context>
void check_copy(Context& ctx, layout from, layout to, std::int64_t rows, std::int64_t columns) {
  const std::vector<T> source_host = first_values<T, 1>(size_of_memory(from, rows, columns));
  const std::vector<T> before = first_values<T, 2>(size_of_memory(to, rows, columns));
  const array<T> source = to_context(ctx, source_host);
  array<T> target = to_context(ctx, before);
  copy(ctx, view_in(source.data(), from, rows, columns), view_in(target.data(), to, rows, columns));
  const std::vector<T> after = to_host(ctx, target);

  std::vector<T> expected = before;
  const auto source_view = view_in(source_host.data(), from, rows, columns);
  const auto expected_view = view_in(expected.data(), to, rows, columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) expected_view(i, j) = source_view(i, j);
  }
  ASSERT_EQ(after.size(), expected.size());
  if (std::memcmp(after.data(), expected.data(), after.size() * sizeof(T)) == 0) return;
  for (std::size_t at = 0; at < after.size(); ++at) {
    ASSERT_TRUE(same_bytes(after[at], expected[at]))
        << rows << " x " << columns << ", layout " << static_cast<int>(from) << " to "
        << static_cast<int>(to) << ", differs at " << at;
  }
}

template <class T, class Context>
void check_layouts(Context& ctx, std::int64_t rows, std::int64_t columns) {
  for (const layout from : layouts) {
    for (const layout to : layouts) {
      check_copy<T>(ctx, from, to, rows, columns);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Extents that are not multiples of the tile of any type.
template <class T, class Context>
void check_type(Context& ctx) {
  check_layouts<T>(ctx, 150, 137);
  check_layouts<T>(ctx, 3, 300);
  check_layouts<T>(ctx, 300, 3);
}

template <class Context>
void check_extents_of_all_kinds(Context& ctx) {
  for (const std::int64_t rows : {0, 1, 2, 4, 31, 32, 33, 63, 64, 65, 129}) {
    for (const std::int64_t columns : {0, 1, 2, 4, 31, 32, 33, 63, 64, 65, 129}) {
      check_copy<float>(ctx, layout::rows, layout::columns, rows, columns);
      check_copy<float>(ctx, layout::odd_rows, layout::pitched_columns, rows, columns);
      check_copy<float>(ctx, layout::columns, layout::pitched_columns, rows, columns);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class Context>
void check_aspect_ratios(Context& ctx) {
  const std::int64_t extents[][2] = {{1, large_size},
                                     {large_size, 1},
                                     {3, large_size / 3},
                                     {large_size / 3, 3},
                                     {17, large_size / 17},
                                     {1024, large_size / 1024},
                                     {1000, large_size / 1000 - 25}};
  for (const auto& [rows, columns] : extents) {
    check_copy<float>(ctx, layout::rows, layout::columns, rows, columns);
    check_copy<std::uint8_t>(ctx, layout::columns, layout::rows, rows, columns);
    check_copy<float>(ctx, layout::pitched_rows, layout::odd_columns, rows, columns);
    check_copy<float>(ctx, layout::pitched_rows, layout::pitched_rows, rows, columns);
  }
  check_copy<std::uint8_t>(ctx, layout::odd_rows, layout::pitched_rows, 40, 1500);
  check_copy<std::uint16_t>(ctx, layout::rows, layout::sparse, 40, 1500);
}

/// Single rows and columns of a matrix, whose strides do not determine an order.
template <class Context>
void check_rows_and_columns(Context& ctx) {
  constexpr std::int64_t n = 70;
  const std::vector<int> host = random_values<int>(n * n);
  const array<int> source = to_context(ctx, host);
  const auto matrix = matrix_view<const int>::row_major(source.data(), n, n);
  array<int> target(ctx, n);
  const auto check = [&](matrix_view<const int> from, matrix_view<int> to, std::int64_t first,
                         std::int64_t step) {
    copy(ctx, from, to);
    const std::vector<int> got = to_host(ctx, target);
    for (std::int64_t k = 0; k < n; ++k) ASSERT_EQ(got[k], host[first + k * step]) << k;
  };
  const auto row = matrix_view<int>::row_major(target.data(), 1, n);
  check(matrix.row(5), row, 5 * n, 1);
  check(matrix.column(5).transposed(), row, 5, n);
  check(matrix.column(7), row.transposed(), 7, n);
  check(matrix.transposed().column(8), matrix_view<int>(target.data(), n, 1, 1, 1), 8 * n, 1);
  // The main diagonal is a matrix of one column with a large stride.
  check(matrix_view<const int>(source.data(), n, 1, n + 1, 0), row.transposed(), 0, n + 1);
}

template <class Context>
void check_errors(Context& ctx) {
  array<int> memory = to_context(ctx, std::vector<int>(12, 7));
  const auto from = matrix_view<const int>::row_major(memory.data(), 2, 3);
  const auto to = matrix_view<int>::row_major(memory.data() + 6, 3, 2);
  try {
    copy(ctx, from, to);
    FAIL() << "nothing was thrown";
  } catch (const argument_error& problem) {
    EXPECT_STREQ(problem.what(),
                 "copy: to is 3 x 2, but from is 2 x 3; pass views of the same extents, such as a "
                 "block() of the larger one");
  }
  copy(ctx, from, to.transposed());
  EXPECT_EQ(to_host(ctx, memory), std::vector<int>(12, 7));
}

template <class Context>
class copy_matrix_on : public on<Context> {};
TYPED_TEST_SUITE(copy_matrix_on, contexts);

TYPED_TEST(copy_matrix_on, bytes) { check_type<std::uint8_t>(this->ctx); }
TYPED_TEST(copy_matrix_on, halves) { check_type<std::uint16_t>(this->ctx); }
TYPED_TEST(copy_matrix_on, floats) { check_type<float>(this->ctx); }
TYPED_TEST(copy_matrix_on, doubles) { check_type<double>(this->ctx); }
TYPED_TEST(copy_matrix_on, sixteen_bytes_aligned_to_four) { check_type<matrix2>(this->ctx); }
TYPED_TEST(copy_matrix_on, twenty_four_bytes) { check_type<triple>(this->ctx); }
TYPED_TEST(copy_matrix_on, sixty_four_bytes) { check_type<wide>(this->ctx); }

TYPED_TEST(copy_matrix_on, extents_around_the_edges_of_tiles) {
  check_extents_of_all_kinds(this->ctx);
}
TYPED_TEST(copy_matrix_on, every_aspect_ratio) { check_aspect_ratios(this->ctx); }
TYPED_TEST(copy_matrix_on, rows_and_columns) { check_rows_and_columns(this->ctx); }
TYPED_TEST(copy_matrix_on, different_extents_are_refused) { check_errors(this->ctx); }

#if defined(__CUDACC__)

/// Memory of one side, which is filled from the host and copied back.
template <class T>
class memory_on {
 public:
  memory_on(cuda_context& ctx, cudaMemoryType type, const std::vector<T>& values)
      : ctx_(ctx), type_(type), size_(values.size()) {
    void* address = nullptr;
    if (type == cudaMemoryTypeUnregistered) {
      host_ = values;
      address = host_.data();
    } else if (type == cudaMemoryTypeHost) {
      device::check_cuda(cudaMallocHost(&address, size_ * sizeof(T)), "cudaMallocHost");
    } else {
      device::check_cuda(cudaMalloc(&address, size_ * sizeof(T)), "cudaMalloc");
    }
    data_ = static_cast<T*>(address);
    copy(ctx, static_cast<const T*>(values.data()), size_, data_);
  }
  ~memory_on() {
    ctx_.synchronize();
    if (type_ == cudaMemoryTypeHost) cudaFreeHost(data_);
    if (type_ == cudaMemoryTypeDevice) cudaFree(data_);
  }
  memory_on(const memory_on&) = delete;
  memory_on& operator=(const memory_on&) = delete;

  T* data() { return data_; }
  std::vector<T> values() {
    std::vector<T> result(size_);
    copy(ctx_, static_cast<const T*>(data_), size_, result.data());
    ctx_.synchronize();
    return result;
  }

 private:
  cuda_context& ctx_;
  cudaMemoryType type_;
  std::size_t size_;
  std::vector<T> host_;
  T* data_ = nullptr;
};

TEST(copy_matrix, moves_every_layout_between_all_sides) {
  constexpr std::int64_t rows = 70, columns = 45;
  constexpr cudaMemoryType sides[] = {cudaMemoryTypeUnregistered, cudaMemoryTypeHost,
                                      cudaMemoryTypeDevice};
  cuda_context ctx;
  const std::int64_t size = size_of_memory(layout::sparse, rows, columns);
  const std::vector<float> source_host = random_values<float>(size, 1);
  const std::vector<float> before = random_values<float>(size, 2);
  for (const cudaMemoryType from_side : sides) {
    memory_on<float> source(ctx, from_side, source_host);
    for (const cudaMemoryType to_side : sides) {
      for (const layout from : layouts) {
        for (const layout to : layouts) {
          memory_on<float> target(ctx, to_side, before);
          copy(ctx, view_in(source.data(), from, rows, columns),
               view_in(target.data(), to, rows, columns));
          std::vector<float> expected = before;
          reference_context host;
          copy(host, view_in(source_host.data(), from, rows, columns),
               view_in(expected.data(), to, rows, columns));
          ASSERT_EQ(target.values(), expected)
              << "side " << from_side << " to " << to_side << ", layout " << static_cast<int>(from)
              << " to " << static_cast<int>(to);
        }
      }
    }
  }
}

TEST(copy_matrix, is_captured_in_a_graph) {
  constexpr std::int64_t rows = 300, columns = 500;
  cuda_context ctx;
  memory_on<float> source(ctx, cudaMemoryTypeHost, random_values<float>(rows * columns));
  memory_on<float> target(ctx, cudaMemoryTypeDevice, std::vector<float>(rows * columns));
  const auto from = matrix_view<const float>::row_major(source.data(), rows, columns);
  const auto to = matrix_view<float>::column_major(target.data(), rows, columns);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  device::check_cuda(cudaStreamBeginCapture(ctx.stream(), cudaStreamCaptureModeGlobal),
                     "cudaStreamBeginCapture");
  copy(ctx, from, to);
  device::check_cuda(cudaStreamEndCapture(ctx.stream(), &graph), "cudaStreamEndCapture");
  device::check_cuda(cudaGraphInstantiate(&program, graph, 0), "cudaGraphInstantiate");
  device::check_cuda(cudaGraphLaunch(program, ctx.stream()), "cudaGraphLaunch");
  std::vector<float> expected(rows * columns);
  reference_context host;
  copy(host, from, matrix_view<float>::column_major(expected.data(), rows, columns));
  EXPECT_EQ(target.values(), expected);
  device::check_cuda(cudaGraphExecDestroy(program), "cudaGraphExecDestroy");
  device::check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

TEST(copy_matrix, takes_rows_further_apart_than_the_drivers_copy_supports) {
  cuda_context ctx;
  constexpr std::int64_t pitch = (std::int64_t{1} << 31) + 8;
  std::vector<char> host;
  try {
    host.resize(pitch + 3);
  } catch (const std::bad_alloc&) {
    GTEST_SKIP() << "needs 2 GiB";
  }
  host[0] = 'a', host[2] = 'b', host[pitch] = 'c', host[pitch + 2] = 'd';
  array<char> there(ctx, 6);
  copy(ctx, matrix_view<const char>::row_major(host.data(), 2, 3, pitch),
       matrix_view<char>::row_major(there.data(), 2, 3));
  EXPECT_EQ(to_host(ctx, there), (std::vector<char>{'a', 0, 'b', 'c', 0, 'd'}));
}

#else

TEST(copy_matrix, refuses_memory_of_the_other_side) {
  misplaced<memory_side::host> number;
  cpu_context ctx(2);
  int target = 0;
  try {
    copy(ctx, matrix_view<const int>(number.address(), 1, 1, 1, 1),
         matrix_view<int>(&target, 1, 1, 1, 1));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const argument_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("copy: from is a device pointer"), std::string::npos)
        << problem.what();
  }
}

#endif

}  // namespace
}  // namespace evenfold::testing
