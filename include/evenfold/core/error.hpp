#pragma once
// Errors. A bad argument is refused before any work starts; the message names the argument, its
// value, the rule that it breaks and the remedy.

#if !defined(__CUDACC_RTC__)
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace evenfold {

/// The base class of all exceptions that the library throws.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A bad argument. No work has been started.
class argument_error : public error {
 public:
  using error::error;
};

/// The memory of a context is exhausted. Arrays that existed before the call are unchanged.
class allocation_error : public error {
 public:
  using error::error;
};

namespace detail {

/// A value as text for a message.
template <class Value>
std::string argument_text(const Value& value) {
  if constexpr (std::is_floating_point_v<Value>) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_arithmetic_v<Value>) {
    using widest = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
    return std::to_string(static_cast<widest>(value));
  } else {
    return std::string(value);
  }
}

/// "`algorithm`: `argument` is `value`, but `rule`; `remedy`".
inline std::string refusal(std::string_view algorithm, std::string_view argument,
                           std::string_view value, std::string_view rule, std::string_view remedy) {
  std::string message(algorithm);
  message.append(": ").append(argument).append(" is ").append(value);
  message.append(", but ").append(rule).append("; ").append(remedy);
  return message;
}

/// Throws `argument_error` with that message.
template <class Value>
[[noreturn]] void refuse_argument(std::string_view algorithm, std::string_view argument,
                                  const Value& value, std::string_view rule,
                                  std::string_view remedy) {
  throw argument_error(refusal(algorithm, argument, argument_text(value), rule, remedy));
}

/// Throws argument_error for rows or columns [first, first + extent) that are not inside of
/// [0, whole).
[[noreturn]] inline void refuse_part(std::string_view algorithm, std::string_view argument,
                                     std::int64_t first, std::int64_t extent, std::int64_t whole,
                                     std::string_view remedy) {
  refuse_argument(algorithm, argument,
                  std::to_string(first) + " to " + std::to_string(first + extent),
                  "the matrix has only " + std::to_string(whole), remedy);
}

}  // namespace detail

}  // namespace evenfold

#else

namespace evenfold::detail {

// NVRTC compiles only kernels: the checks of arguments are declared, but not called.
template <class... Parts>
[[noreturn]] void refuse_argument(const Parts&... parts);
template <class... Parts>
[[noreturn]] void refuse_part(const Parts&... parts);

}  // namespace evenfold::detail

#endif
