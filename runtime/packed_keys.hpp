#pragma once
// Several key columns packed into one number per row, for tables.cpp.
//
// The codes of the columns stand side by side in 64 bits, the first column in the highest ones.
// Where there are too few bits, codes are replaced by their ranks, which need 31 bits at most.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::runtime {

/// A column of keys whose arrays have been checked.
struct key_codes {
  const std::uint64_t* codes;
  const unsigned char* nulls;  // or nullptr
  std::uint64_t largest;
};

/// The codes of rows, and the number of bits of a code.
struct packed_codes {
  evenfold::array<std::uint64_t> codes;
  int bits;
};

enum class null_policy {
  last,        ///< of each column; they are equal to each other
  never_match  ///< a row with one among its keys gets the number `null_key`
};

inline constexpr std::uint64_t null_key = std::numeric_limits<std::uint64_t>::max();

/// The number of bits of a value.
inline int bits_of(std::uint64_t value) { return static_cast<int>(std::bit_width(value)); }

/// k -> 1 where the k-th code of the sorted order differs from the one before it, else 0.
struct differs_from_previous {
  const std::uint64_t* codes;
  const std::int32_t* order;
  EF_HD std::int32_t operator()(std::int32_t k) const {
    return k > 0 && codes[order[k - 1]] != codes[order[k]] ? 1 : 0;
  }
};

/// (high, low) -> one code: the `bits` bits of `low` below those of `high`
struct append_bits {
  int bits;
  EF_HD std::uint64_t operator()(std::uint64_t high, std::uint64_t low) const {
    return high << bits | low;
  }
};

/// The key of a row, or null_key where the row is null.
struct key_unless_null {
  EF_HD std::uint64_t operator()(std::uint64_t key, unsigned char is_null) const {
    return is_null != 0 ? null_key : key;
  }
};

/// Replaces each code by its rank, the number of distinct smaller codes, which keeps the order and
/// needs few bits.
template <context Context>
packed_codes ranked(Context& ctx, const std::uint64_t* codes, std::size_t num_codes) {
  const auto count = static_cast<std::int32_t>(num_codes);
  evenfold::array<std::int32_t> order(ctx, count);
  evenfold::array<std::int32_t> ranks(ctx, count);
  sort_indices(ctx, codes, order.data(), count, less{});
  transform_scan<scan_kind::inclusive>(ctx, count, differs_from_previous{codes, order.data()},
                                       ranks.data(), plus{}, std::int32_t{0});
  packed_codes result{evenfold::array<std::uint64_t>(ctx, count), bits_of(num_codes)};
  scatter(ctx, ranks.data(), order.data(), count, result.codes.data());
  return result;
}

/// Appends the codes `low`, of at most `bits` bits, below the codes `high`, in at most 63 bits
/// together.
template <context Context>
void append_codes(Context& ctx, packed_codes& high, const std::uint64_t* low, int bits) {
  constexpr int most_bits = 63;
  const std::size_t count = high.codes.size();
  packed_codes ranks;
  if (high.bits + bits > most_bits && bits > 31) {
    ranks = ranked(ctx, low, count);
    low = ranks.codes.data();
    bits = ranks.bits;
  }
  if (high.bits + bits > most_bits) high = ranked(ctx, high.codes.data(), count);
  std::uint64_t* const codes = high.codes.data();
  transform(ctx, count, write_result{elementwise(append_bits{bits}, codes, low), codes});
  high.bits += bits;
}

/// The flags of nulls of a column as codes, by which nulls come last.
template <context Context>
evenfold::array<std::uint64_t> null_codes(Context& ctx, const unsigned char* nulls,
                                          std::size_t count) {
  evenfold::array<std::uint64_t> codes(ctx, count);
  transform(ctx, count,
            write_result{element_of<std::uint64_t, const unsigned char*>{nulls}, codes.data()});
  return codes;
}

/// One key per row, with the order and the equality of the rows of the columns. Keys are less than
/// null_key, except those of nulls that never match.
template <context Context, class Columns>
evenfold::array<std::uint64_t> pack_keys(Context& ctx, const Columns& columns, std::size_t count,
                                         null_policy policy) {
  packed_codes all{evenfold::array<std::uint64_t>(ctx, count), 0};
  fill(ctx, all.codes.data(), count, 0);
  for (const key_codes& column : columns) {
    if (policy == null_policy::last && column.nulls != nullptr) {
      append_codes(ctx, all, null_codes(ctx, column.nulls, count).data(), 1);
    }
    append_codes(ctx, all, column.codes, bits_of(column.largest));
  }
  for (const key_codes& column : columns) {
    if (policy == null_policy::never_match && column.nulls != nullptr) {
      std::uint64_t* const keys = all.codes.data();
      transform(ctx, count, write_result{elementwise(key_unless_null{}, keys, column.nulls), keys});
    }
  }
  return std::move(all.codes);
}

}  // namespace evenfold::runtime
