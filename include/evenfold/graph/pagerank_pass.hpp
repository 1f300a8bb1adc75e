#pragma once
// The inner loop of `pagerank`: what is done to one vertex after it has pulled.

#include <cmath>
#include <type_traits>

#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// How the change of an iteration is measured: the sum of |r'(v) - r(v)|, or the largest of them.
enum class pagerank_change { l1, maximum };

/// What a pass over the vertices adds up.
struct pagerank_totals {
  double change, dangling_mass;
};

struct join_pagerank_totals {
  pagerank_change measure;

  EF_HD pagerank_totals operator()(const pagerank_totals& a, const pagerank_totals& b) const {
    const double change = measure == pagerank_change::l1 ? a.change + b.change
                          : a.change < b.change          ? b.change
                                                         : a.change;
    return {change, a.dangling_mass + b.dangling_mass};
  }
};
template <>
inline constexpr bool is_commutative<join_pagerank_totals, pagerank_totals> = true;

/// Makes the new rank of a vertex and what each unit of weight that leaves it brings along:
///
///     r'(v) = everywhere + jumps p(v) + damping (pulled(v) + r(v) if v keeps it).
template <class T, class Sum>
struct pagerank_pass {
  const Sum* pulled;
  /// 1 over the out-weight; 0 of a dangling vertex.
  const T* shares;
  /// nullptr where jumps go everywhere.
  const T* personalization;
  T* ranks;
  T* contributions;
  double everywhere = 0, jumps = 0, damping;
  /// Whether dangling vertices keep their mass.
  bool keeps;

  template <class Index>
  EF_HD pagerank_totals operator()(Index v) const {
    const double before = ranks[v];
    double rank = pulled[v];
    if (keeps && shares[v] == 0) rank += before;
    rank = everywhere + damping * rank;
    if (personalization != nullptr) rank += jumps * static_cast<double>(personalization[v]);
    pagerank_totals totals = set(v, static_cast<T>(rank));
    totals.change = std::abs(double{ranks[v]} - before);
    return totals;
  }

  /// Gives a vertex its rank, and tells how much of it dangles.
  template <class Index>
  EF_HD pagerank_totals set(Index v, T rank) const {
    const T share = shares[v];
    ranks[v] = rank;
    contributions[v] = rank * share;
    return {0., share == 0 ? double{rank} : 0.};
  }
};

}  // namespace evenfold
