#pragma once
// The bytes of an input file: mapped where the file is a plain one, inflated where it is gzip, read
// to the end where it is a pipe.
//
// Limits: a mapped file must not be shortened by another process while it is read (the system would
// raise SIGBUS); what is inflated or piped lies in memory whole.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/io/input_error.hpp"

namespace evenfold {

/// Inflates a gzip file of one or more members, as `gzip -d` does. `name` is for messages.
///
/// Errors: input_error where the stream is damaged, ends early, or is followed by other bytes.
inline std::string gunzip(std::string_view bytes, std::string_view name) {
  struct inflater {
    z_stream stream{};
    inflater() {
      // 16: a gzip header is expected and its checksum verified.
      if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
        throw allocation_error("gunzip: no memory");
    }
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;
    ~inflater() { inflateEnd(&stream); }
  } gz;
  z_stream& stream = gz.stream;

  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  std::string text;
  std::size_t consumed = 0;
  std::size_t produced = 0;
  for (;;) {
    if (produced == text.size()) text.resize(std::max<std::size_t>(4 * bytes.size(), 2 * produced));
    const auto given = static_cast<uInt>(std::min(most, bytes.size() - consumed));
    const auto room = static_cast<uInt>(std::min(most, text.size() - produced));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + consumed));
    stream.avail_in = given;
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + produced);
    stream.avail_out = room;
    const int status = inflate(&stream, Z_NO_FLUSH);
    consumed += given - stream.avail_in;
    produced += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      // Some writers pad the last member with zero bytes.
      const std::size_t next = bytes.find_first_not_of('\0', consumed);
      if (next == std::string_view::npos) break;
      if (next != consumed || !bytes.substr(next).starts_with("\x1f\x8b")) {
        throw input_error(name, 1, "bytes after the end of the gzip data, expected none");
      }
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw allocation_error("gunzip: no memory");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      const std::string detail = stream.msg ? stream.msg : "unknown fault";
      throw input_error(name, 1, "damaged gzip data (" + detail + "), expected a whole .gz file");
    } else if (consumed == bytes.size() && stream.avail_out != 0) {
      throw input_error(name, 1, "the gzip data ends early, expected a whole .gz file");
    }
  }
  text.resize(produced);
  return text;
}

/// The text of a file, kept for as long as this object lives. Gzip is known by its first two bytes,
/// whatever the name. Move-only.
///
/// Errors: input_error where the file cannot be opened or read, is a directory, or is damaged gzip.
class file_text {
 public:
  explicit file_text(const std::string& name) {
    const descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number < 0) fail(name, "cannot be opened");
    struct stat status {};
    if (fstat(file.number, &status) != 0) fail(name, "cannot be examined");
    if (S_ISDIR(status.st_mode)) {
      throw input_error(name, 1, "this is a directory, expected a file");
    }
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
      map(name, file.number, static_cast<std::size_t>(status.st_size));
    } else {
      read_all(name, file.number);
    }
    if (text().starts_with("\x1f\x8b")) {
      std::string inflated = gunzip(text(), name);
      unmap();
      buffer_ = std::move(inflated);
    }
  }

  file_text(file_text&& other) noexcept
      : mapped_(std::exchange(other.mapped_, nullptr)),
        size_(other.size_),
        buffer_(std::move(other.buffer_)) {}
  file_text& operator=(file_text&& other) noexcept {
    std::swap(mapped_, other.mapped_);
    std::swap(size_, other.size_);
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~file_text() { unmap(); }

  /// Moving the object may move these bytes.
  std::string_view text() const {
    return mapped_ != nullptr ? std::string_view(mapped_, size_) : std::string_view(buffer_);
  }

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

  [[noreturn]] static void fail(const std::string& name, const std::string& what) {
    const int cause = errno;
    if (cause == ENOENT) {
      throw input_error(name, 1, "the file does not exist, expected a readable file");
    }
    throw input_error(
        name, 1, "the file " + what + " (" + std::strerror(cause) + "), expected a readable file");
  }

  void map(const std::string& name, int file, std::size_t size) {
    void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) fail(name, "cannot be mapped");
    mapped_ = static_cast<const char*>(address);
    size_ = size;
    madvise(address, size, MADV_WILLNEED);
  }

  void unmap() {
    if (mapped_ != nullptr) munmap(const_cast<char*>(mapped_), size_);
    mapped_ = nullptr;
  }

  void read_all(const std::string& name, int file) {
    std::size_t filled = 0;
    for (;;) {
      if (filled == buffer_.size()) buffer_.resize(std::max<std::size_t>(1 << 16, 2 * filled));
      const ssize_t got = read(file, buffer_.data() + filled, buffer_.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(name, "cannot be read");
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    buffer_.resize(filled);
  }

  const char* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::string buffer_;
};

}  // namespace evenfold
