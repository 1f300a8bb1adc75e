#pragma once
// Makes ZIP archives in memory.
//
// minizip, which reads archives here, is not used to write them: if memory is exhausted, its writer
// dereferences a null pointer.

#include <zlib.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/core/error.hpp"

namespace evenfold::detail {

/// Makes a ZIP archive in memory. Equal members give equal bytes, since the archive has no time of
/// day. Sizes and offsets beyond 32 bits are written in the ZIP64 format.
///
/// Format: PKWARE's APPNOTE 6.3, sections 4.3 to 4.5.3.
/// Errors: allocation_error, std::bad_alloc; the archive must then not be used.
class zip_writer {
 public:
  /// - `compressed`: whether members are deflated instead of stored.
  /// - `largest`: the largest number that is written without ZIP64. Tests choose a smaller one.
  explicit zip_writer(bool compressed, std::uint32_t largest = 0xFFFFFFFE)
      : compressed_(compressed), largest_(largest) {}

  /// Adds a member: the concatenation of all parts.
  void add(std::string_view name, std::initializer_list<std::string_view> parts) {
    member added{.name = std::string(name), .offset = bytes_.size()};
    for (const std::string_view part : parts) {
      if (part.empty()) continue;  // zlib would start a new checksum at a null pointer
      added.size += part.size();
      added.checksum = static_cast<std::uint32_t>(
          crc32_z(added.checksum, reinterpret_cast<const Bytef*>(part.data()), part.size()));
    }
    // Deflate adds at most 5 bytes per 16 KiB, and a few bytes in all.
    added.wide = added.offset > largest_ || added.size + added.size / 1024 + 64 > largest_;

    const std::size_t header = local_header(added).size();
    bytes_.resize(bytes_.size() + header);
    if (compressed_) {
      deflate_all(parts);
    } else {
      for (const std::string_view part : parts) bytes_ += part;
    }
    added.packed = bytes_.size() - added.offset - header;
    bytes_.replace(added.offset, header, local_header(added));
    members_.push_back(std::move(added));
  }

  /// Returns the archive. Must be called once, as the last function.
  std::string finish() {
    const std::uint64_t begin = bytes_.size();
    for (const member& m : members_) append_entry(m);
    append_end(begin);
    return std::move(bytes_);
  }

 private:
  struct member {
    std::string name;
    std::uint64_t offset = 0, size = 0, packed = 0;
    std::uint32_t checksum = 0;
    bool wide = false;  // whether its numbers are in ZIP64 fields
  };

  /// The mark of a number that is in a ZIP64 field.
  static constexpr std::uint32_t elsewhere = 0xFFFFFFFF;

  static constexpr std::uint16_t version = 45;  // the version with ZIP64

  /// Appends integers, least significant byte first.
  static void append(std::string& to, std::unsigned_integral auto... numbers) {
    const auto one = [&](auto number) {
      for (std::size_t i = 0; i < sizeof number; ++i) to += static_cast<char>(number >> 8 * i);
    };
    (one(numbers), ...);
  }

  static std::uint16_t short_of(std::size_t number) { return static_cast<std::uint16_t>(number); }
  static std::uint32_t word_of(std::uint64_t number, bool wide) {
    return wide ? elsewhere : static_cast<std::uint32_t>(number);
  }

  /// Appends the part that both headers of a member have: from the version to the length of the
  /// extra field.
  void append_common(std::string& to, const member& m, std::size_t extra) const {
    constexpr std::uint16_t flags = 0, time = 0, first_of_january_1980 = 0x21;
    const std::uint16_t method = compressed_ ? Z_DEFLATED : 0;
    append(to, version, flags, method, time, first_of_january_1980, m.checksum,
           word_of(m.packed, m.wide), word_of(m.size, m.wide), short_of(m.name.size()),
           short_of(extra));
  }

  std::string local_header(const member& m) const {
    constexpr std::uint16_t zip64 = 1, length = 16;
    std::string header;
    append(header, std::uint32_t{0x04034b50});
    append_common(header, m, m.wide ? 4 + length : 0);
    header += m.name;
    if (m.wide) append(header, zip64, length, m.size, m.packed);
    return header;
  }

  /// Appends the entry of a member in the directory at the end.
  void append_entry(const member& m) {
    constexpr std::uint16_t zip64 = 1, length = 24, comment = 0, disk = 0, attributes = 0;
    append(bytes_, std::uint32_t{0x02014b50}, version);
    append_common(bytes_, m, m.wide ? 4 + length : 0);
    append(bytes_, comment, disk, attributes, std::uint32_t{attributes}, word_of(m.offset, m.wide));
    bytes_ += m.name;
    if (m.wide) append(bytes_, zip64, length, m.size, m.packed, m.offset);
  }

  /// Appends the records after the directory.
  void append_end(std::uint64_t begin) {
    constexpr std::uint32_t disk = 0, disks = 1;
    constexpr std::uint16_t no_disk = 0, comment = 0;
    const std::uint64_t end = bytes_.size(), size = end - begin, count = members_.size();
    const bool wide = end > largest_ || count >= 0xFFFF;
    if (wide) {
      constexpr std::uint64_t rest = 44;
      append(bytes_, std::uint32_t{0x06064b50}, rest, version, version, disk, disk, count, count,
             size, begin);
      append(bytes_, std::uint32_t{0x07064b50}, disk, end, disks);
    }
    const std::uint16_t short_count = short_of(std::min<std::uint64_t>(count, 0xFFFF));
    append(bytes_, std::uint32_t{0x06054b50}, no_disk, no_disk, short_count, short_count,
           word_of(size, wide), word_of(begin, wide), comment);
  }

  void deflate_all(std::initializer_list<std::string_view> parts) {
    struct deflater {
      z_stream stream{};
      deflater() {
        constexpr int no_header = -MAX_WBITS, memory_level = 8;
        if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, no_header, memory_level,
                         Z_DEFAULT_STRATEGY) != Z_OK) {
          throw allocation_error("zip_writer: there is no memory to compress an array; free some");
        }
      }
      deflater(const deflater&) = delete;
      deflater& operator=(const deflater&) = delete;
      ~deflater() { deflateEnd(&stream); }
    } gz;
    const auto run = [&](std::string_view bytes, int flush) {
      constexpr std::size_t step = std::size_t{1} << 16;
      gz.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      gz.stream.avail_in = static_cast<uInt>(bytes.size());
      do {
        const std::size_t used = bytes_.size();
        bytes_.resize(used + step);
        gz.stream.next_out = reinterpret_cast<Bytef*>(bytes_.data() + used);
        gz.stream.avail_out = step;
        deflate(&gz.stream, flush);
        bytes_.resize(used + step - gz.stream.avail_out);
      } while (gz.stream.avail_out == 0);
    };
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    for (std::string_view part : parts) {
      while (!part.empty()) {
        run(part.substr(0, most), Z_NO_FLUSH);
        part.remove_prefix(std::min(most, part.size()));
      }
    }
    run({}, Z_FINISH);
  }

  bool compressed_;
  std::uint32_t largest_;
  std::string bytes_;
  std::vector<member> members_;
};

}  // namespace evenfold::detail
