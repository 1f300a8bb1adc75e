#pragma once
// The unpacked arrays of a sparse matrix in SciPy's .npz format, before they are checked.
//
// Format (scipy.sparse.save_npz): a ZIP archive of .npy members: `format` (a text: csr, csc or
// coo), `shape` (rows, columns), `data` (the values), and either `indptr` and `indices` (csr, csc)
// or `row` and `col` (coo).

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/zip_reader.hpp"
#include "evenfold/io/text/byte_buffer.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold {

/// A member of an .npz archive: an array of one dimension. Errors name line 1 of
/// ARCHIVE/MEMBER.npy. Move-only.
class npz_member {
 public:
  /// Errors: input_error for a member that is missing, damaged, not an array of numbers (see
  /// npy_file), or not of one dimension.
  npz_member(std::string_view archive, const std::string& member, const std::string& name)
      : label_(name + "/" + member + ".npy"),
        bytes_(unpacked(archive, member, name)),
        array_(npy_file::read_bytes(bytes_.text(), label_)) {
    if (array_.shape().size() != 1) {
      fail("the array has " + std::to_string(array_.shape().size()) + " dimensions, expected one");
    }
  }

  /// The bytes of a member. Errors: input_error for a missing or damaged member.
  static detail::byte_buffer unpacked(std::string_view archive, const std::string& member,
                                      const std::string& name) {
    auto bytes = detail::read_zip_member(archive, member + ".npy", name);
    if (!bytes) {
      throw input_error(name, 1,
                        "there is no member " + shown(member + ".npy") +
                            ", expected a sparse matrix as scipy.sparse.save_npz writes it");
    }
    return *std::move(bytes);
  }

  std::int64_t size() const { return array_.shape()[0]; }
  /// The size of the member in bytes, its header included.
  std::size_t bytes() const { return bytes_.size(); }

  /// Copies integers to `to`. Errors: input_error for an integer outside of [0, most], and for
  /// floating-point numbers.
  template <context Context, std::integral T>
  void read_integers(Context& ctx, std::int64_t most, T* to) const {
    array_.visit([&]<class U>(matrix_view<const U> from) {
      if constexpr (std::is_floating_point_v<U>) {
        fail("the elements have the dtype " + shown(array_.descr()) + ", expected integers");
      } else {
        transform(ctx, from.rows(), [&](std::int64_t k) {
          const U value = from(k, 0);
          if (std::cmp_less(value, 0) || std::cmp_greater(value, most)) {
            fail("element " + std::to_string(k) + " is " + std::to_string(value) +
                 ", expected an integer from 0 to " + std::to_string(most));
          }
          to[k] = static_cast<T>(value);
        });
      }
    });
  }

  /// Copies numbers to `to`, rounded if T is a floating-point type. If T is an integer type,
  /// errors: input_error for floating-point numbers, and for an integer that T cannot hold.
  template <context Context, class T>
  void read_numbers(Context& ctx, T* to) const {
    array_.visit([&]<class U>(matrix_view<const U> from) {
      if constexpr (std::is_integral_v<T> && std::is_floating_point_v<U>) {
        fail("the elements have the dtype " + shown(array_.descr()) + ", expected integers");
      } else {
        transform(ctx, from.rows(), [&](std::int64_t k) {
          if constexpr (std::is_integral_v<T>) {
            if (!std::in_range<T>(from(k, 0))) {
              fail("element " + std::to_string(k) + " is " + std::to_string(from(k, 0)) +
                   ", expected integers of " + std::to_string(8 * sizeof(T)) + " bits");
            }
          }
          to[k] = static_cast<T>(from(k, 0));
        });
      }
    });
  }

  /// Whether all elements are bool and true.
  bool is_all_true() const {
    return array_.descr() == "|b1" &&
           bytes_.text().find('\0', bytes_.size() - array_.shape()[0]) == std::string_view::npos;
  }

  [[noreturn]] void fail(const std::string& what) const { throw input_error(label_, 1, what); }

 private:
  std::string label_;
  // array_ is a view of these bytes.
  detail::byte_buffer bytes_;
  npy_file array_;
};

/// The forms of sparse matrices in .npz files.
enum class npz_format { csr, csc, coo };

/// All arrays of a matrix. A caller can choose the types of the matrix by them. Move-only.
///
/// Errors: input_error for an archive or a member that is damaged or missing, a format other than
/// csr, csc and coo, and a shape that is not two integers.
class npz_arrays {
 public:
  /// `name` is the name of the archive in errors.
  template <context Context>
  npz_arrays(Context& ctx, std::string_view archive, const std::string& name) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    format_ = format_of(archive, name);
    const bool listed = format_ == npz_format::coo;
    const char* const members[] = {"data", listed ? "row" : "indptr", listed ? "col" : "indices"};
    // At the same time, since inflating them takes long.
    transform(ctx, 3, [&](int k) {
      arrays_[static_cast<std::size_t>(k)].emplace(archive, members[k], name);
    });
    const npz_member shape(archive, "shape", name);
    if (shape.size() != 2) {
      shape.fail("the shape has " + std::to_string(shape.size()) +
                 " extents, expected two: rows and columns");
    }
    shape.read_integers(ctx, std::numeric_limits<std::int64_t>::max(), extents_.data());
  }

  npz_format format() const { return format_; }
  std::int64_t rows() const { return extents_[0]; }
  std::int64_t columns() const { return extents_[1]; }
  /// The bytes of the unpacked arrays.
  std::size_t bytes() const { return data().bytes() + major().bytes() + minor().bytes(); }
  /// Whether all values are bool and true, so that only the positions of entries matter.
  bool is_pattern() const { return data().is_all_true(); }

  const npz_member& data() const { return *arrays_[0]; }
  /// The offsets of csr and csc, the rows of coo.
  const npz_member& major() const { return *arrays_[1]; }
  /// The columns of csr and coo, the rows of csc.
  const npz_member& minor() const { return *arrays_[2]; }

 private:
  /// The format of an archive. Its member is an array without dimensions, of one text in bytes or
  /// little-endian UTF-32. The header before the text ends with a newline.
  static npz_format format_of(std::string_view archive, const std::string& name) {
    const detail::byte_buffer member = npz_member::unpacked(archive, "format", name);
    const std::string_view bytes = member.text();
    for (const auto& [text, format] : {std::pair<std::string, npz_format>("csr", npz_format::csr),
                                       {"csc", npz_format::csc},
                                       {"coo", npz_format::coo}}) {
      std::string wide = "\n";
      for (const char c : text) wide += std::string{c, '\0', '\0', '\0'};
      if (bytes.starts_with(detail::npy_header_parser::magic) &&
          (bytes.ends_with("\n" + text) || bytes.ends_with(wide))) {
        return format;
      }
    }
    throw input_error(
        name + "/format.npy", 1,
        "the format of the matrix is unknown, expected csr, csc or coo; convert it, for "
        "example by matrix.tocsr()");
  }

  npz_format format_ = npz_format::csr;
  std::array<std::int64_t, 2> extents_{};
  std::array<std::optional<npz_member>, 3> arrays_;
};

}  // namespace evenfold
