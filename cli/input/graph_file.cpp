#include "cli/input/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/column_list.hpp"
#include "cli/input/graph_parts.hpp"
#include "cli/input/rows.hpp"
#include "cli/process.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/edge_list/reader.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/npy/npz_reader.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

namespace {

/// In the order of the enumerators of evenfold::duplicates.
constexpr std::array<const char*, 4> duplicates_names{"keep", "sum", "first", "refuse"};

void add_file_options(command_spec& command, graph_options& options, const char* name,
                      const char* usual) {
  command.add_option(name, options.path, about_graphs)->required()->type_name("FILE");
  options.duplicates = named<evenfold::duplicates>(duplicates_names, usual);
  command
      .add_text_option(
          "--duplicates",
          [&options](const std::string& text) {
            options.duplicates = named<evenfold::duplicates>(duplicates_names, text);
          },
          "Entries with the same row and column: keep all, sum them, take the first, or refuse\n"
          "the file")
      ->type_name("HOW")
      ->default_str(usual)
      ->check(one_of(duplicates_names))
      ->group("Matrices and graphs");
  command
      .add_text_option(
          "--columns",
          [&options](const std::string& text) { options.columns = parse_edge_columns(text); },
          "For an edge list: the columns of the two vertices and, optionally, of the\n"
          "weight. The default is the first two columns, and the third if there is one")
      ->type_name("FROM,TO[,WEIGHT]")
      ->group("Matrices and graphs");
  command
      .add_flag("--trust-sizes", options.trust_sizes,
                "Accept any number of rows and columns. By default, at most 2^20 or four per byte\n"
                "of the file are accepted, since each of them takes memory")
      ->group("Matrices and graphs");
  add_header_options(command, options.csv.header, "Matrices and graphs");
  add_delimiter_option(
      command, [&options](char delimiter) { options.csv.delimiter = delimiter; },
      "Matrices and graphs");
  add_null_option(
      command, options.csv.nulls,
      "For an edge list in CSV: leave out edges with exactly this text as an end or as\n"
      "the weight; by default, every edge must have both ends, and a number as its weight",
      "Matrices and graphs");
}

/// Entries as arrays that keep them.
template <class Value>
runtime::sparse_entries kept_entries(coo<Value, std::int32_t, std::int64_t> all) {
  runtime::sparse_entries result{
      all.num_rows, all.num_columns,   kept(std::move(all.rows)), kept(std::move(all.columns)),
      {},           !is_pattern<Value>};
  if constexpr (!is_pattern<Value>) result.values = kept(std::move(all.values));
  return result;
}

/// For each entry of compressed rows or columns, the number of its row or column.
std::vector<std::int32_t> lines_of(cpu_context& ctx, const array<std::int64_t>& offsets,
                                   std::size_t count) {
  std::vector<std::int32_t> lines(count);
  for_each_row(ctx, offsets.size() - 1, [&](std::size_t line) {
    std::fill(lines.begin() + offsets[line], lines.begin() + offsets[line + 1],
              static_cast<std::int32_t>(line));
  });
  return lines;
}

/// The entries of a Matrix Market file. A pattern gets no values.
graph_input from_matrix_market(cpu_context& ctx, std::string_view text,
                               const graph_options& options,
                               const std::optional<lines_of_file>& part) {
  const matrix_market_text source(text, options.path);
  const matrix_market_header& header = source.header();
  const matrix_market_options reading{.trust_sizes = options.trust_sizes, .part = part};
  graph_input result;
  if (header.field != matrix_market_field::pattern && !options.pattern) {
    result.entries =
        kept_entries(read_matrix_market<double, std::int32_t, std::int64_t>(ctx, source, reading));
  } else {
    result.entries =
        kept_entries(read_matrix_market<pattern, std::int32_t, std::int64_t>(ctx, source, reading));
  }
  result.kind = "Matrix Market, " + matrix_market_name(header.symmetry);
  result.symmetric = header.symmetry != matrix_market_symmetry::general;
  result.skew = header.symmetry == matrix_market_symmetry::skew_symmetric;
  result.names = vertex_names::counted(std::max(result.num_rows(), result.num_columns()), 1);
  return result;
}

/// Entries in the order that the arrays have them. Values that are all `true` are left out.
graph_input from_npz(cpu_context& ctx, std::string_view bytes, const graph_options& options) {
  const npz_arrays source(ctx, bytes, options.path);
  const npz_read_options reading{options.trust_sizes};
  graph_input result;
  result.kind = "SciPy's sparse .npz";
  const auto take = [&]<class Value>(npz_matrix<Value, std::int32_t, std::int64_t> matrix) {
    if (auto* const entries = std::get_if<2>(&matrix)) return kept_entries(std::move(*entries));
    runtime::sparse_entries found;
    found.has_values = !is_pattern<Value>;
    const auto take_lines = [&](auto& compressed, const array<std::int64_t>& offsets,
                                array<std::int32_t>& across, runtime::array& lines,
                                runtime::array& others) {
      found.num_rows = compressed.num_rows;
      found.num_columns = compressed.num_columns;
      lines = kept(lines_of(ctx, offsets, across.size()));
      others = kept(std::move(across));
      if constexpr (!is_pattern<Value>) found.values = kept(std::move(compressed.values));
    };
    if (auto* const rows = std::get_if<0>(&matrix)) {
      take_lines(*rows, rows->row_offsets, rows->columns, found.rows, found.columns);
    } else {
      auto& columns = std::get<1>(matrix);
      take_lines(columns, columns.column_offsets, columns.rows, found.columns, found.rows);
    }
    return found;
  };
  if (!options.pattern && !source.is_pattern()) {
    result.entries =
        take(read_npz_sparse<double, std::int32_t, std::int64_t>(ctx, source, reading));
  } else {
    result.entries =
        take(read_npz_sparse<pattern, std::int32_t, std::int64_t>(ctx, source, reading));
  }
  result.names = vertex_names::counted(std::max(result.num_rows(), result.num_columns()), 0);
  return result;
}

/// An edge list. Edges without weights get none.
graph_input from_edge_list(cpu_context& ctx, std::string_view text, const graph_options& options,
                           const std::optional<lines_of_file>& part) {
  const edge_list_text source(ctx, text, options.path,
                              {.columns = options.columns,
                               .header = options.csv.header,
                               .delimiter = options.csv.delimiter,
                               .nulls = options.csv.nulls,
                               .part = part});
  // Numbers alone are certainly data: columns of edges have no numbers as names.
  if (source.header().is_guess() && source.header().reason != header_reason::numbers) {
    warn_of_guess(options.path, source.header());
  }
  graph_input result;
  result.kind = "edge list";
  result.named = true;
  const auto take = [&](auto list) {
    result.entries = kept_entries(std::move(list.edges));
    result.names = std::move(list.names);
  };
  if (source.weighted() && !options.pattern) {
    take(read_edge_list<double>(ctx, source));
  } else {
    take(read_edge_list<pattern>(ctx, source));
  }
  return result;
}

}  // namespace

