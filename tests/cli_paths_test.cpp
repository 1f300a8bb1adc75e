// backends: host
// The commands `evenfold sssp` and `evenfold components`.

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

class paths : public ::testing::Test {
 protected:
  /// `evenfold COMMAND --format json` as JSON.
  nlohmann::json facts(const std::string& command) {
    const outcome got = evenfold_run(command + " --format json");
    EXPECT_EQ(got.status, 0) << got.err;
    return nlohmann::json::parse(got.out, nullptr, false);
  }

  /// Expects that a command fails with this text in its message.
  void expect_error(const std::string& command, const std::string& text) {
    const outcome got = evenfold_run(command);
    EXPECT_NE(got.status, 0) << command;
    EXPECT_NE(got.err.find(text), std::string::npos) << got.err;
  }

  scratch_directory scratch;
  // The way from ann to dan is shorter through cid; zoe is alone.
  const std::string roads =
      scratch.write("roads.csv",
                    "from,to,km\nann,bob,1.5\nann,cid,0.25\nbob,dan,1\ncid,dan,2\ndan,eve,0\n"
                    "dan,eve,7\nzoe,zoe,3\n");
  const std::string plain = scratch.write("plain.txt", "0 1\n1 2\n0 2\n3 4\n");
};

TEST_F(paths, what_json_says) {
  const nlohmann::json got = facts("sssp " + roads + " --source ann --verify");
  EXPECT_EQ(got["vertices"], 6);
  EXPECT_EQ(got["stored_edges"], 6);  // the second edge from dan to eve is left out
  EXPECT_EQ(got["directed"], true);
  EXPECT_EQ(got["weighted"], true);
  EXPECT_EQ(got["reached"], 5);
  EXPECT_EQ(got["max_distance"], 2.25);
  EXPECT_EQ(got["verified"], true);
  EXPECT_GT(got["time_ms"], 0);

  const nlohmann::json hops = facts("sssp " + plain + " --source 0 --undirected --repeat 2");
  EXPECT_EQ(hops["weighted"], false);
  EXPECT_EQ(hops["reached"], 3);
  EXPECT_EQ(hops["max_distance"], 1);
}

TEST_F(paths, distances_and_parents_by_name) {
  const std::string out = scratch / "out.csv";
  facts("sssp " + roads + " --source ann --parents --output " + out);
  EXPECT_EQ(read_back(out),
            "vertex,distance,parent\nann,0,ann\nbob,1.5,ann\ncid,0.25,ann\ndan,2.25,cid\n"
            "eve,2.25,dan\nzoe,,\n");
  facts("sssp " + roads + " --undirected --source eve,zoe --delta 0.1 --output " + out);
  EXPECT_EQ(read_back(out), "vertex,distance\nann,2.25\nbob,1\ncid,2\ndan,0\neve,0\nzoe,0\n");
  facts("sssp " + plain + " --source 1 --output " + (scratch / "out.npy"));
  const npy_file distances(scratch / "out.npy");
  EXPECT_EQ(distances.descr(), "<f8");
  EXPECT_EQ(distances.shape(), (std::vector<std::int64_t>{5}));
}

TEST_F(paths, errors_of_sssp) {
  const std::string negative = scratch.write("negative.csv", "a,b,w\nx,y,1\ny,z,-2\n");
  expect_error("sssp " + negative + " --source x",
               "the edge from y to z weighs -2, expected a finite weight of at least 0");
  expect_error("sssp " + roads + " --source ann --parents", "nothing uses the parents");
  expect_error("sssp " + roads + " --source ann --parents --output " + (scratch / "out.npy"),
               "expected a .csv file");
  expect_error("sssp " + roads + " --source max", "there is no vertex 'max' for --source");
}

TEST_F(paths, components) {
  const std::string out = scratch / "out.csv";
  const nlohmann::json got = facts("components " + roads + " --verify --output " + out);
  EXPECT_EQ(got["components"], 2);
  EXPECT_EQ(got["largest_component"], 5);
  EXPECT_EQ(got["verified"], true);
  EXPECT_EQ(got["top"], nlohmann::json::parse(R"([{"component": "ann", "size": 5},
                                                  {"component": "zoe", "size": 1}])"));
  EXPECT_EQ(read_back(out),
            "vertex,component\nann,ann\nbob,ann\ncid,ann\ndan,ann\neve,ann\nzoe,zoe\n");
  EXPECT_EQ(facts("components " + roads + " --strong")["components"], 6);
  EXPECT_EQ(facts("components " + roads + " --strong --undirected")["components"], 2);
  EXPECT_EQ(facts("components " + roads + " --strong --verify")["verified"], true);
  EXPECT_EQ(evenfold_run("components " + plain + " --top 1 --format csv").out,
            "component,size\n0,3\n");
}

}  // namespace
}  // namespace evenfold::testing
