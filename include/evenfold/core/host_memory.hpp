#pragma once
// How much main memory is left.

#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <limits>
#include <string>

namespace evenfold {

/// Bytes of main memory that the system can still give; all that is built in where it does not say.
inline std::size_t available_host_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:") return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace evenfold
