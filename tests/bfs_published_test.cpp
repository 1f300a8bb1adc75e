// backends: host
// Hop distances in graphs, compared with published answers and those of other programs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/bfs_verify.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "support/graphs.hpp"
#include "support/number_lines.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class published_hops : public ::testing::Test {
 protected:
  using graph_type = test_graph<cpu_context>;

  void SetUp() override {
    if (data_.empty()) GTEST_SKIP() << "no shared data: set EVENFOLD_DATA";
  }

  /// The levels from one source, on which all methods agree.
  bfs_result<std::int32_t> search(const graph_type& g, std::int32_t source) {
    bfs_result<std::int32_t> first;
    for (const bfs_method method :
         {bfs_method::direction, bfs_method::frontier, bfs_method::bitmap, bfs_method::scan}) {
      // The method `scan` is left out if there are a thousand levels.
      if (method == bfs_method::scan && first.depth > 100) continue;
      auto got = bfs(ctx_, g.view(), {source}, {.method = method, .parents = true});
      const bfs_report report = bfs_verify(ctx_, g.view(), {source}, got);
      EXPECT_TRUE(report.ok()) << report.text();
      if (first.levels.empty())
        first = std::move(got);
      else
        EXPECT_EQ(to_host(ctx_, got.levels), to_host(ctx_, first.levels));
    }
    return first;
  }

  /// Each line has a vertex and its level, or the largest 64-bit number for a vertex that is not
  /// reached.
  void expect_ldbc(const graph_type& g, const std::string& answers) {
    std::int32_t source = -1;
    const auto lines = number_lines<std::int64_t>(data_ + "/reference/ldbc/" + answers);
    for (const auto& line : lines) {
      if (line[1] == 0) source = static_cast<std::int32_t>(line[0]);
    }
    const auto found = search(g, source);
    ASSERT_GT(lines.size(), 8u);
    for (const auto& line : lines) {
      ASSERT_LT(line[0], g.num_vertices());
      const bool reached = line[1] != std::numeric_limits<std::int64_t>::max();
      EXPECT_EQ(found.levels[static_cast<std::size_t>(line[0])], reached ? line[1] : -1) << line[0];
    }
  }

  /// Each line has a vertex and the ends of its edges.
  graph_type adjacency(const std::string& name) {
    edge_pairs edges;
    std::int64_t vertices = 0;
    for (const auto& line : number_lines<std::int64_t>(data_ + "/reference/ldbc/" + name)) {
      vertices = std::max(vertices, 1 + *std::max_element(line.begin(), line.end()));
      for (std::size_t i = 1; i < line.size(); ++i) edges.emplace_back(line[0], line[i]);
    }
    return {ctx_, vertices, edges};
  }

  graph_type matrix(const std::string& name) {
    const auto entries = read_matrix_market<pattern, std::int32_t, std::int64_t>(
        ctx_, data_ + "/graphs/" + name + ".mtx");
    edge_pairs edges;
    for (std::size_t k = 0; k < entries.rows.size(); ++k) {
      edges.emplace_back(entries.rows[k], entries.columns[k]);
    }
    return {ctx_, entries.num_rows, edges};
  }

  cpu_context ctx_{2};
  std::string data_ = shared_data();
};

TEST_F(published_hops, of_ldbc_graphalytics) {
  expect_ldbc(adjacency("bfs/dir-input"), "bfs/dir-output");
  expect_ldbc(adjacency("bfs/undir-input"), "bfs/undir-output");
  expect_ldbc(adjacency("example/example-directed-input"), "example/example-directed-BFS");
  expect_ldbc(adjacency("example/example-undirected-input"), "example/example-undirected-BFS");
}

TEST_F(published_hops, of_lagraph_in_the_karate_club) {
  const auto found = search(matrix("karate"), 30);
  const auto levels =
      number_lines<std::int64_t>(data_ + "/reference/lagraph/karate_bfs_levels_src30.txt");
  ASSERT_EQ(levels.size(), 34u);
  for (std::size_t v = 0; v < levels.size(); ++v) EXPECT_EQ(found.levels[v], levels[v][0]) << v;

  // Each line of the table has up to three possible parents of a vertex.
  std::ifstream file(data_ + "/reference/lagraph/test_BreadthFirstSearch_parents.txt");
  std::size_t v = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t brace = line.rfind('{');
    if (brace == std::string::npos || line.find("//") == std::string::npos) continue;
    std::string numbers = line.substr(brace + 1, line.find('}') - brace - 1);
    std::replace(numbers.begin(), numbers.end(), ',', ' ');
    std::istringstream list(numbers);
    std::vector<std::int32_t> allowed;
    for (std::int32_t parent = 0; list >> parent;) allowed.push_back(parent);
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), found.parents[v]), allowed.end())
        << "parent " << found.parents[v] << " of " << v;
    ++v;
  }
  EXPECT_EQ(v, 34u);
}

TEST_F(published_hops, of_scipy_and_igraph) {
  for (const std::string name :
       {"karate", "chesapeake", "as-caida20071105", "email-Enron", "luxembourg_osm"}) {
    SCOPED_TRACE(name);
    const graph_type g = matrix(name);
    std::ifstream file(data_ + "/reference/computed/" + name + ".ref.json");
    const auto answers = nlohmann::json::parse(file)["bfs"];
    ASSERT_EQ(answers.size(), 2u);
    for (const auto& [source, expected] : answers.items()) {
      const auto found = search(g, std::stoi(source));
      EXPECT_EQ(found.reached, expected["reached"]);
      EXPECT_EQ(found.depth, expected["depth"]);
      std::vector<std::int64_t> counts(static_cast<std::size_t>(found.depth) + 1);
      std::int64_t sum = 0;
      for (const std::int32_t level : found.levels) {
        if (level < 0) continue;
        ++counts[static_cast<std::size_t>(level)];
        sum += level;
      }
      EXPECT_EQ(sum, expected["sum_levels"]);
      // Only the first twenty levels of the road network are published.
      auto known = expected["level_counts"];
      if (known.is_object()) known = known["first20"];
      counts.resize(known.size());
      EXPECT_EQ(counts, known.get<std::vector<std::int64_t>>());
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
