#pragma once
// Tuning: the first template parameter of algorithms, as in `ef::reduce<my_tuning>(ctx, ...)`.

#include <cstddef>
#include <type_traits>

namespace evenfold {

/// The default tuning of the backend. Use another only if it is faster in a measurement on your
/// data.
///
/// A tuning is a structure of constants. The CPU backend reads `static constexpr std::size_t tile`,
/// the number of steps per tile; backend/cuda/device/NAME.cuh documents what the CUDA backend
/// reads. The reference backend reads nothing. The tuning does not change the bits of a result.
struct default_tuning {};

namespace detail {

/// Whether a block of this many threads consists of whole warps.
constexpr bool is_block_size(std::size_t threads) {
  return threads >= 32 && threads <= 1024 && threads % 32 == 0;
}

/// Fails to compile for constants that are out of range.
template <class Tuning>
struct checked_tuning {
  using type = Tuning;

  static constexpr bool positive_tile = [] {
    if constexpr (requires { Tuning::tile; }) return Tuning::tile >= 1;
    return true;
  }();
  static constexpr bool whole_warps = [] {
    bool whole = true;
    if constexpr (requires { Tuning::threads; }) whole = is_block_size(Tuning::threads);
    if constexpr (requires { Tuning::threads_wide; }) {
      whole = whole && is_block_size(Tuning::threads_wide);
    }
    if constexpr (requires { Tuning::merge_threads; }) {
      whole = whole && is_block_size(Tuning::merge_threads);
    }
    return whole;
  }();
  static constexpr bool positive_items = [] {
    if constexpr (requires { Tuning::items; }) return Tuning::items >= 1;
    return true;
  }();
  static constexpr bool whole_groups = [] {
    if constexpr (requires { Tuning::group; })
      return Tuning::group >= 16 && Tuning::group % 16 == 0;
    return true;
  }();
  static_assert(positive_tile, "a tuning's tile is at least 1");
  static_assert(whole_warps, "a tuning's threads are a multiple of 32, from 32 to 1024");
  static_assert(positive_items, "a tuning's items are at least 1");
  static_assert(whole_groups, "a tuning's group is a multiple of 16");
};

#if defined(EVENFOLD_CPU_TILE)
/// The default of the CPU backend in builds for tests: with small tiles, small inputs have many.
struct test_tuning {
  static constexpr std::size_t tile = EVENFOLD_CPU_TILE;
};
template <class>
using backend_choice = test_tuning;
#else
template <class Default>
using backend_choice = Default;
#endif

/// `Tuning`, or the `Default` of the backend if it is default_tuning.
template <class Tuning, class Default>
using tuning_or =
    typename checked_tuning<std::conditional_t<std::is_same_v<Tuning, default_tuning>,
                                               backend_choice<Default>, Tuning>>::type;

}  // namespace detail

}  // namespace evenfold
