// backends: host
// No command overwrites a file that it reads, or writes two results to one file, by whatever names
// and links the files are given.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class cli_separate_files : public ::testing::Test {
 protected:
  /// The arguments, where ^ stands for `in` and @ for `out`.
  static std::string placed(const std::string& arguments, const std::string& in,
                            const std::string& out) {
    std::string text;
    for (const char c : arguments) text += c == '^' ? in : c == '@' ? out : std::string(1, c);
    return text;
  }

  scratch_directory scratch;
};

TEST_F(cli_separate_files, no_command_writes_over_its_input) {
  const std::string numbers = "x,y\n1,2\n3,4\n", places = "g,n,lat,lon\na,b,1,2\na,c,1,3\n";
  const std::string graph = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n";
  struct call {
    std::string text, arguments, ending, input;
  };
  const std::vector<call> calls = {
      {numbers, "aggregate ^ --op sum --output @", ".csv", "FILE"},
      {graph, "bfs ^ --source 1 --output @", ".npy", "GRAPH"},
      {graph, "convert ^ @", ".npz", "MATRIX"},
      {graph, "convert ^ none.npz --names @", ".csv", "MATRIX"},
      {numbers, "filter ^ --where 'x>1' --output @", ".csv", "FILE"},
      {numbers, "sort ^ --by x --output @", ".csv", "FILE"},
      {numbers, "unique ^ --by x --output @", ".csv", "FILE"},
      {numbers, "join ^ /dev/null --on x --output @", ".csv", "LEFT"},
      {numbers, "join /dev/null ^ --on x --output @", ".csv", "RIGHT"},
      {numbers, "search ^ /dev/null --on x --output @", ".csv", "NEEDLES"},
      {numbers, "search /dev/null ^ --on x --output @", ".csv", "HAYSTACK"},
      {numbers, "histogram ^ --plot @", ".svg", "FILE"},
      {graph, "info ^ --plot @", ".svg", "GRAPH"},
      {numbers, "jacobi --input ^ --tolerance 1 --output @", ".npy", "--input"},
      {numbers, "jacobi --input ^ --tolerance 1 --plot @", ".png", "--input"},
      {places, "nearest ^ --group g --name n --lat lat --lon lon --output @", ".csv", "FILE"},
      {places, "nearest ^ --group g --name n --lat lat --lon lon --plot @", ".svg", "FILE"},
      {graph, "pagerank ^ --output @", ".csv", "GRAPH"},
      {numbers, "pagerank /dev/null --personalize ^ --output @", ".csv", "--personalize"},
      {numbers, "saxpy 1 ^ /dev/null --output @", ".npy", "X"},
      {numbers, "saxpy 1 /dev/null ^ --output @", ".npy", "Y"},
      {graph, "spmv ^ --output @", ".mtx", "MATRIX"},
      {numbers, "spmv /dev/null --x ^ --output @", ".csv", "--x"},
      {numbers, "spmv /dev/null --y ^ --beta 1 --output @", ".csv", "--y"}};
  for (const call& each : calls) {
    SCOPED_TRACE(each.arguments);
    const std::string in = scratch.write("in" + each.ending, each.text);
    const std::string hard = scratch / "hard" + each.ending, soft = scratch / "soft" + each.ending;
    std::filesystem::create_hard_link(in, hard);
    std::filesystem::create_symlink(in, soft);
    const std::vector<std::string> before = scratch.names();
    for (const std::string& out : {in, scratch / "./in" + each.ending, hard, soft}) {
      expect_bad_option(placed(each.arguments, in, out),
                        " is the input " + each.input + ", expected another file");
    }
    EXPECT_EQ(read_back(in), each.text);
    EXPECT_EQ(scratch.names(), before);
    for (const std::string& path : {in, hard, soft}) std::filesystem::remove(path);
  }
}

TEST_F(cli_separate_files, an_empty_name_is_no_file) {
  const std::string numbers = scratch.write("n.csv", "x,y\n1,2\n3,4\n");
  const std::string graph = scratch.write("g.txt", "1 2\n2 1\n");
  for (const std::string arguments :
       {"sort ^ --by x --output ''", "sort '' --by x", "join ^ '' --on x",
        "saxpy 1 ^ '' --output @", "spgemm @ --by ''", "spmv @ --y ''", "spmv @ --x ''",
        "pagerank @ --personalize ''", "convert @ - --names ''", "jacobi --input '' --tolerance 1",
        "bfs '' --source 1", "nearest ^ --group x --name x --lat x --lon y --output ''"}) {
    expect_bad_option(placed(arguments, numbers, graph),
                      "its value is empty, expected the name of a file");
  }
}

TEST_F(cli_separate_files, two_outputs_are_two_files) {
  const std::string places = scratch.write("p.csv", "g,n,lat,lon\na,b,1,2\na,c,1,3\n");
  const std::string nearest =
      "nearest '" + places + "' --group g --name n --lat lat --lon lon --output ^ --plot @";
  const std::string graph = scratch.write("g.csv", "from,to\na,b\n");
  const std::string same = scratch / "n.svg",
                    other = scratch / "../" +
                            std::filesystem::path(scratch / "").parent_path().filename().string() +
                            "/n.svg";
  expect_bad_option(placed(nearest, same, same),
                    "is also the output of --output, expected another file");
  expect_bad_option(placed(nearest, same, other),
                    "is also the output of --output, expected another file");
  expect_bad_option("convert '" + graph + "' n.csv --names n.csv",
                    "is also the output of OUT, expected another file");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"g.csv", "p.csv"}));
  // Several results may be written to a device.
  EXPECT_EQ(evenfold_run(placed(nearest, "/dev/null", "/dev/null")).status, 0);
}

}  // namespace
}  // namespace evenfold::testing
