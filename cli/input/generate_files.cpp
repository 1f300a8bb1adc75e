#include "cli/input/generate_files.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <variant>
#include <vector>

#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/matrix_market/array_writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"

namespace evenfold::cli {

namespace {

/// Rows of comma-separated numbers, under the names x1, x2, ... (or x).
template <class T>
void write_csv(output_file& file, matrix_view<const T> values) {
  std::string text = "x";
  if (values.columns() != 1) {
    text.clear();
    for (std::int64_t j = 0; j < values.columns(); ++j) {
      text += fmt::format("{}x{}", j > 0 ? "," : "", j + 1);
    }
  }
  text += '\n';
  for (std::int64_t i = 0; i < values.rows(); ++i) {
    for (std::int64_t j = 0; j < values.columns(); ++j) {
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), values(i, j));
      text += j + 1 < values.columns() ? ',' : '\n';
    }
    if (text.size() > std::size_t{1} << 20) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
}

/// The form of the lines of a graph file.
struct edge_lines {
  char separator;
  /// The name of the first vertex in the file.
  std::int64_t first;
  /// Matrix Market keeps the lower triangle of a symmetric matrix: the larger end comes first.
  bool larger_first;
};

/// Writes one line per edge, in the order of the edges. Runs of edges are formatted in parallel.
void write_lines(output_file& file, std::span<const edge> edges, const edge_lines& style,
                 cpu_context& ctx) {
  constexpr std::size_t run = std::size_t{1} << 16;
  std::vector<std::string> texts(static_cast<std::size_t>(4 * ctx.threads()));
  for (std::size_t wave = 0; wave < edges.size(); wave += run * texts.size()) {
    ctx.parallel(texts.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        texts[t].clear();
        const std::size_t begin = std::min(wave + t * run, edges.size());
        for (const edge& e : edges.subspan(begin, std::min(run, edges.size() - begin))) {
          const auto [from, to] = style.larger_first ? edge{e.to, e.from} : e;
          fmt::format_to(std::back_inserter(texts[t]), FMT_COMPILE("{}{}{}\n"), from + style.first,
                         style.separator, to + style.first);
        }
      }
    });
    for (const std::string& text : texts) file.write(text);
  }
}

}  // namespace

bool has_number_ending(const std::string& path) {
  return is_written_as(path, ".npy") || is_written_as(path, ".csv") || is_written_as(path, ".mtx");
}

bool has_graph_ending(const std::string& path) {
  return is_written_as(path, ".mtx") || is_written_as(path, ".csv") || is_written_as(path, ".txt");
}

void write_numbers(output_file& file, const numbers& values, std::int64_t rows,
                   std::int64_t columns, bool flat) {
  const std::string& path = file.name();
  std::visit(
      [&]<class T>(const std::vector<T>& all) {
        const auto view = matrix_view<const T>::row_major(all.data(), rows, columns);
        if (is_written_as(path, ".csv")) return write_csv(file, view);
        if (is_written_as(path, ".mtx")) return file.write(matrix_market_array_text(view));
        if (flat) return write_npy(file, std::span<const T>(all));
        write_npy(file, view);
      },
      values);
}

void write_graph(cpu_context& ctx, output_file& file, std::span<const edge> edges,
                 std::int64_t vertices, bool symmetric) {
  const std::string& path = file.name();
  if (is_written_as(path, ".mtx")) {
    file.write(fmt::format("%%MatrixMarket matrix coordinate pattern {}\n{} {} {}\n",
                           symmetric ? "symmetric" : "general", vertices, vertices, edges.size()));
    write_lines(file, edges, {' ', 1, symmetric}, ctx);
  } else if (is_written_as(path, ".csv")) {
    file.write("from,to\n");
    write_lines(file, edges, {',', 0, false}, ctx);
  } else {
    file.write(fmt::format("# {} graph: {} vertices, {} edges\n",
                           symmetric ? "undirected" : "directed", vertices, edges.size()));
    write_lines(file, edges, {'\t', 0, false}, ctx);
  }
}

}  // namespace evenfold::cli
