// backends: host
// The commands `evenfold triangles`, `kcore`, `betweenness`, `mst` and `spgemm`.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

using nlohmann::json;

class graph_kernels : public ::testing::Test {
 protected:
  json report(const std::string& arguments) {
    const outcome got = evenfold_run(arguments + " --format json");
    EXPECT_EQ(got.status, 0) << got.err;
    return json::parse(got.out, nullptr, false);
  }

  scratch_directory scratch;
  // Two triangles with a common edge, bob - cid, and a way from dan to eve; one edge is repeated,
  // one is a self-loop.
  const std::string path = scratch.write(
      "edges.csv",
      "from,to\nann,bob\nbob,cid\ncid,ann\nbob,dan\ndan,cid\ndan,eve\nann,bob\neve,eve\n");
  const std::string out = scratch / "out.csv";
};

TEST_F(graph_kernels, triangles) {
  const json got =
      report("triangles " + path + " --undirected --clustering --verify --output " + out);
  EXPECT_EQ(got.at("vertices"), 5);
  EXPECT_EQ(got.at("directed"), false);
  EXPECT_EQ(got.at("triangles"), 2);
  EXPECT_EQ(got.at("verified"), true);
  EXPECT_DOUBLE_EQ(got.at("mean_clustering"), (1 + 2. / 3 + 2. / 3 + 1. / 3) / 5);
  EXPECT_EQ(read_back(out),
            "vertex,triangles,clustering\nann,1,1\nbob,2,0.6666666666666666\n"
            "cid,2,0.6666666666666666\ndan,1,0.3333333333333333\neve,0,0\n");
  // One direction of every edge is half of the pairs.
  const json one_way = report("triangles " + path + " --clustering");
  EXPECT_EQ(one_way.at("triangles"), 2);
  EXPECT_DOUBLE_EQ(one_way.at("mean_clustering"), got.at("mean_clustering").get<double>() / 2);
  EXPECT_FALSE(report("triangles " + path).contains("mean_clustering"));
}

TEST_F(graph_kernels, kcore) {
  const json got = report("kcore " + path + " --verify --output " + out);
  EXPECT_EQ(got.at("vertices"), 5);
  EXPECT_EQ(got.at("max_core"), 2);
  EXPECT_EQ(got.at("in_max_core"), 4);
  EXPECT_EQ(got.at("verified"), true);
  EXPECT_EQ(read_back(out), "vertex,core\nann,2\nbob,2\ncid,2\ndan,2\neve,1\n");
}

// Of equal weights the first counts; a weight may be negative, but not infinite.
TEST_F(graph_kernels, mst) {
  const json got = report("mst " + path + " --undirected --verify --output " + out);
  EXPECT_EQ(got.at("vertices"), 5);
  EXPECT_EQ(got.at("weighted"), false);
  EXPECT_EQ(got.at("trees"), 1);
  EXPECT_EQ(got.at("edges"), 4);
  EXPECT_EQ(got.at("total_weight"), 4);
  EXPECT_EQ(got.at("verified"), true);
  EXPECT_EQ(read_back(out), "from,to,weight\nann,bob,1\nann,cid,1\nbob,dan,1\ndan,eve,1\n");
  const std::string roads = scratch.write("roads.csv", "a,b,2.5\nc,a,-1\nb,c,0\nd,e,4\n");
  const json weighted = report("mst " + roads + " --verify --output " + out);
  EXPECT_EQ(weighted.at("trees"), 2);
  EXPECT_EQ(weighted.at("total_weight"), 3);
  EXPECT_EQ(read_back(out), "from,to,weight\nb,c,0\nc,a,-1\nd,e,4\n");
  const std::string far = scratch.write("far.csv", "a,b,2\nb,c,inf\n");
  const outcome refused = evenfold_run("mst " + far);
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("expected a finite weight\n"), std::string::npos) << refused.err;
}

// Two circles of two, and one edge between them.
TEST_F(graph_kernels, strong_components) {
  const std::string circles = scratch.write("circles.csv", "from,to\na,b\nb,a\nb,c\nc,d\nd,c\n");
  const json got = report("components " + circles + " --strong --verify --output " + out);
  EXPECT_EQ(got.at("components"), 2);
  EXPECT_EQ(got.at("verified"), true);
  EXPECT_EQ(read_back(out), "vertex,component\na,a\nb,a\nc,c\nd,c\n");
}

