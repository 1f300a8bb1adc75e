#pragma once
// The options of edge lists, and the records of a list that consists of lines of words.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/text/file_part.hpp"
#include "evenfold/io/text/header_rule.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/line_chunks.hpp"
#include "evenfold/io/text/name_list.hpp"
#include "evenfold/io/text/null_texts.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

/// The options for reading an edge list.
struct edge_list_options {
  /// The columns of the two ends of an edge and, if there is a third element, of its weight: names,
  /// or numbers from 1 if there is no header. By default the first two columns, and the third as
  /// weight if there is one.
  std::vector<std::string> columns{};
  /// Whether the first record is a header. By default the rule of header_rule.hpp decides; it takes
  /// a first record of texts alone for a header in CSV, and for an edge in lines of words.
  std::optional<bool> header{};
  /// The byte between two fields of CSV. If it is given, the list is CSV; by default it is a comma
  /// if the list is.
  std::optional<char> delimiter{};
  /// Of CSV: records in which an end or the weight is null are left out.
  null_texts nulls{};
  /// About how many bytes a worker reads at a time, at least 1.
  std::size_t chunk_bytes = default_chunk_bytes;
  /// Whether only these lines of the list are read. The text has the first records, and no quotes
  /// if it is CSV, since a text in quotes may have more than one line.
  std::optional<lines_of_file> part{};
};

namespace detail {

/// The fields of an edge, without blanks around them. `weight` is empty if the list has no weights.
struct edge_fields {
  std::string_view from, to, weight;
};

/// The columns of the fields of an edge, counted from 0; the third one is the weight.
struct edge_columns {
  std::array<std::size_t, 3> at{0, 1, 2};
  bool weighted = false;

  std::size_t width() const { return *std::max_element(at.begin(), at.end() - !weighted) + 1; }
};

/// The records of a text of lines of words, which must outlive this object.
class edge_lines {
 public:
  template <class Context>
  edge_lines(Context& ctx, std::string_view text, std::string name,
             const edge_list_options& options)
      : text_(text),
        name_(std::move(name)),
        header_(options.header ? header_verdict{*options.header}
                               : judge_header(sample(text), options.columns, false)),
        chunks_(ctx, lines_of(header_.header ? without_first_line(text) : text, options),
                options.chunk_bytes, count_lines) {
    for_each_line(text_, [&](std::string_view line) {
      width_ = words_of(line);
      choose_columns(line, options.columns, header_.header ? words_in(line) : record_fields{});
      return false;
    });
  }

  std::int64_t size() const { return chunks_.entries; }
  bool weighted() const { return columns_.weighted; }
  const header_verdict& header() const { return header_; }

  /// Calls f(i, fields) for each record i, in parallel by chunks. The fields are views of the text.
  ///
  /// Errors: input_error for a line with more or fewer words than the first.
  template <class Context, class F>
  void for_each(Context& ctx, F f) const {
    transform(ctx, chunks_.texts.size(), [&](std::size_t chunk) {
      std::int64_t i = chunks_.begins[chunk];
      for_each_line(chunks_.texts[chunk], [&](std::string_view line) {
        f(i++, fields_of(line));
        return true;
      });
    });
  }

  /// Throws an input_error at the line of a field.
  [[noreturn]] void fail(std::int64_t, std::string_view field, const std::string& what) const {
    const auto newlines = std::count(text_.data(), field.data(), '\n');
    throw input_error(name_, 1 + static_cast<std::size_t>(newlines), what);
  }

 private:
  /// Calls f(line) for each line that is neither blank nor a comment, without blanks at its ends,
  /// until f returns false.
  template <class F>
  static void for_each_line(std::string_view text, F f) {
    while (!text.empty()) {
      const std::string_view line = trimmed(take_line(text));
      if (!line.empty() && line[0] != '#' && line[0] != '%' && !f(line)) return;
    }
  }

  /// The lines of records that the options ask for.
  static std::string_view lines_of(std::string_view records, const edge_list_options& options) {
    return options.part ? options.part->in(records) : records;
  }

  static std::int64_t count_lines(std::string_view text) {
    std::int64_t lines = 0;
    for_each_line(text, [&](std::string_view) {
      ++lines;
      return true;
    });
    return lines;
  }

  /// Removes the first word from a line, and returns it.
  static std::string_view take_word(std::string_view& line) {
    const std::size_t size = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, size);
    line.remove_prefix(size);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return word;
  }
  static std::size_t words_of(std::string_view line) {
    std::size_t words = 0;
    for (; !line.empty(); ++words) take_word(line);
    return words;
  }

  static record_fields words_in(std::string_view line) {
    record_fields words;
    while (!line.empty()) words.emplace_back(take_word(line));
    return words;
  }

  /// The words of the first lines.
  static std::vector<record_fields> sample(std::string_view text) {
    std::vector<record_fields> records;
    for_each_line(text, [&](std::string_view line) {
      records.push_back(words_in(line));
      return records.size() < header_sample(records.front().size());
    });
    return records;
  }

  /// The text after the first line that is neither blank nor a comment.
  static std::string_view without_first_line(std::string_view text) {
    std::size_t end = text.size();
    for_each_line(text, [&](std::string_view line) {
      end = text.find('\n', static_cast<std::size_t>(line.data() - text.data()));
      return false;
    });
    return text.substr(std::min(end, text.size() - 1) + 1);
  }

  /// `names` are the names of the columns, or empty.
  void choose_columns(std::string_view line, const std::vector<std::string>& wanted,
                      const record_fields& names) {
    columns_.weighted = wanted.empty() ? width_ > 2 : wanted.size() == 3;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (!names.empty()) {
        const auto found = std::find(names.begin(), names.end(), wanted[k]);
        if (found == names.end()) {
          fail(0, line,
               "there is no column " + shown(wanted[k]) + ", expected one of " +
                   name_list(names, wanted[k]) + suggestion(names, wanted[k]));
        }
        columns_.at[k] = static_cast<std::size_t>(found - names.begin());
      } else if (parse_number(wanted[k], columns_.at[k]) != std::errc{} || columns_.at[k]-- == 0) {
        fail(0, line,
             "there is no column " + shown(wanted[k]) + ", expected a number from 1 to " +
                 std::to_string(width_) + ", since there is no header");
      }
    }
    if (width_ < columns_.width()) {
      fail(0, line,
           shown(line) + " has " + words(width_) + ", expected at least " +
               std::to_string(columns_.width()) +
               (wanted.empty() ? ", the ends of an edge" : " for the requested columns"));
    }
  }
  static std::string words(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " word" : " words");
  }

  edge_fields fields_of(std::string_view line) const {
    edge_fields fields;
    std::size_t word = 0;
    for (std::string_view rest = line; !rest.empty(); ++word) {
      const std::string_view text = take_word(rest);
      if (word == columns_.at[0]) fields.from = text;
      if (word == columns_.at[1]) fields.to = text;
      if (word == columns_.at[2] && columns_.weighted) fields.weight = text;
    }
    if (word != width_) {
      fail(0, line,
           shown(line) + " has " + words(word) + ", expected " + std::to_string(width_) +
               " as in the first line");
    }
    return fields;
  }

  std::string_view text_;
  std::string name_;
  header_verdict header_;
  line_chunks chunks_;
  std::size_t width_ = 0;
  edge_columns columns_;
};

}  // namespace detail

}  // namespace evenfold
