#pragma once
// number_vertices: turns the names of vertices at the ends of edges into the numbers of vertices.
//
// Idea: integers in a small range are marked in a table, and a scan over the table numbers them.
// Other integers are sorted, made unique, and searched. Texts are first numbered in any order by a
// dictionary, so that only distinct texts are sorted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"
#include "evenfold/io/text/dictionary.hpp"

namespace evenfold::detail {

/// Refuses more vertices than std::int32_t can number.
inline void check_vertex_count(std::int64_t count) {
  if (count > std::numeric_limits<std::int32_t>::max()) {
    refuse_argument("number_vertices", "ends", count, "vertices are numbered in 31 bits",
                    "read a part of the graph");
  }
}

/// number_vertices() for integers in [lowest, lowest + range).
template <context Context>
vertex_names number_in_table(Context& ctx, const std::int64_t* ends, std::int64_t count,
                             std::int64_t lowest, std::int64_t range, std::int32_t* numbers) {
  // This difference does not overflow, since it is below `range`.
  const auto slot = [=](std::int64_t i) { return ends[i] - lowest; };
  array<std::uint8_t> marks(ctx, range);
  std::uint8_t* const mark = marks.data();
  transform(ctx, range, [=](std::int64_t p) { mark[p] = 0; });
  transform(ctx, count, [=](std::int64_t i) {
    // The load comes first, since it is slow if all workers write to the same cache line.
    const atomic_ref<std::uint8_t> here(mark[slot(i)]);
    if (here.load(memory_order_relaxed) == 0) here.store(1, memory_order_relaxed);
  });
  array<std::int64_t> before(ctx, range);
  std::int64_t distinct = 0;
  transform_scan<scan_kind::exclusive>(
      ctx, range, [=](std::int64_t p) { return std::int64_t{mark[p]}; }, before.data(), plus{},
      std::int64_t{0}, &distinct);
  check_vertex_count(distinct);
  const std::int64_t* const number = before.data();
  transform(ctx, count,
            [=](std::int64_t i) { numbers[i] = static_cast<std::int32_t>(number[slot(i)]); });
  if (distinct == range) return vertex_names::counted(static_cast<std::int32_t>(range), lowest);

  std::vector<std::int64_t> names(static_cast<std::size_t>(distinct));
  std::int64_t* const name = names.data();
  transform(ctx, range, [=](std::int64_t p) {
    if (mark[p] != 0) name[number[p]] = lowest + p;
  });
  return vertex_names::of(std::move(names));
}

/// numbers[i] = the number of the vertex with the name ends[i]. Vertices are numbered in the order
/// of their names. Returns the names.
///
/// Work O(count) if the integers have a range below 8 * count + 2^16, else O(count log count); span
/// O(work / workers). Memory: 9 bytes per integer of the range, else 16 bytes per end.
/// Errors: argument_error for more than 2^31 - 1 vertices; allocation_error.
template <context Context>
vertex_names number_vertices(Context& ctx, const std::int64_t* ends, std::int64_t count,
                             std::int32_t* numbers) {
  static_assert(Context::side == memory_side::host, "names lie on the host");
  if (count == 0) return {};
  const std::int64_t lowest = reduce(ctx, ends, count, minimum{}, ends[0]);
  const std::int64_t highest = reduce(ctx, ends, count, maximum{}, ends[0]);
  const std::uint64_t span =
      static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest);
  if (span < 8 * static_cast<std::uint64_t>(count) + (1 << 16)) {
    return number_in_table(ctx, ends, count, lowest, static_cast<std::int64_t>(span) + 1, numbers);
  }

  array<std::int64_t> sorted(ctx, count);
  copy(ctx, ends, count, sorted.data());
  sort(ctx, sorted.data(), count, less{});
  std::vector<std::int64_t> names(static_cast<std::size_t>(count));
  const std::int64_t distinct = unique(ctx, sorted.data(), count, equal_to{}, names.data());
  check_vertex_count(distinct);
  search<bounds::lower>(ctx, ends, count, names.data(), distinct, numbers, less{});
  names.resize(static_cast<std::size_t>(distinct));
  names.shrink_to_fit();
  return vertex_names::of(std::move(names));
}

/// The same for texts: an object with size() and with [] that returns string views.
///
/// Work O(bytes + distinct log distinct) expected, span O(work / workers + distinct).
template <context Context, class Texts>
vertex_names number_vertices(Context& ctx, const Texts& ends, std::int32_t* numbers) {
  const dictionary found = encode(ctx, ends);
  const auto distinct = static_cast<std::int32_t>(found.values.size());
  const std::string_view* const texts = found.values.data();
  array<std::int32_t> order(ctx, distinct), number(ctx, distinct);
  std::int32_t* const o = order.data();
  std::int32_t* const n = number.data();
  transform(ctx, distinct, [=](std::int32_t k) { o[k] = k; });
  sort(ctx, o, distinct, [=](std::int32_t a, std::int32_t b) { return texts[a] < texts[b]; });
  std::vector<std::string> names(found.values.size());
  std::string* const name = names.data();
  transform(ctx, distinct, [=](std::int32_t v) {
    n[o[v]] = v;
    name[v] = std::string(texts[o[v]]);
  });
  const std::int32_t* const ids = found.ids.data();
  transform(ctx, found.ids.size(), [=](std::size_t i) { numbers[i] = n[ids[i]]; });
  return vertex_names::of(std::move(names));
}

}  // namespace evenfold::detail
