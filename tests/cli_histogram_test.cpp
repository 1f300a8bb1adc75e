// backends: host
// The command `evenfold histogram`: counts compared with an independent count, reports, the chart,
// errors.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "support/png.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

using nlohmann::json;

const std::string small_table =
    "x,w\n"
    "0,1\n"
    "1,2\n"
    "1.5,4\n"
    "2,8\n"
    "4,16\n"
    "-3,32\n"
    "9,128\n";

outcome histogram_of(const scratch_directory& scratch, const std::string& more) {
  return evenfold_run("histogram '" + scratch.write("t.csv", small_table) + "' --column x " + more);
}

json histogram_json(const scratch_directory& scratch, const std::string& more) {
  const outcome got = histogram_of(scratch, more + " --format json");
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.err, "");
  return json::parse(got.out);
}

TEST(cli_histogram, json_has_edges_counts_and_outliers) {
  const scratch_directory scratch;
  const json got = histogram_json(scratch, "--range 0:4 --bins 4");
  EXPECT_EQ(got["edges"], json({0, 1, 2, 3, 4}));
  EXPECT_EQ(got["counts"], json({1, 2, 1, 0}));
  EXPECT_EQ(got["below"], 1);
  EXPECT_EQ(got["above"], 2);
  EXPECT_EQ(got["nan"], 0);
  EXPECT_EQ(got["closed"], false);
}

TEST(cli_histogram, the_last_bin_is_closed_on_request) {
  const scratch_directory scratch;
  const json got = histogram_json(scratch, "--range 0:4 --bins 4 --closed");
  EXPECT_EQ(got["counts"], json({1, 2, 1, 1}));
  EXPECT_EQ(got["above"], 1);
}

TEST(cli_histogram, the_range_of_the_data_loses_nothing) {
  const scratch_directory scratch;
  const json got = histogram_json(scratch, "--bins 3");
  EXPECT_EQ(got["edges"], json({-3, 1, 5, 9}));
  EXPECT_EQ(got["counts"], json({2, 4, 1}));
  EXPECT_EQ(got["below"], 0);
  EXPECT_EQ(got["above"], 0);
}

TEST(cli_histogram, numbers_are_rounded_to_centres) {
  const scratch_directory scratch;
  const json got = histogram_json(scratch, "--range 0:4 --bins 5 --round");
  EXPECT_EQ(got["edges"], json({-0.5, 0.5, 1.5, 2.5, 3.5, 4.5}));
  EXPECT_EQ(got["counts"], json({1, 1, 2, 0, 1}));
  EXPECT_EQ(got["above"], 1);
}

TEST(cli_histogram, edges_and_weights_are_the_users) {
  const scratch_directory scratch;
  const json got = histogram_json(scratch, "--edges=-3,1,4 --weights w");
  EXPECT_EQ(got["edges"], json({-3, 1, 4}));
  EXPECT_EQ(got["counts"], json({33, 14}));
  EXPECT_EQ(got["below"], 0);
  EXPECT_EQ(got["above"], 144);
  EXPECT_EQ(got["nan"], 0);
}

TEST(cli_histogram, what_is_no_number_is_counted_apart) {
  const scratch_directory scratch;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {1, nan, 2, HUGE_VAL, nan, 2};
  write_npy(scratch / "x.npy", std::span<const double>(values));
  const std::string file = "histogram '" + (scratch / "x.npy") + "' --format json --bins 2";
  const json got = json::parse(evenfold_run(file + " --range 0:2").out);
  EXPECT_EQ(got["counts"], json({0, 1}));
  EXPECT_EQ(got["above"], 3);
  EXPECT_EQ(got["nan"], 2);
  expect_failure(file, 1, "inf is among the numbers, expected finite ones");
}

TEST(cli_histogram, every_device_gives_the_same) {
  const scratch_directory scratch;
  const std::string more = "--bins 7 --weights w --format csv --device ";
  const outcome got = histogram_of(scratch, more + "cpu");
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.out, histogram_of(scratch, more + "reference").out);
}

