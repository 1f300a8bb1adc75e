#pragma once
// Inflates gzip files in memory.

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "evenfold/core/error.hpp"
#include "evenfold/io/text/byte_buffer.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The first bytes of every gzip file.
inline constexpr std::string_view gzip_magic = "\x1f\x8b";

/// Inflates a gzip file of one or more members, as `gzip -d` does. `name` is the name of the file
/// in errors.
///
/// Work and memory O(inflated bytes), whatever size the file states.
/// Errors: input_error if the stream is damaged, ends early, or is followed by other bytes;
/// allocation_error.
inline byte_buffer gunzip(std::string_view bytes, std::string_view name) {
  struct inflater {
    z_stream stream{};
    inflater() {
      // 16: expect a gzip header, and verify its checksum.
      if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
        throw allocation_error("gunzip: there is no memory to unpack a file; read a smaller one");
    }
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;
    ~inflater() { inflateEnd(&stream); }
  } gz;
  z_stream& stream = gz.stream;

  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  byte_buffer text;
  std::size_t consumed = 0;
  std::size_t produced = 0;
  for (;;) {
    if (produced == text.size()) text.resize(std::max<std::size_t>(4 * bytes.size(), 2 * produced));
    const auto given = static_cast<uInt>(std::min(most, bytes.size() - consumed));
    const auto space = static_cast<uInt>(std::min(most, text.size() - produced));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + consumed));
    stream.avail_in = given;
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + produced);
    stream.avail_out = space;
    const int status = inflate(&stream, Z_NO_FLUSH);
    consumed += given - stream.avail_in;
    produced += space - stream.avail_out;
    if (status == Z_STREAM_END) {
      // Some writers pad the last member with zero bytes.
      const std::size_t next = bytes.find_first_not_of('\0', consumed);
      if (next == std::string_view::npos) break;
      if (next != consumed || !bytes.substr(next).starts_with(gzip_magic)) {
        throw input_error(
            name, "other bytes follow the end of the gzip data, expected a whole .gz file alone");
      }
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw allocation_error("gunzip: there is no memory to unpack a file; read a smaller one");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      const std::string detail = stream.msg ? stream.msg : "unknown fault";
      throw input_error(name,
                        "the gzip data is damaged (" + detail + "), expected a whole .gz file");
    } else if (consumed == bytes.size() && stream.avail_out != 0) {
      throw input_error(name, "the gzip data ends early, expected a whole .gz file");
    }
  }
  text.resize(produced);
  return text;
}

}  // namespace evenfold::detail
