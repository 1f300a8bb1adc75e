#pragma once
// The entries of sparse matrices as text.

#include <complex>
#include <cstdint>
#include <string>

#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/matrix_market/writer.hpp"

namespace evenfold::testing {

using complexes = std::complex<float>;

/// Row, column and value of each entry, as in a file: "1 1 0.5, 3 2 -1".
template <class View>
std::string entries_of(View matrix) {
  std::string text;
  const auto append = [&](auto number) { append_number(text += ' ', number); };
  detail::for_each_entry(matrix,
                         [&]<class Value>(std::int64_t row, std::int64_t column, Value value) {
                           append_number(text += text.empty() ? "" : ", ", row + 1);
                           append(column + 1);
                           if constexpr (detail::is_complex<Value>) {
                             append(value.real());
                             append(value.imag());
                           } else if constexpr (!is_pattern<Value>) {
                             append(value);
                           }
                         });
  return text;
}

inline const std::string banner = "%%MatrixMarket matrix coordinate ";

}  // namespace evenfold::testing
