// evenfold info: size, degrees and components of a sparse matrix or a graph.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/draw/degree_chart.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/plot.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/graphs.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::cli::commands::info {

namespace {

struct info_options {
  common_options common;
  graph_options input;
  std::string plot;
};

/// rows[i] rows have degrees[i] entries each; the degrees ascend.
struct degree_distribution {
  std::vector<std::int64_t> degrees, rows;
};

/// Entries with the same row and column count once.
struct info_answer {
  std::int64_t entries = 0;
  std::int64_t on_diagonal = 0;
  /// Entries of the file whose row and column occurred before.
  std::int64_t duplicates = 0;
  degree_summary rows, columns;
  degree_distribution row_degrees, column_degrees;
  /// For a square matrix: whether it is symmetric, and its connected components.
  bool symmetric = false;
  std::int32_t components = 0, largest_component = 0;
};

degree_distribution distribution_of(runtime::engine& engine, const runtime::sparse_rows& rows) {
  const runtime::degree_distribution found = engine.sparse().distribution(rows);
  return {runtime::to_vector<std::int64_t>(engine, found.degrees),
          runtime::to_vector<std::int64_t>(engine, found.rows)};
}

info_answer run_query(const graph_input& input, const info_options& options,
                      runtime::engine& engine, phases& work) {
  runtime::sparse_operations& sparse = engine.sparse();
  work.begin("copy in");
  const runtime::sparse_entries entries = runtime::local(engine, input.structure());
  engine.synchronize();
  work.begin("count");
  runtime::sparse_rows rows = sparse.to_rows(entries, duplicates::first);
  info_answer result;
  result.duplicates = entries.num_nonzeros() - rows.num_nonzeros();
  if (shape_of(options.input, input).symmetrize) {
    rows = sparse.to_rows(sparse.symmetrize(sparse.to_entries(rows)), duplicates::first);
  }
  runtime::sparse_rows columns = sparse.transpose(rows);
  result.entries = rows.num_nonzeros();
  result.on_diagonal = sparse.count_on_diagonal(rows);
  result.rows = sparse.degrees(rows);
  result.columns = sparse.degrees(columns);
  if (!options.plot.empty()) {
    result.row_degrees = distribution_of(engine, rows);
    result.column_degrees = distribution_of(engine, columns);
  }
  if (rows.num_rows != rows.num_columns) return result;

  result.symmetric = sparse.have_same_pattern(rows, columns);
  work.begin("components");
  const runtime::graph graph = result.symmetric
                                   ? runtime::undirected_graph(rows)
                                   : runtime::graph{std::move(rows), std::move(columns)};
  const runtime::component_summary counts =
      engine.graphs().count_components(engine.graphs().component_labels(graph));
  result.components = counts.components;
  result.largest_component = counts.largest;
  return result;
}

/// The file and what was found in it.
struct outcome {
  const graph_input& input;
  const info_answer& found;

  bool is_graph() const { return input.num_rows() == input.num_columns(); }
  /// The degrees in both directions, which are the same for a matrix that equals its transpose.
  std::vector<std::pair<const char*, const degree_summary*>> directions() const {
    if (!is_graph()) return {{"row", &found.rows}, {"column", &found.columns}};
    if (found.symmetric) return {{"degree", &found.rows}};
    return {{"out", &found.rows}, {"in", &found.columns}};
  }
};

void add_facts(const outcome& all, record& facts) {
  const info_answer& found = all.found;
  facts.add("kind", all.input.kind);
  if (all.is_graph()) {
    facts.add("vertices", found.rows.rows);
    facts.add("stored_edges", found.entries);
    facts.add("symmetric", found.symmetric);
    facts.add("weights", all.input.weighted());
    facts.add("self_loops", found.on_diagonal);
    facts.add("duplicates", found.duplicates);
    facts.add("components", std::int64_t{found.components});
    facts.add("largest_component", std::int64_t{found.largest_component});
  } else {
    facts.add("rows", found.rows.rows);
    facts.add("columns", found.columns.rows);
    facts.add("entries", found.entries);
    facts.add("values", all.input.weighted());
    facts.add("duplicates", found.duplicates);
  }
}

std::string as_table(const outcome& all) {
  record facts;
  add_facts(all, facts);
  text_table degrees;
  degrees.column(all.is_graph() ? "edges" : "entries", text_table::align::left);
  for (const char* name : {"min", "mean", "median", "max", "skew", "gini", "without"}) {
    degrees.column(name, text_table::align::right);
  }
  for (const auto& [name, of] : all.directions()) {
    degrees.row({name, text_of(of->min), fmt::format("{:.2f}", of->mean),
                 fmt::format("{:g}", of->median), text_of(of->max), fmt::format("{:.2f}", of->skew),
                 fmt::format("{:.3f}", of->gini), text_of(of->empty_rows)});
  }
  return facts.list() + "\n" + degrees.text();
}

std::string as_record(const outcome& all, output_format format) {
  record facts;
  add_facts(all, facts);
  for (const auto& [name, of] : all.directions()) {
    const std::string direction = name;
    facts.add(direction + "_min", of->min);
    facts.add(direction + "_mean", of->mean);
    facts.add(direction + "_median", of->median);
    facts.add(direction + "_max", of->max);
    facts.add(direction + "_skew", of->skew);
    facts.add(direction + "_gini", of->gini);
    facts.add(direction + "_without", of->empty_rows);
  }
  return facts.text(format);
}

/// Thousands separated by thin spaces.
std::string grouped(std::int64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, "\u202f");
  return text;
}

