#pragma once
// sorted_search and sorted_equal_range on CPU threads: each merges one equal share of needles and
// haystack, and notes down where it comes to a needle.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold {
namespace cpu {

/// Calls visit(first_needle, end_needle, first, end) for one equal share of the merge a thread,
/// with the needles and the elements of the haystack that are in it.
template <class Needles, class Haystack, class Before, class Visit>
void share_search(cpu_context& ctx, Needles needles, std::uint64_t num_needles, Haystack haystack,
                  std::uint64_t haystack_count, Before before, Visit visit) {
  ctx.parallel(num_needles + haystack_count, [&](std::uint64_t first, std::uint64_t last) {
    const auto needles_before = [&](std::uint64_t diagonal) {
      return merge_path(needles, num_needles, haystack, haystack_count, diagonal, before);
    };
    const std::uint64_t begin = needles_before(first);
    const std::uint64_t end = needles_before(last);
    visit(begin, end, first - begin, last - end);
  });
}

}  // namespace cpu

namespace backend {

template <bounds Bound, class Tuning, class Needles, class Haystack, class Output, class Less>
void sorted_search(cpu_context& ctx, Needles needles, std::uint64_t num_needles, Haystack haystack,
                   std::uint64_t haystack_count, Output out, Less less) {
  using index = std::remove_reference_t<decltype(out[num_needles])>;
  const before_bound<Bound, Less> before{less};
  cpu::share_search(
      ctx, needles, num_needles, haystack, haystack_count, before,
      [&](std::uint64_t i, std::uint64_t i_end, std::uint64_t j, std::uint64_t j_end) {
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
  cpu::share_search(
      ctx, needles, num_needles, haystack, haystack_count, before_lower,
      [&](std::uint64_t i, std::uint64_t i_end, std::uint64_t lower, std::uint64_t end) {
        std::uint64_t upper = lower;
        std::uint64_t run_end = end;  // of the one run that may reach out of the share
        for (; i < i_end; ++i) {
          while (lower < end && before_lower(haystack[lower], needles[i])) ++lower;
          upper = std::max(upper, lower);
          while (upper < end && before_upper(haystack[upper], needles[i])) ++upper;
          std::uint64_t last = upper;
          if (upper == end && end < haystack_count && before_upper(haystack[end], needles[i])) {
            if (run_end == end) {
              run_end = partition_point(end, haystack_count, [&](std::uint64_t at) {
                return before_upper(haystack[at], needles[i]);
              });
            }
            last = run_end;
          }
          out[i] = static_cast<index>(lower);
          counts[i] = static_cast<number>(last - lower);
        }
      });
}

}  // namespace backend
}  // namespace evenfold
