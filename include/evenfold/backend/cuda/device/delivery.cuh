#pragma once
// How a kernel delivers one result: to device memory, or to a host that polls for it.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace evenfold::device {

/// How many 32-bit words a result has on its way to the host. Each is stored together with the
/// ticket of its call, so that no fence is needed between the value and a flag.
template <class T>
inline constexpr std::size_t words_of = (sizeof(T) + 3) / 4;

/// Where a kernel writes one result: to an address, or to the mailbox with a ticket.
template <class T>
struct delivery {
  T* out = nullptr;
  unsigned long long* mailbox = nullptr;
  std::uint32_t ticket = 0;

  /// Called by one thread.
  __device__ void operator()(const T& result) const {
    if (out != nullptr) {
      *out = result;
      return;
    }
    std::uint32_t words[words_of<T>] = {};
    memcpy(words, &result, sizeof(T));
    for (std::size_t w = 0; w < words_of<T>; ++w) {
      static_cast<volatile unsigned long long*>(mailbox)[w] =
          static_cast<unsigned long long>(ticket) << 32 | words[w];
    }
  }
};

}  // namespace evenfold::device
