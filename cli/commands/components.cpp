// evenfold components: the connected components of a graph.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
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
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::components {

namespace {

struct command_options : graph_command_options {
  std::int64_t top = 10;
  bool strong = false;
};

struct component {
  std::int32_t first, size;
};

struct components_answer {
  std::vector<std::int32_t> labels;
  std::int32_t components, largest;
  std::int64_t edges;
  double ms;
  components_report report;
};

components_answer run_query(const graph_input& input, const command_options& options,
                            runtime::engine& engine, phases& work) {
  const runtime::graph graph = copy_in(engine, input.structure(), options.input, input, work);
  work.begin("components");
  runtime::graph_operations& graphs = engine.graphs();
  runtime::array labels;
  const double ms = milliseconds(engine, [&] {
    labels =
        options.strong ? graphs.strong_component_labels(graph) : graphs.component_labels(graph);
  });
  components_report report;
  if (options.verify) {
    work.begin("verify");
    report = options.strong ? graphs.strong_components_verify(graph, labels)
                            : graphs.components_verify(graph, labels);
  }
  work.begin("copy out");
  const runtime::component_summary counts = graphs.count_components(labels);
  return {runtime::to_vector<std::int32_t>(engine, labels),
          counts.components,
          counts.largest,
          graph.num_edges(),
          ms,
          report};
}

/// The largest components, those of equal size in the order of their first vertices.
std::vector<component> largest_of(const std::vector<std::int32_t>& labels, std::int64_t most) {
  std::vector<std::int32_t> sizes(labels.size());
  for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
  std::vector<component> all;
  for (std::size_t v = 0; v < sizes.size(); ++v) {
    if (sizes[v] > 0) all.push_back({static_cast<std::int32_t>(v), sizes[v]});
  }
  const auto end = all.begin() + std::min<std::int64_t>(most, std::ssize(all));
  std::partial_sort(all.begin(), end, all.end(), [](const component& a, const component& b) {
    return a.size > b.size || (a.size == b.size && a.first < b.first);
  });
  all.erase(end, all.end());
  return all;
}

std::string report_of(record facts, const components_answer& answer, const command_options& options,
                      const vertex_names& names) {
  const output_format format = options.common.format;
  csv_writer csv;
  csv.record({"component", "size"});
  json list = json::array();
  text_table table;
  table.column("component", text_table::align::left);
  table.column("size", text_table::align::right);
  for (const auto& [first, size] : largest_of(answer.labels, options.top)) {
    list.push_back({{"component", names.name(first)}, {"size", size}});
    table.row({names.name(first), std::to_string(size)});
    csv.record({names.name(first), std::to_string(size)});
  }
  if (format == output_format::csv && options.top > 0) return csv.text();
  facts.add("components", std::int64_t{answer.components});
  facts.add("largest_component", std::int64_t{answer.largest});
  facts.add_ms("time_ms", answer.ms);
  if (options.verify) facts.add("verified", true);
  facts.add_json("top", list);
  std::string text = facts.text(format);
  if (format == output_format::table && list.size() > 0) text += "\n" + table.text();
  return text;
}

void write_output(output_file& file, const std::vector<std::int32_t>& labels,
                  const vertex_names& names) {
  if (is_written_as(file.name(), ".npy")) return write_npy(file, std::span(labels));
  csv_writer csv;
  csv.record({"vertex", "component"});
  for (std::int32_t v = 0; v < names.size(); ++v) {
    csv.record({names.name(v), names.name(labels[static_cast<std::size_t>(v)])});
  }
  file.write(csv.text());
}

void run(command_options options) {
  options.input.pattern = true;
  graph_run run(options);
  const components_answer answer = run.answer(
      [&](runtime::engine& engine) { return run_query(run.input, options, engine, run.work); });
  if (!answer.report.ok()) refuse_answer(run.input, options.input, answer.report);
  record facts = run.facts(std::ssize(answer.labels), answer.edges);
  const std::string report = report_of(std::move(facts), answer, options, run.input.names);
  finish(run.work, report, options.common, options.output,
         [&](output_file& file) { write_output(file, answer.labels, run.input.names); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command = program.add_subcommand(
      "components", "Connected components: which vertices paths connect, and the largest ones");
  command->footer(
      "Two vertices are in one component if a path connects them, whatever the direction of its\n"
      "edges; with --strong, if paths along the directions lead from each to the other. A\n"
      "component has the name of its first vertex. For example:\n"
      "  evenfold components roads.mtx --output parts.csv\n"
      "  evenfold components wiki-Vote.txt --top 3 --verify");
  add_graph_options(*command, options->input);
  command->add_option("--top", options->top, "Number of largest components to report")
      ->type_name("N")
      ->check(within(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  command->add_flag("--strong", options->strong,
                    "Find strongly connected components, which paths connect in both directions");
  add_verify_option(*command, options->verify);
  add_output_option(*command, options->output,
                    "Write the component of every vertex to this file: .csv with names, .npy as\n"
                    "indices in the order of the names, from 0",
                    {".csv", ".npy"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::components
