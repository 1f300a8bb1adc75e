#pragma once
// Writes sparse matrices to SciPy's .npz files.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "evenfold/core/element_type.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/npy/zip_writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// The options of write_npz_sparse.
struct npz_options {
  /// Whether the arrays are deflated. The file is then smaller, but takes much longer to write.
  bool compressed = false;
};

namespace detail {

/// Makes the archive of a matrix: the members of all formats, and the arrays that are added.
template <class Value>
class npz_writer {
 public:
  npz_writer(std::string_view format, std::int64_t rows, std::int64_t columns,
             const npz_options& options)
      : zip_(options.compressed) {
    add("format", npy_header_text("|S" + std::to_string(format.size()), false, {}), format);
    const std::int64_t shape[] = {rows, columns};
    add("shape", shape, 2);
  }

  template <class T>
  void add(const char* member, const T* elements, std::int64_t count) {
    add(member, npy_header_text(element_type_of<T>(), false, {count}),
        {reinterpret_cast<const char*>(elements), static_cast<std::size_t>(count) * sizeof(T)});
  }

  /// Adds the values of all entries, or `true` for each entry of a pattern. Returns the archive.
  std::string finish(const Value* values, std::int64_t count) {
    if constexpr (is_pattern<Value>) {
      add("data", npy_header_text("|b1", false, {count}),
          std::string(static_cast<std::size_t>(count), '\1'));
    } else {
      add("data", values, count);
    }
    return zip_.finish();
  }

 private:
  void add(const std::string& member, const std::string& header, std::string_view elements) {
    zip_.add(member + ".npy", {header, elements});
  }

  zip_writer zip_;
};

}  // namespace detail

/// The bytes of an .npz file with a matrix on the host, in the form of the matrix.
template <class Value, class Index, class Offset>
std::string npz_bytes(csr_view<Value, Index, Offset> a, const npz_options& options = {}) {
  detail::npz_writer<const Value> file("csr", a.num_rows, a.num_columns, options);
  file.add("indices", a.columns, a.num_nonzeros);
  file.add("indptr", a.row_offsets, std::int64_t{a.num_rows} + 1);
  return file.finish(a.values, a.num_nonzeros);
}
template <class Value, class Index, class Offset>
std::string npz_bytes(csc_view<Value, Index, Offset> a, const npz_options& options = {}) {
  detail::npz_writer<const Value> file("csc", a.num_rows, a.num_columns, options);
  file.add("indices", a.rows, a.num_nonzeros);
  file.add("indptr", a.column_offsets, std::int64_t{a.num_columns} + 1);
  return file.finish(a.values, a.num_nonzeros);
}
template <class Value, class Index, class Offset>
std::string npz_bytes(coo_view<Value, Index, Offset> a, const npz_options& options = {}) {
  detail::npz_writer<const Value> file("coo", a.num_rows, a.num_columns, options);
  file.add("row", a.rows, a.num_nonzeros);
  file.add("col", a.columns, a.num_nonzeros);
  return file.finish(a.values, a.num_nonzeros);
}

/// Writes a csr_view, csc_view or coo_view on the host to an .npz file, which scipy.sparse.load_npz
/// can read. Values keep their type; a `pattern` is written with the bool true for every entry. The
/// file appears whole or not at all.
///
/// Work O(bytes), on the calling thread. Memory: the file.
/// Errors: output_error; the target has then not changed. allocation_error.
///
/// Example: examples/graph_files.cpp.
/// Names elsewhere: scipy.sparse.save_npz.
template <class View>
  requires requires(View a) { npz_bytes(a); }
void write_npz_sparse(const std::string& path, View a, const npz_options& options = {}) {
  output_file file(path);
  file.write(npz_bytes(a, options));
  file.commit();
}

}  // namespace evenfold
