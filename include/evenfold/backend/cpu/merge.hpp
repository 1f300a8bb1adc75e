#pragma once
// merge on CPU threads: each merges one equal share of the results (merge_shares.hpp), and reads
// no element that belongs to another.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cpu/merge_shares.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <class Tuning, class A, class AValues, class B, class BValues, class Output,
          class OutputValues, class Less>
void merge(cpu_context& ctx, A a, [[maybe_unused]] AValues a_values, std::uint64_t a_count, B b,
           [[maybe_unused]] BValues b_values, std::uint64_t b_count, Output out,
           [[maybe_unused]] OutputValues out_values, Less less) {
  constexpr bool has_values = !std::is_same_v<OutputValues, detail::no_value*>;
  cpu::share_merge(
      ctx, a, a_count, b, b_count, less,
      [=, &less](std::uint64_t at, std::uint64_t last, std::uint64_t i, std::uint64_t i_end) {
        std::uint64_t j = at - i;
        const std::uint64_t j_end = last - i_end;
        for (; i < i_end && j < j_end; ++at) {
          const bool from_b = less(b[j], a[i]);
          if constexpr (std::is_pointer_v<A> && std::is_same_v<A, B>) {
            // g++ chooses an address without a branch, but not always an element.
            out[at] = *(from_b ? b + j : a + i);
          } else {
            out[at] = from_b ? b[j] : a[i];
          }
          if constexpr (has_values) out_values[at] = from_b ? b_values[j] : a_values[i];
          i += !from_b;
          j += from_b;
        }
        for (; i < i_end; ++i, ++at) {
          out[at] = a[i];
          if constexpr (has_values) out_values[at] = a_values[i];
        }
        for (; j < j_end; ++j, ++at) {
          out[at] = b[j];
          if constexpr (has_values) out_values[at] = b_values[j];
        }
      });
}

}  // namespace evenfold::backend
