// evenfold mst: the minimum spanning forest of a graph.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
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

namespace evenfold::cli::commands::mst {

namespace {

struct forest_answer {
  /// The ends and the weight of each edge.
  std::vector<std::int32_t> from, to;
  std::vector<double> weights;
  double total_weight;
  std::int64_t vertices, edges;
  double ms;
  spanning_forest_report report;
};

forest_answer run_query(const graph_input& input, const graph_command_options& options,
                        runtime::engine& engine, phases& work) {
  const runtime::graph graph = copy_in(engine, input.entries, options.input, input, work);

  work.begin("join trees");
  runtime::forest_found found;
  const double ms = milliseconds(engine, [&] { found = engine.graphs().spanning_forest(graph); });
  spanning_forest_report report;
  if (options.verify) {
    work.begin("verify");
    report = engine.graphs().spanning_forest_verify(graph, found.positions);
  }
  work.begin("copy out");
  return {runtime::to_vector<std::int32_t>(engine, found.from),
          runtime::to_vector<std::int32_t>(engine, found.to),
          runtime::to_vector<double>(engine, found.weights),
          found.total_weight,
          graph.num_vertices(),
          graph.num_edges(),
          ms,
          report};
}

void write_output(output_file& file, const forest_answer& answer, const vertex_names& names) {
  csv_writer csv;
  csv.record({"from", "to", "weight"});
  for (std::size_t k = 0; k < answer.weights.size(); ++k) {
    csv.record({names.name(answer.from[k]), names.name(answer.to[k]), text_of(answer.weights[k])});
  }
  file.write(csv.text());
}

void run(const graph_command_options& options) {
  graph_run run(options);
  const bool weighted = run.input.weighted();
  count_each_entry(run.input);
  check_weights(run.input, options.input, negative_weights::allowed);
  const forest_answer answer = run.answer(
      [&](runtime::engine& engine) { return run_query(run.input, options, engine, run.work); });
  if (!answer.report.ok()) refuse_answer(run.input, options.input, answer.report);
  const auto edges = std::ssize(answer.weights);
  record facts = run.facts(answer.vertices, answer.edges);
  facts.add("weighted", weighted);
  facts.add("trees", answer.vertices - edges);
  facts.add("edges", std::int64_t{edges});
  facts.add("total_weight", answer.total_weight);
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  const std::string report = facts.text(options.common.format);
  finish(run.work, report, options.common, options.output,
         [&](output_file& file) { write_output(file, answer, run.input.names); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<graph_command_options>();
  command_spec* const command = program.add_subcommand(
      "mst", "Minimum spanning forest: edges of least total weight that connect each component");
  command->footer(
      "The forest has no cycle, connects all vertices that paths connect, and has the smallest\n"
      "sum of weights. Of edges with the same weight, those of the first vertex come first, so\n"
      "that the forest is unique. Edges have no direction here. A weight is a value of the\n"
      "matrix, or the third column of an edge list; edges without weights weigh 1. For\n"
      "example:\n"
      "  evenfold mst roads.csv --undirected --output cheapest.csv\n"
      "  evenfold mst power.mtx --verify");
  add_graph_options(*command, options->input);
  add_verify_option(*command, options->verify);
  add_output_option(*command, options->output,
                    "Write the edges of the forest to this .csv file: their ends and weights",
                    {".csv"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::mst
