// The command-line program calls no sequences, segments or functions. Without them it compiles in
// three quarters of the time.

#include "runtime/backend.hpp"

namespace evenfold {
class cuda_context;
}  // namespace evenfold

namespace evenfold::runtime {

template <class Context>
package_families make_package(const std::shared_ptr<device_state<Context>>&) {
  return {};
}

template package_families make_package(const std::shared_ptr<device_state<reference_context>>&);
template package_families make_package(const std::shared_ptr<device_state<cpu_context>>&);
template package_families make_package(const std::shared_ptr<device_state<cuda_context>>&);

}  // namespace evenfold::runtime
