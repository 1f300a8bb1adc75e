// refused: no type holds all numbers of a signed and an unsigned type of this width
#include "evenfold/core/functional.hpp"

auto smaller(long a, unsigned long b) { return evenfold::minimum{}(a, b); }
