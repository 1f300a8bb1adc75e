#pragma once
// Columns sorted as one array and the rows of the others beside it, for sort_columns.
//
// The first column is sorted, and the others travel along as rows. That settles all but the items
// that tie with a neighbour; those, usually few, are taken out, sorted by the other columns within
// their ties, and put back. So a pass over all data is spent on the first column alone.

#include <concepts>
#include <cstddef>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

/// How many bytes of padding a structure of two members has.
template <class First, class Rest>
constexpr std::size_t padding_of() {
  struct both {
    First first;
    Rest rest;
  };
  return sizeof(both) - sizeof(First) - sizeof(Rest);
}

/// What a row is put together from. Sorts move all bytes of it, so zeros stand where padding would
/// be, which nobody would ever write.
template <class First, class Rest, std::size_t Gap = padding_of<First, Rest>()>
struct row_parts {
  First first;
  unsigned char zeros[Gap];
  Rest rest;
};
template <class First, class Rest>
struct row_parts<First, Rest, 0> {
  First first;
  Rest rest;
};

/// One element of several columns. Unlike a tuple it can be copied byte by byte.
template <class First, class... Rest>
struct column_row : row_parts<First, column_row<Rest...>> {};
template <class First>
struct column_row<First> {
  First first;
};

template <class First, class... Rest>
EF_HD constexpr column_row<First, Rest...> make_row(const First& first, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return {first};
  } else if constexpr (requires(const column_row<First, Rest...>& row) { row.zeros; }) {
    return {{first, {}, make_row(rest...)}};
  } else {
    return {{first, make_row(rest...)}};
  }
}

/// Orders rows by their first element, then by the next, as far as there are orders.
template <class First, class... Rest>
struct row_order {
  detail::total_order<First> first;
  row_order<Rest...> rest;
  template <class Row>
  EF_HD constexpr bool operator()(const Row& a, const Row& b) const {
    return first(a.first, b.first) || (!first(b.first, a.first) && rest(a.rest, b.rest));
  }
};
template <class First>
struct row_order<First> {
  detail::total_order<First> first;
  template <class Row>
  EF_HD constexpr bool operator()(const Row& a, const Row& b) const {
    return first(a.first, b.first);
  }
};

template <class First, class... Rest>
row_order<First, Rest...> make_row_order(First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return {{first}};
  } else {
    return {{first}, make_row_order(rest...)};
  }
}

/// rows[i] = the i-th elements of the columns.
template <class Row, class... Keys>
struct gather_row {
  tuple<Keys...> columns;
  Row* rows;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    store(i, std::index_sequence_for<Keys...>{});
  }
  template <class Size, std::size_t... I>
  EF_HD constexpr void store(Size i, std::index_sequence<I...>) const {
    rows[i] = make_row(detail::values_of(get<I>(columns))[i]...);
  }
};

/// The i-th elements of the columns = rows[i].
template <class Row, class... Keys>
struct scatter_row {
  tuple<Keys...> columns;
  const Row* rows;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    store<0>(i, rows[i]);
  }
  template <std::size_t Column, class Size, class Part>
  EF_HD constexpr void store(Size i, const Part& part) const {
    get<Column>(columns)[i] = part.first;
    if constexpr (Column + 1 < sizeof...(Keys)) store<Column + 1>(i, part.rest);
  }
};

/// indices[i] = the last element of rows[i].
template <class Row, class Index>
struct take_index {
  const Row* rows;
  Index* indices;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    indices[i] = last(rows[i]);
  }
  template <class Part>
  EF_HD static constexpr Index last(const Part& part) {
    if constexpr (requires { part.rest; }) {
      return last(part.rest);
    } else {
      return part.first;
    }
  }
};

/// Whether a sorted key is equivalent to its predecessor, or to any neighbour.
template <class Key, class Less, class Size>
struct ties {
  const Key* keys;
  detail::total_order<Less> less;
  Size count;
  EF_HD constexpr bool with_previous(Size i) const { return i > 0 && !less(keys[i - 1], keys[i]); }
  EF_HD constexpr bool operator()(Size i) const {
    return with_previous(i) || (i + 1 < count && with_previous(i + 1));
  }
};

/// Whether equivalent keys of a column cannot be told apart.
template <class Less, class Key>
inline constexpr bool ties_are_equal = detail::radix_order<Less, Key> && std::integral<Key>;

/// Takes an item that ties out to smaller arrays, and where it came from. Its key has to move with
/// it only where equivalent keys may differ. Whether a tie begins with it is asked once and noted
/// down, so that the ties are segments whatever `less` answers.
template <class Key, class Less, class Row, class Size>
struct take_out {
  ties<Key, Less, Size> tie;
  const Row* rows;
  Key* taken_keys;  // or nullptr
  Row* taken;
  Size* places;
  unsigned char* begins_tie;
  EF_HD constexpr void operator()(Size to, Size from) const {
    if (taken_keys != nullptr) taken_keys[to] = tie.keys[from];
    taken[to] = rows[from];
    places[to] = from;
    begins_tie[to] = to == 0 || !tie.with_previous(from);
  }
};

/// to[places[k]] = taken[k].
template <class T, class Size>
struct put_back {
  const T* taken;
  const Size* places;
  T* to;
  EF_HD constexpr void operator()(Size k) const { to[places[k]] = taken[k]; }
};

/// Sorts by `first`, and items with equivalent first keys by `order` of their rows.
template <context Context, class Key, class Less, class Row, class Order, std::integral Size>
void sort_first_then_rows(Context& ctx, Key* first, Less less, Row* rows, Order order, Size count) {
  constexpr bool keys_stay = ties_are_equal<Less, Key>;
  sort_by_key(ctx, first, rows, count, less);
  const ties<Key, Less, Size> tie{first, {less}, count};
  const compact_plan tied(ctx, count, tie);
  const Size num_tied = tied.num_kept();
  if (num_tied == 0) return;
  array<Key> keys(ctx, keys_stay ? Size{0} : num_tied);
  array<Row> taken(ctx, num_tied);
  array<Size> places(ctx, num_tied);
  array<unsigned char> begins_tie(ctx, num_tied);
  array<Size> offsets(ctx, num_tied);
  tied.write(take_out<Key, Less, Row, Size>{tie, rows, keys.data(), taken.data(), places.data(),
                                            begins_tie.data()});
  const Size num_ties = compact_indices(
      ctx, num_tied, element_of<bool, const unsigned char*>{begins_tie.data()}, offsets.data());
  if constexpr (keys_stay) {
    segmented_sort(ctx, taken.data(), num_tied, offsets.data(), num_ties, order);
  } else {
    segmented_sort(ctx, taken.data(), keys.data(), num_tied, offsets.data(), num_ties, order);
    transform(ctx, num_tied, put_back<Key, Size>{keys.data(), places.data(), first});
  }
  transform(ctx, num_tied, put_back<Row, Size>{taken.data(), places.data(), rows});
}

}  // namespace evenfold
