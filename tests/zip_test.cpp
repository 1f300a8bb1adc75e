// ZIP archives: written by the library, read by minizip.
// backends: host

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/io/npy/zip_reader.hpp"
#include "evenfold/io/npy/zip_writer.hpp"

namespace evenfold::testing {
namespace {

std::string text_of(const std::optional<detail::byte_buffer>& bytes) {
  return bytes ? std::string(bytes->text()) : "none";
}

std::string hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

/// 300,000 bytes that can be compressed, and as many that cannot.
std::vector<std::string> texts() {
  std::string even, odd;
  std::uint32_t state = 1;
  for (int i = 0; i < 300000; ++i) {
    even += static_cast<char>('a' + i / 100 % 26);
    state = state * 1664525 + 1013904223;
    odd += static_cast<char>(state >> 24);
  }
  return {"", "x", even, odd};
}

TEST(zip_writer, members_are_read_back) {
  const std::vector<std::string> members = texts();
  for (const bool compressed : {false, true}) {
    detail::zip_writer zip(compressed);
    std::size_t total = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::string_view text = members[i];
      const std::size_t half = text.size() / 2;
      zip.add("member " + std::to_string(i), {text.substr(0, half), text.substr(half)});
      total += text.size();
    }
    const std::string archive = zip.finish();
    if (compressed) {
      EXPECT_LT(archive.size(), total * 2 / 3);
    } else {
      EXPECT_GT(archive.size(), total);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(text_of(detail::read_zip_member(archive, "member " + std::to_string(i), "a.zip")),
                members[i]);
    }
    EXPECT_FALSE(detail::read_zip_member(archive, "member 9", "a.zip"));
  }
}

// The minizip of zlib 1.2.13 does not read ZIP64; Python's zipfile and Info-ZIP's unzip read these
// bytes.
TEST(zip_writer, large_numbers_are_written_as_zip64_has_them) {
  detail::zip_writer zip(false, 0);
  zip.add("a", {"x"});
  zip.add("b", {});
  EXPECT_EQ(
      hex(zip.finish()),
      // The members: header, name, extra field with both sizes, bytes.
      "504b03042d0000000000000021008316dc8cffffffffffffffff01001400"
      "61"
      "0100100001000000000000000100000000000000"
      "78"
      "504b03042d00000000000000210000000000ffffffffffffffff01001400"
      "62"
      "0100100000000000000000000000000000000000"
      // The directory: the extra fields have the offset, too.
      "504b01022d002d0000000000000021008316dc8cffffffffffffffff01001c0000000000000000000000ffffffff"
      "61"
      "01001800010000000000000001000000000000000000000000000000"
      "504b01022d002d00000000000000210000000000ffffffffffffffff01001c0000000000000000000000ffffffff"
      "62"
      "01001800000000000000000000000000000000003400000000000000"
      // The end records: that of ZIP64, its locator, and that of ZIP.
      "504b06062c000000000000002d002d000000000000000000"
      "0200000000000000020000000000000096000000000000006700000000000000"
      "504b060700000000fd0000000000000001000000"
      "504b05060000000002000200ffffffffffffffff0000");
}

TEST(zip_writer, without_members) {
  const std::string archive = detail::zip_writer(true).finish();
  EXPECT_EQ(archive, std::string("PK\5\6", 4) + std::string(18, '\0'));
}

TEST(zip_writer, is_the_same_every_time) {
  const auto make = [] {
    detail::zip_writer zip(true);
    zip.add("a", {"some ", "text"});
    return zip.finish();
  };
  EXPECT_EQ(make(), make());
  detail::zip_writer whole(true);
  whole.add("a", {"some text"});
  EXPECT_EQ(whole.finish(), make());
}

}  // namespace
}  // namespace evenfold::testing
