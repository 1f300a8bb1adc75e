#pragma once
// The name of a device. Apart from device.hpp, since nvcc need not read the option parser.

namespace evenfold::cli {

/// Where the algorithm runs.
struct device {
  enum class kind { automatic, cpu, gpu, reference };
  kind on = kind::automatic;
  /// Which GPU.
  int index = 0;
};

}  // namespace evenfold::cli
