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

namespace evenfold::detail {

/// A strip is `lanes` vertices. They are consecutive, or, if `apart`, as far apart as the number of
/// strips.
struct pagerank_strip {
  int lanes;
  bool apart;
};
constexpr pagerank_strip pagerank_strip_for(work_shape shape) {
  return shape == work_shape::runs ? pagerank_strip{16, false} : pagerank_strip{4, true};
}

/// Computes the new ranks of a strip and their contributions per unit of weight:
///
///     r'(v) = everywhere + jumps p(v) + damping (pulled(v) + r(v) if v dangles and keeps it),
///
/// and what each vertex adds to the totals of an iteration.
template <class T, class Sum, pagerank_strip Strip>
struct pagerank_pass {
  std::int64_t vertices;
  /// The sums of contributions. Each is replaced by the new rank if the vertex dangles, else by 0.
  Sum* pulled;
  /// Written: |r'(v) - r(v)|.
  Sum* changes;
  /// 1 over the out-weight of each vertex; 0 for a dangling vertex.
  const T* shares;
  /// nullptr if jumps are uniform.
  const T* personalization;
  T* ranks;
  T* contributions;
  Sum damping;
  /// 1 if dangling vertices keep their mass, else 0.
  Sum kept;
  Sum everywhere = 0, jumps = 0;

  static constexpr int lanes = Strip.lanes;

  std::int64_t strips() const { return ceil_div(vertices, lanes); }

  EF_HD void operator()(std::int64_t strip) const {
    const std::int64_t gap = Strip.apart ? ceil_div(vertices, lanes) : 1;
    const std::int64_t v = Strip.apart ? strip : strip * lanes;
    if (v + (lanes - 1) * gap < vertices) {
      step<lanes>(v, gap);
    } else {
      for (int j = 0; v + j * gap < vertices; ++j) step<1>(v + j * gap, gap);
    }
  }

 private:
  template <int Width>
  EF_HD void step(std::int64_t v, std::int64_t gap) const {
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
      changes[v + j * gap] = std::abs(Sum{after} - before[j]);
      pulled[v + j * gap] = dangles * Sum{after};
      ranks[v + j * gap] = after;
      contributions[v + j * gap] = static_cast<T>(Sum{after} * share[j]);
    }
  }
};

}  // namespace evenfold::detail
