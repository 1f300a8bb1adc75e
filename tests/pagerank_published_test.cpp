// backends: host
// PageRank of graphs, compared with published ranks and those of other programs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/graph/make_graph.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/io/matrix_market/reader.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/sparse/convert.hpp"
#include "support/graphs.hpp"
#include "support/number_lines.hpp"
#include "support/scratch.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

/// The last number of each line.
std::vector<double> last_numbers(const std::string& path) {
  std::vector<double> result;
  for (const auto& line : number_lines<double>(path)) result.push_back(line.back());
  return result;
}

struct limits {
  double tolerance = 0;
  std::int64_t iterations = 1000;
};

class published_ranks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (data_.empty()) GTEST_SKIP() << "no shared data: set EVENFOLD_DATA";
  }

  std::vector<double> ranks(const graph_view<const pattern, std::int32_t, std::int64_t>& graph,
                            limits until) {
    const auto found = pagerank<double>(
        ctx_, graph, {.tolerance = until.tolerance, .max_iterations = until.iterations});
    return to_host(ctx_, found.ranks);
  }

  /// The ranks of a graph whose file has, in each line, a vertex and the vertices that it links to.
  /// Ranks are in the order of the numbers of the vertices.
  std::vector<double> of_lists(const std::string& name, limits until) {
    std::map<double, std::int64_t> index_of;
    const auto lines = number_lines<double>(data_ + "/reference/" + name);
    for (const auto& line : lines) index_of.emplace(line.front(), 0);
    std::int64_t vertices = 0;
    for (auto& [number, at] : index_of) at = vertices++;
    edge_pairs edges;
    for (const auto& line : lines) {
      for (std::size_t k = 1; k < line.size(); ++k) {
        edges.emplace_back(index_of.at(line[0]), index_of.at(line[k]));
      }
    }
    return ranks(test_graph<cpu_context>(ctx_, vertices, edges).view(), until);
  }

  /// The ranks of the graph in a Matrix Market file, in which every parallel edge counts.
  std::vector<double> of_matrix(const std::string& name, limits until) {
    const auto edges =
        read_matrix_market<pattern, std::int32_t, std::int64_t>(ctx_, data_ + "/" + name);
    const auto graph = directed_graph(ctx_, to_csr(ctx_, edges.view(), duplicates::keep));
    return ranks(graph.view(), until);
  }

  std::vector<double> published(const std::string& name) {
    return last_numbers(data_ + "/reference/" + name);
  }

  cpu_context ctx_{2};
  std::string data_ = shared_data();
};

void expect_ranks(const std::vector<double>& got, const std::vector<double>& right, double most,
                  double relative) {
  ASSERT_EQ(got.size(), right.size());
  for (std::size_t v = 0; v < got.size(); ++v) {
    ASSERT_NEAR(got[v], right[v], most + relative * right[v]) << "vertex " << v;
  }
}

// The LDBC Graphalytics benchmark prescribes the number of iterations.
TEST_F(published_ranks, ldbc) {
  expect_ranks(of_lists("ldbc/example/example-directed-input", {0, 2}),
               published("ldbc/example/example-directed-PR"), 0, 1e-15);
  expect_ranks(of_lists("ldbc/example/example-undirected-input", {0, 2}),
               published("ldbc/example/example-undirected-PR"), 0, 1e-15);
  // These ranks were computed until they no longer changed, and have all digits of a double.
  expect_ranks(of_lists("ldbc/pr/dir-input", {1e-15}), published("ldbc/pr/dir-output"), 0, 1e-14);
  // These ranks are those after 26 iterations, with about seven digits.
  expect_ranks(of_lists("ldbc/pr/undir-input", {0, 26}), published("ldbc/pr/undir-output"), 0,
               1e-7);
}

// The ranks of LAGraph were computed by MATLAB with a tolerance of 1e-4, which takes this number of
// iterations, and have ten decimals.
TEST_F(published_ranks, lagraph) {
  const double digits = 0.51e-10;
  expect_ranks(of_matrix("graphs/karate.mtx", {0, 16}), published("lagraph/karate_rank.txt"),
               digits, 0);
  expect_ranks(of_matrix("matrices/west0067.mtx", {0, 8}), published("lagraph/west0067_rank.txt"),
               digits, 0);
  expect_ranks(of_matrix("graphs/ldbc-directed-example-unweighted.mtx", {0, 11}),
               published("lagraph/ldbc_directed_example_rank.txt"), digits, 0);
}

// Two independent programs agree on these to about 1e-13.
TEST_F(published_ranks, computed) {
  for (const std::string name : {"karate", "chesapeake", "email-Enron", "as-caida20071105"}) {
    SCOPED_TRACE(name);
    // It takes 13 s under a sanitizer.
    if (is_sanitized && name == "email-Enron") continue;
    const npy_file file(data_ + "/reference/computed/" + name + ".pagerank.npy");
    file.visit([&]<class T>(matrix_view<const T> right) {
      expect_ranks(of_matrix("graphs/" + name + ".mtx", {1e-13}),
                   std::vector<double>(right.data(), right.data() + right.size()), 1e-13, 0);
    });
  }
}

}  // namespace
}  // namespace evenfold::testing
