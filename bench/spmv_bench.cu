// spmv compared with cuSPARSE, with and without its analysis of the matrix. CUB's DeviceSpmv is no
// longer in CCCL 3, so that its published time is used.

#include "bench/cuda_platform.cuh"
#include "bench/cusparse.cuh"
#include "evenfold/algorithm/copy_matrix.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/sparse/spmm.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace bench {
namespace {

using evenfold::array;

/// y = A x by cuSPARSE, after all preparations of the product.
class sparse_product {
 public:
  using view = evenfold::csr_view<const float>;

  sparse_product(view a, const float* x, float* y, cusparseSpMVAlg_t method, bool preprocess)
      : method_(method) {
    check_sparse(cusparseCreateConstCsr(&a_, a.num_rows, a.num_columns, a.num_nonzeros,
                                        a.row_offsets, a.columns, a.values, CUSPARSE_INDEX_32I,
                                        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
                 "cusparseCreateConstCsr");
    check_sparse(cusparseCreateConstDnVec(&x_, a.num_columns, x, CUDA_R_32F),
                 "cusparseCreateConstDnVec");
    check_sparse(cusparseCreateDnVec(&y_, a.num_rows, y, CUDA_R_32F), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check_sparse(cusparseSpMV_bufferSize(library_.handle(), operation, &one_, a_, x_, &zero_, y_,
                                         CUDA_R_32F, method_, &bytes),
                 "cusparseSpMV_bufferSize");
    scratch_ = evenfold::array<unsigned char>(device_context(), bytes);
    if (preprocess) {
      check_sparse(cusparseSpMV_preprocess(library_.handle(), operation, &one_, a_, x_, &zero_, y_,
                                           CUDA_R_32F, method_, scratch_.data()),
                   "cusparseSpMV_preprocess");
    }
  }
  ~sparse_product() {
    cusparseDestroyDnVec(y_);
    cusparseDestroyDnVec(x_);
    cusparseDestroySpMat(a_);
  }
  sparse_product(const sparse_product&) = delete;
  sparse_product& operator=(const sparse_product&) = delete;

  void operator()() {
    check_sparse(cusparseSpMV(library_.handle(), operation, &one_, a_, x_, &zero_, y_, CUDA_R_32F,
                              method_, scratch_.data()),
                 "cusparseSpMV");
  }

 private:
  static constexpr cusparseOperation_t operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  float one_ = 1, zero_ = 0;
  cusparseSpMVAlg_t method_;
  sparse_library library_;
  cusparseConstSpMatDescr_t a_ = nullptr;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  evenfold::array<unsigned char> scratch_;
};

/// Entry k of a matrix is edge k of a graph. Its value is a small integer.
template <class Edges>
struct edge_entry {
  Edges edges;
  evenfold::random_stream random;
  int* rows;
  int* columns;
  float* values;

  EF_HD void operator()(int k) const {
    const auto n = static_cast<std::uint64_t>(k);
    const evenfold::edge e = edges(n);
    rows[k] = static_cast<int>(e.from);
    columns[k] = static_cast<int>(e.to);
    values[k] = static_cast<float>(static_cast<int>(random.below(n, 17)) - 8);
  }
};

template <class Edges>
evenfold::csr<float> matrix_of(int scale, Edges edges) {
  evenfold::cuda_context& ctx = device_context();
  evenfold::coo<float> entries(ctx, 1 << scale, 1 << scale, 16 << scale);
  transform(ctx, entries.num_nonzeros,
            edge_entry<Edges>{edges, evenfold::random_stream(2), entries.rows.data(),
                              entries.columns.data(), entries.values.data()});
  return to_csr(ctx, entries.view(), evenfold::duplicates::keep);
}

prepared_case spmv(evenfold::csr<float> matrix, double published_ms) {
  struct data {
    evenfold::csr<float> a;
    array<float> x = filled<small_numbers, float>(a.num_columns, 3);
    array<float> ours = device_array<float>(a.num_rows);
    array<float> theirs = device_array<float>(a.num_rows);
    explicit data(evenfold::csr<float>&& m) : a(std::move(m)) {}
    evenfold::csr_view<const float> view() const { return a.view(); }
  };
  auto d = std::make_shared<data>(std::move(matrix));
  const auto peer = [&](cusparseSpMVAlg_t method, bool preprocess) {
    auto product = std::make_shared<sparse_product>(d->view(), d->x.data(), d->theirs.data(),
                                                    method, preprocess);
    return [d, product] { (*product)(); };
  };
  const auto ours = [=] {
    evenfold::spmv(device_context(), d->view(), d->x.data(), d->ours.data());
  };
  const auto preprocessed = peer(CUSPARSE_SPMV_CSR_ALG1, true);
  const double entries = d->a.num_nonzeros, rows = d->a.num_rows;
  return {.bytes = 8 * entries + 12 * rows,
          .contestants = {{"evenfold spmv", ours},
                          {"cuSPARSE, preprocessed", preprocessed},
                          {"cuSPARSE", peer(CUSPARSE_SPMV_ALG_DEFAULT, false)}},
          .check = same_results(d, ours, preprocessed, d->a.num_rows),
          .marks = {at_most_best_peer(0.95),
                    at_most_published(0.95, published_ms, "CUB 2.8 on an H100")}};
}

/// Four right-hand sides at once, which read the matrix once.
prepared_case spmm_4_columns(const options& chosen) {
  struct data {
    evenfold::csr<float> a;
    array<float> x = filled<small_numbers, float>(4 * a.num_columns, 3);
    array<float> ours = device_array<float>(4 * std::int64_t{a.num_rows});
    array<float> one = device_array<float>(a.num_rows);
    explicit data(evenfold::csr<float>&& m) : a(std::move(m)) {}
    evenfold::csr_view<const float> view() const { return a.view(); }
  };
  const int scale = chosen.quick ? 18 : 22;
  auto d = std::make_shared<data>(matrix_of(scale, evenfold::rmat_edges(scale, 1)));
  const auto x = evenfold::matrix_view<const float>::row_major(d->x.data(), d->a.num_columns, 4);
  const auto y = evenfold::matrix_view<float>::column_major(d->ours.data(), d->a.num_rows, 4);
  const auto ours = [=] { evenfold::spmm(device_context(), d->view(), x, y); };
  const double entries = d->a.num_nonzeros, rows = d->a.num_rows;
  return {.bytes = 8 * entries + 36 * rows,
          .contestants = {{"evenfold spmm, 4 columns", ours}},
          .check = [=]() -> std::string {
            spoil(d->ours);
            ours();
            for (int j = 0; j < 4; ++j) {
              auto column = device_array<float>(d->a.num_columns);
              copy(device_context(), x.column(j),
                   evenfold::matrix_view<float>::column_major(column.data(), d->a.num_columns, 1));
              evenfold::spmv(device_context(), d->view(), column.data(), d->one.data());
              const std::string wrong = difference(d->ours.data() + j * std::int64_t{d->a.num_rows},
                                                   d->one.data(), d->a.num_rows);
              if (!wrong.empty()) return wrong;
            }
            return "";
          }};
}

const add_case cases[] = {
    {"spmv_rmat",
     [](const options& o) {
       const int scale = o.quick ? 18 : 22;
       return spmv(matrix_of(scale, evenfold::rmat_edges(scale, 1)), 0.621);
     }},
    {"spmv_uniform",
     [](const options& o) {
       const int scale = o.quick ? 18 : 22;
       return spmv(matrix_of(scale, evenfold::uniform_edges{evenfold::random_stream(1),
                                                            std::uint64_t{1} << scale}),
                   0.637);
     }},
    {"spmm_4_columns", spmm_4_columns},
};

}  // namespace
}  // namespace bench
