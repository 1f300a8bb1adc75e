#pragma once
// The part of a file that one of several processes reads: whole lines, about an equal share of the
// bytes.
//
// Idea: a reader learns the form of a file from its beginning, and reads entries from its own part.
// So the text of a part is the beginning of the file, which all processes read, and after it the
// lines of the part. The cuts are found by each process for itself: a part begins after the first
// end of a line at or after its equal share of the bytes.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "evenfold/balance/shares.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/text/byte_buffer.hpp"
#include "evenfold/io/text/gunzip.hpp"
#include "evenfold/io/text/input_file.hpp"
#include "evenfold/io/text/line_chunks.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

/// Which lines of a text a reader of entries reads, where the text is not the whole file.
struct lines_of_file {
  /// Whole lines, which lie in the text. The header is read from the beginning of the text.
  std::string_view lines;
  /// The size of the file.
  std::size_t file_bytes = 0;

  /// Whether a position in the text is in the lines.
  bool contains(const char* at) const {
    return at >= lines.data() && at < lines.data() + lines.size();
  }
  /// The part of `text`, a view of the same text, that is among the lines.
  std::string_view in(std::string_view text) const {
    const char* const begin = std::max(text.data(), lines.data());
    const char* const end = std::min(text.data() + text.size(), lines.data() + lines.size());
    return begin < end ? std::string_view(begin, end) : std::string_view();
  }
};

/// Part number `part` of `parts` of a file. Memory: the bytes of the part and of the beginning.
class file_part {
 public:
  /// At least this many bytes at the beginning of the file are read, whatever the part.
  static constexpr std::size_t beginning_bytes = std::size_t{1} << 20;
  /// A file is cut if its beginning is the whole file, or has this many lines that are neither
  /// blank nor a comment, which is more than the rule for headers reads (header_rule.hpp).
  static constexpr int beginning_lines = 1000;

  /// Errors: those of file_text for a file that cannot be read; allocation_error.
  template <context Context>
  file_part(Context& ctx, const std::string& name, int part, int parts) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    const detail::input_file file(name);
    if (!file.is_sized()) return;
    file_bytes_ = file.size();
    bytes_.resize(std::min(file_bytes_, beginning_bytes));
    file.read_range(ctx, 0, bytes_.size(), bytes_.data());
    if (bytes_.size() < file_bytes_) bytes_.resize(text().rfind('\n') + 1);
    is_cut_ = can_be_cut();
    if (!is_cut_) return;
    const std::size_t begin = line_begin(ctx, file, part, parts);
    const std::size_t end = line_begin(ctx, file, part + 1, parts);
    has_gap_ = begin > bytes_.size();
    beginning_ = bytes_.size();
    const std::size_t to_read = has_gap_ ? begin : beginning_;
    if (end > to_read) {
      bytes_.resize(beginning_ + (end - to_read));
      file.read_range(ctx, to_read, end, bytes_.data() + beginning_);
    }
    lines_ = text().substr(has_gap_ ? beginning_ : begin, end - begin);
    file.check_unchanged();
  }

  /// Whether the part has been read. A pipe, a gzip file, and a file whose beginning has few lines
  /// cannot be cut.
  bool is_cut() const { return is_cut_; }

  /// The beginning of the file, whole lines as well, and the lines of the part.
  std::string_view text() const { return bytes_.text(); }
  lines_of_file part() const { return {lines_, file_bytes_}; }

  /// The number of lines of the part.
  std::size_t num_lines() const {
    const auto newlines = std::count(lines_.begin(), lines_.end(), '\n');
    return static_cast<std::size_t>(newlines) + (!lines_.empty() && lines_.back() != '\n');
  }
  /// The number in the file of a line of text(), both counted from 1, if the parts before this one
  /// have `lines_before` lines.
  std::size_t line_of_file(std::size_t line, std::size_t lines_before) const {
    const std::string_view beginning = text().substr(0, beginning_);
    const auto skipped =
        static_cast<std::size_t>(std::count(beginning.begin(), beginning.end(), '\n'));
    return has_gap_ && line > skipped ? lines_before + (line - skipped) : line;
  }

 private:
  bool can_be_cut() const {
    if (text().starts_with(detail::gzip_magic)) return false;
    std::string_view rest = text();
    int lines = 0;
    while (!rest.empty() && lines < beginning_lines) {
      const std::string_view line = trimmed(detail::take_line(rest));
      lines += !line.empty() && line[0] != '#' && line[0] != '%';
    }
    return lines == beginning_lines || text().size() == file_bytes_;
  }

  /// Where the lines of a part begin: after the first line end at or after the byte before its
  /// equal share.
  template <class Context>
  std::size_t line_begin(Context& ctx, const detail::input_file& file, int part, int parts) const {
    constexpr std::size_t step = std::size_t{1} << 16;
    std::size_t at = detail::share_begin(file_bytes_, parts, part);
    if (at == 0) return 0;
    std::string block;
    for (--at; at < file_bytes_; at += block.size()) {
      block.resize(std::min(step, file_bytes_ - at));
      file.read_range(ctx, at, at + block.size(), block.data());
      const std::size_t newline = block.find('\n');
      if (newline != block.npos) return at + newline + 1;
    }
    return file_bytes_;
  }

  detail::byte_buffer bytes_;
  std::string_view lines_;
  std::size_t file_bytes_ = 0, beginning_ = 0;
  bool is_cut_ = false;
  /// Whether lines between the beginning and the part have not been read.
  bool has_gap_ = false;
};

}  // namespace evenfold
