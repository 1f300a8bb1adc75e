#pragma once
// Equal shares of merges on CPU threads: for merge, for the searches by merging and for the levels
// of a merge sort. The beginning of each share is searched for once, and corrected to fit that of
// the share before it, so that the shares have every element once, whatever `less` returns.

#include <algorithm>
#include <cstddef>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cpu {

/// The border between two shares: `taken` elements of the first sequence of the merge whose results
/// begin at index `merge` come before it.
struct share_cut {
  std::size_t merge;
  std::size_t taken;
};

/// Cuts the `results` of one or more merges into equal shares, one per thread, and calls
/// visit(first, last, taken_first, taken_last) on each at the same time. `find(result)` is the cut
/// before a result, 0 <= result <= results.
template <class Find, class Visit>
void share_merges(cpu_context& ctx, std::size_t results, Find find, Visit visit) {
  const std::size_t shares = std::min(static_cast<std::size_t>(ctx.threads()), results);
  if (shares == 0) return;
  const detail::equal_shares<std::size_t> share(results, shares);
  array<share_cut> cuts(ctx, shares + 1);
  const auto find_cuts = [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) cuts[w] = find(share.begin(w));
  };
  constexpr std::size_t few = 16;  // a few searches take less time than to start a team
  if (shares <= few) {
    find_cuts(0, shares + 1);
  } else {
    ctx.parallel(shares + 1, find_cuts);
  }
  for (std::size_t w = 1; w <= shares; ++w) {
    if (cuts[w].merge != cuts[w - 1].merge) continue;
    cuts[w].taken =
        detail::fit_cut(cuts[w].taken, cuts[w - 1].taken, share.begin(w) - share.begin(w - 1));
  }
  ctx.parallel(shares, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      visit(share.begin(w), share.begin(w + 1), cuts[w].taken, cuts[w + 1].taken);
    }
  });
}

/// The same for a single merge of a[0, a_count) and b[0, b_count).
template <class A, class B, class Less, class Visit>
void share_merge(cpu_context& ctx, A a, std::size_t a_count, B b, std::size_t b_count,
                 const Less& less, Visit visit) {
  share_merges(
      ctx, a_count + b_count,
      [&](std::size_t result) -> share_cut {
        return {0, detail::merge_path(a, a_count, b, b_count, result, less)};
      },
      visit);
}

}  // namespace evenfold::cpu
