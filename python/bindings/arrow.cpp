// Arrays of Arrow, by its C data interface:
// https://arrow.apache.org/docs/format/CDataInterface.html

#include <cstring>
#include <string>
#include <string_view>

#include "evenfold/core/element_type.hpp"
#include "python/bindings/families.hpp"

namespace evenfold::python {

namespace {

// The structures of the interface.
struct arrow_schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  arrow_schema** children;
  arrow_schema* dictionary;
  void (*release)(arrow_schema*);
  void* private_data;
};
struct arrow_array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  arrow_array** children;
  arrow_array* dictionary;
  void (*release)(arrow_array*);
  void* private_data;

  arrow_array() = default;
  arrow_array(const arrow_array&) = delete;
};

struct arrow_stream {
  int (*get_schema)(arrow_stream*, arrow_schema* out);
  int (*get_next)(arrow_stream*, arrow_array* out);
  const char* (*get_last_error)(arrow_stream*);
  void (*release)(arrow_stream*);
  void* private_data;
};

/// An array that was moved out of its capsule or stream, released with the last array that refers
/// to it. A release callback may be called on any thread.
struct owned_array : arrow_array {
  owned_array() = default;
  explicit owned_array(arrow_array& from) : arrow_array() {
    std::memcpy(static_cast<void*>(static_cast<arrow_array*>(this)), &from, sizeof(arrow_array));
    from.release = nullptr;
  }
  ~owned_array() {
    if (release == nullptr) return;
    const nb::gil_scoped_acquire locked;
    release(this);
  }
};
using array_keeper = std::shared_ptr<const owned_array>;

element_type type_of(const arrow_schema& schema) {
  if (schema.dictionary != nullptr) {
    throw nb::type_error(
        "an Arrow array with a dictionary has codes in place of its values; pass the codes, such "
        "as array.indices, or the values, such as array.dictionary_decode()");
  }
  const std::string_view format = schema.format;
  constexpr std::string_view known = "cCsSiIlLfg";
  constexpr element_type types[] = {
      element_type::int8,    element_type::uint8,  element_type::int16, element_type::uint16,
      element_type::int32,   element_type::uint32, element_type::int64, element_type::uint64,
      element_type::float32, element_type::float64};
  const auto found = format.size() == 1 ? known.find(format[0]) : std::string_view::npos;
  if (found == std::string_view::npos) {
    const char* const remedy = format.starts_with("+l") || format.starts_with("+L")
                                   ? "pass its values, or evenfold.Ragged.from_arrow of it"
                               : format == "+s" ? "pass one of its columns"
                               : format == "b"  ? "bools are bits there; cast it to uint8"
                               : format == "e"  ? "cast it to float"
                                                : "cast it to integers, float or double";
    throw nb::type_error(("an Arrow array of the format '" + std::string(format) +
                          "' has no numbers that can be taken as they are; " + remedy)
                             .c_str());
  }
  return types[found];
}

bool has_nulls(const arrow_array& from) {
  if (from.null_count == 0 || from.n_buffers == 0 || from.buffers[0] == nullptr) return false;
  if (from.null_count > 0) return true;
  // The number is unknown, such as in a slice.
  const auto* const is_valid = static_cast<const unsigned char*>(from.buffers[0]);
  for (std::int64_t i = from.offset; i < from.offset + from.length; ++i) {
    if ((is_valid[i / 8] >> (i % 8) & 1) == 0) return true;
  }
  return false;
}

void check_no_nulls(const arrow_array& from) {
  if (!has_nulls(from)) return;
  throw nb::value_error(
      "an Arrow array has nulls; drop or fill them, such as with "
      "pyarrow.compute.fill_null");
}

