#pragma once
// The bytes of an input file, read into memory and, if they are gzip, inflated.
//
// Idea: readers pass over a text more than once and rely on what they found before. A mapped file
// may change in between, or become shorter, which would end the process; a copy in memory does not
// change. All threads read the file at once, which takes no longer than the page faults of a
// mapping.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/text/byte_buffer.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/gunzip.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold {

/// The text of a file, or of standard input if the name is -, kept for the lifetime of this object.
/// A file that changes while it is read,
/// as its size or the time of its last change shows, is refused. A pipe or a device is read to its
/// end. Gzip is recognized by its first two bytes, whatever the name of the file. Move-only.
///
/// Work O(bytes), span O(bytes / workers); gzip and pipes are read by one worker.
/// Memory: the bytes of the text, and, while it is inflated, those of the gzip file.
///
/// Errors: input_error if the file cannot be opened or read, is a directory, changes while it is
/// read, or is damaged gzip; allocation_error.
class file_text {
 public:
  template <context Context>
  file_text(Context& ctx, const std::string& name) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    const bool is_standard = name == standard_stream;
    const descriptor file(is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                      : open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number < 0) fail(name, "cannot be opened");
    const struct stat status = status_of(name, file.number);
    if (S_ISDIR(status.st_mode)) {
      throw input_error(name, "this is a directory, expected a file");
    }
    // Another program may have read the beginning of standard input.
    if (S_ISREG(status.st_mode) && status.st_size > 0 && !is_standard) {
      bytes_.resize(static_cast<std::size_t>(status.st_size));
      read_chunks(ctx, name, file.number);
      const struct stat now = status_of(name, file.number);
      if (now.st_size != status.st_size || now.st_mtim.tv_sec != status.st_mtim.tv_sec ||
          now.st_mtim.tv_nsec != status.st_mtim.tv_nsec) {
        refuse_change(name);
      }
    } else {
      read_to_end(name, file.number);
    }
    if (text().starts_with(detail::gzip_magic)) bytes_ = detail::gunzip(text(), name);
  }

  /// The same, on the calling thread.
  explicit file_text(const std::string& name) : file_text(reference_context(), name) {}

  /// The bytes keep their address when the object is moved.
  std::string_view text() const { return bytes_.text(); }

 private:
  struct descriptor {
    int number;
    explicit descriptor(int value) : number(value) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() {
      if (number >= 0) close(number);
    }
  };

  file_text(reference_context&& ctx, const std::string& name) : file_text(ctx, name) {}

  [[noreturn]] static void fail(const std::string& name, const std::string& what) {
    const int cause = errno;
    if (cause == ENOENT) {
      throw input_error(name, "the file does not exist");
    }
    throw input_error(name, "the file " + what + " (" + std::strerror(cause) + ")");
  }

  [[noreturn]] static void refuse_change(const std::string& name) {
    throw input_error(
        name, "the file changed while it was read; read it again when nothing writes to it");
  }

  static struct stat status_of(const std::string& name, int file) {
    struct stat status {};
    if (fstat(file, &status) != 0) fail(name, "cannot be examined");
    return status;
  }

  /// Fills the buffer, which has the size of the file, in chunks at the same time.
  template <class Context>
  void read_chunks(Context& ctx, const std::string& name, int file) {
    constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
    const std::size_t size = bytes_.size();
    char* const to = bytes_.data();
    transform(ctx, (size - 1) / chunk_bytes + 1, [&](std::size_t chunk) {
      const std::size_t end = std::min(size, (chunk + 1) * chunk_bytes);
      for (std::size_t at = chunk * chunk_bytes; at < end;) {
        const ssize_t got = pread(file, to + at, end - at, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(name, "cannot be read");
        if (got == 0) refuse_change(name);
        at += static_cast<std::size_t>(got);
      }
    });
  }

  /// Reads to the end of a pipe or a device, whose size is not known.
  void read_to_end(const std::string& name, int file) {
    std::size_t filled = 0;
    for (;;) {
      if (filled == bytes_.size()) bytes_.resize(std::max<std::size_t>(1 << 16, 2 * filled));
      const ssize_t got = read(file, bytes_.data() + filled, bytes_.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(name, "cannot be read");
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    bytes_.resize(filled);
  }

  detail::byte_buffer bytes_;
};

}  // namespace evenfold
