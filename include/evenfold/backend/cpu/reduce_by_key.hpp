#pragma once
// reduce_by_key on CPU threads: the first pass counts the runs, the second writes where each
// begins; then the runs are segments.

#include <concepts>

#include "evenfold/backend/cpu/compact.hpp"
#include "evenfold/backend/cpu/reduce.hpp"
#include "evenfold/backend/cpu/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/compact_parts.hpp"

namespace evenfold::backend {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T>
void reduce_by_key(cpu_context& ctx, Keys keys, Size count, F f, Equal equal, KeysOut keys_out,
                   Output out, Op op, T init, Size* num_runs) {
  using begins = detail::begins_run<Keys, Equal>;
  array<unsigned char> flags(ctx, count);
  const Size runs = backend::transform_reduce<default_tuning>(
      ctx, count, detail::flag_kept<begins>{{keys, equal}, flags.data()}, plus{}, Size{0});
  array<Size> offsets(ctx, runs);
  backend::compact<default_tuning>(
      ctx, count, detail::index_item{}, detail::was_kept{flags.data()},
      detail::write_run<Keys, KeysOut, Size*>{keys, keys_out, offsets.data()},
      static_cast<Size*>(nullptr));
  backend::transform_segreduce<Tuning>(ctx, detail::segment_view(count, offsets.data(), runs), f,
                                       out, op, init);
  if (num_runs != nullptr) *num_runs = runs;
}

}  // namespace evenfold::backend
