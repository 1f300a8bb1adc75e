#pragma once
// first_violation: the first vertex at which an answer breaks a law.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::detail {

/// The number of the law that is broken at a vertex; 0 if none is.
template <class LawAt>
struct law_number {
  LawAt law_at;

  template <std::integral Index>
  EF_HD unsigned char operator()(Index v) const {
    return static_cast<unsigned char>(law_at(v));
  }
};

/// Whether a law is broken.
struct is_broken {
  EF_HD bool operator()(unsigned char law) const { return law != 0; }
};

/// The vertex itself if a law is broken there, else `num_vertices`.
template <std::integral Index>
struct broken_vertex {
  using heavy = void;
  const unsigned char* laws;
  Index num_vertices;

  EF_HD Index operator()(Index v) const { return is_broken{}(laws[v]) ? v : num_vertices; }
};

/// Fills in the number of vertices at which a law is broken, and for the first of them its number
/// and the law. law_at(v) is the first law that is broken at v, or Law{}. Returns whether there is
/// one. Scratch: one byte per vertex. Waits.
template <context Context, std::integral Index, class LawAt, class Report>
bool first_violation(Context& ctx, Index num_vertices, LawAt law_at, Report& report) {
  array<unsigned char> laws(ctx, num_vertices);
  transform(ctx, num_vertices, write_result{law_number<LawAt>{law_at}, laws.data()});
  const Index first = transform_reduce(
      ctx, num_vertices, broken_vertex<Index>{laws.data(), num_vertices}, minimum{}, num_vertices);
  if (first == num_vertices) return false;
  report.violations = transform_reduce(ctx, num_vertices, elementwise(is_broken{}, laws.data()),
                                       plus{}, std::int64_t{0});
  report.law = static_cast<decltype(report.law)>(to_host(ctx, laws.data() + first, 1)[0]);
  report.vertex = first;
  return true;
}

}  // namespace evenfold::detail
