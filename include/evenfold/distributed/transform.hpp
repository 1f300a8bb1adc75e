#pragma once
// transform of sharded sequences. Nothing is sent.

#include <cstdint>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// A function of global indices as one of local indices.
template <class F>
struct at_global_index {
  F f;
  std::uint64_t begin;

  EF_HD constexpr decltype(auto) operator()(std::uint64_t i) const { return f(begin + i); }
};

}  // namespace detail

/// out[i] = f(i) for every global index i, a std::uint64_t. Otherwise as `transform` on one
/// context; no data are sent.
///
/// Example: examples/distributed.cpp.
template <context Local, class Communicator, class T, class F>
void transform(distributed_context<Local, Communicator>& ctx, sharded<T>& out, F f) {
  detail::run_on_all_ranks(ctx, "transform", {{"out", out.size()}}, [&] {
    transform(ctx.local(), out.local_size(),
              write_result{detail::at_global_index<F>{f, out.local_begin()}, out.data()});
  });
}

/// out[i] = f(input[i]) for every global index i. `out` has the shards of `input`, and may be
/// `input` itself.
///
/// Errors: argument_error if the shards differ.
template <context Local, class Communicator, class T, class Result, class F>
void transform(distributed_context<Local, Communicator>& ctx, const sharded<T>& input,
               sharded<Result>& out, F f) {
  if (input.map() != out.map()) {
    detail::refuse_argument("transform", "out", out.size(), "its shards are not those of input",
                            "create it with input.map()");
  }
  detail::run_on_all_ranks(ctx, "transform", {{"input", input.size()}}, [&] {
    transform(ctx.local(), input.data(), input.local_size(), out.data(), f);
  });
}

}  // namespace evenfold