bool is_matrix_market(std::string_view text, const std::string& path) {
  return text.starts_with("%%") || has_ending(path, ".mtx");
}

graph_input read_text(cpu_context& ctx, std::string_view text, const graph_options& options,
                      const std::optional<lines_of_file>& part) {
  const std::string& path = options.path;
  const bool is_npz = text.starts_with(detail::zip_magic);
  if ((is_npz || is_matrix_market(text, path)) && !options.columns.empty()) {
    throw error(fmt::format("{}: this is not an edge list (.txt, .csv), expected no --columns",
                            input_name(path)));
  }
  if (is_npz) return from_npz(ctx, text, options);
  if (is_matrix_market(text, path)) return from_matrix_market(ctx, text, options, part);
  return from_edge_list(ctx, text, options, part);
}

graph_input read_matrix(const graph_options& options, int threads) {
  cpu_context ctx(threads);
  if (processes() != nullptr) {
    if (auto parts = read_in_parts(ctx, options)) return std::move(*parts);
  }
  const file_text file(ctx, options.path);
  return read_text(ctx, detail::utf8_text(file.text(), options.path), options, {});
}

graph_input read_graph(const graph_options& options, int threads) {
  graph_input result = read_matrix(options, threads);
  if (result.num_rows() != result.num_columns()) {
    throw error(
        fmt::format("{}: the matrix is {} by {}, expected a square one: row i and column i are "
                    "vertex i of the graph",
                    input_name(options.path), result.num_rows(), result.num_columns()));
  }
  return result;
}

namespace {

/// T is the type of the names.
template <class T>
void number_by_names(const std::array<graph_input*, 2>& inputs) {
  const auto name = [](const vertex_names& names, std::int32_t v) {
    if constexpr (std::is_same_v<T, std::string>) {
      return names.name(v);
    } else {
      return names.number(v);
    }
  };
  std::vector<T> all;
  for (const graph_input* input : inputs) {
    for (std::int32_t v = 0; v < input->names.size(); ++v) all.push_back(name(input->names, v));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw error(
        fmt::format("the two edge lists have {} vertices, expected at most 2^31 - 1", all.size()));
  }
  for (graph_input* input : inputs) {
    std::vector<std::int32_t> number;
    for (std::int32_t v = 0; v < input->names.size(); ++v) {
      const auto at = std::lower_bound(all.begin(), all.end(), name(input->names, v));
      number.push_back(static_cast<std::int32_t>(at - all.begin()));
    }
    for (runtime::array* ends : {&input->entries.rows, &input->entries.columns}) {
      auto* const vertices = static_cast<std::int32_t*>(ends->mutable_address());
      for (std::size_t k = 0; k < ends->size(); ++k) {
        vertices[k] = number[static_cast<std::size_t>(vertices[k])];
      }
    }
    input->names = vertex_names::of(all);
    input->entries.num_rows = input->entries.num_columns = input->names.size();
  }
}

}  // namespace

