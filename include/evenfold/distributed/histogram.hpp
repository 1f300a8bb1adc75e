#pragma once
// histogram of sharded sequences: each rank counts the items of its shard, and adds the counts of
// all ranks for an equal share of the bins.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// out[b] = the sum of element b of some tables of `bins` counts, one after the other.
template <class Count>
struct add_tables {
  const Count* tables;
  std::uint64_t num_tables, bins;
  Count* out;

  EF_HD constexpr void operator()(std::uint64_t b) const {
    Count sum{};
    for (std::uint64_t t = 0; t < num_tables; ++t) {
      sum = static_cast<Count>(sum + tables[t * bins + b]);
    }
    out[b] = sum;
  }
};

}  // namespace detail

/// The number of elements x of all ranks with f(x) == b, for every b in [0, bins): an array in the
/// memory of the local context, the same on all ranks. Otherwise as the `histogram` of counts on
/// one context.
///
/// Each rank sends and receives 2 `bins` counts, however many ranks there are. Waits.
///
/// Errors: argument_error if the ranks pass different arguments; communication_error if another
/// rank fails; allocation_error.
template <std::integral Count = std::uint64_t, context Local, class Communicator, class Element,
          std::integral Bins, class F>
array<Count> histogram(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input,
                       Bins bins, F f) {
  const std::uint64_t num_bins = detail::checked_bins("histogram", bins);
  const auto run = [&] {
    auto& local = ctx.local();
    array<Count> own(local, num_bins);
    histogram(local, input.local_size(), bins, elementwise(f, input.data()), own.data());
    if (ctx.size() == 1) return own;
    // Part r of the table goes to rank r.
    const shard_map map = shard_map::equal(num_bins, ctx.size());
    const std::uint64_t share = map.size(ctx.rank());
    const auto ranks = static_cast<std::size_t>(ctx.size());
    std::vector<std::size_t> received(ranks + 1);
    for (std::size_t r = 0; r <= ranks; ++r) received[r] = r * share * sizeof(Count);
    array<Count> tables(local, ranks * share);
    ctx.communicator().all_to_all_v(local, reinterpret_cast<const std::byte*>(own.data()),
                                    detail::bytes_of(map, sizeof(Count)),
                                    reinterpret_cast<std::byte*>(tables.data()), received);
    transform(local, share,
              detail::add_tables<Count>{tables.data(), std::uint64_t{ranks}, share, own.data()});
    return detail::gather_shards(ctx, local, own.data(), map);
  };
  return detail::run_on_all_ranks(ctx, "histogram", {{"input", input.size()}, {"bins", num_bins}},
                                  run);
}

}  // namespace evenfold
