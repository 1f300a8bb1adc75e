// For any bytes, the reader returns an array or throws an input_error with a one-line message. A
// result can be written and read again.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "evenfold/io/npy/reader.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// The file with this header and these elements, in their storage order.
template <class T>
std::string file_of(evenfold::matrix_view<const T> view, const evenfold::npy_file& file) {
  std::string text =
      evenfold::detail::npy_header_text(file.type(), file.fortran_order(), file.shape());
  require(text.size() % 64 == 0);
  const auto size = static_cast<std::size_t>(view.size()) * sizeof(T);
  if (size > 0) text.append(reinterpret_cast<const char*>(view.data()), size);
  return text;
}

std::string rewritten(std::string_view bytes) {
  const auto file = evenfold::npy_file::read_bytes(bytes, "fuzz");
  return file.visit([&](auto view) { return file_of(view, file); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string once = rewritten({reinterpret_cast<const char*>(data), size});
    require(rewritten(once) == once);
  } catch (const evenfold::input_error& fault) {
    require(fault.line() == 1);
    require(std::string_view(fault.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
