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

/// The fold of f(row) over all rows by an operator that is associative and commutes, with the
/// identity `none`.
template <class T, class F, class Op>
T fold_rows(cpu_context& ctx, std::size_t count, const F& f, const Op& op, const T none) {
  T all = none;
  std::mutex mutex;
  ctx.parallel(count, [&](std::size_t begin, std::size_t end) {
    T share = none;
    for (std::size_t row = begin; row < end; ++row) share = op(share, f(row));
    const std::lock_guard lock(mutex);
    all = op(all, share);
  });
  return all;
}

}  // namespace evenfold::cli
