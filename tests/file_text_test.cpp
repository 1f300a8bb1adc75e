// backends: host
// The bytes of files of all sizes and kinds, read by any number of threads.

#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/file_part.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "evenfold/contexts.hpp"
#include "tests/support/scratch.hpp"

namespace evenfold::testing {
namespace {

/// Bytes without repetitions.
std::string bytes_of_size(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('0' + i % 61 + i / 4099 % 17);
  return bytes;
}

TEST(file_text, sizes_around_the_pieces) {
  const scratch_directory scratch;
  cpu_context team(3);
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1, 3 * piece, 7 * piece + 4097}) {
    const std::string bytes = bytes_of_size(size);
    const std::string path = scratch.write("bytes", bytes);
    EXPECT_TRUE(file_text(path).text() == bytes) << size;
    EXPECT_TRUE(file_text(team, path).text() == bytes) << size;
  }
}

TEST(file_text, the_bytes_stay_where_they_are_when_it_moves) {
  const scratch_directory scratch;
  file_text first(scratch.write("a", "abc"));
  const std::string_view text = first.text();
  file_text second(std::move(first));
  EXPECT_EQ(second.text().data(), text.data());
  second = file_text(scratch.write("b", "d"));
  EXPECT_EQ(second.text(), "d");
}

TEST(file_text, pipes_of_any_length) {
  const scratch_directory scratch;
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::size_t size : {0, 1, 1 << 16, 300001}) {
    const std::string bytes = bytes_of_size(size);
    std::thread writer([&] { std::ofstream(pipe) << bytes; });
    EXPECT_TRUE(file_text(pipe).text() == bytes) << size;
    writer.join();
  }
}

TEST(file_text, a_long_text_of_few_bytes) {
  // Zeros deflate to a thousandth of their size; memory for them is allocated while they are
  // inflated.
  const scratch_directory scratch;
  const std::string zeros(std::size_t{40} << 20, '\0');
  EXPECT_TRUE(file_text(scratch.write("zeros.gz", gzip(zeros))).text() == zeros);
}

TEST(file_text, a_file_that_changes_is_refused) {
  const scratch_directory scratch;
  const std::string path = scratch.write("restless", bytes_of_size(std::size_t{8} << 20));
  std::jthread writer([&](const std::stop_token& stop) {
    for (off_t size = 1; !stop.stop_requested(); size = size % (8 << 20) * 5 + 1) {
      ASSERT_EQ(truncate(path.c_str(), size), 0);
    }
  });
  cpu_context team(2);
  std::string fault;
  for (int attempt = 0; attempt < 100000 && fault.empty(); ++attempt) {
    try {
      file_text file(team, path);
    } catch (const input_error& refused) {
      fault = refused.what();
    }
  }
  EXPECT_EQ(fault,
            path + ": the file changed while it was read; read it again when nothing writes to it");
}

TEST(file_part, parts_are_the_lines_of_the_file) {
  const scratch_directory scratch;
  cpu_context team(2);
  std::string many;
  for (int k = 0; many.size() < 3 * file_part::beginning_bytes; ++k) {
    many += "line " + std::to_string(k) + std::string(static_cast<std::size_t>(k % 50), '.') + "\n";
  }
  const std::string texts[] = {"a",
                               "a\n",
                               "a\nb\n\nc",
                               std::string(100, '\n'),
                               "one long line and\nb\n",
                               many,
                               many + "without an end"};
  for (const std::string& text : texts) {
    const std::string path = scratch.write("lines", text);
    for (const int parts : {1, 2, 3, 8}) {
      std::string all;
      std::size_t lines = 0;
      for (int part = 0; part < parts; ++part) {
        const file_part file(team, path, part, parts);
        ASSERT_TRUE(file.is_cut());
        const std::string_view own = file.part().lines;
        EXPECT_TRUE(own.empty() || own.data() == file.text().data() || own.data()[-1] == '\n');
        const std::size_t line =
            1 + static_cast<std::size_t>(std::count(file.text().data(), own.data(), '\n'));
        EXPECT_TRUE(own.empty() || file.line_of_file(line, lines) == lines + 1);
        EXPECT_EQ(file.part().file_bytes, text.size());
        all += own;
        lines += file.num_lines();
      }
      EXPECT_TRUE(all == text) << parts;
    }
  }
}

TEST(file_part, files_that_cannot_be_cut) {
  const scratch_directory scratch;
  reference_context ctx;
  const std::string one_line(2 * file_part::beginning_bytes, 'x');
  std::string few_lines;
  for (int k = 0; k < 40; ++k) few_lines += std::string(std::size_t{1} << 16, 'x') + "\n";
  for (const std::string& bytes : {std::string(), gzip("1 2\n"), one_line, few_lines}) {
    EXPECT_FALSE(file_part(ctx, scratch.write("whole", bytes), 0, 2).is_cut());
  }
  EXPECT_THROW(file_part(ctx, scratch.write("x", "") + "y", 0, 2), input_error);
}

}  // namespace
}  // namespace evenfold::testing
