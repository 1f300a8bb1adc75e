#pragma once
// Errors. A bad argument is refused before any work starts, and the message says which argument,
// what value it had, what rule it broke and what to do about it.

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// "`algorithm`: `argument` is `value`, but `rule`; `remedy`".
template <class Value>
std::string refusal(std::string_view algorithm, std::string_view argument, const Value& value,
                    std::string_view rule, std::string_view remedy) {
  std::ostringstream message;
  message << algorithm << ": " << argument << " is " << value << ", but " << rule << "; " << remedy;
  return message.str();
}

/// Throws `argument_error` with that message.
template <class Value>
[[noreturn]] void refuse_argument(std::string_view algorithm, std::string_view argument,
                                  const Value& value, std::string_view rule,
                                  std::string_view remedy) {
  throw argument_error(refusal(algorithm, argument, value, rule, remedy));
}

}  // namespace evenfold
