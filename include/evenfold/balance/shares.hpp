#pragma once
// Equal shares: worker w of W gets [share_begin(w), share_begin(w + 1)) of n steps. The shares
// cover [0, n) once, in order, and their sizes differ by at most one.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// First step of worker `worker` when `total` steps are shared among `workers`: the first total %
/// workers shares are one step longer. Needs no product that could overflow.
template <std::integral Size, std::integral Worker>
EF_HD constexpr Size share_begin(Size total, Worker workers, Worker worker) {
  const Size each = total / static_cast<Size>(workers);
  const Size longer = total % static_cast<Size>(workers);
  const Size w = static_cast<Size>(worker);
  return each * w + (w < longer ? w : longer);
}

/// a / b rounded up, for a >= 0 and b > 0, without overflow.
template <std::integral Size, std::integral Divisor>
EF_HD constexpr Size ceil_div(Size a, Divisor b) {
  return a / static_cast<Size>(b) + (a % static_cast<Size>(b) != 0);
}

}  // namespace evenfold
