#pragma once
// Expectations about refused arguments.

#include <gtest/gtest.h>

#include <string>

#include "evenfold/core/context.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold::testing {

/// Expects that a call refuses an argument with a message of this beginning.
template <class Call>
void expect_argument_error(const std::string& beginning, Call call) {
  try {
    call();
    ADD_FAILURE() << "no argument was refused, expected: " << beginning;
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, beginning.size()), beginning) << e.what();
  }
}

/// Expects that a call refuses an argument and names it.
template <class Call>
void expect_refusal(const std::string& algorithm, const std::string& argument, Call call) {
  expect_argument_error(algorithm + ": " + argument + " is ", call);
}

/// A number whose address belongs to the other memory side during the lifetime of this object. A
/// replacement for the driver tells host contexts so.
template <memory_side Side>
class misplaced {
 public:
  misplaced() : before_(detail::side_of_address.load()) {
    if (Side == memory_side::host) {
      detail::side_of_address.store(
          [](const void* p) { return p == &number_ ? memory_side::device : memory_side::host; });
    }
  }
  ~misplaced() { detail::side_of_address.store(before_); }
  misplaced(const misplaced&) = delete;
  misplaced& operator=(const misplaced&) = delete;

  int* address() { return &number_; }

 private:
  alignas(16) static inline int number_ = 0;
  memory_side (*before_)(const void*);
};

}  // namespace evenfold::testing
