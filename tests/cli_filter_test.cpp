// backends: host
// The command `evenfold filter` and its conditions. sqlite_oracle.py compares its results on random
// and real tables with those of SQLite.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/tables.hpp"

namespace evenfold::testing {
namespace {

using cli_filter = table_commands;

TEST_F(cli_filter, compares_numbers_and_texts) {
  scratch.write("t.csv", "n,t\n9,a\n10,b\n,c\n10.5,\n-1,\"b\"\n");
  EXPECT_EQ(rows("filter @t.csv --where 'n>=10'"), "n,t\n10,b\n10.5,\n");
  EXPECT_EQ(rows("filter @t.csv --where 'n != 1e1'"), "n,t\n9,a\n10.5,\n-1,\"b\"\n");
  EXPECT_EQ(rows("filter @t.csv --where n=10.0"), "n,t\n10,b\n");
  EXPECT_EQ(rows("filter @t.csv --where 'n>\"10\"'"), "n,t\n9,a\n10.5,\n");
  EXPECT_EQ(rows("filter @t.csv --where 't=b' --where 'n<5'"), "n,t\n-1,\"b\"\n");
  EXPECT_EQ(rows("filter @t.csv --where 't<=b'"), "n,t\n9,a\n10,b\n-1,\"b\"\n");
  EXPECT_EQ(rows("filter @t.csv --where 't=\"\"'"), "n,t\n");
  EXPECT_EQ(rows("filter @t.csv --where 't=\"\"' --null none"), "n,t\n10.5,\n");
  scratch.write("nulls.csv", "n\n\n\n");
  EXPECT_EQ(rows("filter @nulls.csv --where 'n>text'"), "n\n");
  expect_fault(
      "filter @t.csv --where 'n>ten'",
      "@t.csv:1: the column 'n' contains numbers, expected a number as the value of --where "
      "'n>ten', or a text in quotes");
  for (const std::string value : {"99999999999999999999", "-99999999999999999999", "1e400"}) {
    const std::string condition = "n<" + value;
    expect_fault("filter @t.csv --where '" + condition + "'",
                 "@t.csv:1: the column 'n' contains numbers, expected a number that fits into 64 "
                 "bits (an integer, or a float64 such as 1e20) as the value of --where '" +
                     condition + "', or a text in quotes");
  }
  scratch.write("wide.csv", "n\n99999999999999999999\n1\n");
  expect_fault("filter @wide.csv --where 'n<5'",
               "@wide.csv:2: '99999999999999999999' in column 'n' does not fit into 64 bits, but "
               "--where 'n<5' compares numbers; quote its value to compare text, or set --null");
  expect_fault("filter @t.csv --where 't>7'",
               "@t.csv:2: 'a' in column 't' is not a number, but --where 't>7' compares numbers; "
               "quote its value to compare text, or set --null");
}

TEST_F(cli_filter, conditions_of_every_kind) {
  scratch.write("t.csv", "n,m,t,last name\n9,9.0,a,x\n10,,it's,y\n11,2,b and c,\n,5,Ab,z\n");
  // The numbers of the rows that a condition keeps.
  const auto kept = [&](const std::string& condition) {
    std::string n;
    const std::string out = rows("filter @t.csv --where \"" + condition + "\"");
    for (std::size_t at = out.find('\n') + 1; at < out.size(); at = out.find('\n', at) + 1) {
      n += (n.empty() ? "" : " ") + (out[at] == ',' ? "-" : out.substr(at, out.find(',', at) - at));
    }
    return n;
  };
  EXPECT_EQ(kept("t='a'"), "9");
  EXPECT_EQ(kept("t='it''s'"), "10");
  EXPECT_EQ(kept("t=it's"), "10");
  EXPECT_EQ(kept("'t' = 'b and c'"), "11");
  EXPECT_EQ(kept("n == 9"), "9");
  EXPECT_EQ(kept("n<>9 AND n<>10"), "11");
  EXPECT_EQ(kept("n=9 or n=10 and m is not null"), "9");
  EXPECT_EQ(kept("(n=9 or n=10) and m is null"), "10");
  EXPECT_EQ(kept("not n=9"), "10 11");
  EXPECT_EQ(kept("not (n=9 or m>100)"), "11");
  EXPECT_EQ(kept("n=9 or not n=9 or n is null"), "9 10 11 -");
  EXPECT_EQ(kept("n is null or n in (10, 11.0, 12)"), "10 11 -");
  EXPECT_EQ(kept("n not in (10,12)"), "9 11");
  EXPECT_EQ(kept("t in (a, 'it''s')"), "9 10");
  EXPECT_EQ(kept("n in ('9')"), "9");
  EXPECT_EQ(kept("n between 10 and 11"), "10 11");
  EXPECT_EQ(kept("n not between 10 and 11"), "9");
  EXPECT_EQ(kept("t ~ '^[Aa]'"), "9 -");
  EXPECT_EQ(kept("t !~ '^[Aa]' and [last name] !~ y"), "");
  EXPECT_EQ(kept("t ~ ' and '"), "11");
  // Columns side by side: 9 and 9.0 are equal, and nulls are not.
  EXPECT_EQ(kept("n=m"), "9");
  EXPECT_EQ(kept("n>m"), "11");
  EXPECT_EQ(kept("n>=[m]"), "9 11");
  EXPECT_EQ(kept("n!=\\`m\\`"), "11");
  EXPECT_EQ(kept("t<[last name]"), "9 10 -");
  EXPECT_EQ(kept("'last name'=z"), "-");
  EXPECT_EQ(kept("t='m'"), "");  // quotes mean text
  scratch.write("wide.csv", "a,b\n9007199254740993,9007199254740992.0\n0.5,0.5\n1,2\n");
  for (const auto& [op, out] : std::vector<std::pair<std::string, std::string>>{
           {"=", "0.5,0.5\n"},
           {"!=", "9007199254740993,9007199254740992.0\n1,2\n"},
           {"<", "1,2\n"},
           {"<=", "0.5,0.5\n1,2\n"},
           {">", "9007199254740993,9007199254740992.0\n"},
           {">=", "9007199254740993,9007199254740992.0\n0.5,0.5\n"}}) {
    EXPECT_EQ(rows("filter @wide.csv --where 'a" + op + "b'"), "a,b\n" + out) << op;
  }
  expect_fault("filter @t.csv --where 'n<t'",
               "@t.csv:2: 'a' in column 't' is not a number, but --where 'n<t' compares numbers; "
               "expected two columns of numbers or two of text, or set --null");
  expect_fault("filter @t.csv --where 'n in (1, m)'",
               "@t.csv:1: 'm' in --where 'n in (1, m)' is the name of a column, expected values; "
               "quote it to compare text");
}

TEST_F(cli_filter, conditions_are_refused_with_their_position) {
  scratch.write("t.csv", "n,t\n9,a\n");
  const std::string after = "expected `and`, `or` or the end";
  const std::string column = "expected the name of a column, `not` or a parenthesis";
  const std::string value = "expected a value";
  for (const auto& [condition, what] : std::vector<std::pair<std::string, std::string>>{
           {"t=a or", "7: found the end, " + column},
           {"n=9 || n=10", "5: found '||', " + after},
           {"t=a | t=b", "5: found '|', " + after},
           {"t=New York", "7: found 'York', " + after},
           {"t='é' b", "7: found 'b', " + after},
           {"(n=9", "5: found the end, expected `and`, `or` or a closing parenthesis"},
           {"n=9)", "4: found ')', " + after},
           {"n=>9", "2: found '=>', expected one of = != < <= > >= ~ !~"},
           {"n=!9", "2: found '=!', expected one of"},
           {"a b=1", "3: found 'b', expected one of"},
           {"t like 'a'", "3: found 'like', expected one of"},
           {"t='a", "3: found ''a', expected the closing '"},
           {"[t=a", "1: found '[t=a', expected the closing ]"},
           {"t=null", "3: found 'null', " + value + "; `is null`"},
           {"t=and", "3: found 'and', " + value},
           {"t=", "3: found the end, " + value},
           {"=1", "1: found '=', " + column},
           {"t is 3", "6: found '3', expected `null` or `not null`"},
           {"t not 3", "7: found '3', expected `in` or `between`"},
           {"n in 3", "6: found '3', expected a list of values in parentheses"},
           {"n in (3 4)", "9: found '4', expected a comma or a closing parenthesis"},
           {"n between 1 or 2", "13: found 'or', expected `and` and the upper bound"},
           {"t ~ '('", "5: found ''('', expected a regular expression (missing ): ()"}}) {
    expect_bad_option(placed("filter @t.csv --where \"" + condition + "\""),
                      "at character " + what);
  }
  expect_bad_option(placed("filter @t.csv --where '" + std::string(1000, '(') + "n=1'"),
                    "fewer than 200 conditions inside each other");
}

}  // namespace
}  // namespace evenfold::testing
