// backends: host
// The commands `evenfold fold`, `dot` and `saxpy`.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/report/fold_check.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

const std::string eight = "x\n3\n1\n4\n1\n5\n9\n2\n6\n";
const std::string eleven = eight + "5\n3\n5\n";

/// Input files, quoted for the shell.
class inputs {
 public:
  std::string csv(const std::string& text) {
    return "'" + scratch_.write(next() + ".csv", text) + "' ";
  }
  template <class T>
  std::string npy(const std::vector<T>& values) {
    const std::string path = scratch_ / (next() + ".npy");
    write_npy(path, std::span<const T>(values));
    return "'" + path + "' ";
  }
  template <class T>
  std::string npy(const std::vector<T>& values, int rows, int columns) {
    const std::string path = scratch_ / (next() + ".npy");
    write_npy(path, matrix_view<const T>::row_major(values.data(), rows, columns));
    return "'" + path + "' ";
  }
  std::string path(const std::string& name) const { return scratch_ / name; }

 private:
  std::string next() { return "input" + std::to_string(count_++); }

  scratch_directory scratch_;
  int count_ = 0;
};

nlohmann::json json_from(const std::string& arguments) {
  const outcome got = evenfold_run(arguments + " --format json");
  EXPECT_EQ(got.status, 0) << got.err;
  return nlohmann::json::parse(got.out, nullptr, false);
}

/// The numbers of a file, row by row.
std::vector<double> elements(const std::string& path) {
  return npy_file(path).visit([](auto matrix) {
    std::vector<double> result;
    for (int i = 0; i < matrix.rows(); ++i) {
      for (int j = 0; j < matrix.columns(); ++j) {
        result.push_back(static_cast<double>(matrix(i, j)));
      }
    }
    return result;
  });
}

TEST(cli_fold, golden_traces) {
  inputs in;
  const std::string page = read_back(EVENFOLD_SOURCE_DIR "/docs/folds.md");
  for (const auto& [length, text] : {std::pair("8", &eight), std::pair("11", &eleven)}) {
    const std::string file = in.csv(*text);
    for (const std::string strategy : {"array_folding", "tournament"}) {
      for (const char* device : {"reference", "cpu"}) {
        SCOPED_TRACE(strategy + " " + length + " " + device);
        const outcome got = evenfold_run("fold " + file + "--trace --check --strategy " + strategy +
                                         " --device " + device);
        EXPECT_EQ(got.err, "");
        EXPECT_EQ(got.status, 0);
        EXPECT_EQ(got.out, read_back(EVENFOLD_SOURCE_DIR "/tests/golden/fold_" + strategy + "_" +
                                     length + ".txt"));
        EXPECT_NE(page.find(got.out.substr(0, got.out.find("\n\n"))), std::string::npos)
            << "docs/folds.md shows something else";
      }
    }
  }
}

TEST(cli_fold, table_and_csv) {
  inputs in;
  const std::string file = in.csv("a,b\n1,2.5\n3,0.25\n");
  EXPECT_EQ(evenfold_run("fold " + file + "--column b --op product").out,
            "strategy  op       type     count  value\n"
            "────────  ───────  ───────  ─────  ─────\n"
            "tiled     product  float64      2  0.625\n");
  EXPECT_EQ(evenfold_run("fold " + file +
                         "--column a --op max --strategy tournament --check "
                         "--format csv")
                .out,
            "strategy,op,type,count,rounds,invariant,value\n"
            "tournament,max,int64,2,1,holds,3\n");
}

TEST(cli_fold, several_operations) {
  inputs in;
  const std::string file = in.csv("3\n1\n4\n");
  EXPECT_EQ(evenfold_run("fold " + file + "--op sum,product,max --format csv").out,
            "strategy,op,type,count,value\n"
            "tiled,sum,int64,3,8\ntiled,product,int64,3,12\ntiled,max,int64,3,4\n");
  const auto got = json_from("fold " + file + "--op max,min --strategy tournament --trace");
  ASSERT_EQ(got["results"].size(), 2u);
  EXPECT_EQ(got["results"][1]["op"], "min");
  EXPECT_EQ(got["results"][1]["value"], 1);
  EXPECT_EQ(got["results"][0]["trace"][1], nlohmann::json({3, nullptr, 4}));
  EXPECT_EQ(evenfold_run("fold " + in.csv("2\n5\n") + "--op min,max --trace --strategy tournament")
                .out.find("min:\n"),
            0u);
  expect_bad_option("fold " + file + "--op sum,mean", "'mean' is unknown");
  expect_bad_option("fold " + file + "--op sum,,max", "'' is unknown");
  expect_bad_option("fold " + file + "--op sum,", "'' is unknown");
}

