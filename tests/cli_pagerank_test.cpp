// backends: host
// The command `evenfold pagerank`.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

using nlohmann::json;

/// Four pages with names; no link leaves `end`.
constexpr const char* web = "from,to,clicks\nhome,news,9\nhome,shop,1\nnews,home,1\nshop,end,1\n";

class cli_pagerank : public ::testing::Test {
 protected:
  /// Runs the command and reads its JSON.
  json ranked(const std::string& options) const {
    const outcome got = evenfold_run("pagerank " + path_ + " --format json " + options);
    EXPECT_EQ(got.status, 0) << got.err;
    return json::parse(got.out);
  }

  scratch_directory scratch_;
  std::string path_ = scratch_.write("web.csv", web);
};

/// The rank of a vertex in the list of the highest ranks.
double rank_of(const json& report, const std::string& vertex) {
  for (const json& entry : report.at("top")) {
    if (entry.at("vertex") == vertex) return entry.at("rank");
  }
  ADD_FAILURE() << vertex << " is not there";
  return NAN;
}

TEST_F(cli_pagerank, reports_what_the_library_finds) {
  const json report = ranked("--tolerance 1e-14 --max-iterations 1000 --device reference");
  EXPECT_EQ(report.at("vertices"), 4);
  EXPECT_EQ(report.at("stored_edges"), 4);
  EXPECT_EQ(report.at("directed"), true);
  EXPECT_EQ(report.at("converged"), true);
  EXPECT_LE(report.at("residual").get<double>(), 1e-14);
  EXPECT_NEAR(report.at("sum"), 1, 1e-14);
  EXPECT_GE(report.at("time_ms").get<double>(), 0);
  // r = c + 0.85 (sum over the links to the page), where c is the same for all four pages.
  const double home = rank_of(report, "home"), news = rank_of(report, "news"),
               shop = rank_of(report, "shop"), end = rank_of(report, "end");
  const double everywhere = (0.15 + 0.85 * end) / 4;
  EXPECT_NEAR(home, everywhere + 0.85 * news, 1e-13);
  EXPECT_NEAR(news, everywhere + 0.85 * home / 2, 1e-13);
  EXPECT_NEAR(shop, everywhere + 0.85 * home / 2, 1e-13);
  EXPECT_NEAR(end, everywhere + 0.85 * shop, 1e-13);
  // Ranks are in descending order, and equal ranks in the order of the names.
  std::vector<std::string> order;
  for (const json& entry : report.at("top")) order.push_back(entry.at("vertex"));
  EXPECT_EQ(order, (std::vector<std::string>{"end", "home", "news", "shop"}));
  EXPECT_EQ(ranked("--top 2").at("top").size(), 2);
}

TEST_F(cli_pagerank, weights_dangling_mass_and_jumps) {
  const json weighted =
      ranked("--weighted --tolerance 1e-14 --max-iterations 1000 --dangling self");
  const double home = rank_of(weighted, "home");
  EXPECT_NEAR(rank_of(weighted, "news"), 0.15 / 4 + 0.85 * 0.9 * home, 1e-13);
  EXPECT_NEAR(rank_of(weighted, "shop"), 0.15 / 4 + 0.85 * 0.1 * home, 1e-13);
  EXPECT_NEAR(weighted.at("sum"), 1, 1e-14);

  const json lost = ranked("--dangling lose");
  EXPECT_LT(lost.at("sum").get<double>(), 0.9);

  // If all jumps lead to shop, every walk starts there.
  const std::string jumps = scratch_.write("jumps.csv", "vertex,weight\nshop,3\nend,0\n");
  const json shopping = ranked("--personalize " + jumps +
                               " --dangling personalize --tolerance 1e-14 --max-iterations 1000");
  EXPECT_NEAR(rank_of(shopping, "shop"), 1 / 1.85, 1e-13);
  EXPECT_NEAR(rank_of(shopping, "end"), 0.85 / 1.85, 1e-13);
  EXPECT_NEAR(rank_of(shopping, "home"), 0, 1e-13);

  // With edges in both directions no vertex is dangling.
  EXPECT_EQ(ranked("--undirected").at("stored_edges"), 6);
  EXPECT_EQ(ranked("--undirected --damping 0 --stop max").at("iterations"), 1);

  // Rows with a null do not count.
  const std::string nulls = scratch_.write("nulls.csv", "vertex,weight\nshop,3\nend,NA\nNA,1\n");
  EXPECT_EQ(ranked("--null NA --dangling personalize --tolerance 1e-14 --max-iterations 1000 "
                   "--personalize " +
                   nulls)
                .at("top"),
            shopping.at("top"));
}

