#pragma once
// The names of temporary files, kept where a signal handler can remove what they name.
//
// A process that is ended by a signal or by exit() runs no destructors. A program that wants no
// temporary files left over then calls remove_temporary_files() from its handler of SIGINT and
// SIGTERM, and from atexit. The library itself installs no handler.

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace evenfold {

namespace detail {

/// The temporary names in use. Those beyond its size are not known to remove_temporary_files().
inline std::array<std::atomic<const char*>, 64> temporary_names;

/// How many threads are giving files their names, which nothing should interrupt.
inline std::atomic<int> publications{0};

}  // namespace detail

/// Removes the files under all temporary names, after the last one of those files that are being
/// renamed at the moment. For a process that ends: whoever owned the names does not go on.
/// Async-signal-safe.
inline void remove_temporary_files() noexcept {
  while (detail::publications > 0) poll(nullptr, 0, 1);
  for (std::atomic<const char*>& entry : detail::temporary_names) {
    if (const char* const name = entry.exchange(nullptr)) unlink(name);
  }
}

namespace detail {

/// A temporary name, or none. Not movable: the table above has its address.
class temporary_name {
 public:
  temporary_name() = default;
  temporary_name(const temporary_name&) = delete;
  temporary_name& operator=(const temporary_name&) = delete;
  ~temporary_name() { remove(); }

  bool empty() const { return path_.empty(); }
  const char* c_str() const { return path_.c_str(); }

  /// Takes a name in the folder, whose path ends with a slash, that no other file has.
  void choose(const std::string& folder) {
    std::uint64_t random = 0;
    // Early after the start of a machine there may be no random bits.
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) random = getpid();
    path_ = folder + ".evenfold-" + std::to_string(random);
    for (std::atomic<const char*>& entry : temporary_names) {
      const char* unused = nullptr;
      if (entry.compare_exchange_strong(unused, path_.c_str())) {
        entry_ = &entry;
        return;
      }
    }
  }

  /// Forgets the name; whatever has it stays.
  void forget() {
    if (entry_ != nullptr && entry_->exchange(nullptr) == nullptr) {
      // remove_temporary_files() is reading the name on another thread: the process is ending.
      while (true) pause();
    }
    entry_ = nullptr;
    path_.clear();
  }

  /// Removes the file under the name, and forgets it.
  void remove() {
    if (empty()) return;
    unlink(c_str());
    forget();
  }

 private:
  std::string path_;
  std::atomic<const char*>* entry_ = nullptr;
};

/// While one lives, no signal interrupts this thread and remove_temporary_files() waits.
class publication {
 public:
  publication() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
    ++publications;
  }
  publication(const publication&) = delete;
  publication& operator=(const publication&) = delete;
  ~publication() {
    --publications;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

}  // namespace detail

}  // namespace evenfold
