// backends: host
// The command `evenfold aggregate`. numpy_oracle.py compares its numbers with those of NumPy.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/matrix_market/array_writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

/// 3 1 4 / 1 5 9
const std::string small_table = "a,b,c\n3,1,4\n1,5,9\n";

/// A folder, and runs of the program on a file in it.
class cli_aggregate : public ::testing::Test {
 protected:
  outcome run(const std::string& name, const std::string& arguments) const {
    return evenfold_run("aggregate '" + (scratch / name) + "' " + arguments);
  }
  nlohmann::json json(const std::string& name, const std::string& arguments) const {
    const outcome got = run(name, arguments + " --format json");
    EXPECT_EQ(got.status, 0) << got.err;
    return nlohmann::json::parse(got.out, nullptr, false);
  }
  void expect_fault(const std::string& name, const std::string& arguments,
                    const std::string& what) const {
    SCOPED_TRACE(arguments);
    const std::vector<std::string> before = scratch.names();
    const outcome got = run(name, arguments);
    EXPECT_EQ(got.status, 1);
    EXPECT_EQ(got.out, "");
    EXPECT_EQ(got.err, "evenfold: error: " + (scratch / name) + what + "\n");
    EXPECT_EQ(scratch.names(), before);
  }

  scratch_directory scratch;
};

TEST_F(cli_aggregate, table_csv_and_json) {
  scratch.write("t.csv", small_table);
  EXPECT_EQ(run("t.csv", "--op sum").out, "sum\n───\n 23\n");
  EXPECT_EQ(run("t.csv", "--op max --axis rows").out, "row  max\n───  ───\n  0    4\n  1    9\n");
  EXPECT_EQ(
      run("t.csv", "--op argmin").out,
      "argmin  row  column  element\n──────  ───  ──────  ───────\n     1    0       1        "
      "1\n");
  EXPECT_EQ(run("t.csv", "--op mean --axis columns --format csv").out,
            "column,mean\na,2\nb,3\nc,6.5\n");
  EXPECT_EQ(run("t.csv", "--op argmax --axis rows --format csv").out,
            "row,argmax,element\n0,2,4\n1,2,9\n");
  EXPECT_EQ(json("t.csv", "--op product"), nlohmann::json::parse(R"({"op": "product",
    "axis": "all", "rows": 2, "columns": 3, "type": "int64", "value": 540})"));
  EXPECT_EQ(json("t.csv", "--op argmax --axis columns"), nlohmann::json::parse(R"({"op": "argmax",
    "axis": "columns", "rows": 2, "columns": 3, "names": ["a", "b", "c"], "type": "int64",
    "values": [0, 1, 1], "elements": [3, 5, 9]})"));
  EXPECT_EQ(json("t.csv", "--op argmax"), nlohmann::json::parse(R"({"op": "argmax", "axis": "all",
    "rows": 2, "columns": 3, "type": "int64", "value": 5, "row": 1, "column": 2, "element": 9})"));
}

TEST_F(cli_aggregate, several_operations_are_several_columns) {
  scratch.write("t.csv", small_table);
  EXPECT_EQ(run("t.csv", "--op sum,mean,max --format csv").out,
            "sum,mean,max\n23,3.8333333333333335,9\n");
  EXPECT_EQ(run("t.csv", "--op min,argmax --axis columns").out,
            "column  min  argmax  argmax_element\n──────  ───  ──────  ──────────────\n"
            "a         1       0               3\nb         1       1               5\n"
            "c         4       1               9\n");
  EXPECT_EQ(json("t.csv", "--op sum,argmax"), nlohmann::json::parse(R"({"axis": "all", "rows": 2,
    "columns": 3, "results": [{"op": "sum", "type": "int64", "value": 23}, {"op": "argmax",
    "type": "int64", "value": 5, "row": 1, "column": 2, "element": 9}]})"));
  const std::string output = " --axis rows --output '" + (scratch / "o.npy") + "'";
  EXPECT_EQ(run("t.csv", "--op sum,mean" + output).status, 0);
  npy_file(scratch / "o.npy").visit([](auto values) {
    ASSERT_EQ(values.rows(), 2);
    ASSERT_EQ(values.columns(), 2);
    EXPECT_EQ(values(1, 0), 15);
    EXPECT_EQ(values(1, 1), 5);
  });
  EXPECT_EQ(run("t.csv", "--op sum,median").status, 2);
}

