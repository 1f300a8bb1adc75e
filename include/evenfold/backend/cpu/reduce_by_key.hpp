#pragma once
// reduce_by_key on CPU threads: a plan counts the runs, so that there can be room for where they
// begin; then they are segments.

#include <concepts>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::backend {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T>
void reduce_by_key(cpu_context& ctx, Keys keys, Size count, F f, Equal equal, KeysOut keys_out,
                   Output out, Op op, T init, Size* num_runs) {
  const compact_plan runs(ctx, count, begins_run<Keys, Equal>{keys, equal});
  array<Size> offsets(ctx, runs.num_kept());
  runs.write(write_run<Keys, KeysOut, Size*>{keys, keys_out, offsets.data()});
  evenfold::transform_segreduce<Tuning>(ctx, count, f, offsets.data(), runs.num_kept(), out, op,
                                        init);
  if (num_runs != nullptr) *num_runs = runs.num_kept();
}

}  // namespace evenfold::backend
