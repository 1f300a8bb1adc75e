// backends: host
// .npy files: written arrays are read back, and headers of every version and spelling are read.
// numpy_oracle.py compares the files with NumPy.

#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/npy_bytes.hpp"
#include "tests/support/scratch.hpp"

namespace evenfold::testing {
namespace {

using namespace std::string_literals;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The elements row by row, as type T.
template <class T>
std::vector<T> elements(const npy_file& file) {
  EXPECT_EQ(file.type(), element_type_of<T>());
  std::vector<T> result;
  file.visit([&]<class U>(matrix_view<const U> view) {
    for (std::int64_t i = 0; i < view.rows(); ++i) {
      for (std::int64_t j = 0; j < view.columns(); ++j) {
        result.push_back(static_cast<T>(view(i, j)));
      }
    }
  });
  return result;
}

std::vector<std::int64_t> extents(const npy_file& file) {
  return file.visit([](auto view) {
    return std::vector<std::int64_t>{view.rows(), view.columns()};
  });
}

template <class T>
std::vector<T> read(const std::string& bytes) {
  return elements<T>(npy_file::read_bytes(bytes, "f.npy"));
}

template <class T>
void round_trip() {
  const scratch_directory scratch;
  const std::string path = scratch / "a.npy";
  std::vector<T> values(35);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(7 * i + 1);
  values[3] = std::numeric_limits<T>::max();
  values[4] = std::numeric_limits<T>::lowest();
  const T* const data = values.data();

  using view = matrix_view<const T>;
  write_npy(path, view::row_major(data, 5, 7));
  EXPECT_EQ(elements<T>(npy_file(path)), values);
  EXPECT_FALSE(npy_file(path).fortran_order());
  EXPECT_EQ(npy_file(path).shape(), (std::vector<std::int64_t>{5, 7}));

  write_npy(path, view::column_major(data, 7, 5).transposed());
  EXPECT_EQ(elements<T>(npy_file(path)), values);

  write_npy(path, view::column_major(data, 5, 7));
  EXPECT_TRUE(npy_file(path).fortran_order());
  const std::vector<T> by_columns = elements<T>(npy_file(path));
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 7; ++j) EXPECT_EQ(by_columns[i * 7 + j], values[i + j * 5]);
  }

  // A block is not contiguous in memory.
  write_npy(path, view::row_major(data, 5, 7).block(1, 2, 2, 3));
  EXPECT_EQ(elements<T>(npy_file(path)), (std::vector<T>{values[9], values[10], values[11],
                                                         values[16], values[17], values[18]}));

  write_npy(path, std::span<const T>(values));
  EXPECT_EQ(elements<T>(npy_file(path)), values);
  EXPECT_EQ(npy_file(path).shape(), std::vector<std::int64_t>{35});
  EXPECT_EQ(extents(npy_file(path)), (std::vector<std::int64_t>{35, 1}));

  // The elements are aligned for the widest loads.
  EXPECT_EQ(std::filesystem::file_size(path) - values.size() * sizeof(T), 128u);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.npy"});
}

TEST(npy, what_is_written_is_read_back) {
  round_trip<std::int8_t>();
  round_trip<std::int16_t>();
  round_trip<std::int32_t>();
  round_trip<std::int64_t>();
  round_trip<std::uint8_t>();
  round_trip<std::uint16_t>();
  round_trip<std::uint32_t>();
  round_trip<std::uint64_t>();
  round_trip<float>();
  round_trip<double>();
  round_trip<long long>();
}

TEST(npy, a_large_block_is_written_in_parts) {
  const scratch_directory scratch;
  std::vector<std::int16_t> values(1200 * 1000);
  std::iota(values.begin(), values.end(), std::int16_t{0});
  const auto all = matrix_view<const std::int16_t>::row_major(values.data(), 1200, 1000);
  write_npy(scratch / "a.npy", all.block(0, 0, 1200, 999));
  const npy_file file(scratch / "a.npy");
  file.visit([&](auto view) {
    ASSERT_EQ(view.rows(), 1200);
    ASSERT_EQ(view.columns(), 999);
    for (std::int64_t i = 0; i < 1200; ++i) {
      for (std::int64_t j = 0; j < 999; ++j) {
        ASSERT_EQ(static_cast<std::int16_t>(view(i, j)), all(i, j)) << i << ' ' << j;
      }
    }
  });
}