TEST(cli_histogram, table) {
  const scratch_directory scratch;
  const outcome got = histogram_of(scratch, "--range 0:4 --bins 2 --closed");
  EXPECT_EQ(got.out,
            "x             count\n"
            "────────────  ─────  ────────────────────────────────────────────────\n"
            "[0, 2)            3  ████████████████████████████████████████████████\n"
            "[2, 4]            2  ████████████████████████████████\n"
            "below             1\n"
            "above             1\n"
            "not a number      0\n");
}

TEST(cli_histogram, csv) {
  const scratch_directory scratch;
  const outcome got = histogram_of(scratch, "--range 0:4 --bins 2 --format csv");
  EXPECT_EQ(got.out, "low,high,count\n-inf,0,1\n0,2,3\n2,4,1\n4,inf,2\nnan,nan,0\n");
}

TEST(cli_histogram, picture) {
  const scratch_directory scratch;
  const std::string picture = scratch / "x.svg";
  for (const char* bins : {"3", "5000"}) {
    const outcome got =
        histogram_of(scratch, "--bins " + std::string(bins) + " --plot '" + picture + "'");
    EXPECT_EQ(got.status, 0) << got.err;
    const std::string svg = read_back(picture);
    EXPECT_EQ(svg.find("<svg "), 0u);
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    EXPECT_NE(svg.find(">x (t.csv)</text>"), std::string::npos);
    EXPECT_NE(svg.find("above: 0, not a number: 0"), std::string::npos);
  }
}

TEST(cli_histogram, an_axis_of_few_counts_has_no_fractions) {
  const scratch_directory scratch;
  const std::string picture = scratch / "x.svg";
  const std::string file = scratch.write("t.csv", "x,w\n0,0.25\n10,0.5\n10,0.25\n");
  const auto has_fractions = [&](const std::string& more) {
    const outcome got = evenfold_run("histogram '" + file + "' --column x --range 0:40 --bins 4 " +
                                     more + " --plot '" + picture + "'");
    EXPECT_EQ(got.status, 0) << got.err;
    return read_back(picture).find(">0.") != std::string::npos;
  };
  EXPECT_FALSE(has_fractions(""));
  EXPECT_TRUE(has_fractions("--weights w"));
}

// Two dots per unit of the SVG file, whose bars stand between x = 92 and 932, the tallest between
// y = 112 and 526.
TEST(cli_histogram, picture_of_dots) {
  const scratch_directory scratch;
  const std::string picture = scratch / "x.png";
  const std::string file = scratch.write("t.csv", "x\n0\n1\n1\n2\n3\n");
  const outcome got =
      evenfold_run("histogram '" + file + "' --column x --edges 0,2,4 --plot '" + picture + "'");
  ASSERT_EQ(got.status, 0) << got.err;
  const png_picture dots = read_png(picture);
  ASSERT_EQ(dots.width, 1920u);
  ASSERT_EQ(dots.height, 1200u);
  const std::array<int, 3> blue{0x44, 0x77, 0xAA}, white{255, 255, 255};
  for (const auto& [x, y, colour] :
       {std::tuple(300, 120, blue), std::tuple(300, 116, blue), std::tuple(300, 106, white),
        std::tuple(800, 300, blue), std::tuple(800, 240, white), std::tuple(940, 300, white)}) {
    EXPECT_EQ(dots.at(static_cast<std::size_t>(2 * x), static_cast<std::size_t>(2 * y)), colour)
        << x << " " << y;
  }
  const auto is_dark = [&](std::size_t x, std::size_t y) { return dots.at(x, y)[0] < 100; };
  std::size_t dark = 0;
  for (std::size_t y = 40; y < 90; ++y) {
    for (std::size_t x = 184; x < 400; ++x) dark += is_dark(x, y) ? 1 : 0;
  }
  EXPECT_GT(dark, 300u) << "the title";
}

