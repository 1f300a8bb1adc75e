// backends: host
// The command `evenfold info`.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "support/png.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class cli_info : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    return "'" + scratch_.write(name, text) + "' ";
  }
  nlohmann::json info(const std::string& arguments) {
    const outcome got = evenfold_run("info " + arguments + " --format json");
    EXPECT_EQ(got.status, 0) << got.err;
    return nlohmann::json::parse(got.out, nullptr, false);
  }

  scratch_directory scratch_;
  // Two components, one of which is vertex 9 alone; a self-loop at 9, and one edge listed twice.
  const std::string edges_ = file("edges.txt", "# a comment\n1 2\n2 3\n3 1\n1 2\n1 3\n9 9\n");
};

TEST_F(cli_info, directed_graph) {
  for (const char* device : {"cpu", "reference"}) {
    const nlohmann::json facts = info(edges_ + "--device " + device);
    EXPECT_EQ(facts["kind"], "edge list");
    EXPECT_EQ(facts["vertices"], 4);
    EXPECT_EQ(facts["stored_edges"], 5);
    EXPECT_EQ(facts["symmetric"], false);
    EXPECT_EQ(facts["weights"], false);
    EXPECT_EQ(facts["self_loops"], 1);
    EXPECT_EQ(facts["duplicates"], 1);
    EXPECT_EQ(facts["components"], 2);
    EXPECT_EQ(facts["largest_component"], 3);
    EXPECT_EQ(facts["out_max"], 2);
    EXPECT_EQ(facts["in_max"], 2);
    EXPECT_EQ(facts["in_min"], 1);
    EXPECT_EQ(facts["out_mean"], 1.25);
    EXPECT_EQ(facts["out_skew"], 1.6);
  }
}

// The edges are 1 - 2, 2 - 3 and 1 - 3, which is in the file in both directions, and the self-loop.
TEST_F(cli_info, undirected_graph) {
  const nlohmann::json facts = info(edges_ + "--undirected");
  EXPECT_EQ(facts["stored_edges"], 7);
  EXPECT_EQ(facts["symmetric"], true);
  EXPECT_EQ(facts["duplicates"], 1);
  EXPECT_EQ(facts["degree_max"], 2);
  EXPECT_EQ(facts["degree_min"], 1);
  EXPECT_EQ(facts["degree_without"], 0);
  EXPECT_FALSE(facts.contains("out_max"));
}

TEST_F(cli_info, matrices) {
  const nlohmann::json symmetric = info(
      file("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 .5\n3 3 1\n"));
  EXPECT_EQ(symmetric["kind"], "Matrix Market, symmetric");
  EXPECT_EQ(symmetric["stored_edges"], 3);
  EXPECT_EQ(symmetric["symmetric"], true);
  EXPECT_EQ(symmetric["weights"], true);
  EXPECT_EQ(symmetric["components"], 2);

  const std::string wide =
      file("w.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n1 3\n");
  const nlohmann::json rectangle = info(wide);
  EXPECT_EQ(rectangle["rows"], 2);
  EXPECT_EQ(rectangle["columns"], 3);
  EXPECT_EQ(rectangle["entries"], 2);
  EXPECT_EQ(rectangle["row_without"], 1);
  EXPECT_EQ(rectangle["column_max"], 1);
  EXPECT_FALSE(rectangle.contains("components"));
  expect_failure("info " + wide + "--undirected", 1, "2 by 3, expected a square one");
}

TEST_F(cli_info, empty_graphs) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  const nlohmann::json none = info(file("none.mtx", banner + "0 0 0\n"));
  EXPECT_EQ(none["vertices"], 0);
  EXPECT_EQ(none["components"], 0);
  EXPECT_EQ(none["largest_component"], 0);
  const nlohmann::json lonely = info(file("lonely.mtx", banner + "5 5 0\n"));
  EXPECT_EQ(lonely["components"], 5);
  EXPECT_EQ(lonely["largest_component"], 1);
  EXPECT_EQ(lonely["degree_without"], 5);
  EXPECT_EQ(lonely["degree_skew"], 0);

  const std::string picture = scratch_ / "lonely.svg";
  EXPECT_EQ(evenfold_run("info '" + scratch_ / "lonely.mtx" + "' --plot '" + picture + "'").status,
            0);
  EXPECT_EQ(read_back(picture).find("nan"), std::string::npos);
}

TEST_F(cli_info, table_and_csv) {
  const outcome table = evenfold_run("info " + edges_);
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find("largest_component  3\n"), std::string::npos) << table.out;
  EXPECT_TRUE(std::regex_search(table.out, std::regex("\nout +1 +1\\.25 +1 +2"))) << table.out;
  const outcome csv = evenfold_run("info " + edges_ + "--format csv");
  EXPECT_EQ(csv.out.find("kind,vertices,stored_edges,"), 0u) << csv.out;
  EXPECT_NE(csv.out.find("\nedge list,4,5,no,no,1,1,2,3,1,1.25,1,2,"), std::string::npos)
      << csv.out;
}

// The chart has one dot per degree that occurs. Names of files are escaped.
TEST_F(cli_info, picture) {
  const std::string picture = scratch_ / "degrees.svg";
  std::string star;
  for (int leaf = 1; leaf <= 100; ++leaf) star += "0 " + std::to_string(leaf) + "\n";
  const outcome got =
      evenfold_run("info " + file("a<b.txt", star) + "--undirected --plot '" + picture + "'");
  ASSERT_EQ(got.status, 0) << got.err;
  const std::string svg = read_back(picture);
  EXPECT_NE(svg.find("a&lt;b.txt"), std::string::npos);
  EXPECT_NE(svg.find("degree: mean 2.0, largest 100<"), std::string::npos) << svg;
  const std::regex dot("M[0-9.]+ [0-9.]+h0");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), dot), {}), 2);
  EXPECT_NE(svg.find("10<tspan"), std::string::npos);

  const std::string dots = scratch_ / "degrees.png";
  ASSERT_EQ(
      evenfold_run("info " + file("a<b.txt", star) + "--undirected --plot '" + dots + "'").status,
      0);
  EXPECT_EQ(read_png(dots).width, 1920u);
}

TEST_F(cli_info, errors) {
  expect_failure("info '" + (scratch_ / "none.mtx") + "'", 1, "none.mtx");
  expect_failure("info " + file("bad.txt", "1 2\n3\n"), 1, "bad.txt:2:");
  expect_failure("info " + edges_ + "--plot '" + (scratch_ / "no/where.svg") + "'", 1, "where.svg");
  expect_bad_option("info", "GRAPH");
  expect_bad_option("info " + edges_ + "--directed --undirected", "--directed");
  expect_bad_option("info " + edges_ + "--duplicates sum", "--duplicates");
}

}  // namespace
}  // namespace evenfold::testing