TEST(cli_fold, json_holds_the_trace) {
  inputs in;
  const auto got = nlohmann::ordered_json::parse(
      evenfold_run("fold " + in.csv("5\n7\n9\n") +
                   "--strategy tournament --trace --check --op min --format json")
          .out);
  const auto expected = nlohmann::ordered_json::parse(R"({
    "strategy": "tournament", "op": "min", "type": "int64", "count": 3, "rounds": 2,
    "invariant": "holds", "trace": [[5, 7, 9], [5, null, 9], [5, null, null]], "value": 5})");
  EXPECT_EQ(got.dump(), expected.dump());
}

TEST(cli_fold, every_strategy_operator_and_type) {
  inputs in;
  const std::string files[] = {in.npy<std::int8_t>({100, -3, 100, 7, 1, 1, 2}),
                               in.npy<std::uint16_t>({60000, 1, 60000, 7}),
                               in.npy<float>({0.5f, 2, -8}), in.npy<double>({0.5, 1e300, -8, 3, 4}),
                               in.npy<std::int32_t>({1, 2, 3, 4, 5, 6}, 2, 3)};
  const double expected[][4] = {{208, -420000, 100, -3},
                                {120008, 25200000000, 60000, 1},
                                {-5.5, -8, 2, -8},
                                {1e300, -4.8e301, 1e300, -8},
                                {21, 720, 6, 1}};
  const char* const types[] = {"int64", "uint64", "float32", "float64", "int64"};
  const char* const operators[] = {"sum", "product", "max", "min"};
  for (int f = 0; f < 5; ++f) {
    for (int op = 0; op < 4; ++op) {
      for (const std::string strategy : {"array_folding --check", "tournament --check", "tiled"}) {
        const auto got =
            json_from("fold " + files[f] + "--op " + operators[op] + " --strategy " + strategy);
        EXPECT_EQ(got["type"], types[f]);
        EXPECT_EQ(got["value"].get<double>(), expected[f][op])
            << types[f] << " " << operators[op] << " " << strategy;
      }
    }
  }
}

TEST(cli_fold, digits_nan_and_nothing) {
  inputs in;
  const std::string tenths = in.npy<float>({0.1f});
  EXPECT_EQ(json_from("fold " + tenths)["value"].get<double>(), double{0.1f});
  EXPECT_NE(evenfold_run("fold " + tenths).out.find(" 0.1\n"), std::string::npos);
  const std::string nan = in.npy<double>({1, std::nan(""), 3});
  for (const std::string op : {"sum", "product", "max", "min"}) {
    for (const std::string strategy : {"array_folding --check", "tournament --check", "tiled"}) {
      const outcome got = evenfold_run("fold " + nan + "--op " + op + " --strategy " + strategy);
      EXPECT_EQ(got.status, 0) << got.err;
      EXPECT_NE(got.out.find(" nan\n"), std::string::npos) << op << " " << strategy << got.out;
    }
  }
  const std::string none = in.csv("x\n");
  EXPECT_EQ(json_from("fold " + none)["value"], 0);
  EXPECT_EQ(json_from("fold " + none + "--op product --strategy tournament --check")["value"], 1);
  EXPECT_EQ(evenfold_run("fold " + none + "--trace --strategy array_folding").out,
            "strategy       op   type   count  rounds  value\n"
            "─────────────  ───  ─────  ─────  ──────  ─────\n"
            "array_folding  sum  int64      0       0      0\n");
  expect_failure("fold " + none + "--op max", 1,
                 "the max of its values is not defined, expected at least one value");
}