TEST(npy, empty_shapes) {
  const scratch_directory scratch;
  for (const auto& [rows, columns] : {std::pair{0, 0}, {0, 5}, {5, 0}}) {
    write_npy(scratch / "a.npy", matrix_view<const float>::row_major(nullptr, rows, columns));
    EXPECT_EQ(extents(npy_file(scratch / "a.npy")), (std::vector<std::int64_t>{rows, columns}));
  }
  write_npy(scratch / "a.npy", std::span<const float>());
  EXPECT_EQ(extents(npy_file(scratch / "a.npy")), (std::vector<std::int64_t>{0, 1}));
}

TEST(npy, rows_without_elements) {
  const auto file = npy_file::read_bytes(npy(dict_of("<f8", "(1048576, 0)")), "f");
  EXPECT_EQ(file.shape(), (std::vector<std::int64_t>{1048576, 0}));
  for (const char* shape : {"(1152921504606846975, 0)", "(0, 1048577)"}) {
    const std::string bytes = npy(dict_of("<f8", shape));
    try {
      npy_file::read_bytes(bytes, "f");
      ADD_FAILURE() << "accepted " << shape;
    } catch (const input_error& fault) {
      EXPECT_TRUE(std::string_view(fault.what())
                      .ends_with(" in " + std::to_string(bytes.size()) +
                                 " bytes, expected at most 1048576 rows or columns in a file of "
                                 "this size"))
          << fault.what();
    }
  }
}

TEST(npy, a_failed_write_leaves_no_trace) {
  const scratch_directory scratch;
  const std::vector<double> values(4, 1.5);
  EXPECT_THROW(write_npy(scratch / "none/a.npy", std::span<const double>(values)), output_error);
  EXPECT_TRUE(scratch.names().empty());
}

