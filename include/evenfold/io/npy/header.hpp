#pragma once
// The header of a .npy file: the type, the order and the shape of its elements.
//
// Format (NumPy Enhancement Proposal 1, versions 1.0, 2.0 and 3.0): the magic "\x93NUMPY", one byte
// each for the major and the minor version, the length of the rest as a little-endian integer of
// two bytes (version 1.0) or four, then a Python dict literal such as
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
// padded with blanks up to a newline. The elements follow.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "evenfold/core/element_type.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The header of a .npy file.
struct npy_header {
  /// The dtype in the file, such as "<f8".
  std::string descr;
  /// The type of the elements in memory: uint8 for bool, float for halves.
  element_type type = element_type::float64;
  /// The bytes per element in the file.
  std::size_t element_bytes = 8;
  bool big_endian = false;
  bool fortran_order = false;
  /// Empty for a scalar.
  std::vector<std::int64_t> shape;
  /// The offset of the first element in the file.
  std::size_t data_offset = 0;

  /// The number of elements. This number and the number of their bytes are below 2^63.
  std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) product *= extent;
    return product;
  }
};

/// The bytes of a .npy header of version 1.0, up to the first element. Their number is a multiple
/// of 64.
inline std::string npy_header_text(std::string_view descr, bool fortran_order,
                                   const std::vector<std::int64_t>& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) extents += std::to_string(extent) + ", ";
  if (shape.size() == 1) extents.pop_back();
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  std::string dict = "{'descr': '" + std::string(descr) +
                     "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': (" +
                     extents + "), }";
  constexpr std::size_t before = 10;
  dict.resize((before + dict.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  dict += '\n';
  const char length[] = {static_cast<char>(dict.size() & 0xFF),
                         static_cast<char>(dict.size() >> 8)};
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(length, 2) + dict;
}
inline std::string npy_header_text(element_type type, bool fortran_order,
                                   const std::vector<std::int64_t>& shape) {
  static_assert(std::endian::native == std::endian::little,
                "elements are written in little-endian order");
  constexpr std::string_view descrs[] = {"|i1", "<i2", "<i4", "<i8", "|u1",
                                         "<u2", "<u4", "<u8", "<f4", "<f8"};
  return npy_header_text(descrs[static_cast<int>(type)], fortran_order, shape);
}

/// Reads the header of a .npy file and checks all of its rules.
class npy_header_parser {
 public:
  static constexpr std::string_view magic = "\x93NUMPY";

  /// The header of the file with these first bytes. `name` is the name of the file in errors.
  ///
  /// Errors: input_error if the magic, the version, the length or the dict breaks the format, and
  /// for elements that are not numbers or have no type in element_type.
  static npy_header parse(std::string_view bytes, const std::string& name) {
    return npy_header_parser(bytes, name).parsed();
  }

 private:
  npy_header_parser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  npy_header parsed() {
    find_dict();
    npy_header header;
    bool has_descr = false, has_order = false, has_shape = false;
    const auto once = [&](bool& seen, std::string_view key) {
      if (std::exchange(seen, true)) fail("the key " + shown(key) + " occurs twice");
    };
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        once(has_descr, key);
        parse_descr(header);
      } else if (key == "fortran_order") {
        once(has_order, key);
        header.fortran_order = boolean();
      } else if (key == "shape") {
        once(has_shape, key);
        parse_shape(header.shape);
      } else {
        fail("there is a key " + shown(key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    for (const auto& [seen, key] :
         {std::pair{has_descr, "descr"}, {has_order, "fortran_order"}, {has_shape, "shape"}}) {
      if (!seen) fail("the key '" + std::string(key) + "' is missing");
    }
    skip_blanks();
    if (at_ != end_) fail("text follows the dict", "blanks up to a newline");
    check_size(header);
    header.data_offset = end_;
    return header;
  }

  /// Sets at_ and end_ to the text of the dict.
  void find_dict() {
    if (!bytes_.starts_with(magic)) {
      refuse("this is not a .npy file (it begins with " + shown(bytes_.substr(0, magic.size())) +
             "), expected the magic \"\\x93NUMPY\"");
    }
    if (bytes_.size() < 10) refuse_short();
    const auto byte = [this](std::size_t i) {
      return std::size_t{static_cast<unsigned char>(bytes_[i])};
    };
    const std::size_t major = byte(6), minor = byte(7);
    if (major < 1 || major > 3 || minor != 0) {
      refuse("this is .npy version " + std::to_string(major) + "." + std::to_string(minor) +
             ", expected 1.0, 2.0 or 3.0");
    }
    std::size_t length = byte(8) | byte(9) << 8;
    at_ = 10;
    if (major > 1) {
      if (bytes_.size() < 12) refuse_short();
      length |= byte(10) << 16 | byte(11) << 24;
      at_ = 12;
    }
    if (length > bytes_.size() - at_) refuse_short();
    end_ = at_ + length;
  }

  /// Reads the dtype, such as '<f8': byte order, kind, bytes.
  void parse_descr(npy_header& header) {
    skip_blanks();
    if (rest().starts_with('[')) refuse_elements("records (a structured dtype)");
    header.descr = quoted();
    const std::string& descr = header.descr;
    const char order = descr.size() == 3 ? descr[0] : '?';
    const char kind = descr.size() > 1 ? descr[1] : '?';
    for (const auto& [letter, meaning] : refused_kinds) {
      if (kind == letter) refuse_elements(std::string(meaning) + ", dtype " + shown(descr));
    }
    const std::string_view widths = kind == 'f' ? "248" : kind == 'b' ? "1" : "1248";
    if (std::string_view("bfiu").find(kind) == std::string_view::npos || descr.size() != 3 ||
        widths.find(descr[2]) == std::string_view::npos) {
      refuse_elements("of dtype " + shown(descr));
    }
    header.element_bytes = static_cast<std::size_t>(descr[2] - '0');
    if (order != '<' && order != '>' && !(order == '|' && header.element_bytes == 1)) {
      refuse("the dtype " + shown(descr) + " does not state the byte order, expected '<' or '>'");
    }
    header.big_endian = order == '>';
    if (kind == 'f') {
      header.type = descr[2] == '8' ? element_type::float64 : element_type::float32;
    } else {
      const auto first = kind == 'i' ? element_type::int8 : element_type::uint8;
      header.type = static_cast<element_type>(static_cast<int>(first) +
                                              std::countr_zero(header.element_bytes));
    }
  }

  /// Reads a tuple of extents: (), (3,), (3, 4). Python 2 wrote (3L, 4L).
  void parse_shape(std::vector<std::int64_t>& shape) {
    expect('(');
    bool comma = true;
    while (!accept(')')) {
      if (!comma) fail("there is no comma between two extents", "a tuple such as (3, 4)");
      std::int64_t extent = 0;
      skip_blanks();
      const char* const end = bytes_.data() + end_;
      const auto [stop, status] = std::from_chars(bytes_.data() + at_, end, extent);
      if (status != std::errc() || extent < 0) {
        fail("the shape has " + shown(rest().substr(0, 20)) + " where an extent should be",
             "an integer from 0 to 2^63 - 1");
      }
      at_ = static_cast<std::size_t>(stop - bytes_.data());
      if (at_ < end_ && bytes_[at_] == 'L') ++at_;
      shape.push_back(extent);
      comma = accept(',');
    }
    if (shape.size() == 1 && !comma) {
      fail("the shape is an integer in parentheses", "a tuple such as (3,)");
    }
  }

  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] :
         {std::pair<std::string_view, bool>("True", true), {"False", false}}) {
      if (rest().starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("there is " + shown(rest().substr(0, 20)), "True or False");
  }

  /// Reads a string literal. Neither keys nor dtypes have escapes.
  std::string_view quoted() {
    skip_blanks();
    const char quote = at_ < end_ ? bytes_[at_] : ' ';
    const std::size_t close = rest().find(quote, 1);
    if ((quote != '\'' && quote != '"') || close == std::string_view::npos) {
      fail("there is " + shown(rest().substr(0, 20)), "a string in quotes");
    }
    const std::string_view text = rest().substr(1, close - 1);
    at_ += close + 1;
    return text;
  }

  bool accept(char sign) {
    skip_blanks();
    const bool there = at_ < end_ && bytes_[at_] == sign;
    at_ += there;
    return there;
  }
  void expect(char sign) {
    if (!accept(sign)) {
      fail("there is " + shown(rest().substr(0, 20)), shown(std::string_view(&sign, 1)));
    }
  }
  void skip_blanks() {
    while (at_ < end_ && std::string_view(" \t\r\n").find(bytes_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }
  std::string_view rest() const { return bytes_.substr(at_, end_ - at_); }

  /// Refuses extents whose product overflows, even if one of them is 0.
  void check_size(const npy_header& header) const {
    auto limit =
        static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()) / header.element_bytes;
    for (const std::int64_t extent : header.shape) {
      limit /= static_cast<std::size_t>(std::max<std::int64_t>(extent, 1));
    }
    if (limit == 0) refuse("the elements have 2^63 bytes or more, expected fewer");
  }

  [[noreturn]] void fail(const std::string& what, const std::string& expected = known_dict) const {
    refuse("at byte " + std::to_string(at_) + ": " + what + ", expected " + expected);
  }
  [[noreturn]] void refuse_elements(const std::string& what) const {
    refuse("the elements are " + what +
           ", expected bool, integers of 1 to 8 bytes or floats of 2, 4 or 8; convert them, for "
           "example "
           "by array.astype('<f8')");
  }
  [[noreturn]] void refuse_short() const {
    refuse("the file ends inside of its header, expected a whole .npy file");
  }
  [[noreturn]] void refuse(const std::string& what) const { throw input_error(name_, 1, what); }

  static constexpr const char* known_dict =
      "a dict with the keys 'descr', 'fortran_order' and 'shape', each once";
  static constexpr std::pair<char, const char*> refused_kinds[] = {
      {'c', "complex"}, {'O', "Python objects"}, {'S', "bytes"},          {'a', "bytes"},
      {'U', "text"},    {'V', "raw memory"},     {'M', "points in time"}, {'m', "spans of time"}};

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace evenfold::detail
