#pragma once
// sorted_search and sorted_equal_range on CPU threads: each merges one equal share of needles and
// haystack (merge_shares.hpp), and records the position in the haystack at which it reaches a
// needle. Every needle belongs to one share, and nothing beyond the haystack is read, whatever
// `less` returns.
//
// Few needles in a large haystack are searched for one by one, each from the bound of the previous
// needle.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cpu/merge_shares.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/search_each.hpp"

namespace evenfold::cpu {

/// From how many elements of the haystack per needle on needles are searched for one by one.
inline constexpr std::uint64_t elements_per_needle = 256;

/// The bound of a needle, which is not before `begin`, by exponential search: O(log(bound -
/// begin)).
template <bounds Bound, class Haystack, class Needle, class Less>
std::uint64_t find_bound_near(Haystack haystack, std::uint64_t begin, std::uint64_t count,
                              const Needle& needle, const Less& less) {
  const detail::before_bound<Bound, Less> before{less};
  std::uint64_t step = 1;
  for (; step <= count - begin && before(haystack[begin + step - 1], needle); step *= 2) {
    begin += step;
  }
  return detail::find_bound<Bound>(haystack, begin, std::min(count, begin + step - 1), needle,
                                   less);
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <bounds Bound, class Tuning, class Needles, class Haystack, class Output, class Less>
void sorted_search(cpu_context& ctx, Needles needles, std::uint64_t num_needles, Haystack haystack,
                   std::uint64_t haystack_count, Output out, Less less) {
  using index = element_t<Output>;
  if (detail::needles_are_few(num_needles, haystack_count, cpu::elements_per_needle)) {
    ctx.parallel(num_needles, [&](std::size_t begin, std::size_t end) {
      std::uint64_t place = 0;
      for (std::size_t i = begin; i < end; ++i) {
        place = cpu::find_bound_near<Bound>(haystack, place, haystack_count, needles[i], less);
        out[i] = static_cast<index>(place);
      }
    });
    return;
  }
  const detail::before_bound<Bound, Less> before{less};
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
  using index = element_t<Output>;
  using number = element_t<Counts>;
  if (detail::needles_are_few(num_needles, haystack_count, cpu::elements_per_needle)) {
    ctx.parallel(num_needles, [&](std::size_t begin, std::size_t end) {
      std::uint64_t lower = 0;
      for (std::size_t i = begin; i < end; ++i) {
        lower =
            cpu::find_bound_near<bounds::lower>(haystack, lower, haystack_count, needles[i], less);
        const std::uint64_t upper =
            cpu::find_bound_near<bounds::upper>(haystack, lower, haystack_count, needles[i], less);
        out[i] = static_cast<index>(lower);
        counts[i] = static_cast<number>(upper - lower);
      }
    });
    return;
  }
  const detail::before_bound<bounds::lower, Less> before_lower{less};
  const detail::before_bound<bounds::upper, Less> before_upper{less};
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
              run_end = detail::partition_point(end, haystack_count, [&](std::uint64_t at) {
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
