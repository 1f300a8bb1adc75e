#pragma once
// One run of a command on a graph: reads the graph, answers the question, and begins the report.

#include <cstdint>
#include <string>

#include "cli/commands/device.hpp"
#include "cli/commands/engine.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"

namespace evenfold::cli {

/// The options that these commands share.
struct graph_command_options {
  common_options common;
  graph_options input;
  bool verify = false;
  /// Empty: none.
  std::string output;
};

/// Adds --verify, which compares the result with the edges.
void add_verify_option(command_spec& command, bool& verify);

class graph_run {
 public:
  /// Reads the graph. `options` must live as long.
  ///
  /// Errors: option_error where --output is the file of the graph; those of read_graph.
  explicit graph_run(const graph_command_options& options);

  /// Returns query(engine), of the engine that the command works on. An entry that the query
  /// refuses is named as in the file.
  template <class Query>
  auto answer(Query query) {
    return with_names(input, options_.input, [&] { return query(device_.open(work)); });
  }

  /// Begins the phase `report`, and returns the facts with which every report begins.
  record facts(std::int64_t vertices, std::int64_t stored_edges);

  phases work;
  graph_input input;

 private:
  const graph_command_options& options_;
  command_engine device_;
};

}  // namespace evenfold::cli
