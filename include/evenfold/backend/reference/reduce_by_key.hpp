#pragma once
// reduce_by_key, serially.

#include <concepts>

#include "evenfold/backend/reference/context.hpp"

namespace evenfold::backend {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T>
void reduce_by_key(reference_context&, Keys keys, Size count, F f, Equal equal, KeysOut keys_out,
                   Output out, Op op, T init, Size* num_runs) {
  Size runs = 0;
  for (Size begin = 0; begin < count; ++runs) {
    T fold = init;
    Size i = begin;
    do {
      fold = op(fold, static_cast<T>(f(i++)));
    } while (i < count && equal(keys[i - 1], keys[i]));
    keys_out[runs] = keys[begin];
    out[runs] = fold;
    begin = i;
  }
  if (num_runs != nullptr) *num_runs = runs;
}

}  // namespace evenfold::backend
