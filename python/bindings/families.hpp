#pragma once
// What the files of the extension module have in common. Each family of operations has a file of
// its own, which adds its functions to the module.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "python/bindings/engine_thread.hpp"
#include "runtime/array.hpp"

namespace evenfold::python {

namespace nb = nanobind;
using namespace nb::literals;

/// Arguments are shared with Python, so that they live as long as the work on them.
using shared_array = std::shared_ptr<runtime::array>;

using array_pair = std::pair<shared_array, shared_array>;

/// The elements of an argument, or an empty array for None.
inline runtime::array share_or_empty(const shared_array& values) {
  return values ? values->share() : runtime::array();
}

inline shared_array shared(runtime::array from) {
  return std::make_shared<runtime::array>(std::move(from));
}

/// The element type of a name as in NumPy. Errors: TypeError.
element_type element_type_named(const std::string& name);

/// An engine that is one rank of several processes: processes.cpp.
std::unique_ptr<runtime::engine> open_rank(nb::object processes, int threads);

/// The same of processes that meet at a place (runtime/processes.hpp). Waits for them.
std::unique_ptr<runtime::engine> open_meeting(const std::string& place, int rank, int size,
                                              double seconds, int threads);

void add_engines(nb::module_& module);
void add_arrays(nb::module_& module);
void add_arrow(nb::module_& module);
void add_folds(nb::module_& module);
void add_functions(nb::module_& module);
void add_repeated(nb::module_& module);
void add_sparse(nb::module_& module);
void add_graphs(nb::module_& module);
void add_places(nb::module_& module);
void add_sequences(nb::module_& module);
void add_segments(nb::module_& module);
void add_tables(nb::module_& module);

}  // namespace evenfold::python
