#pragma once
// Writes graphs as edge lists, with the names of their vertices.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {

namespace detail {

/// Appends the name of a vertex, in quotes where CSV needs them.
///
/// Errors: output_error for a name that cannot be a word of a line, since it has blanks or begins
/// like a comment.
inline void append_end(std::string& text, const vertex_names& names, std::int32_t v, bool csv) {
  if (names.are_numbers()) return names.append_name(text, v);
  const std::string name = names.name(v);
  if (csv) {
    csv_writer quoted;
    quoted.field(name);
    text += quoted.text();
  } else if (name[0] == '#' || name[0] == '%' || name.find_first_of(" \t\r\n") != name.npos) {
    throw output_error("a vertex has the name " + shown(name) +
                       ", which cannot be a word of a line; write a file that ends with .csv");
  } else {
    text += name;
  }
}

/// The lines of the edges from `begin` to `end`.
template <class Value>
std::string edge_lines_of(coo_view<Value, std::int32_t, std::int64_t> edges,
                          const vertex_names& names, std::int64_t begin, std::int64_t end,
                          bool csv) {
  const char separator = csv ? ',' : '\t';
  std::string text;
  for (std::int64_t k = begin; k < end; ++k) {
    append_end(text, names, edges.rows[k], csv);
    text += separator;
    append_end(text, names, edges.columns[k], csv);
    if constexpr (!is_pattern<Value>) {
      text += separator;
      append_number(text, edges.values[k]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace detail

/// Writes edges from row to column as lines of words separated by tabs, or as CSV if the name of
/// the file ends with .csv or .csv.gz, or is -: the names of both ends and, unless Value is
/// `pattern`, the weight, in the shortest form that is read as the same value. `names` has the name
/// of every row and column. The file is not committed.
///
/// Vertices without edges are not in the list. Work O(bytes), span O(bytes / workers + runs).
/// Memory: the text of 2^22 edges.
/// Errors: output_error.
///
/// Names elsewhere: networkx.write_weighted_edgelist.
template <class Value, context Context>
void write_edge_list(Context& ctx, output_file& file,
                     coo_view<Value, std::int32_t, std::int64_t> edges, const vertex_names& names) {
  constexpr std::int64_t runs = 64, run = std::int64_t{1} << 16;
  const bool csv = is_written_as(file.name(), ".csv");
  file.write(!csv ? "# " + std::to_string(names.size()) + " vertices, " +
                        std::to_string(edges.num_nonzeros) + " edges\n"
             : is_pattern<Value> ? "from,to\n"
                                 : "from,to,weight\n");
  std::vector<std::string> texts(runs);
  for (std::int64_t first = 0; first < edges.num_nonzeros; first += runs * run) {
    transform(ctx, runs, [&](std::int64_t t) {
      const std::int64_t begin = std::min(first + t * run, edges.num_nonzeros);
      const std::int64_t end = std::min(begin + run, edges.num_nonzeros);
      texts[static_cast<std::size_t>(t)] = detail::edge_lines_of(edges, names, begin, end, csv);
    });
    for (const std::string& text : texts) file.write(text);
  }
}

/// The same for a new file, which appears whole or not at all.
///
/// Errors: output_error; the target has then not changed.
///
/// Example: examples/graph_files.cpp.
template <class Value, context Context>
void write_edge_list(Context& ctx, const std::string& path,
                     coo_view<Value, std::int32_t, std::int64_t> edges, const vertex_names& names) {
  output_file file(path);
  write_edge_list(ctx, file, edges, names);
  file.commit();
}

}  // namespace evenfold
