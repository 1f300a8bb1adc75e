// The extension module evenfold._core: thin bindings of the runtime layer, which the modules of the
// package call.

#include "evenfold/core/error.hpp"
#include "python/bindings/families.hpp"
#include "runtime/functions.hpp"
#include "runtime/matrices.hpp"
#include "runtime/operation_types.hpp"

namespace evenfold::python {

namespace {

/// Exceptions of the library become those that Python has for the same faults.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const runtime::type_error& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  } catch (const runtime::index_error& e) {
    PyErr_SetString(PyExc_IndexError, e.what());
  } catch (const argument_error& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const allocation_error& e) {
    PyErr_SetString(PyExc_MemoryError, e.what());
  } catch (const runtime::overflow_error& e) {
    PyErr_SetString(PyExc_OverflowError, e.what());
  } catch (const error& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

}  // namespace

}  // namespace evenfold::python

NB_MODULE(_core, module) {
  using namespace evenfold::python;
  module.doc() = "The compiled half of evenfold. Not an interface of its own: see the package.";
  // Modules that keep arrays until the interpreter ends are no fault of the bindings.
  nb::set_leak_warnings(false);
  nb::register_exception_translator(translate);
  add_engines(module);
  add_arrays(module);
  add_arrow(module);
  add_folds(module);
  add_functions(module);
  add_repeated(module);
  add_sparse(module);
  add_graphs(module);
  add_places(module);
  add_sequences(module);
  add_segments(module);
  add_tables(module);
}
