#pragma once
// Arrays for functions that might write beside them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "evenfold/core/array.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {

/// An array between other elements, which must not change.
template <class T, class Context>
class guarded {
 public:
  guarded(Context& ctx, const std::vector<T>& host) : ctx_(ctx), count_(host.size()) {
    std::vector<unsigned char> bytes((count_ + 2 * fence) * sizeof(T), 0xa5);
    // An empty vector may have a null address, which memcpy does not allow.
    if (count_ > 0) {
      std::memcpy(bytes.data() + fence * sizeof(T), host.data(), count_ * sizeof(T));
    }
    bytes_ = to_context(ctx, bytes);
  }

  T* data() { return reinterpret_cast<T*>(bytes_.data()) + fence; }

  std::vector<T> get() const {
    const std::vector<unsigned char> bytes = to_host(ctx_, bytes_);
    const auto is_untouched = [](unsigned char byte) { return byte == 0xa5; };
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(fence * sizeof(T));
    const auto end = bytes.end() - static_cast<std::ptrdiff_t>(fence * sizeof(T));
    EXPECT_TRUE(std::all_of(bytes.begin(), begin, is_untouched)) << "written before the array";
    EXPECT_TRUE(std::all_of(end, bytes.end(), is_untouched)) << "written behind the array";
    std::vector<T> host(count_, T{});
    if (count_ > 0) std::memcpy(static_cast<void*>(host.data()), &*begin, count_ * sizeof(T));
    return host;
  }

 private:
  static constexpr std::size_t fence = 64;
  Context& ctx_;
  std::size_t count_;
  array<unsigned char> bytes_;
};

template <class T, class Context>
guarded<T, Context> make_guarded(Context& ctx, const std::vector<T>& host) {
  return {ctx, host};
}

}  // namespace evenfold::testing
