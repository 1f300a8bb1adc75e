// evenfold betweenness: how many shortest paths of a graph lead through each vertex.

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/graph_run.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/report/output.hpp"
#include "cli/report/ranking.hpp"
#include "cli/report/report.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::betweenness {

namespace {

struct command_options : graph_command_options {
  betweenness_options how;
  std::int64_t top = 10;
};

struct betweenness_answer {
  std::vector<double> scores;
  std::int64_t edges;
  double ms;
  betweenness_report report;
};

betweenness_answer run_query(const graph_input& input, const command_options& options,
                             runtime::engine& engine, phases& work) {
  const runtime::graph graph = copy_in(engine, input.structure(), options.input, input, work);

  work.begin("count paths");
  betweenness_answer answer{};
  runtime::array scores;
  answer.ms =
      milliseconds(engine, [&] { scores = engine.graphs().betweenness(graph, options.how); });
  if (options.verify) {
    work.begin("verify");
    answer.report = engine.graphs().betweenness_verify(graph, scores, options.how);
  }
  work.begin("copy out");
  answer.scores = runtime::to_vector<double>(engine, scores);
  answer.edges = graph.num_edges();
  return answer;
}

void run(command_options options) {
  options.input.pattern = true;
  graph_run run(options);
  const betweenness_answer answer = run.answer(
      [&](runtime::engine& engine) { return run_query(run.input, options, engine, run.work); });
  if (!answer.report.ok()) {
    throw error(fmt::format("{}: the answer is wrong: the scores sum to {}, expected {}",
                            options.input.path, answer.report.sum, answer.report.expected));
  }
  const auto vertices = std::int64_t{std::ssize(answer.scores)};
  const std::int64_t samples = options.how.samples;
  record facts = run.facts(vertices, answer.edges);
  facts.add("sources", samples == 0 || samples > vertices ? vertices : samples);
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  const vertex_numbers ranked{"betweenness", answer.scores, run.input.names};
  const std::string report =
      ranking_report(std::move(facts), ranked, options.top, options.common.format,
                     [](double score) { return fmt::format("{:.6g}", score); });
  finish_rows(run.work, report, options.common, options.output, ranked.values.size(),
              [&](const output_rows& rows) { write_ranking(rows, ranked); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command = program.add_subcommand(
      "betweenness", "Betweenness: how many shortest paths lead through each vertex");
  command->footer(
      "The betweenness of a vertex is the sum, over all pairs of other vertices, of the share\n"
      "of the shortest paths between them that lead through it. Weights are ignored. The time\n"
      "grows with the number of sources times the number of edges, so a large graph needs\n"
      "--samples. The scores then are estimates on the same scale. For example:\n"
      "  evenfold betweenness karate.mtx --top 3 --verify\n"
      "  evenfold betweenness roads.mtx --samples 200 --seed 1 --output betweenness.csv");
  add_graph_options(*command, options->input);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  command
      ->add_option("--samples", options->how.samples,
                   "Number of sources to draw at random; 0 takes every vertex as a source")
      ->type_name("N")
      ->check(within(std::int64_t{0}, most))
      ->capture_default_str();
  command
      ->add_option("--seed", options->how.seed,
                   "Seed of the random sources; the same seed draws the same sources")
      ->type_name("S")
      ->capture_default_str();
  command->add_flag("--normalized", options->how.normalized,
                    "Divide by the number of pairs of other vertices");
  command->add_option("--top", options->top, "Number of highest scores to report")
      ->type_name("N")
      ->check(within(std::int64_t{0}, most))
      ->capture_default_str();
  command->add_flag("--verify", options->verify,
                    "Verify that the sum of the scores agrees with the hop distances; exit with\n"
                    "status 1 if it does not");
  add_output_option(
      *command, options->output,
      "Write the score of every vertex to this file: .csv with names, .npy in the order of\n"
      "the names",
      {".csv", ".npy"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::betweenness
