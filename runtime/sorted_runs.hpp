#pragma once
// The runs of equal keys among sorted ones, on CPU threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::runtime {

/// Whether another run begins at position i > 0, where NaN are one key. It has no branch: a
/// processor does not foresee which keys are equal.
template <class T>
bool begins_run_at(const T* keys, std::int64_t i) {
  const T before = keys[i - 1], key = keys[i];
  return !(static_cast<int>(before == key) |
           (static_cast<int>(before != before) & static_cast<int>(key != key)));
}

/// The first position of each run; nothing if all keys are different.
template <class Context, class T>
evenfold::array<std::int64_t> begins_of_repeated(Context& ctx, const T* keys, std::int64_t count) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, std::size_t{1} << 14);
  // The number of runs that begin before each share, and in all.
  std::vector<std::int64_t> before(shares + 1);
  const auto first_of = [=](std::size_t share) {
    const auto begin = static_cast<std::int64_t>(detail::share_begin(items, shares, share));
    return std::max(begin, std::int64_t{1});
  };
  const auto for_each_share = [&](const auto& f) {
    ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) f(s);
    });
  };
  for_each_share([&](std::size_t s) {
    std::int64_t runs = s == 0 ? 1 : 0;
    for (std::int64_t i = first_of(s); i < first_of(s + 1); ++i) runs += begins_run_at(keys, i);
    before[s + 1] = runs;
  });
  for (std::size_t s = 0; s < shares; ++s) before[s + 1] += before[s];
  if (before[shares] == count) return {};
  evenfold::array<std::int64_t> begins(ctx, before[shares]);
  for_each_share([&](std::size_t s) {
    std::int64_t to = before[s];
    if (s == 0) begins[static_cast<std::size_t>(to++)] = 0;
    // Each position is written, and stays where a run begins.
    for (std::int64_t i = first_of(s); to < before[s + 1]; ++i) {
      begins[static_cast<std::size_t>(to)] = i;
      to += begins_run_at(keys, i);
    }
  });
  return begins;
}

}  // namespace evenfold::runtime
