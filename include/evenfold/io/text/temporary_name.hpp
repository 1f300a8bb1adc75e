#pragma once
// The names of temporary files, in a table from which a signal handler can remove the files.
//
// A process that is ended by a signal or by exit() runs no destructors. A program that must not
// leave temporary files calls remove_temporary_files() in its handlers of SIGINT and SIGTERM, and
// in a function that is registered by atexit. The library itself installs no handler.

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

/// The temporary names in use. remove_temporary_files() does not know further names.
inline std::array<std::atomic<const char*>, 64> temporary_names;

/// The number of threads that are renaming files, which must not be interrupted.
inline std::atomic<int> publications{0};

}  // namespace detail

/// Removes the files with temporary names, after waiting for renames in progress. To be called when
/// the process ends: the owners of the names must not continue. Async-signal-safe.
inline void remove_temporary_files() noexcept {
  while (detail::publications > 0) poll(nullptr, 0, 1);
  for (std::atomic<const char*>& entry : detail::temporary_names) {
    if (const char* const name = entry.exchange(nullptr)) unlink(name);
  }
}

namespace detail {

/// A temporary name, or none. Not movable, since the table above has its address.
class temporary_name {
 public:
  temporary_name() = default;
  temporary_name(const temporary_name&) = delete;
  temporary_name& operator=(const temporary_name&) = delete;
  ~temporary_name() { remove(); }

  bool empty() const { return path_.empty(); }
  const char* c_str() const { return path_.c_str(); }

  /// Chooses a name in the directory, whose path ends with a slash, that no other file has.
  void choose(const std::string& directory) {
    std::uint64_t random = 0;
    // Shortly after a machine has started there may be no random bits.
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) random = getpid();
    path_ = directory + ".evenfold-" + std::to_string(random);
    for (std::atomic<const char*>& entry : temporary_names) {
      const char* unused = nullptr;
      if (entry.compare_exchange_strong(unused, path_.c_str())) {
        entry_ = &entry;
        return;
      }
    }
  }

  /// Forgets the name, but keeps the file.
  void forget() {
    if (entry_ != nullptr && entry_->exchange(nullptr) == nullptr) {
      // Another thread is in remove_temporary_files() and reads the name: the process is ending.
      while (true) pause();
    }
    entry_ = nullptr;
    path_.clear();
  }

  /// Removes the file and forgets the name.
  void remove() {
    if (empty()) return;
    unlink(c_str());
    forget();
  }

 private:
  std::string path_;
  std::atomic<const char*>* entry_ = nullptr;
};

/// While this object exists, no signal interrupts this thread, and remove_temporary_files() waits.
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
