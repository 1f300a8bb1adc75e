#pragma once
// Reads members of ZIP archives in memory, by minizip, which is a part of zlib.

#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "evenfold/core/error.hpp"
#include "evenfold/io/text/byte_buffer.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// Bytes in memory as a file for minizip.
class zip_memory {
 public:
  explicit zip_memory(std::string_view bytes) : bytes_(bytes) {}

  /// The functions that minizip calls instead of those of stdio. This object must outlive them.
  zlib_filefunc64_def functions() {
    zlib_filefunc64_def result{};
    result.opaque = this;
    result.zopen64_file = [](voidpf self, const void*, int) { return self; };
    result.zread_file = [](voidpf, voidpf self, void* to, uLong size) {
      return static_cast<zip_memory*>(self)->read(to, size);
    };
    result.ztell64_file = [](voidpf, voidpf self) {
      return ZPOS64_T{static_cast<zip_memory*>(self)->at_};
    };
    result.zseek64_file = [](voidpf, voidpf self, ZPOS64_T offset, int origin) {
      return static_cast<zip_memory*>(self)->seek(offset, origin);
    };
    result.zclose_file = [](voidpf, voidpf) { return 0; };
    result.zerror_file = [](voidpf, voidpf) { return 0; };
    return result;
  }

 private:
  uLong read(void* to, uLong size) {
    const std::size_t count = std::min<std::size_t>(size, bytes_.size() - at_);
    std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

  long seek(ZPOS64_T offset, int origin) {
    const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? at_
                                                                : bytes_.size();
    if (offset > bytes_.size() - base) return -1;
    at_ = base + offset;
    return 0;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// The first bytes of every ZIP archive with members.
inline constexpr std::string_view zip_magic = "PK\x03\x04";

/// The bytes of a stored or deflated member of a ZIP archive; std::nullopt if the archive has no
/// member with this name. `name` is the name of the archive in errors. Several members may be read
/// at the same time.
///
/// Work and memory O(bytes of the member), whatever size the directory states.
/// Errors: input_error for an archive or a member that is damaged (the checksum is verified) or
/// encrypted; allocation_error.
inline std::optional<byte_buffer> read_zip_member(std::string_view archive,
                                                  const std::string& member,
                                                  const std::string& name) {
  errno = 0;
  const auto fail = [&](const std::string& what) {
    // minizip reports exhausted memory as damage, but malloc has set errno.
    if (errno == ENOMEM)
      throw allocation_error(
          "read_zip_member: there is no memory to unpack the archive; read a smaller one");
    throw input_error(name, 1, what + ", expected a whole ZIP archive");
  };
  zip_memory memory(archive);
  zlib_filefunc64_def functions = memory.functions();
  struct closer {
    void operator()(unzFile file) const { unzClose(file); }
  };
  const std::unique_ptr<std::remove_pointer_t<unzFile>, closer> zip(
      unzOpen2_64(name.c_str(), &functions));
  if (zip == nullptr) fail("the directory at the end of the archive is damaged or missing");
  const int found = unzLocateFile(zip.get(), member.c_str(), 1);
  if (found == UNZ_END_OF_LIST_OF_FILE) return std::nullopt;
  unz_file_info64 info{};
  if (found != UNZ_OK ||
      unzGetCurrentFileInfo64(zip.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
    fail("the directory of the archive is damaged");
  }
  constexpr int encrypted = 1;
  if ((info.flag & encrypted) != 0) {
    throw input_error(
        name, 1, "the member " + shown(member) + " is encrypted, expected one without a password");
  }
  // A deflated byte inflates to at most 1032 bytes.
  if (info.compressed_size > archive.size() ||
      info.uncompressed_size > 1032 * info.compressed_size + 64) {
    fail("the member " + shown(member) + " has an impossible size");
  }
  if (unzOpenCurrentFile(zip.get()) != UNZ_OK) {
    fail("the member " + shown(member) + " is damaged, or not compressed by deflate");
  }
  const std::size_t size = info.uncompressed_size;
  byte_buffer bytes;
  std::size_t filled = 0;
  int got = 1;
  while (filled < size && got > 0) {
    if (filled == bytes.size()) {
      bytes.resize(std::min(size, std::max<std::size_t>(4 * info.compressed_size, 2 * filled)));
    }
    const std::size_t space = std::min<std::size_t>(bytes.size() - filled, 1 << 30);
    got = unzReadCurrentFile(zip.get(), bytes.data() + filled, static_cast<unsigned>(space));
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  if (unzCloseCurrentFile(zip.get()) != UNZ_OK || filled != size) {
    fail("the member " + shown(member) + " is damaged");
  }
  return bytes;
}

}  // namespace evenfold::detail
