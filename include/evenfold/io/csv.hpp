#pragma once
// A table of comma-separated values (RFC 4180): indexed in parallel, its fields read where they
// lie.
//
// Idea: whether a newline ends a record depends on how many quotes precede it, and the parity of a
// count can be put together from pieces. Pass one counts, for each chunk of the text, its quotes
// and its newlines under either parity; a prefix over the chunks then tells how each begins and
// which row is its first. In pass two every chunk walks the records that begin in it, strictly, and
// writes where their fields end. If a record breaks the rules, all before it keep them; so the
// fault in the lowest chunk is the first of the file, though it may have misled the chunks behind.
//
// Limits: a record is shorter than 4 GiB; a quote is only at home in a quoted field; a lone CR is
// data.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/file_text.hpp"
#include "evenfold/io/input_error.hpp"

namespace evenfold {

/// How the text of a table is to be read.
struct csv_options {
  /// Between two fields. Not a quote, CR or LF.
  char delimiter = ',';
  /// Whether the first record names the columns. If not, they are named "1", "2", ...
  bool header = true;
  /// The text is cut into pieces of this size, which are indexed in parallel.
  std::size_t chunk_bytes = std::size_t{1} << 18;
};

/// What a number must be. NaN is never accepted.
struct number_rule {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Follows the word "expected" in a message.
  std::string_view expected = "a number";
};

/// `text` without blanks (space, tab) at either end.
inline std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The meaning of a field: outer quotes removed, doubled ones made single. `spill` is called with a
/// string where the meaning is not a part of the text, and returns a view of where it has put it.
template <class Spill>
std::string_view field_meaning(std::string_view field, Spill&& spill) {
  if (!field.starts_with('"')) return field;
  const std::string_view inner = field.substr(1, field.size() - 2);
  auto quote = inner.find('"');
  if (quote == std::string_view::npos) return inner;
  std::string plain;
  plain.reserve(inner.size());
  std::size_t copied = 0;
  for (; quote != std::string_view::npos; quote = inner.find('"', copied)) {
    plain.append(inner, copied, quote + 1 - copied);
    copied = quote + 2;
  }
  plain.append(inner, copied);
  return spill(std::move(plain));
}

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

/// An index over the fields of a text; see the head of this file. Rows and columns count from 0;
/// the header is no row. Move-only.
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
    auto file = std::make_unique<file_text>(name);
    csv_table table(name, file->text(), options);
    table.file_ = std::move(file);
    table.index(ctx, options);
    return table;
  }

  /// The same for a text in memory, which must outlive the table. `name` is for messages.
  template <context Context>
  static csv_table read_text(Context& ctx, std::string_view text, const std::string& name,
                             const csv_options& options = {}) {
    csv_table table(name, text, options);
    table.index(ctx, options);
    return table;
  }

  const std::string& name() const { return name_; }
  std::size_t num_rows() const { return num_records_ - first_row_; }
  std::size_t num_columns() const { return columns_.size(); }

  /// The names of the columns, blanks around them removed.
  const std::vector<std::string>& columns() const { return columns_; }

  /// The column of this name (blanks around it do not count).
  ///
  /// Errors: input_error where there is none or more than one; it lists what there is.
  std::size_t column(std::string_view name) const {
    const std::string_view wanted = trimmed(name);
    const auto found = std::find(columns_.begin(), columns_.end(), wanted);
    if (found == columns_.end()) {
      fail_at(0, "there is no column " + shown(wanted) + ", expected one of " + column_list());
    }
    if (std::find(found + 1, columns_.end(), wanted) != columns_.end()) {
      fail_at(0, "the column " + shown(wanted) + " occurs more than once in " + column_list() +
                     ", expected it once");
    }
    return static_cast<std::size_t>(found - columns_.begin());
  }

  /// The bytes of a field as the file has them, its quotes included.
  std::string_view field(std::size_t row, std::size_t column) const {
    return record_field(row + first_row_, column);
  }

  /// The line on which a field begins.
  std::size_t line(std::size_t row, std::size_t column) const {
    return line_of(static_cast<std::size_t>(field(row, column).data() - text_.data()));
  }

  /// Throws an input_error at the line of a field.
  [[noreturn]] void fail(std::size_t row, std::size_t column, const std::string& what) const {
    throw input_error(name_, line(row, column), what);
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
        result.texts_[row] = field_meaning(field(row, column), [&](std::string plain) {
          return std::string_view(spilled.emplace_back(std::move(plain)));
        });
      }
    });
    return result;
  }

  /// The numbers of a column: decimal, blanks around them and one leading plus allowed.
  ///
  /// Work O(bytes of the column), span O(that / workers).
  /// Errors: input_error for the first field, by row, that is no number or breaks the rule.
  template <context Context>
  std::vector<double> numbers(Context& ctx, std::size_t column,
                              const number_rule& rule = {}) const {
    std::vector<double> result(num_rows());
    transform(ctx, num_blocks(), [&](std::size_t block) {
      for (std::size_t row = block * block_rows; row < block_end(block); ++row) {
        result[row] = number(row, column, rule);
      }
    });
    return result;
  }

 private:
  static constexpr std::size_t block_rows = 4096;

  csv_table(std::string name, std::string_view text, const csv_options& options)
      : name_(std::move(name)), text_(text), delimiter_(options.delimiter) {
    if (delimiter_ == '"' || delimiter_ == '\r' || delimiter_ == '\n') {
      refuse_argument("csv_table", "delimiter", shown(std::string_view(&delimiter_, 1)),
                      "it would be mistaken for a quote or the end of a line",
                      "use a comma, a semicolon or a tab");
    }
    if (options.chunk_bytes == 0) {
      refuse_argument("csv_table", "chunk_bytes", 0, "a piece has at least one byte",
                      "leave the default");
    }
    ends_field_[static_cast<unsigned char>(delimiter_)] = true;
    ends_field_[static_cast<unsigned char>('\n')] = true;
    ends_field_[static_cast<unsigned char>('"')] = true;
  }

  std::size_t num_blocks() const { return (num_rows() + block_rows - 1) / block_rows; }
  std::size_t block_end(std::size_t block) const {
    return std::min(num_rows(), (block + 1) * block_rows);
  }

  std::size_t line_of(std::size_t position) const {
    return 1 + static_cast<std::size_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
  }

  [[noreturn]] void fail_at(std::size_t position, const std::string& what) const {
    throw input_error(name_, line_of(position), what);
  }

  std::string column_list() const {
    std::string list;
    for (const std::string& column : columns_) list += (list.empty() ? "" : ", ") + shown(column);
    return list;
  }

  std::string_view record_field(std::size_t record, std::size_t column) const {
    const std::size_t at = record * num_columns() + column;
    const std::size_t begin = column == 0 ? 0 : field_ends_[at - 1] + std::size_t{1};
    return text_.substr(record_begins_[record] + begin, field_ends_[at] - begin);
  }

  double number(std::size_t row, std::size_t column, const number_rule& rule) const {
    std::string spilled;
    const std::string_view written =
        trimmed(field_meaning(field(row, column), [&](std::string plain) -> std::string_view {
          return spilled = std::move(plain);
        }));
    std::string_view digits = written;
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    double value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto refuse = [&](const std::string& what) {
      fail(row, column,
           shown(written) + " in column " + shown(columns_[column]) + " is " + what +
               ", expected " + std::string(rule.expected));
    };
    if (status == std::errc::result_out_of_range) refuse("beyond what a double can hold");
    if (written.empty()) refuse("empty");
    if (status != std::errc{} || end != digits.data() + digits.size()) refuse("not a number");
    if (!(value >= rule.low && value <= rule.high)) refuse("out of range");
    return value;
  }

  /// Walks the record that begins at `begin`, calls end_of_field(position) at the end of each
  /// field, and returns the position behind the record.
  template <class F>
  std::size_t walk_record(std::size_t begin, F&& end_of_field) const {
    const std::size_t size = text_.size();
    const char* text = text_.data();
    std::size_t at = begin;
    for (;; ++at) {
      const bool in_quotes = at < size && text[at] == '"';
      const std::size_t opened = at;
      if (in_quotes) at = behind_quoted(opened);
      const std::size_t end_of_quoted = at;
      while (at < size && !ends_field_[static_cast<unsigned char>(text[at])]) ++at;
      const bool ends_record = at == size || text[at] == '\n';
      std::size_t end = at;
      if (ends_record && end > end_of_quoted && text[end - 1] == '\r') --end;
      if (in_quotes && end != end_of_quoted) fail_behind_quoted(opened, end_of_quoted);
      if (!ends_record && text[at] == '"') fail_inside_field(at);
      end_of_field(end);
      if (ends_record) return at == size ? size : at + 1;
    }
  }

  std::size_t behind_quoted(std::size_t opened) const {
    std::size_t at = opened + 1;
    for (;;) {
      const void* quote =
          at < text_.size() ? std::memchr(text_.data() + at, '"', text_.size() - at) : nullptr;
      if (quote == nullptr) {
        fail_at(opened, "a quoted field begins here and never ends, expected a closing quote");
      }
      at = static_cast<std::size_t>(static_cast<const char*>(quote) - text_.data()) + 1;
      if (at == text_.size() || text_[at] != '"') return at;
      ++at;
    }
  }

  [[noreturn]] void fail_behind_quoted(std::size_t opened, std::size_t at) const {
    const std::size_t begin = line_of(opened);
    std::string what = "text follows a closing quote";
    if (begin != line_of(at))
      what += " (the field was opened on line " + std::to_string(begin) + ")";
    fail_at(at, what + ", expected " + shown(std::string_view(&delimiter_, 1)) +
                    " or the end of the line there, and quotes inside a quoted field doubled");
  }

  [[noreturn]] void fail_inside_field(std::size_t at) const {
    fail_at(at,
            "a quote inside a field that does not begin with one, expected the whole field in "
            "quotes and those inside it doubled");
  }

  [[noreturn]] void fail_ragged(std::size_t begin, std::size_t end, std::size_t fields) const {
    const std::string expected = std::to_string(num_columns()) + " as in the first";
    const std::string_view record = text_.substr(begin, end - begin);
    if (record == "\n" || record == "\r\n") {
      fail_at(begin,
              "an empty line, expected a record of " + std::to_string(num_columns()) + " fields");
    }
    fail_at(begin, "a record of " + std::to_string(fields) + (fields == 1 ? " field" : " fields") +
                       ", expected " + expected);
  }

  /// Finds the columns, then the records; returns where the text behind the byte order mark begins.
  std::size_t index_columns(const csv_options& options) {
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      fail_at(0, "the text is UTF-16, expected UTF-8");
    }
    const std::size_t begin = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    if (text_.find_first_not_of("\r\n", begin) == std::string_view::npos) {
      fail_at(0, options.header ? "the file is empty, expected a line with the names of the columns"
                                : "the file is empty, expected at least one record");
    }
    std::size_t from = begin;
    walk_record(begin, [&](std::size_t end) {
      std::string spilled;
      const std::string_view name = field_meaning(
          text_.substr(from, end - from),
          [&](std::string plain) -> std::string_view { return spilled = std::move(plain); });
      columns_.emplace_back(options.header ? std::string(trimmed(name))
                                           : std::to_string(columns_.size() + 1));
      from = end + 1;
    });
    if (num_columns() > 1) {
      // Empty lines at the end. Inside a quoted field they would be data, but that field never
      // ends.
      while (text_.ends_with("\n\n") || text_.ends_with("\n\r\n")) {
        text_.remove_suffix(text_.ends_with("\r\n") ? 2 : 1);
      }
    }
    first_row_ = options.header ? 1 : 0;
    return begin;
  }

  /// What pass one learns about a chunk.
  struct chunk_count {
    /// Newlines that end a record if the chunk begins outside of quotes, and if it begins inside.
    std::size_t records[2] = {0, 0};
    /// Whether the number of quotes is odd; after the prefix, whether the chunk begins inside of
    /// quotes.
    bool parity = false;
    /// After the prefix: the record that follows the first newline of the chunk that ends one.
    std::size_t first_record = 0;
  };

  chunk_count count_chunk(std::string_view chunk) const {
    chunk_count result;
    if (chunk.find('"') == std::string_view::npos) {
      result.records[0] = static_cast<std::size_t>(std::count(chunk.begin(), chunk.end(), '\n'));
      return result;
    }
    bool parity = false;
    for (const char c : chunk) {
      parity ^= c == '"';
      result.records[parity] += c == '\n';
    }
    result.parity = parity;
    return result;
  }

  void index_record(std::size_t record, std::size_t begin, std::size_t& next) {
    const std::size_t width = num_columns();
    std::uint32_t* ends = field_ends_.get() + record * width;
    std::size_t fields = 0;
    next = walk_record(begin, [&](std::size_t end) {
      if (fields < width) ends[fields] = static_cast<std::uint32_t>(end - begin);
      ++fields;
    });
    if (fields != width) fail_ragged(begin, next, fields);
    if (next - begin > std::numeric_limits<std::uint32_t>::max()) {
      fail_at(begin, "a record of " + std::to_string(next - begin) +
                         " bytes, expected less than 4 GiB (is a quote missing?)");
    }
    record_begins_[record] = begin;
  }

  template <context Context>
  void index(Context& ctx, const csv_options& options) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    const std::size_t begin = index_columns(options);
    const std::size_t width = options.chunk_bytes;
    const std::size_t num_chunks = (text_.size() - begin - 1) / width + 1;
    const auto chunk_begin = [&](std::size_t chunk) { return begin + chunk * width; };

    // Pass one, and the prefix over its results.
    std::vector<chunk_count> chunks(num_chunks);
    transform(ctx, num_chunks, [&](std::size_t chunk) {
      chunks[chunk] = count_chunk(text_.substr(chunk_begin(chunk), width));
    });
    std::size_t records = 1;
    bool inside = false;
    for (chunk_count& chunk : chunks) {
      chunk.first_record = records;
      records += chunk.records[inside];
      chunk.parity ^= inside;
      std::swap(chunk.parity, inside);
    }
    // Each newline that ends a record begins another, the last one of the text excepted.
    if (!inside && text_.back() == '\n') --records;

    num_records_ = records;
    record_begins_ = std::make_unique_for_overwrite<std::size_t[]>(records);
    field_ends_ = std::make_unique_for_overwrite<std::uint32_t[]>(records * num_columns());

    // Pass two: the records behind the newlines of each chunk; the first of all has none before it.
    transform(ctx, num_chunks, [&](std::size_t chunk) {
      const std::size_t end = std::min(chunk_begin(chunk + 1), text_.size());
      std::size_t at = chunk_begin(chunk);
      std::size_t record = chunks[chunk].first_record;
      if (chunk == 0) {
        index_record(0, at, at);
      } else {
        for (bool quotes = chunks[chunk].parity; at < end; ++at) {
          quotes ^= text_[at] == '"';
          if (!quotes && text_[at] == '\n') break;
        }
        if (at++ == end) return;
      }
      while (at <= end && at < text_.size()) index_record(record++, at, at);
    });
  }

  std::string name_;
  std::unique_ptr<file_text> file_;
  std::string_view text_;
  char delimiter_;
  std::array<bool, 256> ends_field_{};
  std::vector<std::string> columns_;
  std::size_t first_row_ = 0;
  std::size_t num_records_ = 0;
  std::unique_ptr<std::size_t[]> record_begins_;
  std::unique_ptr<std::uint32_t[]> field_ends_;
};

}  // namespace evenfold
