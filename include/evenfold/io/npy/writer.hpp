#pragma once
// Writes matrices and arrays to .npy files.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evenfold/core/element_type.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold {

/// Writes a matrix to a .npy file of version 1.0, in Fortran order if its columns are contiguous,
/// else in C order. The elements begin at a multiple of 64 bytes.
///
/// Work O(elements). Memory: up to 1 MiB if the elements are not contiguous.
/// Errors: output_error.
///
/// Names elsewhere: numpy.save.
template <class T>
void write_npy(output_file& file, matrix_view<const T> values) {
  using index = typename matrix_view<const T>::index;
  const bool fortran = !values.is_contiguous() && values.transposed().is_contiguous();
  file.write(
      detail::npy_header_text(element_type_of<T>(), fortran, {values.rows(), values.columns()}));
  if (fortran || values.is_contiguous()) {
    file.write({reinterpret_cast<const char*>(values.data()),
                static_cast<std::size_t>(values.size()) * sizeof(T)});
  } else {
    constexpr std::size_t most = (std::size_t{1} << 20) / sizeof(T);
    std::vector<T> run;
    const auto flush = [&] {
      file.write({reinterpret_cast<const char*>(run.data()), run.size() * sizeof(T)});
      run.clear();
    };
    for (index i = 0; i < values.rows(); ++i) {
      for (index j = 0; j < values.columns(); ++j) {
        run.push_back(values(i, j));
        if (run.size() == most) flush();
      }
    }
    flush();
  }
}

/// The same for an array of one dimension.
template <class T>
void write_npy(output_file& file, std::span<const T> values) {
  file.write(detail::npy_header_text(element_type_of<T>(), false,
                                     {static_cast<std::int64_t>(values.size())}));
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

/// Writes the .npy file of a matrix or a span. The file appears whole or not at all.
///
/// Errors: output_error, for example for a directory that does not exist; the target has then not
/// changed.
template <class Values>
void write_npy(const std::string& path, Values values) {
  output_file file(path);
  write_npy(file, values);
  file.commit();
}

}  // namespace evenfold
