#pragma once
// sorted_search and sorted_equal_range on CPU threads: each merges one equal share of needles and
// haystack (merge_shares.hpp), and notes down where it comes to a needle. Every needle belongs to
// one share, and no place is looked at beyond the haystack, whatever `less` answers.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cpu/merge_shares.hpp"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::backend {

template <bounds Bound, class Tuning, class Needles, class Haystack, class Output, class Less>
void sorted_search(cpu_context& ctx, Needles needles, std::uint64_t num_needles, Haystack haystack,
                   std::uint64_t haystack_count, Output out, Less less) {
  using index = std::remove_reference_t<decltype(out[num_needles])>;
  const before_bound<Bound, Less> before{less};
  cpu::share_merge(
      ctx, needles, num_needles, haystack, haystack_count, before,
      [&](std::uint64_t first, std::uint64_t last, std::uint64_t i, std::uint64_t i_end) {
        std::uint64_t j = first - i;
        const std::uint64_t j_end = last - i_end;
        for (; i < i_end; ++i) {
          while (j < j_end && before(haystack[j], needles[i])) ++j;
          out[i] = static_cast<index>(j);
        }
      });
}

template <class Tuning, class Needles, class Haystack, class Output, class Counts, class Less>
void sorted_equal_range(cpu_context& ctx, Needles needles, std::uint64_t num_needles,
                        Haystack haystack, std::uint64_t haystack_count, Output out, Counts counts,
                        Less less) {
  using index = std::remove_reference_t<decltype(out[num_needles])>;
  using number = std::remove_reference_t<decltype(counts[num_needles])>;
  const before_bound<bounds::lower, Less> before_lower{less};
  const before_bound<bounds::upper, Less> before_upper{less};
  cpu::share_merge(
      ctx, needles, num_needles, haystack, haystack_count, before_lower,
      [&](std::uint64_t first, std::uint64_t last, std::uint64_t i, std::uint64_t i_end) {
        std::uint64_t lower = first - i;
        const std::uint64_t end = last - i_end;
        std::uint64_t upper = lower;
        std::uint64_t run_end = end;  // of the one run that may reach out of the share
        for (; i < i_end; ++i) {
          while (lower < end && before_lower(haystack[lower], needles[i])) ++lower;
          upper = std::max(upper, lower);
          while (upper < end && before_upper(haystack[upper], needles[i])) ++upper;
          std::uint64_t upper_end = upper;
          if (upper == end && end < haystack_count && before_upper(haystack[end], needles[i])) {
            if (run_end == end) {
              run_end = partition_point(end, haystack_count, [&](std::uint64_t at) {
                return before_upper(haystack[at], needles[i]);
              });
            }
            upper_end = run_end;
          }
          out[i] = static_cast<index>(lower);
          counts[i] = static_cast<number>(upper_end - lower);
        }
      });
}

}  // namespace evenfold::backend
