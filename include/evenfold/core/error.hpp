#pragma once
// Errors. A bad argument is refused before any work starts, and the message says which argument,
// what value it had, what rule it broke and what to do about it.

#if !defined(__CUDACC_RTC__)
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace evenfold {

/// Everything the library throws on purpose derives from this class.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument breaks its rule; nothing has been started.
class argument_error : public error {
 public:
  using error::error;
};

/// The memory of a context is exhausted. Arrays that existed before the call are as they were.
class allocation_error : public error {
 public:
  using error::error;
};

namespace detail {

/// A value as a message shows it.
template <class Value>
std::string argument_text(const Value& value) {
  if constexpr (std::is_floating_point_v<Value>) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return std::to_string(value);
  } else {
    return std::string(value);
  }
}

/// "`algorithm`: `argument` is `value`, but `rule`; `remedy`".
template <class Value>
std::string refusal(std::string_view algorithm, std::string_view argument, const Value& value,
                    std::string_view rule, std::string_view remedy) {
  std::string message(algorithm);
  message.append(": ").append(argument).append(" is ").append(argument_text(value));
  message.append(", but ").append(rule).append("; ").append(remedy);
  return message;
}

/// Throws `argument_error` with that message.
template <class Value>
[[noreturn]] void refuse_argument(std::string_view algorithm, std::string_view argument,
                                  const Value& value, std::string_view rule,
                                  std::string_view remedy) {
  throw argument_error(refusal(algorithm, argument, value, rule, remedy));
}

/// Refuses a part [first, first + extent) of an extent of a matrix that reaches out of [0, whole).
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

// NVRTC compiles kernels alone. It reads past the checks of host code, which nothing there calls.
template <class... Parts>
[[noreturn]] void refuse_argument(const Parts&... parts);
template <class... Parts>
[[noreturn]] void refuse_part(const Parts&... parts);

}  // namespace evenfold::detail

#endif
