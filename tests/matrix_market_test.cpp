// backends: host
// Sparse Matrix Market files: the same entries with every size of chunks, every field and symmetry,
// and refusals with the line and the reason.

#include "evenfold/io/matrix_market/reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/contexts.hpp"
#include "tests/support/matrix_entries.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/shapes.hpp"

namespace evenfold::testing {
namespace {

using namespace std::string_literals;
/// The entries of a text, read with several sizes of chunks, which must not change them.
template <class Value>
std::string read(const std::string& text, bool expand = true) {
  // Two widths of indices and offsets, but not all combinations, because each takes long to
  // compile.
  using Index = std::conditional_t<std::is_integral_v<Value>, std::int64_t, std::int32_t>;
  cpu_context ctx(3);
  const auto answer = [&](std::size_t bytes) {
    return entries_of(
        read_matrix_market_text<Value, Index>(ctx, text, "f.mtx", {expand, bytes}).view());
  };
  const std::string whole = answer(1000);
  for (const std::size_t bytes : {1, 2, 7, 20}) EXPECT_EQ(answer(bytes), whole) << bytes;
  return whole;
}

template <class Value = double, class Index = std::int32_t, class Offset = Index>
void expect_refused(const std::string& text, int line, const std::string& what,
                    bool trust_sizes = false) {
  SCOPED_TRACE(text);
  cpu_context ctx(3);
  for (const std::size_t bytes : {1, 5, 1000}) {
    try {
      read_matrix_market_text<Value, Index, Offset>(ctx, text, "f.mtx", {true, bytes, trust_sizes});
      ADD_FAILURE() << "accepted";
    } catch (const input_error& fault) {
      EXPECT_EQ(std::string(fault.what()), "f.mtx:" + std::to_string(line) + ": " + what);
    }
  }
}

TEST(matrix_market, fields_and_values) {
  const std::string integers =
      banner + "integer general\n2 3 3\n1 1 -5\n2 3 9007199254740993\n1 1 7";
  EXPECT_EQ(read<std::int64_t>(integers), "1 1 -5, 2 3 9007199254740993, 1 1 7");
  EXPECT_EQ(read<double>(integers), "1 1 -5, 2 3 9007199254740992, 1 1 7");
  EXPECT_EQ(read<pattern>(integers), "1 1, 2 3, 1 1");

  const std::string where = banner + "pattern general\n2 3 2\n2 1\n1 3\n";
  EXPECT_EQ(read<pattern>(where), "2 1, 1 3");
  EXPECT_EQ(read<std::int64_t>(where), "2 1 1, 1 3 1");
  EXPECT_EQ(read<complexes>(where), "2 1 1 0, 1 3 1 0");

  const std::string plane = banner + "complex general\n2 3 2\n2 1 1 -2.5\n1 3 inf 0\n";
  EXPECT_EQ(read<complexes>(plane), "2 1 1 -2.5, 1 3 inf 0");
  EXPECT_EQ(read<pattern>(plane), "2 1, 1 3");
  EXPECT_EQ(read<complexes>(banner + "real general\n1 1 1\n1 1 .1"), "1 1 0.1 0");
}

TEST(matrix_market, numbers_of_every_kind) {
  EXPECT_EQ(read<double>(banner + "real general\n9 9 8\n+1 1 +1\n2 002 -2.5e-3\n3 3 .5\n"
                                  "000000004 4 4.9e-324\n5 +00000000005 1E308\n6 6 inf\n7 7 -INF\n"
                                  "8 8 0.1000000000000000055511151231257827"),
            "1 1 1, 2 2 -0.0025, 3 3 0.5, 4 4 5e-324, 5 5 1e+308, 6 6 inf, 7 7 -inf, 8 8 0.1");
  EXPECT_EQ(read<double>(banner + "real general\n1 1 1\n1 1 NaN"), "1 1 nan");
}

TEST(matrix_market, indices_of_every_length) {
  // Everything that may follow an index, also at the end of the file.
  cpu_context ctx(3);
  for (std::int64_t power = 1; power < 1000000000000000000; power *= 10) {
    for (const std::int64_t index : {power, 9 * power + power / 3, 10 * power - 1}) {
      const std::string number = std::to_string(index), most = std::to_string(10 * power - 1);
      const std::string sizes = "pattern general\n" + most + " " + most + " 2\n";
      const auto matrix = read_matrix_market_text<std::int64_t, std::int64_t>(
          ctx, banner + sizes + number + "\t" + number + "\r\n" + number + " " + number, "f",
          {.trust_sizes = true});
      EXPECT_EQ(entries_of(matrix.view()),
                number + " " + number + " 1, " + number + " " + number + " 1");
      const std::string larger = std::to_string(10 * power);
      expect_refused<std::int64_t, std::int64_t>(
          banner + sizes + number + " " + larger + "\n1 1", 3,
          "'" + larger + "' is not a column, expected an integer from 1 to " + most, true);
    }
  }
}

TEST(matrix_market, comments_blanks_and_line_ends) {
  const std::string expected = "1 2 3, 2 1 4, 2 2 5";
  EXPECT_EQ(read<double>("%%matrixmarket  MATRIX\tCoordinate Real General \r\n%\r\n\r\n 2\t2 3 \r\n"
                         "\n%x\n 1\t2  3 \r\n\n\t2 1 4\t\r\n  % 7 7\n2 2 5\n\n%end"),
            expected);
  EXPECT_EQ(read<double>(banner + "real general\n2 2 3\n1 2 3\n2 1 4\n2 2 5\r"), expected);
  // The byte order mark of UTF-8.
  EXPECT_EQ(read<double>("\xEF\xBB\xBF" + banner + "real general\n2 2 3\n1 2 3\n2 1 4\n2 2 5"),
            expected);
}

TEST(matrix_market, symmetries) {
  const std::string lower = "3 3 3\n3 1 2\n2 2 4\n2 1 -1\n";
  EXPECT_EQ(read<double>(banner + "real symmetric\n" + lower),
            "3 1 2, 2 2 4, 2 1 -1, 1 3 2, 1 2 -1");
  EXPECT_EQ(read<double>(banner + "real symmetric\n" + lower, false), "3 1 2, 2 2 4, 2 1 -1");
  EXPECT_EQ(read<pattern>(banner + "pattern symmetric\n2 2 2\n2 1\n2 1\n"), "2 1, 2 1, 1 2, 1 2");
  EXPECT_EQ(read<std::int64_t>(banner + "integer skew-symmetric\n3 3 2\n3 1 2\n2 1 -1\n"),
            "3 1 2, 2 1 -1, 1 3 -2, 1 2 1");
  const std::string plane = "complex hermitian\n3 3 2\n3 1 2 5\n2 2 4 0\n";
  EXPECT_EQ(read<complexes>(banner + plane), "3 1 2 5, 2 2 4 0, 1 3 2 -5");
  EXPECT_EQ(read<pattern>(banner + plane), "3 1, 2 2, 1 3");
  EXPECT_EQ(read<complexes>(banner + "complex symmetric\n2 2 1\n2 1 2 5\n"), "2 1 2 5, 1 2 2 5");
}

TEST(matrix_market, arrays) {
  const std::string array = "%%MatrixMarket matrix array ";
  EXPECT_EQ(read<double>(array + "real general\n2 3\n0\n2\n-0\n0.0\nnan\n6\n"),
            "2 1 2, 1 3 nan, 2 3 6");
  EXPECT_EQ(read<double>(array + "integer general\n2 3\n1\n2\n0\n4\n0\n6\n"),
            "1 1 1, 2 1 2, 2 2 4, 2 3 6");
  const std::string lower = array + "integer symmetric\n2 2\n0\n2\n3\n";
  EXPECT_EQ(read<std::int64_t>(lower), "2 1 2, 2 2 3, 1 2 2");
  EXPECT_EQ(read<std::int64_t>(lower, false), "2 1 2, 2 2 3");
  EXPECT_EQ(read<complexes>(array + "complex hermitian\n2 2\n1 0\n2 3\n0 0\n"),
            "1 1 1 0, 2 1 2 3, 1 2 2 -3");
  expect_refused<complexes>(array + "complex hermitian\n2 2\n1 0\n2 3\n0 4\n", 5,
                            "'0 4' lies on the diagonal of a hermitian matrix, expected an "
                            "imaginary part of 0");
  expect_refused<complexes>(array + "complex general\n1 1\n1\n", 3,
                            "'1' is not an entry, expected two numbers per line");
}

TEST(matrix_market, empty_and_smallest) {
  for (const char* sizes : {"0 0 0", "0 5 0\n", "5 0 0\n%", "3 3 0\n\n"}) {
    EXPECT_TRUE(read<double>(banner + "real general\n" + sizes).empty()) << sizes;
  }
  EXPECT_TRUE(read<pattern>(banner + "pattern symmetric\n0 0 0").empty());
  EXPECT_EQ(read<pattern>(banner + "pattern symmetric\n1 1 1\n1 1"), "1 1");
  cpu_context ctx(3);
  const auto wide = read_matrix_market_text<double>(ctx, banner + "real general\n0 5 0", "f");
  EXPECT_EQ(wide.num_rows, 0);
  EXPECT_EQ(wide.num_columns, 5);
}

TEST(matrix_market, types_that_are_too_small) {
  const std::string beyond = ", which the type of their numbers can count";
  expect_refused<double>(
      banner + "real general\n%\n5 2147483648 0\n", 3,
      "the matrix has 2147483648 rows or columns, expected at most 2147483647" + beyond);
  std::string text = banner + "pattern symmetric\n100 100 99\n";
  for (int i = 2; i <= 100; ++i) text += std::to_string(i) + " 1\n";
  expect_refused<std::int8_t, std::int8_t>(
      text, 2, "the matrix has 198 entries, expected at most 127" + beyond);
  expect_refused<double>(banner + "complex general\n1 1 1\n1 1 1 1\n", 1,
                         "the elements are complex, expected real ones or integers");
  expect_refused<std::int64_t, std::int64_t>(banner + "real general\n1 1 1\n1 1 1\n", 1,
                                             "the elements are real, expected integers");
  expect_refused<std::int8_t, std::int8_t>(
      banner + "integer general\n1 1 1\n1 1 128\n", 3,
      "'128' is out of the range of 8 bits, expected an integer from -2^7 to 2^7 - 1");
  expect_refused<complexes>(
      banner + "real general\n1 1 1\n1 1 1e39\n", 3,
      "'1e39' is out of the range of a float, expected a number in this range");
}

TEST(matrix_market, bad_headers) {
  const std::string sizes = "'ROWS COLUMNS ENTRIES'";
  expect_refused(banner + "real general\n", 2,
                 "the file ends before the line with the sizes, expected " + sizes);
  expect_refused(banner + "real general\n3\n1 1\n", 2,
                 "'3' is the line with the sizes, expected " + sizes);
  expect_refused(banner + "real general\n3 3 1 1\n1 1 1\n", 2,
                 "'3 3 1 1' is the line with the sizes, expected " + sizes);
  expect_refused(banner + "real general\n3 3 -1\n", 2,
                 "'-1' is not a size, expected an integer from 0 to 2^63 - 1");
  expect_refused(banner + "real general\n0 3 1\n1 1 1\n", 2,
                 "'0 3 1' is the line with the sizes, expected no entries in a matrix of 0 by 3");
  expect_refused(banner + "real symmetric\n3 4 1\n1 1 1\n", 2,
                 "the matrix has a symmetry and is 3 by 4, expected a square matrix");
}

TEST(matrix_market, bad_entries) {
  const auto refused = [](const std::string& kind, const std::string& lines, int line,
                          const std::string& what) {
    expect_refused(banner + kind + "\n3 3 2\n" + lines, line, what);
  };
  const std::string row = " is not a row, expected an integer from 1 to 3";
  const std::string column = " is not a column, expected an integer from 1 to 3";
  refused("real general", "1 1 1\n0 1 1\n", 4, "'0'" + row);
  refused("real general", "1 1 1\n4 1 1\n", 4, "'4'" + row);
  refused("real general", "1 -1 1\n1 1 1\n", 3, "'-1'" + column);
  refused("real general", "1 1.0 1\n1 1 1\n", 3, "'1.0'" + column);
  refused("real general", "1,1,1\n1 1 1\n", 3, "'1,1,1'" + row);
  refused("real general", "99999999999999999999 1 1\n1 1 1\n", 3, "'99999999999999999999'" + row);
  refused("real general", "one 1 1\n1 1 1\n", 3, "'one'" + row);
  refused("pattern general", "1 1\n1 3x\n", 4, "'3x'" + column);

  const std::string real = " is not an entry, expected 'ROW COLUMN VALUE', the value a number";
  refused("real general", "1 1\n1 1 1\n", 3, "'1 1'" + real);
  refused("real general", "1 1 1\n2 \t\r\n", 4, "'2'" + real);
  refused("real general", "1 1 1\n2 2 2 2\n", 4, "'2 2 2 2'" + real);
  refused("real general", "1 1 1\n2 2 2.5.5\n", 4, "'2 2 2.5.5'" + real);
  refused("real general", "1 1 x\n2 2 2\n", 3, "'1 1 x'" + real);
  refused("real general", "1 1 1.0D+00\n2 2 2\n", 3, "'1 1 1.0D+00'" + real);
  refused("real general", "1 1 +-1\n2 2 2\n", 3, "'1 1 +-1'" + real);
  refused("real general", "1 1 1\n2 2 1e400\n", 4,
          "'1e400' is out of the range of a double, expected a number in this range");
  refused("real general", "1 1 1 \r \n2 2 2\n", 3, "'1 1 1 \\r'" + real);
  refused("pattern general", "1 1\n2 2 1\n", 4,
          "'2 2 1' is not an entry, expected 'ROW COLUMN' (a pattern has no values)");
  refused("integer general", "1 1 1\n2 2 1.5\n", 4,
          "'2 2 1.5' is not an entry, expected 'ROW COLUMN VALUE', the value an integer");
  refused("integer general", "1 1 1\n2 2 9223372036854775808\n", 4,
          "'9223372036854775808' is out of the range of 64 bits, expected an integer from -2^63 "
          "to 2^63 - 1");
  expect_refused<complexes>(banner + "complex general\n3 3 1\n1 1 1\n", 3,
                            "'1 1 1' is not an entry, expected 'ROW COLUMN REAL IMAGINARY', both "
                            "numbers");

  refused("real symmetric", "3 1 1\n1 2 1\n", 4,
          "row 1, column 2 lies above the diagonal, expected only entries of the lower triangle, "
          "since the "
          "banner says 'symmetric'");
  refused(
      "real skew-symmetric", "3 1 1\n2 2 0\n", 4,
      "row 2, column 2 lies on the diagonal, expected only entries below the diagonal, since the "
      "banner says 'skew-symmetric'");
  refused("integer skew-symmetric", "3 1 1\n2 1 -9223372036854775808\n", 4,
          "'-9223372036854775808' has no negative of 64 bits, which is its mirror image in a "
          "skew-symmetric matrix, expected a larger integer");
  expect_refused<complexes>(banner + "complex hermitian\n3 3 1\n1 1 1 1\n", 3,
                            "'1 1 1 1' lies on the diagonal of a hermitian matrix, expected an "
                            "imaginary part of 0");
  // The first fault of the file is reported, whatever follows, also if the number of entries is
  // wrong.
  refused("real general", "x\ny\n", 3, "'x'" + row);
  refused("real general", "1 1 1\n4 1 1\n1 1 1\n", 4, "'4'" + row);
}

TEST(matrix_market, too_few_and_too_many) {
  const std::string all = ", expected 2 entries (as stated for a matrix of 3 by 3)";
  expect_refused(banner + "real general\n3 3 2\n", 3, "the file ends after 0" + all);
  expect_refused(banner + "real general\n3 3 2\n1 1 1\n%\n\n", 6, "the file ends after 1" + all);
  expect_refused(banner + "real general\n3 3 2\n1 1 1\n2 2 2\n \n3 3 3\n4 4 4\n", 6,
                 "there is one entry too many" + all);
  expect_refused(
      banner + "real general\n0 3 0\n1 1 1\n", 3,
      "there is one entry too many, expected 0 entries (as stated for a matrix of 0 by 3)");
  expect_refused<complexes>(
      "%%MatrixMarket matrix array complex hermitian\n1 1\n1 0\n1 1\n", 4,
      "there is one entry too many, expected 1 entries (the lower triangle with its "
      "diagonal of 1 by 1)");
}

TEST(matrix_market, a_short_file_gets_no_memory) {
  no_memory nothing;
  cpu_context ctx(3, &nothing);
  const std::string text =
      banner + "pattern symmetric\n1000000000000 1000000000000 1000000000000\n";
  try {
    read_matrix_market_text<std::int64_t, std::int64_t>(ctx, text + "3 2\n4 3\n5 4\n", "f");
    ADD_FAILURE() << "accepted";
  } catch (const input_error& fault) {
    EXPECT_EQ(std::string(fault.what()).substr(0, 58),
              "f:6: the file ends after 3, expected 1000000000000 entries");
  }
}

TEST(matrix_market, more_rows_than_are_plausible) {
  const std::string few = banner + "pattern general\n1048576 3 1\n1048576 3\n";
  EXPECT_EQ(read<pattern>(few), "1048576 3");
  for (const auto& [rows, columns] : {std::pair{"1048577", "3"}, {"3", "1048577"}}) {
    const std::string text = banner + "pattern general\n" + rows + " " + columns + " 1\n2 3\n";
    expect_refused<pattern>(text, 2,
                            "a matrix of "s + rows + " by " + columns + " in " +
                                std::to_string(text.size()) +
                                " bytes, expected at most 1048576 rows or columns in a file of "
                                "this size; trust-sizes accepts more");
    cpu_context ctx(3);
    const auto trusted = read_matrix_market_text<pattern>(ctx, text, "f", {.trust_sizes = true});
    EXPECT_EQ(entries_of(trusted.view()), "2 3");
  }
  expect_refused<double>("%%MatrixMarket matrix array real general\n2000000000 0\n", 2,
                         "a matrix of 2000000000 by 0 in 54 bytes, expected at most 1048576 rows "
                         "or columns in a file of this size; trust-sizes accepts more");

  // A longer text may have more rows.
  const std::string longer = banner + "pattern general\n%" + std::string(300000, ' ') + "\n";
  EXPECT_EQ(read<pattern>(longer + "1200000 3 1\n2 3\n"), "2 3");
}

/// Writes a matrix and expects this text. Reads the text and expects the same entries.

}  // namespace
}  // namespace evenfold::testing
