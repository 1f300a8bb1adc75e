// backends: host
// Chunks of a text: each has whole lines and is as short as its size allows, no line is lost, and
// the numbers of lines are right.

#include "evenfold/io/text/line_chunks.hpp"

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

using chunks_of_text = std::vector<std::string_view>;

TEST(line_chunks, cuts_behind_newlines_alone) {
  EXPECT_EQ(detail::cut_at_line_ends("", 1), chunks_of_text());
  EXPECT_EQ(detail::cut_at_line_ends("a", 1), chunks_of_text({"a"}));
  EXPECT_EQ(detail::cut_at_line_ends("ab\n\nc\n", 1), chunks_of_text({"ab\n", "\n", "c\n"}));
  EXPECT_EQ(detail::cut_at_line_ends("ab\n\nc\n", 3), chunks_of_text({"ab\n", "\nc\n"}));
  EXPECT_EQ(detail::cut_at_line_ends("ab\n\nc\n", 4), chunks_of_text({"ab\n\n", "c\n"}));
  EXPECT_EQ(detail::cut_at_line_ends("ab\n\nc", 5), chunks_of_text({"ab\n\nc"}));
  EXPECT_THROW(detail::cut_at_line_ends("a", 0), argument_error);
}

TEST(line_chunks, laws) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += std::string(static_cast<std::size_t>(i * i % 41), 'x') + '\n';
  text += "the last line";
  for (std::size_t size = 1; size < 200; ++size) {
    std::string together;
    const chunks_of_text chunks = detail::cut_at_line_ends(text, size);
    for (const std::string_view chunk : chunks) {
      together += chunk;
      if (chunk.data() == chunks.back().data()) break;
      ASSERT_GE(chunk.size(), size);
      ASSERT_EQ(chunk.back(), '\n');
      // Without its last line the chunk would be too short.
      ASSERT_LT(chunk.substr(0, chunk.size() - 1).rfind('\n') + 1, size);
    }
    ASSERT_EQ(together, text);
  }
}

TEST(line_chunks, numbers_the_entries) {
  const auto count = [](std::string_view chunk) {
    return static_cast<std::int64_t>(std::count(chunk.begin(), chunk.end(), 'x'));
  };
  cpu_context ctx(3);
  const detail::line_chunks chunks(ctx, "x\n\nxx\nx", 1, count);
  EXPECT_EQ(chunks.texts, chunks_of_text({"x\n", "\n", "xx\n", "x"}));
  EXPECT_EQ(chunks.begins, (std::vector<std::int64_t>{0, 1, 1, 3}));
  EXPECT_EQ(chunks.entries, 4);
  EXPECT_EQ(detail::line_chunks(ctx, "", 1, count).entries, 0);
}

}  // namespace
}  // namespace evenfold::testing