TEST(cli_fold, integers_that_might_not_fit_are_refused) {
  inputs in;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const std::string large = in.npy<std::int64_t>({most, -1});
  expect_failure("fold " + large, 1,
                 "the sum of its values might not fit into 64 bits, expected magnitudes that add "
                 "up to less than 2^63, or floating-point numbers");
  EXPECT_EQ(json_from("fold " + large + "--op product")["value"], -most);
  EXPECT_EQ(json_from("fold " + in.npy<std::int64_t>({most - 1, -1}))["value"], most - 2);
  expect_failure("fold " + in.npy<std::int64_t>({most, 2, 0}) + "--op product", 1,
                 "magnitudes other than 0 that multiply to less than 2^63");
  constexpr auto all_bits = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(json_from("fold " + in.npy<std::uint64_t>({all_bits, 0}))["value"], all_bits);
  expect_failure("fold " + in.npy<std::uint64_t>({all_bits, 1}), 1, "less than 2^64");
}

TEST(cli_fold, options_that_make_no_sense) {
  inputs in;
  const std::string file = in.csv(eight);
  const std::string none = "tiled has no rounds, expected --strategy array_folding or tournament";
  expect_bad_option("fold " + file + "--trace", "--trace: " + none);
  expect_bad_option("fold " + file + "--check --strategy tiled", "--check: " + none);
  expect_bad_option("fold " + file + "--trace --strategy tournament --format csv",
                    "--trace: CSV cannot contain a picture");
  expect_bad_option("fold " + in.npy(std::vector<int>(33)) + "--trace --strategy tournament",
                    "a picture of 33 values is too wide, expected at most 32");
  EXPECT_EQ(
      json_from("fold " + in.npy(std::vector<int>(33)) + "--trace --strategy tournament")["trace"]
          .size(),
      7u);
  expect_bad_option("fold " + file + "--op mean", "--op");
  expect_bad_option("fold " + file + "--strategy fastest", "--strategy");
  expect_bad_option("fold", "FILE");
  expect_failure("fold " + file + "--column y", 1, "'y'");
  expect_failure("fold nowhere.npy", 1, "nowhere.npy");
}

TEST(cli_fold, the_check_names_the_broken_cell) {
  const auto message = [](fold_strategy strategy, std::size_t cell, std::int64_t found,
                          std::int64_t expected) {
    return cli::broken_invariant(strategy, 2, {cell, found, expected});
  };
  EXPECT_EQ(message(fold_strategy::array_folding, 1, 18, 17),
            "the invariant of array_folding is broken after round 2: cell 1 is 18, expected 17, "
            "the fold of its residue class");
  EXPECT_EQ(message(fold_strategy::tournament, 4, 21, 22),
            "the invariant of tournament is broken after round 2: cell 4 is 21, expected 22, the "
            "fold of its block of 4");
}

TEST(cli_dot, sums_products) {
  inputs in;
  const std::string two = in.csv("a,b\n1,2\n3,4\n-5,6\n");
  EXPECT_EQ(evenfold_run("dot " + two + two + "--column a,b").out,
            "type   count  value\n"
            "─────  ─────  ─────\n"
            "int64      3    -16\n");
  EXPECT_EQ(evenfold_run("dot " + two + two + "--column b --format csv").out,
            "type,count,value\nint64,3,56\n");
  const std::string fractions = in.npy<float>({0.5f, 0.25f, -1});
  EXPECT_EQ(json_from("dot " + fractions + fractions)["type"], "float32");
  const auto mixed = json_from("dot " + fractions + two + "--column ,b");
  EXPECT_EQ(mixed["type"], "float64");
  EXPECT_EQ(mixed["value"], -4.);
  EXPECT_EQ(json_from("dot " + two + two)["count"], 6);
  EXPECT_EQ(json_from("dot " + in.csv("x\n") + in.csv("x\n"))["value"], 0);
}

TEST(cli_dot, refuses) {
  inputs in;
  expect_failure("dot " + in.csv(eight) + in.csv(eleven), 1, "11 x 1 numbers, expected 8 x 1, as ");
  const std::string nulls = in.csv("x\n1\n-9\n3\n");
  expect_failure("dot --null -9 " + nulls + nulls, 1,
                 ":3: the field in column 'x' is null, expected");
  expect_failure("saxpy 1 --null -9 --output no.npy " + nulls + nulls, 1, "is null, expected");
  EXPECT_EQ(json_from("dot --null -7 " + nulls + nulls)["value"], 91);
  const std::string large = in.npy<std::int64_t>({std::int64_t{1} << 32, 0});
  expect_failure("dot " + large + large, 1,
                 "expected magnitudes of the products that add up to less than 2^63");
  expect_bad_option("dot " + large, "Y");
}

