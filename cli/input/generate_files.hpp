#pragma once
// The files that `evenfold generate` writes.

#include <cstdint>
#include <span>
#include <string>

#include "cli/input/numbers.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli {

/// The endings that the writers know, for messages; each writer goes by the ending of the path.
inline constexpr const char* number_endings = ".npy, .csv or .mtx";
inline constexpr const char* graph_endings = ".mtx, .csv or .txt";
bool has_number_ending(const std::string& path);
bool has_graph_ending(const std::string& path);

/// Numbers, row after row; `flat`: a .npy file of one dimension. CSV names them x1, x2, ..., or x
/// where there is one column.
///
/// Errors: output_error.
void write_numbers(output_file& file, const numbers& values, std::int64_t rows,
                   std::int64_t columns, bool flat);

/// Writes one line per edge, in the order of the edges. `symmetric`: each edge is written once and
/// means both directions.
///
/// Errors: output_error.
void write_graph(cpu_context& ctx, output_file& file, std::span<const edge> edges,
                 std::int64_t vertices, bool symmetric);

}  // namespace evenfold::cli
