#pragma once
// Contexts: where an algorithm runs and where its memory lies.
//
// A context is passed first to every algorithm. This file has the concept and the two host
// contexts' common part; the contexts themselves are in backend/reference/context.hpp,
// backend/cpu/context.hpp and backend/cuda/context.cuh.

#include <concepts>
#include <cstddef>
#include <memory_resource>
#include <type_traits>

#include "evenfold/core/config.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/host_memory.hpp"

namespace evenfold {

/// On which side of the bus an address lies. `either` can be used from both (managed, pinned
/// memory).
enum class memory_side { host, device, either };

/// How a backend likes its work items shaped, for compositions that can cut their work either way:
/// `runs` of neighbouring elements, each walked by one thread in vector registers, or single
/// elements whose neighbours belong to neighbouring `lanes`, which read memory together.
enum class work_shape { runs, lanes };

/// What compositions may know of a backend. They never ask which one it is.
struct backend_traits {
  work_shape shape;
  /// How many calls to queue before their results are read back: one where a call is done when it
  /// returns, more where each read waits for the device.
  int queue_depth;
};

/// A context has a side, traits, a memory resource of that side, knows how much is left there, and
/// can wait for the work given to it.
template <class C>
concept context = requires(C& c, const C& constant) {
  { C::side } -> std::convertible_to<memory_side>;
  { C::traits } -> std::convertible_to<backend_traits>;
  { c.memory() } -> std::same_as<std::pmr::memory_resource*>;
  { c.available_bytes() } -> std::same_as<std::size_t>;
  { c.synchronize() };
  { constant.check_arguments } -> std::convertible_to<bool>;
};

/// Asks the driver on which side an address lies. Set by the first cuda_context of the program;
/// until then there is no device memory, and every address is the host's.
inline memory_side (*side_of_address)(const void*) = nullptr;

/// Refuses a raw pointer that a context cannot read: a host pointer for a cuda_context, or the
/// reverse. Iterators that are not raw pointers are not looked into. Costs one driver query when
/// checking is on.
template <context Context, class Iterator>
void check_side(const Context& ctx, const char* algorithm, const char* argument, Iterator pointer) {
  if constexpr (std::is_pointer_v<Iterator>) {
    if (!ctx.check_arguments || side_of_address == nullptr || pointer == nullptr) return;
    const memory_side side = side_of_address(static_cast<const void*>(pointer));
    if (side == memory_side::either || side == Context::side) return;
    refuse_argument(algorithm, argument,
                    side == memory_side::host ? "a host pointer" : "a device pointer",
                    "the context works on the other side",
                    "put the data into an array of this context, or copy() it there");
  }
}

/// Refuses a negative count or one that exceeds what a pointer can address.
template <std::integral Size>
void check_count(const char* algorithm, const char* argument, Size count) {
  if constexpr (std::is_signed_v<Size>) {
    if (count < 0) {
      refuse_argument(algorithm, argument, count, "a count cannot be negative",
                      "pass the number of elements");
    }
  }
}

/// The part shared by the contexts that work in host memory.
class host_context {
 public:
  static constexpr memory_side side = memory_side::host;
  static constexpr backend_traits traits{work_shape::runs, 1};

  /// Whether algorithms check on which side their pointers lie.
  bool check_arguments = true;

  explicit host_context(std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
      : memory_(memory) {}

  /// Where arrays and scratch come from.
  std::pmr::memory_resource* memory() { return memory_; }

  /// Bytes that arrays could still take.
  std::size_t available_bytes() const { return available_host_bytes(); }

  /// Host algorithms are done when they return.
  void synchronize() {}

 private:
  std::pmr::memory_resource* memory_;
};

}  // namespace evenfold
