#pragma once
// A graph file that several processes read, each a part of it.

#include <optional>
#include <string>
#include <string_view>

#include "cli/input/graph_file.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/text/file_part.hpp"

namespace evenfold::cli {

/// Whether a file is Matrix Market, by its beginning or its name.
bool is_matrix_market(std::string_view text, const std::string& path);

/// The matrix of a text without its byte order mark; for Matrix Market with coordinates and for
/// edge lists also of some of its lines.
graph_input read_text(cpu_context& ctx, std::string_view text, const graph_options& options,
                      const std::optional<lines_of_file>& part);

/// The matrix of a file of which each process reads its part; to be called by all processes. Each
/// process gets the entries of its part, unless the options ask for all.
///
/// Nothing is returned if the file has to be read whole: it cannot be cut (file_part), it is an
/// array or a .npz file, it has quotes or names that are not integers, or it has not as many
/// entries as its header states.
///
/// Errors: those of read_matrix, the same one for all processes.
std::optional<graph_input> read_in_parts(cpu_context& ctx, const graph_options& options);

}  // namespace evenfold::cli
