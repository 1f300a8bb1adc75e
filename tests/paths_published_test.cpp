// backends: host
// Shortest paths and connected components, compared with the published answers of LDBC
// Graphalytics.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "evenfold/graph/components.hpp"
#include "evenfold/graph/sssp.hpp"
#include "evenfold/graph/sssp_verify.hpp"
#include "support/graphs.hpp"
#include "support/number_lines.hpp"
#include "support/scratch.hpp"
#include "support/weighted_graphs.hpp"

namespace evenfold::testing {
namespace {

class published_paths : public ::testing::Test {
 protected:
  void SetUp() override {
    if (data_.empty()) GTEST_SKIP() << "no shared data: set EVENFOLD_DATA";
    data_ += "/reference/ldbc/";
  }

  /// Each line of `edges` has two vertices and a weight, each line of `answers` a vertex and its
  /// distance, or the word Infinity, which is no number to a stream.
  void expect_distances(const std::string& edges, const std::string& answers, bool undirected) {
    weighted_edges<double> list;
    int vertices = 0;
    for (const auto& line : number_lines<double>(data_ + edges)) {
      ASSERT_EQ(line.size(), 3u);
      const auto u = static_cast<int>(line[0]), v = static_cast<int>(line[1]);
      vertices = std::max({vertices, u + 1, v + 1});
      list.push_back({u, v, line[2]});
      if (undirected) list.push_back({v, u, line[2]});
    }
    const auto lines = number_lines<double>(data_ + answers);
    ASSERT_GT(lines.size(), 8u);
    int source = -1;
    for (const auto& line : lines) {
      if (line.size() == 2 && line[1] == 0) source = static_cast<int>(line[0]);
    }
    const weighted_graph<cpu_context, double, int> g(ctx_, vertices, list);
    const auto got = sssp(ctx_, g.view(), {source}, {.parents = true});
    EXPECT_TRUE(sssp_verify(ctx_, g.view(), {source}, got).ok());
    for (const auto& line : lines) {
      // A vertex of the answers may have no edges.
      const auto v = static_cast<std::size_t>(line[0]);
      const double distance = v < got.distances.size() ? got.distances[v] : no_path<double>;
      EXPECT_DOUBLE_EQ(distance, line.size() == 2 ? line[1] : no_path<double>) << v;
    }
  }

  /// Each line of `lists` has a vertex and the ends of its edges, each line of `answers` a vertex
  /// and the name of its component, which is any of its vertices.
  void expect_components(const std::string& lists, const std::string& answers) {
    edge_pairs edges;
    std::int64_t vertices = 0;
    for (const auto& line : number_lines<std::int64_t>(data_ + lists)) {
      vertices = std::max(vertices, 1 + *std::max_element(line.begin(), line.end()));
      for (std::size_t i = 1; i < line.size(); ++i) edges.emplace_back(line[0], line[i]);
    }
    const test_graph<cpu_context> g(ctx_, vertices, edges);
    array<std::int32_t> labels(ctx_, vertices);
    connected_components(ctx_, g.view(), labels.data());
    const auto lines = number_lines<std::int64_t>(data_ + answers);
    ASSERT_GT(lines.size(), 6u);
    for (const auto& line : lines) {
      ASSERT_LT(std::max(line[0], line[1]), vertices);
      for (const auto& other : lines) {
        EXPECT_EQ(
            labels[static_cast<std::size_t>(line[0])] == labels[static_cast<std::size_t>(other[0])],
            line[1] == other[1])
            << line[0] << " and " << other[0];
      }
    }
  }

  cpu_context ctx_{2};
  std::string data_ = shared_data();
};

TEST_F(published_paths, distances) {
  expect_distances("sssp/dir-input.e", "sssp/dir-output", false);
  expect_distances("sssp/undir-input.e", "sssp/undir-output", true);
  expect_distances("example/example-directed.e", "example/example-directed-SSSP", false);
  expect_distances("example/example-undirected.e", "example/example-undirected-SSSP", true);
}

TEST_F(published_paths, components) {
  expect_components("wcc/dir-input", "wcc/dir-output");
  expect_components("wcc/undir-input", "wcc/undir-output");
  expect_components("example/example-directed-input", "example/example-directed-WCC");
  expect_components("example/example-undirected-input", "example/example-undirected-WCC");
}

}  // namespace
}  // namespace evenfold::testing