TEST_F(graph_kernels, betweenness) {
  const json got = report("betweenness " + path + " --undirected --verify --top 2 --output " + out);
  EXPECT_EQ(got.at("sources"), 5);
  EXPECT_EQ(got.at("verified"), true);
  ASSERT_EQ(got.at("top").size(), 2);
  EXPECT_EQ(got.at("top")[0].at("vertex"), "dan");
  EXPECT_EQ(got.at("top")[0].at("betweenness"), 3);
  EXPECT_EQ(read_back(out), "vertex,betweenness\nann,0\nbob,1\ncid,1\ndan,3\neve,0\n");
  EXPECT_EQ(
      evenfold_run("betweenness " + path + " --undirected --normalized --top 1 --format csv").out,
      "vertex,betweenness\ndan,0.5\n");

  const std::string few = "betweenness " + path + " --samples 2 --verify --seed ";
  EXPECT_EQ(report(few + "1").at("sources"), 2);
  EXPECT_EQ(report(few + "1").at("top"), report(few + "1").at("top"));
  EXPECT_EQ(report("betweenness " + path + " --samples 9").at("sources"), 5);
  expect_bad_option("betweenness " + path + " --samples -1", "--samples");
  expect_bad_option("triangles " + path + " --output out.npy",
                    "has no known ending, expected .csv");
}

TEST_F(graph_kernels, products_of_matrices) {
  const std::string file = scratch.write("a.mtx",
                                         "%%MatrixMarket matrix coordinate real general\n"
                                         "2 3 3\n1 1 2\n1 3 3\n2 2 -1\n");
  const std::string by = scratch.write("b.mtx",
                                       "%%MatrixMarket matrix coordinate pattern general\n"
                                       "3 2 3\n1 2\n2 1\n3 2\n");
  const std::string product = scratch / "c.mtx";
  const json got = report("spgemm " + file + " --by " + by + " --output " + product);
  EXPECT_EQ(got.at("rows"), 2);
  EXPECT_EQ(got.at("columns"), 2);
  EXPECT_EQ(got.at("entries"), 2);
  EXPECT_EQ(got.at("sum"), 4);
  EXPECT_EQ(read_back(product),
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5\n2 1 -1\n");
  expect_failure("spgemm " + file, 1,
                 "the matrix has 2 rows, expected one for each of the 3 columns");
  EXPECT_EQ(report("spgemm " + path).at("entries"), 9);
}

TEST_F(graph_kernels, products_of_edge_lists_have_names) {
  const std::string likes = scratch.write("likes.csv", "ann,tea\nann,milk\nbob,tea\n");
  const std::string tags = scratch.write("tags.csv", "tea,hot,2\nmilk,cold,1\n7,cold,1\n");
  const std::string command = "spgemm " + likes + " --header no --by ";
  const std::string product = "from,to,weight\nann,cold,1\nann,hot,2\nbob,hot,2\n";
  EXPECT_EQ(evenfold_run(command + tags + " --output -").out, product);
  // Not numbers of vertices, but names: both lists have three vertices, and none in common.
  const std::string others = scratch.write("others.txt", "1 2 5\n2 3 4\n");
  EXPECT_EQ(evenfold_run(command + others + " --output -").out, "from,to,weight\n");
  EXPECT_EQ(evenfold_run("spgemm " + others + " --header no --output -").out,
            "from,to,weight\n1,3,20\n");
  // A matrix has no names.
  const std::string matrix = scratch.write("m.mtx",
                                           "%%MatrixMarket matrix coordinate real general\n"
                                           "4 4 1\n3 1 2\n");
  EXPECT_EQ(evenfold_run(command + matrix + " --output -").out, "from,to,weight\nann,ann,2\n");
  EXPECT_EQ(evenfold_run("spgemm " + matrix + " --by " + likes + " --header no --output -").out,
            "from,to,weight\nmilk,milk,2\nmilk,tea,2\n");
  EXPECT_EQ(evenfold_run("spgemm " + matrix + " --output -").out,
            "%%MatrixMarket matrix coordinate real general\n4 4 0\n");
  const std::string wide = scratch.write("w.mtx",
                                         "%%MatrixMarket matrix coordinate real general\n"
                                         "4 1 1\n1 1 2\n");
  expect_failure(command + wide + " --output " + (scratch / "x.csv"), 1,
                 "the product is 4 by 1, expected a square one");
  EXPECT_EQ(evenfold_run(command + wide + " --output -").out,
            "%%MatrixMarket matrix coordinate real general\n4 1 0\n");
}

}  // namespace
}  // namespace evenfold::testing
