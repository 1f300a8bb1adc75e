// evenfold kcore: the core number of every vertex of a graph.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
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
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::kcore {

namespace {

struct kcore_answer {
  std::vector<std::int32_t> cores;
  std::int32_t largest;
  std::int64_t edges;
  /// The number of vertices whose core number is wrong.
  std::int64_t wrong;
  double ms;
};

kcore_answer run_query(const graph_input& input, const graph_command_options& options,
                       runtime::engine& engine, phases& work) {
  const runtime::graph graph = copy_in(engine, input.structure(), options.input, input, work);

  work.begin("peel");
  runtime::cores_found found;
  const double ms = milliseconds(engine, [&] { found = engine.graphs().k_core(graph); });
  std::int64_t wrong = 0;
  if (options.verify) {
    work.begin("verify");
    wrong = engine.graphs().k_core_verify(graph, found.cores);
  }
  work.begin("copy out");
  return {runtime::to_vector<std::int32_t>(engine, found.cores), found.largest, graph.num_edges(),
          wrong, ms};
}

void write_output(output_file& file, const std::vector<std::int32_t>& cores,
                  const vertex_names& names) {
  if (is_written_as(file.name(), ".npy"))
    return write_npy(file, std::span<const std::int32_t>(cores));
  csv_writer csv;
  csv.record({"vertex", "core"});
  for (std::int32_t v = 0; v < names.size(); ++v) {
    csv.record({names.name(v), std::to_string(cores[static_cast<std::size_t>(v)])});
  }
  file.write(csv.text());
}

void run(graph_command_options options) {
  options.input.pattern = true;
  graph_run run(options);
  const kcore_answer answer = run.answer(
      [&](runtime::engine& engine) { return run_query(run.input, options, engine, run.work); });
  if (answer.wrong != 0) {
    throw error(fmt::format("{}: the answer is wrong: the core numbers of {} vertices are wrong",
                            input_name(options.input.path), answer.wrong));
  }
  record facts = run.facts(std::ssize(answer.cores), answer.edges);
  facts.add("max_core", std::int64_t{answer.largest});
  facts.add("in_max_core",
            std::int64_t{std::count(answer.cores.begin(), answer.cores.end(), answer.largest)});
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  const std::string report = facts.text(options.common.format);
  finish(run.work, report, options.common, options.output,
         [&](output_file& file) { write_output(file, answer.cores, run.input.names); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<graph_command_options>();
  command_spec* const command =
      program.add_subcommand("kcore", "Core numbers: how densely each vertex is connected");
  command->footer(
      "A k-core is a set of vertices each of which has at least k neighbours in the set. The\n"
      "core number of a vertex is the largest k for which a k-core contains it. Edges have no\n"
      "direction here; self-loops and repeated edges do not count. For example:\n"
      "  evenfold kcore karate.mtx --verify\n"
      "  evenfold kcore wiki-Vote.txt --output cores.csv");
  add_graph_options(*command, options->input);
  add_verify_option(*command, options->verify);
  add_output_option(
      *command, options->output,
      "Write the core number of every vertex to this file: .csv with names, .npy in the\n"
      "order of the names",
      {".csv", ".npy"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::kcore