TEST_F(cli_aggregate, every_kind_of_file) {
  const std::vector<double> values = {3, 1, 4, 1, 5, 9};
  const auto view = matrix_view<const double>::row_major(values.data(), 2, 3);
  write_npy(scratch / "a.npy", view);
  write_matrix_market_array(scratch / "a.mtx", view);
  scratch.write("a.csv", small_table);
  scratch.write("no_header.csv", "3,1,4\n1,5,9\n");
  scratch.write("quoted.csv", "\"a\",b,c\n\"3\",1,4\n1, 5 ,+9\n");
  scratch.write("a.csv.gz", gzip(small_table));
  // The format is recognised by the content, not by the name.
  scratch.write("mtx.npy", read_back(scratch / "a.mtx"));
  scratch.write("npy.gz", gzip(read_back(scratch / "a.npy")));
  for (const char* name : {"a.npy", "a.mtx", "a.csv", "no_header.csv", "quoted.csv", "a.csv.gz",
                           "mtx.npy", "npy.gz"}) {
    EXPECT_EQ(json(name, "--op sum --axis columns")["values"], (std::vector<int>{4, 6, 13}))
        << name;
  }
  EXPECT_EQ(json("a.csv", "--op sum --column b")["value"], 6);
  EXPECT_EQ(json("no_header.csv", "--op sum --column 3")["value"], 13);
  expect_fault("a.npy", "--op sum --column b",
               ": the column 'b' was asked for, expected a CSV file; .npy files do not name "
               "columns");
  expect_fault("a.csv", "--op sum --column d",
               ":1: there is no column 'd', expected one of 'a', 'b', 'c'");
}

TEST_F(cli_aggregate, every_digit) {
  const std::vector<std::int64_t> extremes = {std::numeric_limits<std::int64_t>::max(), 0,
                                              std::numeric_limits<std::int64_t>::min()};
  write_npy(scratch / "i.npy", std::span<const std::int64_t>(extremes));
  EXPECT_EQ(run("i.npy", "--op max --format csv").out, "max\n9223372036854775807\n");
  EXPECT_EQ(json("i.npy", "--op min")["value"], extremes[2]);
  EXPECT_EQ(json("i.npy", "--op sum")["value"], -1);
  scratch.write("u.csv", "x\n18446744073709551615\n18446744073709551614\n");
  EXPECT_EQ(json("u.csv", "--op max")["value"], 18446744073709551615u);
  EXPECT_EQ(json("u.csv", "--op min")["type"], "uint64");

  const std::vector<float> floats = {0.1f, 1e-45f};
  write_npy(scratch / "f.npy", std::span<const float>(floats));
  EXPECT_EQ(run("f.npy", "--op max --format csv").out, "max\n0.1\n");
  EXPECT_EQ(json("f.npy", "--op max")["value"], static_cast<double>(0.1f));
  EXPECT_EQ(json("f.npy", "--op min")["value"], static_cast<double>(1e-45f));
}

TEST_F(cli_aggregate, what_json_has_no_number_for) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {inf, 1, std::nan(""), 2, -inf, 3};
  write_npy(scratch / "a.npy", matrix_view<const double>::row_major(values.data(), 3, 2));
  EXPECT_EQ(json("a.npy", "--op max --axis rows")["values"],
            nlohmann::json::parse(R"(["inf", "nan", 3])"));
  EXPECT_EQ(json("a.npy", "--op argmin --axis columns")["elements"],
            nlohmann::json::parse(R"(["nan", 1])"));
  EXPECT_EQ(json("a.npy", "--op sum")["value"], "nan");
}

TEST_F(cli_aggregate, output_files) {
  scratch.write("t.csv", small_table);
  EXPECT_EQ(run("t.csv", "--op sum --axis rows --output '" + (scratch / "o.npy") + "'").status, 0);
  npy_file(scratch / "o.npy").visit([](auto values) {
    ASSERT_EQ(values.rows(), 2);
    EXPECT_EQ(values(0, 0), 8);
    EXPECT_EQ(values(1, 0), 15);
  });
  EXPECT_EQ(run("t.csv", "--op sum --axis rows --output '" + (scratch / "o.csv") + "'").status, 0);
  EXPECT_EQ(read_back(scratch / "o.csv"), "row,sum\n0,8\n1,15\n");
  EXPECT_EQ(run("t.csv", "--op sum --output '" + (scratch / "none/o.npy") + "'").status, 1);
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"o.csv", "o.npy", "t.csv"}));
}

