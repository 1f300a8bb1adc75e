#pragma once
// to_csr, to_csc, to_coo, transpose: a sparse matrix in another form.

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// What becomes of the entries of a place that occurs more than once.
enum class duplicates {
  keep,   ///< all of them stay, in the order they had
  sum,    ///< one entry, their sum in that order; without values, one entry
  first,  ///< the first of them stays
  refuse  ///< argument_error
};

/// A place as one number: the row in the high bits, the column in the low ones.
struct place_packing {
  int row_bits, column_bits;

  template <class Index>
  place_packing(Index num_rows, Index num_columns)
      : row_bits(bits_below(num_rows)), column_bits(bits_below(num_columns)) {}

  /// How many bits the numbers from 0 to count - 1 take.
  template <class Index>
  static int bits_below(Index count) {
    return count < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count) - 1));
  }
  int bits() const { return row_bits + column_bits; }

  EF_HD std::uint64_t row(std::uint64_t place) const { return place >> column_bits; }
  EF_HD std::uint64_t column(std::uint64_t place) const {
    return place & ((std::uint64_t{1} << column_bits) - 1);
  }
};

/// places[k] = where entry k is; returns k if that is outside the matrix, else the largest Offset.
template <class Value, class Index, class Offset>
struct pack_places {
  coo_view<Value, Index, Offset> a;
  place_packing packing;
  std::uint64_t* places;

  EF_HD Offset operator()(Offset k) const {
    const Index row = a.rows[k];
    const Index column = a.columns[k];
    places[k] =
        static_cast<std::uint64_t>(row) << packing.column_bits | static_cast<std::uint64_t>(column);
    const bool inside = row >= 0 && row < a.num_rows && column >= 0 && column < a.num_columns;
    return inside ? std::numeric_limits<Offset>::max() : k;
  }
};

/// columns[k] = the column of place k.
template <class Index>
struct unpack_columns {
  const std::uint64_t* places;
  place_packing packing;
  Index* columns;
  template <class Offset>
  EF_HD void operator()(Offset k) const {
    columns[k] = static_cast<Index>(packing.column(places[k]));
  }
};

/// The first place of each row.
struct row_starts {
  int column_bits;
  template <class Index>
  EF_HD std::uint64_t operator[](Index row) const {
    return static_cast<std::uint64_t>(row) << column_bits;
  }
};

/// Sorted entries, the places as numbers.
template <class Value, class Offset>
struct sorted_entries {
  array<std::uint64_t> places;
  array<Value> values;
  Offset count = 0;
};

/// The -0 that changes no sum.
template <class T>
inline constexpr T neutral_of_sum = static_cast<T>(-T{});

/// One entry a place: the sum of all of its entries, or the first.
template <context Context, class Value, class Offset>
void unite_duplicates(Context& ctx, sorted_entries<Value, Offset>& entries, duplicates how) {
  using begins = begins_run<const std::uint64_t*, equal_to>;
  const std::uint64_t* places = entries.places.data();
  const compact_plan plan(ctx, entries.count, begins{places, {}});
  const Offset kept = plan.num_kept();
  if (kept == entries.count) return;
  array<Offset> offsets(ctx, kept);
  array<std::uint64_t> kept_places(ctx, kept);
  plan.write(write_run<const std::uint64_t*, std::uint64_t*, Offset*>{places, kept_places.data(),
                                                                      offsets.data()});
  if (how == duplicates::refuse) {
    refuse_argument("to_csr", "the number of entries", entries.count,
                    "there are " + std::to_string(kept) + " different places",
                    "pass duplicates::sum, first or keep");
  }
  if constexpr (!is_pattern<Value>) {
    array<Value> kept_values(ctx, kept);
    const Value* values = entries.values.data();
    if (how == duplicates::sum) {
      transform_segreduce(ctx, entries.count, element_of<Value, const Value*>{values},
                          offsets.data(), kept, kept_values.data(), plus{}, neutral_of_sum<Value>);
    } else {
      const Offset* from = offsets.data();
      Value* to = kept_values.data();
      transform(
          ctx, kept, EF_LAMBDA(Offset k) { to[k] = values[from[k]]; });
    }
    entries.values = std::move(kept_values);
  }
  entries.places = std::move(kept_places);
  entries.count = kept;
}

