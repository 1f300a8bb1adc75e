#pragma once
// A column of keys as numbers, on the host.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine.hpp"
#include "runtime/tables.hpp"

namespace evenfold::cli {

/// As runtime::key_column.
struct key_column {
  std::vector<std::uint64_t> codes;
  std::vector<unsigned char> nulls;
  std::uint64_t largest = 0;
};

/// The column where an engine can reach it. Where that is the host it refers to the column, which
/// must live as long.
inline runtime::key_column local(runtime::engine& engine, const key_column& column) {
  return {engine.local(runtime::array::borrowed(std::span(column.codes))),
          engine.local(runtime::array::borrowed(std::span(column.nulls))), column.largest};
}
inline std::vector<runtime::key_column> local(runtime::engine& engine,
                                              const std::vector<key_column>& columns) {
  std::vector<runtime::key_column> result;
  result.reserve(columns.size());
  for (const key_column& column : columns) result.push_back(local(engine, column));
  return result;
}

}  // namespace evenfold::cli
