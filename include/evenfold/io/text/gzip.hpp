#pragma once
// Compresses the text of a file while it is written.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "evenfold/core/error.hpp"

namespace evenfold::detail {

/// A gzip file as a stream, of the usual level of compression and without a name or a time, so that
/// the same text always gives the same bytes. Not movable.
///
/// Work O(bytes), on the calling thread. Memory: about 300 KB.
/// Errors: allocation_error.
class gzip_stream {
 public:
  gzip_stream() {
    // 16: with the header and the checksum of gzip.
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw allocation_error("gzip: there is no memory to compress a file; write it without .gz");
    }
  }
  gzip_stream(const gzip_stream&) = delete;
  gzip_stream& operator=(const gzip_stream&) = delete;
  ~gzip_stream() { deflateEnd(&stream_); }

  /// Compresses more text. Calls write(bytes) for compressed bytes, as they become available.
  template <class Write>
  void add(std::string_view text, Write&& write) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    while (!text.empty()) {
      const std::size_t given = std::min(most, text.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
      stream_.avail_in = static_cast<uInt>(given);
      deflate_all(Z_NO_FLUSH, write);
      text.remove_prefix(given);
    }
  }

  /// Calls write(bytes) for the rest. Text that is added later begins another member of the file.
  template <class Write>
  void finish(Write&& write) {
    deflate_all(Z_FINISH, write);
    deflateReset(&stream_);
  }

 private:
  template <class Write>
  void deflate_all(int flush, Write&& write) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      write(std::string_view(buffer_.data(), buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::array<char, 1 << 15> buffer_;
};

}  // namespace evenfold::detail
