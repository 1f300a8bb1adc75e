// backends: host
// Matrix Market's array format: the same matrix with every size of chunks, every symmetry expanded,
// and refusals with the line and the reason.

#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/matrix_market/array_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/contexts.hpp"
#include "tests/support/scratch.hpp"

namespace evenfold::testing {
namespace {

using namespace std::string_literals;

template <class Context>
using matrix_market = on<Context>;
TYPED_TEST_SUITE(matrix_market, contexts);

/// The elements row by row, as type T.
template <class T>
std::vector<T> elements(const matrix_market_array& matrix) {
  EXPECT_EQ(matrix.type(), element_type_of<T>());
  std::vector<T> result;
  matrix.visit([&]<class U>(matrix_view<const U> view) {
    for (std::int64_t i = 0; i < view.rows(); ++i) {
      for (std::int64_t j = 0; j < view.columns(); ++j) {
        result.push_back(static_cast<T>(view(i, j)));
      }
    }
  });
  return result;
}

/// The same for a text, with several sizes of chunks, which must not change them.
template <class T, class Context>
std::vector<T> read(Context& ctx, const std::string& text) {
  const auto whole = elements<T>(matrix_market_array::read_text(ctx, text, "f.mtx"));
  for (const std::size_t bytes : {1, 2, 3, 7, 20}) {
    EXPECT_EQ(elements<T>(matrix_market_array::read_text(ctx, text, "f.mtx", bytes)), whole)
        << bytes;
  }
  return whole;
}

template <class Context>
void expect_refused(Context& ctx, const std::string& text, int line, const std::string& what) {
  SCOPED_TRACE(text);
  for (const std::size_t bytes : {1, 5, 1000}) {
    try {
      matrix_market_array::read_text(ctx, text, "f.mtx", bytes);
      ADD_FAILURE() << "accepted";
    } catch (const input_error& fault) {
      EXPECT_EQ(std::string(fault.what()), "f.mtx:" + std::to_string(line) + ": " + what);
    }
  }
}

const std::string array_banner = "%%MatrixMarket matrix array ";

TYPED_TEST(matrix_market, column_after_column) {
  EXPECT_EQ(read<double>(this->ctx, array_banner + "real general\n2 3\n1\n2\n3\n4\n5\n6\n"),
            (std::vector<double>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(
      read<std::int64_t>(this->ctx, array_banner + "integer general\n1 2\n9223372036854775807\n"
                                                   "-9223372036854775808"),
      (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()}));
}

TYPED_TEST(matrix_market, numbers_of_every_kind) {
  const auto values = elements<double>(matrix_market_array::read_text(
      this->ctx, array_banner + "real general\n7 1\n+1\n-2.5e-3\n.5\n1e308\ninf\n-INF\nnan\n",
      "f"));
  EXPECT_EQ((std::vector<double>(values.begin(), values.end() - 1)),
            (std::vector<double>{1, -2.5e-3, .5, 1e308, std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(std::isnan(values.back()));
}

TYPED_TEST(matrix_market, comments_blanks_and_line_ends) {
  EXPECT_EQ(read<std::int64_t>(this->ctx,
                               "%%matrixmarket  MATRIX\tArray INTEGER General \r\n%comment\r\n\r\n"
                               "  % another\n \t\n 2\t1 \r\n\n%x\n 1 \r\n\n\t2\n\n%end"),
            (std::vector<std::int64_t>{1, 2}));
}

TYPED_TEST(matrix_market, symmetries_are_expanded) {
  EXPECT_EQ(
      read<std::int64_t>(this->ctx, array_banner + "integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"),
      (std::vector<std::int64_t>{1, 2, 3,  //
                                 2, 4, 5,  //
                                 3, 5, 6}));
  EXPECT_EQ(read<double>(this->ctx, array_banner + "real skew-symmetric\n4 4\n1\n2\n3\n4\n5\n6\n"),
            (std::vector<double>{0, -1, -2, -3,  //
                                 1, 0, -4, -5,   //
                                 2, 4, 0, -6,    //
                                 3, 5, 6, 0}));
}

TYPED_TEST(matrix_market, empty_and_smallest) {
  for (const char* shape : {"general\n0 0", "general\n0 5\n", "general\n5 0", "symmetric\n0 0",
                            "skew-symmetric\n0 0\n"}) {
    EXPECT_TRUE(read<double>(this->ctx, array_banner + "real " + shape).empty()) << shape;
  }
  EXPECT_EQ(read<double>(this->ctx, array_banner + "real symmetric\n1 1\n7"),
            std::vector<double>{7});
  EXPECT_EQ(read<double>(this->ctx, array_banner + "real skew-symmetric\n1 1\n"),
            std::vector<double>{0});
  const auto wide =
      matrix_market_array::read_text(this->ctx, array_banner + "real general\n0 5\n", "f");
  EXPECT_EQ(wide.rows(), 0);
  EXPECT_EQ(wide.columns(), 5);
}

TYPED_TEST(matrix_market, what_is_written_is_read_back) {
  const scratch_directory scratch;
  const std::string path = scratch / "a.mtx";
  std::vector<double> values(12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::pow(-1.7, i) / 3;
  values[1] = std::numeric_limits<double>::denorm_min();
  values[2] = -std::numeric_limits<double>::max();
  values[3] = std::numeric_limits<double>::infinity();
  const auto view = matrix_view<const double>::row_major(values.data(), 3, 4);
  write_matrix_market_array(path, view);
  EXPECT_EQ(elements<double>(matrix_market_array::read_file(this->ctx, path)), values);
  EXPECT_EQ(read_back(path).substr(0, 45), array_banner + "real general\n3 4\n");

  const std::vector<std::int8_t> small = {-128, 127};
  write_matrix_market_array(path, matrix_view<const std::int8_t>::row_major(small.data(), 2, 1));
  EXPECT_EQ(read_back(path), array_banner + "integer general\n2 1\n-128\n127\n");
  EXPECT_THROW(write_matrix_market_array(scratch / "none/a.mtx", view), output_error);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.mtx"});
}

TYPED_TEST(matrix_market, large_and_symmetric) {
  const std::int64_t n = 700;
  std::string text = array_banner + "integer symmetric\n700 700\n";
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) text += std::to_string(1000 * i + j) + "\n";
  }
  const auto matrix = matrix_market_array::read_text(this->ctx, text, "f");
  matrix.visit([&](auto view) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        ASSERT_EQ(view(i, j), 1000 * std::max(i, j) + std::min(i, j)) << i << ' ' << j;
      }
    }
  });
}

TYPED_TEST(matrix_market, bad_banners) {
  const auto refused = [&](const std::string& text, const std::string& what) {
    expect_refused(this->ctx, text + "\n1 1\n1\n", 1, what);
  };
  const std::string five = "'%%MatrixMarket matrix FORMAT FIELD SYMMETRY'";
  expect_refused(this->ctx, "", 1, "the file begins with '', expected the banner " + five);
  refused("% MatrixMarket", "the file begins with '% MatrixMarket', expected the banner " + five);
  refused("%%MatrixMarket matrix array real", "the banner has 4 words, expected five: " + five);
  refused(array_banner + "real general 1", "the banner has 6 words, expected five: " + five);
  refused("%%MatrixMarket vector array real general",
          "the kind of the matrix is 'vector', expected matrix");
  refused("%%MatrixMarket matrix dense real general",
          "the format of the matrix is 'dense', expected coordinate or array");
  refused(array_banner + "float general",
          "the field of the matrix is 'float', expected real, integer, complex or pattern");
  refused(array_banner + "real lower",
          "the symmetry of the matrix is 'lower', expected general, symmetric, skew-symmetric or "
          "hermitian");
  refused(array_banner + "pattern general",
          "an array needs values and the field is pattern, expected real, integer or complex");
  refused("%%MatrixMarket matrix coordinate pattern skew-symmetric",
          "the pattern is skew-symmetric, expected a general or symmetric one");
  refused(array_banner + "real hermitian",
          "the matrix is hermitian and its elements are real, expected complex elements, or a "
          "symmetric matrix");
  refused(array_banner + "complex general",
          "the elements are complex, expected real ones or integers");
  expect_refused(this->ctx, "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", 1,
                 "the matrix is sparse (coordinate format), expected a dense one ('array')");
  refused("\xef\xbb\xbf" + array_banner + "complex general",
          "the elements are complex, expected real ones or integers");
}

TYPED_TEST(matrix_market, bad_sizes) {
  const auto refused = [&](const std::string& sizes, const std::string& what,
                           const std::string& symmetry = "general") {
    expect_refused(this->ctx, array_banner + "real " + symmetry + "\n%\n" + sizes, 3, what);
  };
  const std::string wanted = " is the line with the sizes, expected 'ROWS COLUMNS'";
  refused("", "the file ends before the line with the sizes, expected 'ROWS COLUMNS'");
  refused("% 2 2", "the file ends before the line with the sizes, expected 'ROWS COLUMNS'");
  refused("2", "'2'" + wanted);
  refused("2 2 4\n", "'2 2 4'" + wanted);
  const std::string size = " is not a size, expected an integer from 0 to 2^63 - 1";
  refused("two 2\n", "'two'" + size);
  refused("2 -2\n", "'-2'" + size);
  refused("2 2.0\n", "'2.0'" + size);
  refused("2 9223372036854775808\n", "'9223372036854775808'" + size);
  refused("2 3\n", "the matrix has a symmetry and is 2 by 3, expected a square matrix",
          "symmetric");
  refused("4294967296 4294967296\n",
          "the matrix is 4294967296 by 4294967296, expected fewer than 2^60 elements");
}

TYPED_TEST(matrix_market, bad_entries) {
  const auto refused = [&](const std::string& field, const std::string& entries, int line,
                           const std::string& what) {
    expect_refused(this->ctx, array_banner + field + "\n2 2\n" + entries, line, what);
  };
  const std::string all = ", expected 4 entries (all elements of 2 by 2)";
  refused("real general", "", 3, "the file ends after 0" + all);
  refused("real general", "1\n2\n3\n", 6, "the file ends after 3" + all);
  refused("real general", "1\n2\n3\n4\n%\n\n5\n6\n", 9, "there is one entry too many" + all);
  refused("real symmetric", "1\n2\n", 5,
          "the file ends after 2, expected 3 entries (the lower triangle with its diagonal of 2 by "
          "2)");
  refused("real skew-symmetric", "1\n2\n", 4,
          "there is one entry too many, expected 1 entries (the lower triangle without its "
          "diagonal of 2 by "
          "2)");
  refused("real general", "1\n2\nthree\n4\n", 5,
          "'three' is not an entry, expected one number per line");
  refused("real general", "1 2\n3 4\n", 3, "'1 2' is not an entry, expected one number per line");
  refused("real general", "1\n2\n3\n1e400\n", 6,
          "'1e400' is out of the range of a double, expected a number in this range");
  refused("real general", "1\n0x10\n3\n4\n", 4,
          "'0x10' is not an entry, expected one number per line");
  refused("integer general", "1\n2\n3\n4.0\n", 6,
          "'4.0' is not an entry, expected one integer per line");
  refused("integer general", "1\n9223372036854775808\n3\n4\n", 4,
          "'9223372036854775808' is out of the range of 64 bits, expected an integer from -2^63 to "
          "2^63 - 1");
  refused("integer skew-symmetric", "-9223372036854775808\n", 3,
          "'-9223372036854775808' has no negative of 64 bits, which is its mirror image in a "
          "skew-symmetric matrix, expected a larger integer");
  // The first fault of the file is reported, whatever follows.
  refused("real general", "x\ny\n3\n4\n", 3, "'x' is not an entry, expected one number per line");
}

TYPED_TEST(matrix_market, a_short_file_gets_no_memory) {
  expect_refused(this->ctx, array_banner + "real general\n1000000000 1000000000\n1\n", 4,
                 "the file ends after 1, expected 1000000000000000000 entries (all elements of "
                 "1000000000 by 1000000000)");
}

TYPED_TEST(matrix_market, rows_without_elements) {
  EXPECT_TRUE(read<double>(this->ctx, array_banner + "real general\n1048576 0\n").empty());
  for (const char* shape : {"1000000000000000000 0", "0 1000000000000000000"}) {
    const std::string text = array_banner + "real general\n" + shape + "\n";
    EXPECT_THROW(matrix_market_array::read_text(this->ctx, text, "f"), input_error) << shape;
  }
}

TYPED_TEST(matrix_market, real_files) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no EVENFOLD_DATA and no ../shared/data";
  const auto rhs = matrix_market_array::read_file(this->ctx, data + "/matrices/memplus_rhs1.mtx");
  EXPECT_EQ(rhs.rows(), 17758);
  EXPECT_EQ(rhs.columns(), 1);
  const std::vector<double> values = elements<double>(rhs);
  EXPECT_EQ(values.front(), -2.3401143219373e-13);
  EXPECT_EQ(values.back(), 1.5986551086452e-18);

  const auto full =
      matrix_market_array::read_file(this->ctx, data + "/matrices/full_symmetric.mtx");
  EXPECT_EQ(full.rows(), 4);
  full.visit([](auto view) {
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) EXPECT_EQ(view(i, j), view(j, i));
    }
  });

  // Each of these texts has a fault, in its header or in its format.
  for (const char* name : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    EXPECT_THROW(matrix_market_array::read_file(
                     this->ctx, data + "/matrices/malformed/mangled" + name + ".mtx"),
                 input_error)
        << name;
  }
}

}  // namespace
}  // namespace evenfold::testing
