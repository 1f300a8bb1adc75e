// Products of two sparse matrices compared with cuSPARSE, and triangles of a graph.

#include "bench/cuda_platform.cuh"
#include "bench/cusparse.cuh"
#include "bench/graphs.hpp"
#include "evenfold/graph/triangle_count.hpp"
#include "evenfold/sparse/spgemm.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace bench {
namespace {

using evenfold::array;

/// A square matrix with values that are whole numbers, so that sums are exact in any order.
template <class Edges>
evenfold::csr<float> matrix_of(int scale, int per_row, const Edges& edges) {
  evenfold::cuda_context& ctx = device_context();
  const int rows = 1 << scale;
  const int count = rows * per_row;
  evenfold::coo<float> entries(ctx, rows, rows, count);
  evenfold::transform(ctx, count,
                      fill_ends<Edges>{edges, entries.rows.data(), entries.columns.data()});
  entries.values = filled<small_numbers, float>(count, 2);
  return evenfold::to_csr(ctx, entries.view(), evenfold::duplicates::first);
}

/// A * A by cuSPARSE, with all its steps: it returns new arrays as ours does.
class sparse_square {
 public:
  explicit sparse_square(const evenfold::csr<float>& a) : a_(a) {}

  evenfold::csr<float> operator()() {
    evenfold::cuda_context& ctx = device_context();
    const std::int64_t rows = a_.num_rows;
    const auto whole = [&](int* offsets, int* columns, float* values, std::int64_t entries) {
      cusparseSpMatDescr_t m = nullptr;
      check_sparse(
          cusparseCreateCsr(&m, rows, rows, entries, offsets, columns, values, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          "cusparseCreateCsr");
      return m;
    };
    const cusparseSpMatDescr_t a =
        whole(const_cast<int*>(a_.row_offsets.data()), const_cast<int*>(a_.columns.data()),
              const_cast<float*>(a_.values.data()), a_.num_nonzeros);
    auto offsets = device_array<int>(rows + 1);
    const cusparseSpMatDescr_t c = whole(offsets.data(), nullptr, nullptr, 0);
    cusparseSpGEMMDescr_t plan = nullptr;
    check_sparse(cusparseSpGEMM_createDescr(&plan), "cusparseSpGEMM_createDescr");
    const float one = 1, zero = 0;
    const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto estimate = [&](std::size_t& bytes, void* scratch) {
      check_sparse(
          cusparseSpGEMM_workEstimation(library_.handle(), none, none, &one, a, a, &zero, c,
                                        CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, scratch),
          "cusparseSpGEMM_workEstimation");
    };
    const auto compute = [&](std::size_t& bytes, void* scratch) {
      check_sparse(
          cusparseSpGEMM_compute(library_.handle(), none, none, &one, a, a, &zero, c, CUDA_R_32F,
                                 CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, scratch),
          "cusparseSpGEMM_compute");
    };
    std::size_t bytes = 0;
    estimate(bytes, nullptr);
    auto first = device_array<unsigned char>(static_cast<std::int64_t>(bytes));
    estimate(bytes, first.data());
    compute(bytes, nullptr);
    auto second = device_array<unsigned char>(static_cast<std::int64_t>(bytes));
    compute(bytes, second.data());
    std::int64_t c_rows = 0, c_columns = 0, entries = 0;
    check_sparse(cusparseSpMatGetSize(c, &c_rows, &c_columns, &entries), "cusparseSpMatGetSize");
    evenfold::csr<float> product(ctx, static_cast<int>(rows), static_cast<int>(rows),
                                 static_cast<int>(entries));
    check_sparse(cusparseCsrSetPointers(c, product.row_offsets.data(), product.columns.data(),
                                        product.values.data()),
                 "cusparseCsrSetPointers");
    check_sparse(cusparseSpGEMM_copy(library_.handle(), none, none, &one, a, a, &zero, c,
                                     CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, plan),
                 "cusparseSpGEMM_copy");
    cusparseSpGEMM_destroyDescr(plan);
    cusparseDestroySpMat(c);
    cusparseDestroySpMat(a);
    return product;
  }

 private:
  const evenfold::csr<float>& a_;
  sparse_library library_;
};

/// The columns of a row may be in any order in the product of cuSPARSE, so that the offsets and
/// products with a vector are compared.
std::string products_differ(const evenfold::csr<float>& ours, const evenfold::csr<float>& theirs) {
  if (ours.num_nonzeros != theirs.num_nonzeros) return "the numbers of entries differ";
  const int rows = ours.num_rows;
  const std::string wrong =
      difference(ours.row_offsets.data(), theirs.row_offsets.data(), rows + 1, "offsets: ");
  if (!wrong.empty()) return wrong;
  const auto x = filled<small_numbers, float>(rows, 3);
  auto by_ours = device_array<float>(rows);
  auto by_theirs = device_array<float>(rows);
  evenfold::spmv(device_context(), ours.view(), x.data(), by_ours.data());
  evenfold::spmv(device_context(), theirs.view(), x.data(), by_theirs.data());
  return difference(by_ours.data(), by_theirs.data(), rows, "products with a vector: ");
}

prepared_case square(evenfold::csr<float>&& matrix) {
  struct data {
    evenfold::csr<float> a;
    sparse_square theirs{a};
    explicit data(evenfold::csr<float>&& m) : a(std::move(m)) {}
  };
  auto d = std::make_shared<data>(std::move(matrix));
  const auto ours = [=] { return evenfold::spgemm(device_context(), d->a.view(), d->a.view()); };
  const double entries = d->a.num_nonzeros, results = ours().num_nonzeros;
  return {.bytes = 16 * entries + 8 * results,
          .contestants = {{"evenfold spgemm", [=] { ours(); }, {}, 10},
                          {"cuSPARSE SpGEMM", [=] { d->theirs(); }, {}, 10}},
          .check = [=] { return products_differ(ours(), d->theirs()); },
          .marks = {at_most_best_peer(1.0)},
          .host_clock = true};
}

/// Each triangle has three vertices.
prepared_case triangles(const options& chosen) {
  const int scale = chosen.quick ? 16 : 20;
  const auto g = std::make_shared<evenfold::graph<evenfold::pattern>>(
      undirected(device_context(), 1 << scale, 16 << scale, evenfold::rmat_edges(scale, 1)));
  const auto count = [=](bool per_vertex) {
    return evenfold::triangle_count(device_context(), g->view(), {.counts = per_vertex});
  };
  return {.bytes = 4.0 * g->out.num_nonzeros,
          .contestants = {{"evenfold triangle_count", [=] { count(false); }, {}, 10}},
          .check = [=]() -> std::string {
            const auto at_vertices = evenfold::to_host(device_context(), count(true).counts);
            std::int64_t sum = 0;
            for (const std::int64_t n : at_vertices) sum += n;
            return sum == 3 * count(false).total ? "" : "the counts at the vertices differ";
          },
          .host_clock = true};
}

const add_case cases[] = {
    {"spgemm_uniform",
     [](const options& o) {
       const int scale = o.quick ? 16 : 20;
       return square(matrix_of(
           scale, 8,
           evenfold::uniform_edges{evenfold::random_stream(1), std::uint64_t{1} << scale}));
     }},
    {"spgemm_rmat",
     [](const options& o) {
       const int scale = o.quick ? 14 : 18;
       return square(matrix_of(scale, 8, evenfold::rmat_edges(scale, 1)));
     }},
    {"triangles_rmat", triangles},
};

}  // namespace
}  // namespace bench
