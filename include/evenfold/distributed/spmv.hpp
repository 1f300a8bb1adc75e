#pragma once
// spmv: a sparse matrix whose rows are distributed over ranks, times a vector.
//
// The entries are cut in one dimension, by equal entries + rows. A rank receives the elements of x
// from its first to its last column: few if the columns are near the rows, as in the matrix of a
// mesh, and all of x if they are anywhere. Rows whose columns are its own are summed meanwhile.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/inner_rows.hpp"
#include "evenfold/distributed/partial_folds.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold {

namespace detail {

/// The columns of the entries of each rank: from the first to the last one.
template <class Context, class Index>
std::vector<item_range> column_ranges(Context& ctx, const sharded<Index>& columns) {
  auto& local = ctx.local();
  item_range own{0, 0};
  if (const std::uint64_t count = columns.local_size(); count > 0) {
    const Index any = std::numeric_limits<Index>::max();
    const Index first = reduce(local, columns.data(), count, minimum{}, any);
    const Index last = reduce(local, columns.data(), count, maximum{}, Index{0});
    own = {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last) + 1};
  }
  return gather_value(ctx, own);
}

/// The elements of a sequence that each rank needs, at their global indices.
template <class T>
class needed_elements {
 public:
  /// `needed` are the elements that the ranks need. If there is one rank, it has them already:
  /// `input` must outlive the object.
  template <class Context>
  needed_elements(Context& ctx, const sharded<T>& input, const std::vector<item_range>& needed)
      : elements_(input.data()) {
    if (ctx.size() == 1) return;
    auto& local = ctx.local();
    received_ = array<T>(local, input.size());
    elements_ = received_.data();
    const auto common = [&](int owner, int user) {
      const item_range range = needed[static_cast<std::size_t>(user)];
      const std::uint64_t end = input.map().end(owner);
      const std::uint64_t begin = std::clamp(range.begin, input.map().begin(owner), end);
      return item_range{begin, std::clamp(range.end, begin, end)};
    };
    std::vector<outgoing_message> sends;
    std::vector<incoming_message> receives;
    for (int r = 0; r < ctx.size(); ++r) {
      const item_range sent = common(ctx.rank(), r);
      const item_range kept = common(r, ctx.rank());
      const T* const from = input.data() + (sent.begin - input.local_begin());
      T* const to = received_.data() + kept.begin;
      if (r == ctx.rank()) {
        copy(local, from, kept.end - kept.begin, to);
        continue;
      }
      if (sent.begin < sent.end) {
        sends.push_back(
            {r, reinterpret_cast<const std::byte*>(from), (sent.end - sent.begin) * sizeof(T)});
      }
      if (kept.begin < kept.end) {
        receives.push_back(
            {r, reinterpret_cast<std::byte*>(to), (kept.end - kept.begin) * sizeof(T)});
      }
    }
    ctx.communicator().exchange(local, sends, receives);
  }

  const T* data() const { return elements_; }

 private:
  array<T> received_;
  const T* elements_;
};

}  // namespace detail

/// A sparse matrix by rows: each rank has an equal share of entries + rows. A row may span ranks.
/// The entries of a `pattern` have no values.
template <class Value, class Index, class Offset>
struct sharded_csr {
  std::uint64_t num_columns = 0;
  sharded_segments<Offset> rows;  ///< rows are segments of entries
  sharded<Index> columns;         ///< as rows.items()
  sharded<Value> values;          ///< as rows.items()
  /// The first column of the entries of each rank, and the one after the last.
  std::vector<detail::item_range> column_ranges;

  /// The rows that begin at `row_offsets`, whose entries are in any shards.
  template <class Context>
  sharded_csr(Context& ctx, std::uint64_t columns_of_matrix, const sharded<Offset>& row_offsets,
              const sharded<Index>& entry_columns, const sharded<Value>& entry_values)
      : num_columns(columns_of_matrix),
        rows(ctx, entry_columns.size(), row_offsets),
        columns(redistribute(ctx, entry_columns, rows.items())),
        values(redistribute(ctx, entry_values, rows.items())),
        column_ranges(detail::column_ranges(ctx, columns)) {}

