#pragma once
// The cut of a text into pieces of whole lines, which workers read at the same time.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold {

/// About how many bytes a worker reads at a time: few enough for its cache, and enough that a piece
/// takes longer to read than to hand out.
inline constexpr std::size_t default_piece_bytes = std::size_t{1} << 18;

/// The text in pieces of whole lines, each as short as it can be with so many bytes or more; the
/// last one ends with the text. Work O(pieces + bytes of the lines at the cuts).
///
/// Errors: argument_error for pieces of 0 bytes.
inline std::vector<std::string_view> cut_lines(std::string_view text, std::size_t piece_bytes) {
  if (piece_bytes == 0) {
    refuse_argument("cut_lines", "piece_bytes", piece_bytes, "a piece has at least one byte",
                    "leave the default");
  }
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t newline =
        piece_bytes < text.size() ? text.find('\n', piece_bytes - 1) : text.npos;
    const std::size_t size = newline == text.npos ? text.size() : newline + 1;
    pieces.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return pieces;
}

/// Pieces of whole lines, and which entry each begins with. An entry is whatever the format has one
/// of per line, or none, as in a comment.
struct line_pieces {
  std::vector<std::string_view> texts;
  /// Number of the first entry of each piece.
  std::vector<std::int64_t> begins;
  /// How many entries there are.
  std::int64_t entries = 0;

  line_pieces() = default;

  /// `count_entries(piece)` is called for all pieces at the same time.
  template <context Context, class Count>
  line_pieces(Context& ctx, std::string_view text, std::size_t piece_bytes, Count count_entries)
      : texts(cut_lines(text, piece_bytes)), begins(texts.size()) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    transform(ctx, texts.size(),
              [&](std::size_t piece) { begins[piece] = count_entries(texts[piece]); });
    for (std::int64_t& begin : begins) entries += std::exchange(begin, entries);
  }
};

}  // namespace evenfold