TEST(cli_histogram, bad_options_end_with_status_2) {
  const scratch_directory scratch;
  const std::string file = "histogram '" + scratch.write("t.csv", small_table) + "' --column x ";
  expect_bad_option("histogram", "FILE");
  expect_bad_option(file + "--bins 0", "--bins");
  expect_bad_option(file + "--bins 1048577", "--bins");
  expect_bad_option(file + "--bins 1 --round", "--bins: one centre is not enough for --round");
  expect_bad_option(file + "--range 4:0", "'4:0' is not a range, expected two numbers");
  expect_bad_option(file + "--range 0:inf", "'0:inf' is not a range");
  expect_bad_option(file + "--range 5", "'5' is not a range");
  expect_bad_option(file + "--range -1e308:1e308",
                    "--range: -1e+308 to 1e+308 cannot be cut into 10 bins");
  expect_bad_option(file + "--edges 0,2,1", "1 is not finite or out of order");
  expect_bad_option(file + "--edges 0", "one edge is not enough for a bin");
  expect_bad_option(file + "--edges 0,,1",
                    "--edges: '' is not valid, expected numbers with commas");
  expect_bad_option(file + "--edges 0,one", "--edges: 'one' is not valid, expected numbers");
  expect_bad_option(file + "--edges 0,1 --bins 3", "cannot be used together");
  expect_bad_option(file + "--edges 0,1 --round", "cannot be used together");
  expect_bad_option(file + "--plot x.jpg", "'x.jpg' has no known ending, expected .svg or .png");
  expect_bad_option("histogram t.npy --weights w", "--column");
}

TEST(cli_histogram, what_cannot_be_counted_is_refused) {
  const scratch_directory scratch;
  const std::string file = "histogram '" + scratch.write("t.csv", small_table) + "' ";
  expect_failure(file + "--column y", 1, "y");
  const std::string words = scratch.write("words.csv", "x\n1\ntwo\n");
  expect_failure("histogram '" + words + "' --column x", 1, "words.csv:3: ");
  const std::string nothing = scratch.write("nothing.csv", "x\n");
  expect_failure(
      "histogram '" + nothing + "' --column x", 1,
      "there are no numbers, expected at least one to cut the range of the numbers into bins, or "
      "--range LO:HI");
}

TEST(cli_histogram, a_range_that_cannot_be_cut_into_bins_is_refused) {
  const scratch_directory scratch;
  for (const auto& [content, part] : std::vector<std::pair<std::string, std::string>>{
           {"x\n1e308\n-1e308\n",
            ": the range -1e+308 to 1e+308 cannot be cut into 10 bins, expected --range LO:HI"},
           {"x\n9007199254740992\n9007199254740993\n",
            ": the range 9007199254740992 to 9007199254740992 cannot be cut into 10 bins"},
           {"x\ninf\ninf\n", ": inf is among the numbers, expected finite ones"},
           {"x\n-inf\n1\n", ": -inf is among the numbers, expected finite ones"}}) {
    const std::string name = scratch.write("t.csv", content);
    expect_failure("histogram '" + name + "'", 1, name + part);
  }
}

/// The definition of numpy.histogram, with the range and half-open bins of the program.
TEST(cli_histogram, counts_of_real_columns) {
  const std::string folder = shared_data();
  if (folder.empty()) GTEST_SKIP() << "no data: set EVENFOLD_DATA";
  const std::string file = folder + "/hist/flights-200k.csv";
  cpu_context ctx;
  const csv_table table = csv_table::read_file(ctx, file);
  for (const char* column : {"delay", "distance", "time"}) {
    const std::vector<double> values = table.numbers(ctx, table.column(column));
    for (const int bins : {1, 24, 101, 5000}) {
      const outcome got =
          evenfold_run("histogram '" + file + "' --column " + column + " --range 0:200 --bins " +
                       std::to_string(bins) + " --format json");
      ASSERT_EQ(got.status, 0) << got.err;
      const json report = json::parse(got.out);
      const auto edges = report["edges"].get<std::vector<double>>();
      std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins), 0);
      std::uint64_t below = 0;
      std::uint64_t above = 0;
      for (const double x : values) {
        const auto after = std::upper_bound(edges.begin(), edges.end(), x);
        if (after == edges.begin()) {
          ++below;
        } else if (after == edges.end()) {
          ++above;
        } else {
          ++counts[static_cast<std::size_t>(after - edges.begin() - 1)];
        }
      }
      EXPECT_EQ(report["counts"].get<std::vector<std::uint64_t>>(), counts) << column;
      EXPECT_EQ(report["below"].get<std::uint64_t>(), below) << column;
      EXPECT_EQ(report["above"].get<std::uint64_t>(), above) << column;
      EXPECT_EQ(report["nan"], 0);
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
