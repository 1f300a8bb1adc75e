#pragma once
// Counts how often each of a few distinct codes occurs; on the CPU without a sort.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "evenfold/core/context.hpp"

namespace evenfold {
class cpu_context;  // backend/cpu/context.hpp
}  // namespace evenfold

namespace evenfold::runtime {

/// The distinct codes in ascending order, and the number of occurrences of each.
using code_counts = std::vector<std::pair<std::uint64_t, std::int64_t>>;

/// Counts codes in hash tables (host/code_counts.cpp). Returns nothing if there are so many
/// distinct codes, for the number of codes, that a sort is faster.
std::optional<code_counts> count_few_codes(cpu_context& ctx, const std::uint64_t* codes,
                                           std::int64_t count);

/// Other contexts sort.
template <context Context>
std::optional<code_counts> count_few_codes(Context&, const std::uint64_t*, std::int64_t) {
  return std::nullopt;
}

}  // namespace evenfold::runtime
