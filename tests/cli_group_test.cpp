// backends: host
// The commands `evenfold group`, `top` and `select`. sqlite_oracle.py compares their results on
// random tables with those of SQLite.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class cli_group : public ::testing::Test {
 protected:
  std::string rows(const std::string& command, const std::string& options) const {
    const outcome got = evenfold_run(command + " " + scratch / "t.csv" + " " + options);
    EXPECT_EQ(got.status, 0) << options << ": " << got.err;
    return got.out;
  }
  std::string fault(const std::string& command, const std::string& options) const {
    const outcome got = evenfold_run(command + " " + scratch / "t.csv" + " --output " +
                                     scratch / "out.csv" + " " + options);
    EXPECT_NE(got.status, 0) << options;
    EXPECT_EQ(got.out, "");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"t.csv"});
    return got.err;
  }
  void expect_fault(const std::string& command, const std::string& options,
                    const std::string& part) const {
    const std::string message = fault(command, options);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  scratch_directory scratch;
};

TEST_F(cli_group, prints_the_keys_and_the_aggregates_as_given) {
  scratch.write("t.csv", "g,n,x,t\nb,1,0.5,\"p, q\"\na,2,,r\nb,3,1.5,s\n,9,,\n a,4,-1e3,z\n");
  EXPECT_EQ(rows("group", "--by g --agg 'count(*)'"), "g,count(*)\n a,1\na,1\nb,2\n,1\n");
  EXPECT_EQ(rows("group", "--by g --agg 'count(), sum(n),count( x ),mean(x)'"),
            "g,count(),sum(n),count( x ),mean(x)\n a,1,4,1,-1000\na,1,2,0,\nb,2,4,2,1\n,1,9,0,\n");
  EXPECT_EQ(rows("group", "--by g:desc --agg 'min(t),max(x),first(x),last(n)'"),
            "g,min(t),max(x),first(x),last(n)\nb,\"p, q\",1.5,0.5,3\na,r,,,2\n a,z,-1e3,-1e3,4\n"
            ",,,,9\n");
  EXPECT_EQ(
      rows("group", "--by g --order appearance --agg 'median(n),p25(x),variance(n),stddev(x)'"),
      "g,median(n),p25(x),variance(n),stddev(x)\nb,2,0.75,2,0.7071067811865476\na,2,,,\n"
      ",9,,,\n a,4,-1000,,\n");
}

TEST_F(cli_group, tells_columns_with_one_name_apart) {
  scratch.write("t.csv", "k,count()\na,1\n");
  EXPECT_EQ(rows("group", "--by 'k,k,count()' --agg 'count(),count()'"),
            "k,k_,count(),count()_,count()__\na,a,1,1,1\n");
}

TEST_F(cli_group, groups_texts_in_quotes_with_those_without) {
  scratch.write("t.csv", "k,x\nb,1\n\"a\",2\na,3\n,4\n\"\",5\n\"a\"\"b\",6\n\"a\"\"b\",7\nNA,8\n");
  EXPECT_EQ(rows("group", "--by k --agg 'sum(x)'"),
            "k,sum(x)\n\"\",5\nNA,8\n\"a\",5\n\"a\"\"b\",13\nb,1\n,4\n");
  EXPECT_EQ(rows("group", "--by k:desc --null NA --agg 'sum(x)'"),
            "k,sum(x)\nb,1\n\"a\"\"b\",13\n\"a\",5\n,9\nNA,8\n");
}

TEST_F(cli_group, sums_integers_exactly_and_compares_all_64_bits) {
  scratch.write("t.csv",
                "k,n,m\n1,9007199254740993,18446744073709551615\n1,2,18446744073709551614\n2,,\n");
  EXPECT_EQ(rows("group", "--by k --agg 'sum(n),max(m),min(m)'"),
            "k,sum(n),max(m),min(m)\n1,9007199254740995,18446744073709551615,18446744073709551614\n"
            "2,,,\n");
  expect_fault("group", "--by k --agg 'sum(m)'", "'sum(m)' might not fit into 64 bits, expected");
}

TEST_F(cli_group, refuses_what_it_does_not_understand) {
  scratch.write("t.csv", "k,n\n1,2\n1,x\n");
  expect_fault("group", "--by k --agg 'sum(n)'",
               "t.csv:3: 'x' in column 'n' is not a number, but --agg 'sum(n)' needs numbers");
  expect_fault("group", "--by k --agg 'sum(m)'",
               "there is no column 'm', expected one of 'k', 'n'");
  expect_fault("group", "--by j --agg 'count()'", "there is no column 'j'");
  expect_fault("group", "--by k --agg 'avg(n)'", "there is no aggregate 'avg', expected one of");
  expect_fault("group", "--by k --agg 'avg(n)'", "did you mean 'mean'?");
  expect_fault("group", "--by k --agg 'p101(n)'", "'p101' is not a percentile");
  expect_fault("group", "--by k --agg 'sum'", "there is no column in parentheses after 'sum'");
  expect_fault("group", "--by k --agg 'sum()'", "a name is missing");
  expect_fault("group", "--by k --agg 'sum(n'", "the closing parenthesis is missing");
  expect_fault("group", "--by k --agg 'sum(n) max(n)'", "'max(n)' after a closing parenthesis");
  expect_fault("group", "--by k --agg 'count(),'", "the name of an aggregate is missing");
  expect_fault("top", "--by n -k -1", "-k");
  expect_fault("top", "--by n --per j", "there is no column 'j'");
  expect_fault("select", "--columns k,m", "there is no column 'm'");
  expect_fault("select", "--columns n-k", "column 'k' comes before 'n'");
}

TEST_F(cli_group, keeps_the_first_rows_of_all_or_of_each_group) {
  scratch.write("t.csv", "g,x\nb,2\na,3\nb,\na,2\nb,5\n");
  EXPECT_EQ(rows("top", "--by x -k 2"), "g,x\nb,2\na,2\n");
  EXPECT_EQ(rows("top", "--by x:desc -k 1 --per g"), "g,x\na,3\nb,5\n");
  EXPECT_EQ(rows("top", "--by x:desc,g -k 9 --per g:desc"), "g,x\nb,5\nb,2\nb,\na,3\na,2\n");
  EXPECT_EQ(rows("top", "--by x -k 0"), "g,x\n");
}

TEST_F(cli_group, selects_columns_and_ranges_in_any_order) {
  scratch.write("t.csv", "a,b-c,c,d\n1,\"2, \",3,4\n");
  EXPECT_EQ(rows("select", "--columns d,a"), "d,a\n4,1\n");
  EXPECT_EQ(rows("select", "--columns b-c,c-d,c"), "b-c,c,d,c_\n\"2, \",3,4,3\n");
  EXPECT_EQ(rows("select", "--columns a,a,d,a"), "a,a_,d,a__\n1,1,4,1\n");
  EXPECT_EQ(rows("select", "--columns '\"b-c\"-d'"), "b-c,c,d\n\"2, \",3,4\n");
  EXPECT_EQ(rows("select", "--header no --columns 3-4,1"), "c,d,a\n3,4,1\n");
}

}  // namespace
}  // namespace evenfold::testing
