#pragma once
// The bytes of an input file, read into memory and, if they are gzip, inflated.
//
// Idea: readers pass over a text more than once and rely on what they found before. A mapped file
// may change in between, or become shorter, which would end the process; a copy in memory does not
// change. All threads read the file at once, which takes no longer than the page faults of a
// mapping.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "evenfold/contexts.hpp"
#include "evenfold/io/text/byte_buffer.hpp"
#include "evenfold/io/text/gunzip.hpp"
#include "evenfold/io/text/input_file.hpp"

namespace evenfold {

/// The text of a file, or of standard input if the name is -, kept for the lifetime of this object.
/// A file that changes while it is read, as its size or the time of its last change shows, is
/// refused. A pipe or a device is read to its end. Gzip is recognized by its first two bytes,
/// whatever the name of the file. Move-only.
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
    const detail::input_file file(name);
    if (file.is_sized()) {
      bytes_.resize(file.size());
      file.read_range(ctx, 0, file.size(), bytes_.data());
      file.check_unchanged();
    } else {
      read_to_end(file);
    }
    if (text().starts_with(detail::gzip_magic)) bytes_ = detail::gunzip(text(), name);
  }

  /// The same, on the calling thread.
  explicit file_text(const std::string& name) : file_text(reference_context(), name) {}

  /// The bytes keep their address when the object is moved.
  std::string_view text() const { return bytes_.text(); }

 private:
  file_text(reference_context&& ctx, const std::string& name) : file_text(ctx, name) {}

  /// Reads to the end of a pipe or a device, whose size is not known.
  void read_to_end(const detail::input_file& file) {
    std::size_t filled = 0;
    for (;;) {
      if (filled == bytes_.size()) bytes_.resize(std::max<std::size_t>(1 << 16, 2 * filled));
      const std::size_t got = file.read_next(bytes_.data() + filled, bytes_.size() - filled);
      if (got == 0) break;
      filled += got;
    }
    bytes_.resize(filled);
  }

  detail::byte_buffer bytes_;
};

}  // namespace evenfold
