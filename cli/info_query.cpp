// Looks at a matrix or a graph. Compiled by the host compiler and, with the CUDA backend, by nvcc
// as well.

#include "cli/info_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/graph/components.hpp"
#include "evenfold/graph/make_graph.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/edit.hpp"

namespace evenfold::cli {

namespace {

using rows_of_pattern = csr<pattern, std::int32_t, std::int64_t>;
using rows_view = csr_view<const pattern, std::int32_t, std::int64_t>;

template <class Context>
degree_distribution distribution_of(Context& ctx, rows_view a) {
  array<std::int64_t> lengths(ctx, a.num_rows);
  array<std::int64_t> degrees(ctx, a.num_rows);
  array<std::int64_t> begins(ctx, a.num_rows);
  transform(ctx, a.num_rows, write_result{row_length<std::int64_t>{a.row_offsets}, lengths.data()});
  sort(ctx, lengths.data(), a.num_rows, less{});
  const auto count = unique_offsets(ctx, lengths.data(), std::int64_t{a.num_rows}, equal_to{},
                                    degrees.data(), begins.data());
  degree_distribution result{to_host(ctx, degrees.data(), count),
                             to_host(ctx, begins.data(), count)};
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const bool last = i + 1 == result.rows.size();
    result.rows[i] = (last ? a.num_rows : result.rows[i + 1]) - result.rows[i];
  }
  return result;
}

template <class Context>
std::int64_t count_on_diagonal(Context& ctx, rows_view a) {
  const array<std::int32_t> rows = rows_of_entries(ctx, a);
  const std::int32_t* const row = rows.data();
  return transform_reduce(
      ctx, a.num_nonzeros,
      EF_LAMBDA(std::int64_t k) { return std::int64_t{row[k] == a.columns[k]}; }, plus{},
      std::int64_t{0});
}

template <class Context>
info_answer answer_on(Context& ctx, const info_query& query, const on_phase& begin) {
  begin("copy in");
  const coo<pattern, std::int32_t, std::int64_t> entries = to_context(ctx, query.entries);
  ctx.synchronize();
  begin("count");
  rows_of_pattern rows = to_csr(ctx, entries.view(), duplicates::first);
  info_answer result;
  result.duplicates = entries.num_nonzeros - rows.num_nonzeros;
  if (query.symmetrize) {
    const auto both_ways = symmetrize(ctx, to_coo(ctx, rows.view()).view());
    rows = to_csr(ctx, both_ways.view(), duplicates::first);
  }
  const rows_of_pattern columns = transpose(ctx, rows.view());
  result.entries = rows.num_nonzeros;
  result.on_diagonal = count_on_diagonal(ctx, rows.view());
  result.rows = degree_statistics(ctx, rows.view());
  result.columns = degree_statistics(ctx, columns.view());
  if (query.distributions) {
    result.row_degrees = distribution_of(ctx, rows.view());
    result.column_degrees = distribution_of(ctx, columns.view());
  }
  if (rows.num_rows != rows.num_columns) return result;

  result.symmetric = have_same_pattern(ctx, rows_view(rows.view()), rows_view(columns.view()));
  begin("components");
  const graph_view<const pattern, std::int32_t, std::int64_t> graph{
      rows.view(), result.symmetric ? rows.view() : columns.view()};
  array<std::int32_t> labels(ctx, rows.num_rows);
  connected_components(ctx, graph, labels.data());
  const component_counts<std::int32_t> counts = count_components(ctx, labels.data(), rows.num_rows);
  result.components = counts.components;
  result.largest_component = counts.largest;
  return result;
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

info_answer info(const info_query& query, device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) { return answer_on(ctx, query, begin); });
}

}  // namespace of the backend

}  // namespace evenfold::cli