TEST(cli_saxpy, writes_the_sum) {
  inputs in;
  const std::string out = in.path("out.npy");
  const std::string x = in.npy<float>({1, 2, 3}), y = in.npy<float>({10, 20, 30});
  EXPECT_EQ(evenfold_run("saxpy 0.5 " + x + y + "--output '" + out + "' --format csv").out,
            "type,rows,columns,output\nfloat32,3,1," + out + "\n");
  EXPECT_EQ(npy_file(out).type(), element_type::float32);
  EXPECT_EQ(elements(out), (std::vector<double>{10.5, 21, 31.5}));
  EXPECT_EQ(npy_file(out).shape(), (std::vector<std::int64_t>{3}));

  const std::string square = in.npy<std::int32_t>({1, 2, 3, 4}, 2, 2);
  const auto report = json_from("saxpy -2 " + square + square + "--output '" + out + "'");
  EXPECT_EQ(report["type"], "float64");
  EXPECT_EQ(report["rows"], 2);
  EXPECT_EQ(report["columns"], 2);
  EXPECT_EQ(npy_file(out).shape(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(elements(out), (std::vector<double>{-1, -2, -3, -4}));
}

// The commands read so many numbers in pieces, here of files with different orders of elements.
TEST(cli_fold, many_numbers) {
  const scratch_directory scratch;
  constexpr int rows = 300, columns = 2001;
  std::vector<std::uint8_t> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint8_t>(i * i % 251);
  const auto by_column =
      matrix_view<const std::uint8_t>::column_major(values.data(), rows, columns);
  std::vector<std::int8_t> others(values.size());
  std::int64_t total = 0, product = 0;
  std::vector<double> sums;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(i * columns + j);
      others[at] = static_cast<std::int8_t>(static_cast<int>(at % 255) - 127);
      total += by_column(i, j);
      product += by_column(i, j) * by_column(i, j);
      sums.push_back(0.5 * by_column(i, j) + others[at]);
    }
  }
  write_npy(scratch / "x.npy", by_column);
  write_npy(scratch / "y.npy",
            matrix_view<const std::int8_t>::row_major(others.data(), rows, columns));
  const std::string x = "'" + (scratch / "x.npy") + "' ", y = "'" + (scratch / "y.npy") + "' ";
  EXPECT_EQ(json_from("fold " + x)["value"], total);
  EXPECT_EQ(json_from("fold " + x + "--op max")["value"], 249);
  EXPECT_EQ(json_from("fold " + y + "--op min")["value"], -127);
  EXPECT_EQ(json_from("dot " + x + x)["value"], product);
  const std::string out = scratch / "sum.npy";
  EXPECT_EQ(evenfold_run("saxpy 0.5 " + x + y + "--output '" + out + "'").status, 0);
  EXPECT_EQ(elements(out), sums);
  std::vector<std::int64_t> counts(251);
  for (const std::uint8_t value : values) ++counts[value];
  EXPECT_EQ(json_from("histogram " + x + "--bins 251 --range 0:251")["counts"], counts);
}

TEST(cli_saxpy, refuses_and_writes_nothing) {
  inputs in;
  const std::string out = in.path("out.npy"), x = in.csv(eight);
  expect_failure("saxpy 1 " + x + in.csv(eleven) + "--output '" + out + "'", 1, "expected 8 x 1");
  expect_bad_option("saxpy one " + x + x + "--output '" + out + "'", "one");
  expect_bad_option("saxpy 1 " + x + x, "--output");
  expect_bad_option("saxpy 1 " + x + x + "--output sum.csv",
                    "'sum.csv' has no known ending, expected .npy");
  EXPECT_FALSE(std::filesystem::exists(out));
  expect_failure("saxpy 1 " + x + x + "--output '" + in.path("no/out.npy") + "'", 1, "no/out.npy");
}

}  // namespace
}  // namespace evenfold::testing
