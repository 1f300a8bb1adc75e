#pragma once
// One number whose type is known at run time.

#include <cstdint>
#include <variant>

namespace evenfold::runtime {

/// Integers have 64 bits, whatever the element type.
using number = std::variant<std::int64_t, std::uint64_t, float, double>;

}  // namespace evenfold::runtime