/// Elements [first, first + count) of a buffer.
shared_array elements(const array_keeper& keeper, element_type type, const void* buffer,
                      std::int64_t first, std::int64_t count) {
  const auto* const begin = static_cast<const unsigned char*>(buffer);
  const void* const data = begin == nullptr ? nullptr : begin + first * size_of(type);
  if (count > 0 && reinterpret_cast<std::uintptr_t>(data) % size_of(type) != 0) {
    throw nb::value_error(
        "a buffer of an Arrow array does not begin at a multiple of the size of its elements; pass "
        "a copy");
  }
  return std::make_shared<runtime::array>(runtime::array::borrowed(
      type, data, static_cast<std::size_t>(count), memory_side::host, keeper));
}

shared_array numbers(const array_keeper& keeper, const arrow_schema& schema,
                     const arrow_array& from) {
  check_no_nulls(from);
  return elements(keeper, type_of(schema), from.buffers[1], from.offset, from.length);
}

arrow_schema& schema_in(const nb::capsule& capsule) {
  return *static_cast<arrow_schema*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_schema"));
}
array_keeper array_in(const nb::capsule& capsule) {
  return std::make_shared<const owned_array>(
      *static_cast<arrow_array*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array")));
}

/// The numbers of an array.
shared_array borrow_arrow(const nb::capsule& schema, const nb::capsule& array) {
  const array_keeper keeper = array_in(array);
  return numbers(keeper, schema_in(schema), *keeper);
}

/// The numbers of a stream of arrays, which are at most one chunk.
shared_array borrow_arrow_stream(const nb::capsule& capsule) {
  auto& stream =
      *static_cast<arrow_stream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  const auto check = [&](int code) {
    if (code == 0) return;
    const char* const reason = stream.get_last_error(&stream);
    throw nb::value_error(
        ("a stream of Arrow arrays failed: " + std::string(reason == nullptr ? "" : reason))
            .c_str());
  };
  struct owned_schema : arrow_schema {
    owned_schema() : arrow_schema() {}
    ~owned_schema() {
      if (release != nullptr) release(this);
    }
  } schema;
  check(stream.get_schema(&stream, &schema));
  type_of(schema);  // which refuses other types, also where there are no chunks
  array_keeper found;
  while (true) {
    const auto next = std::make_shared<owned_array>();
    check(stream.get_next(&stream, next.get()));
    if (next->release == nullptr) break;
    if (found != nullptr && found->length > 0 && next->length > 0) {
      throw nb::value_error(
          "an Arrow array has several chunks, and no copy is made in silence; make them one, such "
          "as with combine_chunks() or rechunk()");
    }
    if (found == nullptr || next->length > 0) found = next;
  }
  if (found != nullptr) return numbers(found, schema, *found);
  return shared(runtime::array::borrowed(type_of(schema), static_cast<const void*>(nullptr), 0,
                                         memory_side::host));
}

/// The values and the offsets of an array of lists; the values are those from the first offset 0
/// on.
array_pair borrow_arrow_lists(const nb::capsule& schema, const nb::capsule& array) {
  const array_keeper keeper = array_in(array);
  const arrow_schema& lists = schema_in(schema);
  const std::string_view format = lists.format;
  if (format != "+l" && format != "+L") {
    throw nb::type_error(("an Arrow array of the format '" + std::string(format) +
                          "' is not a list array; pass a ListArray or a LargeListArray")
                             .c_str());
  }
  check_no_nulls(*keeper);
  const auto offset_type = format == "+l" ? element_type::int32 : element_type::int64;
  return {numbers(keeper, *lists.children[0], *keeper->children[0]),
          elements(keeper, offset_type, keeper->buffers[1], keeper->offset, keeper->length + 1)};
}

}  // namespace

void add_arrow(nb::module_& module) {
  module.def("borrow_arrow", &borrow_arrow, "schema"_a, "array"_a,
             "The numbers of the two capsules of __arrow_c_array__.");
  module.def("borrow_arrow_stream", &borrow_arrow_stream, "stream"_a,
             "The numbers of the capsule of __arrow_c_stream__, of at most one chunk.");
  module.def("borrow_arrow_lists", &borrow_arrow_lists, "schema"_a, "array"_a,
             "The values and the offsets of an array of lists.");
}

}  // namespace evenfold::python
