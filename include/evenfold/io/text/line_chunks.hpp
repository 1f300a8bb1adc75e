#pragma once
// Cuts a text into lines, and into chunks of whole lines, which workers read at the same time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold {

/// The default size of a chunk, in bytes: it fits a cache, and reading it takes longer than
/// scheduling it.
inline constexpr std::size_t default_chunk_bytes = std::size_t{1} << 18;

namespace detail {

/// Removes the first line from `text`, and returns it without its end, LF or CR LF.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t newline = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, newline);
  text.remove_prefix(std::min(newline + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The text in chunks of whole lines. Each has as few lines as make at least `chunk_bytes` bytes;
/// the last one may be shorter. Work O(chunks + bytes of the lines at the cuts).
///
/// Errors: argument_error for chunks of 0 bytes.
inline std::vector<std::string_view> cut_at_line_ends(std::string_view text,
                                                      std::size_t chunk_bytes) {
  if (chunk_bytes == 0) {
    refuse_argument("cut_at_line_ends", "chunk_bytes", chunk_bytes, "a chunk has at least one byte",
                    "leave the default");
  }
  std::vector<std::string_view> chunks;
  while (!text.empty()) {
    const std::size_t newline =
        chunk_bytes < text.size() ? text.find('\n', chunk_bytes - 1) : text.npos;
    const std::size_t size = newline == text.npos ? text.size() : newline + 1;
    chunks.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return chunks;
}

/// Chunks of whole lines, with the number of the first entry of each. A line has one entry or, such
/// as a comment, none.
struct line_chunks {
  std::vector<std::string_view> texts;
  /// The number of the first entry of each chunk.
  std::vector<std::int64_t> begins;
  /// The number of all entries.
  std::int64_t entries = 0;

  line_chunks() = default;

  /// `count_entries(chunk)` returns the number of entries of a chunk; it is called in parallel.
  template <context Context, class Count>
  line_chunks(Context& ctx, std::string_view text, std::size_t chunk_bytes, Count count_entries)
      : texts(cut_at_line_ends(text, chunk_bytes)), begins(texts.size()) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    transform(ctx, texts.size(),
              [&](std::size_t chunk) { begins[chunk] = count_entries(texts[chunk]); });
    for (std::int64_t& begin : begins) entries += std::exchange(begin, entries);
  }
};

}  // namespace detail

}  // namespace evenfold