  /// The same without values.
  template <class Context>
    requires(is_pattern<Value>)
  sharded_csr(Context& ctx, std::uint64_t columns_of_matrix, const sharded<Offset>& row_offsets,
              const sharded<Index>& entry_columns)
      : num_columns(columns_of_matrix),
        rows(ctx, entry_columns.size(), row_offsets),
        columns(redistribute(ctx, entry_columns, rows.items())),
        column_ranges(detail::column_ranges(ctx, columns)) {}

  std::uint64_t num_rows() const { return rows.segments().size(); }
  std::uint64_t num_nonzeros() const { return columns.size(); }

  /// The rows of this rank whose products need only the elements of x that it has, where `map` has
  /// the shards of x. They are searched for those of the first call, which waits; for others, and
  /// where most elements are on other ranks, there are none.
  template <class Context>
  const detail::inner_rows<Offset>& inner_rows(Context& ctx, const shard_map& map) const {
    if (inner_map_.num_shards() == 0) {
      inner_map_ = map;
      const detail::item_range needed = column_ranges[static_cast<std::size_t>(ctx.rank())];
      const detail::item_range own{map.begin(ctx.rank()), map.end(ctx.rank())};
      if (ctx.size() > 1 && needed.end - needed.begin < 2 * (own.end - own.begin)) {
        inner_ = detail::inner_rows<Offset>(ctx, rows, columns.data(), own);
      }
    }
    static const detail::inner_rows<Offset> none;
    return map == inner_map_ ? inner_ : none;
  }

 private:
  mutable shard_map inner_map_;
  mutable detail::inner_rows<Offset> inner_;
};

/// y = A x, with sums in T: y[r] = the sum of a_rj x[j], in shards of the rows that each rank
/// closes. Has the bits of `spmv` on one context.
///
/// Each rank receives the elements of x from its first to its last column, and the partial folds of
/// rows that span ranks. Waits for both. On a GPU, rows whose columns are those of the rank's own
/// elements of x are summed meanwhile (distributed/inner_rows.hpp); the first call searches for
/// them, reading the columns once.
///
/// Errors: argument_error if x has not one element per column, or if the ranks pass different
/// arguments; communication_error if another rank fails; allocation_error.
template <class T, context Local, class Communicator, class Value, class Index, class Offset,
          class X>
sharded<T> spmv(distributed_context<Local, Communicator>& ctx,
                const sharded_csr<Value, Index, Offset>& a, const sharded<X>& x) {
  if (x.size() != a.num_columns) {
    detail::refuse_argument("spmv", "x", x.size(), "the matrix has another number of columns",
                            "pass one element of x per column");
  }
  return detail::run_on_all_ranks(ctx, "spmv", {{"a", a.num_nonzeros()}, {"x", x.size()}}, [&] {
    using multiply = detail::multiply_entry<T, detail::multiply_as<T>>;
    // The entries of the shard from one on, times elements of x.
    const auto entries = [&](const X* elements, std::uint64_t first) {
      const Index* const columns = a.columns.data() + first;
      if constexpr (is_pattern<Value>) {
        return gathered(multiply{}, elements, columns);
      } else {
        return gathered(multiply{}, elements, columns, a.values.data() + first);
      }
    };
    const auto& inner = a.inner_rows(ctx, x.map());
    if (inner.empty()) {
      const detail::needed_elements<X> all(ctx, x, a.column_ranges);
      return detail::fold_segments_of_shards(ctx, a.rows, entries(all.data(), 0), plus{}, T{0});
    }
    auto& local = ctx.local();
    sharded<T> y(ctx, a.rows.segments());
    const detail::work_beside<Local> beside(local);
    distributed_context around(beside.context(), ctx.communicator());
    const auto fold_part = [&](Local& where, int part, const X* elements) {
      const auto from = [&](std::uint64_t item) { return entries(elements, item); };
      inner.fold_part(where, part, from, plus{}, T{0}, y.data());
    };
    fold_part(local, 1, x.data() - x.local_begin());
    const detail::needed_elements<X> all(around, x, a.column_ranges);
    detail::fold_segments_into(around, a.rows, entries(all.data(), 0), plus{}, T{0}, y.data(), [&] {
      fold_part(around.local(), 0, all.data());
      fold_part(around.local(), 2, all.data());
    });
    return y;
  });
}

}  // namespace evenfold
