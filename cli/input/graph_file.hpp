#pragma once
// A sparse matrix or a graph from a file of any kind that the program knows, and the options that
// the commands on them share.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/options.hpp"
#include "cli/input/csv_form.hpp"
#include "cli/report/output.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "runtime/engine.hpp"
#include "runtime/graphs.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::cli {

/// The help text of the file argument of such commands.
inline constexpr const char* about_graphs =
    "Matrix Market (.mtx), SciPy's sparse .npz, or an edge list (.txt, .csv), also\n"
    "as .gz; - reads standard input";

/// The content of a file, on the host. If there are several processes, each may have a part of the
/// entries.
struct graph_input {
  /// The kind of the file, in words.
  std::string kind;
  runtime::sparse_entries entries;
  /// The names of rows and of columns, as many as the longer side has. Matrix Market counts from 1
  /// and SciPy from 0; an edge list has names of its own.
  vertex_names names;
  /// Whether these are names of the file's own: it is an edge list.
  bool named = false;
  /// Whether the file states that each entry has a mirror image; `entries` has both.
  bool symmetric = false;
  /// Whether mirror images have the opposite sign.
  bool skew = false;

  /// Whether entries have values of their own.
  bool weighted() const { return entries.has_values; }
  /// The entries without their values, in the same memory.
  runtime::sparse_entries structure() const;
  std::int32_t num_rows() const { return entries.num_rows; }
  std::int32_t num_columns() const { return entries.num_columns; }
  std::int64_t num_nonzeros() const { return entries.num_nonzeros(); }
};

struct graph_options {
  std::string path;
  /// For edge lists: the columns of the ends of an edge and, if there is a third element, of its
  /// weight.
  std::vector<std::string> columns;
  /// For edge lists.
  csv_form csv{};
  evenfold::duplicates duplicates{};
  /// Whether values are ignored.
  bool pattern = false;
  /// Whether each of several processes needs all entries instead of a part of them.
  bool whole = false;
  /// Whether a short file may state any number of rows and columns.
  bool trust_sizes = false;
  /// At most one is true; if neither is, the file decides.
  bool directed = false, undirected = false;
};

/// An array that keeps the elements of a container.
template <class Container>
runtime::array kept(Container elements) {
  const auto keeper = std::make_shared<Container>(std::move(elements));
  return runtime::array::borrowed(std::span(keeper->data(), keeper->size()), keeper);
}

/// Adds GRAPH, --directed, --undirected, --duplicates (first unless given), --columns,
/// --trust-sizes, --header, --delimiter and --null. `options` must live as long as the command.
void add_graph_options(command_spec& command, graph_options& options);

/// Adds MATRIX, --duplicates (sum unless given), --columns, --trust-sizes, --header, --delimiter
/// and --null.
void add_matrix_options(command_spec& command, graph_options& options);

/// Reads a matrix. The first bytes of a file tell its kind: the banner of Matrix Market (or the
/// ending .mtx) or the magic of .npz; any other file is an edge list.
///
/// Errors: input_error for what the readers refuse; error for --columns with any other file.
graph_input read_matrix(const graph_options& options, int threads);

/// The same for a graph. Errors: also error for a matrix that is not square.
graph_input read_graph(const graph_options& options, int threads);

/// Numbers the vertices of two edge lists as those of one list with the edges of both, so that
/// vertices with the same name have the same number. O(names log(names) + entries).
///
/// Errors: error for more than 2^31 - 1 names.
void number_together(graph_input& a, graph_input& b);

/// Gives the value 1 to each entry of an input without values, so that the sum of duplicate entries
/// is their number.
void count_each_entry(graph_input& input);

/// The shape of the graph: undirected if the options, or else the file, say so.
runtime::graph_shape shape_of(const graph_options& options, const graph_input& input);

/// The graph of these entries of an input in the memory of an engine, in the phase `copy in`.
runtime::graph copy_in(runtime::engine& engine, const runtime::sparse_entries& entries,
                       const graph_options& options, const graph_input& input, phases& work);

/// The error about entries in the same row and column, with the names of the file.
error named_refusal(const duplicate_entry_error& refused, const graph_input& input,
                    const graph_options& options);

/// Returns the result of query(). Its errors about duplicate entries get the names of the file.
template <class Query>
auto with_names(const graph_input& input, const graph_options& options, Query query) {
  try {
    return query();
  } catch (const duplicate_entry_error& refused) {
    throw named_refusal(refused, input, options);
  }
}

/// The vertex with this name. Errors: error if there is none, which names the option.
std::int32_t vertex_named(const graph_input& input, const std::string& name,
                          const graph_options& options, const char* option);

enum class negative_weights { refused, allowed };

/// Refuses an input with an edge that has no finite weight of at least 0, and names the first one.
void check_weights(const graph_input& input, const graph_options& options,
                   negative_weights negative = negative_weights::refused);

/// Throws an error about the first violation that a verifier has found, with the names of the file.
template <class Report>
[[noreturn]] void refuse_answer(const graph_input& input, const graph_options& options,
                                const Report& report) {
  const auto name = [&](std::int64_t v) {
    return v < 0 || v >= input.names.size() ? "number " + std::to_string(v)
                                            : input.names.name(static_cast<std::int32_t>(v));
  };
  // A violation that is not about vertices has its own count in its text.
  const std::string others =
      report.vertex < 0 || report.violations == 1
          ? ""
          : " (the first of " + std::to_string(report.violations) + " wrong vertices)";
  throw error(input_name(options.path) + ": the answer is wrong: " + report.text(name) + others);
}

}  // namespace evenfold::cli
