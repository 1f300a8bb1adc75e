#pragma once
// An input file that is open: what kind it is, and the bytes of any range of it.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// A file, or standard input if the name is -. Not movable.
///
/// Errors of all functions: input_error.
class input_file {
 public:
  /// Refuses a file that cannot be opened, and a directory.
  explicit input_file(const std::string& name)
      : name_(name),
        is_standard_(name == standard_stream),
        number_(is_standard_ ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                             : open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) fail("cannot be opened");
    try {
      status_ = status();
      if (S_ISDIR(status_.st_mode)) throw input_error(name, "this is a directory, expected a file");
    } catch (...) {
      close(number_);
      throw;
    }
  }
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file() { close(number_); }

  /// Whether the file has size() bytes, which can be read in any order. A pipe and a device are
  /// read to their end, and so is standard input, since another program may have read its
  /// beginning.
  bool is_sized() const { return S_ISREG(status_.st_mode) && status_.st_size > 0 && !is_standard_; }
  std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }

  /// Reads the bytes [begin, end) of a file that is_sized(), in chunks at the same time.
  template <class Context>
  void read_range(Context& ctx, std::size_t begin, std::size_t end, char* to) const {
    constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
    transform(ctx, (end - begin + chunk_bytes - 1) / chunk_bytes, [&](std::size_t chunk) {
      const std::size_t chunk_end = std::min(end, begin + (chunk + 1) * chunk_bytes);
      for (std::size_t at = begin + chunk * chunk_bytes; at < chunk_end;) {
        const ssize_t got =
            pread(number_, to + (at - begin), chunk_end - at, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("cannot be read");
        if (got == 0) refuse_change();
        at += static_cast<std::size_t>(got);
      }
    });
  }

  /// Reads the next bytes of a pipe or a device; returns their number, 0 at the end.
  std::size_t read_next(char* to, std::size_t most) const {
    for (;;) {
      const ssize_t got = read(number_, to, most);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail("cannot be read");
    }
  }

  /// Refuses a file that has changed since it was opened, as its size or the time of its last
  /// change shows.
  void check_unchanged() const {
    const struct stat now = status();
    if (now.st_size != status_.st_size || now.st_mtim.tv_sec != status_.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != status_.st_mtim.tv_nsec) {
      refuse_change();
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const int cause = errno;
    if (cause == ENOENT) throw input_error(name_, "the file does not exist");
    throw input_error(name_, "the file " + what + " (" + std::strerror(cause) + ")");
  }

  [[noreturn]] void refuse_change() const {
    throw input_error(
        name_, "the file changed while it was read; read it again when nothing writes to it");
  }

  struct stat status() const {
    struct stat result {};
    if (fstat(number_, &result) != 0) fail("cannot be examined");
    return result;
  }

  std::string name_;
  bool is_standard_;
  int number_;
  struct stat status_ {};
};

}  // namespace evenfold::detail
