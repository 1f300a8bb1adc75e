#pragma once
// `optional`, `nullopt`: a value or none. It is part of the library for the same reason as `tuple`.

#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The optional without a value. It is an enumerator, because device code can use it so.
enum class nullopt_t { nullopt };
inline constexpr nullopt_t nullopt = nullopt_t::nullopt;

/// A value of a trivially copyable type, or none.
template <class T>
class optional {
  static_assert(std::is_trivially_copyable_v<T>,
                "the type of the elements is trivially copyable: they are copied byte by byte");

 public:
  using value_type = T;

  EF_HD constexpr optional() : nothing_{} {}
  EF_HD constexpr optional(nullopt_t) : nothing_{} {}
  EF_HD constexpr optional(const T& value) : value_(value), has_value_(true) {}

  EF_HD constexpr bool has_value() const { return has_value_; }
  EF_HD constexpr explicit operator bool() const { return has_value_; }

  /// The value. There has to be one.
  EF_HD constexpr const T& operator*() const { return value_; }
  EF_HD constexpr const T* operator->() const { return &value_; }

  EF_HD constexpr T value_or(const T& other) const { return has_value_ ? value_ : other; }

 private:
  union {
    char nothing_;
    T value_;
  };
  bool has_value_ = false;
};

}  // namespace evenfold
