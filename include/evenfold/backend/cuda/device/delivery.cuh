#pragma once
// How a kernel delivers results: to device memory, or to a host that polls for them.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "evenfold/core/config.hpp"

namespace evenfold::device {

/// The number of 32-bit words of a result on its way to the host. Each word is stored together with
/// the ticket of its call, so that no fence is needed between the value and a flag.
template <class T>
inline constexpr std::size_t words_of = (sizeof(T) + 3) / 4;

/// Where a kernel writes a result: to an address, or to the mailbox with a ticket.
template <class T>
struct delivery {
  T* out = nullptr;
  unsigned long long* mailbox = nullptr;
  std::uint32_t ticket = 0;

  /// Where the k-th of several results goes.
  EF_HD delivery at(int k) const {
    if (out != nullptr) return {out + k};
    return {nullptr, mailbox + static_cast<std::size_t>(k) * words_of<T>, ticket};
  }

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
