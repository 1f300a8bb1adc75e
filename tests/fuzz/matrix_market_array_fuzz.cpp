// For any bytes, the reader returns a matrix or throws an input_error with a line of the text, and
// the outcome is the same with every size of chunks and number of threads. A result can be written
// and read again.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evenfold/contexts.hpp"
#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/matrix_market/array_writer.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// The matrix as a text, or the error.
template <class Context>
std::string answer(Context& ctx, std::string_view text, std::size_t chunk_bytes) {
  try {
    const auto matrix = evenfold::matrix_market_array::read_text(ctx, text, "fuzz", chunk_bytes);
    return matrix.visit([](auto view) { return evenfold::matrix_market_array_text(view); });
  } catch (const evenfold::input_error& fault) {
    const auto newlines = std::count(text.begin(), text.end(), '\n');
    require(fault.line() >= 1 && fault.line() <= static_cast<std::size_t>(newlines) + 1);
    require(std::string_view(fault.what()).find('\n') == std::string_view::npos);
    return std::string("fault: ") + fault.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  evenfold::reference_context serial;
  evenfold::cpu_context team(2);
  const std::string whole = answer(serial, text, size);
  require(answer(serial, text, std::size_t{1} + data[0]) == whole);
  require(answer(team, text, std::size_t{1} + data[0]) == whole);

  // The result, written and read again, is the same.
  if (!whole.starts_with("fault: ")) require(answer(team, whole, whole.size()) == whole);
  return 0;
}
