#pragma once
// merge, serially.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <class Tuning, class A, class AValues, class B, class BValues, class Output,
          class OutputValues, class Less>
void merge(reference_context&, A a, [[maybe_unused]] AValues a_values, std::uint64_t a_count, B b,
           [[maybe_unused]] BValues b_values, std::uint64_t b_count, Output out,
           [[maybe_unused]] OutputValues out_values, Less less) {
  std::uint64_t i = 0;
  std::uint64_t j = 0;
  for (std::uint64_t at = 0; at < a_count + b_count; ++at) {
    const bool from_b = i == a_count || (j < b_count && less(b[j], a[i]));
    out[at] = from_b ? b[j] : a[i];
    if constexpr (!std::is_same_v<OutputValues, detail::no_value*>) {
      out_values[at] = from_b ? b_values[j] : a_values[i];
    }
    i += !from_b;
    j += from_b;
  }
}

}  // namespace evenfold::backend
