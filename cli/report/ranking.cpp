#include "cli/report/ranking.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "cli/report/json.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/file_name.hpp"

namespace evenfold::cli {

namespace {

std::vector<std::int32_t> all_vertices(const vertex_numbers& ranked) {
  std::vector<std::int32_t> all(ranked.values.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<std::int32_t> highest(const vertex_numbers& ranked, std::int64_t most) {
  std::vector<std::int32_t> order = all_vertices(ranked);
  const auto end = order.begin() + std::min<std::int64_t>(most, std::ssize(order));
  const auto value = [&](std::int32_t v) { return ranked.values[static_cast<std::size_t>(v)]; };
  std::partial_sort(order.begin(), end, order.end(), [&](std::int32_t a, std::int32_t b) {
    return value(a) > value(b) || (value(a) == value(b) && a < b);
  });
  order.erase(end, order.end());
  return order;
}

std::string as_csv(const vertex_numbers& ranked, std::span<const std::int32_t> vertices,
                   bool with_header) {
  csv_writer csv;
  if (with_header) csv.record({"vertex", ranked.name});
  for (const std::int32_t v : vertices) {
    csv.record({ranked.vertices.name(v), text_of(ranked.values[static_cast<std::size_t>(v)])});
  }
  return csv.text();
}

}  // namespace

std::string ranking_report(record facts, const vertex_numbers& ranked, std::int64_t most,
                           output_format format, const std::function<std::string(double)>& cell) {
  const std::vector<std::int32_t> best = highest(ranked, most);
  if (format == output_format::csv && most > 0) return as_csv(ranked, best, true);
  json list = json::array();
  text_table table;
  table.column("vertex", text_table::align::left);
  table.column(ranked.name, text_table::align::left);
  for (const std::int32_t v : best) {
    const double value = ranked.values[static_cast<std::size_t>(v)];
    list.push_back({{"vertex", ranked.vertices.name(v)}, {ranked.name, value}});
    table.row({ranked.vertices.name(v), cell(value)});
  }
  facts.add_json("top", list);
  std::string text = facts.text(format);
  if (format == output_format::table && !best.empty()) text += "\n" + table.text();
  return text;
}

void write_ranking(const output_rows& rows, const vertex_numbers& ranked) {
  if (is_written_as(rows.name, ".npy")) {
    return write_npy_rows(rows, std::span<const double>(ranked.values));
  }
  const std::vector<std::int32_t> all = all_vertices(ranked);
  rows.write(
      as_csv(ranked, std::span(all).subspan(rows.begin, rows.end - rows.begin), rows.with_header));
}

}  // namespace evenfold::cli
