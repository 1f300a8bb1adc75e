#pragma once
// A buffer for the bytes of a file: uninitialized, and able to grow while they are read.

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/core/error.hpp"
#include "evenfold/core/host_memory.hpp"

namespace evenfold::detail {

/// Bytes on the host. Large buffers grow without being copied, and pages that have not been written
/// take no memory. Move-only.
class byte_buffer {
 public:
  byte_buffer() = default;
  byte_buffer(byte_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  byte_buffer& operator=(byte_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~byte_buffer() { std::free(data_); }

  char* data() { return data_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {data_, size_}; }

  /// Keeps the bytes that fit; additional bytes are uninitialized. Errors: allocation_error.
  void resize(std::size_t size) {
    void* const moved = std::realloc(data_, size > 0 ? size : 1);
    if (moved == nullptr) {
      throw allocation_error("byte_buffer: there is no memory for " + std::to_string(size) +
                             " bytes of a file; read a smaller file");
    }
    data_ = static_cast<char*>(moved);
    if (size > size_) prefer_huge_pages(data_, size);
    size_ = size;
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace evenfold::detail
