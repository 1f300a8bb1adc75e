#pragma once
// `runtime::array`: elements of a type known at run time, in the memory of an engine or of another
// owner.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "evenfold/core/context.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold::runtime {

/// The name and state of an engine, which its arrays share with it. Arrays may outlive the engine.
struct engine_identity {
  std::string name;
  memory_side side;
  bool open = true;
};

/// The memory of an array belongs to an engine that is closed.
class closed_engine_error : public argument_error {
 public:
  using argument_error::argument_error;
};

/// `size()` elements of one type. An *owning* array is made by an engine, in its memory. It may
/// outlive the call that made it, but not its engine: once the engine is closed, every use but
/// destruction throws closed_engine_error. A *borrowed* array refers to memory of another owner.
/// Move-only.
class array {
 public:
  array() = default;

  /// Refers to `count` elements of memory on a side. The keeper, which may be empty, keeps that
  /// memory alive; it is released when the array is destroyed. Memory given as const is read-only.
  static array borrowed(element_type type, void* data, std::size_t count, memory_side side,
                        std::shared_ptr<const void> keeper = nullptr);
  static array borrowed(element_type type, const void* data, std::size_t count, memory_side side,
                        std::shared_ptr<const void> keeper = nullptr);
  /// The same for host memory.
  template <class T>
  static array borrowed(std::span<T> host, std::shared_ptr<const void> keeper = nullptr) {
    return borrowed(element_type_of<std::remove_const_t<T>>(), host.data(), host.size(),
                    memory_side::host, std::move(keeper));
  }

  /// For engines: the keeper frees memory of the engine.
  static array owning(element_type type, void* data, std::size_t count,
                      std::shared_ptr<const engine_identity> engine,
                      std::shared_ptr<const void> keeper);

  array(array&& other) noexcept { swap(other); }
  array& operator=(array&& other) noexcept {
    array(std::move(other)).swap(*this);
    return *this;
  }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() = default;
  void swap(array& other) noexcept;

  element_type type() const { return type_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t bytes() const { return size_ * size_of(type_); }
  memory_side side() const { return side_; }
  bool is_owning() const { return engine_ != nullptr; }
  /// The engine of an owning array, else nullptr.
  const engine_identity* engine() const { return engine_.get(); }

  bool is_read_only() const { return read_only_; }

  /// The address of the elements.
  ///
  /// Errors: closed_engine_error; argument_error from mutable_address() for read-only memory.
  const void* address() const;
  void* mutable_address();

  /// The elements, of type T, in memory that the host can reach.
  ///
  /// Errors: closed_engine_error; argument_error for another type or device memory.
  template <class T>
  std::span<const T> host() const {
    return {static_cast<const T*>(host_address(element_type_of<T>())), size_};
  }

  /// A read-only array of the same elements. Both arrays keep them alive.
  array share() const;

 private:
  const void* host_address(element_type type) const;

  element_type type_ = element_type::float64;
  memory_side side_ = memory_side::host;
  bool read_only_ = false;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::shared_ptr<const engine_identity> engine_;
  std::shared_ptr<const void> keeper_;
};

}  // namespace evenfold::runtime
