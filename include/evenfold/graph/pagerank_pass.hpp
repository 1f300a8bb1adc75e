#pragma once
// The inner loop of `pagerank`: the pass over the vertices after their contributions are summed up.
//
// Idea: as in matrix/jacobi_sweep.hpp, a worker takes several vertices at a time and reads all of
// them before it writes any, so that no load waits for a store. On a CPU they are consecutive, in
// vector registers; on a GPU they are far apart, and consecutive vertices belong to consecutive
// threads.

#include <cmath>
#include <cstdint>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/pagerank_rules.hpp"

namespace evenfold {

namespace detail {

/// Combines two changes.
struct join_pagerank_change {
  pagerank_change measure;

  template <class T>
  EF_HD T operator()(const T& a, const T& b) const {
    return measure == pagerank_change::l1 ? a + b : (a < b ? b : a);
  }
};

/// The totals of a pass over the vertices.
struct pagerank_totals {
  double change, dangling_mass;
};
struct join_pagerank_totals {
  join_pagerank_change join;

  EF_HD pagerank_totals operator()(const pagerank_totals& a, const pagerank_totals& b) const {
    return {join(a.change, b.change), a.dangling_mass + b.dangling_mass};
  }
};

}  // namespace detail

template <>
inline constexpr bool is_commutative<detail::join_pagerank_totals, detail::pagerank_totals> = true;

namespace detail {

/// A strip is `lanes` vertices. They are consecutive, or, if `apart`, as far apart as the number of
/// strips.
struct pagerank_strip {
  int lanes;
  bool apart;
};
constexpr pagerank_strip pagerank_strip_for(work_shape shape) {
  return shape == work_shape::runs ? pagerank_strip{64, false} : pagerank_strip{4, true};
}

/// The fold of `Count` values, a power of two, by halves. Changes them.
template <int Count, class T, class Op>
EF_HD constexpr T fold_lanes(T* x, const Op& op) {
  for (int count = Count / 2; count > 0; count /= 2) {
    for (int j = 0; j < count; ++j) x[j] = op(x[2 * j], x[2 * j + 1]);
  }
  return x[0];
}

/// Computes the new ranks of a strip and their contributions per unit of weight:
///
///     r'(v) = everywhere + jumps p(v) + damping (pulled(v) + r(v) if v dangles and keeps it).
template <class T, class Sum, pagerank_strip Strip>
struct pagerank_pass {
  std::int64_t vertices;
  const Sum* pulled;
  /// 1 over the out-weight of each vertex; 0 for a dangling vertex.
  const T* shares;
  /// nullptr if jumps are uniform.
  const T* personalization;
  T* ranks;
  T* contributions;
  Sum damping;
  /// 1 if dangling vertices keep their mass, else 0.
  Sum kept;
  join_pagerank_change join;
  Sum everywhere = 0, jumps = 0;

  static constexpr int lanes = Strip.lanes;

  std::int64_t strips() const { return ceil_div(vertices, lanes); }

  EF_HD pagerank_totals operator()(std::int64_t strip) const {
    // Missing vertices of the last strips change nothing: no change or mass is negative.
    Sum change[lanes] = {};
    Sum dangling[lanes] = {};
    const std::int64_t gap = Strip.apart ? ceil_div(vertices, lanes) : 1;
    const std::int64_t v = Strip.apart ? strip : strip * lanes;
    if (v + (lanes - 1) * gap < vertices) {
      step<lanes>(v, gap, change, dangling);
    } else {
      for (int j = 0; v + j * gap < vertices; ++j) {
        step<1>(v + j * gap, gap, change + j, dangling + j);
      }
    }
    return {double{fold_lanes<lanes>(change, join)}, double{fold_lanes<lanes>(dangling, plus{})}};
  }

 private:
  template <int Width>
  EF_HD void step(std::int64_t v, std::int64_t gap, Sum* change, Sum* dangling) const {
    Sum before[Width], sum[Width], share[Width], target[Width] = {};
    for (int j = 0; j < Width; ++j) before[j] = ranks[v + j * gap];
    for (int j = 0; j < Width; ++j) sum[j] = pulled[v + j * gap];
    for (int j = 0; j < Width; ++j) share[j] = shares[v + j * gap];
    if (personalization != nullptr) {
      for (int j = 0; j < Width; ++j) target[j] = personalization[v + j * gap];
    }
    for (int j = 0; j < Width; ++j) {
      // A factor instead of a branch, which a CPU would often predict wrongly.
      const Sum dangles = share[j] == 0 ? Sum{1} : Sum{0};
      sum[j] += dangles * kept * before[j];
      const T after = static_cast<T>(everywhere + jumps * target[j] + damping * sum[j]);
      change[j] = std::abs(Sum{after} - before[j]);
      dangling[j] = dangles * Sum{after};
      ranks[v + j * gap] = after;
      contributions[v + j * gap] = static_cast<T>(Sum{after} * share[j]);
    }
  }
};

}  // namespace detail

}  // namespace evenfold
