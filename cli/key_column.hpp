#pragma once
// A column of keys as numbers, for the files *_query.cpp: nvcc need not read the readers.

#include <cstdint>
#include <vector>

namespace evenfold::cli {

/// One number a row: two rows have the same number exactly where their fields are equal, and a
/// smaller one where the field comes first.
struct key_column {
  std::vector<std::uint64_t> codes;
  /// Which rows are null, their codes being 0; empty where none is.
  std::vector<unsigned char> nulls;
  /// No code is larger.
  std::uint64_t largest = 0;
};

}  // namespace evenfold::cli
