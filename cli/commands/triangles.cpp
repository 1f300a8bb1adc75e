// evenfold triangles: the triangles of a graph, and local clustering coefficients.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/graph_run.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::triangles {

namespace {

struct command_options : graph_command_options {
  bool clustering = false;

  /// Whether counts per vertex are needed.
  bool per_vertex() const { return clustering || verify || !output.empty(); }
};

struct triangles_answer {
  std::int64_t total;
  /// One per vertex, if requested.
  std::vector<std::int64_t> counts;
  std::vector<double> coefficients;
  std::int32_t vertices;
  std::int64_t edges;
  /// The total of a second count, with --verify.
  std::int64_t again;
  double ms;
};

triangles_answer run_query(const graph_input& input, const command_options& options,
                           runtime::engine& engine, phases& work) {
  const runtime::graph graph = copy_in(engine, input.structure(), options.input, input, work);

  work.begin("count");
  runtime::triangles_found found;
  const double ms =
      milliseconds(engine, [&] { found = engine.graphs().triangles(graph, options.per_vertex()); });
  std::int64_t again = 0;
  if (options.verify) {
    work.begin("verify");
    again = engine.graphs().triangles(graph, false).total;
  }
  work.begin("copy out");
  return {found.total,
          runtime::to_vector<std::int64_t>(engine, found.counts),
          runtime::to_vector<double>(engine, found.coefficients),
          graph.num_vertices(),
          graph.num_edges(),
          again,
          ms};
}

/// Every triangle is counted at its three vertices.
void check(const triangles_answer& answer, const std::string& path) {
  const auto sum = std::accumulate(answer.counts.begin(), answer.counts.end(), std::int64_t{0});
  if (sum == 3 * answer.again && answer.total == answer.again) return;
  throw error(
      fmt::format("{}: the answer is wrong: the counts of the vertices sum to {}, expected "
                  "three times {} triangles",
                  path, sum, answer.again));
}

void write_output(output_file& file, const triangles_answer& answer, const vertex_names& names) {
  csv_writer csv;
  csv.record({"vertex", "triangles", "clustering"});
  for (std::int32_t v = 0; v < names.size(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    csv.record(
        {names.name(v), std::to_string(answer.counts[at]), text_of(answer.coefficients[at])});
  }
  file.write(csv.text());
}

void run(command_options options) {
  options.input.pattern = true;
  graph_run run(options);
  const triangles_answer answer = run.answer(
      [&](runtime::engine& engine) { return run_query(run.input, options, engine, run.work); });
  if (options.verify) check(answer, options.input.path);
  record facts = run.facts(answer.vertices, answer.edges);
  facts.add("triangles", answer.total);
  if (options.clustering) {
    const double sum = std::accumulate(answer.coefficients.begin(), answer.coefficients.end(), 0.);
    facts.add("mean_clustering", answer.vertices == 0 ? 0. : sum / answer.vertices);
  }
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  const std::string report = facts.text(options.common.format);
  finish(run.work, report, options.common, options.output,
         [&](output_file& file) { write_output(file, answer, run.input.names); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command = program.add_subcommand(
      "triangles", "Triangles of a graph, and local clustering coefficients");
  command->footer(
      "A triangle is three vertices with an edge between any two of them, in any direction;\n"
      "self-loops and repeated edges do not count. The clustering coefficient of a vertex is\n"
      "the share of the pairs of its neighbours that have an edge; in a directed graph each\n"
      "direction counts. It is 0 for fewer than two neighbours. For example:\n"
      "  evenfold triangles karate.mtx --clustering\n"
      "  evenfold triangles wiki-Vote.txt --output triangles.csv --verify");
  add_graph_options(*command, options->input);
  command->add_flag("--clustering", options->clustering,
                    "Report the mean of the local clustering coefficients");
  command->add_flag("--verify", options->verify,
                    "Verify that every triangle is counted at its three vertices; exit with\n"
                    "status 1 if one is not");
  add_output_option(*command, options->output,
                    "Write the triangles and the clustering coefficient of every vertex to this\n"
                    "file: .csv",
                    {".csv"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::triangles
