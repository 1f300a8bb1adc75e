#pragma once
// Engines of the runtime layer, and expectations about what they refuse.

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/arrays.hpp"
#include "runtime/engine.hpp"

namespace evenfold::runtime {

/// All engines that can be opened on this machine.
inline std::vector<std::unique_ptr<engine>> engines() {
  std::vector<std::unique_ptr<engine>> all;
  all.push_back(open_reference());
  all.push_back(open_cpu(3));
  for (int index = 0; index < num_gpus(); ++index) all.push_back(open_gpu(index));
  return all;
}

template <class T>
array uploaded(engine& to, const std::vector<T>& values) {
  return to.upload(array::borrowed(std::span(values)));
}

/// Expects an Error whose message contains all of the parts.
template <class Error, class Call>
void expect_refusal(Call call, const std::vector<std::string>& parts) {
  try {
    call();
    FAIL() << "nothing was thrown";
  } catch (const Error& failure) {
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
    }
  }
}

}  // namespace evenfold::runtime
