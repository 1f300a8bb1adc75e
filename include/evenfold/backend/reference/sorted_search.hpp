#pragma once
// sorted_search and sorted_equal_range, serially: a binary search for each needle.

#include <cstdint>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/search_each.hpp"

namespace evenfold::backend {

template <bounds Bound, class Tuning, class Needles, class Haystack, class Output, class Less>
void sorted_search(reference_context&, Needles needles, std::uint64_t num_needles,
                   Haystack haystack, std::uint64_t haystack_count, Output out, Less less) {
  const detail::write_bound<Bound, Needles, Haystack, std::uint64_t, Output, Less> write{
      needles, haystack, haystack_count, out, less};
  for (std::uint64_t i = 0; i < num_needles; ++i) write(i);
}

template <class Tuning, class Needles, class Haystack, class Output, class Counts, class Less>
void sorted_equal_range(reference_context&, Needles needles, std::uint64_t num_needles,
                        Haystack haystack, std::uint64_t haystack_count, Output out, Counts counts,
                        Less less) {
  const detail::write_range<Needles, Haystack, std::uint64_t, Output, Counts, Less> write{
      needles, haystack, haystack_count, out, counts, less};
  for (std::uint64_t i = 0; i < num_needles; ++i) write(i);
}

}  // namespace evenfold::backend
