#pragma once
// A table of comma-separated values (RFC 4180): columns by name, read as texts or as numbers.
//
// Idea: index.hpp finds the fields in parallel, by the rules of records.hpp. A column is read when
// it is requested, in parallel by blocks of rows. Its texts are views of the file; only texts with
// doubled quotes are copied.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/csv/index.hpp"
#include "evenfold/io/csv/records.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/header_rule.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/name_list.hpp"
#include "evenfold/io/text/null_texts.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

/// The rule for the numbers of a column. NaN is never accepted.
struct number_rule {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// The text after the word "expected" in errors.
  std::string_view expected = "a number";
  /// Fields that are accepted as 0.
  null_texts nulls{};
};

/// The texts of a column, in the order of the rows. They are views of the text of the table, which
/// must outlive them, except texts with doubled quotes, which this object owns.
class csv_text_column {
 public:
  std::size_t size() const { return texts_.size(); }
  std::string_view operator[](std::size_t row) const { return texts_[row]; }
  auto begin() const { return texts_.begin(); }
  auto end() const { return texts_.end(); }

 private:
  friend class csv_table;
  std::vector<std::string_view> texts_;
  std::vector<std::deque<std::string>> spilled_;
};

/// A table of comma-separated values. Rows and columns are numbered from 0; the header is not a
/// row. Move-only.
class csv_table {
 public:
  /// Reads a file, as file_text does. The table owns the text.
  ///
  /// Work O(bytes) in two passes, span O(bytes / workers + chunks). Memory: 8 bytes per row and 4
  /// per field. Errors: input_error, with the line, for a file that cannot be read or is empty, a
  /// record with more or fewer fields than the first, a quote that is not closed or not allowed;
  /// argument_error for an invalid delimiter. Empty lines at the end of the file are ignored if
  /// there are two or more columns; in a single column, an empty line is an empty field.
  template <context Context>
  static csv_table read_file(Context& ctx, const std::string& name,
                             const csv_options& options = {}) {
    auto file = std::make_unique<file_text>(ctx, name);
    csv_table table = read_text(ctx, file->text(), name, options);
    table.file_ = std::move(file);
    return table;
  }

  /// The same for a text in memory, which must outlive the table. `name` is its name in errors.
  template <context Context>
  static csv_table read_text(Context& ctx, std::string_view text, const std::string& name,
                             const csv_options& options = {}) {
    return csv_table(detail::csv_index(ctx, detail::csv_source(name, text, options), options),
                     options);
  }

  const std::string& name() const { return index_.source().name(); }
  std::size_t num_rows() const { return index_.num_records() - first_row_; }
  std::size_t num_columns() const { return columns_.size(); }

  /// Whether the first record is a header, and why.
  const header_verdict& header() const { return header_; }

  /// The names of the columns, without blanks around them.
  const std::vector<std::string>& columns() const { return columns_; }

  /// The column with this name, ignoring blanks around it.
  ///
  /// Errors: input_error if there is no such column, with the most similar names, or more than one.
  std::size_t column(std::string_view name) const {
    const std::string_view wanted = trimmed(name);
    const auto found = std::find(columns_.begin(), columns_.end(), wanted);
    if (found == columns_.end()) {
      index_.source().fail_at(0, "there is no column " + shown(wanted) + ", expected one of " +
                                     detail::name_list(columns_, wanted) +
                                     detail::suggestion(columns_, wanted) + other_delimiter());
    }
    const auto again = std::find(found + 1, columns_.end(), wanted);
    if (again != columns_.end()) {
      index_.source().fail_at(0, "the columns " + std::to_string(found - columns_.begin() + 1) +
                                     " and " + std::to_string(again - columns_.begin() + 1) +
                                     " are both named " + shown(wanted) +
                                     ", expected different names");
    }
    return static_cast<std::size_t>(found - columns_.begin());
  }

  /// The bytes of a field in the file, its quotes included.
  std::string_view field(std::size_t row, std::size_t column) const {
    return index_.field(row + first_row_, column);
  }

  /// The line in which a field begins.
  std::size_t line(std::size_t row, std::size_t column) const {
    const detail::csv_source& source = index_.source();
    return source.line_of(
        static_cast<std::size_t>(field(row, column).data() - source.text().data()));
  }

  /// Throws an input_error at the line of a field.
  [[noreturn]] void fail(std::size_t row, std::size_t column, const std::string& what) const {
    throw input_error(name(), line(row, column), what);
  }

