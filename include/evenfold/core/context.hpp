#pragma once
// Contexts: where an algorithm runs and where its memory lies.
//
// A context is passed first to every algorithm. This file has the concept and the two host
// contexts' common part; the contexts themselves are in backend/reference/context.hpp,
// backend/cpu/context.hpp and backend/cuda/launch/context.cuh.

#include <atomic>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include "evenfold/core/config.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/host_memory.hpp"
#include "evenfold/core/iterator.hpp"

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

namespace detail {

/// Asks the driver on which side an address lies. Set by the first cuda_context of the program;
/// until then there is no device memory, and every address is the host's. Atomic, because several
/// threads may open contexts while others check their arguments.
inline constinit std::atomic<memory_side (*)(const void*)> side_of_address{nullptr};

/// Refuses a null pointer to elements, if there are any.
template <std::integral Size>
void check_not_null(const char* algorithm, const char* argument, const void* pointer, Size count) {
  if (pointer == nullptr && count != 0) {
    refuse_argument(algorithm, argument, "a null pointer", "its elements are read or written",
                    "pass the address of the first one, or a count of 0");
  }
}

/// Refuses a raw pointer to `count` elements that a context cannot read: a null pointer, or a host
/// pointer for a cuda_context, or the reverse. With a count of 0 the pointer is not looked at: it
/// may be null, or the end of an array, an address that belongs to no one. Iterators that are not
/// raw pointers are not looked into. The side is checked where `check_arguments` is set, which
/// costs one driver query.
template <context Context, class Iterator, std::integral Size>
void check_pointer(const Context& ctx, const char* algorithm, const char* argument,
                   Iterator pointer, Size count) {
  check_iterator<Iterator>();
  if constexpr (std::is_pointer_v<Iterator>) {
    check_not_null(algorithm, argument, pointer, count);
    const auto side_of = side_of_address.load(std::memory_order_relaxed);
    if (count == 0 || !ctx.check_arguments || side_of == nullptr) return;
    const memory_side side = side_of(static_cast<const void*>(pointer));
    if (side == memory_side::either || side == Context::side) return;
    refuse_argument(algorithm, argument,
                    side == memory_side::host ? "a host pointer" : "a device pointer",
                    "the context works on the other side",
                    "put the data into an array of this context, or copy() it there");
  }
}

/// The same for an argument that may be left out by passing a null pointer, such as a place for a
/// total, or for an output that may turn out to be empty.
template <context Context, class Iterator, std::integral Size = int>
void check_optional(const Context& ctx, const char* algorithm, const char* argument,
                    Iterator pointer, Size count = 1) {
  if constexpr (std::is_pointer_v<Iterator>) {
    if (pointer != nullptr) check_pointer(ctx, algorithm, argument, pointer, count);
  }
}

/// Refuses a count that is negative, or larger than the distance of any two pointers.
template <std::integral Size>
void check_count(const char* algorithm, const char* argument, Size count) {
  if constexpr (std::is_signed_v<Size>) {
    if (count < 0) {
      refuse_argument(algorithm, argument, count, "a count cannot be negative",
                      "pass the number of elements");
    }
  }
  if constexpr (sizeof(Size) >= sizeof(std::ptrdiff_t)) {
    constexpr auto most = std::numeric_limits<std::ptrdiff_t>::max();
    if (std::cmp_greater(count, most)) {
      refuse_argument(algorithm, argument, count, "no address space holds as many elements",
                      "pass the number of elements; a difference that is negative wraps around");
    }
  }
}

}  // namespace detail

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
  std::size_t available_bytes() const { return detail::available_host_bytes(); }

  /// Host algorithms are done when they return.
  void synchronize() {}

 private:
  std::pmr::memory_resource* memory_;
};

}  // namespace evenfold
