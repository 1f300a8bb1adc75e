#pragma once
// Host memory: how much is available, and huge pages.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace evenfold::detail {

/// The number of bytes of main memory that are available; the size of main memory if the system
/// does not tell.
inline std::size_t available_host_bytes() {
  // Nearly every file includes this header, so that it does without <fstream>.
  std::size_t kibibytes = 0;
  if (std::FILE* const file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    bool found = false;
    while (!found && std::fgets(line, sizeof(line), file) != nullptr) {
      found = std::sscanf(line, "MemAvailable: %zu kB", &kibibytes) == 1;
    }
    std::fclose(file);
    if (found) return kibibytes * 1024;
  }
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Asks the system for huge pages for a block that is about to be filled. The first access to each
/// page is a page fault; with pages of 4 KiB the faults take longer than most loops that fill the
/// block.
inline void prefer_huge_pages(void* block, std::size_t bytes) {
  constexpr std::size_t page = 4096, several_huge_pages = std::size_t{4} << 20;
  if (bytes < several_huge_pages) return;
  const std::size_t to_a_page = (page - reinterpret_cast<std::uintptr_t>(block) % page) % page;
  // A system without huge pages returns an error, which is harmless.
  madvise(static_cast<char*>(block) + to_a_page, bytes - to_a_page, MADV_HUGEPAGE);
}

}  // namespace evenfold::detail
