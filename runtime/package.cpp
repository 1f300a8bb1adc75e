// The families that the Python package has and the command-line program has not. Compiled once per
// backend: see runtime/backend.hpp.

#include "runtime/backend.hpp"
#include "runtime/functions.hpp"
#include "runtime/segments.hpp"
#include "runtime/sequences.hpp"

namespace evenfold::runtime {

template <>
package_families make_package(const backend_state& state) {
  return {make_sequences(state), make_segments(state), make_functions(state)};
}

}  // namespace evenfold::runtime
