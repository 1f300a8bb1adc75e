#pragma once
// A file that appears whole or not at all, and several files that appear together.
//
// The text goes to a file without a name in the folder of the target, is flushed to the disk and
// only then takes the target's name; that last step is atomic. Where the file system has no files
// without a name, a temporary name stands in. A device or a pipe cannot be replaced and is written
// directly.
//
// A process that is killed leaves the old file or the new one, whole. It leaves nothing else,
// except where the file system has no files without a name, or in the instant between taking a
// temporary name and the target's: then a file `.evenfold-NUMBER` stays in the folder.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/core/error.hpp"
#include "evenfold/io/text/temporary_name.hpp"

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
  /// A file that is replaced keeps its owner, its group and its permissions, but no set-user-ID,
  /// set-group-ID or sticky bit, since the bytes are new; a new file gets what the umask leaves.
  /// The file behind a symbolic link is replaced, not the link.
  ///
  /// Errors: output_error where the directory does not exist or cannot be written, where the name
  /// is a symbolic link to a file that does not exist, and where the file that is to be replaced
  /// belongs to somebody whom this process cannot give the new one.
  explicit output_file(const std::string& name) : name_(name) {
    struct stat old {};
    const bool exists = stat(name.c_str(), &old) == 0;
    if (!exists && errno != ENOENT) fail(std::strerror(errno));
    struct stat link {};
    if (!exists && lstat(name.c_str(), &link) == 0) fail("it is a link to a file that is missing");
    if (exists && S_ISDIR(old.st_mode)) fail("it is a directory");
    if (exists && !S_ISREG(old.st_mode)) {
      descriptor_ = open(name.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail(std::strerror(errno));
      return;
    }
    find_target(exists);
    if (exists && access(target_.c_str(), W_OK) != 0) fail(std::strerror(errno));
    // Until the new file has the owner of the old one, nobody else may open it.
    open_unnamed(exists ? 0600 : 0666);
    if (exists) take_over(old);
  }

  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  ~output_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  /// The name that was given.
  const std::string& name() const { return name_; }

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
  /// Errors: output_error; the target is then as it was, unless the message says that only the
  /// folder could not be brought to the disk.
  void commit() {
    const std::span<output_file> alone(this, 1);
    publish(alone);
  }

 private:
  friend class output_set;

  /// Publishes all files of a range, or none: see output_set.
  template <class Files>
  static void publish(Files& files) {
    for (output_file& file : files) file.settle();
    {
      const detail::publication uninterrupted;
      try {
        for (output_file& file : files) file.replace(&file != &*std::prev(files.end()));
      } catch (...) {
        for (output_file& file : files) file.take_back();
        throw;
      }
      for (output_file& file : files) file.temporary_.remove();
    }
    for (output_file& file : files) file.settle_folder();
  }

  /// Finds the path of the file that will appear, without links, and its folder.
  void find_target(bool exists) {
    const std::size_t slash = name_.rfind('/');
    const std::string base = slash == name_.npos ? name_ : name_.substr(slash + 1);
    if (!exists && base.empty()) fail("it names no file");
    const std::string folder = slash == name_.npos ? "." : name_.substr(0, slash + 1);
    char* const resolved = realpath(exists ? name_.c_str() : folder.c_str(), nullptr);
    if (resolved == nullptr) fail(std::strerror(errno));
    target_ = resolved;
    std::free(resolved);
    if (!exists) target_ += "/" + base;
    folder_ = target_.substr(0, target_.rfind('/') + 1);
  }

  /// Opens a file without a name in the folder or, where that does not work, a temporary one.
  void open_unnamed(mode_t mode) {
    descriptor_ = open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    // It gets its name by that link.
    if (descriptor_ >= 0 && access(link_to_descriptor().c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    temporary_.choose(folder_);
    descriptor_ = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor_ >= 0) return;
    const int why = errno;
    temporary_.forget();
    fail(std::strerror(why));
  }

  std::string link_to_descriptor() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  /// Gives the new file the owner, group and permissions of the old one.
  void take_over(const struct stat& old) {
    struct stat own {};
    if (fstat(descriptor_, &own) != 0) fail(std::strerror(errno));
    if ((own.st_uid != old.st_uid || own.st_gid != old.st_gid) &&
        fchown(descriptor_, old.st_uid, old.st_gid) != 0) {
      fail("a new file cannot get its owner and group: " + std::string(std::strerror(errno)));
    }
    // A file system without permissions is no reason to fail.
    static_cast<void>(fchmod(descriptor_, old.st_mode & 0777));
  }

  /// Brings the text to the disk, under a temporary name.
  void settle() {
    if (target_.empty()) {
      // Devices and pipes cannot be synchronised.
      if (close(std::exchange(descriptor_, -1)) != 0) fail(std::strerror(errno));
      return;
    }
    if (fsync(descriptor_) != 0) fail(std::strerror(errno));
    if (temporary_.empty()) {
      temporary_.choose(folder_);
      if (linkat(AT_FDCWD, link_to_descriptor().c_str(), AT_FDCWD, temporary_.c_str(),
                 AT_SYMLINK_FOLLOW) != 0) {
        const int why = errno;
        temporary_.forget();
        fail(std::strerror(why));
      }
    }
    if (close(std::exchange(descriptor_, -1)) != 0) fail(std::strerror(errno));
  }

  /// Gives the file its name. Where that may have to be undone, an old file gets the temporary name
  /// in exchange, as far as the file system can do that.
  void replace(bool may_be_undone) {
    if (target_.empty()) return;
    if (may_be_undone) {
      if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) ==
          0) {
        replaced_ = true;
        return;
      }
      created_ = access(target_.c_str(), F_OK) != 0;
    }
    if (rename(temporary_.c_str(), target_.c_str()) != 0) {
      created_ = false;
      fail(std::strerror(errno));
    }
    temporary_.forget();
  }

  /// Undoes replace().
  void take_back() {
    if (replaced_) {
      renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
    } else if (created_) {
      unlink(target_.c_str());
    }
  }

  /// Brings the new name to the disk.
  void settle_folder() {
    if (target_.empty()) return;
    const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool settled = folder >= 0 && fsync(folder) == 0;
    const int why = errno;
    if (folder >= 0) close(folder);
    // A folder may be writable but not readable, and not every file system can do this.
    if (settled || why == EACCES || why == EINVAL) return;
    throw output_error(name_ + ": is in place, but its folder cannot be brought to the disk (" +
                       std::strerror(why) + "), expected one that survives a loss of power");
  }

  [[noreturn]] void fail(std::string_view why) {
    // A constructor that throws has no destructor to clean up.
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    throw output_error(name_ + ": cannot be written (" + std::string(why) +
                       "), expected a file or a new name in a directory that can be written");
  }

  std::string name_;
  std::string target_, folder_;  // empty for a device
  detail::temporary_name temporary_;
  int descriptor_ = -1;
  bool replaced_ = false, created_ = false;
};

/// Files that appear all or not at all.
///
/// All of them are on the disk before the first one gets its name. Should a later one not get its
/// name, those before it give theirs back: a new file disappears and a replaced one comes back,
/// where the file system can exchange names (ext4, XFS, Btrfs, tmpfs and others; not NFS). What has
/// gone to devices and pipes cannot be undone. A process that is killed between two of the renames
/// leaves some of the files new and some old, each of them whole.
class output_set {
 public:
  /// Opens one more file. The reference stays valid.
  ///
  /// Errors: output_error as for output_file, and for a file that another of the set replaces.
  output_file& add(const std::string& name) {
    output_file& added = files_.emplace_back(name);
    for (const output_file& file : files_) {
      if (&file == &added || added.target_.empty() || file.target_ != added.target_) continue;
      throw output_error(name + ": is given for two outputs, expected two files");
    }
    return added;
  }

  /// Publishes the files. To be called once, last.
  ///
  /// Errors: as output_file::commit(), for all of them.
  void commit() { output_file::publish(files_); }

 private:
  std::deque<output_file> files_;
};

}  // namespace evenfold
