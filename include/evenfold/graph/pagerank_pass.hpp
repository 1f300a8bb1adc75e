#pragma once
// The inner loop of `pagerank`: the pass over the vertices after their contributions are summed up.
//
// Idea: as in matrix/jacobi_sweep.hpp, a worker takes several vertices at a time and reads all of
// them before it writes any, so that no load waits for a store. On a CPU they are consecutive, in
// vector registers; on a GPU they are far apart, and consecutive vertices belong to consecutive
// threads.

#include <cmath>
#include <cstdint>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/graph/pagerank_parts.hpp"
#include "evenfold/graph/pagerank_rules.hpp"

namespace evenfold {
namespace detail {

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
template <class T, class Sum, class Index, pagerank_strip Strip>
struct pagerank_pass {
  using rank_type = T;
  using sum_type = Sum;

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
  contribution_output<T, Index> contributions;
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

  /// 1 for a dangling vertex, whose share is +0, else 0: a factor instead of a branch, which a CPU
  /// would often predict wrongly. Of a comparison, g++ makes a branch.
  EF_HD static Sum dangling_factor(Sum share) {
    using bits = bits_of<Sum>;
    const auto of_share = bit_cast<bits>(share);
    const bits is_other = (of_share | (bits{0} - of_share)) >> (8 * sizeof(bits) - 1);
    return bit_cast<Sum>(bit_cast<bits>(Sum{1}) & (is_other - 1));
  }

  EF_HD T new_rank(Sum before, Sum sum, Sum dangles, Sum target) const {
    sum += dangles * kept * before;
    return static_cast<T>(everywhere + jumps * target + damping * sum);
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
    // Each of these loops becomes vectors: it stores to one array alone.
    Sum dangles[Width];
    T after[Width];
    for (int j = 0; j < Width; ++j) dangles[j] = dangling_factor(share[j]);
    for (int j = 0; j < Width; ++j) {
      after[j] = new_rank(before[j], sum[j], dangles[j], target[j]);
    }
    for (int j = 0; j < Width; ++j) changes[v + j * gap] = std::abs(Sum{after[j]} - before[j]);
    for (int j = 0; j < Width; ++j) pulled[v + j * gap] = dangles[j] * Sum{after[j]};
    for (int j = 0; j < Width; ++j) ranks[v + j * gap] = after[j];
    T* const brought = contributions.data;
    if (contributions.places == nullptr) {
      for (int j = 0; j < Width; ++j) {
        brought[v + j * gap] = static_cast<T>(Sum{after[j]} * share[j]);
      }
    } else {
      for (int j = 0; j < Width; ++j) {
        contributions[v + j * gap] = static_cast<T>(Sum{after[j]} * share[j]);
      }
    }
  }
};

/// The change of an iteration, and the mass on dangling vertices.
struct pagerank_totals {
  double change, mass;
};

/// Adds masses, and adds changes or takes the larger one, as the operator Change does.
template <class Change>
struct add_pagerank_totals {
  EF_HD constexpr pagerank_totals operator()(const pagerank_totals& a,
                                             const pagerank_totals& b) const {
    return {Change{}(a.change, b.change), a.mass + b.mass};
  }
};

/// The pass for one vertex, which is read before others are written. Returns what the vertex adds
/// to the totals.
template <class Pass>
struct rank_vertex {
  using T = typename Pass::rank_type;
  using Sum = typename Pass::sum_type;
  struct inputs {
    Sum before, sum, share, target;
  };

  Pass pass;

  EF_HD inputs read(std::int64_t v) const {
    const T target = pass.personalization == nullptr ? T{0} : pass.personalization[v];
    return {pass.ranks[v], pass.pulled[v], pass.shares[v], target};
  }
  EF_HD pagerank_totals write(std::int64_t v, const inputs& of_v) const {
    const Sum dangles = Pass::dangling_factor(of_v.share);
    const T after = pass.new_rank(of_v.before, of_v.sum, dangles, of_v.target);
    pass.ranks[v] = after;
    pass.contributions[v] = static_cast<T>(Sum{after} * of_v.share);
    return {double{std::abs(Sum{after} - of_v.before)}, double{dangles * Sum{after}}};
  }
  EF_HD pagerank_totals operator()(std::int64_t v) const { return write(v, read(v)); }
};

}  // namespace detail

template <class Change>
inline constexpr bool is_commutative<detail::add_pagerank_totals<Change>, detail::pagerank_totals> =
    true;

namespace detail {

/// init (+) f(0) (+) ... (+) f(count - 1). `submit` submits what needs no more than the effects of
/// f, which a GPU begins while the host waits for the fold.
template <context Context, class Size, class F, class Op, class T, class Submit>
T fold_and_submit(Context& ctx, Size count, F f, Op op, T init, Submit submit) {
  if constexpr (Context::traits.shape == work_shape::lanes) {
    return backend::transform_reduce<default_tuning>(ctx, count, f, op, init, submit);
  } else {
    const T fold = transform_reduce(ctx, count, f, op, init);
    submit();
    return fold;
  }
}

/// Makes the new ranks and contributions, and returns the totals in the canonical order of folds.
/// Waits.
///
/// If neighbouring threads take neighbouring vertices, one fold computes ranks and totals, and
/// `submit` submits what the device begins while the host waits for them. If each thread takes runs
/// of vertices, the pass stores the two numbers that each vertex adds, and two folds of arrays
/// follow: both use vector registers, and together are faster than a fold of pairs.
template <class Change, context Context, class Pass, class Submit>
pagerank_totals make_ranks(Context& ctx, const Pass& pass, Submit submit) {
  if constexpr (Context::traits.shape == work_shape::lanes) {
    return fold_and_submit(ctx, pass.vertices, rank_vertex<Pass>{pass},
                           add_pagerank_totals<Change>{}, pagerank_totals{0., 0.}, submit);
  } else {
    transform(ctx, pass.strips(), pass);
    return {reduce(ctx, pass.changes, pass.vertices, Change{}, 0.),
            reduce(ctx, pass.pulled, pass.vertices, plus{}, 0.)};
  }
}

}  // namespace detail
}  // namespace evenfold
