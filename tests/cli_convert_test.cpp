// backends: host
// The command `evenfold convert`: from each format to each other format, with names kept or
// reported. Requests that make no sense are refused in one line, and nothing is written.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

struct cli_convert : ::testing::Test {
  scratch_directory scratch;

  /// Converts and returns the report.
  std::string convert(const std::string& from, const std::string& to,
                      const std::string& options = "") {
    const outcome got =
        evenfold_run("convert '" + scratch / from + "' '" + scratch / to + "' " + options);
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.err, "");
    return got.out;
  }
  std::string converted(const std::string& from, const std::string& to,
                        const std::string& options = "") {
    convert(from, to, options);
    return read_back(scratch / to);
  }
  void expect_refused(const std::string& from, const std::string& to, const std::string& options,
                      int status, const std::string& what) {
    expect_failure("convert '" + scratch / from + "' '" + scratch / to + "' " + options, status,
                   what);
    for (const std::string& name : scratch.names()) EXPECT_NE(name, to);
  }
};

const std::string triangle =
    "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n1 1 7\n2 1 0.5\n3 2 -1\n";

TEST_F(cli_convert, from_every_kind_of_file_to_every_other) {
  scratch.write("a.mtx", triangle);
  EXPECT_EQ(convert("a.mtx", "a.npz", "--format csv"),
            "rows,columns,entries_read,entries,values,symmetry,names\n"
            "4,4,5,5,float64,symmetric,replaced by numbers from 0\n");
  EXPECT_EQ(converted("a.npz", "b.mtx"),
            "%%MatrixMarket matrix coordinate real general\n4 4 5\n1 1 7\n1 2 0.5\n2 1 0.5\n"
            "2 3 -1\n3 2 -1\n");
  EXPECT_EQ(converted("a.mtx", "c.mtx"), triangle);
  EXPECT_EQ(converted("a.mtx", "d.mtx", "--general"), read_back(scratch / "b.mtx"));
  // Matrix Market numbers vertices from 1, .npz from 0. An edge list keeps these numbers.
  EXPECT_EQ(converted("a.mtx", "a.txt"),
            "# 4 vertices, 5 edges\n1\t1\t7\n1\t2\t0.5\n2\t1\t0.5\n2\t3\t-1\n3\t2\t-1\n");
  EXPECT_EQ(converted("a.npz", "a.csv", "--pattern"), "from,to\n0,0\n0,1\n1,0\n1,2\n2,1\n");
  EXPECT_EQ(converted("a.csv", "e.npz"), converted("a.csv", "f.npz", "--device reference"));
  const std::string none = "%%MatrixMarket matrix coordinate real general\n2 3 0\n";
  scratch.write("none.mtx", none);
  convert("none.mtx", "none.npz");
  EXPECT_EQ(converted("none.npz", "g.mtx"), none);
}

TEST_F(cli_convert, vertices_without_names_in_the_new_file) {
  scratch.write("a.csv", "who,whom,since\nbob,ann,1999\ncy,bob,2001\n");
  EXPECT_EQ(convert("a.csv", "a.mtx", "--pattern --format csv --names '" + scratch / "n.csv" + "'"),
            "rows,columns,entries_read,entries,values,symmetry,names\n"
            "3,3,2,2,none,general,replaced by numbers from 1\n");
  EXPECT_EQ(read_back(scratch / "a.mtx"),
            "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 1\n3 2\n");
  EXPECT_EQ(read_back(scratch / "n.csv"), "name\nann\nbob\ncy\n");
  EXPECT_EQ(converted("a.csv", "b.csv", "--columns since,who"), "from,to\n1999,bob\n2001,cy\n");

  // An edge list cannot represent the fourth vertex, which has no edge.
  scratch.write("t.mtx", triangle);
  EXPECT_EQ(convert("t.mtx", "t.csv", "--format csv"),
            "rows,columns,entries_read,entries,values,symmetry,names,isolated_left_out\n"
            "4,4,5,5,float64,symmetric,kept,1\n");
}

