// to_csr and transpose on CPU threads, compared with the loops of SciPy: a serial counting sort by
// row, and, for sorted columns, a std::sort of each row. Each call allocates its results, as in a
// program.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/harness.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/sparse/convert.hpp"

namespace bench {
namespace {

/// The order of the entries in the list.
enum class order { chance, by_columns, by_rows };

struct entries {
  evenfold::cpu_context ctx;
  evenfold::coo<double> a;
  evenfold::csr<double> ours, theirs;

  template <class Edges>
  entries(int threads, int rows, int count, Edges edges, order how)
      : ctx(threads), a(ctx, rows, rows, count) {
    std::vector<evenfold::edge> list(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) list[i] = edges(static_cast<std::uint64_t>(i));
    const auto position = [&](const evenfold::edge& e) {
      return how == order::by_rows ? std::pair(e.from, e.to) : std::pair(e.to, e.from);
    };
    if (how != order::chance) {
      std::sort(list.begin(), list.end(),
                [&](const auto& x, const auto& y) { return position(x) < position(y); });
    }
    for (int i = 0; i < count; ++i) {
      a.rows[i] = static_cast<int>(list[i].from);
      a.columns[i] = static_cast<int>(list[i].to);
      a.values[i] = i;
    }
  }
};

/// The loops of scipy.sparse.coo_array.tocsr before duplicates are summed.
void count_into_rows(const evenfold::coo<double>& a, evenfold::csr<double>& b) {
  const std::size_t rows = static_cast<std::size_t>(a.num_rows);
  const std::size_t count = a.rows.size();
  int* const offsets = b.row_offsets.data();
  std::fill_n(offsets, rows + 1, 0);
  for (std::size_t k = 0; k < count; ++k) ++offsets[a.rows[k]];
  int before = 0;
  for (std::size_t r = 0; r <= rows; ++r) before += std::exchange(offsets[r], before);
  for (std::size_t k = 0; k < count; ++k) {
    const int to = offsets[a.rows[k]]++;
    b.columns[to] = a.columns[k];
    b.values[to] = a.values[k];
  }
  for (std::size_t r = rows; r > 0; --r) offsets[r] = offsets[r - 1];
  offsets[0] = 0;
}

/// The loops of csr_array.sort_indices, but stable, so that results can be compared.
void sort_columns(evenfold::csr<double>& b) {
  std::vector<std::pair<int, double>> row;
  for (int r = 0; r < b.num_rows; ++r) {
    const int begin = b.row_offsets[r];
    const int end = b.row_offsets[r + 1];
    row.clear();
    for (int k = begin; k < end; ++k) row.emplace_back(b.columns[k], b.values[k]);
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (int k = begin; k < end; ++k) std::tie(b.columns[k], b.values[k]) = row[k - begin];
  }
}

std::string rows_differ(const evenfold::csr<double>& a, const evenfold::csr<double>& b) {
  const auto same = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  if (!same(a.row_offsets, b.row_offsets)) return "the offsets differ";
  if (!same(a.columns, b.columns)) return "the columns differ";
  return same(a.values, b.values) ? "" : "the values differ";
}

template <class Edges>
prepared_case coo_to_csr(const options& chosen, int row_bits, Edges edges, order how,
                         bool ordered_peer) {
  const int bits = chosen.quick ? std::min(row_bits, 14) : row_bits;
  const auto d = std::make_shared<entries>(chosen.threads, 1 << bits, 16 << bits, edges(bits), how);
  const auto ours = [=] {
    d->ours = {};
    d->ours = evenfold::to_csr(d->ctx, std::as_const(d->a).view(), evenfold::duplicates::keep);
  };
  const auto counted = [=] {
    d->theirs = {};
    d->theirs = evenfold::csr<double>(d->ctx, d->a.num_rows, d->a.num_columns, d->a.num_nonzeros);
    count_into_rows(d->a, d->theirs);
  };
  const auto ordered = [=] {
    counted();
    sort_columns(d->theirs);
  };
  std::vector<contestant> all = {{"evenfold to_csr", ours},
                                 {"SciPy's loop, columns unordered", counted}};
  if (ordered_peer) all.push_back({"SciPy's loop, columns sorted", ordered, {}, 3});
  return {.bytes = 28.0 * (16 << bits),
          .contestants = std::move(all),
          .check =
              [=] {
                ours();
                ordered();
                return rows_differ(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(2.0)}};
}

evenfold::uniform_edges uniform(int bits) {
  return {evenfold::random_stream(1), std::uint64_t{1} << bits};
}
evenfold::rmat_edges rmat(int bits) { return {bits, 2}; }

const add_case cases[] = {
    {"coo_to_csr_uniform",
     [](const options& o) { return coo_to_csr(o, 20, uniform, order::chance, true); }},
    {"coo_to_csr_rmat",
     [](const options& o) { return coo_to_csr(o, 20, rmat, order::chance, true); }},
    {"coo_to_csr_uniform_small",
     [](const options& o) { return coo_to_csr(o, 14, uniform, order::chance, true); }},
    {"coo_to_csr_rmat_by_columns",
     [](const options& o) { return coo_to_csr(o, 18, rmat, order::by_columns, false); }},
    {"coo_to_csr_rmat_by_rows",
     [](const options& o) { return coo_to_csr(o, 18, rmat, order::by_rows, false); }},
};

}  // namespace
}  // namespace bench
