#pragma once
// The rows of joined tables in the order of the tables, for tables.cpp.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/table/join.hpp"
#include "runtime/packed_keys.hpp"
#include "runtime/tables.hpp"

namespace evenfold::runtime {

struct is_null_key {
  EF_HD bool operator()(std::uint64_t key) const { return key == null_key; }
};

/// rows[i] = i.
struct write_row_number {
  std::int32_t* rows;
  EF_HD void operator()(std::int32_t i) const { rows[i] = i; }
};

/// indices[k] = rows[indices[k]], unless the index is negative.
struct find_row {
  std::int32_t* indices;
  const std::int32_t* rows;
  EF_HD void operator()(std::size_t k) const {
    if (indices[k] >= 0) indices[k] = rows[indices[k]];
  }
};

/// k -> 1 if the k-th row of a join has no left row, else 0.
struct has_no_left_row {
  const std::int32_t* left_rows;
  EF_HD std::size_t operator()(std::size_t k) const {
    return left_rows[k] < 0 ? std::size_t{1} : std::size_t{0};
  }
};

/// Rows of a table in the order of their keys.
struct sorted_side {
  std::uint64_t* keys;
  std::int32_t count;
  evenfold::array<std::int32_t> rows;

  template <context Context>
  sorted_side(Context& ctx, std::uint64_t* unsorted, std::int32_t size)
      : keys(unsorted), count(size), rows(ctx, size) {
    transform(ctx, count, write_row_number{rows.data()});
    sort_by_key(ctx, keys, rows.data(), count, less{});
  }
};

/// Replaces indices in the order of the keys by rows of the table.
template <context Context>
void find_rows(Context& ctx, evenfold::array<std::int32_t>& indices, const sorted_side& from) {
  transform(ctx, indices.size(), find_row{indices.data(), from.rows.data()});
}

/// Rows in the order of the table.
template <context Context>
evenfold::array<std::int32_t> in_table_order(Context& ctx, evenfold::array<std::int32_t> rows,
                                             const sorted_side& left) {
  find_rows(ctx, rows, left);
  sort(ctx, rows.data(), rows.size(), less{});
  return rows;
}

template <context Context>
joined_rows<std::int32_t> in_table_order(Context& ctx, joined_rows<std::int32_t> joined,
                                         const sorted_side& left, const sorted_side& right) {
  find_rows(ctx, joined.left, left);
  find_rows(ctx, joined.right, right);
  // The partners of a left row are already in order. The right rows without a partner, which are
  // last and have -1 as left row, are not.
  std::int32_t* const left_row = joined.left.data();
  const std::size_t num_unmatched =
      transform_reduce(ctx, joined.size(), has_no_left_row{left_row}, plus{}, std::size_t{0});
  const std::size_t num_matched = joined.size() - num_unmatched;
  sort_by_key(ctx, left_row, joined.right.data(), num_matched, less{});
  sort(ctx, joined.right.data() + num_matched, num_unmatched, less{});
  return joined;
}

/// Refuses a result if the context has too little memory for it and for the copies that sorting it
/// takes.
template <context Context>
void check_memory(Context& ctx, std::int64_t rows) {
  constexpr std::int64_t small = std::int64_t{1} << 24;
  constexpr std::size_t row_bytes = 3 * sizeof(std::int32_t[2]);
  if (rows <= small) return;
  const std::size_t available = ctx.available_bytes();
  if (static_cast<std::size_t>(rows) > available / row_bytes) {
    throw result_too_large("the result has " + std::to_string(rows) + " rows, which take " +
                           std::to_string(row_bytes) + " bytes each, but only " +
                           std::to_string(available) + " bytes are available");
  }
}

}  // namespace evenfold::runtime
