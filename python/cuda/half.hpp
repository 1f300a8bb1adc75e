#pragma once
// What the extension module calls of its CUDA half, a library of its own. The two exchange C++
// objects and exceptions: they are built together.

#include <cstddef>
#include <optional>

#include "runtime/engine.hpp"

extern "C" {

/// As runtime::num_gpus.
int evenfold_num_gpus();

/// As runtime::open_gpu, with memory of the engine; the caller owns the engine.
evenfold::runtime::engine* evenfold_open_gpu(int index, std::optional<void*> stream);
}
