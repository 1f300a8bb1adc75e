// backends: host
// The command `evenfold jacobi`.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/matrix/jacobi.hpp"
#include "support/png.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// The elements of a .npy file in C order, which must be of type T.
template <class T>
std::vector<T> npy_values(const std::string& path) {
  const npy_file file(path);
  EXPECT_EQ(file.type(), element_type_of<T>());
  return file.visit([](auto view) {
    std::vector<T> values;
    for (std::int64_t i = 0; i < view.rows(); ++i) {
      for (std::int64_t j = 0; j < view.columns(); ++j) {
        values.push_back(static_cast<T>(view(i, j)));
      }
    }
    return values;
  });
}

TEST(cli_jacobi, sweeps_as_the_library_does) {
  const scratch_directory scratch;
  reference_context ctx;
  std::vector<double> grid(20 * 30, 0.25);
  const auto view = matrix_view<double>::row_major(grid.data(), 20, 30);
  set_border(ctx, view, 2, -1, 0.5, 3);
  const auto right = jacobi(ctx, view, 1e-3, 1000);
  ASSERT_TRUE(right.converged);
  for (const char* device : {"cpu", "reference"}) {
    const std::string out = scratch / "grid.npy";
    const outcome got = evenfold_run(
        "jacobi --rows 20 --cols 30 --tolerance 1e-3 --top 2 --left -1 --bottom 0.5 --right 3 "
        "--initial 0.25 --format json --device " +
        std::string(device) + " --output '" + out + "'");
    ASSERT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.err, "");
    const auto report = nlohmann::json::parse(got.out);
    EXPECT_EQ(report["rows"], 20);
    EXPECT_EQ(report["columns"], 30);
    EXPECT_EQ(report["type"], "float64");
    EXPECT_EQ(report["sweeps"], right.sweeps);
    EXPECT_EQ(report["residual"], right.residual);
    EXPECT_EQ(report["converged"], true);
    EXPECT_EQ(report["lowest"], -1);
    EXPECT_EQ(report["highest"], 3);
    EXPECT_EQ(npy_values<double>(out), grid);
  }
}

TEST(cli_jacobi, reports_for_people_and_spreadsheets) {
  const outcome csv = evenfold_run("jacobi --rows 3 --cols 3 --tolerance 0 --top 8 --format csv");
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_EQ(csv.out,
            "rows,columns,type,sweeps,converged,residual,lowest,highest\n"
            "3,3,float64,2,yes,0,0,8\n");
  const outcome table = evenfold_run("jacobi --rows 5 --cols 5 --tolerance 0 --max-sweeps 1");
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_EQ(table.out,
            "rows  columns  type     sweeps  converged  residual  lowest  highest\n"
            "────  ───────  ───────  ──────  ─────────  ────────  ──────  ───────\n"
            "   5        5  float64       1  no             0.25       0        1\n");
  EXPECT_EQ(evenfold_run("jacobi --rows 2 --cols 9 --tolerance 0 --format csv").out,
            "rows,columns,type,sweeps,converged,residual,lowest,highest\n"
            "2,9,float64,0,yes,0,0,1\n");
}

TEST(cli_jacobi, goes_on_from_a_file) {
  const scratch_directory scratch;
  const std::string from = scratch / "from.npy";
  const std::string to = scratch / "to.npy";
  std::vector<float> grid = random_fractions<float>(6 * 7);
  write_npy(from, matrix_view<const float>::row_major(grid.data(), 6, 7));
  const auto view = matrix_view<float>::row_major(grid.data(), 6, 7);
  reference_context ctx;

  const std::string command = "jacobi --tolerance 0 --max-sweeps 5 --input '" + from +
                              "' --output '" + to + "' --format json ";
  outcome got = evenfold_run(command);
  ASSERT_EQ(got.status, 0) << got.err;
  std::vector<float> expected = grid;
  jacobi(ctx, matrix_view<float>::row_major(expected.data(), 6, 7), 0, 5);
  EXPECT_EQ(npy_values<float>(to), expected);
  EXPECT_EQ(nlohmann::json::parse(got.out)["type"], "float32");

  // An option for a side replaces that side of the file, except for the corners. The extents may be
  // given again.
  got = evenfold_run(command + "--left 5 --rows 6 --cols 7");
  ASSERT_EQ(got.status, 0) << got.err;
  for (std::int64_t i = 1; i < 5; ++i) view(i, 0) = 5;
  jacobi(ctx, view, 0, 5);
  EXPECT_EQ(npy_values<float>(to), grid);

  expect_failure("jacobi --tolerance 0 --null -9 --no-header --input " +
                     scratch.write("n.csv", "0,4,0\n4,-9,4\n0,4,0\n"),
                 1, "n.csv:2: the field in column '2' is null, expected a number in every row");

  // Integers become float64.
  got = evenfold_run("jacobi --tolerance 0 --input '" +
                     scratch.write("g.csv", "0,4,0\n4,1,4\n0,4,0\n") + "' --output '" + to + "'");
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(npy_values<double>(to), (std::vector<double>{0, 4, 0, 4, 4, 4, 0, 4, 0}));
}

