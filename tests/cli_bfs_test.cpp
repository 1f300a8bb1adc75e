// backends: host
// The command `evenfold bfs`.

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evenfold/io/npy/reader.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class searches : public ::testing::Test {
 protected:
  /// `evenfold bfs ARGUMENTS --format json` as JSON.
  nlohmann::json search(const std::string& arguments) {
    const outcome got = evenfold_run("bfs " + arguments + " --format json");
    EXPECT_EQ(got.status, 0) << got.err;
    return nlohmann::json::parse(got.out, nullptr, false);
  }

  scratch_directory scratch;
  // Two paths from ann to dan, and another component.
  const std::string names = scratch.write(
      "names.csv", "from,to\nann,bob\nann,cid\nbob,dan\ncid,dan\ndan,eve\ndan,eve\nzoe,zoe\n");
  // The same graph as a Matrix Market file with both directions.
  const std::string matrix = scratch.write("matrix.mtx",
                                           "%%MatrixMarket matrix coordinate pattern symmetric\n"
                                           "6 6 6\n2 1\n3 1\n4 2\n4 3\n5 4\n6 6\n");
};

TEST_F(searches, what_json_says) {
  const nlohmann::json got = search(names + " --source ann");
  EXPECT_EQ(got["vertices"], 6);
  EXPECT_EQ(got["edges"], 6);  // the two edges from dan to eve count once
  EXPECT_EQ(got["directed"], true);
  EXPECT_EQ(got["reached"], 5);
  EXPECT_EQ(got["depth"], 3);
  EXPECT_EQ(got["level_counts"], (std::vector<int>{1, 2, 1, 1}));
  EXPECT_GT(got["time_ms"], 0);
  EXPECT_GT(got["teps"], 0);
  EXPECT_NE(got["teps_definition"].get<std::string>().find("counted once"), std::string::npos);
  EXPECT_FALSE(got.contains("levels"));

  const nlohmann::json both_ways = search(matrix + " --source 5 --levels --verify --repeat 3");
  EXPECT_EQ(both_ways["edges"], 6);
  EXPECT_EQ(both_ways["stored_edges"], 11);
  EXPECT_EQ(both_ways["directed"], false);
  EXPECT_EQ(both_ways["level_counts"], (std::vector<int>{1, 1, 2, 1}));
  EXPECT_EQ(both_ways["verified"], true);
  ASSERT_EQ(both_ways["levels"].size(), 4u);
  EXPECT_EQ(both_ways["levels"][2]["level"], 2);
  EXPECT_EQ(both_ways["levels"][2]["vertices"], 2);
  EXPECT_EQ(both_ways["levels"][2]["edges"], 4);
}

TEST_F(searches, levels_and_parents_by_name) {
  const std::string out = scratch / "levels.csv";
  search(names + " --source ann --parents --output " + out);
  EXPECT_EQ(read_back(out),
            "vertex,level,parent\nann,0,ann\nbob,1,ann\ncid,1,ann\ndan,2,bob\neve,3,dan\n"
            "zoe,-1,\n");
  search(names + " --undirected --source eve,zoe --output " + out);
  EXPECT_EQ(read_back(out), "vertex,level\nann,3\nbob,2\ncid,2\ndan,1\neve,0\nzoe,0\n");
  search(matrix + " --directed --source 1,1 --output " + out);
  EXPECT_EQ(read_back(out), "vertex,level\n1,0\n2,1\n3,1\n4,2\n5,3\n6,-1\n");
}

TEST_F(searches, arrays_in_the_order_of_the_names) {
  search(names + " --source bob --output " + (scratch / "levels.npy"));
  const auto levels = npy_file(scratch / "levels.npy");
  EXPECT_EQ(levels.shape(), (std::vector<std::int64_t>{6}));
  EXPECT_EQ(levels.descr(), "<i4");
  search(names + " --source bob --parents --output " + (scratch / "both.npy"));
  const npy_file both(scratch / "both.npy");
  EXPECT_EQ(both.shape(), (std::vector<std::int64_t>{6, 2}));
  both.visit([]<class T>(matrix_view<const T> values) {
    EXPECT_EQ(values(4, 0), T(2));
    EXPECT_EQ(values(4, 1), T(3));
    EXPECT_EQ(values(0, 0), T(-1));
    EXPECT_EQ(values(0, 1), T(-1));
  });
}

TEST_F(searches, every_method_and_device_says_the_same) {
  const std::string graph = scratch / "k.txt";
  ASSERT_EQ(evenfold_run("generate kronecker --scale 10 '" + graph + "'").status, 0);
  const std::string source = read_back(graph).substr(read_back(graph).find('\n') + 1);
  const std::string from = source.substr(0, source.find('\t'));
  std::string first;
  for (const std::string method : {"auto", "scan", "frontier", "bitmap", "direction"}) {
    for (const std::string device : {"reference", "cpu --threads 3"}) {
      search(graph + " --undirected --verify --parents --source " + from + " --method " + method +
             " --device " + device + " --output " + (scratch / "l.csv"));
      if (first.empty()) first = read_back(scratch / "l.csv");
      EXPECT_EQ(read_back(scratch / "l.csv"), first) << method << " on " << device;
    }
  }
}

TEST_F(searches, tables_to_read) {
  const outcome csv = evenfold_run("bfs " + matrix + " --source 1 --levels --format csv");
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')), "level,vertices,edges,next_level,time_ms");
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 5);
  const outcome table = evenfold_run("bfs " + matrix + " --source 1 --levels");
  EXPECT_EQ(table.out.find("vertices  edges  stored_edges  directed  reached  depth"), 0u)
      << table.out;
  EXPECT_NE(table.out.find("next_level"), std::string::npos) << table.out;
}

TEST_F(searches, sources_with_commas_stand_in_quotes) {
  const std::string file = scratch.write("comma.csv", "from,to\nOslo,\"Voss, N\"\nRome,Pisa\n");
  for (const char* const source :
       {"--source '\"Voss, N\",Pisa'", "--source \"'Voss, N'\" --source Pisa"}) {
    const outcome got = evenfold_run("bfs " + file + " --undirected --format json " + source);
    ASSERT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(nlohmann::json::parse(got.out).at("level_counts"), nlohmann::json({2, 2})) << source;
  }
  std::filesystem::remove(file);
}

TEST_F(searches, what_makes_no_sense_is_refused) {
  expect_failure("bfs " + names + " --source ann,abe --header yes", 1,
                 "names.csv: there is no vertex 'abe' for --source (a name with a comma is "
                 "written in quotes), expected one of 6, from 'ann' to 'zoe'");
  expect_failure("bfs " + matrix + " --source 0", 1, "there is no vertex '0' for --source");
  expect_bad_option("bfs " + names, "--source is required");
  expect_bad_option("bfs " + names + " --source ann --method fast", "'fast' is unknown");
  expect_bad_option("bfs " + names + " --source ann --output x.txt", "expected .csv or .npy");
  expect_bad_option("bfs " + names + " --source ann --parents", "--output");
  expect_bad_option("bfs " + names + " --source ann --directed --undirected", "--directed");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"matrix.mtx", "names.csv"}));
}

}  // namespace
}  // namespace evenfold::testing
