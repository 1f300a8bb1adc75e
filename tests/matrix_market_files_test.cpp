// backends: host
// Sparse Matrix Market files: what is written is read back, and real and malformed files are read
// as by a reader of a few lines.

#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/matrix_market/writer.hpp"
#include "tests/support/contexts.hpp"
#include "tests/support/matrix_entries.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/shapes.hpp"

namespace evenfold::testing {
namespace {

using namespace std::string_literals;

template <class View>
void expect_written(View view, matrix_market_symmetry symmetry, const std::string& text) {
  using value_type = decltype(view.value(0));
  using index_type = decltype(view.num_rows);
  const scratch_directory scratch;
  const std::string path = scratch / "a.mtx";
  write_matrix_market(path, view, {symmetry});
  EXPECT_EQ(read_back(path), text);
  cpu_context ctx(3);
  EXPECT_EQ(entries_of(read_matrix_market<value_type, index_type>(ctx, path).view()),
            entries_of(view));
}

TEST(matrix_market_files, what_is_written_is_read_back) {
  using enum matrix_market_symmetry;
  const std::vector<int> rows = {2, 1, 0, 0}, columns = {0, 1, 2, 0};
  const std::vector<double> values = {0.1, -std::numeric_limits<double>::max(), 1e-310, -0.};
  const coo_view<const double> a{3, 3, 4, rows.data(), columns.data(), values.data()};
  expect_written(a, general,
                 banner +
                     "real general\n3 3 4\n3 1 0.1\n2 2 -1.7976931348623157e+308\n"
                     "1 3 1e-310\n1 1 -0\n");
  expect_written(coo_view<const pattern>{3, 3, 4, rows.data(), columns.data(), nullptr}, general,
                 banner + "pattern general\n3 3 4\n3 1\n2 2\n1 3\n1 1\n");
  expect_written(coo_view<const double>{3, 3, 0, nullptr, nullptr, nullptr}, general,
                 banner + "real general\n3 3 0\n");

  // A matrix by rows, and an empty matrix.
  const std::vector<std::int8_t> offsets = {0, 2, 2, 4}, in_rows = {1, 3, 0, 2};
  const std::vector<std::int8_t> small = {-128, 127, 0, 1};
  expect_written(csr_view<const std::int8_t, std::int8_t>{3, 4, 4, offsets.data(), in_rows.data(),
                                                          small.data()},
                 general, banner + "integer general\n3 4 4\n1 2 -128\n1 4 127\n3 1 0\n3 3 1\n");

  const std::vector<int> lower_first = {2, 1, 0}, upper_last = {0, 1, 2};
  const coo_view<const pattern> even{3, 3, 3, lower_first.data(), upper_last.data(), nullptr};
  expect_written(even, symmetric, banner + "pattern symmetric\n3 3 2\n3 1\n2 2\n");
  const std::vector<complexes> plane = {{1, 2}, {3, 0}, {1, -2}};
  expect_written(
      coo_view<const complexes>{3, 3, 3, lower_first.data(), upper_last.data(), plane.data()},
      hermitian, banner + "complex hermitian\n3 3 2\n3 1 1 2\n2 2 3 0\n");
  const std::vector<int> off = {1, 0}, diagonal = {0, 1};
  const std::vector<double> signs = {0.1, -0.1};
  expect_written(coo_view<const double>{2, 2, 2, off.data(), diagonal.data(), signs.data()},
                 skew_symmetric, banner + "real skew-symmetric\n2 2 1\n2 1 0.1\n");
}

TEST(matrix_market_files, what_cannot_be_written) {
  using enum matrix_market_symmetry;
  const scratch_directory scratch;
  const std::string path = scratch / "a.mtx";
  const std::vector<int> rows = {1, 0}, columns = {0, 1};
  const auto refused = [&](auto view, matrix_market_symmetry symmetry, const std::string& what) {
    try {
      write_matrix_market(path, view, {symmetry});
      ADD_FAILURE() << "accepted";
    } catch (const argument_error& fault) {
      EXPECT_EQ(std::string(fault.what()), "write_matrix_market: " + what);
    }
  };
  const coo_view<const pattern> where{2, 2, 2, rows.data(), columns.data(), nullptr};
  auto wide = where;
  wide.num_columns = 3;
  refused(wide, symmetric,
          "symmetry is symmetric, but the matrix is not square; write it as general");
  refused(where, skew_symmetric,
          "symmetry is skew-symmetric, but a pattern has no signs; write it as symmetric");
  refused(where, hermitian,
          "symmetry is hermitian, but the values are not complex; write it as symmetric");
  auto low = where;
  low.num_rows = 1;
  refused(low, general,
          "an entry is (1, 0), but the matrix has 1 rows and 2 columns, counted from 0; remove "
          "this entry");
  auto half = where;
  half.num_nonzeros = 1;
  refused(half, symmetric,
          "symmetry is symmetric, but the entries at (1, 0) and (0, 1) do not mirror each other; "
          "write the matrix as general");
  const std::vector<double> unlike = {1, 2}, nothing = {0};
  const coo_view<const double> values{2, 2, 2, rows.data(), columns.data(), unlike.data()};
  refused(values, symmetric,
          "symmetry is symmetric, but the entries at (1, 0) and (0, 1) do not mirror each other; "
          "write the matrix as general");
  refused(coo_view<const double>{2, 2, 1, rows.data(), rows.data(), nothing.data()}, skew_symmetric,
          "an entry is (1, 1), but a skew-symmetric matrix has no entries on its diagonal; drop "
          "it, or write the matrix as general");
  EXPECT_THROW(write_matrix_market(scratch / "none/a.mtx", values), output_error);
  EXPECT_TRUE(scratch.names().empty());
}

TEST(matrix_market_files, compressed) {
  const scratch_directory scratch;
  const std::string path =
      scratch.write("a.mtx.gz", gzip(banner + "pattern symmetric\n2 2 1\n2 1\n"));
  cpu_context ctx(3);
  EXPECT_EQ(entries_of(read_matrix_market<pattern>(ctx, path).view()), "2 1, 1 2");
}

using plain_entry = std::tuple<std::int64_t, std::int64_t, double>;

/// The entries, read independently: words, converted by the C library.
std::vector<plain_entry> plainly_read(const std::string& path) {
  const std::string text(file_text(path).text());
  std::istringstream file(text);
  std::string line, word, kind, format, field, symmetry;
  file >> word >> kind >> format >> field >> symmetry;
  do std::getline(file, line);
  while (line.empty() || line[0] == '%');
  const char* at = text.data() + static_cast<std::ptrdiff_t>(file.tellg());
  const auto number = [&] {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    at = end;
    return value;
  };
  std::istringstream sizes(line);
  std::int64_t rows = 0, columns = 0, count = 0;
  sizes >> rows >> columns >> count;
  std::vector<plain_entry> result;
  if (format == "array") {
    for (std::int64_t j = 1; j <= columns; ++j) {
      for (std::int64_t i = symmetry == "general" ? 1 : j; i <= rows; ++i) {
        result.emplace_back(i, j, number());
      }
    }
    std::erase_if(result, [](const auto& entry) { return std::get<2>(entry) == 0; });
  }
  for (; count > 0; --count) {
    const auto i = static_cast<std::int64_t>(number()), j = static_cast<std::int64_t>(number());
    result.emplace_back(i, j, field == "pattern" ? 1 : number());
  }
  if (symmetry != "general") {
    for (std::size_t k = 0, stored = result.size(); k < stored; ++k) {
      const auto [i, j, value] = result[k];
      if (i != j) result.emplace_back(j, i, symmetry == "skew-symmetric" ? -value : value);
    }
  }
  return result;
}

bool same(const coo<double>& matrix, const std::vector<plain_entry>& expected) {
  std::size_t k = 0;
  bool all = true;
  detail::for_each_entry(matrix.view(), [&](std::int64_t row, std::int64_t column, double value) {
    all = all && k < expected.size() && expected[k] == plain_entry(row + 1, column + 1, value);
    ++k;
  });
  return all && k == expected.size();
}

TEST(matrix_market_files, real_files) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no EVENFOLD_DATA and no ../shared/data";
  const scratch_directory scratch;
  const std::string path = scratch / "a.mtx";
  cpu_context ctx(3);
  int files = 0;
  for (const char* folder : {"/matrices", "/graphs"}) {
    for (const auto& found : std::filesystem::directory_iterator(data + folder)) {
      const std::string name = found.path();
      if (!name.ends_with(".mtx") && !name.ends_with(".mtx.gz")) continue;
      SCOPED_TRACE(name);
      ++files;
      // The largest file, of 3 million entries, takes most of the time, and under a sanitizer the
      // eight largest ones do.
      if (is_sanitized && found.file_size() > 500000) continue;
      const auto matrix = read_matrix_market<double>(ctx, name);
      const std::vector<plain_entry> expected = plainly_read(name);
      EXPECT_TRUE(same(matrix, expected));

      write_matrix_market(path, matrix.view());
      EXPECT_TRUE(same(read_matrix_market<double>(ctx, path), expected));
      const file_text file(name);
      const matrix_market_header header = matrix_market_text(file.text(), name).header();
      if (header.format == matrix_market_format::array ||
          header.symmetry == matrix_market_symmetry::general)
        continue;
      write_matrix_market(path, matrix.view(), {header.symmetry});
      EXPECT_TRUE(same(read_matrix_market<double>(ctx, path), expected));
    }
  }
  EXPECT_EQ(files, 28);
}

TEST(matrix_market_files, malformed_files) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no EVENFOLD_DATA and no ../shared/data";
  cpu_context ctx(3);
  // The seventh file has its fault in a comment. Its entries also have no values, although its
  // banner promises them.
  const std::vector<std::string> faults = {
      ":1: the kind of the matrix is 'mangled', expected matrix",
      ":1: the format of the matrix is 'mangled', expected coordinate or array",
      ":1: the field of the matrix is 'mangled', expected real, integer, complex or pattern",
      ":1: the symmetry of the matrix is 'mangled', expected general, symmetric, skew-symmetric or "
      "hermitian",
      ":1: the matrix is hermitian and its elements are pattern, expected complex elements, or a "
      "symmetric "
      "matrix",
      ":1: the matrix is hermitian and its elements are real, expected complex elements, or a "
      "symmetric matrix",
      ":5: '1 1' is not an entry, expected 'ROW COLUMN VALUE', the value a number",
      ":4: '3' is the line with the sizes, expected 'ROWS COLUMNS ENTRIES'"};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::string name = data + "/matrices/malformed/mangled" + std::to_string(i + 1) + ".mtx";
    try {
      read_matrix_market<double>(ctx, name);
      ADD_FAILURE() << name << " accepted";
    } catch (const input_error& fault) {
      EXPECT_EQ(std::string(fault.what()), name + faults[i]);
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
