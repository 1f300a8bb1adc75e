#pragma once
// A file that appears whole or not at all.
//
// The text goes to a new file beside the target, is flushed to the disk and only then takes the
// target's name; that last step is atomic. A device or a pipe cannot be replaced and is written
// directly.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/core/error.hpp"

namespace evenfold {

/// An output that cannot be written. The target is as it was.
class output_error : public error {
 public:
  using error::error;
};

/// Receives the text of a file. The target changes when commit() is called; an object that dies
/// before leaves no trace. Not movable.
class output_file {
 public:
  /// Errors: output_error where the directory does not exist or cannot be written.
  explicit output_file(const std::string& name) : name_(name), target_(name) {
    struct stat status {};
    const bool exists = stat(name.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) fail("it is a directory");
    if (exists && !S_ISREG(status.st_mode)) {
      descriptor_ = open(name.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail(std::strerror(errno));
      return;
    }
    if (exists) {
      // The file behind a symbolic link is replaced, not the link.
      if (char* resolved = realpath(name.c_str(), nullptr)) {
        target_ = resolved;
        std::free(resolved);
      }
      if (access(target_.c_str(), W_OK) != 0) fail(std::strerror(errno));
    }
    temporary_ = target_ + ".XXXXXX";
    descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      temporary_.clear();
      fail(std::strerror(errno));
    }
    // mkostemp makes a private file; the target gets the mode that it had or that any new file
    // gets.
    mode_t mode = status.st_mode & 07777;
    if (!exists) {
      const mode_t mask = umask(0);
      umask(mask);
      mode = 0666 & ~mask;
    }
    // A file system without modes is no reason to fail.
    static_cast<void>(fchmod(descriptor_, mode));
  }

  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  ~output_file() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }

  /// Appends to the text. Errors: output_error, such as for a full disk.
  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(std::strerror(errno));
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// Brings the text to the disk and to its name. To be called once, last.
  ///
  /// Errors: output_error; the target is then as it was.
  void commit() {
    // Devices and pipes cannot be synchronised.
    if (!temporary_.empty() && fsync(descriptor_) != 0) fail(std::strerror(errno));
    if (close(std::exchange(descriptor_, -1)) != 0) fail(std::strerror(errno));
    if (temporary_.empty()) return;
    if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(std::strerror(errno));
    temporary_.clear();
  }

 private:
  [[noreturn]] void fail(std::string_view why) {
    // A constructor that throws has no destructor to clean up.
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    if (!temporary_.empty()) unlink(std::exchange(temporary_, {}).c_str());
    throw output_error(name_ + ": cannot be written (" + std::string(why) +
                       "), expected a file or a new name in a directory that can be written");
  }

  std::string name_;
  std::string target_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace evenfold
