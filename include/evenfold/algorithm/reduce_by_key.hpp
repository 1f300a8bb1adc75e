#pragma once
// reduce_by_key: folds the values of each run of consecutive equal keys.

#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/backend/reference/reduce_by_key.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/reduce_by_key.cuh"
#else
#include "evenfold/backend/cpu/reduce_by_key.hpp"
#endif

namespace evenfold {

/// For the r-th run of consecutive equal keys, which has the indices [b, e):
/// keys_out[r] = keys[b] and out[r] = init (+) f(b) (+) ... (+) f(e - 1); num_runs[0] = the number
/// of runs.
///
/// - `keys`: iterator to `count` keys of any trivially copyable type. Equal keys that are not
///   consecutive are in different runs; sort the keys first to have one run per key.
/// - `f(i)`: the i-th value, converted to the type T of `init`. It may be called more than once.
/// - `equal(a, b)`: whether neighbours belong to the same run, such as `equal_to{}`.
/// - `keys_out`, `out`: iterators to as many elements as there are runs, at most `count`; they
///   overlap no input.
/// - `op`: associative; operands keep their order. `init`: the first operand of every run.
/// - `num_runs`: one `Size` in the context's memory, or nullptr.
///
/// Work O(count), span O(count / workers + log workers), however long the runs are. Reads each
/// value once, each key once on a GPU (the first key of each run twice) and three times on the CPU;
/// writes each result once. Scratch on the CPU: one byte per item, one `Size` per run, and that of
/// `transform_segreduce`; on a GPU 17 slots per 16 tiles, of 16 bytes if a T has at most
/// 8 bytes and a `Size` 4, else of 8 bytes, a T and a `Size`, where an unsigned `Size` counts as 8
/// bytes. With b the larger size of a key and a T in bytes, a tile has 4096 to 16384 items for
/// b <= 4, 4096 or 8192 for b <= 8, 4096 for b <= 16, 2048 for b <= 32, 1024 for b <= 64 and 512
/// for larger ones; if `op` gives the same bits in any order, 9216 for b <= 4 and for a T of 8
/// bytes, 6144 for other b <= 8, 1536 for b <= 16 and 512 for larger ones. Deterministic: folds
/// have the canonical order (balance/fold_order.hpp). Does not wait.
///
/// Errors: argument_error for a negative count, or pointers on the wrong side; allocation_error,
/// with the outputs untouched.
///
/// Example: examples/reduce_by_key.cpp.
/// Names elsewhere: thrust::reduce_by_key, cub::DeviceReduce::ReduceByKey.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size, class F,
          class Equal, class KeysOut, class Output, class Op, class T>
void transform_reduce_by_key(Context& ctx, Keys keys, Size count, F f, Equal equal,
                             KeysOut keys_out, Output out, Op op, T init,
                             std::type_identity_t<Size>* num_runs) {
  detail::check_equal<element_t<Keys>, Equal>();
  detail::check_operator<T, Op>();
  static_assert(detail::can_be_called<T, F, Size>(),
                "transform_reduce_by_key: f is called as f(i), i of the type of count, and returns "
                "what converts to the type of init; its operator() is const");
  detail::check_count("transform_reduce_by_key", "count", count);
  detail::check_pointer(ctx, "transform_reduce_by_key", "keys", keys, count);
  detail::check_pointer(ctx, "transform_reduce_by_key", "keys_out", keys_out, count);
  detail::check_pointer(ctx, "transform_reduce_by_key", "out", out, count);
  detail::check_optional(ctx, "transform_reduce_by_key", "num_runs", num_runs);
  backend::reduce_by_key<Tuning>(ctx, detail::values_of(keys), count, f, equal, keys_out, out, op,
                                 init, num_runs);
}

/// keys_out[r] = keys[b] and out[r] = init (+) values[b] (+) ... (+) values[e - 1] for the r-th run
/// [b, e) of equal keys. Otherwise as `transform_reduce_by_key`.
template <class Tuning = default_tuning, context Context, class Keys, class Values,
          std::integral Size, class Equal, class KeysOut, class Output, class Op, class T>
void reduce_by_key(Context& ctx, Keys keys, Values values, Size count, Equal equal,
                   KeysOut keys_out, Output out, Op op, T init,
                   std::type_identity_t<Size>* num_runs) {
  detail::check_equal<element_t<Keys>, Equal>();
  detail::check_operator<T, Op>();
  detail::check_count("reduce_by_key", "count", count);
  detail::check_pointer(ctx, "reduce_by_key", "keys", keys, count);
  detail::check_pointer(ctx, "reduce_by_key", "values", values, count);
  detail::check_pointer(ctx, "reduce_by_key", "keys_out", keys_out, count);
  detail::check_pointer(ctx, "reduce_by_key", "out", out, count);
  detail::check_optional(ctx, "reduce_by_key", "num_runs", num_runs);
  backend::reduce_by_key<Tuning>(ctx, detail::values_of(keys), count, element_of<T, Values>{values},
                                 equal, keys_out, out, op, init, num_runs);
}

/// The same, with the number of runs returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Keys, class Values,
          std::integral Size, class Equal, class KeysOut, class Output, class Op, class T>
Size reduce_by_key(Context& ctx, Keys keys, Values values, Size count, Equal equal,
                   KeysOut keys_out, Output out, Op op, T init) {
  return detail::counted<Size>(ctx, [&](Size* runs) {
    evenfold::reduce_by_key<Tuning>(ctx, keys, values, count, equal, keys_out, out, op, init, runs);
  });
}

/// The same for a range of keys: the values and the outputs may be ranges, too, the outputs with
/// room for as many elements as `keys` has. The number of runs is a std::size_t.
template <class Tuning = default_tuning, context Context, sized_range Keys, class F, class Equal,
          sequence KeysOut, sequence Output, class Op, class T>
void transform_reduce_by_key(Context& ctx, const Keys& keys, F f, Equal equal, KeysOut&& keys_out,
                             Output&& out, Op op, T init, std::size_t* num_runs) {
  const char* const name = "transform_reduce_by_key";
  const std::size_t count = detail::size_of(keys);
  evenfold::transform_reduce_by_key<Tuning>(ctx, detail::begin_of(keys), count, f, equal,
                                            detail::output_of(name, "keys_out", keys_out, count),
                                            detail::output_of(name, "out", out, count), op, init,
                                            num_runs);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Values,
          class Equal, sequence KeysOut, sequence Output, class Op, class T>
void reduce_by_key(Context& ctx, const Keys& keys, Values&& values, Equal equal, KeysOut&& keys_out,
                   Output&& out, Op op, T init, std::size_t* num_runs) {
  const char* const name = "reduce_by_key";
  const std::size_t count = detail::size_of(keys);
  evenfold::reduce_by_key<Tuning>(ctx, detail::begin_of(keys),
                                  detail::input_of(name, "values", values, count, "keys"), count,
                                  equal, detail::output_of(name, "keys_out", keys_out, count),
                                  detail::output_of(name, "out", out, count), op, init, num_runs);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Values,
          class Equal, sequence KeysOut, sequence Output, class Op, class T>
std::size_t reduce_by_key(Context& ctx, const Keys& keys, Values&& values, Equal equal,
                          KeysOut&& keys_out, Output&& out, Op op, T init) {
  return detail::counted<std::size_t>(ctx, [&](std::size_t* runs) {
    evenfold::reduce_by_key<Tuning>(ctx, keys, values, equal, keys_out, out, op, init, runs);
  });
}

}  // namespace evenfold
