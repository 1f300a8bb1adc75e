// backends: host
// Pieces of a text: whole lines, none lost, each as short as its size allows, and numbered by what
// lies before them.

#include "evenfold/io/text/line_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/contexts.hpp"

namespace evenfold::testing {
namespace {

using pieces_of_text = std::vector<std::string_view>;

TEST(line_pieces, cuts_behind_newlines_alone) {
  EXPECT_EQ(cut_lines("", 1), pieces_of_text());
  EXPECT_EQ(cut_lines("a", 1), pieces_of_text({"a"}));
  EXPECT_EQ(cut_lines("ab\n\nc\n", 1), pieces_of_text({"ab\n", "\n", "c\n"}));
  EXPECT_EQ(cut_lines("ab\n\nc\n", 3), pieces_of_text({"ab\n", "\nc\n"}));
  EXPECT_EQ(cut_lines("ab\n\nc\n", 4), pieces_of_text({"ab\n\n", "c\n"}));
  EXPECT_EQ(cut_lines("ab\n\nc", 5), pieces_of_text({"ab\n\nc"}));
  EXPECT_THROW(cut_lines("a", 0), argument_error);
}

TEST(line_pieces, laws) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += std::string(static_cast<std::size_t>(i * i % 41), 'x') + '\n';
  text += "the last line";
  for (std::size_t size = 1; size < 200; ++size) {
    std::string together;
    const pieces_of_text pieces = cut_lines(text, size);
    for (const std::string_view piece : pieces) {
      together += piece;
      if (piece.data() == pieces.back().data()) break;
      ASSERT_GE(piece.size(), size);
      ASSERT_EQ(piece.back(), '\n');
      // One line less would be too little.
      ASSERT_LT(piece.substr(0, piece.size() - 1).rfind('\n') + 1, size);
    }
    ASSERT_EQ(together, text);
  }
}

TEST(line_pieces, numbers_the_entries) {
  const auto count = [](std::string_view piece) {
    return static_cast<std::int64_t>(std::count(piece.begin(), piece.end(), 'x'));
  };
  cpu_context ctx(3);
  const line_pieces pieces(ctx, "x\n\nxx\nx", 1, count);
  EXPECT_EQ(pieces.texts, pieces_of_text({"x\n", "\n", "xx\n", "x"}));
  EXPECT_EQ(pieces.begins, (std::vector<std::int64_t>{0, 1, 1, 3}));
  EXPECT_EQ(pieces.entries, 4);
  EXPECT_EQ(line_pieces(ctx, "", 1, count).entries, 0);
}

}  // namespace
}  // namespace evenfold::testing
