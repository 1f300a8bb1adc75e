#pragma once
// The seam between the backends, for the files runtime/*.cpp: each of them is compiled once per
// backend, for the context that `backend_context` names.
//
// A name that other files use is a template over the context, or takes a context as an argument, so
// that the three compilations of a file define three symbols. Everything else is in an unnamed
// namespace.

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "runtime/array.hpp"
#include "runtime/engine.hpp"
#include "runtime/operation_types.hpp"
#include "runtime/processes.hpp"

namespace evenfold::runtime {

#if defined(EVENFOLD_RUNTIME_REFERENCE)
using backend_context = reference_context;
#else
using backend_context = default_context;
#endif

template <class Context>
inline constexpr bool can_have_ranks = !std::same_as<Context, reference_context>;

/// Defined by ranks/rank_communicator.hpp.
template <class Context>
class rank_communicator;

/// An open device: what an engine and its arrays share.
template <class Context>
struct device_state {
  std::unique_ptr<Context> ctx;
  std::shared_ptr<engine_identity> identity;
  /// The contexts of the ranks of an engine that has several: runtime/ranks.hpp.
  std::vector<std::unique_ptr<Context>> ranks = {};
  /// The processes that an engine has joined, if any: it is one rank of them.
  std::shared_ptr<process_group> processes = {};
  std::shared_ptr<rank_communicator<Context>> joined = {};
  phase_observer observer = [](const std::string&) {};
};

/// Refuses an array that an engine cannot reach.
void check_reach(const char* operation, const char* argument, const array& values,
                 const engine_identity& engine);

/// An array of uninitialized elements in the memory of a device.
///
/// Errors: argument_error where the bytes do not fit an address; allocation_error.
template <class Context>
array uninitialized(const std::shared_ptr<device_state<Context>>& state, element_type type,
                    std::size_t count) {
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / size_of(type)) {
    detail::refuse_argument("array", "count", count, "the bytes needed do not fit an address",
                            "ask for fewer elements");
  }
  struct holder {
    std::shared_ptr<device_state<Context>> state;  // destroyed last
    evenfold::array<unsigned char> bytes;
  };
  const auto keeper = std::make_shared<holder>(
      holder{state, evenfold::array<unsigned char>(*state->ctx, count * size_of(type))});
  return array::owning(type, keeper->bytes.data(), count, state->identity, keeper);
}

/// The common part of the implementations of all families.
template <class Context>
class family {
 public:
  using state_pointer = std::shared_ptr<device_state<Context>>;

  explicit family(state_pointer state) : ctx(*state->ctx), state_(std::move(state)) {}

  /// The address of the elements of an argument.
  ///
  /// Errors: type_error for elements that are not T; argument_error for an array that this engine
  /// cannot reach; closed_engine_error.
  template <class T>
  const T* read(const char* operation, const char* argument, const array& values) const {
    check(operation, argument, values, element_type_of<T>());
    return static_cast<const T*>(values.address());
  }
  /// The same for elements of any type.
  const void* address(const char* operation, const char* argument, const array& values) const {
    check_reach(operation, argument, values, *state_->identity);
    return values.address();
  }
  /// The same for elements that are written.
  template <class T>
  T* write(const char* operation, const char* argument, array& values) const {
    check(operation, argument, values, element_type_of<T>());
    return static_cast<T*>(values.mutable_address());
  }

  /// An array of this engine with the elements of an array of its context; a T may be several of
  /// them.
  template <class T, class Element = T>
  array owning(evenfold::array<T> values) const {
    struct holder {
      state_pointer state;  // destroyed last
      evenfold::array<T> values;
    };
    const auto keeper = std::make_shared<holder>(holder{state_, std::move(values)});
    return array::owning(element_type_of<Element>(), keeper->values.data(),
                         keeper->values.size() * sizeof(T) / sizeof(Element), state_->identity,
                         keeper);
  }

  /// An array of uninitialized elements.
  array allocated(element_type type, std::size_t count) const {
    return uninitialized(state_, type, count);
  }

  /// Reports that a phase begins.
  void begin(const char* phase) const { state_->observer(phase); }

  bool has_ranks() const { return !state_->ranks.empty() || state_->processes != nullptr; }
  /// The argument of operations on several ranks (runtime/ranks.hpp).
  device_state<Context>& state() const { return *state_; }

  Context& ctx;

 private:
  void check(const char* operation, const char* argument, const array& values,
             element_type type) const {
    if (values.type() != type) refuse_type(operation, argument, values.type(), {type});
    check_reach(operation, argument, values, *state_->identity);
  }

  state_pointer state_;
};

using backend_state = std::shared_ptr<device_state<backend_context>>;

/// One per family, defined by the file of that name.
std::unique_ptr<array_operations> make_arrays(const backend_state& state);
std::unique_ptr<matrix_operations> make_matrices(const backend_state& state);
std::unique_ptr<sparse_operations> make_sparse(const backend_state& state);
std::unique_ptr<graph_operations> make_graphs(const backend_state& state);
std::unique_ptr<sequence_operations> make_sequences(const backend_state& state);
std::unique_ptr<segment_operations> make_segments(const backend_state& state);
std::unique_ptr<table_operations> make_tables(const backend_state& state);
std::unique_ptr<place_operations> make_places(const backend_state& state);
/// Defined by host/functions.cpp and cuda/functions.cu.
std::unique_ptr<function_operations> make_functions(const backend_state& state);

/// The families that the Python package has and the command-line program has not: there all are
/// nullptr.
struct package_families {
  std::shared_ptr<sequence_operations> sequences;
  std::shared_ptr<segment_operations> segments;
  std::shared_ptr<function_operations> functions;
};
/// Defined by package.cpp, or for the program by host/no_package.cpp.
template <class Context>
package_families make_package(const std::shared_ptr<device_state<Context>>& state);

/// The facts about the hardware of a context, without the measured speed.
device_facts hardware_facts(const backend_context& ctx);

/// The ranks that are processes with an engine each. Called by all of them; the processes and the
/// context must outlive the communicator. If each process has a GPU of its own and the library was
/// built with NCCL, NCCL moves device memory; otherwise it is copied through host memory.
std::shared_ptr<rank_communicator<backend_context>> join_ranks(process_group& processes,
                                                               backend_context& local);

/// Makes later work of a stream wait for the work of a context; or the reverse.
void order_stream_after(backend_context& ctx, void* stream);
void order_after_stream(backend_context& ctx, void* stream);

/// The engine of a context, defined by engine.cpp.
template <class Context>
std::unique_ptr<engine> engine_of(std::unique_ptr<Context> ctx, std::string name,
                                  std::vector<std::unique_ptr<Context>> ranks = {});

}  // namespace evenfold::runtime
