// backends: host
// Local clustering coefficients, compared with those that LDBC Graphalytics publishes.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "evenfold/graph/triangle_count.hpp"
#include "support/graphs.hpp"
#include "support/number_lines.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

class published_coefficients : public ::testing::Test {
 protected:
  void SetUp() override {
    if (data_.empty()) GTEST_SKIP() << "no shared data: set EVENFOLD_DATA";
  }

  /// NAME-LCC has a vertex and its coefficient in each line, NAME.e an edge.
  void expect_published(const std::string& name, bool undirected) {
    const std::string path = data_ + "/reference/ldbc/example/" + name;
    const auto published = number_lines<double>(path + "-LCC");
    std::map<double, std::int64_t> index_of;
    for (const auto& line : published) {
      index_of.emplace(line[0], static_cast<std::int64_t>(index_of.size()));
    }
    edge_pairs edges;
    for (const auto& line : number_lines<double>(path + ".e")) {
      edges.emplace_back(index_of.at(line[0]), index_of.at(line[1]));
    }
    const test_graph<cpu_context> g(ctx_, static_cast<std::int64_t>(index_of.size()), edges,
                                    undirected);
    const std::vector<double> got =
        to_host(ctx_, triangle_count(ctx_, g.view(), {.coefficients = true}).coefficients);
    ASSERT_GT(got.size(), 5u);
    for (const auto& line : published) {
      EXPECT_NEAR(got[static_cast<std::size_t>(index_of.at(line[0]))], line[1], 1e-15)
          << "vertex " << line[0];
    }
  }

  cpu_context ctx_{2};
  std::string data_ = shared_data();
};

TEST_F(published_coefficients, ldbc) {
  expect_published("example-directed", false);
  expect_published("example-undirected", true);
}

}  // namespace
}  // namespace evenfold::testing
