#pragma once
// A column of keys as codes, on the host.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "evenfold/core/host_memory.hpp"
#include "runtime/engine.hpp"
#include "runtime/tables.hpp"

namespace evenfold::cli {

/// An allocator for long columns that all threads fill at once: elements are not initialized, and
/// the memory has huge pages.
template <class T>
struct column_allocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = column_allocator<U>;
  };

  T* allocate(std::size_t count) {
    T* const block = std::allocator<T>::allocate(count);
    detail::prefer_huge_pages(block, count * sizeof(T));
    return block;
  }
  void construct(T* at) { ::new (static_cast<void*>(at)) T; }
  template <class... Arguments>
  void construct(T* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) T(std::forward<Arguments>(arguments)...);
  }
};

/// One element per row, uninitialized at first.
template <class T>
using column_vector = std::vector<T, column_allocator<T>>;

/// As runtime::key_column.
struct key_column {
  column_vector<std::uint64_t> codes;
  column_vector<unsigned char> nulls;
  std::uint64_t largest = 0;
};

/// The column in memory that an engine can reach. On the host it refers to `column`, which must
/// live as long.
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
