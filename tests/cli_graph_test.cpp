// backends: host
// The commands on graphs, one after the other on the same graph, and their errors for files that
// are not graphs and for unknown vertices.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evenfold/io/npy/reader.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class cli_graph : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return "'" + scratch_ / name + "' "; }

  void run(const std::string& arguments) {
    const outcome got = evenfold_run(arguments);
    EXPECT_EQ(got.status, 0) << arguments << ": " << got.err;
    EXPECT_EQ(got.err, "") << arguments;
  }
  nlohmann::json json(const std::string& arguments) {
    const outcome got = evenfold_run(arguments + " --format json");
    EXPECT_EQ(got.status, 0) << arguments << ": " << got.err;
    return nlohmann::json::parse(got.out, nullptr, false);
  }
  std::vector<double> column(const std::string& path) {
    std::vector<double> result;
    npy_file(path).visit([&](auto values) {
      for (int i = 0; i < values.rows(); ++i) result.push_back(static_cast<double>(values(i, 0)));
    });
    return result;
  }

  scratch_directory scratch_;
};

// A graph has the same properties, hop distances and ranks in each format.
TEST_F(cli_graph, from_command_to_command) {
  run("generate kronecker --scale 9 --edge-factor 8 " + at("k.mtx"));
  run("convert --duplicates first " + at("k.mtx") + at("k.npz"));
  run("convert --symmetrize --duplicates first " + at("k.npz") + at("both.mtx"));
  run("convert --general " + at("both.mtx") + at("both.npz"));
  const nlohmann::json facts = json("info " + at("both.mtx"));
  EXPECT_EQ(facts["symmetric"], true);
  EXPECT_EQ(facts["duplicates"], 0);
  for (const std::string& graph : {at("k.mtx") + "--undirected", at("both.npz")}) {
    SCOPED_TRACE(graph);
    const nlohmann::json same = json("info " + graph);
    for (const char* fact : {"vertices", "stored_edges", "self_loops", "components",
                             "largest_component", "degree_max", "degree_median", "degree_gini"}) {
      EXPECT_EQ(same[fact], facts[fact]) << fact;
    }
  }

  // The vertex of the highest rank has edges, so that a search from it reaches the largest
  // component.
  const nlohmann::json ranks =
      json("pagerank --tolerance 1e-12 --top 1 " + at("both.mtx") + "--output " + at("r1.npy"));
  EXPECT_EQ(ranks["converged"], true);
  EXPECT_NEAR(ranks["sum"], 1, 1e-12);
  json("pagerank --tolerance 1e-12 --device reference " + at("both.npz") + "--output " +
       at("r2.npy"));
  const std::vector<double> first = column(scratch_ / "r1.npy");
  const std::vector<double> second = column(scratch_ / "r2.npy");
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t v = 0; v < first.size(); ++v) {
    EXPECT_NEAR(first[v], second[v], 1e-12 * first[v]) << v;
  }

  const std::string best = ranks["top"][0]["vertex"];
  const nlohmann::json hops = json("bfs --verify --parents --source " + best + " " +
                                   at("both.mtx") + "--output " + at("l1.npy"));
  EXPECT_EQ(hops["verified"], true);
  EXPECT_EQ(hops["reached"], facts["largest_component"]);
  // Matrix Market numbers vertices from 1, .npz from 0.
  json("bfs --source " + std::to_string(std::stoi(best) - 1) + " " + at("both.npz") +
       "--undirected --output " + at("l2.npy"));
  EXPECT_EQ(column(scratch_ / "l1.npy"), column(scratch_ / "l2.npy"));

  // The product with ones is the vector of row sums, which are the degrees. `info` has reported the
  // largest one.
  json("spmv " + at("both.mtx") + "--output " + at("y.npy"));
  const std::vector<double> degrees = column(scratch_ / "y.npy");
  EXPECT_EQ(*std::max_element(degrees.begin(), degrees.end()), facts["degree_max"]);
}

TEST_F(cli_graph, grids_have_known_distances) {
  run("generate grid --rows 30 --columns 40 " + at("grid.mtx"));
  const nlohmann::json facts = json("info " + at("grid.mtx"));
  EXPECT_EQ(facts["components"], 1);
  EXPECT_EQ(facts["degree_min"], 2);
  EXPECT_EQ(facts["degree_max"], 4);
  for (const char* method : {"scan", "frontier", "bitmap", "direction"}) {
    const nlohmann::json hops =
        json("bfs --verify --source 1 " + at("grid.mtx") + "--method " + method);
    EXPECT_EQ(hops["depth"], 29 + 39) << method;
    EXPECT_EQ(hops["reached"], 1200) << method;
    EXPECT_EQ(hops["level_counts"][29], 30) << method;
  }
}

