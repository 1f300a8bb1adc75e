// Scans, folds of segments and sorts on several ranks. Compiled once per backend but the reference:
// see runtime/backend.hpp.

#include <utility>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/distributed/scan.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sort.hpp"
#include "runtime/operators.hpp"
#include "runtime/ranks/on_ranks.hpp"

namespace evenfold::runtime {

template <class T>
void scan_on_ranks(state_of_engine& state, T* values, std::size_t count, fold_operator op,
                   bool exclusive) {
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const sharded<T> own = share_of<T>(ctx, values, count);
    sharded<T> out(ctx, own.map());
    if (exclusive) {
      exclusive_scan(ctx, own, out, chosen_operator{op}, identity_of_chosen<T>(op));
    } else {
      inclusive_scan(ctx, own, out, chosen_operator{op}, identity_of_chosen<T>(op));
    }
    give_back(ctx, results, out, values);
  });
}

template <class T>
void segreduce_on_ranks(state_of_engine& state, const T* values, std::size_t count,
                        const std::int64_t* offsets, std::size_t num_segments, T* folds,
                        fold_operator op) {
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const sharded_segments<std::int64_t> segments(ctx, count, share_of(ctx, offsets, num_segments));
    const sharded<T> own = redistribute(ctx, share_of(ctx, values, count), segments.items());
    const sharded<T> found =
        segreduce(ctx, own, segments, chosen_operator{op}, identity_of_chosen<T>(op));
    give_back(ctx, results, found, folds);
  });
}

void sort_indices_on_ranks(state_of_engine& state, const std::uint64_t* codes, std::size_t count,
                           std::int64_t* order) {
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    sharded<std::uint64_t> keys = share_of(ctx, codes, count);
    sharded<std::int64_t> indices(ctx, keys.map());
    iota(ctx.local(), indices.data(), indices.local_size(),
         static_cast<std::int64_t>(indices.local_begin()));
    sort_by_key(ctx, keys, indices, less{});
    give_back(ctx, results, indices, order);
  });
}

template void scan_on_ranks(state_of_engine&, std::int64_t*, std::size_t, fold_operator, bool);
template void scan_on_ranks(state_of_engine&, double*, std::size_t, fold_operator, bool);
template void segreduce_on_ranks(state_of_engine&, const std::int64_t*, std::size_t,
                                 const std::int64_t*, std::size_t, std::int64_t*, fold_operator);
template void segreduce_on_ranks(state_of_engine&, const double*, std::size_t, const std::int64_t*,
                                 std::size_t, double*, fold_operator);

}  // namespace evenfold::runtime