  /// The texts of a column. Work O(rows + bytes of quoted fields), span O(work / workers).
  template <context Context>
  csv_text_column texts(Context& ctx, std::size_t column) const {
    csv_text_column result;
    result.texts_.resize(num_rows());
    result.spilled_.resize(num_blocks());
    transform(ctx, num_blocks(), [&](std::size_t block) {
      auto& spilled = result.spilled_[block];
      for (std::size_t row = block * block_rows; row < block_end(block); ++row) {
        result.texts_[row] = detail::field_value(field(row, column), [&](std::string plain) {
          return std::string_view(spilled.emplace_back(std::move(plain)));
        });
      }
    });
    return result;
  }

  /// The numbers of a column, of any arithmetic type. They are decimal; blanks around them and one
  /// leading plus are allowed.
  ///
  /// Work O(bytes of the column), span O(work / workers).
  /// Errors: input_error for the first field, by row, that is not a number or breaks the rule.
  template <class T = double, context Context>
  std::vector<T> numbers(Context& ctx, std::size_t column, const number_rule& rule = {}) const {
    std::vector<T> result(num_rows());
    transform(ctx, num_blocks(), [&](std::size_t block) {
      for (std::size_t row = block * block_rows; row < block_end(block); ++row) {
        result[row] = number<T>(row, column, rule);
      }
    });
    return result;
  }

 private:
  static constexpr std::size_t block_rows = 4096;

  csv_table(detail::csv_index index, const csv_options& options)
      : index_(std::move(index)),
        header_(options.header ? header_verdict{*options.header} : decide_header(options.asked)),
        first_row_(header_.header ? 1 : 0) {
    for (std::size_t column = 0; column < index_.num_columns(); ++column) {
      columns_.push_back(header_.header ? plain_field(0, column) : std::to_string(column + 1));
    }
  }

  header_verdict decide_header(const std::vector<std::string>& asked) const {
    std::vector<detail::record_fields> records(
        std::min(index_.num_records(), detail::header_sample(index_.num_columns())));
    for (std::size_t record = 0; record < records.size(); ++record) {
      for (std::size_t column = 0; column < index_.num_columns(); ++column) {
        records[record].push_back(plain_field(record, column));
      }
    }
    return detail::judge_header(records, asked, true);
  }

  /// The value of a field of a record, without blanks around it.
  std::string plain_field(std::size_t record, std::size_t column) const {
    std::string spilled;
    return std::string(trimmed(value_of(index_.field(record, column), spilled)));
  }

  /// The value of a field, stored in `spilled` if it is not a part of the text.
  static std::string_view value_of(std::string_view field, std::string& spilled) {
    return detail::field_value(
        field, [&](std::string plain) -> std::string_view { return spilled = std::move(plain); });
  }

  /// A question, if the name of the only column looks like several names.
  std::string other_delimiter() const {
    return columns_.size() == 1 ? index_.source().other_delimiter(columns_.front()) : std::string();
  }

  std::size_t num_blocks() const { return (num_rows() + block_rows - 1) / block_rows; }
  std::size_t block_end(std::size_t block) const {
    return std::min(num_rows(), (block + 1) * block_rows);
  }

  template <class T>
  T number(std::size_t row, std::size_t column, const number_rule& rule) const {
    std::string spilled;
    T value{};
    if (rule.nulls.contains(field(row, column))) return value;
    const std::string_view written = trimmed(value_of(field(row, column), spilled));
    const std::errc status = parse_number(written, value);
    const auto refuse = [&](const std::string& what) {
      fail(row, column,
           shown(written) + " in column " + shown(columns_[column]) + " is " + what +
               ", expected " + std::string(rule.expected));
    };
    if (status == std::errc::result_out_of_range) {
      refuse(std::is_integral_v<T> ? "out of the range of the integer type"
                                   : "out of the range of a double");
    }
    if (written.empty()) refuse("empty");
    const auto checked = static_cast<double>(value);
    if (status != std::errc{} || checked != checked) refuse("not a number");
    if (checked < rule.low || checked > rule.high) refuse("out of range");
    return value;
  }

  std::unique_ptr<file_text> file_;
  detail::csv_index index_;
  header_verdict header_;
  std::size_t first_row_;
  std::vector<std::string> columns_;
};

}  // namespace evenfold
