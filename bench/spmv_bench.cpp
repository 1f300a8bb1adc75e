// spmv on CPU threads, compared with two common loops: equal numbers of rows per thread, and the
// merge path of rows and entries with one piece per thread.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "bench/shapes.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace bench {
namespace {

using evenfold::array;
using matrix = evenfold::csr<double>;

struct product {
  evenfold::cpu_context ctx;
  matrix a;
  array<double> x, ours, theirs;

  product(int threads, const evenfold::coo<double>& entries)
      : ctx(threads),
        a(to_csr(ctx, entries.view())),
        x(ctx, a.num_columns),
        ours(ctx, a.num_rows),
        theirs(ctx, a.num_rows) {
    const evenfold::random_stream random(1);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = random.uniform<double>(j);
  }
};

void static_rows(const matrix& a, const double* x, double* y) {
  const int* const offsets = a.row_offsets.data();
  const int* const columns = a.columns.data();
  const double* const values = a.values.data();
#pragma omp parallel for schedule(static)
  for (int r = 0; r < a.num_rows; ++r) {
    double sum = 0;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k) sum += values[k] * x[columns[k]];
    y[r] = sum;
  }
}

/// The loop of Merrill and Garland: each thread takes an equal piece of the merge of row ends and
/// entries. The partial sum of its last row is added at the end.
void merge_path(const matrix& a, const double* x, double* y) {
  const int* const ends = a.row_offsets.data() + 1;
  const int* const columns = a.columns.data();
  const double* const values = a.values.data();
  const int threads = omp_get_max_threads();
  const std::int64_t steps = std::int64_t{a.num_rows} + a.num_nonzeros;
  std::vector<int> open_row(static_cast<std::size_t>(threads));
  std::vector<double> open_sum(static_cast<std::size_t>(threads));
#pragma omp parallel for schedule(static)
  for (int t = 0; t < threads; ++t) {
    const auto row_at = [&](std::int64_t diagonal) {
      int low = static_cast<int>(std::max<std::int64_t>(diagonal - a.num_nonzeros, 0));
      int high = static_cast<int>(std::min<std::int64_t>(diagonal, a.num_rows));
      while (low < high) {
        const int middle = (low + high) / 2;
        if (ends[middle] <= diagonal - middle - 1) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    };
    const std::int64_t first = steps * t / threads, last = steps * (t + 1) / threads;
    int r = row_at(first);
    const int row_end = row_at(last);
    auto k = static_cast<int>(first - r);
    const auto entry_end = static_cast<int>(last - row_end);
    for (; r < row_end; ++r) {
      double sum = 0;
      for (; k < ends[r]; ++k) sum += values[k] * x[columns[k]];
      y[r] = sum;
    }
    double sum = 0;
    for (; k < entry_end; ++k) sum += values[k] * x[columns[k]];
    open_row[static_cast<std::size_t>(t)] = r;
    open_sum[static_cast<std::size_t>(t)] = sum;
  }
  for (std::size_t t = 0; t < open_row.size(); ++t) {
    if (open_row[t] < a.num_rows) y[open_row[t]] += open_sum[t];
  }
}

prepared_case spmv(std::shared_ptr<product> d, int repeats_factor) {
  const auto ours = [=] {
    const matrix& a = d->a;
    evenfold::spmv(d->ctx, a.view(), d->x.data(), d->ours.data());
  };
  const double nonzeros = d->a.num_nonzeros, rows = d->a.num_rows;
  return {
      .bytes = 12 * nonzeros + 20 * rows,
      .contestants = {{"evenfold spmv", ours},
                      {"merge path", [=] { merge_path(d->a, d->x.data(), d->theirs.data()); }},
                      {"static rows", [=] { static_rows(d->a, d->x.data(), d->theirs.data()); }}},
      .check = [=]() -> std::string {
        ours();
        merge_path(d->a, d->x.data(), d->theirs.data());
        for (std::size_t r = 0; r < d->ours.size(); ++r) {
          const double most = 1e-12 * (1 + std::abs(d->theirs[r]));
          if (!(std::abs(d->ours[r] - d->theirs[r]) <= most)) {
            return "row " + std::to_string(r) + " is not that of the loop";
          }
        }
        return "";
      },
      .marks = {at_most_best_peer(1.0)},
      .repeats_factor = repeats_factor};
}

prepared_case rmat(const options& chosen) {
  const int scale = chosen.quick ? 16 : 20;
  evenfold::cpu_context ctx(chosen.threads);
  evenfold::coo<double> entries(ctx, 1 << scale, 1 << scale, 16 << scale);
  const evenfold::rmat_edges edges(scale, 1);
#pragma omp parallel for schedule(static)
  for (int k = 0; k < entries.num_nonzeros; ++k) {
    const evenfold::edge e = edges(static_cast<std::uint64_t>(k));
    entries.rows[static_cast<std::size_t>(k)] = static_cast<int>(e.from);
    entries.columns[static_cast<std::size_t>(k)] = static_cast<int>(e.to);
    entries.values[static_cast<std::size_t>(k)] = 1;
  }
  return spmv(std::make_shared<product>(chosen.threads, entries), 1);
}

prepared_case memplus(const options& chosen) {
  evenfold::cpu_context ctx(chosen.threads);
  const auto entries = evenfold::read_matrix_market<double>(ctx, data_file("matrices/memplus.mtx"));
  return spmv(std::make_shared<product>(chosen.threads, entries), 20);
}

/// Rows of random lengths around a mean, and random columns.
template <int Mean>
prepared_case random_rows(const options& chosen) {
  const int count = chosen.quick ? 1 << 20 : 1 << 24;
  const std::vector<int> offsets = uniform_shape(count, Mean);
  const auto rows = static_cast<int>(offsets.size()) - 1;
  evenfold::cpu_context ctx(chosen.threads);
  evenfold::coo<double> entries(ctx, rows, rows, count);
  const evenfold::random_stream random(2);
#pragma omp parallel for schedule(static)
  for (int r = 0; r < rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (auto k = static_cast<std::size_t>(offsets[row]);
         k < static_cast<std::size_t>(offsets[row + 1]); ++k) {
      entries.rows[k] = r;
      entries.columns[k] = static_cast<int>(random.below(2 * k, static_cast<unsigned>(rows)));
      entries.values[k] = random.uniform<double>(2 * k + 1);
    }
  }
  return spmv(std::make_shared<product>(chosen.threads, entries), 1);
}

const add_case generated[] = {{"spmv_rmat", rmat},
                              {"spmv_uniform_8", random_rows<8>},
                              {"spmv_uniform_16", random_rows<16>},
                              {"spmv_uniform_50", random_rows<50>}};
const auto from_file = std::filesystem::exists(data_file("matrices/memplus.mtx"))
                           ? std::make_unique<add_case>("spmv_memplus", memplus)
                           : nullptr;

}  // namespace
}  // namespace bench
