#pragma once
// One test body for every backend: `TYPED_TEST_SUITE(name, contexts)` runs it on the contexts of
// this translation unit. Under nvcc, too, the reference context is one of them. Under a sanitizer
// it gives the results to compare with, and the program runs on it (`./dev test asan-program`).
// NCCL moves nothing that is in host memory.
//
// nvcc allows no lambda for both sides in a TYPED_TEST, which is a private member of a class
// template. Test bodies are therefore function templates that a TYPED_TEST calls.

#include <gtest/gtest.h>

#include <concepts>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::testing {

#if defined(EVENFOLD_TEST_NCCL)
using contexts = ::testing::Types<cuda_context>;
#elif defined(__CUDACC__)
using contexts = ::testing::Types<reference_context, cuda_context>;
#elif defined(EVENFOLD_SANITIZED)
using contexts = ::testing::Types<cpu_context>;
#else
using contexts = ::testing::Types<reference_context, cpu_context>;
#endif

/// The contexts whose results are compared with those of the reference context, bit for bit.
#if defined(__CUDACC__)
using parallel_contexts = ::testing::Types<cuda_context>;
#else
using parallel_contexts = ::testing::Types<cpu_context>;
#endif

/// A context for a test, constructed with the arguments `more`. A CPU context has three threads on
/// every machine, so that shares are not halves.
template <class Context, class... More>
Context open_context(More... more) {
  if constexpr (std::is_same_v<Context, reference_context>) {
    return Context(more...);
#if defined(__CUDACC__)
  } else if constexpr (std::is_same_v<Context, cuda_context>) {
    return Context(0, own_stream::blocking, more...);
#endif
  } else {
    return Context(3, more...);
  }
}

template <class Context>
std::unique_ptr<Context> make_context() {
  return std::make_unique<Context>(open_context<Context>());
}

/// Whether a context is opened with a number of threads. The number of a GPU is that of the device.
template <class Context>
inline constexpr bool takes_threads =
    std::constructible_from<Context, int> && requires(const Context& team) { team.threads(); };

/// Contexts whose results must agree bit for bit: those of 1, 2, 3 and 7 CPU threads, or the same
/// context several times.
template <class Context>
std::vector<std::unique_ptr<Context>> equal_contexts() {
  std::vector<std::unique_ptr<Context>> result;
  if constexpr (takes_threads<Context>) {
    for (const int threads : {1, 2, 3, 7}) result.push_back(std::make_unique<Context>(threads));
  } else {
    for (int i = 0; i < 3; ++i) result.push_back(make_context<Context>());
  }
  return result;
}

/// The fixture of tests that need only a context.
template <class Context>
class on : public ::testing::Test {
 protected:
  std::unique_ptr<Context> context_ = make_context<Context>();
  Context& ctx = *context_;
};

/// A memory resource that is always exhausted.
class no_memory final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t, std::size_t) override { throw std::bad_alloc(); }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

#if defined(__CUDACC__)
class no_device_memory final : public stream_memory_resource {
  void* allocate(std::size_t, std::size_t, cudaStream_t) override { throw std::bad_alloc(); }
  void deallocate(void*, std::size_t, std::size_t, cudaStream_t) noexcept override {}
};
template <class Context>
using no_memory_for =
    std::conditional_t<Context::side == memory_side::device, no_device_memory, no_memory>;
#else
template <class Context>
using no_memory_for = no_memory;
#endif

/// A context whose memory is always exhausted.
template <class Context>
std::unique_ptr<Context> make_poor_context() {
  static no_memory_for<Context> none;
  return std::make_unique<Context>(open_context<Context>(&none));
}

}  // namespace evenfold::testing
