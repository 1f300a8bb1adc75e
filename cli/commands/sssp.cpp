// evenfold sssp: the length of a shortest path to every vertex of a graph from one or several of
// them.

#include <fmt/format.h>

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
#include "cli/input/finite.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/input/sources.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::sssp {

namespace {

struct command_options {
  common_options common;
  graph_options input;
  std::vector<std::string> sources;
  double delta = 0;
  int repeats = 1;
  bool parents = false, verify = false;
  std::string output;
};

struct sssp_answer {
  /// As runtime::sssp_found.
  std::vector<double> distances;
  std::vector<std::int32_t> parents;
  std::int64_t reached;
  double max_distance;
  std::int64_t edges;
  double ms;
  sssp_report report;
};

sssp_answer run_query(const graph_input& input, const command_options& options,
                      runtime::engine& engine, phases& work) {
  const std::vector<std::int32_t> sources = source_vertices(input, options.sources, options.input);
  const runtime::graph graph = copy_in(engine, input.entries, options.input, input, work);

  work.begin("search");
  runtime::graph_operations& graphs = engine.graphs();
  const sssp_options how{.delta = options.delta, .parents = options.parents};
  runtime::sssp_found found;
  const double ms = median_milliseconds(engine, options.repeats,
                                        [&] { found = graphs.sssp(graph, sources, how); });
  sssp_answer answer{};
  if (options.verify) {
    work.begin("verify");
    answer.report = graphs.sssp_verify(graph, sources, found);
  }
  work.begin("copy out");
  answer.distances = runtime::to_vector<double>(engine, found.distances);
  if (options.parents) answer.parents = runtime::to_vector<std::int32_t>(engine, found.parents);
  answer.reached = found.reached;
  answer.max_distance = found.max_distance;
  answer.edges = graph.num_edges();
  answer.ms = ms;
  return answer;
}

std::string report_of(const sssp_answer& answer, const command_options& options, bool undirected,
                      bool weighted) {
  record facts;
  facts.add("vertices", std::int64_t{std::ssize(answer.distances)});
  facts.add("stored_edges", answer.edges);
  facts.add("directed", !undirected);
  facts.add("weighted", weighted);
  facts.add("reached", answer.reached);
  facts.add("max_distance", answer.max_distance);
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  return facts.text(options.common.format);
}

void write_output(const output_rows& rows, const sssp_answer& answer, const vertex_names& names) {
  if (is_written_as(rows.name, ".npy")) {
    return write_npy_rows(rows, std::span<const double>(answer.distances));
  }
  csv_writer csv;
  if (rows.with_header) {
    csv.field("vertex");
    csv.field("distance");
    if (!answer.parents.empty()) csv.field("parent");
    csv.end_record();
  }
  for (std::size_t v = rows.begin; v < rows.end; ++v) {
    const bool reached = std::isfinite(answer.distances[v]);
    csv.field(names.name(static_cast<std::int32_t>(v)));
    csv.field(reached ? text_of(answer.distances[v]) : std::string());
    if (!answer.parents.empty()) {
      csv.field(reached ? names.name(answer.parents[v]) : std::string());
    }
    csv.end_record();
  }
  rows.write(csv.text());
}

void run(command_options options) {
  expect_separate_files({{"GRAPH", options.input.path}}, {{"--output", options.output}});
  if (options.parents && options.output.empty() && !options.verify) {
    throw option_error("--parents",
                       "nothing uses the parents, expected --output or --verify as well");
  }
  if (options.parents && is_written_as(options.output, ".npy")) {
    throw option_error("--parents", "a .npy file has only the distances, expected a .csv file");
  }
  expect_one_device(options.common, options.parents, "--parents");
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.input.path});
  options.input.whole = options.verify;
  graph_input input = read_graph(options.input, device.host_threads());
  const bool weighted = input.weighted();
  count_each_entry(input);
  check_weights(input, options.input);
  const sssp_answer answer = with_names(
      input, options.input, [&] { return run_query(input, options, device.open(work), work); });
  if (!answer.report.ok()) refuse_answer(input, options.input, answer.report);
  work.begin("report");
  const bool undirected = shape_of(options.input, input).undirected;
  const std::string report = report_of(answer, options, undirected, weighted);
  finish_rows(work, report, options.common, options.output, answer.distances.size(),
              [&](const output_rows& rows) { write_output(rows, answer, input.names); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command = program.add_subcommand(
      "sssp", "Shortest paths: the distance of every vertex from one or more vertices");
  command->footer(
      "The weight of an edge is its length: a value of the matrix, or the third column of an\n"
      "edge list. It is a finite number of at least 0. Edges without weights have the\n"
      "length 1. Of edges that occur more than once, the first counts, unless --duplicates\n"
      "keep lets the shortest count. For example:\n"
      "  evenfold sssp roads.csv --undirected --source Oslo --output km.csv --parents\n"
      "  evenfold sssp web.mtx --source 1,7 --verify");
  add_graph_options(*command, options->input);
  add_source_option(*command, options->sources);
  command
      ->add_option("--delta", options->delta,
                   "Handle vertices together whose distances differ by at most D; 0 chooses D.\n"
                   "The result does not depend on it")
      ->type_name("D")
      ->check(finite(0))
      ->capture_default_str();
  command->add_flag("--parents", options->parents,
                    "Also find the parent of each vertex: the previous vertex on a shortest path");
  add_verify_option(*command, options->verify);
  add_output_option(
      *command, options->output,
      "Write the distance of every vertex to this file: .csv with names, empty for a\n"
      "vertex that is not reached, and with --parents its parent; .npy in the order of the\n"
      "names, infinite for a vertex that is not reached",
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

}  // namespace evenfold::cli::commands::sssp
