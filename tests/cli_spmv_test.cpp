// backends: host
// The command `evenfold spmv`.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

using nlohmann::json;

/// 1 0 2
/// 3 4 5
constexpr const char* matrix =
    "%%MatrixMarket matrix coordinate real general\n2 3 5\n1 1 1\n2 1 3\n2 2 4\n1 3 2\n2 3 5\n";

class cli_spmv : public ::testing::Test {
 protected:
  json report_of(const std::string& options) const {
    const outcome got = evenfold_run("spmv " + path_ + " --format json " + options);
    EXPECT_EQ(got.status, 0) << got.err;
    return json::parse(got.out);
  }
  /// The CSV output of the command.
  std::string product(const std::string& options) const {
    const std::string out = scratch_ / "y.csv";
    const outcome got = evenfold_run("spmv " + path_ + " --output " + out + " " + options);
    EXPECT_EQ(got.status, 0) << got.err;
    return read_back(out);
  }

  scratch_directory scratch_;
  std::string path_ = scratch_.write("a.mtx", matrix);
  std::string x_ = scratch_.write("x.csv", "x\n1\n10\n100\n");
  std::string two_ = scratch_.write("two.csv", "1\n2\n");
};

TEST_F(cli_spmv, reports_what_it_multiplied) {
  for (const char* const device : {"reference", "cpu"}) {
    const json report = report_of(std::string("--repeat 3 --device ") + device);
    EXPECT_EQ(report.at("rows"), 2);
    EXPECT_EQ(report.at("columns"), 3);
    EXPECT_EQ(report.at("entries"), 5);
    EXPECT_EQ(report.at("sum"), 15);
    EXPECT_DOUBLE_EQ(report.at("norm"), std::sqrt(9. + 144.));
    EXPECT_GE(report.at("time_ms").get<double>(), 0);
    EXPECT_GE(report.at("gb_per_s").get<double>(), 0);
  }
}

TEST_F(cli_spmv, duplicate_entries_without_values_are_counted) {
  const std::string pattern = scratch_.write(
      "p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 4\n1 1\n1 2\n1 1\n2 2\n");
  for (const auto& [how, entries, sum] : {std::tuple("", 3, 4), std::tuple("sum", 3, 4),
                                          std::tuple("keep", 4, 4), std::tuple("first", 3, 3)}) {
    const std::string chosen = *how ? std::string(" --duplicates ") + how : "";
    const outcome got = evenfold_run("spmv " + pattern + " --format json" + chosen);
    ASSERT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(json::parse(got.out).at("entries"), entries) << how;
    EXPECT_EQ(json::parse(got.out).at("sum"), sum) << how;
  }
}

TEST_F(cli_spmv, multiplies_scales_and_adds) {
  EXPECT_EQ(product("--x " + x_), "y\n201\n543\n");
  EXPECT_EQ(product("--transpose --x " + two_), "y\n7\n8\n12\n");
  // With any number of repetitions, y is added once.
  EXPECT_EQ(product("--alpha 2 --beta -1 --repeat 5 --y " + two_ + " --x " + x_), "y\n401\n1084\n");
}

TEST_F(cli_spmv, writes_what_it_can_read) {
  for (const char* const name : {"y.npy", "y.mtx"}) {
    const std::string y = scratch_ / name;
    ASSERT_EQ(evenfold_run("spmv " + path_ + " --x " + x_ + " --output " + y).status, 0);
    EXPECT_EQ(product("--transpose --x " + y), "y\n1830\n2172\n3117\n");
  }
}

TEST_F(cli_spmv, adds_duplicate_entries_and_counts_patterns_as_ones) {
  const std::string twice = scratch_.write(
      "twice.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 2\n2 1\n");
  const outcome got = evenfold_run("spmv " + twice + " --format csv");
  EXPECT_NE(got.out.find("\n2,2,3,"), std::string::npos) << got.out;
  EXPECT_NE(got.out.find(",3,"), std::string::npos) << got.out;
}

TEST_F(cli_spmv, allocates_no_memory_for_the_rows_that_a_short_file_claims) {
  const std::string many = scratch_.write(
      "many.mtx", "%%MatrixMarket matrix coordinate pattern general\n2000000 2000000 1\n2 3\n");
  expect_failure("spmv " + many, 1, many + ":2: a matrix of 2000000 by 2000000 in 71 bytes");
  EXPECT_EQ(evenfold_run("spmv --trust-sizes " + many).status, 0);
}

TEST_F(cli_spmv, refuses_what_does_not_fit) {
  expect_failure("spmv " + path_ + " --header no --x " + two_, 1,
                 "expected one for each of 3 columns");
  expect_failure("spmv " + path_ + " --transpose --x " + x_, 1, "expected one for each of 2 rows");
  expect_failure("spmv " + path_ + " --beta 1 --y " + x_, 1, "expected one for each of 2 rows");
  expect_bad_option("spmv " + path_ + " --beta 1",
                    "--beta: it is the factor of y, expected --y FILE as well");
  expect_bad_option("spmv " + path_ + " --y " + two_,
                    "--y: its factor is 0, expected a --beta other than 0 as well");
  expect_bad_option("spmv " + path_ + " --output y.txt", "expected .npy or .mtx or .csv");
  expect_bad_option("spmv " + path_ + " --repeat 0", "--repeat");
}

}  // namespace
}  // namespace evenfold::testing
