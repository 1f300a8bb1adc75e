// backends: host
// The command `evenfold generate`.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "evenfold/io/npy/reader.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class generates : public ::testing::Test {
 protected:
  /// Runs `evenfold generate ARGUMENTS FILE` and returns the content of the file.
  std::string generate(const std::string& arguments, const std::string& name) {
    const std::string path = scratch / name;
    const outcome got = evenfold_run("generate " + arguments + " '" + path + "'");
    EXPECT_EQ(got.status, 0) << got.err;
    return read_back(path);
  }

  scratch_directory scratch;
};

TEST_F(generates, the_same_bytes_on_every_device) {
  for (const std::string kind :
       {"normal --count 1000", "uniform --count 1000 --high 9 --type int64",
        "normal --rows 30 --columns 40 --type float32"}) {
    const std::string one = generate(kind + " --device reference", "a.npy");
    EXPECT_EQ(one, generate(kind + " --device cpu --threads 1", "b.npy")) << kind;
    EXPECT_EQ(one, generate(kind + " --device cpu --threads 3", "c.npy")) << kind;
    EXPECT_NE(one, generate(kind + " --seed 2", "d.npy")) << kind;
  }
  // More edges than are written at a time.
  const std::string edges = generate("rmat --scale 13 --device reference", "a.txt");
  EXPECT_EQ(edges, generate("rmat --scale 13 --threads 3", "b.txt"));
  EXPECT_NE(edges, generate("kronecker --scale 13 --threads 3", "b.txt"));
}

TEST_F(generates, matrices_of_any_type_and_shape) {
  generate("uniform --rows 3 --columns 5 --low -2 --high 7 --type int64", "m.npy");
  const npy_file file(scratch / "m.npy");
  EXPECT_EQ(file.shape(), (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(file.descr(), "<i8");
  file.visit([]<class T>(matrix_view<const T> values) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 5; ++j) {
        EXPECT_GE(values(i, j), T(-2));
        EXPECT_LT(values(i, j), T(7));
      }
    }
  });
}

TEST_F(generates, graphs_in_three_formats) {
  EXPECT_EQ(generate("grid --rows 2 --columns 2", "g.mtx"),
            "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n4 3\n3 1\n4 2\n");
  EXPECT_EQ(generate("grid --rows 2 --columns 2", "g.csv"), "from,to\n0,1\n2,3\n0,2\n1,3\n");
  EXPECT_EQ(generate("grid --rows 2 --columns 2", "g.txt"),
            "# undirected graph: 4 vertices, 4 edges\n0\t1\n2\t3\n0\t2\n1\t3\n");
  EXPECT_EQ(generate("uniform-graph --vertices 1 --edges 2", "h.mtx"),
            "%%MatrixMarket matrix coordinate pattern general\n1 1 2\n1 1\n1 1\n");
}

TEST_F(generates, what_makes_no_sense_is_refused) {
  const std::string out = " '" + (scratch / "x.npy") + "'";
  expect_bad_option("generate", "generate: a second word is required, expected one of normal, ");
  expect_bad_option("generate normla --count 3 x.npy",
                    "there is no command 'generate normla'; did you mean 'normal'?");
  expect_bad_option("generate --bogus",
                    "there is no option '--bogus' (see evenfold generate --help)");
  expect_bad_option("generate normal --cuont 3 x.npy",
                    "there is no option '--cuont'; did you mean '--count'?");
  expect_bad_option("generate normal --count 3 x.npy y.npy",
                    "the argument 'y.npy' is one too many (see evenfold generate normal --help)");
  expect_bad_option("generate uniform --low 0 --high nan --count 3 x.npy",
                    "--low: 0 to nan is not an interval, expected finite numbers");
  expect_bad_option("generate normal --count 3 x.doc",
                    "'x.doc' does not say what kind of file to write, expected a name that ends "
                    "with .npy, .csv or .mtx");
  expect_bad_option("generate rmat --scale 3 x.npy",
                    "expected a name that ends with .mtx, .csv or .txt");
  expect_bad_option("generate normal" + out, "expected --count N, or --rows M --columns N");
  expect_bad_option("generate normal --count 3 --rows 2 --columns 2" + out,
                    "expected --count N, or");
  expect_bad_option("generate normal --count 3 --deviation -1" + out, "--deviation: -1");
  expect_bad_option("generate uniform --count 3 --low 5" + out,
                    "--low: 5 is too large, expected a number below --high, which is 1");
  expect_bad_option("generate uniform --count 3 --high 1.5 --type int64" + out,
                    "expected whole numbers");
  expect_bad_option("generate rmat --scale 3 --quarters 0.5,0.5,0.5 '" + (scratch / "x.mtx") + "'",
                    "whose sum is at most 1");
  expect_bad_option("generate rmat --scale 3 --quarters 0.5,,0.2,0.2" + out,
                    "--quarters: '' is not valid, expected numbers with commas");
  expect_bad_option("generate rmat --scale 3 --quarters 0.5,0.2 x.mtx", "expected three");
  // A list ends before the name of the file.
  expect_bad_option("generate rmat --scale 3 --quarters 0.5,0.2 x.mtx --threads 1",
                    "expected three");
  expect_bad_option("generate normal --rows 1099511627776 --columns 1099511627776" + out, "2^40");
  expect_failure(
      "generate uniform-graph --vertices 2 --edges 1099511627776 '" + (scratch / "x.mtx") + "'", 1,
      "of this machine");
  EXPECT_EQ(scratch.names(), std::vector<std::string>());
}

}  // namespace
}  // namespace evenfold::testing
