// Folds on several ranks. Compiled once per backend but the reference: see runtime/backend.hpp.

#include "evenfold/distributed/reduce.hpp"
#include "runtime/operators.hpp"
#include "runtime/ranks/on_ranks.hpp"

namespace evenfold::runtime {

template <class T>
T fold_on_ranks(state_of_engine& state, const T* values, std::size_t count, fold_operator op) {
  T result{};
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const sharded<T> own = share_of(ctx, values, count);
    const T folded = reduce(ctx, own, chosen_operator{op}, identity_of_chosen<T>(op));
    if (results.numbers) result = folded;
  });
  return result;
}
template std::int64_t fold_on_ranks(state_of_engine&, const std::int64_t*, std::size_t,
                                    fold_operator);
template double fold_on_ranks(state_of_engine&, const double*, std::size_t, fold_operator);

}  // namespace evenfold::runtime
