// evenfold bfs: the hop distance of every vertex of a graph from one or several of them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/graph_run.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/input/sources.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::bfs {

namespace {

/// In the order of the enumerators of bfs_method.
constexpr std::array<const char*, 5> method_names{"auto", "scan", "frontier", "bitmap",
                                                  "direction"};

constexpr const char* teps_definition =
    "traversed edges per second: edges at reached vertices, an undirected edge counted once, "
    "divided by the time of the search";

struct command_options {
  common_options common;
  graph_options input;
  std::vector<std::string> sources;
  std::string method = method_names[0];
  int repeats = 1;
  bool levels = false, parents = false, verify = false;
  std::string output;
};

struct bfs_answer {
  /// As runtime::bfs_found and runtime::edge_counts.
  std::vector<std::int32_t> levels, parents;
  std::int64_t reached, depth;
  std::vector<bfs_level> table;
  std::int64_t edges, stored_edges, edges_reached;
  /// The time of the search, without that of the parents.
  double ms;
  bfs_report report;
};

bfs_answer run_query(const graph_input& input, const command_options& options,
                     runtime::engine& engine, phases& work) {
  const std::vector<std::int32_t> sources = source_vertices(input, options.sources, options.input);
  const runtime::graph graph = copy_in(engine, input.structure(), options.input, input, work);

  runtime::graph_operations& graphs = engine.graphs();
  work.begin("search");
  const bfs_options how{named<bfs_method>(method_names, options.method), false, options.levels};
  runtime::bfs_found found;
  const double ms = median_milliseconds(engine, options.repeats,
                                        [&] { found = graphs.bfs(graph, sources, how); });

  runtime::array parents;
  if (options.parents) {
    work.begin("parents");
    parents = graphs.bfs_parents(graph, found.levels);
  }
  bfs_answer answer{};
  if (options.verify) {
    work.begin("verify");
    answer.report = graphs.bfs_verify(graph, sources, found, parents);
  }
  work.begin("copy out");
  const runtime::edge_counts counts = graphs.count_edges(graph, found.levels);
  answer.levels = runtime::to_vector<std::int32_t>(engine, found.levels);
  if (options.parents) answer.parents = runtime::to_vector<std::int32_t>(engine, parents);
  answer.reached = found.reached;
  answer.depth = found.depth;
  answer.table = found.table;
  answer.edges = counts.edges;
  answer.stored_edges = graph.num_edges();
  answer.edges_reached = counts.reached;
  answer.ms = ms;
  return answer;
}

double rounded(double ms) { return std::round(ms * 1e4) / 1e4; }

/// One row per level, as text.
std::vector<std::array<std::string, 5>> level_rows(const bfs_answer& answer) {
  std::vector<std::array<std::string, 5>> rows;
  rows.reserve(answer.table.size());
  for (const bfs_level& level : answer.table) {
    rows.push_back({std::to_string(rows.size()), std::to_string(level.vertices),
                    std::to_string(level.edges),
                    level.direction == traversal::top_down ? "top down" : "bottom up",
                    fmt::format("{:.4f}", level.ms)});
  }
  return rows;
}

constexpr std::array<const char*, 5> level_titles{"level", "vertices", "edges", "next_level",
                                                  "time_ms"};

std::string levels_as_table(const bfs_answer& answer) {
  text_table table;
  for (const char* title : level_titles) table.column(title, text_table::align::right);
  for (const auto& row : level_rows(answer)) table.row({row.begin(), row.end()});
  return table.text();
}

std::string levels_as_csv(const bfs_answer& answer) {
  csv_writer csv;
  csv.record(level_titles);
  for (const auto& row : level_rows(answer)) csv.record(row);
  return csv.text();
}

json levels_as_json(const bfs_answer& answer) {
  json list = json::array();
  for (const bfs_level& level : answer.table) {
    list.push_back(
        {{"level", list.size()},
         {"vertices", level.vertices},
         {"edges", level.edges},
         {"next_level", level.direction == traversal::top_down ? "top down" : "bottom up"},
         {"time_ms", rounded(level.ms)}});
  }
  return list;
}

std::string report_of(const bfs_answer& answer, const command_options& options, bool undirected) {
  const output_format format = options.common.format;
  if (options.levels && format == output_format::csv) return levels_as_csv(answer);
  std::vector<std::int64_t> level_counts(answer.reached > 0 ? answer.depth + 1 : 0);
  for (const std::int32_t level : answer.levels) {
    if (level >= 0) ++level_counts[static_cast<std::size_t>(level)];
  }
  record facts;
  facts.add("vertices", std::int64_t{std::ssize(answer.levels)});
  facts.add("edges", answer.edges);
  facts.add("stored_edges", answer.stored_edges);
  facts.add("directed", !undirected);
  facts.add("reached", answer.reached);
  facts.add("depth", answer.depth);
  facts.add_json("level_counts", level_counts);
  facts.add_ms("time_ms", answer.ms);
  facts.add("teps", std::int64_t{std::llround(static_cast<double>(answer.edges_reached) * 1000 /
                                              std::max(answer.ms, 1e-6))});
  facts.add_json("teps_definition", teps_definition);
  if (options.verify) facts.add("verified", true);
  if (options.levels) facts.add_json("levels", levels_as_json(answer));
  std::string text = facts.text(format);
  if (options.levels && format == output_format::table) text += "\n" + levels_as_table(answer);
  return text;
}

void write_csv(const output_rows& rows, const bfs_answer& answer, const vertex_names& names) {
  csv_writer csv;
  if (rows.with_header) {
    csv.field("vertex");
    csv.field("level");
    if (!answer.parents.empty()) csv.field("parent");
    csv.end_record();
  }
  for (std::size_t v = rows.begin; v < rows.end; ++v) {
    csv.field(names.name(static_cast<std::int32_t>(v)));
    csv.field(std::to_string(answer.levels[v]));
    if (!answer.parents.empty()) {
      csv.field(answer.parents[v] < 0 ? std::string() : names.name(answer.parents[v]));
    }
    csv.end_record();
  }
  rows.write(csv.text());
}

void write_output(const output_rows& rows, const bfs_answer& answer, const vertex_names& names) {
  if (!is_written_as(rows.name, ".npy")) return write_csv(rows, answer, names);
  if (answer.parents.empty()) {
    return write_npy_rows(rows, std::span<const std::int32_t>(answer.levels));
  }
  std::vector<std::int32_t> both;
  for (std::size_t v = 0; v < answer.levels.size(); ++v) {
    both.push_back(answer.levels[v]);
    both.push_back(answer.parents[v]);
  }
  write_npy_rows(rows, std::span<const std::int32_t>(both), 2);
}

void run(command_options options) {
  expect_separate_files({{"GRAPH", options.input.path}}, {{"--output", options.output}});
  if (options.parents && options.output.empty() && !options.verify) {
    throw option_error("--parents",
                       "nothing uses the parents, expected --output or --verify as well");
  }
  expect_one_device(options.common, options.levels, "--levels");
  expect_one_device(options.common, options.method != method_names[0], "--method");
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.input.path});
  options.input.pattern = true;
  options.input.whole = options.parents || options.verify;
  const graph_input input = read_graph(options.input, device.host_threads());
  const bfs_answer answer = with_names(
      input, options.input, [&] { return run_query(input, options, device.open(work), work); });
  if (!answer.report.ok()) {
    refuse_answer(input, options.input, answer.report);
  }
  work.begin("report");
  const std::string report = report_of(answer, options, shape_of(options.input, input).undirected);
  finish_rows(work, report, options.common, options.output, answer.levels.size(),
              [&](const output_rows& rows) { write_output(rows, answer, input.names); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command = program.add_subcommand(
      "bfs", "Breadth-first search: hop distances from one or more vertices");
  command->footer(
      "Methods: scan visits all vertices once per level. frontier visits the vertices of the\n"
      "last level, and finds new ones by the array of levels. bitmap finds them by one bit\n"
      "per vertex. direction is direction-optimizing: where the frontier has many edges, it\n"
      "searches backwards from the vertices not yet reached. auto takes direction. teps is the\n"
      "number of edges at reached vertices per second of the search alone; an undirected edge\n"
      "counts once. For example:\n"
      "  evenfold bfs roads.mtx --source 1 --levels --verify\n"
      "  evenfold bfs wiki-Vote.txt --source 30,1412 --output hops.csv --parents");
  add_graph_options(*command, options->input);
  add_source_option(*command, options->sources);
  command
      ->add_option("--method", options->method,
                   "The method: auto, scan, frontier, bitmap or direction")
      ->type_name("METHOD")
      ->check(one_of(method_names))
      ->capture_default_str();
  command->add_flag(
      "--levels", options->levels,
      "Report each level: its vertices, the edges that leave them, how the next level\n"
      "was found, and the time");
  command->add_flag("--parents", options->parents,
                    "Also find the parent of each vertex: the previous vertex on a shortest path");
  add_verify_option(*command, options->verify);
  add_output_option(
      *command, options->output,
      "Write the level of every vertex to this file, -1 for one that is not reached, and\n"
      "with --parents its parent: .csv with names, .npy in the order of the names\n"
      "(parents are indices in that order, from 0)",
      {".csv", ".npy"});
  command
      ->add_option("--repeat", options->repeats,
                   "Number of searches; the report gives their median time")
      ->type_name("N")
      ->check(within(1, std::numeric_limits<int>::max()))
      ->capture_default_str();
  add_common_options(*command, options->common, ranks_of_command::several);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::bfs