TEST_F(cli_graph, corner_cases) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  scratch_.write("one.mtx", banner + "1 1 0\n");
  scratch_.write("loops.mtx", banner + "3 3 3\n1 1\n2 2\n3 3\n");
  for (const std::string& graph : {at("one.mtx"), at("loops.mtx")}) {
    const nlohmann::json hops = json("bfs --verify --source 1,1 " + graph);
    EXPECT_EQ(hops["reached"], 1);
    EXPECT_EQ(hops["depth"], 0);
    EXPECT_NEAR(json("pagerank " + graph)["sum"], 1, 1e-12);
  }
  EXPECT_EQ(json("info " + at("loops.mtx"))["self_loops"], 3);
}

// All commands refuse a faulty file with the same error.
TEST_F(cli_graph, what_is_no_graph_is_refused_by_every_command) {
  scratch_.write("empty.mtx", "");
  scratch_.write("short.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n");
  scratch_.write("outside.mtx",
                 "%%MatrixMarket matrix coordinate pattern general\n% a comment\n2 2 1\n1 3\n");
  scratch_.write("text.txt", "1 2\n3 4\n5\n");
  scratch_.write("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n");
  std::filesystem::create_directory(scratch_ / "folder");
  for (const std::string command :
       {"info ", "bfs --source 1 ", "pagerank ", "spmv ", "convert --pattern "}) {
    const bool square = command != "info " && command != "spmv " && command != "convert --pattern ";
    const std::string out = command == "convert --pattern " ? at("out.npz") : "";
    expect_failure(command + at("none.mtx") + out, 1, "none.mtx");
    expect_failure(command + at("folder") + out, 1, "folder");
    expect_failure(command + at("empty.mtx") + out, 1, "empty.mtx:1:");
    expect_failure(command + at("short.mtx") + out, 1, "short.mtx:");
    expect_failure(command + at("outside.mtx") + out, 1, "outside.mtx:4:");
    expect_failure(command + at("text.txt") + out, 1, "text.txt:3:");
    if (square) expect_failure(command + at("wide.mtx"), 1, "expected a square one");
    expect_bad_option(command + at("text.txt") + out + "--threads -1", "--threads");
    expect_bad_option(command + at("text.txt") + out + "--no-such-option", "--no-such-option");
    EXPECT_FALSE(std::filesystem::exists(scratch_ / "out.npz"));
  }
  for (const char* command : {"info", "bfs", "pagerank", "spmv", "convert"}) {
    expect_bad_option(command, "is required");
  }
}

TEST_F(cli_graph, real_files) {
  const std::string data = shared_data();
  if (data.empty()) GTEST_SKIP() << "no shared data: set EVENFOLD_DATA";
  struct known {
    const char* file;
    std::int64_t vertices, edges, components, largest;
  };
  // The numbers are those of the collections; the components were computed by SciPy.
  for (const known& graph :
       {known{"karate.mtx", 34, 156, 1, 34}, known{"wiki-Vote.txt", 7115, 103689, 24, 7066},
        known{"luxembourg_osm.mtx", 114599, 239332, 1, 114599}}) {
    SCOPED_TRACE(graph.file);
    const std::string file = "'" + data + "/graphs/" + graph.file + "'";
    const nlohmann::json facts = json("info " + file);
    EXPECT_EQ(facts["vertices"], graph.vertices);
    EXPECT_EQ(facts["stored_edges"], graph.edges);
    EXPECT_EQ(facts["components"], graph.components);
    EXPECT_EQ(facts["largest_component"], graph.largest);
  }
  const std::string roads = "'" + data + "/graphs/luxembourg_osm.mtx' ";
  EXPECT_EQ(json("bfs --verify --source 1 " + roads)["depth"], 1034);
  for (const auto& file : std::filesystem::directory_iterator(data + "/matrices/malformed")) {
    const std::string name = file.path().filename().string();
    // The fault of this file is in a comment.
    if (name == "mangled7.mtx") continue;
    expect_failure("info '" + file.path().string() + "'", 1, name + ":");
  }
}

}  // namespace
}  // namespace evenfold::testing
