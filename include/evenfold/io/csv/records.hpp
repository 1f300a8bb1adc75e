#pragma once
// The text of a table of comma-separated values (RFC 4180), and the rules of its records.
//
// Idea: one walk over a record implements all rules. It reports the ends of the fields and throws
// at the first fault, with the line and what was expected there. Nothing is copied: quotes are
// removed when a field is read.
//
// Limits: quotes are allowed in quoted fields only; a CR without LF is data.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/core/error.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/line_chunks.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold {

/// The options of csv_table.
struct csv_options {
  /// Separates two fields. Not a quote, CR or LF.
  char delimiter = ',';
  /// Whether the first record is the header, which names the columns. Without a header they are
  /// named "1", "2", ... With std::nullopt, the rule of text/header_rule.hpp decides.
  std::optional<bool> header = true;
  /// The columns that will be requested, for this rule.
  std::vector<std::string> asked{};
  /// About how many bytes a worker reads at a time, at least 1.
  std::size_t chunk_bytes = default_chunk_bytes;
};

namespace detail {

/// The value of a field, without outer quotes and with doubled quotes made single. If the value is
/// not a part of the text, spill(value) is called, which stores the string and returns a view of
/// it.
template <class Spill>
std::string_view field_value(std::string_view field, Spill&& spill) {
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

/// A text of at least one record, without its byte order mark; the text must outlive this object.
/// Positions are counted from the first byte, lines from 1. `name` is the name of the file in
/// errors.
///
/// Errors: argument_error for an invalid delimiter; input_error for a text that is empty, UTF-16 or
/// not made of lines.
class csv_source {
 public:
  csv_source(std::string name, std::string_view text, const csv_options& options)
      : name_(std::move(name)), delimiter_(options.delimiter) {
    if (delimiter_ == '"' || delimiter_ == '\r' || delimiter_ == '\n') {
      refuse_argument("csv_table", "delimiter", shown(std::string_view(&delimiter_, 1)),
                      "a quote or the end of a line cannot separate fields",
                      "use a comma, a semicolon or a tab");
    }
    ends_field_[static_cast<unsigned char>(delimiter_)] = true;
    ends_field_[static_cast<unsigned char>('\n')] = true;
    ends_field_[static_cast<unsigned char>('"')] = true;

    text_ = detail::utf8_text(text, name_);
    if (text_.find_first_not_of("\r\n") == std::string_view::npos) {
      fail_at(0, options.header.value_or(true)
                     ? "the file is empty, expected a line with the names of the columns"
                     : "the file is empty, expected at least one record");
    }
    detail::expect_lines(text_, name_);
  }

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  char delimiter() const { return delimiter_; }

  /// A question, if the only name of a table looks like several names with another delimiter.
  std::string other_delimiter(std::string_view only_name) const {
    const auto is_other = [&](char c) {
      return c != delimiter_ && std::string_view(",;|\t").find(c) != std::string_view::npos;
    };
    const auto other = std::find_if(only_name.begin(), only_name.end(), is_other);
    if (other == only_name.end()) return {};
    return "; is " + shown(std::string_view(&*other, 1)) + " the delimiter?";
  }

  /// Drops empty lines at the end. They cannot be a part of a quoted field, which has to end.
  void drop_empty_lines_at_end() {
    while (text_.ends_with("\n\n") || text_.ends_with("\n\r\n")) {
      text_.remove_suffix(text_.ends_with("\r\n") ? 2 : 1);
    }
  }

  std::size_t line_of(std::size_t position) const {
    return 1 + static_cast<std::size_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
  }

  [[noreturn]] void fail_at(std::size_t position, const std::string& what) const {
    throw input_error(name_, line_of(position), what);
  }

  /// Walks the record that begins at `begin`, calls end_of_field(position) at the end of each
  /// field, and returns the position after the record.
  template <class F>
  std::size_t walk_record(std::size_t begin, F&& end_of_field) const {
    const std::size_t size = text_.size();
    const char* text = text_.data();
    std::size_t at = begin;
    for (;; ++at) {
      const bool in_quotes = at < size && text[at] == '"';
      const std::size_t opened = at;
      if (in_quotes) at = after_quoted(opened);
      const std::size_t end_of_quoted = at;
      while (at < size && !ends_field_[static_cast<unsigned char>(text[at])]) ++at;
      const bool ends_record = at == size || text[at] == '\n';
      std::size_t end = at;
      if (ends_record && end > end_of_quoted && text[end - 1] == '\r') --end;
      if (in_quotes && end != end_of_quoted) fail_after_quoted(opened, end_of_quoted);
      if (!ends_record && text[at] == '"') fail_inside_field(at);
      end_of_field(end);
      if (ends_record) return at == size ? size : at + 1;
    }
  }

 private:
  std::size_t after_quoted(std::size_t opened) const {
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

  [[noreturn]] void fail_after_quoted(std::size_t opened, std::size_t at) const {
    const std::size_t begin = line_of(opened);
    std::string what = "text follows a closing quote";
    if (begin != line_of(at))
      what += " (the field was opened on line " + std::to_string(begin) + ")";
    fail_at(at, what + ", expected " + shown(std::string_view(&delimiter_, 1)) +
                    " or the end of the line; quotes in a quoted field must be doubled");
  }

  [[noreturn]] void fail_inside_field(std::size_t at) const {
    fail_at(at,
            "a quote stands in a field that does not begin with one, expected the whole field in "
            "quotes and quotes in it doubled");
  }

  std::string name_;
  std::string_view text_;
  char delimiter_;
  std::array<bool, 256> ends_field_{};
};

}  // namespace detail

}  // namespace evenfold
