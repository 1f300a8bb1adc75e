// refused: CPU backend needs OpenMP: compile and link with -fopenmp
// flags: -fno-openmp
#include "evenfold/evenfold.hpp"