TEST_F(cli_pagerank, verifies) {
  for (const char* options : {"--verify", "--verify --dangling lose --stop max",
                              "--verify --max-iterations 3 --dangling self",
                              "--verify --max-iterations 0", "--verify --device cpu:3"}) {
    EXPECT_EQ(ranked(options).at("verified"), true) << options;
  }
  EXPECT_FALSE(ranked("").contains("verified"));
}

TEST_F(cli_pagerank, writes_every_rank_under_its_name) {
  const std::string csv = scratch_ / "ranks.csv", npy = scratch_ / "ranks.npy";
  for (const std::string& file : {csv, npy}) {
    EXPECT_EQ(evenfold_run("pagerank " + path_ + " --damping 0 --output " + file).status, 0);
  }
  EXPECT_EQ(read_back(csv), "vertex,rank\nend,0.25\nhome,0.25\nnews,0.25\nshop,0.25\n");
  EXPECT_EQ(read_back(npy).size(), 128 + 4 * sizeof(double));
  EXPECT_EQ(evenfold_run("pagerank " + path_ + " --damping 0 --top 1 --format csv").out,
            "vertex,rank\nend,0.25\n");
}

TEST_F(cli_pagerank, parallel_edges_count_as_often_as_they_are_summed) {
  const std::string twice = scratch_.write("twice.txt", "a b\na b\na c\nb a\nc a\n");
  const auto ranks_of = [&](const std::string& how) {
    return json::parse(evenfold_run("pagerank " + twice +
                                    " --tolerance 1e-14 --max-iterations 1000"
                                    " --format json --duplicates " +
                                    how)
                           .out);
  };
  const json summed = ranks_of("sum"), kept = ranks_of("keep");
  EXPECT_EQ(summed.at("stored_edges"), 4);
  EXPECT_EQ(kept.at("stored_edges"), 5);
  for (const char* vertex : {"a", "b", "c"}) {
    EXPECT_NEAR(rank_of(summed, vertex), rank_of(kept, vertex), 1e-13) << vertex;
  }
  EXPECT_NEAR(rank_of(summed, "b") - 0.05, 2 * (rank_of(summed, "c") - 0.05), 1e-13);
  EXPECT_EQ(rank_of(ranks_of("first"), "b"), rank_of(ranks_of("first"), "c"));
  EXPECT_EQ(rank_of(ranks_of("sum --weighted"), "b"), rank_of(summed, "b"));
}

TEST_F(cli_pagerank, warns_if_the_ranks_have_not_converged) {
  const outcome got = evenfold_run("pagerank " + path_ + " --max-iterations 2 --format json");
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(json::parse(got.out).at("converged"), false);
  EXPECT_EQ(json::parse(got.out).at("iterations"), 2);
  EXPECT_NE(got.err.find("evenfold: warning: the ranks have not converged"), std::string::npos);
  EXPECT_EQ(json::parse(evenfold_run("pagerank " + path_ + " --max-iterations 0 --format json").out)
                .at("residual"),
            "inf");
}

TEST_F(cli_pagerank, refuses_what_makes_no_sense) {
  const std::string command = "pagerank " + path_;
  expect_bad_option(command + " --damping 1.5", "--damping: '1.5' is not valid");
  expect_bad_option(command + " --tolerance nan", "--tolerance: 'nan' is not valid");
  expect_bad_option(command + " --max-iterations -1", "--max-iterations");
  expect_bad_option(command + " --dangling away", "'away' is unknown, expected one of even");
  expect_bad_option(command + " --output ranks.txt", "has no known ending, expected .csv or .npy");

  const auto jumps = [&](const std::string& rows) {
    return command + " --personalize " + scratch_.write("jumps.csv", "vertex,weight\n" + rows);
  };
  expect_failure(jumps("home,1\nmoon,1\n"), 1, "jumps.csv:3: there is no vertex 'moon' in ");
  expect_failure(jumps("home,1\nhome,2\n"), 1, "jumps.csv:3: the vertex 'home' occurs twice");
  expect_failure(jumps("home,-1\n"), 1, "jumps.csv:2: '-1' in column 'weight' is out of range");
  expect_failure(jumps("home,NA\n"), 1, "jumps.csv:2: 'NA' in column 'weight' is not a number");
  expect_failure(jumps("home,0\n"), 1, "jumps.csv: no vertex has a weight above 0");

  const std::string heavy = scratch_.write("heavy.csv", "a,b,w\nx,y,1\ny,z,-2\n");
  expect_failure("pagerank " + heavy + " --weighted", 1,
                 "the edge from y to z weighs -2, expected");
  const std::string plain = scratch_.write("plain.txt", "1 2\n2 3\n");
  expect_failure("pagerank " + plain + " --weighted", 1, "the edges have no weights");
}

}  // namespace
}  // namespace evenfold::testing
