#pragma once

#include <cstring>

namespace evenfold::testing {

/// Whether two values without padding have the same bytes: zeros have the same sign, and a NaN may
/// equal another.
template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace evenfold::testing
