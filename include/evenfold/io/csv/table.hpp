#pragma once
// A table of comma-separated values (RFC 4180): columns by name, read as texts or as numbers.
//
// Idea: index.hpp finds in parallel where the fields lie; records.hpp knows the rules they
// keep. A column is read where it lies and when it is asked for, in parallel by blocks of rows. Its
// texts are views, copied only where doubled quotes must go.

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
#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

/// What a number must be. NaN is never accepted.
struct number_rule {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Follows the word "expected" in a message.
  std::string_view expected = "a number";
};

/// The texts of a column, in the order of the rows. They lie in the text of the table, which must
/// live as long, except those with doubled quotes, which this object holds.
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

/// The rows and columns of a text; see the head of this file. Rows and columns count from 0; the
/// header is no row. Move-only.
class csv_table {
 public:
  /// Reads a file; see file_text for what it may be. The text lives as long as the table.
  ///
  /// Work O(bytes) in two passes, span O(bytes / workers + chunks). Memory: 8 bytes a row and 4 a
  /// field. Errors: input_error, with the line, for a file that cannot be read or is empty, a
  /// record with more or fewer fields than the first, a quote that is never closed or stands where
  /// none may; argument_error for a delimiter that cannot be one. Empty lines at the end of the
  /// file are ignored if there are two or more columns; in one column, an empty line is an empty
  /// field.
  template <context Context>
  static csv_table read_file(Context& ctx, const std::string& name,
                             const csv_options& options = {}) {
    auto file = std::make_unique<file_text>(ctx, name);
    csv_table table = read_text(ctx, file->text(), name, options);
    table.file_ = std::move(file);
    return table;
  }

  /// The same for a text in memory, which must outlive the table. `name` is for messages.
  template <context Context>
  static csv_table read_text(Context& ctx, std::string_view text, const std::string& name,
                             const csv_options& options = {}) {
    return csv_table(detail::csv_index(ctx, detail::csv_source(name, text, options), options),
                     options);
  }

  const std::string& name() const { return index_.source().name(); }
  std::size_t num_rows() const { return index_.num_records() - first_row_; }
  std::size_t num_columns() const { return columns_.size(); }

  /// Whether the first record names the columns, and why.
  const header_verdict& header() const { return header_; }

  /// The names of the columns, blanks around them removed.
  const std::vector<std::string>& columns() const { return columns_; }

  /// The column of this name (blanks around it do not count).
  ///
  /// Errors: input_error where there is none, with the names that are most like it, or more than
  /// one.
  std::size_t column(std::string_view name) const {
    const std::string_view wanted = trimmed(name);
    const auto found = std::find(columns_.begin(), columns_.end(), wanted);
    if (found == columns_.end()) {
      index_.source().fail_at(0, "there is no column " + shown(wanted) + ", expected one of " +
                                     detail::name_list(columns_, wanted));
    }
    const auto again = std::find(found + 1, columns_.end(), wanted);
    if (again != columns_.end()) {
      index_.source().fail_at(0, "the columns " + std::to_string(found - columns_.begin() + 1) +
                                     " and " + std::to_string(again - columns_.begin() + 1) +
                                     " are both called " + shown(wanted) +
                                     ", expected the name once");
    }
    return static_cast<std::size_t>(found - columns_.begin());
  }

  /// The bytes of a field as the file has them, its quotes included.
  std::string_view field(std::size_t row, std::size_t column) const {
    return index_.field(row + first_row_, column);
  }

  /// The line on which a field begins.
  std::size_t line(std::size_t row, std::size_t column) const {
    const detail::csv_source& source = index_.source();
    return source.line_of(
        static_cast<std::size_t>(field(row, column).data() - source.text().data()));
  }

  /// Throws an input_error at the line of a field.
  [[noreturn]] void fail(std::size_t row, std::size_t column, const std::string& what) const {
    throw input_error(name(), line(row, column), what);
  }

  /// The texts of a column. Work O(rows + bytes of quoted fields), span O(that / workers).
  template <context Context>
  csv_text_column texts(Context& ctx, std::size_t column) const {
    csv_text_column result;
    result.texts_.resize(num_rows());
    result.spilled_.resize(num_blocks());
    transform(ctx, num_blocks(), [&](std::size_t block) {
      auto& spilled = result.spilled_[block];
      for (std::size_t row = block * block_rows; row < block_end(block); ++row) {
        result.texts_[row] = detail::field_meaning(field(row, column), [&](std::string plain) {
          return std::string_view(spilled.emplace_back(std::move(plain)));
        });
      }
    });
    return result;
  }

  /// The numbers of a column, of any arithmetic type: decimal, blanks around them and one leading
  /// plus allowed.
  ///
  /// Work O(bytes of the column), span O(that / workers).
  /// Errors: input_error for the first field, by row, that is no number or breaks the rule.
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
        header_(options.header ? header_verdict{*options.header} : judged(options.asked)),
        first_row_(header_.header ? 1 : 0) {
    for (std::size_t column = 0; column < index_.num_columns(); ++column) {
      columns_.push_back(header_.header ? plain_field(0, column) : std::to_string(column + 1));
    }
  }

  header_verdict judged(const std::vector<std::string>& asked) const {
    std::vector<detail::record_fields> records(
        std::min(index_.num_records(), detail::header_sample(index_.num_columns())));
    for (std::size_t record = 0; record < records.size(); ++record) {
      for (std::size_t column = 0; column < index_.num_columns(); ++column) {
        records[record].push_back(plain_field(record, column));
      }
    }
    return detail::judge_header(records, asked, true);
  }

  /// The meaning of a field of a record, blanks around it removed.
  std::string plain_field(std::size_t record, std::size_t column) const {
    std::string spilled;
    return std::string(trimmed(meaning(index_.field(record, column), spilled)));
  }

  /// The meaning of a field, in `spilled` where it is not a part of the text.
  static std::string_view meaning(std::string_view field, std::string& spilled) {
    return detail::field_meaning(
        field, [&](std::string plain) -> std::string_view { return spilled = std::move(plain); });
  }

  std::size_t num_blocks() const { return (num_rows() + block_rows - 1) / block_rows; }
  std::size_t block_end(std::size_t block) const {
    return std::min(num_rows(), (block + 1) * block_rows);
  }

  template <class T>
  T number(std::size_t row, std::size_t column, const number_rule& rule) const {
    std::string spilled;
    const std::string_view written = trimmed(meaning(field(row, column), spilled));
    T value{};
    const std::errc status = parse_number(written, value);
    const auto refuse = [&](const std::string& what) {
      fail(row, column,
           shown(written) + " in column " + shown(columns_[column]) + " is " + what +
               ", expected " + std::string(rule.expected));
    };
    if (status == std::errc::result_out_of_range) {
      refuse(std::is_integral_v<T> ? "beyond what the integer can hold"
                                   : "beyond what a double can hold");
    }
    if (written.empty()) refuse("empty");
    const auto place = static_cast<double>(value);
    if (status != std::errc{} || place != place) refuse("not a number");
    if (place < rule.low || place > rule.high) refuse("out of range");
    return value;
  }

  std::unique_ptr<file_text> file_;
  detail::csv_index index_;
  header_verdict header_;
  std::size_t first_row_;
  std::vector<std::string> columns_;
};

}  // namespace evenfold
