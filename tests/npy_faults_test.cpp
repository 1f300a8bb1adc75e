// backends: host
// Faulty .npy files are refused with the reason.

#include "evenfold/io/npy/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/npy_bytes.hpp"

namespace evenfold::testing {
namespace {

using namespace std::string_literals;

void expect_refused(const std::string& bytes, const std::string& what) {
  SCOPED_TRACE(what);
  try {
    npy_file::read_bytes(bytes, "f.npy");
    ADD_FAILURE() << "accepted";
  } catch (const input_error& fault) {
    EXPECT_EQ(std::string(fault.what()), "f.npy:1: " + what);
  }
}

const std::string no_number =
    ", expected bool, integers of 1 to 8 bytes or floats of 2, 4 or 8; convert them, for example "
    "by "
    "array.astype('<f8')";
const std::string keys =
    ", expected a dict with the keys 'descr', 'fortran_order' and 'shape', each once";

TEST(npy_faults, broken_beginnings) {
  const std::string short_header = "the file ends inside of its header, expected a whole .npy file";
  expect_refused("",
                 "this is not a .npy file (it begins with ''), expected the magic \"\\x93NUMPY\"");
  expect_refused("PK\x03\x04 an archive",
                 "this is not a .npy file (it begins with 'PK\\x03\\x04 a'), expected the magic "
                 "\"\\x93NUMPY\"");
  expect_refused("\x93NUMPY", short_header);
  expect_refused("\x93NUMPY\x01\x00\x10"s, short_header);
  expect_refused("\x93NUMPY\x02\x00\x10\x00\x00"s, short_header);
  expect_refused("\x93NUMPY\x01\x00\x10\x00{'descr': "s, short_header);
  expect_refused("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}"s, short_header);
  for (const auto& [bytes, version] :
       {std::pair{"\0\0"s, "0.0"}, {"\4\0"s, "4.0"}, {"\1\1"s, "1.1"}, {"\xFF\0"s, "255.0"}}) {
    expect_refused("\x93NUMPY" + bytes + "\x02\x00{}"s,
                   "this is .npy version "s + version + ", expected 1.0, 2.0 or 3.0");
  }
}

TEST(npy_faults, broken_dicts) {
  const auto refused = [](const std::string& dict, int byte, const std::string& what) {
    SCOPED_TRACE(dict);
    expect_refused(npy(dict), "at byte " + std::to_string(byte) + ": " + what);
  };
  refused("", 10, "there is '', expected '{'");
  refused("('descr',)", 10, "there is '('descr',)', expected '{'");
  refused("{descr", 11, "there is 'descr', expected a string in quotes");
  refused("{'descr", 11, "there is ''descr', expected a string in quotes");
  refused("{'descr'", 18, "there is '', expected ':'");
  refused("{'descr': 8}", 20, "there is '8}', expected a string in quotes");
  refused("{'order': 'C'}", 19, "there is a key 'order'" + keys);
  refused("{'descr': '<f8', 'descr': '<f8'}", 35, "the key 'descr' occurs twice" + keys);
  refused("{'fortran_order': 0}", 28, "there is '0}', expected True or False");
  refused("{'fortran_order': True 1}", 33, "there is '1}', expected '}'");
  refused("{'fortran_order': True,, }", 33, "there is ', }', expected a string in quotes");
  refused("{'shape': 3}", 20, "there is '3}', expected '('");
  refused("{'shape': [3, 4]}", 20, "there is '[3, 4]}', expected '('");
  refused("{'shape': (3)}", 23,
          "the shape is an integer in parentheses, expected a tuple such as (3,)");
  refused("{'shape': (3 4)}", 23,
          "there is no comma between two extents, expected a tuple such as (3, 4)");
  for (const char* extents :
       {",)}", "-1,)}", "x)}", "0x10,)}x", "1.5,)}", "1e3,)}", "9223372036854775808,)}"}) {
    SCOPED_TRACE(extents);
    EXPECT_THROW(npy_file::read_bytes(npy("{'shape': ("s + extents), "f"), input_error);
  }
  refused(
      "{'shape': (-1,)}", 21,
      "the shape has '-1,)}' where an extent should be, expected an integer from 0 to 2^63 - 1");
  refused("{'shape': (3,,)}", 23,
          "the shape has ',)}' where an extent should be, expected an integer from 0 to 2^63 - 1");
  refused("{}", 12, "the key 'descr' is missing" + keys);
  refused("{'descr': '<f8', 'shape': ()}", 39, "the key 'fortran_order' is missing" + keys);
  refused("{'descr': '<f8', 'fortran_order': True}", 49, "the key 'shape' is missing" + keys);
  refused("{'shape': (), 'descr': '<f8', 'fortran_order': True} x", 63,
          "text follows the dict, expected blanks up to a newline");
}

TEST(npy_faults, elements_that_are_no_numbers) {
  for (const auto& [descr, what] : {std::pair{"<c8", "complex"},
                                    {"<c16", "complex"},
                                    {"|O", "Python objects"},
                                    {"|S5", "bytes"},
                                    {"<U12", "text"},
                                    {"|V16", "raw memory"},
                                    {"<M8[ns]", "points in time"},
                                    {"<m8[us]", "spans of time"}}) {
    expect_refused(npy(dict_of(descr, "()")),
                   "the elements are "s + what + ", dtype '" + descr + "'" + no_number);
  }
  expect_refused(
      npy("{'descr': [('x', '<f8'), ('y', '<f8')], 'fortran_order': False, 'shape': ()}"),
      "the elements are records (a structured dtype)" + no_number);
  for (const char* descr :
       {"<f16", "<f1", "<i3", "<u16", "|b2", "<x8", "f8", "", "<", "<f", "<f8 "}) {
    expect_refused(npy(dict_of(descr, "()")),
                   "the elements are of dtype '"s + descr + "'" + no_number);
  }
  for (const char* descr : {"|f8", "=i4", "|u2", "=i1", " f8"}) {
    expect_refused(npy(dict_of(descr, "()")), "the dtype '"s + descr +
                                                  "' does not state the byte order, expected '<' "
                                                  "or '>'");
  }
}

TEST(npy_faults, sizes_that_do_not_fit) {
  const std::string eight(8, '\0');
  expect_refused(npy(dict_of("<f8", "(2,)"), eight),
                 "8 bytes follow the header, expected 16 (size 2, 8 bytes each)");
  expect_refused(npy(dict_of("<f8", "()"), eight + "\n"),
                 "9 bytes follow the header, expected 8 (size 1, 8 bytes each)");
  expect_refused(npy(dict_of("<f8", "(0, 3)"), eight),
                 "8 bytes follow the header, expected 0 (size 0, 8 bytes each)");
  expect_refused(npy(dict_of("<f8", "(2, 3, 4)"), eight),
                 "the array has 3 dimensions, expected at most 2; reshape it, for example by "
                 "array.reshape(len(array), -1)");
  for (const char* shape : {"(4611686018427387904, 4)", "(1152921504606846976,)",
                            "(9223372036854775807, 0, 9223372036854775807)"}) {
    expect_refused(npy(dict_of("<f8", shape), eight),
                   "the elements have 2^63 bytes or more, expected fewer");
  }
}

}  // namespace
}  // namespace evenfold::testing
