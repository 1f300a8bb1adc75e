#pragma once
// Sorts columns as keys of the first column and rows of the other columns, for sort_columns.
//
// First, the keys are sorted, and the rows move with them. Then the items that tie with a
// neighbour, which are usually few, are extracted, sorted by their rows within each tie, and
// written back. So the passes over all data compare only keys of the first column.

#include <algorithm>
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

namespace evenfold::detail {

/// An element of a row, followed by zeros where a structure of the row's elements would have
/// padding. Sorts move all bytes of a row, and nothing would ever write bytes of padding.
template <class Key, std::size_t Gap>
struct padded {
  Key value;
  unsigned char zeros[Gap] = {};
};
template <class Key>
struct padded<Key, 0> {
  Key value;
};

/// The bytes of padding after element `I` in a structure of elements of these types.
template <std::size_t I, class... Keys>
constexpr std::size_t gap_after() {
  constexpr std::size_t sizes[] = {sizeof(Keys)...};
  constexpr std::size_t alignments[] = {alignof(Keys)..., std::max({alignof(Keys)...})};
  std::size_t end = 0, gap = 0;
  for (std::size_t k = 0; k <= I; ++k) {
    end += gap + sizes[k];
    gap = (alignments[k + 1] - end % alignments[k + 1]) % alignments[k + 1];
  }
  return gap;
}

template <class Indices, class... Keys>
struct row_of;
template <std::size_t... I, class... Keys>
struct row_of<std::index_sequence<I...>, Keys...> {
  using type = tuple<padded<Keys, gap_after<I, Keys...>()>...>;
};

/// One element of each of several columns.
template <class... Keys>
using column_row = typename row_of<std::index_sequence_for<Keys...>, Keys...>::type;

/// Orders rows by their first elements, then by the next ones, as far as there are orders.
template <class... Orders>
struct lexicographic_order {
  tuple<total_order<Orders>...> orders;

  template <class Row>
  EF_HD constexpr bool operator()(const Row& a, const Row& b) const {
    return is_less<0>(a, b);
  }
  template <std::size_t Column, class Row>
  EF_HD constexpr bool is_less(const Row& a, const Row& b) const {
    const auto& less = get<Column>(orders);
    const auto& x = get<Column>(a).value;
    const auto& y = get<Column>(b).value;
    if constexpr (Column + 1 == sizeof...(Orders)) {
      return less(x, y);
    } else {
      return less(x, y) || (!less(y, x) && is_less<Column + 1>(a, b));
    }
  }
};

template <class... Orders>
lexicographic_order<Orders...> lexicographic(Orders... orders) {
  return {tuple<total_order<Orders>...>(total_order<Orders>{orders}...)};
}

/// rows[i] = the i-th elements of the columns.
template <class Row, class... Keys>
struct gather_row;
template <class... Elements, class... Keys>
struct gather_row<tuple<Elements...>, Keys...> {
  tuple<Keys...> columns;
  tuple<Elements...>* rows;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    store(i, std::index_sequence_for<Keys...>{});
  }
  template <class Size, std::size_t... I>
  EF_HD constexpr void store(Size i, std::index_sequence<I...>) const {
    rows[i] = tuple<Elements...>(Elements{values_of(get<I>(columns))[i]}...);
  }
};

/// The i-th elements of the columns = rows[i].
template <class Row, class... Keys>
struct scatter_row {
  tuple<Keys...> columns;
  const Row* rows;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    store(i, std::index_sequence_for<Keys...>{});
  }
  template <class Size, std::size_t... I>
  EF_HD constexpr void store(Size i, std::index_sequence<I...>) const {
    ((get<I>(columns)[i] = get<I>(rows[i]).value), ...);
  }
};

/// indices[i] = the last element of rows[i].
template <class Row, class Index>
struct take_index {
  const Row* rows;
  Index* indices;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    indices[i] = get<tuple_size_v<Row> - 1>(rows[i]).value;
  }
};

/// Whether a sorted key is equivalent to the previous key, or to either neighbour.
template <class Key, class Less, class Size>
struct ties {
  const Key* keys;
  total_order<Less> less;
  Size count;
  EF_HD constexpr bool with_previous(Size i) const { return i > 0 && !less(keys[i - 1], keys[i]); }
  EF_HD constexpr bool operator()(Size i) const {
    return with_previous(i) || (i + 1 < count && with_previous(i + 1));
  }
};

/// Whether equivalent keys of a column are equal, bit for bit.
template <class Less, class Key>
inline constexpr bool ties_are_equal = radix_order<Less, Key> && std::integral<Key>;

/// Extracts an item that ties, and its position, to smaller arrays. Its key is extracted only if
/// equivalent keys may differ. Whether a tie begins with the item is computed once and stored, so
/// that the ties are valid segments whatever `less` returns.
template <class Key, class Less, class Row, class Size>
struct extract_tied {
  ties<Key, Less, Size> tie;
  const Row* rows;
  Key* taken_keys;  // or nullptr
  Row* taken;
  Size* positions;
  unsigned char* begins_tie;
  EF_HD constexpr void operator()(Size to, Size from) const {
    if (taken_keys != nullptr) taken_keys[to] = tie.keys[from];
    taken[to] = rows[from];
    positions[to] = from;
    begins_tie[to] = to == 0 || !tie.with_previous(from);
  }
};

/// to[positions[k]] = taken[k].
template <class T, class Size>
struct write_back {
  const T* taken;
  const Size* positions;
  T* to;
  EF_HD constexpr void operator()(Size k) const { to[positions[k]] = taken[k]; }
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
  array<Size> positions(ctx, num_tied);
  array<unsigned char> begins_tie(ctx, num_tied);
  array<Size> offsets(ctx, num_tied);
  tied.write(extract_tied<Key, Less, Row, Size>{tie, rows, keys.data(), taken.data(),
                                                positions.data(), begins_tie.data()});
  const Size num_ties = compact_indices(
      ctx, num_tied, element_of<bool, const unsigned char*>{begins_tie.data()}, offsets.data());
  if constexpr (keys_stay) {
    segmented_sort(ctx, taken.data(), num_tied, offsets.data(), num_ties, order);
  } else {
    segmented_sort(ctx, taken.data(), keys.data(), num_tied, offsets.data(), num_ties, order);
    transform(ctx, num_tied, write_back<Key, Size>{keys.data(), positions.data(), first});
  }
  transform(ctx, num_tied, write_back<Row, Size>{taken.data(), positions.data(), rows});
}

}  // namespace evenfold::detail
