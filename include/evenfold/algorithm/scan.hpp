#pragma once
// inclusive_scan, exclusive_scan, transform_scan: the folds of all prefixes of a sequence.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/reference/scan.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/scan.cuh"
#else
#include "evenfold/backend/cpu/scan.hpp"
#endif

namespace evenfold {

namespace detail {

/// The type of the values of a scan: that of the initial value, or without one that of the results.
template <class Init, class Output>
using scan_value_t = typename std::conditional_t<std::is_same_v<Init, no_init>, element<Output>,
                                                 std::type_identity<Init>>::type;

}  // namespace detail

/// out[i] = init (+) f(0) (+) ... (+) f(i), without f(i) if `Kind` is exclusive; and total[0] =
/// init (+) f(0) (+) ... (+) f(count - 1).
///
/// - `f(i)`: the i-th value, converted to T, the type of `init`, or without `init` the type of the
///   elements of `out`. It may be called more than once for one i.
/// - `out`: iterator to `count` elements. f may read the same elements, if f(i) reads only
///   element i.
/// - `op`: associative; operands keep their order.
/// - `init`: any value, not only the identity of `op`; with `no_init{}` an inclusive scan has none.
/// - `total`: one T in the context's memory, or nullptr. An empty scan writes `init` there.
///
/// Work O(count), span O(count / workers + log workers). A GPU and one CPU thread read each value
/// once, several CPU threads twice; each result is written once. Scratch on the CPU: one
/// `partial_fold` per thread; on a GPU 17 slots per 16 tiles, of 8 bytes, of 16 bytes if T has 5 to
/// 8 bytes, or of 8 bytes and a T if T is larger. A tile has 16384 values of up to 4 bytes, 8192 of
/// up to 8, 4096 of up to 16, 2048 of up to 32, 1024 of up to 64, or 512 larger ones; if `op` gives
/// the same bits in any order, 12288 values of up to 4 bytes, 48 KiB of values of up to 16, 16 KiB
/// of values of up to 32, or 512 larger ones; few values have smaller tiles. Deterministic: each
/// prefix is a fold in the canonical order (balance/fold_order.hpp). Does not wait.
///
/// Errors: argument_error for a negative count, or pointers on the wrong side; allocation_error,
/// with the outputs untouched.
///
/// Example: examples/scan.cpp.
/// Source on a GPU: Merrill and Garland, "Single-pass parallel prefix scan with decoupled
/// look-back", NVIDIA NVR-2016-002. Names elsewhere: thrust::transform_inclusive_scan,
/// cub::DeviceScan, mgpu::transform_scan.
template <scan_kind Kind, class Tuning = default_tuning, context Context, std::integral Size,
          class F, class Output, class Op, class Init>
  requires(Kind == scan_kind::inclusive || !std::same_as<Init, no_init>)
void transform_scan(Context& ctx, Size count, F f, Output out, Op op, Init init,
                    detail::scan_value_t<Init, Output>* total = nullptr) {
  using T = detail::scan_value_t<Init, Output>;
  detail::check_operator<T, Op>();
  static_assert(detail::can_be_called<T, F, Size>(),
                "transform_scan: f is called as f(i), i of the type of count, and returns what "
                "converts to the type of init, or without init to the elements of out");
  detail::check_count("transform_scan", "count", count);
  detail::check_pointer(ctx, "transform_scan", "out", out, count);
  detail::check_optional(ctx, "transform_scan", "total", total);
  backend::transform_scan<Kind, Tuning>(ctx, count, f, out, op, init, total);
}

namespace detail {

/// The common part of the scans of a sequence; `algorithm` is the name in errors.
template <scan_kind Kind, class Tuning, class T, context Context, class Input, std::integral Size,
          class Output, class Op, class Init>
void scan_sequence(Context& ctx, const char* algorithm, Input input, Size count, Output out, Op op,
                   Init init, T* total) {
  check_operator<T, Op>();
  check_count(algorithm, "count", count);
  check_pointer(ctx, algorithm, "input", input, count);
  check_pointer(ctx, algorithm, "out", out, count);
  check_optional(ctx, algorithm, "total", total);
  backend::transform_scan<Kind, Tuning>(ctx, count, element_of<T, Input>{input}, out, op, init,
                                        total);
}

}  // namespace detail

/// out[i] = input[0] (+) ... (+) input[i], in the type of the elements of `out`, without an initial
/// value. Otherwise as `transform_scan`. Names elsewhere: std::inclusive_scan,
/// thrust::inclusive_scan, cub::DeviceScan::InclusiveScan, mgpu::scan, numpy.add.accumulate,
/// numpy.cumsum.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Output, class Op>
void inclusive_scan(Context& ctx, Input input, Size count, Output out, Op op) {
  using T = element_t<Output>;
  detail::scan_sequence<scan_kind::inclusive, Tuning, T>(ctx, "inclusive_scan", input, count, out,
                                                         op, no_init{}, static_cast<T*>(nullptr));
}

/// out[i] = init (+) input[0] (+) ... (+) input[i]; total[0] = the fold of all values, unless
/// `total` is nullptr.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Output, class Op, class T>
void inclusive_scan(Context& ctx, Input input, Size count, Output out, Op op, T init,
                    std::type_identity_t<T>* total = nullptr) {
  detail::scan_sequence<scan_kind::inclusive, Tuning, T>(ctx, "inclusive_scan", input, count, out,
                                                         op, init, total);
}

/// out[i] = init (+) input[0] (+) ... (+) input[i - 1]; total[0] = the fold of all values, unless
/// `total` is nullptr. With `plus`, this turns counts into offsets. Names elsewhere:
/// std::exclusive_scan, thrust::exclusive_scan, cub::DeviceScan::ExclusiveScan, mgpu::scan.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Output, class Op, class T>
void exclusive_scan(Context& ctx, Input input, Size count, Output out, Op op, T init,
                    std::type_identity_t<T>* total = nullptr) {
  detail::scan_sequence<scan_kind::exclusive, Tuning, T>(ctx, "exclusive_scan", input, count, out,
                                                         op, init, total);
}

/// The same for ranges: `out` may be one that has room for as many elements as `input` has.
template <class Tuning = default_tuning, context Context, sized_range Input, sequence Output,
          class Op>
void inclusive_scan(Context& ctx, const Input& input, Output&& out, Op op) {
  const std::size_t count = detail::size_of(input);
  evenfold::inclusive_scan<Tuning>(ctx, detail::begin_of(input), count,
                                   detail::output_of("inclusive_scan", "out", out, count), op);
}
template <class Tuning = default_tuning, context Context, sized_range Input, sequence Output,
          class Op, class T>
void inclusive_scan(Context& ctx, const Input& input, Output&& out, Op op, T init,
                    std::type_identity_t<T>* total = nullptr) {
  const std::size_t count = detail::size_of(input);
  evenfold::inclusive_scan<Tuning>(ctx, detail::begin_of(input), count,
                                   detail::output_of("inclusive_scan", "out", out, count), op, init,
                                   total);
}
template <class Tuning = default_tuning, context Context, sized_range Input, sequence Output,
          class Op, class T>
void exclusive_scan(Context& ctx, const Input& input, Output&& out, Op op, T init,
                    std::type_identity_t<T>* total = nullptr) {
  const std::size_t count = detail::size_of(input);
  evenfold::exclusive_scan<Tuning>(ctx, detail::begin_of(input), count,
                                   detail::output_of("exclusive_scan", "out", out, count), op, init,
                                   total);
}

}  // namespace evenfold
