#pragma once
// sorted_search and sorted_equal_range, serially: a binary search for each needle.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::backend {

template <bounds Bound, class Tuning, class Needles, class Haystack, class Output, class Less>
void sorted_search(reference_context&, Needles needles, std::uint64_t num_needles,
                   Haystack haystack, std::uint64_t haystack_count, Output out, Less less) {
  using index = std::remove_reference_t<decltype(out[num_needles])>;
  for (std::uint64_t i = 0; i < num_needles; ++i) {
    out[i] = static_cast<index>(find_bound<Bound>(haystack, haystack_count, needles[i], less));
  }
}

template <class Tuning, class Needles, class Haystack, class Output, class Counts, class Less>
void sorted_equal_range(reference_context&, Needles needles, std::uint64_t num_needles,
                        Haystack haystack, std::uint64_t haystack_count, Output out, Counts counts,
                        Less less) {
  using index = std::remove_reference_t<decltype(out[num_needles])>;
  using number = std::remove_reference_t<decltype(counts[num_needles])>;
  for (std::uint64_t i = 0; i < num_needles; ++i) {
    const auto lower = find_bound<bounds::lower>(haystack, haystack_count, needles[i], less);
    // From the lower bound on: then there is no upper one before it, whatever `less` answers.
    const auto upper = find_bound<bounds::upper>(haystack, lower, haystack_count, needles[i], less);
    out[i] = static_cast<index>(lower);
    counts[i] = static_cast<number>(upper - lower);
  }
}

}  // namespace evenfold::backend
