#pragma once
// `optional`, `nullopt`: a value or none. The library's own for the same reason as `tuple`.

#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The optional without a value. An enumerator, since a device may read no other constant.
enum class nullopt_t { nullopt };
inline constexpr nullopt_t nullopt = nullopt_t::nullopt;

/// A value of a trivially copyable type, or none.
template <class T>
class optional {
  static_assert(std::is_trivially_copyable_v<T>, "elements move between memories byte by byte");

 public:
  using value_type = T;

  EF_HD constexpr optional() : nothing_{} {}
  EF_HD constexpr optional(nullopt_t) : nothing_{} {}
  EF_HD constexpr optional(const T& value) : value_(value), has_value_(true) {}

  EF_HD constexpr bool has_value() const { return has_value_; }
  EF_HD constexpr explicit operator bool() const { return has_value_; }

  /// The value, which there is.
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
