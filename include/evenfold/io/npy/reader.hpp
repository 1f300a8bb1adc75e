#pragma once
// Reads arrays of numbers from NumPy's .npy files.
//
// Idea: the file is read into memory, its header is checked, and its elements are viewed in place.
// Elements are copied only if no C++ type can view them: those of the other byte order, halves, and
// unaligned elements.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/core/element_type.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/plausible_extent.hpp"

namespace evenfold {

/// The numbers of a .npy file of version 1.0, 2.0 or 3.0, which is read as file_text does. Integers
/// of 1 to 8 bytes, float and double keep their type; a bool becomes a uint8 (0 or 1), and a half
/// (f2) becomes a float, which is exact. A scalar is a matrix of 1 by 1, an array of one dimension
/// is a column. Move-only.
///
/// Work O(bytes), span O(bytes / workers) if the elements are aligned and have the byte order of
/// the machine. Memory: the file, and the elements that are copied.
///
/// Names elsewhere: numpy.load.
class npy_file {
 public:
  /// Errors: input_error for a file that cannot be read, breaks the format, has fewer or more bytes
  /// than its shape states, more than two dimensions, more rows or columns without any elements
  /// than plausible_extent(), or elements that are not numbers; allocation_error.
  template <context Context>
  npy_file(Context& ctx, const std::string& path)
      : npy_file(std::make_unique<file_text>(ctx, path), path) {}

  /// The same on the calling thread.
  explicit npy_file(const std::string& path) : npy_file(std::make_unique<file_text>(path), path) {}

  /// The same for a file that has been read. `name` is its name in errors.
  npy_file(std::unique_ptr<file_text> file, const std::string& name)
      : npy_file(file->text(), name) {
    file_ = std::move(file);
  }

  /// The same for a file in memory, which must outlive the object.
  static npy_file read_bytes(std::string_view bytes, const std::string& name) {
    return npy_file(bytes, name);
  }

  /// The type of the elements in visit().
  element_type type() const { return header_.type; }
  /// No extent for a scalar, else one or two.
  const std::vector<std::int64_t>& shape() const { return header_.shape; }
  bool fortran_order() const { return header_.fortran_order; }
  /// The dtype as the file spells it, such as "<f8".
  const std::string& descr() const { return header_.descr; }

  /// Calls visitor(matrix_view<const T>) with the T that type() names, and returns what it returns.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return visit_element_type(header_.type, [&]<class T>(std::type_identity<T>) -> decltype(auto) {
      const auto* const elements = reinterpret_cast<const T*>(elements_);
      const std::int64_t rows = header_.shape.empty() ? 1 : header_.shape[0];
      const std::int64_t columns = header_.shape.size() < 2 ? 1 : header_.shape[1];
      return visitor(header_.fortran_order
                         ? matrix_view<const T>::column_major(elements, rows, columns)
                         : matrix_view<const T>::row_major(elements, rows, columns));
    });
  }

 private:
  npy_file(std::string_view bytes, const std::string& name)
      : header_(detail::npy_header_parser::parse(bytes, name)) {
    if (header_.shape.size() > 2) {
      throw input_error(name, 1,
                        "the array has " + std::to_string(header_.shape.size()) +
                            " dimensions, expected at most 2; reshape it, for example by "
                            "array.reshape(len(array), -1)");
    }
    bytes.remove_prefix(header_.data_offset);
    const auto size = static_cast<std::size_t>(header_.size());
    const std::size_t expected = size * header_.element_bytes;
    if (bytes.size() != expected) {
      throw input_error(name, 1,
                        std::to_string(bytes.size()) + " bytes follow the header, expected " +
                            std::to_string(expected) + " (size " + std::to_string(size) + ", " +
                            std::to_string(header_.element_bytes) + " bytes each)");
    }
    check_extents(bytes.size() + header_.data_offset, name);
    elements_ = bytes.data();
    const bool swapped = header_.big_endian != (std::endian::native == std::endian::big) &&
                         header_.element_bytes > 1;
    const bool half = header_.type == element_type::float32 && header_.element_bytes == 2;
    const auto address = reinterpret_cast<std::uintptr_t>(elements_);
    if (!swapped && !half && address % header_.element_bytes == 0) return;

    const auto native = [swapped](auto bits) { return swapped ? reversed(bits) : bits; };
    if (half) {
      copy_out<std::uint16_t>(size,
                              [&](std::uint16_t bits) { return half_to_float(native(bits)); });
    } else if (header_.element_bytes == 2) {
      copy_out<std::uint16_t>(size, native);
    } else if (header_.element_bytes == 4) {
      copy_out<std::uint32_t>(size, native);
    } else {
      copy_out<std::uint64_t>(size, native);
    }
  }

  /// Refuses implausible extents, which an array without elements can have in a short file.
  void check_extents(std::size_t file_bytes, const std::string& name) const {
    if (header_.shape.size() < 2) return;
    const std::int64_t rows = header_.shape[0], columns = header_.shape[1];
    if (std::max(rows, columns) > plausible_extent(file_bytes)) {
      throw input_error(name, 1, detail::implausible_extents(rows, columns, file_bytes));
    }
  }

  /// Sets elements_ to aligned copies of the elements, whose bits are converted by `convert`.
  template <class Bits, class Convert>
  void copy_out(std::size_t size, Convert convert) {
    using result = decltype(convert(Bits()));
    copies_ = std::make_unique_for_overwrite<std::byte[]>(size * sizeof(result));
    for (std::size_t i = 0; i < size; ++i) {
      Bits bits;
      std::memcpy(&bits, elements_ + i * sizeof bits, sizeof bits);
      const result element = convert(bits);
      std::memcpy(copies_.get() + i * sizeof element, &element, sizeof element);
    }
    elements_ = reinterpret_cast<const char*>(copies_.get());
  }

  static std::uint16_t reversed(std::uint16_t bits) { return __builtin_bswap16(bits); }
  static std::uint32_t reversed(std::uint32_t bits) { return __builtin_bswap32(bits); }
  static std::uint64_t reversed(std::uint64_t bits) { return __builtin_bswap64(bits); }

  /// The bits of the float with the value of an IEEE binary16 number, which has one bit of sign, 5
  /// of exponent and 10 of fraction. A NaN keeps its payload.
  static std::uint32_t half_to_float(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    const std::uint32_t magnitude = half & 0x7FFF;
    if (magnitude >= 0x7C00) return sign | 0x7F800000 | (magnitude & 0x3FF) << 13;
    if (magnitude >= 0x0400) return sign | ((magnitude << 13) + (std::uint32_t{127 - 15} << 23));
    // A subnormal number is a multiple of 2^-24.
    return sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  }

  detail::npy_header header_;
  std::unique_ptr<file_text> file_;
  std::unique_ptr<std::byte[]> copies_;
  const char* elements_ = nullptr;
};

}  // namespace evenfold
