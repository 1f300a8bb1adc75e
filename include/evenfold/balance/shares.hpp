#pragma once
// Equal shares: worker w of W gets steps [share_begin(w), share_begin(w + 1)) of n. The shares
// cover [0, n) once, in order, and their sizes differ by at most one.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// The equal shares of `total` steps among `workers`: the first total % workers shares are one step
/// longer than the others. No product can overflow. The constructor divides, begin() does not.
template <std::integral Size>
struct equal_shares {
  Size each;
  Size longer;

  template <std::integral Workers>
  EF_HD constexpr equal_shares(Size total, Workers workers)
      : each(total / static_cast<Size>(workers)), longer(total % static_cast<Size>(workers)) {}

  /// The first step of a worker, 0 <= worker <= workers.
  template <std::integral Worker>
  EF_HD constexpr Size begin(Worker worker) const {
    const Size w = static_cast<Size>(worker);
    return each * w + (w < longer ? w : longer);
  }
};

/// The first step of a worker if `total` steps are shared among `workers`.
template <std::integral Size, std::integral Worker>
EF_HD constexpr Size share_begin(Size total, Worker workers, Worker worker) {
  return equal_shares<Size>(total, workers).begin(worker);
}

/// a / b rounded up, for a >= 0 and b > 0, without overflow.
template <std::integral Size, std::integral Divisor>
EF_HD constexpr Size ceil_div(Size a, Divisor b) {
  return a / static_cast<Size>(b) + (a % static_cast<Size>(b) != 0);
}

}  // namespace evenfold::detail
