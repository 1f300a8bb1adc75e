#pragma once
// The cut of a text into chunks of whole lines, which workers read at the same time.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold {

/// About how many bytes a worker reads at a time: few enough for its cache, and enough that a chunk
/// takes longer to read than to hand out.
inline constexpr std::size_t default_chunk_bytes = std::size_t{1} << 18;

namespace detail {

/// The text in chunks of whole lines, each as short as it can be with so many bytes or more; the
/// last one ends with the text. Work O(chunks + bytes of the lines at the cuts).
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

/// Chunks of whole lines, and which entry each begins with. An entry is whatever the format has one
/// of per line, or none, as in a comment.
struct line_chunks {
  std::vector<std::string_view> texts;
  /// Number of the first entry of each chunk.
  std::vector<std::int64_t> begins;
  /// How many entries there are.
  std::int64_t entries = 0;

  line_chunks() = default;

  /// `count_entries(chunk)` is called for all chunks at the same time.
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
