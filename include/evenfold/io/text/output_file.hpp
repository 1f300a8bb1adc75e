#pragma once
// Output files that appear whole or not at all, alone or together with others.
//
// The text is written to an unnamed file in the directory of the target, flushed to the disk, and
// then renamed to the target, which is atomic. On a file system without unnamed files (O_TMPFILE)
// the file has a temporary name. A device or a pipe cannot be replaced; it is written directly, and
// so is standard output.
//
// A process that is killed leaves the old file or the new file, whole. It can also leave a file
// `.evenfold-NUMBER` in the directory: on a file system without unnamed files, or if it is killed
// between the steps of the renaming.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/core/error.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/gzip.hpp"
#include "evenfold/io/text/temporary_name.hpp"

namespace evenfold {

/// An output cannot be written. The target has not changed.
class output_error : public error {
 public:
  using error::error;
};

/// Receives the text of a file. The target changes when commit() is called; an object that is
/// destroyed before leaves no file. If the name ends in .gz, the file is compressed. The name - is
/// standard output. Not movable.
class output_file {
 public:
  /// A file that replaces another gets its owner, group and permissions, but no set-user-ID,
  /// set-group-ID or sticky bit, since the content is new. Another file gets the permissions that
  /// the umask allows. The target of a symbolic link is replaced, not the link.
  ///
  /// Errors: output_error if the directory does not exist or cannot be written, if the name is a
  /// symbolic link to a file that does not exist, and if this process cannot give the new file the
  /// owner and group of the old one.
  explicit output_file(const std::string& name) : name_(name) {
    if (name.ends_with(".gz")) gzip_ = std::make_unique<detail::gzip_stream>();
    if (is_standard_output()) {
      descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
      if (descriptor_ < 0) fail(std::strerror(errno));
      return;
    }
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
    // Other users must not open the new file before it has the owner of the old one.
    open_unnamed(exists ? 0600 : 0666);
    if (exists) copy_owner(old);
  }

  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  ~output_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  /// The name that was passed to the constructor.
  const std::string& name() const { return name_; }
  bool is_standard_output() const { return name_ == standard_stream; }

  /// Appends to the text. Errors: output_error, for example if the disk is full.
  void write(std::string_view text) {
    flushed_ = false;
    if (gzip_ == nullptr) return write_bytes(text);
    gzip_->add(text, [this](std::string_view bytes) { write_bytes(bytes); });
  }

  /// The path of the unfinished file, by which other processes write parts of it (write_part),
  /// while this one writes from the beginning. Empty if the file cannot be written in parts: it is
  /// compressed, a device or standard output. Errors: output_error.
  std::string shared_path() {
    if (target_.empty() || gzip_ != nullptr) return {};
    name_temporarily();
    return temporary_.c_str();
  }

  /// Flushes the text to the disk and gives the file its name. Must be called once, as the last
  /// function.
  ///
  /// Errors: output_error. The target has then not changed, unless the message says that only its
  /// directory could not be flushed.
  void commit() {
    const std::span<output_file> alone(this, 1);
    publish(alone);
  }

 private:
  friend class output_set;

  /// Gives all files of a range their names, or none: see output_set.
  template <class Files>
  static void publish(Files& files) {
    for (output_file& file : files) file.flush();
    for (output_file& file : files) file.link();
    {
      const detail::publication uninterrupted;
      try {
        for (output_file& file : files) file.replace(&file != &*std::prev(files.end()));
      } catch (...) {
        for (output_file& file : files) file.undo_replace();
        throw;
      }
      for (output_file& file : files) file.temporary_.remove();
    }
    for (output_file& file : files) file.flush_directory();
  }

  /// Finds the path of the target without symbolic links, and its directory.
  void find_target(bool exists) {
    const std::size_t slash = name_.rfind('/');
    const std::string base = slash == name_.npos ? name_ : name_.substr(slash + 1);
    if (!exists && base.empty()) fail("the name of a file is missing");
    const std::string directory = slash == name_.npos ? "." : name_.substr(0, slash + 1);
    char* const resolved = realpath(exists ? name_.c_str() : directory.c_str(), nullptr);
    if (resolved == nullptr) fail(std::strerror(errno));
    target_ = resolved;
    std::free(resolved);
    if (!exists) target_ += "/" + base;
    directory_ = target_.substr(0, target_.rfind('/') + 1);
  }

