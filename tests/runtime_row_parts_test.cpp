// backends: host
// Entries of which each process has some, on threads in place of processes, against all entries.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evenfold/balance/shares.hpp"
#include "evenfold/distributed/threads.hpp"
#include "runtime/engine.hpp"
#include "runtime/graphs.hpp"
#include "runtime/processes.hpp"
#include "runtime/sparse.hpp"
#include "support/runtime.hpp"

namespace evenfold::runtime {
namespace {

struct edges {
  std::vector<std::int32_t> rows, columns;
  std::vector<double> values;

  /// The entries from `begin` to `end`.
  sparse_entries part(std::int32_t size, std::size_t begin, std::size_t end) const {
    const auto some = [&](const auto& of) {
      return array::borrowed(std::span(of).subspan(begin, end - begin));
    };
    return {size, size, some(rows), some(columns), some(values), true};
  }
};

constexpr std::int32_t num_vertices = 90;

/// Vertex 7 has a third of the edges, many edges occur several times, and no sum of values is
/// exact.
edges skewed(std::size_t count) {
  edges all;
  for (std::size_t k = 0; k < count; ++k) {
    const auto row = static_cast<std::int32_t>(k % 3 == 0 ? 7 : k * 7919 % num_vertices);
    all.rows.push_back(row);
    all.columns.push_back(static_cast<std::int32_t>(k * k % 31));
    all.values.push_back(static_cast<double>(k % 97 + 1) / 7);
  }
  return all;
}

/// What the rows of a graph lead to.
struct answers {
  std::vector<double> ranks, distances, products;
  std::vector<std::int32_t> levels;
  std::int64_t edges, counted, reached;
  bool operator==(const answers&) const = default;
};

answers answers_of(engine& engine, const sparse_entries& entries, const graph_shape& shape) {
  const graph g = make_graph(engine, entries, shape);
  const std::vector<double> x(num_vertices, 1. / 3);
  array y = engine.upload(array::borrowed(std::span(x)));
  engine.sparse().spmv(g.out, engine.upload(array::borrowed(std::span(x))), y, 0.7, 0.1);
  const bfs_found found = engine.graphs().bfs(g, {7}, {});
  const edge_counts counts = engine.graphs().count_edges(g, found.levels);
  return {to_vector<double>(engine, engine.graphs().pagerank(g, {}, {}).ranks),
          to_vector<double>(engine, engine.graphs().sssp(g, {7}, {}).distances),
          to_vector<double>(engine, y),
          to_vector<std::int32_t>(engine, found.levels),
          g.num_edges(),
          counts.edges,
          counts.reached};
}

/// Calls f(engine, entries) on each of some ranks, with the entries of the rank; the first half of
/// the ranks has equal parts of all entries.
template <class F>
void on_parts(int ranks, const edges& all, F f) {
  run_ranks(ranks, [&](thread_communicator& threads) {
    const auto engine = open_cpu(1);
    engine->join(std::make_shared<process_group_of<thread_communicator>>(threads));
    const int with_entries = (ranks + 1) / 2;
    const auto begin = [&](int rank) {
      return rank >= with_entries ? all.rows.size()
                                  : detail::share_begin(all.rows.size(), with_entries, rank);
    };
    sparse_entries own = all.part(num_vertices, begin(threads.rank()), begin(threads.rank() + 1));
    own.of_all = static_cast<std::int64_t>(all.rows.size());
    f(*engine, own);
  });
}

TEST(runtime_row_parts, give_the_bits_of_all_entries) {
  const auto one = open_cpu(2);
  for (const std::size_t count : {0, 40, 5000}) {
    const edges all = skewed(count);
    for (const auto how : {duplicates::sum, duplicates::keep, duplicates::first}) {
      if (count < 5000 && how != duplicates::sum) continue;
      for (const graph_shape shape :
           {graph_shape{false, false, how}, graph_shape{true, true, how}}) {
        const answers expected = answers_of(*one, all.part(num_vertices, 0, count), shape);
        for (const int ranks : {1, 2, 3, 5, 8}) {
          on_parts(ranks, all, [&](engine& engine, const sparse_entries& own) {
            EXPECT_EQ(answers_of(engine, own, shape), expected) << count << ", " << ranks;
          });
        }
      }
    }
  }
}

TEST(runtime_row_parts, are_whole_rows_and_about_equal_shares) {
  const edges all = skewed(5000);
  for (const int ranks : {2, 3, 5, 8}) {
    on_parts(ranks, all, [&](engine& engine, const sparse_entries& own) {
      const sparse_rows rows = make_rows(engine, own, duplicates::keep);
      const auto offsets = to_vector<std::int64_t>(engine, rows.row_offsets);
      const std::size_t here = rows.columns.size() + offsets.size() - 1;
      // The longest row has a third of the entries, and is not divided.
      EXPECT_LE(here, (5000 + num_vertices) / static_cast<std::size_t>(ranks) + 1700) << ranks;
      EXPECT_EQ(rows.num_nonzeros(), 5000);
      EXPECT_EQ(rows.num_rows, num_vertices);
      ASSERT_TRUE(rows.part);
      const auto ends =
          gather(*engine.processes(),
                 rows.part->first_row + static_cast<std::int64_t>(offsets.size()) - 1);
      const int rank = engine.processes()->rank();
      EXPECT_EQ(rows.part->first_row, rank == 0 ? 0 : ends[static_cast<std::size_t>(rank) - 1]);
      EXPECT_EQ(ends.back(), num_vertices);
    });
  }
}

TEST(runtime_row_parts, refuse_duplicates_by_the_first_of_all) {
  const edges all = skewed(5000);
  const auto message = [&](engine& engine, const sparse_entries& entries) {
    try {
      make_rows(engine, entries, duplicates::refuse);
    } catch (const duplicate_entry_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto one = open_cpu(1);
  const std::string expected = message(*one, all.part(num_vertices, 0, 5000));
  EXPECT_NE(expected, "");
  for (const int ranks : {2, 3, 8}) {
    on_parts(ranks, all, [&](engine& engine, const sparse_entries& own) {
      EXPECT_EQ(message(engine, own), expected);
    });
  }
}

TEST(runtime_row_parts, are_refused_where_all_rows_are_needed) {
  const edges all = skewed(100);
  on_parts(2, all, [&](engine& engine, const sparse_entries& own) {
    const graph g = make_graph(engine, own, {});
    expect_refusal<argument_error>([&] { engine.graphs().component_labels(g); },
                                   {"component_labels: ", "this operation needs all entries"});
    expect_refusal<argument_error>([&] { engine.sparse().degrees(g.out); },
                                   {"degrees: ", "this operation needs all entries"});
    expect_refusal<argument_error>([&] { engine.sparse().to_rows(own, duplicates::keep); },
                                   {"to_rows: ", "this operation needs all entries"});
  });
  const auto alone = open_cpu(1);
  sparse_entries own = all.part(num_vertices, 0, 100);
  own.of_all = 100;
  expect_refusal<argument_error>([&] { make_rows(*alone, own, duplicates::keep); },
                                 {"make_rows: ", "has not joined any"});
}

}  // namespace
}  // namespace evenfold::runtime
