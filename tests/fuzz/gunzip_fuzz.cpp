// Any bytes as a gzip file are inflated or refused with an input_error of one line. Any bytes that
// were deflated are inflated to the same bytes.

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evenfold/io/text/gunzip.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// One member of a gzip file.
std::string deflated(std::string_view bytes) {
  z_stream stream{};
  require(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!bytes.starts_with(evenfold::detail::gzip_magic)) {
    const std::string member = deflated(bytes);
    require(evenfold::detail::gunzip(member, "fuzz").text() == bytes);
    require(evenfold::detail::gunzip(member + member + '\0', "fuzz").text() ==
            std::string(bytes) + std::string(bytes));
    return 0;
  }
  try {
    // Deflate expands one byte to at most 1032.
    require(evenfold::detail::gunzip(bytes, "fuzz").size() <= 1032 * size);
  } catch (const evenfold::input_error& fault) {
    // Deflated bytes have no lines, so that an error has none.
    require(fault.line() == 0);
    require(std::string_view(fault.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
