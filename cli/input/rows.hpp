#pragma once
// Loops over the rows of tables on CPU threads.

#include <cstddef>
#include <mutex>

#include "evenfold/contexts.hpp"

namespace evenfold::cli {

/// Calls f(row) for each row, on all threads.
template <class F>
void for_each_row(cpu_context& ctx, std::size_t count, const F& f) {
  ctx.parallel(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) f(row);
  });
}

/// f(f(f(none, 0), 1), 2) ... over all rows, in parts that are joined by an operator with the
/// identity `none`, which is associative and commutes.
template <class T, class F, class Op>
T fold_shares(cpu_context& ctx, std::size_t count, const F& f, const Op& op, const T none) {
  T all = none;
  std::mutex mutex;
  ctx.parallel(count, [&](std::size_t begin, std::size_t end) {
    T share = none;
    for (std::size_t row = begin; row < end; ++row) share = f(share, row);
    const std::lock_guard lock(mutex);
    all = op(all, share);
  });
  return all;
}

/// The fold of f(row) over all rows by an operator that is associative and commutes, with the
/// identity `none`.
template <class T, class F, class Op>
T fold_rows(cpu_context& ctx, std::size_t count, const F& f, const Op& op, const T none) {
  return fold_shares(
      ctx, count, [&](const T& share, std::size_t row) { return op(share, f(row)); }, op, none);
}

}  // namespace evenfold::cli
