#pragma once
// Folds of all numbers of a run of memory, in their own type; on the CPU by loops on vectors.

#include <cstdint>
#include <optional>

#include "evenfold/core/context.hpp"
#include "evenfold/core/element_type.hpp"
#include "runtime/exact_fold.hpp"
#include "runtime/matrices.hpp"

namespace evenfold {
class cpu_context;  // backend/cpu/context.hpp
}  // namespace evenfold

namespace evenfold::runtime {

/// A sum or an extreme of integers, and the index of the first extreme. Of floating-point numbers
/// only the index is meaningful.
struct whole_fold {
  wide_integer value;
  std::int64_t index;
};

/// The fold of `count` numbers (host/whole_folds.cpp); sums for means. An extreme is the first NaN
/// if there is one. Returns nothing for products, for no numbers, for sums of floating-point
/// numbers, and for the value of an extreme of these that is zero or NaN.
std::optional<whole_fold> fold_of_numbers(cpu_context& ctx, element_type type, const void* data,
                                          std::int64_t count, aggregate_operator op);

/// Other contexts fold as matrices are folded.
template <context Context>
std::optional<whole_fold> fold_of_numbers(Context&, element_type, const void*, std::int64_t,
                                          aggregate_operator) {
  return std::nullopt;
}

}  // namespace evenfold::runtime
