#pragma once
// first_violation: the first vertex at which an answer breaks a law.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::detail {

/// The vertex itself if a law is broken there, else `num_vertices`.
template <class LawAt, std::integral Index>
struct vertex_if_broken {
  LawAt law_at;
  Index num_vertices;

  EF_HD Index operator()(Index v) const {
    return law_at(v) != decltype(law_at(v)){} ? v : num_vertices;
  }
};

/// 1 if a law is broken at a vertex, else 0.
template <class LawAt>
struct one_if_broken {
  LawAt law_at;

  template <std::integral Index>
  EF_HD std::int64_t operator()(Index v) const {
    return law_at(v) != decltype(law_at(v)){} ? 1 : 0;
  }
};

/// Writes the law that is broken at one vertex.
template <class LawAt, class Law, std::integral Index>
struct write_law {
  LawAt law_at;
  Index vertex;
  Law* to;

  EF_HD void operator()(int) const { *to = law_at(vertex); }
};

/// Fills in the number of vertices at which a law is broken, and for the first of them its number
/// and the law. law_at(v) is the first law that is broken at v, or Law{}. Waits.
template <context Context, std::integral Index, class LawAt, class Report>
void first_violation(Context& ctx, Index num_vertices, LawAt law_at, Report& report) {
  using law = decltype(report.law);
  const Index first =
      transform_reduce(ctx, num_vertices, vertex_if_broken<LawAt, Index>{law_at, num_vertices},
                       minimum{}, num_vertices);
  if (first == num_vertices) return;
  report.violations =
      transform_reduce(ctx, num_vertices, one_if_broken<LawAt>{law_at}, plus{}, std::int64_t{0});
  array<law> broken(ctx, 1);
  transform(ctx, 1, write_law<LawAt, law, Index>{law_at, first, broken.data()});
  report.law = to_host(ctx, broken)[0];
  report.vertex = first;
}

}  // namespace evenfold::detail
