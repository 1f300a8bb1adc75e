#pragma once
// Groups of the rows of a table and their aggregates, for tables.cpp.

#include <cstdint>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/table/group_by.hpp"

namespace evenfold::runtime {

using table_groups = row_groups<std::int32_t>;

/// Whether a row is null; without flags no row is.
struct null_flags {
  const std::uint8_t* flags;  // or nullptr
  EF_HD bool operator[](std::int32_t row) const { return flags != nullptr && flags[row] != 0; }
};

/// The number by which an aggregate chooses a row, the smallest first: the code of a column, or
/// else the row itself. With all bits flipped it chooses the largest.
struct deciding_number {
  const std::uint64_t* column;  // or nullptr
  std::uint64_t flip;           // 0, or all bits

  EF_HD std::uint64_t operator[](std::int32_t row) const {
    return (column != nullptr ? column[row] : static_cast<std::uint64_t>(row)) ^ flip;
  }
};

/// The groups of rows with equal keys.
template <context Context>
table_groups groups_of(Context& ctx, const std::uint64_t* keys, std::size_t num_keys,
                       group_order order) {
  const auto count = static_cast<std::int32_t>(num_keys);
  return order == group_order::keys ? group_rows(ctx, keys, count)
                                    : group_rows<group_order::appearance>(ctx, keys, count);
}

/// One aggregate of all groups.
template <context Context, class Aggregate>
auto result_of(Context& ctx, const table_groups& groups, const Aggregate& aggregate) {
  auto results = detail::results_of(ctx, groups, aggregate);
  return std::move(get<0>(results));
}

/// at -> the number of rows of a group.
template <class T>
struct length_of_group {
  detail::group_at<std::int32_t> group;
  const std::int32_t* offsets;
  std::int32_t num_groups;
  std::int32_t num_rows;

  EF_HD T operator()(std::int32_t at) const {
    const std::int32_t g = group[at];
    return (g + 1 < num_groups ? offsets[g + 1] : num_rows) - offsets[g];
  }
};

/// The number of rows of each group.
template <class T = std::int64_t, context Context>
evenfold::array<T> lengths_of(Context& ctx, const table_groups& groups) {
  const auto num_groups = static_cast<std::int32_t>(groups.size());
  evenfold::array<T> lengths(ctx, num_groups);
  const length_of_group<T> length{{groups.order.data()},
                                  groups.offsets.data(),
                                  num_groups,
                                  static_cast<std::int32_t>(groups.rows.size())};
  transform(ctx, num_groups, write_result{length, lengths.data()});
  return lengths;
}

/// k -> k if a group begins at the k-th of the grouped rows, else 0
struct begin_of_group {
  const unsigned char* begins;
  EF_HD std::int32_t operator()(std::int32_t k) const { return begins[k] != 0 ? k : 0; }
};

/// Whether the k-th of the grouped rows is one of the first of its group.
struct is_near_begin {
  const std::int32_t* begins;
  std::int32_t most;
  EF_HD bool operator()(std::int32_t k) const { return k - begins[k] < most; }
};

/// emit: writes the k-th of the grouped rows, which are numbered in the order `sorted`.
struct take_row {
  const std::int32_t* grouped;
  const std::int32_t* sorted;
  std::int32_t* out;
  EF_HD void operator()(std::int32_t to, std::int32_t k) const { out[to] = sorted[grouped[k]]; }
};

/// k -> the group of the k-th row in the order `sorted`.
struct group_of_sorted {
  const std::uint64_t* groups;
  const std::int32_t* sorted;
  EF_HD std::uint64_t operator[](std::int32_t k) const { return groups[sorted[k]]; }
};

/// The first `most` rows of each group in the order of `keys`: the rows are sorted by their keys,
/// and then grouped, which keeps this order.
template <context Context>
evenfold::array<std::int32_t> first_of_groups(Context& ctx, const std::uint64_t* keys,
                                              const std::uint64_t* groups, std::int32_t count,
                                              std::int32_t most) {
  evenfold::array<std::int32_t> sorted(ctx, count);
  sort_indices(ctx, keys, sorted.data(), count, less{});
  const table_groups grouped = group_rows(ctx, group_of_sorted{groups, sorted.data()}, count);
  evenfold::array<std::int32_t> begins(ctx, count);
  transform_scan<scan_kind::inclusive>(ctx, count, begin_of_group{grouped.begins.data()},
                                       begins.data(), maximum{}, std::int32_t{0});
  const compact_plan plan(ctx, count, is_near_begin{begins.data(), most});
  evenfold::array<std::int32_t> kept(ctx, plan.num_kept());
  plan.write(take_row{grouped.rows.data(), sorted.data(), kept.data()});
  return kept;
}

}  // namespace evenfold::runtime
