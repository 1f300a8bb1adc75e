// For any bytes, the reader returns a sparse matrix or throws an input_error with a line of the
// text, and the outcome is the same with every size of chunks and number of threads. A result can
// be written and read again.

#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evenfold/contexts.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/matrix_market/writer.hpp"

namespace {

using evenfold::matrix_market_symmetry;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Matrix>
std::string written(const Matrix& matrix, matrix_market_symmetry symmetry) {
  std::string text;
  make_matrix_market(matrix.view(), {symmetry}, [&](std::string_view part) { text += part; });
  return text;
}

/// The entries, written as a file, or the error.
template <class Value, class Context>
std::string answer(Context& ctx, std::string_view text, std::size_t chunk_bytes, bool expand) {
  try {
    const evenfold::matrix_market_text source(text, "fuzz");
    const auto matrix =
        evenfold::read_matrix_market<Value, std::int64_t>(ctx, source, {expand, chunk_bytes, true});
    const std::string all = written(matrix, matrix_market_symmetry::general);
    if constexpr (!evenfold::is_pattern<Value>) {
      // The matrix that was expanded from the lower triangle has the symmetry.
      if (expand && source.header().symmetry != matrix_market_symmetry::general) {
        const std::string half = written(matrix, source.header().symmetry);
        const auto again = evenfold::read_matrix_market_text<Value, std::int64_t>(
            ctx, half, "half", {.trust_sizes = true});
        require(written(again, matrix_market_symmetry::general) == all);
      }
    }
    return all;
  } catch (const evenfold::input_error& fault) {
    const auto newlines = std::count(text.begin(), text.end(), '\n');
    require(fault.line() >= 1 && fault.line() <= static_cast<std::size_t>(newlines) + 1);
    require(std::string_view(fault.what()).find('\n') == std::string_view::npos);
    return std::string("fault: ") + fault.what();
  }
}

template <class Value>
void check(std::string_view text, std::size_t chunk_bytes, bool expand) {
  evenfold::reference_context serial;
  evenfold::cpu_context team(2);
  const std::string whole = answer<Value>(serial, text, text.size() + 1, expand);
  require(answer<Value>(serial, text, chunk_bytes, expand) == whole);
  require(answer<Value>(team, text, chunk_bytes, expand) == whole);
  // The result, written and read again, is the same.
  if (!whole.starts_with("fault: ")) {
    require(answer<Value>(team, whole, chunk_bytes, true) == whole);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t chunk_bytes = std::size_t{1} + data[0] / 8;
  const bool expand = data[0] % 2 == 0;
  switch (data[0] / 2 % 4) {
    case 0:
      check<double>(text, chunk_bytes, expand);
      break;
    case 1:
      check<evenfold::pattern>(text, chunk_bytes, expand);
      break;
    case 2:
      check<std::complex<double>>(text, chunk_bytes, expand);
      break;
    default:
      check<std::int32_t>(text, chunk_bytes, expand);
      break;
  }
  return 0;
}
