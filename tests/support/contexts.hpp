#pragma once
// One test body, every backend: `TYPED_TEST_SUITE(name, contexts)` runs it on the contexts that
// exist in this translation unit. Under nvcc the reference context takes part as well.
//
// A lambda for both sides cannot stand inside a TYPED_TEST, which is a private member of a class
// template: bodies are function templates, and the TYPED_TEST calls them.

#include <gtest/gtest.h>

#include <memory>
#include <memory_resource>
#include <new>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::testing {

#if defined(__CUDACC__)
using contexts = ::testing::Types<reference_context, cuda_context>;
#else
using contexts = ::testing::Types<reference_context, cpu_context>;
#endif

/// A context for a test; its memory comes from `memory`, unless that is nullptr. A CPU team has
/// three threads, whatever the machine has: shares then do not coincide with halves.
template <class Context>
std::unique_ptr<Context> make_context(std::pmr::memory_resource* memory = nullptr) {
  if constexpr (Context::side == memory_side::device) {
    return std::make_unique<Context>(0, memory);
  } else {
    if (memory == nullptr) memory = std::pmr::new_delete_resource();
    if constexpr (std::is_constructible_v<Context, int, std::pmr::memory_resource*>) {
      return std::make_unique<Context>(3, memory);
    } else {
      return std::make_unique<Context>(memory);
    }
  }
}

/// Contexts whose results must agree bit for bit: teams of 1, 2, 3 and 7 threads, or the same
/// again.
template <class Context>
std::vector<std::unique_ptr<Context>> equal_contexts() {
  std::vector<std::unique_ptr<Context>> result;
  if constexpr (requires(const Context& team) { team.threads(); }) {
    for (const int threads : {1, 2, 3, 7}) result.push_back(std::make_unique<Context>(threads));
  } else {
    for (int i = 0; i < 3; ++i) result.push_back(make_context<Context>());
  }
  return result;
}

/// The fixture of tests that need a context and nothing else.
template <class Context>
class on : public ::testing::Test {
 protected:
  std::unique_ptr<Context> context_ = make_context<Context>();
  Context& ctx = *context_;
};

/// Memory that is exhausted from the start.
class no_memory final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t, std::size_t) override { throw std::bad_alloc(); }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace evenfold::testing
