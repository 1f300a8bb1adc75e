#pragma once
// Ways to cut a sequence on the host into shards, for the tests of distributed algorithms.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/core/array.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold::testing {

enum class cut {
  equal,
  on_one_rank,  ///< everything on the last rank but one
  uneven,       ///< nothing on every third rank, odd numbers elsewhere
};
inline constexpr cut cuts[] = {cut::equal, cut::on_one_rank, cut::uneven};

inline shard_map make_shards(cut kind, std::uint64_t count, int ranks) {
  if (kind == cut::equal) return shard_map::equal(count, ranks);
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(ranks));
  const auto last = static_cast<std::size_t>(std::max(0, ranks - 2));
  std::uint64_t left = count;
  if (kind == cut::uneven) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      if (r % 3 == 1 || r == last) continue;
      sizes[r] = std::min<std::uint64_t>(left, count / (2 * sizes.size()) * (r % 2 + 1) | 1);
      left -= sizes[r];
    }
  }
  sizes[last] += left;
  return shard_map::of_sizes(sizes);
}

/// The part of a sequence on the host that is the shard of this rank.
template <class Context, class T>
sharded<T> shard_of(Context& ctx, const std::vector<T>& host, const shard_map& map) {
  sharded<T> result(ctx, map);
  copy(ctx.local(), host.data() + map.begin(ctx.rank()), map.size(ctx.rank()), result.data());
  ctx.local().synchronize();
  return result;
}

/// All elements, on the host of every rank.
template <class Context, class T>
std::vector<T> gathered_on_host(Context& ctx, const sharded<T>& input) {
  return to_host(ctx.local(), gather(ctx, input));
}

/// Whether both have the same bits, also where these are NaN.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace evenfold::testing