  /// Opens an unnamed file in the directory or, if this fails, a file with a temporary name.
  void open_unnamed(mode_t mode) {
    descriptor_ = open(directory_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    // The file can only get a name if this link exists.
    if (descriptor_ >= 0 && access(link_to_descriptor().c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    temporary_.choose(directory_);
    descriptor_ = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor_ >= 0) return;
    const int why = errno;
    temporary_.forget();
    fail(std::strerror(why));
  }

  std::string link_to_descriptor() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  /// Gives the new file the owner, group and permissions of the old one.
  void copy_owner(const struct stat& old) {
    struct stat own {};
    if (fstat(descriptor_, &own) != 0) fail(std::strerror(errno));
    if ((own.st_uid != old.st_uid || own.st_gid != old.st_gid) &&
        fchown(descriptor_, old.st_uid, old.st_gid) != 0) {
      fail("a new file cannot be given the owner and group of the old one: " +
           std::string(std::strerror(errno)));
    }
    // This fails on file systems without permissions, which is not an error.
    static_cast<void>(fchmod(descriptor_, old.st_mode & 0777));
  }

  void write_bytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(std::strerror(errno));
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// Flushes the text to the disk, unless that has been done.
  void flush() {
    if (flushed_) return;
    if (gzip_ != nullptr) gzip_->finish([this](std::string_view bytes) { write_bytes(bytes); });
    // Devices and pipes cannot be flushed.
    if (!target_.empty() && fsync(descriptor_) != 0) fail(std::strerror(errno));
    flushed_ = true;
  }

  /// Gives the file a temporary name if it has none.
  void name_temporarily() {
    if (!temporary_.empty()) return;
    temporary_.choose(directory_);
    if (linkat(AT_FDCWD, link_to_descriptor().c_str(), AT_FDCWD, temporary_.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
      return;
    }
    const int why = errno;
    temporary_.forget();
    fail(std::strerror(why));
  }

  /// Gives the file a temporary name if it has none, and closes it.
  void link() {
    if (!target_.empty()) name_temporarily();
    if (close(std::exchange(descriptor_, -1)) != 0) fail(std::strerror(errno));
  }

  /// Gives the file its name. If this may have to be undone, an old file gets the temporary name in
  /// exchange, provided that the file system can exchange names.
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
  void undo_replace() {
    if (replaced_) {
      renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
    } else if (created_) {
      unlink(target_.c_str());
    }
  }

  /// Flushes the directory, and with it the new name, to the disk.
  void flush_directory() {
    if (target_.empty()) return;
    const int directory = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool flushed = directory >= 0 && fsync(directory) == 0;
    const int why = errno;
    if (directory >= 0) close(directory);
    // A directory may be writable but not readable, and not every file system can flush one.
    if (flushed || why == EACCES || why == EINVAL) return;
    throw output_error(name_ + ": was written, but its directory cannot be flushed to the disk (" +
                       std::strerror(why) + "); a loss of power may undo the change");
  }

  [[noreturn]] void fail(std::string_view why) {
    // No destructor runs if the constructor throws.
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    throw output_error((is_standard_output() ? "standard output" : name_) +
                       ": cannot be written (" + std::string(why) + ")");
  }

  std::string name_;
  std::string target_, directory_;  // empty for a device
  std::unique_ptr<detail::gzip_stream> gzip_;
  detail::temporary_name temporary_;
  int descriptor_ = -1;
  bool flushed_ = false, replaced_ = false, created_ = false;
};

/// Writes a part of a file that another process has created, at an offset in bytes, and flushes it
/// to the disk. `path` is its output_file::shared_path(), `name` its name in errors.
///
/// Errors: output_error.
inline void write_part(const std::string& path, const std::string& name, std::uint64_t offset,
                       std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  bool written = file >= 0;
  while (written && !text.empty()) {
    const ssize_t bytes = pwrite(file, text.data(), text.size(), static_cast<off_t>(offset));
    if (bytes < 0 && errno == EINTR) continue;
    written = bytes >= 0;
    if (!written) break;
    offset += static_cast<std::uint64_t>(bytes);
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  written = written && fsync(file) == 0;
  const int why = errno;
  if (file >= 0) close(file);
  if (!written) {
    throw output_error(name + ": cannot be written (" + std::string(std::strerror(why)) + ")");
  }
}

/// Several files that appear together or not at all.
///
/// All files are flushed to the disk before the first one gets its name. If a later file cannot get
/// its name, the earlier ones are undone: new files are removed and replaced files restored, if the
/// file system can exchange names (ext4, XFS, Btrfs, tmpfs and others; not NFS). Output to devices
/// and pipes cannot be undone. A process that is killed between two renames leaves some of the
/// files new and some old, each of them whole.
class output_set {
 public:
  /// Adds a file. The reference stays valid.
  ///
  /// Errors: output_error as for output_file, and for a file that is in the set already.
  output_file& add(const std::string& name) {
    output_file& added = files_.emplace_back(name);
    for (const output_file& file : files_) {
      if (&file == &added || added.target_.empty() || file.target_ != added.target_) continue;
      throw output_error(name + ": is named for two outputs; name two different files");
    }
    return added;
  }

  /// Whether one of the files is standard output.
  bool has_standard_output() const {
    return std::any_of(files_.begin(), files_.end(),
                       [](const output_file& file) { return file.is_standard_output(); });
  }

  /// Flushes the text of all files to the disk. commit() does so, too, but a program that calls
  /// flush() before can report an error, or measure the time, before any file changes.
  ///
  /// Errors: output_error. No target has then changed.
  void flush() {
    for (output_file& file : files_) file.flush();
  }

  /// Gives all files their names. Must be called once, as the last function.
  ///
  /// Errors: as output_file::commit(), for all files.
  void commit() { output_file::publish(files_); }

 private:
  std::deque<output_file> files_;
};

}  // namespace evenfold
