#pragma once
// Merges or refuses entries in the same row and column of a sparse matrix.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/equal_in_rows.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/duplicate_entry_error.hpp"

namespace evenfold::detail {

/// Whether an entry of sorted rows is the first one in its row and column.
template <class Index>
struct begins_position {
  const Index* columns;
  template <class Offset>
  EF_HD unsigned char operator()(Offset k, Index, Offset rank) const {
    return rank == 0 || columns[k - 1] != columns[k];
  }
};

/// Whether a flag is set.
struct is_flagged {
  const unsigned char* flags;
  template <class Offset>
  EF_HD bool operator()(Offset k) const {
    return flags[k] != 0;
  }
};

/// The index of an entry that is not the first one in its row and column, else the largest number.
template <class Offset>
struct duplicate_entry {
  const unsigned char* flags;
  EF_HD Offset operator()(Offset k) const { return flags[k] != 0 ? largest_number<Offset> : k; }
};

/// -0, which changes no sum, not even the sign of a zero.
template <class T>
inline constexpr T neutral_of_sum = static_cast<T>(-T{});

/// Refuses entry k of `a`, with its row and column.
template <context Context, class Value, class Index, class Offset>
[[noreturn]] void refuse_duplicate(Context& ctx, const char* function,
                                   const csr<Value, Index, Offset>& a, Offset k) {
  const std::vector<Offset> offsets = to_host(ctx, a.row_offsets);
  const auto row = std::upper_bound(offsets.begin(), offsets.end(), k) - offsets.begin() - 1;
  const Index column = to_host(ctx, a.columns.data() + k, 1)[0];
  throw duplicate_entry_error(function, row, static_cast<std::int64_t>(column));
}

/// Marks the entries of a matrix with sorted rows that are the first in their row and column.
template <context Context, class Value, class Index, class Offset>
array<unsigned char> mark_positions(Context& ctx, const csr<Value, Index, Offset>& a) {
  array<unsigned char> begins(ctx, a.num_nonzeros);
  transform_lbs(
      ctx, a.num_nonzeros,
      write_result<begins_position<Index>, unsigned char*>{{a.columns.data()}, begins.data()},
      a.row_offsets.data(), a.num_rows);
  return begins;
}

/// Leaves the marked entries of a matrix with sorted rows. fold(from, kept, values) computes the
/// `kept` values, where from[k] is the index of the k-th marked entry.
template <context Context, class Value, class Index, class Offset, class Fold>
void keep_positions(Context& ctx, csr<Value, Index, Offset>& a,
                    const compact_plan<Context, Offset>& plan, Fold fold) {
  const Offset kept = plan.num_kept();
  csr<Value, Index, Offset> merged(ctx, a.num_rows, a.num_columns, kept);
  array<Offset> from(ctx, kept);
  plan.write(write_run<const Index*, Index*, Offset*>{a.columns.data(), merged.columns.data(),
                                                      from.data()});
  sorted_search<bounds::lower>(ctx, a.row_offsets.data(), a.row_offsets.size(), from.data(), kept,
                               merged.row_offsets.data(), less{});
  fold(from.data(), kept, merged.values.data());
  a = std::move(merged);
}

/// Leaves one entry per row and column of a matrix with sorted rows, or refuses several. Waits.
template <context Context, class Value, class Index, class Offset>
void merge_duplicates(Context& ctx, const char* function, csr<Value, Index, Offset>& a,
                      duplicates how) {
  const Offset count = a.num_nonzeros;
  if (count < 2) return;
  const array<unsigned char> begins = mark_positions(ctx, a);
  const compact_plan plan(ctx, count, is_flagged{begins.data()});
  if (plan.num_kept() == count) return;
  if (how == duplicates::refuse) {
    refuse_duplicate(ctx, function, a,
                     transform_reduce(ctx, count, duplicate_entry<Offset>{begins.data()}, minimum{},
                                      largest_number<Offset>));
  }
  keep_positions(ctx, a, plan, [&](const Offset* from, Offset kept, Value* values) {
    if constexpr (!is_pattern<Value>) {
      if (how == duplicates::sum) {
        segreduce(ctx, a.values.data(), count, from, kept, values, plus{}, neutral_of_sum<Value>);
      } else {
        transform(ctx, kept, write_result{gathered_element{a.values.data(), from}, values});
      }
    }
  });
}

#if !defined(__CUDACC__)

/// The same on CPU threads, in one pass that counts and one that writes.
template <class Value, class Index, class Offset>
void merge_duplicates(cpu_context& ctx, const char* function, csr<Value, Index, Offset>& a,
                      duplicates how) {
  if (a.num_nonzeros < 2) return;
  const Index* const columns = a.columns.data();
  const equal_in_rows<Index, Offset, Index> runs(ctx, columns, a.num_nonzeros, a.row_offsets.data(),
                                                 a.num_rows);
  const auto kept = static_cast<Offset>(runs.num_runs());
  if (kept == a.num_nonzeros) return;
  if (how == duplicates::refuse) {
    refuse_duplicate(ctx, function, a, runs.first_equal());
  }
  csr<Value, Index, Offset> merged(ctx, a.num_rows, a.num_columns, kept);
  const auto* const values = std::as_const(a.values).data();
  Index* const to_columns = merged.columns.data();
  auto* const to_values = merged.values.data();
  // Implicit captures, since a pattern has no values.
  const auto emit = [=](std::size_t to, std::size_t begin, std::size_t end) {
    to_columns[to] = columns[begin];
    if constexpr (!is_pattern<Value>) {
      if (how == duplicates::sum && end - begin > 1) {
        to_values[to] = fold_run_of_values(values, begin, end, plus{}, neutral_of_sum<Value>);
      } else {
        to_values[to] = values[begin];
      }
    }
  };
  runs.write(merged.row_offsets.data(), emit);
  a = std::move(merged);
}

#endif

}  // namespace evenfold::detail
