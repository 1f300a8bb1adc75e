#include "cli/commands/graph_run.hpp"

#include "cli/commands/options.hpp"
#include "cli/input/separate_files.hpp"

namespace evenfold::cli {

namespace {

/// The file of the graph, which is not the output.
const std::string& checked_path(const graph_command_options& options) {
  expect_separate_files({{"GRAPH", options.input.path}}, {{"--output", options.output}});
  return options.input.path;
}

}  // namespace

void add_verify_option(command_spec& command, bool& verify) {
  command.add_flag("--verify", verify,
                   "Verify the result against the edges; exit with status 1 if it is wrong");
}

graph_run::graph_run(const graph_command_options& options)
    : options_(options), device_(options.common, {checked_path(options)}) {
  work.begin("read");
  input = read_graph(options.input, device_.host_threads());
}

record graph_run::facts(std::int64_t vertices, std::int64_t stored_edges) {
  work.begin("report");
  record facts;
  facts.add("vertices", vertices);
  facts.add("stored_edges", stored_edges);
  facts.add("directed", !shape_of(options_.input, input).undirected);
  return facts;
}

}  // namespace evenfold::cli