std::string as_picture(const outcome& all, const std::string& path) {
  const info_answer& found = all.found;
  degree_chart chart;
  chart.title = path.substr(path.rfind('/') + 1);
  const auto add = [&](const char* name, const degree_distribution& of,
                       const degree_summary& summary) {
    std::string about =
        fmt::format("{}: mean {:.1f}, largest {}", name, summary.mean, grouped(summary.max));
    if (summary.empty_rows > 0) about += fmt::format(", {} without", grouped(summary.empty_rows));
    chart.series.push_back({std::move(about), of.degrees, of.rows});
  };
  if (!all.is_graph()) {
    chart.x_label = "entries";
    chart.y_label = "rows, columns";
    chart.subtitle = fmt::format("{} rows, {} columns, {} entries", grouped(found.rows.rows),
                                 grouped(found.columns.rows), grouped(found.entries));
    add("entries of a row", found.row_degrees, found.rows);
    add("entries of a column", found.column_degrees, found.columns);
    return draw_degrees(chart);
  }
  chart.x_label = "degree";
  chart.y_label = "vertices";
  chart.subtitle = fmt::format("{} vertices, {} stored edges, {} {}", grouped(found.rows.rows),
                               grouped(found.entries), grouped(found.components),
                               found.components == 1 ? "component" : "components");
  if (found.symmetric) {
    add("degree", found.row_degrees, found.rows);
  } else {
    add("out-degree", found.row_degrees, found.rows);
    add("in-degree", found.column_degrees, found.columns);
  }
  return draw_degrees(chart);
}

void run(const info_options& options) {
  expect_separate_files({{"GRAPH", options.input.path}}, {{"--plot", options.plot}});
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.input.path});
  const bool as_graph = options.input.directed || options.input.undirected;
  const int threads = device.host_threads();
  const graph_input input =
      as_graph ? read_graph(options.input, threads) : read_matrix(options.input, threads);
  const info_answer found = run_query(input, options, device.open(work), work);
  work.begin("report");
  const outcome all{input, found};
  const output_format format = options.common.format;
  const std::string report =
      format == output_format::table ? as_table(all) : as_record(all, format);
  output_set files;
  if (!options.plot.empty()) {
    write_plot(files.add(options.plot), as_picture(all, options.input.path));
  }
  finish(work, report, options.common, files);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<info_options>();
  command_spec* const command = program.add_subcommand(
      "info", "Size, degrees and connected components of a graph or a sparse matrix");
  command->footer(
      "An entry that occurs several times counts once; `duplicates` counts its repetitions.\n"
      "The components ignore the direction of edges. `skew` is max / mean. `gini` is the Gini\n"
      "coefficient: 0 if all degrees are equal, and near 1 if one vertex has all edges.\n"
      "`without` is the number of vertices of degree 0. For example:\n"
      "  evenfold info graph.mtx --plot degrees.svg");
  add_graph_options(*command, options->input);
  command->remove_option("--duplicates");
  add_plot_option(*command, options->plot,
                  "Draw the number of vertices of each degree to this file, on logarithmic axes");
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::info
