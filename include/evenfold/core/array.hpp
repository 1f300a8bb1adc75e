#pragma once
// `array<T>`: uninitialized elements in the memory of a context, and copies between contexts.

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory_resource>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/core/context.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// The memory of an array; null for 0 elements. It is no template, so that it is compiled once per
/// translation unit.
inline void* allocate_elements(std::pmr::memory_resource& memory, memory_side side,
                               std::size_t count, std::size_t element_bytes,
                               std::size_t alignment) {
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / element_bytes) {
    refuse_argument("array", "count", count, "the bytes needed do not fit an address",
                    "ask for fewer elements");
  }
  if (count == 0) return nullptr;
  try {
    void* const data = memory.allocate(count * element_bytes, alignment);
    if (side == memory_side::host) prefer_huge_pages(data, count * element_bytes);
    return data;
  } catch (const std::bad_alloc&) {
    throw allocation_error("array: no memory for " + std::to_string(count) + " elements of " +
                           std::to_string(element_bytes) + " bytes; free some, or work in parts");
  }
}

}  // namespace detail

/// Owns `size()` elements of a trivially copyable type in the memory of a context, which must
/// outlive the array. The elements are uninitialized at first; T needs no default constructor.
/// Move-only. On a cuda_context, allocation and release are ordered on the stream of the context
/// and do not wait.
///
/// Errors: argument_error where `count * sizeof(T)` overflows; allocation_error where memory is
/// exhausted.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>,
                "the type of the elements is trivially copyable, as they are copied byte by byte: "
                "a structure "
                "or evenfold::tuple of numbers is, but not std::pair and std::tuple");

 public:
  array() = default;

  template <context Context, std::integral Size>
  array(Context& ctx, Size count) : memory_(ctx.memory()), side_(Context::side) {
    detail::check_count("array", "count", count);
    size_ = static_cast<std::size_t>(count);
    data_ =
        static_cast<T*>(detail::allocate_elements(*memory_, side_, size_, sizeof(T), alignment));
  }

  array(array&& other) noexcept { swap(other); }
  array& operator=(array&& other) noexcept {
    array(std::move(other)).swap(*this);
    return *this;
  }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() {
    if (data_ != nullptr) memory_->deallocate(data_, size_ * sizeof(T), alignment);
  }

  void swap(array& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(side_, other.side_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  memory_side side() const { return side_; }
  /// Whether the elements are in the memory of this very context; an array without elements is.
  template <context Context>
  bool is_in(Context& ctx) const {
    return data_ == nullptr || memory_ == ctx.memory();
  }

  /// Element access and iteration are for arrays in host memory.
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  /// 256 bytes suffice for the widest loads of CPUs and GPUs.
  static constexpr std::size_t alignment = std::max<std::size_t>(256, alignof(T));

  std::pmr::memory_resource* memory_ = nullptr;
  memory_side side_ = memory_side::host;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Copies `count` elements from one address to another. Each range may be in host or device memory;
/// the ranges do not overlap. The copy is ordered on the stream of the context. It waits only if
/// the source or the target is host memory that the driver cannot copy asynchronously. Reads and
/// writes count * sizeof(T) bytes.
template <context Context, class T, std::integral Size>
void copy(Context& ctx, const T* from, Size count, T* to) {
  static_assert(std::is_trivially_copyable_v<T>);
  detail::check_count("copy", "count", count);
  if (count == 0) return;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
  if constexpr (Context::side == memory_side::host) {
    detail::check_pointer(ctx, "copy", "from", from, count);
    detail::check_pointer(ctx, "copy", "to", to, count);
    std::memcpy(static_cast<void*>(to), from, bytes);
  } else {
    detail::check_not_null("copy", "from", from, count);
    detail::check_not_null("copy", "to", to, count);
    ctx.copy_bytes(to, from, bytes);
  }
}

/// The same for ranges: `to` has room for the elements of `from`.
template <context Context, contiguous_range From, sequence To>
void copy(Context& ctx, const From& from, To&& to) {
  const std::size_t count = detail::size_of(from);
  copy(ctx, std::data(from), count, detail::output_of("copy", "to", to, count));
}

/// Copies elements of host memory to an array in the memory of the context.
template <class T, context Context>
array<T> to_context(Context& ctx, const T* host, std::size_t count) {
  array<T> result(ctx, count);
  copy(ctx, host, count, result.data());
  return result;
}

/// The same for a range: an array<element_t<R>>.
template <context Context, contiguous_range R>
auto to_context(Context& ctx, const R& host) {
  return to_context(ctx, std::data(host), detail::size_of(host));
}

/// Copies elements in the memory of this context to the host. Waits.
template <context Context, class T>
std::vector<T> to_host(Context& ctx, const T* data, std::size_t count) {
  std::vector<T> result;
  if constexpr (std::is_default_constructible_v<T>) {
    result.resize(count);
    copy(ctx, data, count, result.data());
    ctx.synchronize();
  } else {
    struct alignas(T) bytes {
      unsigned char raw[sizeof(T)];
    };
    std::vector<bytes> raw(count);
    copy(ctx, reinterpret_cast<const bytes*>(data), count, raw.data());
    ctx.synchronize();
    const T* first = std::launder(reinterpret_cast<const T*>(raw.data()));
    result.assign(first, first + count);
  }
  return result;
}

/// The same for a range: a std::vector<element_t<R>>.
template <context Context, contiguous_range R>
auto to_host(Context& ctx, const R& source) {
  return to_host(ctx, std::data(source), detail::size_of(source));
}

}  // namespace evenfold
