#pragma once
// Reads PNG files of 8-bit red, green and blue, as the program writes them.

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/scratch.hpp"

namespace evenfold::testing {

struct png_picture {
  std::size_t width = 0, height = 0;
  std::vector<unsigned char> bytes;

  /// Red, green and blue.
  std::array<int, 3> at(std::size_t x, std::size_t y) const {
    const unsigned char* const dot = bytes.data() + (y * width + x) * 3;
    return {dot[0], dot[1], dot[2]};
  }
};

/// The prediction of a filter of PNG (RFC 2083, 6) from the bytes to the left, above, and above
/// left.
inline int png_prediction(int filter, int left, int above, int corner) {
  if (filter == 1) return left;
  if (filter == 2) return above;
  if (filter == 3) return (left + above) / 2;
  if (filter != 4) return 0;
  const int sum = left + above - corner;
  const int a = std::abs(sum - left), b = std::abs(sum - above), c = std::abs(sum - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

inline png_picture read_png(const std::string& path) {
  const std::string file = read_back(path);
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(file.substr(24, 5), std::string("\x08\x02\0\0\0", 5)) << "another kind of PNG";
  const auto number = [&](std::size_t at) {
    std::size_t result = 0;
    for (std::size_t i = 0; i < 4; ++i)
      result = result * 256 + static_cast<unsigned char>(file[at + i]);
    return result;
  };
  png_picture picture{number(16), number(20), {}};
  std::string packed;
  for (std::size_t at = 8; at + 12 <= file.size(); at += number(at) + 12) {
    if (file.substr(at + 4, 4) == "IDAT") packed += file.substr(at + 8, number(at));
  }
  const std::size_t row = picture.width * 3;
  std::vector<unsigned char> filtered((row + 1) * picture.height);
  uLongf size = filtered.size();
  EXPECT_EQ(uncompress(filtered.data(), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       packed.size()),
            Z_OK);
  picture.bytes.resize(row * picture.height);
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < row; ++x) {
      unsigned char* const here = picture.bytes.data() + y * row + x;
      const int left = x < 3 ? 0 : here[-3];
      const int above = y == 0 ? 0 : *(here - row);
      const int corner = x < 3 || y == 0 ? 0 : *(here - row - 3);
      const int filter = filtered[y * (row + 1)];
      *here = static_cast<unsigned char>(filtered[y * (row + 1) + 1 + x] +
                                         png_prediction(filter, left, above, corner));
    }
  }
  return picture;
}

}  // namespace evenfold::testing