TEST_F(cli_aggregate, no_answer_is_an_integer_that_was_rounded) {
  scratch.write("t.csv", "x,y\n9007199254740993,1\n0.5,9007199254740992\n");
  const std::string rounded =
      " in column 'x' is an integer that float64 would round, and all numbers are read as float64 "
      "since they are neither all int64 nor all uint64; expected only such integers";
  for (const char* op : {"max", "min", "argmax", "argmin"}) {
    expect_fault("t.csv", std::string("--column x --op ") + op, ":2: '9007199254740993'" + rounded);
  }
  expect_failure("fold --column x --op max '" + (scratch / "t.csv") + "'", 1,
                 "'9007199254740993' in column 'x' is an integer that float64 would round");
  // Sums of doubles are rounded. Integers that a double represents, and columns of integers only,
  // are exact.
  EXPECT_EQ(json("t.csv", "--column x --op sum")["value"], 9007199254740992.5);
  EXPECT_EQ(run("t.csv", "--column y --op max --format csv").out, "max\n9007199254740992\n");
  scratch.write("i.csv", "x\n9007199254740993\n1\n");
  EXPECT_EQ(run("i.csv", "--op max --format csv").out, "max\n9007199254740993\n");
  scratch.write("w.csv", "x\n-1\n18446744073709551615\n");
  scratch.write("h.csv", "x\n100000000000000000000\n99999999999999999999\n");
  scratch.write("n.csv", "x\n1\n-9223372036854775809\n");
  const std::string neither =
      " in column 'x' is an integer that int64 cannot represent, and uint64 cannot represent all "
      "of them, so that sums and products would be rounded; expected only int64 or only uint64";
  for (const auto& [name, line, number] : {std::tuple{"w.csv", "3", "18446744073709551615"},
                                           std::tuple{"h.csv", "3", "99999999999999999999"},
                                           std::tuple{"n.csv", "3", "-9223372036854775809"}}) {
    const std::string fault = std::string(":") + line + ": '" + number + "'" + rounded;
    expect_fault(name, "--op max", fault);
    expect_failure("fold --op max '" + (scratch / name) + "'", 1, fault);
  }
  // The sum of -1 and 2^63 is no double, although both are.
  scratch.write("s.csv", "x\n-1\nNA\n9223372036854775808\n");
  for (const char* op : {"sum", "product", "max,sum"}) {
    expect_fault("w.csv", std::string("--op ") + op, ":3: '18446744073709551615'" + neither);
    expect_fault("h.csv", std::string("--op ") + op, ":2: '100000000000000000000'" + neither);
    expect_fault("s.csv", std::string("--null NA --op ") + op,
                 ":4: '9223372036854775808'" + neither);
    expect_failure(std::string("fold --op ") + op + " '" + (scratch / "w.csv") + "'", 1, neither);
  }
  EXPECT_EQ(json("s.csv", "--op max --null NA")["value"], 9223372036854775808.);
  EXPECT_EQ(json("w.csv", "--op mean")["value"], 9223372036854775808.);
}

TEST_F(cli_aggregate, what_has_no_answer) {
  scratch.write("big.csv", "x,y\n9223372036854775807,-9223372036854775807\n1,2\n");
  expect_fault("big.csv", "--op sum --axis columns",
               ": the sum of column 0 does not fit into 64 bits, expected less than 2^63, or "
               "floating-point numbers");
  expect_fault("big.csv", "--op product",
               ": the product of all elements does not fit into 64 bits, expected less than 2^63, "
               "or floating-point numbers");
  EXPECT_EQ(json("big.csv", "--op sum")["value"], 3);

  scratch.write("none.csv", "x,y\n");
  EXPECT_EQ(json("none.csv", "--op sum")["value"], 0);
  EXPECT_EQ(json("none.csv", "--op max --axis rows")["values"], nlohmann::json::array());
  expect_fault("none.csv", "--op max --axis columns",
               ": the max of no elements is not defined (the matrix is 0 x 2), expected at least "
               "one, or --op sum or product");
}

TEST_F(cli_aggregate, bad_options) {
  scratch.write("t.csv", small_table);
  for (const char* arguments : {"", "--op median", "--op sum --axis 0", "--op sum --output o.txt",
                                "--op sum --format xml", "--op sum --device abacus"}) {
    const outcome got = run("t.csv", arguments);
    EXPECT_EQ(got.status, 2) << arguments;
    EXPECT_EQ(got.err.find("evenfold: error: "), 0u) << got.err;
  }
}

}  // namespace
}  // namespace evenfold::testing
