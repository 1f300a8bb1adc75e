// backends: host
// spmv of every matrix in the shared data, compared with sums over the entries of the file.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "evenfold/core/random.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/sparse/spmv.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

std::vector<double> fractions(std::int64_t count) {
  const random_stream random(3);
  std::vector<double> result;
  for (std::int64_t i = 0; i < count; ++i) {
    result.push_back(random.uniform<double>(static_cast<std::uint64_t>(i)));
  }
  return result;
}

/// Expects y = A x and y = A^T x up to the accuracy of a sum of doubles.
void check_file(const std::string& path) {
  cpu_context ctx(2);
  const coo<double> list = read_matrix_market<double>(ctx, path);
  const csr<double> a = to_csr(ctx, list.view());
  for (const bool by_columns : {false, true}) {
    const std::vector<double> x = fractions(by_columns ? list.num_rows : list.num_columns);
    std::vector<double> y(static_cast<std::size_t>(by_columns ? list.num_columns : list.num_rows));
    if (by_columns) {
      spmv(ctx, transposed(a.view()), x.data(), y.data());
    } else {
      spmv(ctx, a.view(), x.data(), y.data());
    }
    std::vector<double> sum(y.size()), size(y.size());
    for (std::size_t k = 0; k < list.values.size(); ++k) {
      const auto row = static_cast<std::size_t>(by_columns ? list.columns[k] : list.rows[k]);
      const auto column = static_cast<std::size_t>(by_columns ? list.rows[k] : list.columns[k]);
      sum[row] += list.values[k] * x[column];
      size[row] += std::abs(list.values[k] * x[column]);
    }
    for (std::size_t r = 0; r < y.size(); ++r) {
      // The products of the values of one file exceed a double.
      if (!std::isfinite(size[r])) continue;
      ASSERT_LE(std::abs(y[r] - sum[r]), 1e-13 * size[r]) << path << ", row " << r;
    }
  }
}

TEST(spmv_files, multiplies_every_matrix) {
  if (shared_data().empty()) GTEST_SKIP() << "no shared data; set EVENFOLD_DATA";
  int met = 0;
  for (const auto& file : std::filesystem::directory_iterator(shared_data() + "/matrices")) {
    if (file.path().extension() != ".mtx") continue;
    check_file(file.path());
    ++met;
  }
  EXPECT_GE(met, 10);
}

}  // namespace
}  // namespace evenfold::testing