TEST_F(cli_convert, edited_on_the_way) {
  scratch.write("a.txt", "5 5 1\n3 5 2\n5 3 4\n3 9 8\n3 5 16\n");
  EXPECT_EQ(converted("a.txt", "sum.csv"), "from,to,weight\n3,5,18\n3,9,8\n5,3,4\n5,5,1\n");
  EXPECT_EQ(converted("a.txt", "first.csv", "--duplicates first --drop-self-loops"),
            "from,to,weight\n3,5,2\n3,9,8\n5,3,4\n");
  EXPECT_EQ(converted("a.txt", "keep.csv", "--duplicates keep"),
            "from,to,weight\n3,5,2\n3,5,16\n3,9,8\n5,3,4\n5,5,1\n");
  // The sum of the weights of both directions, or the first of them.
  EXPECT_EQ(converted("a.txt", "both.mtx", "--symmetrize"),
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 22\n2 2 1\n3 1 8\n");
  EXPECT_EQ(converted("a.txt", "union.mtx", "--symmetrize --duplicates first"),
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 2\n2 2 1\n3 1 8\n");
  // A symmetric matrix is written as a symmetric one.
  EXPECT_EQ(converted("union.mtx", "again.mtx", "--symmetrize"), read_back(scratch / "union.mtx"));
}

TEST_F(cli_convert, duplicate_entries_without_values_are_counted) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n";
  scratch.write("twice.mtx", banner + "1 2\n2 1\n1 2\n");
  EXPECT_EQ(converted("twice.mtx", "sum.mtx"),
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 2\n2 1 1\n");
  scratch.write("twice.txt", "8 9\n9 8\n8 9\n");
  EXPECT_EQ(converted("twice.txt", "sum.csv"), "from,to,weight\n8,9,2\n9,8,1\n");
  EXPECT_EQ(converted("twice.mtx", "both.mtx", "--symmetrize"),
            "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3\n");
  // Without duplicates there is nothing to sum, and the result has no values.
  EXPECT_EQ(converted("twice.mtx", "first.csv", "--duplicates first"), "from,to\n1,2\n2,1\n");
  EXPECT_EQ(converted("twice.mtx", "where.csv", "--pattern"), "from,to\n1,2\n2,1\n");
  EXPECT_EQ(convert("first.csv", "first.npz", "--format csv"),
            "rows,columns,entries_read,entries,values,symmetry,names\n"
            "2,2,2,2,none,general,replaced by numbers from 0\n");
}

TEST_F(cli_convert, what_makes_no_sense) {
  scratch.write("a.txt", "1 2\n1 2\n");
  scratch.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 1\n");
  scratch.write("c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n");
  scratch.write("bad.npz", "PK\3\4 and no more");
  expect_refused("a.txt", "x.foo", "", 2,
                 "has no known ending, expected .mtx or .npz or .txt or .csv");
  expect_refused("a.txt", "x.mtx", "--duplicates twice", 2,
                 "'twice' is unknown, expected one of keep, sum, first, refuse");
  expect_refused("a.txt", "x.mtx", "--duplicates refuse", 1,
                 "a.txt: more than one entry leads from 1 to 2, expected at most one");
  expect_refused("a.txt", "x.mtx", "--columns 1,2,3", 1, "a.txt:1: ");
  expect_refused("a.txt", "x.mtx", "--columns 1", 2,
                 "--columns '1': 1 column is named, expected FROM,TO or FROM,TO,WEIGHT");
  expect_refused("b.mtx", "x.csv", "", 1, "the matrix is 2 by 3, expected a square one");
  expect_refused("b.mtx", "x.mtx", "--symmetrize", 1,
                 "the matrix is 2 by 3, expected a square one");
  expect_refused("b.mtx", "x.mtx", "--columns a,b", 1,
                 "this is not an edge list (.txt, .csv), expected no --columns");
  expect_refused("c.mtx", "x.npz", "", 1, "c.mtx:1: the elements are complex");
  expect_refused("bad.npz", "x.mtx", "", 1, "bad.npz:1: the directory at the end of the archive");
  expect_refused("nowhere.txt", "x.mtx", "", 1, "the file does not exist");
  // Complex values are accepted if no values are read.
  EXPECT_EQ(converted("c.mtx", "c.csv", "--pattern"), "from,to\n1,1\n");
}

}  // namespace
}  // namespace evenfold::testing
