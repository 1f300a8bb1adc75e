#pragma once
// Main memory: how much is left, and in pages of which size.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace evenfold::detail {

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

/// Asks for huge pages under a block that is about to be filled. The first touch of a page is a
/// visit to the system; with pages of 4 KiB those take longer than most loops that fill the block.
inline void prefer_huge_pages(void* block, std::size_t bytes) {
  constexpr std::size_t page = 4096, several_huge_pages = std::size_t{4} << 20;
  if (bytes < several_huge_pages) return;
  const std::size_t to_a_page = (page - reinterpret_cast<std::uintptr_t>(block) % page) % page;
  // A kernel without them says no, which changes nothing.
  madvise(static_cast<char*>(block) + to_a_page, bytes - to_a_page, MADV_HUGEPAGE);
}

}  // namespace evenfold::detail
