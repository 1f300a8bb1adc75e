// evenfold pagerank: the rank of every vertex of a graph, and the vertices that rank highest.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/finite.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/input/vertex_weights.hpp"
#include "cli/report/output.hpp"
#include "cli/report/ranking.hpp"
#include "cli/report/report.hpp"
#include "cli/report/stopwatch.hpp"
#include "cli/report/warning.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::pagerank {

namespace {

/// In the order of the enumerators of `dangling` and of `pagerank_change`.
constexpr std::array<const char*, 4> dangling_names{"even", "personalize", "self", "lose"};
constexpr std::array<const char*, 2> change_names{"l1", "max"};

struct command_options {
  common_options common;
  graph_options input;
  double damping = 0.85;
  double tolerance = 1e-6;
  std::int64_t max_iterations = 100;
  std::string dangling_mass = dangling_names[0];
  std::string stop = change_names[0];
  bool weighted = false, verify = false;
  std::string personalize, output;
  std::int64_t top = 10;
};

struct pagerank_answer {
  /// As runtime::pagerank_found.
  std::vector<double> ranks;
  std::int64_t iterations;
  double residual;
  bool converged;

  /// Without --verify, the report of correct ranks.
  pagerank_report report;
  std::int64_t edges;
  /// The sum of all ranks.
  double sum;
  /// The time of pagerank, with the graph in the memory of the engine.
  double ms;
};

pagerank_answer run_query(const graph_input& input, const command_options& options,
                          command_engine& device, phases& work) {
  std::vector<double> weights;
  if (!options.personalize.empty()) {
    weights = read_vertex_weights(options.personalize, options.input.csv, input.names,
                                  options.input.path, device.host_threads());
  }
  runtime::engine& engine = device.open(work);
  work.begin("copy in");
  const runtime::graph graph =
      runtime::make_graph(engine, input.entries, shape_of(options.input, input));
  const runtime::array personalization =
      engine.local(runtime::array::borrowed(std::span(std::as_const(weights))));
  engine.synchronize();

  work.begin("rank");
  const runtime::pagerank_settings settings{
      .damping = options.damping,
      .tolerance = options.tolerance,
      .max_iterations = options.max_iterations,
      .dangling_mass = named<dangling>(dangling_names, options.dangling_mass),
      .stop = named<pagerank_change>(change_names, options.stop)};
  runtime::pagerank_found found;
  const double ms = milliseconds(
      engine, [&] { found = engine.graphs().pagerank(graph, settings, personalization); });

  pagerank_report report;
  if (options.verify) {
    work.begin("verify");
    report = engine.graphs().pagerank_verify(graph, settings, personalization, found);
  }
  work.begin("copy out");
  const runtime::number sum =
      engine.arrays().fold(found.ranks, runtime::fold_operator::sum, fold_strategy::tiled, {});
  return {runtime::to_vector<double>(engine, found.ranks),
          found.iterations,
          found.residual,
          found.converged,
          report,
          graph.num_edges(),
          std::get<double>(sum),
          ms};
}

/// Refuses ranks that are wrong.
void check(const pagerank_report& report, const std::string& path) {
  if (report.ok()) return;
  const std::string what =
      !report.is_in_range() ? fmt::format("a rank is {}, expected at least 0", report.lowest)
      : !report.is_distribution()
          ? fmt::format("the ranks sum to {}, expected {}1", report.sum,
                        report.may_lose ? "at most " : "")
          : fmt::format("one more iteration changes the ranks by {:.3g}, expected at most {:.3g}",
                        report.change, report.most_change);
  throw error(input_name(path) + ": the answer is wrong: " + what);
}

std::string report_of(const pagerank_answer& answer, const command_options& options,
                      bool undirected, const vertex_names& names) {
  record facts;
  facts.add("vertices", std::int64_t{std::ssize(answer.ranks)});
  facts.add("stored_edges", answer.edges);
  facts.add("directed", !undirected);
  facts.add("iterations", answer.iterations);
  facts.add("residual", answer.residual);
  facts.add("converged", answer.converged);
  facts.add("sum", answer.sum);
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  return ranking_report(std::move(facts), {"rank", answer.ranks, names}, options.top,
                        options.common.format,
                        [](double rank) { return fmt::format("{:.10f}", rank); });
}

void run(command_options options) {
  expect_separate_files({{"GRAPH", options.input.path}, {"--personalize", options.personalize}},
                        {{"--output", options.output}});
  expect_one_device(options.common, !options.personalize.empty(), "--personalize");
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.input.path});
  options.input.pattern = !options.weighted;
  options.input.whole = options.verify;
  graph_input input = read_graph(options.input, device.host_threads());
  if (options.input.duplicates == duplicates::sum) count_each_entry(input);
  if (options.weighted) {
    if (!input.weighted()) {
      throw error(fmt::format(
          "{}: the edges have no weights, expected a graph with weights, or no --weighted",
          input_name(options.input.path)));
    }
    check_weights(input, options.input);
  }
  const pagerank_answer answer =
      with_names(input, options.input, [&] { return run_query(input, options, device, work); });
  check(answer.report, options.input.path);
  if (!answer.converged) {
    warn(
        fmt::format("the ranks have not converged: iteration {} changed them by {:.3g}, expected "
                    "at most {:.3g}; a higher --max-iterations may help",
                    answer.iterations, answer.residual, options.tolerance));
  }
  work.begin("report");
  const bool undirected = shape_of(options.input, input).undirected;
  const std::string report = report_of(answer, options, undirected, input.names);
  finish_rows(work, report, options.common, options.output, answer.ranks.size(),
              [&](const output_rows& rows) {
                write_ranking(rows, {"rank", answer.ranks, input.names});
              });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command = program.add_subcommand(
      "pagerank", "PageRank: the importance of each vertex by the links that lead to it");
  command->footer(
      "A random surfer follows a link with the probability --damping, and otherwise jumps to\n"
      "any vertex, or to those of --personalize. The rank of a vertex is the probability of\n"
      "finding the surfer there; docs/graphs.md has the formula. If the ranks do not converge\n"
      "within --max-iterations, the command writes the last ones, reports `converged no`,\n"
      "warns on standard error, and exits with status 0. For example:\n"
      "  evenfold pagerank wiki-Vote.txt --top 3 --verify\n"
      "  evenfold pagerank web.mtx --tolerance 1e-10 --dangling self --output ranks.csv");
  add_graph_options(*command, options->input);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  command->add_option("--damping", options->damping, "Probability of following a link")
      ->type_name("D")
      ->check(finite(0, 1))
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "Stop when the ranks change by at most T")
      ->type_name("T")
      ->check(finite(0))
      ->capture_default_str();
  command
      ->add_option(
          "--stop", options->stop,
          "How to measure that change: the sum over all ranks (l1), or the largest one (max)")
      ->type_name("CHANGE")
      ->check(one_of(change_names))
      ->capture_default_str();
  command->add_option("--max-iterations", options->max_iterations, "Maximum number of iterations")
      ->type_name("N")
      ->check(within(std::int64_t{0}, most))
      ->capture_default_str();
  command->add_flag("--weighted", options->weighted,
                    "Follow links in proportion to their weights; by default all alike");
  command
      ->add_option(
          "--personalize", options->personalize,
          "Jump to the vertices of this CSV file, in proportion to their weights; its columns\n"
          "are `vertex` and `weight`, and rows with a null (--null) are left out")
      ->type_name("FILE");
  command
      ->add_option(
          "--dangling", options->dangling_mass,
          "Where the surfer goes from a vertex without links: to any vertex (even), to those\n"
          "of --personalize (personalize), nowhere (self), or out of the graph, so that the\n"
          "ranks sum to less than 1 (lose)")
      ->type_name("WAY")
      ->check(one_of(dangling_names))
      ->capture_default_str();
  command->add_flag(
      "--verify", options->verify,
      "Verify the result: no rank is negative, the ranks sum to 1, and one more\n"
      "iteration changes them no more than it should; exit with status 1 if it is wrong");
  command->add_option("--top", options->top, "Number of highest ranks to report")
      ->type_name("N")
      ->check(within(std::int64_t{0}, most))
      ->capture_default_str();
  add_output_option(
      *command, options->output,
      "Write the rank of every vertex to this file: .csv with names, .npy in the order of\n"
      "the names",
      {".csv", ".npy"});
  add_common_options(*command, options->common, ranks_of_command::several);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::pagerank
