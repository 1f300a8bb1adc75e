#pragma once
// bfs_direction on CPU threads: the loops of the reference.

#include "evenfold/cpu/context.hpp"
#include "evenfold/reference/bfs_direction.hpp"
