#pragma once
// to_csr: a list of entries that is distributed over ranks, as a sparse matrix by rows.
//
// The entries are sorted by row and column. A rank then writes the offsets of the rows after the
// last one of the ranks before it, up to its own last row, by a search for each row.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/sort.hpp"
#include "evenfold/distributed/spmv.hpp"
#include "evenfold/distributed/unique.hpp"

namespace evenfold {

namespace detail {

/// (row, column) -> a number in the order of rows and columns, and back.
struct position_number {
  template <class Index>
  EF_HD constexpr std::uint64_t operator()(Index row, Index column) const {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) << 32 |
           static_cast<std::uint32_t>(column);
  }
};
template <class Index>
struct column_of_position {
  EF_HD constexpr Index operator()(std::uint64_t position) const {
    return static_cast<Index>(static_cast<std::uint32_t>(position));
  }
};

/// i -> the number of the first position of row `first` + i
struct first_positions {
  using value_type = std::uint64_t;
  std::uint64_t first;

  template <class Size>
  EF_HD constexpr std::uint64_t operator[](Size i) const {
    return (first + static_cast<std::uint64_t>(i)) << 32;
  }
};

/// The offsets of all rows, where each rank writes those that end with its own last row.
template <class Context>
sharded<std::uint64_t> find_row_offsets(Context& ctx, const sharded<std::uint64_t>& positions,
                                        std::uint64_t num_rows, std::uint64_t num_columns) {
  auto& local = ctx.local();
  const std::uint64_t count = positions.local_size();
  // One more than the last row, and than the last column: 0 where there are no entries.
  struct extent {
    std::uint64_t rows = 0, columns = 0;
  } own;
  if (count > 0) {
    own.rows = (to_host(local, positions.data() + count - 1, 1)[0] >> 32) + 1;
    own.columns =
        transform_reduce(local, count,
                         elementwise(column_of_position<std::uint32_t>{}, positions.data()),
                         maximum{}, std::uint64_t{0}) +
        1;
  }
  const std::vector<extent> all = gather_value(ctx, own);
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_last = true;
  for (int r = 0; r < ctx.size(); ++r) {
    const extent& of = all[static_cast<std::size_t>(r)];
    if (of.rows > num_rows || of.columns > num_columns) {
      refuse_argument(
          "to_csr", "an entry",
          "in row " + std::to_string(of.rows - 1) + " or column " + std::to_string(of.columns - 1),
          "the matrix has " + std::to_string(num_rows) + " rows and " +
              std::to_string(num_columns) + " columns",
          "pass the extents of the matrix");
    }
    if (r < ctx.rank()) begin = std::max(begin, of.rows);
    if (r > ctx.rank() && of.rows > 0) is_last = false;
  }
  end = std::max(begin, own.rows);
  // The rows after all entries belong to the last rank with entries, or to the last rank.
  const bool has_any =
      std::any_of(all.begin(), all.end(), [](const extent& e) { return e.rows > 0; });
  if (has_any ? count > 0 && is_last : ctx.rank() == ctx.size() - 1) end = num_rows;
  array<std::uint64_t> offsets(local, end - begin);
  sorted_search<bounds::lower>(local, first_positions{begin}, end - begin, positions.data(), count,
                               offsets.data(), less{});
  transform(local, offsets.data(), end - begin, offsets.data(), add_begin{positions.local_begin()});
  local.synchronize();
  return sharded<std::uint64_t>(ctx, std::move(offsets));
}

}  // namespace detail

/// The matrix with the entries (rows[k], columns[k], values[k]), all three in the same shards.
/// Entries in the same row and column are all kept, in the order of the list. The result is cut by
/// equal entries + rows.
///
/// - `Index`: an integer of at most 32 bits. Rows and columns are not negative.
///
/// `sort_by_key` of the entries, a search for each row, and the redistribution of `sharded_csr`.
/// Waits.
///
/// Errors: argument_error if the shards differ, or for an entry outside of the matrix;
/// communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, std::integral Index, class Value>
sharded_csr<Value, Index, std::uint64_t> to_csr(distributed_context<Local, Communicator>& ctx,
                                                std::uint64_t num_rows, std::uint64_t num_columns,
                                                const sharded<Index>& rows,
                                                const sharded<Index>& columns,
                                                const sharded<Value>& values) {
  static_assert(sizeof(Index) <= 4, "to_csr: row and column are sorted as one number of 64 bits");
  if (columns.map() != rows.map() || values.map() != rows.map()) {
    detail::refuse_argument("to_csr", "columns or values", "in other shards",
                            "each entry has a row, a column and a value on one rank",
                            "create them with rows.map()");
  }
  return detail::run_on_all_ranks(
      ctx, "to_csr", {{"num_rows", num_rows}, {"num_columns", num_columns}}, [&] {
        auto& local = ctx.local();
        sharded<std::uint64_t> positions(ctx, rows.map());
        transform(local, rows.local_size(),
                  write_result{elementwise(detail::position_number{}, rows.data(), columns.data()),
                               positions.data()});
        sharded<Value> sorted(ctx, rows.map());
        copy(local, values.data(), values.local_size(), sorted.data());
        sort_by_key(ctx, positions, sorted, less{});
        const auto offsets = detail::find_row_offsets(ctx, positions, num_rows, num_columns);
        sharded<Index> sorted_columns(ctx, positions.map());
        transform(local, positions.data(), positions.local_size(), sorted_columns.data(),
                  detail::column_of_position<Index>{});
        return sharded_csr<Value, Index, std::uint64_t>(ctx, num_columns, offsets, sorted_columns,
                                                        sorted);
      });
}

}  // namespace evenfold
