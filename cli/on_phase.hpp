#pragma once
// How a query tells what it is doing. Apart from output.hpp, since nvcc need not read that.

#include <functional>
#include <string>

namespace evenfold::cli {

/// Called with the name of each phase as it begins.
using on_phase = std::function<void(std::string)>;

}  // namespace evenfold::cli