TEST(npy, shapes_of_no_one_and_two_dimensions) {
  const std::string data = bytes_of<std::int32_t>({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(extents(npy_file::read_bytes(npy(dict_of("<i4", "()"), data.substr(0, 4)), "f")),
            (std::vector<std::int64_t>{1, 1}));
  for (const char* shape : {"(6,)", "( 6 , )", "(6L,)"}) {
    EXPECT_EQ(read<std::int32_t>(npy(dict_of("<i4", shape), data)),
              (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}))
        << shape;
  }
  for (const char* shape : {"(2, 3)", "(2,3,)", "(2L, 3L)"}) {
    EXPECT_EQ(read<std::int32_t>(npy(dict_of("<i4", shape, "True"), data)),
              (std::vector<std::int32_t>{1, 3, 5, 2, 4, 6}))
        << shape;
  }
}

TEST(npy, any_spelling_of_the_dict) {
  const std::string one = "\x01"s;
  for (const char* dict :
       {"{'descr': '|u1', 'fortran_order': False, 'shape': ()}",
        "{'shape': (), 'descr': '|u1', 'fortran_order': True}",
        " \t{ \"fortran_order\" :False,\"descr\":\"<u1\" , 'shape' :( ) , } \r\n\n"}) {
    EXPECT_EQ(read<std::uint8_t>(npy(dict, one)), std::vector<std::uint8_t>{1}) << dict;
  }
}

TEST(npy, every_version) {
  std::string dict = dict_of(">i2", "(1,)");
  const auto length = static_cast<char>(dict.size());
  for (const char version : {'\2', '\3'}) {
    const std::string file =
        "\x93NUMPY"s + version + '\0' + length + "\0\0\0"s + dict + "\x01\x02"s;
    EXPECT_EQ(read<std::int16_t>(file), std::vector<std::int16_t>{0x102});
  }
  // A header longer than 64 KiB, which requires version 2.0.
  dict.insert(dict.size() - 1, std::string(70000, ' '));
  const std::size_t size = dict.size();
  const std::string file = "\x93NUMPY\2\0"s + static_cast<char>(size & 0xFF) +
                           static_cast<char>(size >> 8 & 0xFF) + static_cast<char>(size >> 16) +
                           '\0' + dict + "\x01\x02"s;
  EXPECT_EQ(read<std::int16_t>(file), std::vector<std::int16_t>{0x102});
}

TEST(npy, elements_that_must_be_copied) {
  // Big endian.
  EXPECT_EQ(read<std::int16_t>(npy(dict_of(">i2", "(2,)"), "\x01\x02\xFF\xFE"s)),
            (std::vector<std::int16_t>{0x102, -2}));
  EXPECT_EQ(read<std::uint32_t>(npy(dict_of(">u4", "(1,)"), "\x01\x02\x03\x04"s)),
            std::vector<std::uint32_t>{0x01020304});
  EXPECT_EQ(read<double>(npy(dict_of(">f8", "(1,)"), "\xC0\x08\0\0\0\0\0\0"s)),
            std::vector<double>{-3});
  EXPECT_EQ(read<float>(npy(dict_of(">f4", "(1,)"), "\xC0\x40\0\0"s)), std::vector<float>{-3});
  // Every offset of the elements, aligned or unaligned.
  const std::string data = bytes_of<double>({1.25, -2.5});
  for (int blanks = 0; blanks < 8; ++blanks) {
    std::string dict = dict_of("<f8", "(2,)");
    dict.insert(dict.size() - 1, static_cast<std::size_t>(blanks), ' ');
    EXPECT_EQ(read<double>(npy(dict, data)), (std::vector<double>{1.25, -2.5})) << blanks;
  }
  // bool is read as uint8, 0 or 1.
  EXPECT_EQ(read<std::uint8_t>(npy(dict_of("|b1", "(2,)"), "\x01\0"s)),
            (std::vector<std::uint8_t>{1, 0}));
}

TEST(npy, all_halves_become_the_float_of_the_same_value) {
  std::vector<std::uint16_t> halves(1 << 16);
  std::iota(halves.begin(), halves.end(), std::uint16_t{0});
  const std::vector<float> floats = read<float>(npy(dict_of("<f2", "(65536,)"), bytes_of(halves)));
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const int exponent = halves[i] >> 10 & 31;
    const int fraction = halves[i] & 1023;
    const float sign = halves[i] >> 15 ? -1.f : 1.f;
    ASSERT_EQ(std::signbit(floats[i]), sign < 0) << i;
    if (exponent == 31 && fraction != 0) {
      ASSERT_TRUE(std::isnan(floats[i])) << i;
    } else if (exponent == 31) {
      ASSERT_TRUE(std::isinf(floats[i])) << i;
    } else {
      const float magnitude = exponent == 0
                                  ? std::ldexp(static_cast<float>(fraction), -24)
                                  : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
      ASSERT_EQ(floats[i], sign * magnitude) << i;
    }
  }
}

TEST(npy, nan_keeps_its_bits) {
  const scratch_directory scratch;
  const std::vector<double> values = {std::bit_cast<double>(0x7FF8000000000123), -0.0};
  write_npy(scratch / "a.npy", std::span<const double>(values));
  const std::vector<double> back = elements<double>(npy_file(scratch / "a.npy"));
  EXPECT_EQ(bytes_of(back), bytes_of(values));
}

TEST(npy, compressed) {
  const scratch_directory scratch;
  const std::string text = npy(dict_of("<i8", "(1, 2)"), bytes_of<std::int64_t>({1, -1}));
  const npy_file file(scratch.write("a.npy.gz", gzip(text)));
  EXPECT_EQ(elements<std::int64_t>(file), (std::vector<std::int64_t>{1, -1}));
}

TEST(npy, missing_files) {
  const scratch_directory scratch;
  EXPECT_THROW(npy_file(scratch / "none.npy"), input_error);
  EXPECT_THROW(npy_file(scratch / ""), input_error);
}

}  // namespace
}  // namespace evenfold::testing
