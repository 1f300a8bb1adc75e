#pragma once
// reduce_by_key, serially.

#include <concepts>

#include "evenfold/backend/reference/canonical_fold.hpp"
#include "evenfold/backend/reference/context.hpp"

namespace evenfold::backend {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T>
void reduce_by_key(reference_context&, Keys keys, Size count, F f, Equal equal, KeysOut keys_out,
                   Output out, Op op, T init, Size* num_runs) {
  Size runs = 0;
  for (Size begin = 0; begin < count; ++runs) {
    Size end = begin + 1;
    while (end < count && equal(keys[end - 1], keys[end])) ++end;
    const T fold = reference::canonical_fold(begin, end, f, op, init);
    keys_out[runs] = keys[begin];
    out[runs] = fold;
    begin = end;
  }
  if (num_runs != nullptr) *num_runs = runs;
}

}  // namespace evenfold::backend
