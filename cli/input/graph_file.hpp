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

/// What a file holds, on the host: of several processes, each may have some of the entries.
struct graph_input {
  /// What kind of file it was, in words.
  std::string kind;
  runtime::sparse_entries entries;
  /// Of rows and columns alike, as many as the longer side has. Matrix Market counts from 1, SciPy
  /// from 0, an edge list has its own names.
  vertex_names names;
  /// The file says that each entry has its opposite; both are among the entries.
  bool symmetric = false;
  /// These have values of opposite sign.
  bool skew = false;

  /// Whether entries have values of their own.
  bool weighted() const { return entries.has_values; }
  /// The entries without their values: the same memory.
  runtime::sparse_entries places() const;
  std::int32_t num_rows() const { return entries.num_rows; }
  std::int32_t num_columns() const { return entries.num_columns; }
  std::int64_t num_nonzeros() const { return entries.num_nonzeros(); }
};

struct graph_options {
  std::string path;
  /// Of an edge list: which columns are its ends and, where there is a third, its weight.
  std::vector<std::string> columns;
  /// Of an edge list.
  csv_form csv{};
  evenfold::duplicates duplicates{};
  /// Whether values, where there are any, are left unread.
  bool pattern = false;
  /// Whether each of several processes needs all entries, and not only those of its part.
  bool whole = false;
  /// Whether a short file may name any number of rows and columns.
  bool trust_sizes = false;
  /// At most one of them: otherwise the file decides.
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

/// What kind of file it is, its first bytes tell: Matrix Market by its banner (or the ending .mtx),
/// .npz by its magic; whatever else is an edge list.
///
/// Errors: input_error for what the readers refuse; error for --columns with any other file.
graph_input read_matrix(const graph_options& options, int threads);

/// The same for a graph. Errors: also error for a matrix that is not square.
graph_input read_graph(const graph_options& options, int threads);

/// Gives the value 1 to each entry of an input that has no values, so that entries of one place add
/// up to how many they are.
void count_each_entry(graph_input& input);

/// How the entries are to become a graph: undirected where the options or else the file say so.
runtime::graph_shape shape_of(const graph_options& options, const graph_input& input);

/// The graph of these entries of an input in the memory of an engine, in the phase `copy in`.
runtime::graph copy_in(runtime::engine& engine, const runtime::sparse_entries& entries,
                       const graph_options& options, const graph_input& input, phases& work);

/// The refusal of entries in the same row and column, in the names of the file.
error named_refusal(const duplicate_entry_error& refused, const graph_input& input,
                    const graph_options& options);

/// Returns what query() returns; what it refuses is told in the names of the file.
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

/// Throws an error that tells, in the names of the file, the first violation of an answer that a
/// verifier has found.
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
