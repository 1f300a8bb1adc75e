// Calls of `transform` with arrays of CuPy that are like an earlier call.
//
// Such a call of few elements takes as long as the interpreter takes for its lines. Therefore it is
// done here as a whole: it is compared with the earlier call, and its result is made by the same
// classes of CuPy as there (python/evenfold/_repeated.py).

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "python/bindings/families.hpp"
#include "runtime/functions.hpp"

namespace evenfold::python {

namespace {

/// The name of an attribute, as an object that is made once.
class attribute {
 public:
  explicit attribute(const char* name) : name_(PyUnicode_InternFromString(name)) {}
  nb::object of(nb::handle from) const {
    PyObject* const found = PyObject_GetAttr(from.ptr(), name_);
    if (found == nullptr) throw nb::python_error();
    return nb::steal(found);
  }

 private:
  PyObject* name_;
};

struct attribute_names {
  attribute globals{"__globals__"}, defaults{"__defaults__"}, keyword_defaults{"__kwdefaults__"},
      dtype{"dtype"}, flags{"flags"}, is_contiguous{"c_contiguous"}, shape{"shape"}, size{"size"},
      data{"data"}, address{"ptr"}, device{"device_id"};
};

const attribute_names& attributes() {
  static const auto& names = *new attribute_names;
  return names;
}

std::vector<nb::object> objects_in(const nb::tuple& values) {
  std::vector<nb::object> objects;
  for (const nb::handle value : values) objects.push_back(nb::borrow(value));
  return objects;
}

/// What an earlier call has found.
class repeated_transform {
 public:
  repeated_transform(std::shared_ptr<runtime::expression> steps,
                     std::vector<runtime::number_bits> numbers, engine_thread& engine, int device,
                     const nb::tuple& dtypes, const nb::tuple& results, bool is_tuple,
                     const nb::tuple& names, const nb::tuple& values, nb::object missing,
                     const nb::tuple& library)
      : steps_(std::move(steps)),
        numbers_(std::move(numbers)),
        engine_(engine),
        device_(device),
        dtypes_(objects_in(dtypes)),
        results_(objects_in(results)),
        is_tuple_(is_tuple),
        names_(objects_in(names)),
        values_(objects_in(values)),
        missing_(std::move(missing)),
        array_(library[0]),
        memory_(library[1]),
        pointer_(library[2]),
        current_stream_(library[3]) {}

  /// The result for a function with the same code and for arrays; None where anything differs that
  /// the steps depend on, or the arrays are not contiguous, empty, or of several shapes.
  nb::object call(nb::handle f, const nb::tuple& arrays) const {
    if (arrays.size() != dtypes_.size() || !has_same_captures(f)) return nb::none();
    nb::object shape;
    std::vector<shared_array> inputs;
    for (std::size_t k = 0; k < dtypes_.size(); ++k) {
      shared_array input = borrowed(arrays[k], dtypes_[k], shape, steps_->steps[k].type);
      if (input == nullptr) return nb::none();
      inputs.push_back(std::move(input));
    }
    // Streams 0 and 1 are the legacy default stream, which CUDA orders with that of the engine.
    const nb::object now = attributes().address.of(current_stream_(device_));
    const auto stream = nb::cast<std::uintptr_t>(now);
    if (stream > 1) engine_.here().order_after(reinterpret_cast<void*>(stream));
    const std::size_t count = inputs[0]->size();
    std::vector<runtime::array> made = engine_.run(count, [steps = steps_,
                                                           inputs = std::move(inputs),
                                                           numbers = numbers_,
                                                           count](runtime::engine& e) {
      runtime::expression_arguments all;
      for (const shared_array& input : inputs) all.inputs.push_back(input.get());
      all.numbers = numbers;
      return e.functions().transform({*steps, std::move(all), static_cast<std::int64_t>(count)});
    });
    if (stream > 1) engine_.here().order_before(reinterpret_cast<void*>(stream));
    if (!is_tuple_) return given(std::move(made[0]), results_[0], shape);
    nb::list all;
    for (std::size_t k = 0; k < made.size(); ++k) {
      all.append(given(std::move(made[k]), results_[k], shape));
    }
    return nb::tuple(all);
  }

 private:
  /// Whether the globals that the function names are the same objects, and nothing else is
  /// captured.
  bool has_same_captures(nb::handle f) const {
    const attribute_names& its = attributes();
    if (!its.defaults.of(f).is_none() || !its.keyword_defaults.of(f).is_none()) return false;
    const nb::object globals = its.globals.of(f);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      PyObject* const found = PyDict_GetItemWithError(globals.ptr(), names_[k].ptr());
      if ((found == nullptr ? missing_.ptr() : found) != values_[k].ptr()) return false;
    }
    return true;
  }

  /// A contiguous array of a dtype and a shape, which is set by the first one; else nullptr.
  shared_array borrowed(nb::handle values, const nb::object& dtype, nb::object& shape,
                        element_type type) const {
    struct holder {
      nb::object owner;
      ~holder() {
        const nb::gil_scoped_acquire locked;
        owner.reset();
      }
    };
    const attribute_names& its = attributes();
    if (values.type().ptr() != array_.ptr() || !its.dtype.of(values).is(dtype)) return nullptr;
    if (its.is_contiguous.of(its.flags.of(values)).ptr() != Py_True) return nullptr;
    const auto count = nb::cast<std::size_t>(its.size.of(values));
    nb::object given = its.shape.of(values);
    const nb::object data = its.data.of(values);
    if (count == 0 || nb::cast<int>(its.device.of(data)) != device_) return nullptr;
    if (!shape.is_valid()) {
      shape = std::move(given);
    } else if (!shape.equal(given)) {
      return nullptr;
    }
    auto* const address = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(its.address.of(data)));
    auto keeper = std::make_shared<holder>(nb::borrow(values));
    return shared(
        runtime::array::borrowed(type, address, count, memory_side::device, std::move(keeper)));
  }

  nb::object given(runtime::array made, const nb::object& dtype, const nb::object& shape) const {
    const auto address = reinterpret_cast<std::uintptr_t>(made.address());
    const std::size_t bytes = made.bytes();
    const nb::object memory = memory_(address, bytes, shared(std::move(made)), device_);
    return array_(shape, dtype, pointer_(memory, 0));
  }

  std::shared_ptr<runtime::expression> steps_;
  std::vector<runtime::number_bits> numbers_;
  engine_thread& engine_;
  int device_;
  std::vector<nb::object> dtypes_, results_;
  bool is_tuple_;
  std::vector<nb::object> names_, values_;
  nb::object missing_, array_, memory_, pointer_, current_stream_;
};

}  // namespace

void add_repeated(nb::module_& module) {
  nb::class_<repeated_transform>(module, "RepeatedTransform",
                                 "A call of transform with arrays of CuPy, for later ones.")
      .def(nb::init<std::shared_ptr<runtime::expression>, std::vector<runtime::number_bits>,
                    engine_thread&, int, const nb::tuple&, const nb::tuple&, bool, const nb::tuple&,
                    const nb::tuple&, nb::object, const nb::tuple&>(),
           "steps"_a, "numbers"_a, "engine"_a, "device"_a, "dtypes"_a, "results"_a, "is_tuple"_a,
           "names"_a, "values"_a, "missing"_a, "library"_a)
      .def("__call__", &repeated_transform::call, "f"_a, "arrays"_a,
           "The result for a function and arrays that are like those of the call, or None.");
}

}  // namespace evenfold::python
