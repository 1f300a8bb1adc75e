// For any bytes, as an archive or as the members of a valid archive, the reader returns a matrix
// with valid indices or throws an input_error with a one-line message. A result can be written and
// read again.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "evenfold/contexts.hpp"
#include "evenfold/io/npy/npz_reader.hpp"
#include "evenfold/io/npy/npz_writer.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// An archive made of the bytes. Two bytes are the length of each member; the last one gets the
/// rest.
std::string archive_of(std::string_view bytes, bool compressed, bool listed) {
  const std::array<const char*, 5> members{"format.npy", "shape.npy",
                                           listed ? "row.npy" : "indptr.npy",
                                           listed ? "col.npy" : "indices.npy", "data.npy"};
  evenfold::detail::zip_writer zip(compressed);
  for (const char* member : members) {
    std::size_t size = bytes.size();
    if (bytes.size() > 2 && member != members.back()) {
      size = static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1]);
      bytes.remove_prefix(2);
    }
    const std::string_view content = bytes.substr(0, size);
    zip.add(member, {content});
    bytes.remove_prefix(content.size());
  }
  return zip.finish();
}

template <class Index>
void require_inside(const evenfold::array<Index>& numbers, Index size) {
  for (const Index number : numbers) require(number >= 0 && number < size);
}
template <class Value>
std::string bytes_of(const evenfold::array<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// All numbers of a matrix, as bytes.
template <class Value>
std::string content(const evenfold::csr<Value>& a) {
  require(a.row_offsets[0] == 0);
  for (std::int32_t r = 0; r < a.num_rows; ++r) {
    require(a.row_offsets[static_cast<std::size_t>(r)] <=
            a.row_offsets[static_cast<std::size_t>(r) + 1]);
  }
  require(a.row_offsets[static_cast<std::size_t>(a.num_rows)] == a.num_nonzeros);
  require_inside(a.columns, a.num_columns);
  return bytes_of(a.row_offsets) + bytes_of(a.columns) + bytes_of(a.values);
}
template <class Value>
std::string content(const evenfold::csc<Value>& a) {
  require_inside(a.rows, a.num_rows);
  return bytes_of(a.column_offsets) + bytes_of(a.rows) + bytes_of(a.values);
}
template <class Value>
std::string content(const evenfold::coo<Value>& a) {
  require_inside(a.rows, a.num_rows);
  require_inside(a.columns, a.num_columns);
  return bytes_of(a.rows) + bytes_of(a.columns) + bytes_of(a.values);
}

/// The archive that the writer makes of the result of the reader.
template <class Value, class Context>
std::string rewritten(Context& ctx, std::string_view archive, std::string& found) {
  const evenfold::npz_arrays arrays(ctx, archive, "fuzz");
  const auto matrix = evenfold::read_npz_sparse<Value>(ctx, arrays);
  return std::visit(
      [&](const auto& a) {
        found = content(a);
        return evenfold::npz_bytes(a.view());
      },
      matrix);
}

/// The same archive, or the error.
template <class Value, class Context>
std::string answer(Context& ctx, std::string_view archive) {
  try {
    std::string found, again;
    const std::string once = rewritten<Value>(ctx, archive, found);
    require(rewritten<Value>(ctx, once, again) == once);
    require(again == found);
    return once;
  } catch (const evenfold::input_error& fault) {
    require(fault.line() == 1);
    require(std::string_view(fault.what()).find('\n') == std::string_view::npos);
    return fault.what();
  }
}

template <class Value>
void check(std::string_view archive) {
  evenfold::reference_context serial;
  evenfold::cpu_context team(2);
  require(answer<Value>(serial, archive) == answer<Value>(team, archive));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_archive = bytes.starts_with("PK");
  if (!is_archive && size == 0) return 0;
  const std::string archive =
      is_archive ? std::string(bytes)
                 : archive_of(bytes.substr(1), (data[0] & 1) != 0, (data[0] & 2) != 0);
  check<double>(archive);
  check<evenfold::pattern>(archive);
  check<std::int32_t>(archive);
  return 0;
}
