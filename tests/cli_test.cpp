// backends: host
// The program: its help, its options, and its list of devices.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

TEST(cli, version_and_help) {
  const outcome version = evenfold_run("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.find("evenfold 0."), 0u) << version.out;
  for (const char* arguments : {"--help", "nearest --help", "devices --help"}) {
    const outcome help = evenfold_run(arguments);
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_GT(help.out.size(), 300u);
  }
  const std::string help = evenfold_run("nearest --help").out;
  for (const char* option : {"--group", "--name", "--lat", "--lon", "--k", "--unit", "--per-group",
                             "--output", "--plot", "--device", "--threads", "--format", "--time"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
}

TEST(cli, bad_options_end_with_status_2) {
  const scratch_directory scratch;
  const std::string file = "nearest '" + scratch.write("t.csv", "lat,g,lon,n\n0,b,0,origin\n") +
                           "' --group g --name n --lat lat --lon lon ";
  expect_bad_option("", "command is required");
  expect_bad_option("info karate.mtx other.mtx", "the argument 'other.mtx' is one too many");
  expect_bad_option("sort t.csv --device cpu --by",
                    "--by: its value is missing, expected COL[:desc],...");
  expect_bad_option("sort t.csv -x", "there is no option '-x' (see evenfold sort --help)");
  expect_bad_option("nonsense", "there is no command 'nonsense' (see evenfold --help)");
  expect_bad_option("soort t.csv --by a", "there is no command 'soort'; did you mean 'sort'? (see");
  expect_bad_option("sort t.csv --by a --ouput x",
                    "there is no option '--ouput'; did you mean '--output'? (see evenfold sort");
  expect_bad_option("sort t.csv --bye=a", "there is no option '--bye'; did you mean '--by'?");
  expect_bad_option("sort t.csv --by a --quiet", "there is no option '--quiet' (see");
  expect_bad_option("--quiet", "there is no option '--quiet' (see evenfold --help)");
  expect_bad_option("--format json info t.mtx",
                    "--format: it stands before the command, expected after 'info' (see");
  expect_bad_option("sort -- t.csv --by a", "the argument '--by' is one too many (see");
  expect_bad_option("sort t.csv --by a --by b", "--by: it is given 2 times, expected once (see");
  expect_bad_option("aggregate t.csv --op maxx", "argmax, argmin; did you mean 'max'?");
  expect_bad_option("saxpy x a.npy b.npy --output o.npy",
                    "A: 'x' is not valid, expected a number (see evenfold saxpy");
  expect_bad_option("saxpy 1e400 a.npy b.npy --output o.npy", "A: '1e400' is not valid");
  expect_bad_option("saxpy 0x10 a.npy b.npy --output o.npy", "A: '0x10' is not valid");
  for (const std::string seed : {"-1", "18446744073709551616", "one", "0x1", "1.5"}) {
    expect_bad_option(
        "generate normal --count 3 o.npy --seed " + seed,
        "--seed: '" + seed + "' is not valid, expected an integer from 0 to 18446744073709551615");
  }
  expect_bad_option("top t.csv --by a -k 0x3",
                    "-k: '0x3' is not valid, expected an integer of at least 0");
  expect_bad_option("jacobi --tolerance 1 --rows 9223372036854775808 --cols 3",
                    "--rows: '9223372036854775808' is not valid, expected an integer");
  expect_bad_option("srot t.csv --by a", "there is no command 'srot'; did you mean 'sort'? (see");
  expect_bad_option("hist t.csv", "there is no command 'hist'; did you mean 'histogram'? (see");
  expect_bad_option("aggregate t.csv --op avg", "argmax, argmin; did you mean 'mean'?");
  expect_bad_option("aggregate t.csv --op prod", "argmax, argmin; did you mean 'product'?");
  expect_bad_option("devices --threads -1",
                    "--threads: '-1' is not valid, expected an integer from 0 to 4096");
  expect_bad_option("nearest", "required");
  expect_bad_option("nearest t.csv --group g --name n --lat lat", "--lon");
  expect_bad_option(file + "--k 0", "--k");
  expect_bad_option(file + "--k 17", "--k");
  expect_bad_option(file + "--k three", "--k");
  expect_bad_option(file + "--unit yd", "--unit");
  expect_bad_option(file + "--per-group 0", "--per-group");
  expect_bad_option(file + "--format xml", "--format");
  expect_bad_option(file + "--threads -1", "--threads");
  expect_bad_option(file + "--device abacus", "--device");
  expect_bad_option(file + "--device gpu:x", "--device");
  expect_bad_option(file + "--device gpu:9999", "--device");
  expect_bad_option(file + "--surprise", "--surprise");
}

TEST(cli_devices, lists_what_is_here) {
  const outcome table = evenfold_run("devices");
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find("GB/s"), std::string::npos);
  const outcome json = evenfold_run("devices --device cpu --threads 2 --format json");
  ASSERT_EQ(json.status, 0) << json.err;
  const auto list = nlohmann::json::parse(json.out);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["device"], "cpu");
  EXPECT_EQ(list[0]["workers"], 2);
  EXPECT_GT(list[0]["memory_bytes"], 1 << 20);
  EXPECT_GT(list[0]["copy_gb_per_s"], 0);
}

}  // namespace
}  // namespace evenfold::testing