template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_csr(Context& ctx,
                                                      coo_view<Value, Index, Offset> a,
                                                      duplicates how = duplicates::sum) {
  using T = std::remove_const_t<Value>;
  const Offset count = a.num_nonzeros;
  const place_packing packing(a.num_rows, a.num_columns);
  sorted_entries<T, Offset> entries{array<std::uint64_t>(ctx, count),
                                    array<T>(ctx, is_pattern<T> ? Offset{0} : count), count};
  constexpr Offset none = std::numeric_limits<Offset>::max();
  const Offset outside = transform_reduce(
      ctx, count, pack_places<Value, Index, Offset>{a, packing, entries.places.data()}, minimum{},
      none);
  if (outside != none) {
    refuse_argument("to_csr", "the place of an entry", "that of entry " + std::to_string(outside),
                    "it lies outside of the matrix", "count rows and columns from 0");
  }
  if (count > 1) {
    if constexpr (is_pattern<T>) {
      backend::sort_bits(ctx, entries.places, static_cast<no_value*>(nullptr), count,
                         packing.bits());
    } else {
      copy(ctx, a.values, count, entries.values.data());
      backend::sort_bits(ctx, entries.places, entries.values.data(), count, packing.bits());
    }
  } else {
    copy(ctx, a.values, entries.values.size(), entries.values.data());
  }
  if (how != duplicates::keep) unite_duplicates(ctx, entries, how);

  csr<T, Index, Offset> result;
  result.num_rows = a.num_rows;
  result.num_columns = a.num_columns;
  result.num_nonzeros = entries.count;
  result.row_offsets = array<Offset>(ctx, static_cast<std::size_t>(a.num_rows) + 1);
  result.columns = array<Index>(ctx, entries.count);
  result.values = std::move(entries.values);
  transform(ctx, entries.count,
            unpack_columns<Index>{entries.places.data(), packing, result.columns.data()});
  search<bounds::lower>(ctx, row_starts{packing.column_bits}, result.row_offsets.size(),
                        static_cast<const std::uint64_t*>(entries.places.data()), entries.count,
                        result.row_offsets.data(), less{});
  return result;
}

/// The same entries with rows and columns exchanged. Moves nothing.
template <class Value, class Index, class Offset>
coo_view<Value, Index, Offset> transposed(coo_view<Value, Index, Offset> a) {
  return {a.num_columns, a.num_rows, a.num_nonzeros, a.columns, a.rows, a.values};
}

template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_csc(Context& ctx,
                                                      coo_view<Value, Index, Offset> a,
                                                      duplicates how = duplicates::sum) {
  return transposed(to_csr(ctx, transposed(a), how));
}

/// The entries of a matrix one by one, row after row.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> to_coo(Context& ctx,
                                                      csr_view<Value, Index, Offset> a) {
  coo<std::remove_const_t<Value>, Index, Offset> result(ctx, a.num_rows, a.num_columns,
                                                        a.num_nonzeros);
  load_balance_search(ctx, a.num_nonzeros, a.row_offsets, a.num_rows, result.rows.data());
  copy(ctx, a.columns, result.columns.size(), result.columns.data());
  copy(ctx, a.values, result.values.size(), result.values.data());
  return result;
}

/// The transposed matrix.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> transpose(Context& ctx,
                                                         csr_view<Value, Index, Offset> a) {
  array<Index> rows(ctx, a.num_nonzeros);
  load_balance_search(ctx, a.num_nonzeros, a.row_offsets, a.num_rows, rows.data());
  const coo_view<const Value, Index, Offset> entries{a.num_columns, a.num_rows,  a.num_nonzeros,
                                                     a.columns,     rows.data(), a.values};
  return to_csr(ctx, entries, duplicates::keep);
}

template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_csr(Context& ctx,
                                                      csc_view<Value, Index, Offset> a) {
  return transpose(ctx, transposed(a));
}

template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_csc(Context& ctx,
                                                      csr_view<Value, Index, Offset> a) {
  return transposed(transpose(ctx, a));
}

}  // namespace evenfold
