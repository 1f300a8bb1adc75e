// refused: Evenfold needs g\+\+ 12 or later
// flags: -U__GNUC__ -D__GNUC__=11
#include "evenfold/core/config.hpp"
