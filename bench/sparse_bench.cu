// Conversions of sparse matrices compared with cuSPARSE, and with a program that uses CUB.

#include <cub/device/device_radix_sort.cuh>

#include "bench/cuda_platform.cuh"
#include "bench/cusparse.cuh"
#include "evenfold/graph/generators.hpp"
#include "evenfold/sparse/convert.hpp"

namespace bench {
namespace {

using evenfold::array;

template <class Edges>
struct fill_entries {
  Edges edges;
  evenfold::random_stream random;
  int* rows;
  int* columns;
  float* values;
  __device__ void operator()(int i) {
    const evenfold::edge e = edges(static_cast<std::uint64_t>(i));
    rows[i] = static_cast<int>(e.from);
    columns[i] = static_cast<int>(e.to);
    values[i] = random.uniform<float>(static_cast<std::uint64_t>(i));
  }
};

template <class F>
void for_each_index(int count, F f) {
  evenfold::device::check_cuda(cub::DeviceFor::Bulk(count, f, device_context().stream()),
                               "cub::DeviceFor::Bulk");
}

/// Entries of a square matrix in random order, 16 per row.
struct entries {
  int rows, count;
  evenfold::coo<float> a;
  sparse_library library;

  template <class Edges>
  entries(int row_bits, Edges edges)
      : rows(1 << row_bits), count(16 * rows), a(device_context(), rows, rows, count) {
    for_each_index(count, fill_entries<Edges>{edges, evenfold::random_stream(3), a.rows.data(),
                                              a.columns.data(), a.values.data()});
  }
  cusparseHandle_t handle() const { return library.handle(); }
};

int row_bits(const options& chosen) { return chosen.quick ? 18 : 22; }

std::shared_ptr<entries> uniform(const options& chosen) {
  const int bits = row_bits(chosen);
  return std::make_shared<entries>(
      bits, evenfold::uniform_edges{evenfold::random_stream(1), std::uint64_t{1} << bits});
}

std::shared_ptr<entries> rmat(const options& chosen) {
  const int bits = row_bits(chosen);
  return std::make_shared<entries>(bits, evenfold::rmat_edges(bits, 2));
}

std::string rows_differ(const evenfold::csr<float>& ours, const evenfold::csr<float>& theirs) {
  if (ours.num_nonzeros != theirs.num_nonzeros) return "the numbers of entries differ";
  for (const std::string& wrong :
       {difference(ours.row_offsets.data(), theirs.row_offsets.data(), ours.num_rows + 1,
                   "offsets: "),
        difference(ours.columns.data(), theirs.columns.data(), ours.num_nonzeros, "columns: "),
        difference(ours.values.data(), theirs.values.data(), ours.num_nonzeros, "values: ")}) {
    if (!wrong.empty()) return wrong;
  }
  return "";
}

struct pack_position {
  const int* rows;
  const int* columns;
  std::uint64_t* packed;
  int column_bits;
  __device__ void operator()(int i) {
    packed[i] =
        static_cast<std::uint64_t>(rows[i]) << column_bits | static_cast<std::uint64_t>(columns[i]);
  }
};

struct unpack_position {
  const std::uint64_t* packed;
  int* rows;
  int* columns;
  int column_bits;
  __device__ void operator()(int i) {
    rows[i] = static_cast<int>(packed[i] >> column_bits);
    columns[i] = static_cast<int>(packed[i] & ((1ull << column_bits) - 1));
  }
};

struct number_entries {
  int* indices;
  __device__ void operator()(int i) { indices[i] = i; }
};

struct gather_values {
  const float* from;
  const int* indices;
  float* to;
  __device__ void operator()(int i) { to[i] = from[indices[i]]; }
};

prepared_case coo_to_csr(const std::shared_ptr<entries>& d, std::vector<mark> marks) {
  struct results {
    evenfold::csr<float> ours, theirs;
    array<int> rows, columns, indices;
    array<std::uint64_t> packed, sorted;
    array<unsigned char> scratch;
  };
  auto r = std::make_shared<results>();
  const int n = d->count;
  evenfold::cuda_context& ctx = device_context();
  r->theirs = evenfold::csr<float>(ctx, d->rows, d->rows, n);
  r->rows = array<int>(ctx, n);
  r->columns = array<int>(ctx, n);
  r->indices = array<int>(ctx, n);
  r->packed = array<std::uint64_t>(ctx, n);
  r->sorted = array<std::uint64_t>(ctx, n);
  std::size_t bytes = 0;
  check_sparse(cusparseXcoosort_bufferSizeExt(d->handle(), d->rows, d->rows, n, r->rows.data(),
                                              r->columns.data(), &bytes),
               "cusparseXcoosort_bufferSizeExt");
  r->scratch = array<unsigned char>(ctx, bytes);

  const auto ours = [=] {
    r->ours =
        evenfold::to_csr(device_context(), std::as_const(d->a).view(), evenfold::duplicates::keep);
  };
  const auto to_offsets = [=] {
    check_sparse(cusparseXcoo2csr(d->handle(), r->rows.data(), n, d->rows,
                                  r->theirs.row_offsets.data(), CUSPARSE_INDEX_BASE_ZERO),
                 "cusparseXcoo2csr");
  };
  const auto restore = [=] {
    evenfold::copy(device_context(), d->a.rows.data(), n, r->rows.data());
    evenfold::copy(device_context(), d->a.columns.data(), n, r->theirs.columns.data());
  };
  const auto cusparse = [=] {
    for_each_index(n, number_entries{r->indices.data()});
    check_sparse(
        cusparseXcoosortByRow(d->handle(), d->rows, d->rows, n, r->rows.data(),
                              r->theirs.columns.data(), r->indices.data(), r->scratch.data()),
        "cusparseXcoosortByRow");
    for_each_index(n,
                   gather_values{d->a.values.data(), r->indices.data(), r->theirs.values.data()});
    to_offsets();
  };
  const int bits = std::bit_width(static_cast<unsigned>(d->rows) - 1);
  const auto cub_sort = with_scratch([=](void* scratch, std::size_t& size) {
    return cub::DeviceRadixSort::SortPairs(scratch, size, r->packed.data(), r->sorted.data(),
                                           d->a.values.data(), r->theirs.values.data(), n, 0,
                                           2 * bits, device_context().stream());
  });
  const auto cub = [=] {
    for_each_index(n, pack_position{d->a.rows.data(), d->a.columns.data(), r->packed.data(), bits});
    cub_sort();
    for_each_index(
        n, unpack_position{r->sorted.data(), r->rows.data(), r->theirs.columns.data(), bits});
    to_offsets();
  };
  return {.bytes = 20.0 * n + 4.0 * d->rows,
          .contestants = {{"evenfold to_csr", ours},
                          {"cusparse coosortByRow, gather, coo2csr", cusparse, restore, 5},
                          {"pack, cub radix sort, unpack, coo2csr", cub}},
          .check =
              [=] {
                ours();
                cub();
                return rows_differ(r->ours, r->theirs);
              },
          .marks = std::move(marks)};
}

prepared_case transpose(const std::shared_ptr<entries>& d, std::vector<mark> marks) {
  struct results {
    evenfold::csr<float> from, ours, theirs;
    array<unsigned char> scratch;
  };
  auto r = std::make_shared<results>();
  evenfold::cuda_context& ctx = device_context();
  r->from = evenfold::to_csr(ctx, std::as_const(d->a).view(), evenfold::duplicates::sum);
  const int n = r->from.num_nonzeros;
  r->theirs = evenfold::csr<float>(ctx, d->rows, d->rows, n);
  std::size_t bytes = 0;
  check_sparse(
      cusparseCsr2cscEx2_bufferSize(d->handle(), d->rows, d->rows, n, r->from.values.data(),
                                    r->from.row_offsets.data(), r->from.columns.data(),
                                    r->theirs.values.data(), r->theirs.row_offsets.data(),
                                    r->theirs.columns.data(), CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                                    CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes),
      "cusparseCsr2cscEx2_bufferSize");
  r->scratch = array<unsigned char>(ctx, bytes);
  const auto ours = [=] {
    r->ours = evenfold::transpose(device_context(), std::as_const(r->from).view());
  };
  const auto cusparse = [=] {
    check_sparse(
        cusparseCsr2cscEx2(d->handle(), d->rows, d->rows, n, r->from.values.data(),
                           r->from.row_offsets.data(), r->from.columns.data(),
                           r->theirs.values.data(), r->theirs.row_offsets.data(),
                           r->theirs.columns.data(), CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                           CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, r->scratch.data()),
        "cusparseCsr2cscEx2");
  };
  return {.bytes = 16.0 * n + 8.0 * d->rows,
          .contestants = {{"evenfold transpose", ours}, {"cusparse csr2csc", cusparse}},
          .check =
              [=] {
                ours();
                cusparse();
                return rows_differ(r->ours, r->theirs);
              },
          .marks = std::move(marks)};
}

const std::string cusparse_figure = "cuSPARSE on an H100";

const add_case cases[] = {
    {"coo_to_csr_uniform",
     [](const options& o) {
       return coo_to_csr(uniform(o), {at_most_published(0.1, 61.6, cusparse_figure)});
     }},
    {"coo_to_csr_rmat",
     [](const options& o) {
       return coo_to_csr(rmat(o), {at_most_published(0.1, 61.6, cusparse_figure)});
     }},
    {"csr_transpose_uniform",
     [](const options& o) { return transpose(uniform(o), {at_least_best_peer(1.0)}); }},
    {"csr_transpose_rmat",
     [](const options& o) { return transpose(rmat(o), {at_least_best_peer(1.0)}); }},
};

}  // namespace
}  // namespace bench
