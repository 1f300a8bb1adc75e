#pragma once
// Contexts: where an algorithm runs and where its memory is. The first argument of every algorithm
// is a context.
//
// This file has the concept, and what the two contexts in host memory have in common. The contexts
// are in backend/reference/context.hpp, backend/cpu/context.hpp and
// backend/cuda/launch/context.cuh.

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

/// Which processors can use an address: the host, the device, or either (managed and pinned
/// memory).
enum class memory_side { host, device, either };

/// How a composition should divide its work among the threads of a backend. `runs`: each thread
/// takes a run of neighbouring elements, in vector registers. `lanes`: neighbouring threads take
/// neighbouring elements, so that their loads are coalesced.
enum class work_shape { runs, lanes };

/// All that compositions may know of a backend: they never ask which one it is.
struct backend_traits {
  work_shape shape;
  /// The number of calls to queue before their results are read back: one if a call is complete
  /// when it returns, more if each read waits for the device.
  int queue_depth;
  /// The number of small items, such as edges, that one thread handles in the time of a few calls
  /// of parallel algorithms on hardly any items.
  int serial_items;
  /// Whether each of the numbers that must ascend, such as offsets, is compared with the one before
  /// it. If not, only the first and the last are looked at.
  bool checks_order = false;
};

/// A context has a side, traits and a memory resource of that side; it tells how much memory is
/// available, and waits for its work.
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

/// Asks the driver for the side of an address. Set by the first cuda_context of the program; before
/// that there is no device memory, and every address is in host memory. Atomic, because some
/// threads may open contexts while others check their arguments.
inline constinit std::atomic<memory_side (*)(const void*)> side_of_address{nullptr};

/// Throws argument_error for a null pointer to elements, unless the count is 0.
template <std::integral Size>
void check_not_null(const char* algorithm, const char* argument, const void* pointer, Size count) {
  if (pointer == nullptr && count != 0) {
    refuse_argument(algorithm, argument, "a null pointer", "its elements are read or written",
                    "pass the address of the first one, or a count of 0");
  }
}

/// Throws argument_error for an address on the other side than `own`, that of a context.
inline void check_side(const char* algorithm, const char* argument, const void* pointer,
                       memory_side own) {
  const auto side_of = side_of_address.load(std::memory_order_relaxed);
  if (side_of == nullptr) return;
  const memory_side side = side_of(pointer);
  if (side == memory_side::either || side == own) return;
  refuse_argument(algorithm, argument,
                  side == memory_side::host ? "a host pointer" : "a device pointer",
                  "the context works on the other side",
                  "put the data into an array of this context, or copy() it there");
}

/// Throws argument_error for a raw pointer to `count` elements that a context cannot read: a null
/// pointer, a host pointer for a cuda_context, or the reverse. If the count is 0, the pointer may
/// have any value, such as null or the end of an array. Iterators other than raw pointers are not
/// checked. The side is checked if `check_arguments` is set; that costs one query of the driver.
template <context Context, class Iterator, std::integral Size>
void check_pointer(const Context& ctx, const char* algorithm, const char* argument,
                   Iterator pointer, Size count) {
  check_iterator<Iterator>();
  if constexpr (std::is_pointer_v<Iterator>) {
    check_not_null(algorithm, argument, pointer, count);
    if (count != 0 && ctx.check_arguments) check_side(algorithm, argument, pointer, Context::side);
  }
}

/// The same for a pointer that may be null: an optional output such as a total, or an output that
/// may turn out to be empty.
template <context Context, class Iterator, std::integral Size = int>
void check_optional(const Context& ctx, const char* algorithm, const char* argument,
                    Iterator pointer, Size count = 1) {
  check_iterator<Iterator>();
  if constexpr (std::is_pointer_v<Iterator>) {
    if (pointer != nullptr) check_pointer(ctx, algorithm, argument, pointer, count);
  }
}

/// Throws argument_error for a count that is negative, or larger than any difference of pointers.
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

/// The base class of the contexts in host memory.
class host_context {
 public:
  static constexpr memory_side side = memory_side::host;
  static constexpr backend_traits traits{work_shape::runs, 1, 1 << 13};

  /// Whether algorithms check the sides of their pointers.
  bool check_arguments = true;

  explicit host_context(std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
      : memory_(memory) {}

  /// The memory of arrays and scratch.
  std::pmr::memory_resource* memory() { return memory_; }

  /// The number of bytes that are available for arrays.
  std::size_t available_bytes() const { return detail::available_host_bytes(); }

  /// Does nothing: algorithms on the host are done when they return.
  void synchronize() {}

 private:
  std::pmr::memory_resource* memory_;
};

}  // namespace evenfold
