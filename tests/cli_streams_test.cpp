// backends: host
// What every command reads and writes besides plain files: standard input and output, pipes, and
// files that are compressed while they are written.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class cli_streams : public ::testing::Test {
 protected:
  /// Runs a command that reads the text from a pipe.
  outcome piped(const std::string& text, const std::string& arguments) const {
    return evenfold_run(arguments, scratch.write("in", text));
  }
  std::string text_of(const std::string& name) const {
    return std::string(file_text(scratch / name).text());
  }

  scratch_directory scratch;
};

TEST_F(cli_streams, commands_read_standard_input) {
  EXPECT_EQ(piped("a,b\n2,x\n1,y\n", "sort - --by a").out, "a,b\n1,y\n2,x\n");
  EXPECT_EQ(piped(gzip("a\n2\n1\n"), "filter - --where 'a>1'").out, "a\n2\n");
  EXPECT_EQ(piped("x\n1\n2\n", "aggregate - --op sum --format csv").out, "sum\n3\n");
  EXPECT_EQ(piped("x\n1\n4\n", "fold - --op max --format csv").status, 0);
  EXPECT_NE(piped("1 2\n2 3\n", "bfs - --source 1 --format json").out.find("\"depth\": 2"),
            std::string::npos);
  EXPECT_NE(piped("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "info -")
                .out.find("Matrix Market"),
            std::string::npos);
  const std::string right = scratch.write("r.csv", "a,c\n1,z\n");
  EXPECT_EQ(piped("a,b\n2,x\n1,y\n", "join - '" + right + "' --on a").out, "a,b,c\n1,y,z\n");
  EXPECT_EQ(
      piped("a\n1,2\n", "sort - --by a").err,
      "evenfold: error: standard input:2: the record has 2 fields, expected 1 as in the first\n");
  // Ten rows, not eight as in the octal system.
  EXPECT_EQ(piped("a\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "top - --by a -k 010").out,
            "a\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  EXPECT_EQ(
      piped("a;b\n1,5;2\n", "sort - --by a").err,
      "evenfold: error: standard input:2: the record has 2 fields, expected 1 as in the first; "
      "is ';' the delimiter?\n");
  EXPECT_NE(piped("a,b\n1,2\n", "select - --columns b-a").err.find("'b' in standard input,"),
            std::string::npos);
  EXPECT_EQ(piped("1 2\n", "bfs - --source 9").err,
            "evenfold: error: standard input: there is no vertex '9' for --source, expected one of "
            "2, from '1' to '2'\n");
  for (const std::string arguments :
       {"join - - --on a", "dot - -", "saxpy 1 - - --output x.npy", "spmv - --x -"}) {
    expect_bad_option(arguments, "'-' is standard input, which is also the input");
  }
}

TEST_F(cli_streams, commands_write_to_standard_output) {
  const std::string table = " '" + scratch.write("t.csv", "a,b\n2,x\n1,y\n") + "' ";
  EXPECT_EQ(evenfold_run("sort" + table + "--by a --output -").out, "a,b\n1,y\n2,x\n");
  // The report makes room for the output.
  const outcome sums = evenfold_run("aggregate" + table + "--column a --op sum --axis rows" +
                                    " --format json --output -");
  EXPECT_EQ(sums.out, "row,sum\n0,2\n1,1\n");
  EXPECT_NE(sums.err.find("\"op\": \"sum\""), std::string::npos) << sums.err;
  const std::string graph = " '" + scratch.write("g.txt", "1 2\n2 3\n") + "' ";
  EXPECT_EQ(evenfold_run("bfs" + graph + "--source 2 --output -").out,
            "vertex,level\n1,-1\n2,0\n3,1\n");
  EXPECT_EQ(evenfold_run("convert" + graph + "-").out, "from,to\n1,2\n2,3\n");
  EXPECT_EQ(evenfold_run("generate uniform --count 2 --type int64 --low 3 --high 4 -").out,
            "x\n3\n3\n");
  EXPECT_EQ(evenfold_run("jacobi --rows 3 --cols 3 --tolerance 1 --output -").out.substr(1, 5),
            "NUMPY");
  expect_bad_option("jacobi --rows 3 --cols 3 --tolerance 1 --output - --plot -",
                    "--plot: '-' is also the output of --output");
}

TEST_F(cli_streams, outputs_that_end_in_gz_are_compressed) {
  const std::string table = " '" + scratch.write("t.csv", "a,b\n2,x\n1,y\n") + "' ";
  const auto written = [&](const std::string& arguments, const std::string& name) {
    const outcome got = evenfold_run(arguments + " '" + (scratch / name) + "'");
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(read_back(scratch / name).substr(0, 2), "\x1f\x8b") << name;
    return text_of(name);
  };
  EXPECT_EQ(written("sort" + table + "--by a --output", "s.csv.gz"), "a,b\n1,y\n2,x\n");
  EXPECT_EQ(written("aggregate" + table + "--column a --op sum --output", "x.npy.gz").substr(1, 5),
            "NUMPY");
  EXPECT_EQ(written("aggregate" + table + "--column a --op sum --output", "x.csv.gz"), "sum\n3\n");
  EXPECT_EQ(written("generate grid --rows 2 --columns 1", "g.mtx.gz").substr(0, 14),
            "%%MatrixMarket");
  EXPECT_EQ(written("convert '" + (scratch / "g.mtx.gz") + "'", "g.txt.gz"),
            "# 2 vertices, 2 edges\n1\t2\n2\t1\n");
  EXPECT_EQ(written("histogram" + table + "--column a --plot", "h.svg.gz").substr(0, 4), "<svg");
  // The file is as it was if the command fails.
  scratch.write("old.csv.gz", "old");
  EXPECT_EQ(
      evenfold_run("sort" + table + "--by c --output '" + (scratch / "old.csv.gz") + "'").status,
      1);
  EXPECT_EQ(read_back(scratch / "old.csv.gz"), "old");
}

TEST(output_files, are_compressed_in_pieces_of_any_size) {
  const scratch_directory scratch;
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i * 7919LL % 10'007) + "\n";
  const auto write = [&](const std::string& name, std::size_t piece) {
    output_file file(scratch / name);
    for (std::size_t at = 0; at < text.size(); at += piece) {
      file.write(std::string_view(text).substr(at, piece));
    }
    file.commit();
    return read_back(scratch / name);
  };
  const std::string whole = write("a.gz", text.size());
  EXPECT_LT(whole.size(), text.size() / 2);
  EXPECT_EQ(write("b.gz", 1000), whole);  // and has no time in it
  EXPECT_EQ(file_text(scratch / "b.gz").text(), text);
  output_file empty(scratch / "empty.gz");
  empty.commit();
  EXPECT_EQ(file_text(scratch / "empty.gz").text(), "");
  EXPECT_EQ(read_back(scratch / "empty.gz").substr(0, 2), "\x1f\x8b");
}

}  // namespace
}  // namespace evenfold::testing
