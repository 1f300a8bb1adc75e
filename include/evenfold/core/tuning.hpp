#pragma once
// Tuning: the leading template parameter of every algorithm, `ef::reduce<my_tuning>(ctx, ...)`.

#include <type_traits>

namespace evenfold {

/// Asks for the backend's own choice, which is right unless a measurement on your data says
/// otherwise.
///
/// A tuning of your own is a structure of constants. The CPU reads `static constexpr std::size_t
/// tile`, the number of steps that are worked on as one piece; what a GPU reads is told in
/// backend/cuda/NAME.cuh. The reference backend reads nothing. Results of float operators may
/// differ in rounding between tunings, since the tile decides where a fold is cut.
struct default_tuning {};

/// `Tuning`, unless it is default_tuning: then the backend's `Default`.
template <class Tuning, class Default>
using tuning_or = std::conditional_t<std::is_same_v<Tuning, default_tuning>, Default, Tuning>;

}  // namespace evenfold