void number_together(graph_input& a, graph_input& b) {
  if (a.names.are_numbers() && b.names.are_numbers()) {
    number_by_names<std::int64_t>({&a, &b});
  } else {
    number_by_names<std::string>({&a, &b});
  }
}

runtime::sparse_entries graph_input::structure() const {
  return {entries.num_rows,
          entries.num_columns,
          entries.rows.share(),
          entries.columns.share(),
          {},
          false,
          entries.of_all};
}

void count_each_entry(graph_input& input) {
  if (input.weighted()) return;
  input.entries.values = kept(std::vector<double>(input.entries.columns.size(), 1.));
  input.entries.has_values = true;
}

void add_graph_options(command_spec& command, graph_options& options) {
  add_file_options(command, options, "GRAPH", "first");
  option_spec* const directed =
      command
          .add_flag("--directed", options.directed,
                    "Every entry is a directed edge; a symmetric file contains both directions")
          ->group("Matrices and graphs");
  command
      .add_flag("--undirected", options.undirected,
                "Every entry is an undirected edge; the default for a symmetric Matrix Market file")
      ->excludes(directed)
      ->group("Matrices and graphs");
}

void add_matrix_options(command_spec& command, graph_options& options) {
  add_file_options(command, options, "MATRIX", "sum");
}

runtime::graph_shape shape_of(const graph_options& options, const graph_input& input) {
  runtime::graph_shape shape;
  shape.undirected = options.undirected || (input.symmetric && !options.directed);
  shape.symmetrize = shape.undirected && !input.symmetric;
  shape.duplicates = options.duplicates;
  return shape;
}

runtime::graph copy_in(runtime::engine& engine, const runtime::sparse_entries& entries,
                       const graph_options& options, const graph_input& input, phases& work) {
  work.begin("copy in");
  runtime::graph graph = runtime::make_graph(engine, entries, shape_of(options, input));
  engine.synchronize();
  return graph;
}

error named_refusal(const duplicate_entry_error& refused, const graph_input& input,
                    const graph_options& options) {
  return error(fmt::format(
      "{}: more than one entry leads from {} to {}, expected at most one; --duplicates "
      "sum, first or keep accepts more",
      input_name(options.path), input.names.name(static_cast<std::int32_t>(refused.row())),
      input.names.name(static_cast<std::int32_t>(refused.column()))));
}

void check_weights(const graph_input& input, const graph_options& options,
                   negative_weights negative) {
  const bool from_0 = negative == negative_weights::refused;
  const auto weights = input.entries.values.host<double>();
  const auto found = std::find_if(weights.begin(), weights.end(), [&](double weight) {
    return !std::isfinite(weight) || (from_0 && weight < 0);
  });
  struct bad_edge {
    double weight = 0;
    std::int32_t from = -1, to = -1;
  };
  std::vector<bad_edge> bad(1);
  if (found != weights.end()) {
    const auto k = static_cast<std::size_t>(found - weights.begin());
    bad[0] = {*found, input.entries.rows.host<std::int32_t>()[k],
              input.entries.columns.host<std::int32_t>()[k]};
  }
  if (input.entries.of_all) bad = runtime::gather(*processes(), bad[0]);
  for (const bad_edge& edge : bad) {
    if (edge.from < 0) continue;
    throw error(fmt::format("{}: the edge from {} to {} weighs {}, expected a finite weight{}",
                            input_name(options.path), input.names.name(edge.from),
                            input.names.name(edge.to), edge.weight,
                            from_0 ? " of at least 0" : ""));
  }
}

std::int32_t vertex_named(const graph_input& input, const std::string& name,
                          const graph_options& options, const char* option) {
  if (const auto vertex = input.names.find(name)) return *vertex;
  const std::int32_t count = input.names.size();
  throw error(
      count == 0
          ? fmt::format("{}: there is no vertex {} for {}, since the graph is empty",
                        input_name(options.path), shown(name), option)
          : fmt::format("{}: there is no vertex {} for {}, expected one of {}, from {} to {}",
                        input_name(options.path), shown(name), option, count,
                        shown(input.names.name(0)), shown(input.names.name(count - 1))));
}

}  // namespace evenfold::cli
