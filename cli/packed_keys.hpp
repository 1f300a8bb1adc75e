#pragma once
// Several key columns as one number a row, for the files *_query.cpp.
//
// The codes of the columns stand side by side in 64 bits, the first column in the highest ones.
// Where there is no room, codes are replaced by their ranks, which need 31 bits at most.

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cli/key_column.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cli {

/// 0, 1, 2, ...
template <context Context>
static array<std::int32_t> row_numbers(Context& ctx, std::int32_t count) {
  array<std::int32_t> rows(ctx, count);
  std::int32_t* const row = rows.data();
  transform(
      ctx, count, EF_LAMBDA(std::int32_t i) { row[i] = i; });
  return rows;
}

/// Codes of the rows, and how many bits they take.
struct packed_codes {
  array<std::uint64_t> codes;
  int bits;
};

/// How many bits a number takes.
inline int bits_of(std::uint64_t number) { return static_cast<int>(std::bit_width(number)); }

/// The same order with as few bits as there are rows: each code becomes the number of smaller ones
/// that are different.
template <context Context>
static packed_codes ranked(Context& ctx, const array<std::uint64_t>& codes) {
  const auto count = static_cast<std::int32_t>(codes.size());
  const std::uint64_t* const code = codes.data();
  array<std::int32_t> order(ctx, count);
  array<std::int32_t> ranks(ctx, count);
  sort_indices(ctx, code, order.data(), count, less{});
  const std::int32_t* const at = order.data();
  transform_scan<scan_kind::inclusive>(
      ctx, count,
      EF_LAMBDA(std::int32_t k)->std::int32_t {
        return k > 0 && code[at[k - 1]] != code[at[k]] ? 1 : 0;
      },
      ranks.data(), plus{}, std::int32_t{0});
  packed_codes result{array<std::uint64_t>(ctx, count), bits_of(codes.size())};
  std::uint64_t* const out = result.codes.data();
  const std::int32_t* const rank = ranks.data();
  transform(
      ctx, count, EF_LAMBDA(std::int32_t k) { out[at[k]] = static_cast<std::uint64_t>(rank[k]); });
  return result;
}

/// Both side by side, in at most 63 bits; `high` decides first.
template <context Context>
static packed_codes side_by_side(Context& ctx, packed_codes high, packed_codes low) {
  constexpr int room = 63;
  if (high.bits + low.bits > room && low.bits > 31) low = ranked(ctx, low.codes);
  if (high.bits + low.bits > room) high = ranked(ctx, high.codes);
  std::uint64_t* const to = high.codes.data();
  const std::uint64_t* const from = low.codes.data();
  const int shift = low.bits;
  transform(
      ctx, high.codes.size(), EF_LAMBDA(std::size_t i) { to[i] = to[i] << shift | from[i]; });
  return {std::move(high.codes), high.bits + low.bits};
}

/// Which rows of a column are null, as codes: these come last.
template <context Context>
static packed_codes null_codes(Context& ctx, const key_column& column) {
  const array<unsigned char> nulls = to_context(ctx, column.nulls);
  packed_codes result{array<std::uint64_t>(ctx, nulls.size()), 1};
  const unsigned char* const from = nulls.data();
  std::uint64_t* const to = result.codes.data();
  transform(
      ctx, nulls.size(), EF_LAMBDA(std::size_t i) { to[i] = from[i]; });
  return result;
}

enum class null_policy {
  last,        ///< of each column; they are equal to each other
  never_match  ///< a row with one among its keys gets the number `null_key`
};

inline constexpr std::uint64_t null_key = std::numeric_limits<std::uint64_t>::max();

/// keys[i] becomes null_key where a column is null.
template <context Context>
static void mark_nulls(Context& ctx, const key_column& column, array<std::uint64_t>& keys) {
  const array<unsigned char> nulls = to_context(ctx, column.nulls);
  const unsigned char* const null = nulls.data();
  std::uint64_t* const to = keys.data();
  transform(
      ctx, keys.size(), EF_LAMBDA(std::size_t i) {
        if (null[i] != 0) to[i] = null_key;
      });
}

/// One key a row: ordered, and equal, as the rows of the columns are. Below null_key, but for nulls
/// that never match.
template <context Context>
static array<std::uint64_t> pack_keys(Context& ctx, const std::vector<key_column>& columns,
                                      null_policy policy) {
  packed_codes all{array<std::uint64_t>(ctx, columns.front().codes.size()), 0};
  std::uint64_t* const zero = all.codes.data();
  transform(
      ctx, all.codes.size(), EF_LAMBDA(std::size_t i) { zero[i] = 0; });
  for (const key_column& column : columns) {
    if (policy == null_policy::last && !column.nulls.empty()) {
      all = side_by_side(ctx, std::move(all), null_codes(ctx, column));
    }
    all =
        side_by_side(ctx, std::move(all), {to_context(ctx, column.codes), bits_of(column.largest)});
  }
  for (const key_column& column : columns) {
    if (policy == null_policy::never_match && !column.nulls.empty()) {
      mark_nulls(ctx, column, all.codes);
    }
  }
  return std::move(all.codes);
}

}  // namespace evenfold::cli
