#pragma once
// The inner rows of a rank: those whose entries have columns of which the rank has the elements.
// Their products need nothing of other ranks, so that they are computed while those elements are
// sent that the rows around them need.
//
// The entries of inner rows are one range, as in the matrix of a mesh, where only the first and the
// last rows of a rank have columns of others. The range begins and ends at rows that begin at
// multiples of the longest block of a fold, so that each part of the rows has the brackets of the
// global sequence.

#include <cstdint>
#include <exception>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/partial_folds.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/segreduce.hpp"

namespace evenfold::detail {

/// Work beside that of a context, which follows what the context has been given before. What the
/// context is given after the end of the object's life follows that work. A context that is no GPU
/// does all of it in its own order.
template <class Context>
class work_beside {
 public:
  explicit work_beside(Context& ctx) : ctx_(ctx) {
    if constexpr (has_other) context().follow(ctx_);
  }
  work_beside(const work_beside&) = delete;
  work_beside& operator=(const work_beside&) = delete;
  ~work_beside() {
    try {
      if constexpr (has_other) ctx_.follow(context());
    } catch (const std::exception&) {
      // The next call to the context has the error.
    }
  }

  Context& context() const {
    if constexpr (has_other) {
      return ctx_.beside();
    } else {
      return ctx_;
    }
  }

 private:
  static constexpr bool has_other = requires(Context& ctx) { ctx.beside(); };

  Context& ctx_;
};

/// The number after an entry, if its column is not in `own`; else 0.
template <class Index>
struct end_of_outer_entry {
  const Index* columns;
  item_range own;

  EF_HD constexpr std::uint64_t operator()(std::uint64_t i) const {
    const auto column = static_cast<std::uint64_t>(columns[i]);
    return column >= own.begin && column < own.end ? 0 : i + 1;
  }
};

/// The number of an entry behind `skipped` ones, if its column is not in `own`; else `count`.
template <class Index>
struct begin_of_outer_entry {
  const Index* columns;
  item_range own;
  std::uint64_t skipped, count;

  EF_HD constexpr std::uint64_t operator()(std::uint64_t i) const {
    const auto column = static_cast<std::uint64_t>(columns[skipped + i]);
    return column >= own.begin && column < own.end ? count : skipped + i;
  }
};

/// Whether row s may begin a part: all its rows before `end`, or from `begin` on.
template <class Offset>
struct part_border {
  const Offset* offsets;
  std::uint64_t block;

  EF_HD constexpr bool operator()(std::uint64_t s, std::uint64_t begin, std::uint64_t end) const {
    const auto at = static_cast<std::uint64_t>(offsets[s]);
    return s > 0 && at % block == 0 && at >= begin && at <= end;
  }
};
template <class Offset>
struct first_border {
  using heavy = void;

  part_border<Offset> is_border;
  std::uint64_t begin, none;

  EF_HD constexpr std::uint64_t operator()(std::uint64_t s) const {
    return is_border(s, begin, ~std::uint64_t{0}) ? s : none;
  }
};
template <class Offset>
struct last_border {
  using heavy = void;

  part_border<Offset> is_border;
  std::uint64_t end;

  EF_HD constexpr std::uint64_t operator()(std::uint64_t s) const {
    return is_border(s, 0, end) ? s : 0;
  }
};

/// The offset of a row from the first item of its part: the rows before the inner ones, these, and
/// those behind them.
template <class Offset>
struct offset_in_part {
  const Offset* offsets;
  std::uint64_t rows[2];   ///< where the second and the third part begin
  std::uint64_t items[3];  ///< the first items of the parts

  EF_HD constexpr Offset operator()(std::uint64_t s) const {
    if (s == 0) return 0;  // it may begin on another rank
    const std::uint64_t first = s < rows[0] ? items[0] : s < rows[1] ? items[1] : items[2];
    return static_cast<Offset>(static_cast<std::uint64_t>(offsets[s]) - first);
  }
};

template <class Offset>
class inner_rows {
 public:
  /// No inner rows.
  inner_rows() = default;

  /// Those of `rows`, whose items have `columns`, where this rank has the elements `own`. Waits.
  template <class Context, class Index>
  inner_rows(Context& ctx, const sharded_segments<Offset>& rows, const Index* columns,
             item_range own) {
    auto& local = ctx.local();
    const std::uint64_t begin = rows.items().begin(ctx.rank());
    const std::uint64_t count = rows.items().end(ctx.rank()) - begin;
    const std::uint64_t closed = rows.offsets().local_size();
    if (closed < 2) return;
    const std::uint64_t middle = count / 2;
    const std::uint64_t first_item = transform_reduce(
        local, middle, end_of_outer_entry<Index>{columns, own}, maximum{}, std::uint64_t{0});
    const std::uint64_t end_item = transform_reduce(
        local, count - middle, begin_of_outer_entry<Index>{columns, own, middle, count}, minimum{},
        count);
    const part_border<Offset> is_border{rows.offsets().data(), rows.longest_block(ctx)};
    const std::uint64_t first_row =
        transform_reduce(local, closed, first_border<Offset>{is_border, begin + first_item, closed},
                         minimum{}, closed);
    const std::uint64_t end_row =
        transform_reduce(local, closed, last_border<Offset>{is_border, begin + end_item}, maximum{},
                         std::uint64_t{0});
    if (first_row >= end_row) return;
    const auto begin_of = [&](std::uint64_t row) {
      return static_cast<std::uint64_t>(to_host(local, rows.offsets().data() + row, 1)[0]);
    };
    padding_ = rows.padding(ctx);
    begin_ = begin;
    items_[0] = begin - padding_;
    items_[1] = begin_of(first_row);
    items_[2] = begin_of(end_row);
    items_[3] = rows.next_offset(ctx.rank());
    rows_[1] = first_row;
    rows_[2] = end_row;
    rows_[3] = closed;
    offsets_ = array<Offset>(local, closed);
    transform(local, closed,
              write_result{offset_in_part<Offset>{rows.offsets().data(),
                                                  {first_row, end_row},
                                                  {items_[0], items_[1], items_[2]}},
                           offsets_.data()});
    local.synchronize();
  }

  bool empty() const { return rows_[1] == rows_[2]; }

  /// Submits the folds of the rows of part 0, before the inner rows, 1, these, or 2, those behind
  /// them. from(i) is the function of the items of the shard from item i on.
  template <class Context, class From, class Op, class T>
  void fold_part(Context& ctx, int part, From from, Op op, T init, T* out) const {
    const std::uint64_t row = rows_[part];
    const std::uint64_t rows = rows_[part + 1] - row;
    const std::uint64_t items = items_[part + 1] - items_[part];
    const Offset* const offsets = offsets_.data() + row;
    if (part == 0 && padding_ > 0) {
      using items_of = padded_items<std::decay_t<decltype(from(begin_))>, T>;
      transform_segreduce(ctx, items, items_of{from(0), init, padding_}, offsets, rows, out, op,
                          init);
    } else {
      transform_segreduce(ctx, items, from(items_[part] - begin_), offsets, rows, out + row, op,
                          init);
    }
  }

 private:
  std::uint64_t begin_ = 0, padding_ = 0;  ///< the first item of the rank
  /// Where the parts begin, and where the last one ends.
  std::uint64_t rows_[4] = {}, items_[4] = {};
  array<Offset> offsets_;
};

}  // namespace evenfold::detail