TEST(cli_jacobi, draws_pictures_of_any_shape) {
  const scratch_directory scratch;
  const std::string plot = scratch / "p.png";
  const auto size_of = [&](const std::string& arguments) {
    const outcome got = evenfold_run("jacobi --tolerance 1 --plot '" + plot + "' " + arguments);
    EXPECT_EQ(got.status, 0) << got.err;
    const png_picture picture = read_png(plot);
    return std::pair(static_cast<int>(picture.width), static_cast<int>(picture.height));
  };
  // The colour bar and its numbers are beside the grid. Small grids are enlarged, large ones are
  // reduced.
  const auto [width, height] = size_of("--rows 40 --cols 60");
  EXPECT_EQ(height, 40 * 10 + 40);
  EXPECT_GT(width, 60 * 10 + 80);
  EXPECT_LT(width, 60 * 10 + 200);
  EXPECT_EQ(size_of("--rows 2100 --cols 1100").second, 700 + 40);
  EXPECT_GT(size_of("--rows 3 --cols 3000").first, 1000);
  // Equal numbers, and numbers of all magnitudes.
  size_of("--rows 1 --cols 1");
  size_of("--rows 9 --cols 9 --top 0");
  size_of("--rows 9 --cols 9 --top 1e308 --bottom -1e308 --max-sweeps 0");
  size_of("--rows 9 --cols 9 --top 5e-324 --max-sweeps 0");
  size_of("--rows 9 --cols 9 --initial 1e9 --top 1000000000.0000001 --max-sweeps 0");
}

TEST(cli_jacobi, bad_options) {
  const scratch_directory scratch;
  const std::string grid = "'" + scratch.write("g.csv", "a,b,c\n1,2,3\n4,5,6\n7,8,9\n") + "' ";
  const std::string usual = "jacobi --rows 5 --cols 5 --tolerance 0.1 ";
  expect_bad_option("jacobi --rows 5 --cols 5", "--tolerance");
  expect_bad_option("jacobi --rows 5 --tolerance 0.1",
                    "--cols: the size of the grid is missing, expected a number, or --input FILE");
  expect_bad_option("jacobi --cols 5 --tolerance 0.1",
                    "--rows: the size of the grid is missing, expected a number, or --input FILE");
  expect_bad_option("jacobi --rows 0 --cols 5 --tolerance 0.1", "--rows");
  expect_bad_option("jacobi --rows 5 --cols x --tolerance 0.1", "--cols");
  expect_bad_option("jacobi --rows 4000000000 --cols 4000000000 --tolerance 0.1",
                    "--rows: a grid of 4000000000 x 4000000000 fits into no memory");
  for (const char* tolerance : {"-1", "nan", "inf", "small", "1e999"}) {
    expect_bad_option("jacobi --rows 5 --cols 5 --tolerance " + std::string(tolerance),
                      "--tolerance");
  }
  expect_bad_option(usual + "--max-sweeps -1", "--max-sweeps");
  expect_bad_option(usual + "--top nan", "--top: 'nan' is not valid, expected a finite number");
  expect_bad_option(usual + "--initial inf", "--initial");
  expect_bad_option(usual + "--output grid.csv",
                    "--output: 'grid.csv' has no known ending, expected .npy");
  expect_bad_option(usual + "--plot heat.jpg",
                    "--plot: 'heat.jpg' has no known ending, expected .svg or .png");
  expect_bad_option("jacobi --tolerance 1 --initial 0 --input " + grid, "--initial");
  expect_failure("jacobi --tolerance 1 --rows 4 --input " + grid, 1,
                 "g.csv: the grid is 3 x 3, expected 4 x 3, as --rows and --cols say");
  expect_failure("jacobi --tolerance 1 --input '" + (scratch / "no.npy") + "'", 1,
                 "no.npy: the file does not exist");
}

TEST(cli_jacobi, nothing_is_half_written) {
  const scratch_directory scratch;
  const std::string out = " --output '" + (scratch / "grid.npy") + "' ";
  // The second file cannot be written, so that the first one must not appear either.
  expect_failure(
      "jacobi --rows 5 --cols 5 --tolerance 1" + out + "--plot '" + (scratch / "no/p.png") + "'", 1,
      "no/p.png: cannot be written");
  EXPECT_TRUE(scratch.names().empty());

  std::vector<double> grid(25, 1);
  grid[7] = std::numeric_limits<double>::quiet_NaN();
  const std::string from = scratch / "from.npy";
  write_npy(from, matrix_view<const double>::row_major(grid.data(), 5, 5));
  expect_failure("jacobi --tolerance 1 --input '" + from + "'" + out, 1,
                 "from.npy: an element is NaN in sweep 1, expected finite elements");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"from.npy"});
}

}  // namespace
}  // namespace evenfold::testing
