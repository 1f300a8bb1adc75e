#include "cli/input/column_ranges.hpp"

#include <algorithm>
#include <numeric>

#include "cli/input/option_text.hpp"
#include "evenfold/io/text/file_name.hpp"

namespace evenfold::cli {

std::vector<column_range> parse_column_ranges(std::string_view text) {
  const option_text columns{"--columns", text, "COL[-COL2][,...], a name with a comma in quotes",
                            ",-"};
  std::vector<column_range> ranges;
  for (const std::string_view piece : columns.split(text, ',')) {
    const std::size_t hyphen = columns.find(piece, '-');
    if (hyphen == std::string_view::npos) {
      ranges.push_back({columns.name(piece), "", ""});
      continue;
    }
    const bool quoted = is_quoted(trimmed(piece));
    ranges.push_back({quoted ? "" : std::string(trimmed(piece)),
                      columns.name(piece.substr(0, hyphen)),
                      columns.name(piece.substr(hyphen + 1))});
  }
  return ranges;
}

std::vector<std::string> names_of(const std::vector<column_range>& ranges) {
  std::vector<std::string> names;
  for (const column_range& range : ranges) {
    for (const std::string& name : {range.whole, range.first, range.last}) {
      if (!name.empty()) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::size_t> columns_of(const column_range& range, const csv_table& table) {
  const auto& names = table.columns();
  const bool is_whole = std::find(names.begin(), names.end(), range.whole) != names.end();
  if (range.first.empty() || is_whole) return {table.column(range.whole)};
  const std::size_t first = table.column(range.first);
  const std::size_t last = table.column(range.last);
  if (last < first) {
    throw option_error("--columns " + shown(range.first + "-" + range.last),
                       "column " + shown(range.last) + " comes before " + shown(range.first) +
                           " in " + input_name(table.name()) +
                           ", expected a range in the order of the file");
  }
  std::vector<std::size_t> columns(last - first + 1);
  std::iota(columns.begin(), columns.end(), first);
  return columns;
}

}  // namespace evenfold::cli
