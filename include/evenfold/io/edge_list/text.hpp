#pragma once
// The text of an edge list: one edge per record, with its ends and possibly its weight as
// fields.
//
// There are two forms: lines of words separated by blanks, with comments that begin with # or %
// (SNAP, KONECT), and CSV. Both are read as records with fields.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/edge_list/lines.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold {

namespace detail {

/// The records of a CSV text, which must outlive this object.
class edge_rows {
 public:
  template <class Context>
  edge_rows(Context& ctx, std::string_view text, const std::string& name,
            const edge_list_options& options)
      : table_(csv_table::read_text(ctx, text, name, csv_form(options))) {
    const std::size_t width = table_.num_columns();
    columns_.weighted = options.columns.empty() ? width > 2 : options.columns.size() == 3;
    for (std::size_t k = 0; k < options.columns.size(); ++k) {
      columns_.at[k] = table_.column(options.columns[k]);
    }
    if (width < columns_.width()) {
      throw input_error(name, 1,
                        "the table has 1 column, expected at least two, the ends of an edge");
    }
    for (std::size_t k = 0; k < (columns_.weighted ? 3 : 2); ++k) {
      texts_[k] = table_.texts(ctx, columns_.at[k]);
    }
    if (!options.nulls.empty() || options.part) keep_rows(options);
  }

  std::int64_t size() const {
    return static_cast<std::int64_t>(kept_ ? kept_->size() : table_.num_rows());
  }
  bool weighted() const { return columns_.weighted; }
  const header_verdict& header() const { return table_.header(); }

  /// Calls f(i, fields) for each record i, in parallel. The fields live as long as this object.
  template <class Context, class F>
  void for_each(Context& ctx, F f) const {
    transform(ctx, size(), [&](std::int64_t i) {
      const std::size_t row = row_of(i);
      edge_fields fields{trimmed(texts_[0][row]), trimmed(texts_[1][row]), {}};
      if (columns_.weighted) fields.weight = trimmed(texts_[2][row]);
      f(i, fields);
    });
  }

  /// Throws an input_error at the line of a record.
  [[noreturn]] void fail(std::int64_t i, std::string_view, const std::string& what) const {
    table_.fail(row_of(i), columns_.at[0], what);
  }

 private:
  std::size_t row_of(std::int64_t i) const {
    const auto record = static_cast<std::size_t>(i);
    return kept_ ? (*kept_)[record] : record;
  }

  /// Keeps the rows of the part that is read, without those that have a null.
  void keep_rows(const edge_list_options& options) {
    kept_.emplace();
    kept_->reserve(table_.num_rows());
    for (std::size_t row = 0; row < table_.num_rows(); ++row) {
      if (options.part && !options.part->contains(table_.field(row, 0).data())) continue;
      const auto end = columns_.at.end() - !columns_.weighted;
      const bool has_null = std::any_of(columns_.at.begin(), end, [&](std::size_t column) {
        return options.nulls.contains(table_.field(row, column));
      });
      if (!has_null) kept_->push_back(row);
    }
  }

  static csv_options csv_form(const edge_list_options& options) {
    csv_options form;
    form.chunk_bytes = options.chunk_bytes;
    form.header = options.header;
    form.delimiter = options.delimiter.value_or(',');
    form.asked = options.columns;
    return form;
  }

  csv_table table_;
  std::array<csv_text_column, 3> texts_;
  edge_columns columns_;
  /// The rows without nulls, where some are left out.
  std::optional<std::vector<std::size_t>> kept_;
};

}  // namespace detail

/// An edge list in either form; the text must outlive this object. `name` is the name of the
/// file in errors.
///
/// The text is CSV if the options give a delimiter, if the name of the file ends with .csv or
/// .csv.gz, or if its first word has a comma and is the whole first line or ends with the comma.
///
/// The text may begin with the byte order mark of UTF-8.
///
/// Errors: input_error, with the line, for an empty file, a text in UTF-16, fewer than two columns,
/// lines of different width (in CSV also for other faults, see csv_table), and columns that do not
/// exist; argument_error for options.columns with a number of elements other than 0, 2 or 3.
class edge_list_text {
 public:
  template <class Context>
  edge_list_text(Context& ctx, std::string_view text, const std::string& name,
                 const edge_list_options& options = {})
      : records_(make(ctx, text, name, options)) {}

  /// Calls visitor(records) with an edge_lines or an edge_rows.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(visitor, records_);
  }
  /// The number of edges.
  std::int64_t size() const {
    return visit([](const auto& records) { return records.size(); });
  }
  /// Whether the first record is a header, and why.
  const header_verdict& header() const {
    return visit([](const auto& records) -> const header_verdict& { return records.header(); });
  }
  /// Whether each edge has a weight.
  bool weighted() const {
    return visit([](const auto& records) { return records.weighted(); });
  }

 private:
  using either = std::variant<detail::edge_lines, detail::edge_rows>;

  template <class Context>
  static either make(Context& ctx, std::string_view text, const std::string& name,
                     const edge_list_options& options) {
    const std::size_t wanted = options.columns.size();
    if (wanted != 0 && wanted != 2 && wanted != 3) {
      detail::refuse_argument("edge_list_text", "options.columns.size()", wanted,
                              "an edge has two ends and at most one weight",
                              "name two or three columns");
    }
    text = detail::utf8_text(text, name);
    if (text.empty()) {
      throw input_error(name, 1, "the file is empty, expected a line for each edge, or a comment");
    }
    detail::expect_lines(text, name);
    if (options.delimiter || is_csv(text, name)) return detail::edge_rows(ctx, text, name, options);
    return detail::edge_lines(ctx, text, name, options);
  }

  static bool is_csv(std::string_view text, std::string_view name) {
    if (has_ending(name, ".csv")) return true;
    const std::string_view line =
        trimmed(text.substr(0, std::min(text.find_first_of("\r\n"), text.size())));
    if (line.starts_with('#') || line.starts_with('%')) return false;
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    return word.find(',') != word.npos && (word.size() == line.size() || word.ends_with(','));
  }

  either records_;
};

}  // namespace evenfold
