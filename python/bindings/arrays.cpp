// Arrays of other libraries as arrays of the runtime layer, and the reverse, without copies.

#include <nanobind/ndarray.h>

#include <optional>
#include <string>

#include "evenfold/core/element_type.hpp"
#include "python/bindings/families.hpp"

namespace evenfold::python {

namespace {

using any_array = nb::ndarray<nb::ro>;
using writable_array = nb::ndarray<>;

constexpr int dlpack_host = nb::device::cpu::value;
constexpr int dlpack_pinned = nb::device::cuda_host::value;
constexpr int dlpack_gpu = nb::device::cuda::value;
constexpr int dlpack_managed = nb::device::cuda_managed::value;

nb::dlpack::dtype dlpack_type(element_type type) {
  return type == element_type::boolean
             ? nb::dtype<bool>()
             : visit_element_type(type,
                                  []<class T>(std::type_identity<T>) { return nb::dtype<T>(); });
}

std::optional<element_type> element_type_of(nb::dlpack::dtype type) {
  for (int i = 0; i < num_element_types; ++i) {
    if (dlpack_type(static_cast<element_type>(i)) == type) return static_cast<element_type>(i);
  }
  return std::nullopt;
}

memory_side side_of(int device_type) {
  switch (device_type) {
    case dlpack_host:
      return memory_side::host;
    case dlpack_gpu:
      return memory_side::device;
    case dlpack_pinned:
    case dlpack_managed:
      return memory_side::either;
    default:
      throw nb::value_error(
          "the array is on a device that evenfold has no engine for; copy it to "
          "the host or to a CUDA device");
  }
}

/// Loads and stores of a type need an address that is a multiple of its size.
void check_alignment(element_type type, const void* data, std::size_t count) {
  if (count == 0 || reinterpret_cast<std::uintptr_t>(data) % size_of(type) == 0) return;
  throw nb::value_error(
      "the array does not begin at a multiple of the size of its elements; pass a copy, such as "
      "that of numpy.array");
}

/// From the first to the last element of the array, gaps included.
template <class Array>
std::size_t spanned_elements(const Array& from) {
  std::size_t last = 0;
  for (std::size_t d = 0; d < from.ndim(); ++d) {
    if (from.shape(d) == 0) return 0;
    if (from.stride(d) < 0) {
      throw nb::value_error(
          "the array has a negative stride; pass a contiguous copy, such as that "
          "of numpy.ascontiguousarray");
    }
    last += (from.shape(d) - 1) * static_cast<std::size_t>(from.stride(d));
  }
  return last + 1;
}

using borrowed_array =
    std::tuple<shared_array, std::vector<std::int64_t>, std::vector<std::int64_t>, int>;

/// The elements of an array of another library, its extents, its strides in elements, and the
/// number of its device.
template <class Array, class Data>
borrowed_array borrow(Array from) {
  const std::optional<element_type> type = element_type_of(from.dtype());
  if (!type) {
    throw nb::type_error(
        "elements are integers of up to 64 bits, float32, float64 or bool; convert "
        "others, such as with astype('float64')");
  }
  const std::size_t count = spanned_elements(from);
  std::vector<std::int64_t> shape, strides;
  for (std::size_t d = 0; d < from.ndim(); ++d) {
    shape.push_back(static_cast<std::int64_t>(from.shape(d)));
    strides.push_back(from.stride(d));
  }
  const memory_side side = side_of(from.device_type());
  const int device = from.device_id();
  Data* const data = static_cast<Data*>(from.data());
  check_alignment(*type, data, count);
  auto keeper = std::make_shared<const Array>(std::move(from));
  return {shared(runtime::array::borrowed(*type, data, count, side, std::move(keeper))),
          std::move(shape), std::move(strides), device};
}

/// Memory at an address, as __cuda_array_interface__ describes it.
shared_array at_address(std::uintptr_t address, const std::string& type, std::size_t count,
                        bool read_only, nb::object owner) {
  struct holder {
    nb::object owner;
    ~holder() {
      const nb::gil_scoped_acquire locked;
      owner.reset();
    }
  };
  auto keeper = std::make_shared<holder>(std::move(owner));
  void* const data = reinterpret_cast<void*>(address);
  const element_type known = element_type_named(type);
  check_alignment(known, data, count);
  return std::make_shared<runtime::array>(
      read_only
          ? runtime::array::borrowed(known, static_cast<const void*>(data), count,
                                     memory_side::device, std::move(keeper))
          : runtime::array::borrowed(known, data, count, memory_side::device, std::move(keeper)));
}

/// The elements as an object with __dlpack__, which keeps the memory.
template <class View, class Data>
nb::object exported_as(Data* data, const shared_array& self, const std::vector<std::size_t>& shape,
                       int device) {
  const bool on_host = self->side() != memory_side::device;
  View view(data, shape.size(), shape.data(), nb::cast(self), nullptr, dlpack_type(self->type()),
            on_host ? dlpack_host : dlpack_gpu, on_host ? 0 : device);
  return nb::cast(std::move(view), nb::rv_policy::reference);
}
nb::object exported(const shared_array& self, const std::vector<std::size_t>& shape, int device) {
  if (self->is_read_only()) {
    return exported_as<nb::ndarray<nb::array_api, nb::ro>>(self->address(), self, shape, device);
  }
  return exported_as<nb::ndarray<nb::array_api>>(self->mutable_address(), self, shape, device);
}

shared_array allocated(engine_thread& engine, const std::string& type, std::size_t count) {
  const element_type known = element_type_named(type);
  return std::make_shared<runtime::array>(
      engine.run(count, [=](runtime::engine& work) { return work.allocate(known, count); }));
}

shared_array uploaded(engine_thread& engine, const shared_array& from) {
  return std::make_shared<runtime::array>(
      engine.run(from->size(), [from](runtime::engine& work) { return work.upload(*from); }));
}

}  // namespace

element_type element_type_named(const std::string& name) {
  for (int i = 0; i < num_element_types; ++i) {
    if (name == name_of(static_cast<element_type>(i))) return static_cast<element_type>(i);
  }
  throw nb::type_error(("elements of the type " + name + " are not supported").c_str());
}

void add_arrays(nb::module_& module) {
  nb::class_<runtime::array>(module, "Array", "Elements of one type in the memory of a device.")
      .def("__len__", &runtime::array::size)
      .def_prop_ro("dtype", [](const runtime::array& self) { return name_of(self.type()); })
      .def_prop_ro("is_on_host",
                   [](const runtime::array& self) { return self.side() != memory_side::device; })
      .def_prop_ro("is_read_only", &runtime::array::is_read_only)
      .def_prop_ro("address",
                   [](const runtime::array& self) {
                     return reinterpret_cast<std::uintptr_t>(self.address());
                   })
      .def("dlpack", &exported, "shape"_a, "device"_a,
           "The elements as an object with __dlpack__, of a shape.");
  module.def("borrow", &borrow<any_array, const void>, "values"_a,
             "An array of another library: its elements, shape, strides and device.");
  module.def("borrow_writable", &borrow<writable_array, void>, "values"_a,
             "The same, for elements that are written.");
  module.def("borrow_address", &at_address, "address"_a, "dtype"_a, "count"_a, "read_only"_a,
             "owner"_a, "Elements in the memory of a GPU.");
  module.def("allocate", &allocated, "engine"_a, "dtype"_a, "count"_a,
             "An array of uninitialized elements.");
  module.def("upload", &uploaded, "engine"_a, "values"_a, "A copy in the memory of the engine.");
}

}  // namespace evenfold::python
