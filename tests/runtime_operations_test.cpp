// backends: host
// Graphs, tables, segments and sparse matrices of the runtime layer, on one engine and on several
// ranks. The tests of the algorithms and of the program cover the other results.

#include "runtime/engine.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/distributed/threads.hpp"
#include "runtime/graphs.hpp"
#include "runtime/processes.hpp"
#include "runtime/segments.hpp"
#include "runtime/sparse.hpp"
#include "runtime/tables.hpp"
#include "support/runtime.hpp"

namespace evenfold::runtime {
namespace {

TEST(runtime_graphs, are_made_once_and_searched_often) {
  // 0 -> 1 -> 2, 0 -> 3
  const std::vector<std::int32_t> from = {0, 1, 0}, to = {1, 2, 3};
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const sparse_entries edges{
        4, 4, array::borrowed(std::span(from)), array::borrowed(std::span(to)), {}, false};
    const graph directed = make_graph(*device, edges, {});
    const graph undirected = make_graph(*device, edges, {.undirected = true, .symmetrize = true});
    EXPECT_EQ(directed.num_edges(), 3);
    EXPECT_EQ(undirected.num_edges(), 6);
    graph_operations& graphs = device->graphs();
    for (const std::int32_t source : {2, 0}) {
      const bfs_found there = graphs.bfs(directed, {source}, {});
      const bfs_found both = graphs.bfs(undirected, {source}, {});
      EXPECT_EQ(there.reached, source == 0 ? 4 : 1);
      EXPECT_EQ(both.reached, 4);
      EXPECT_EQ(both.depth, source == 0 ? 2 : 3);
      EXPECT_TRUE(
          graphs.bfs_verify(undirected, {source}, both, graphs.bfs_parents(undirected, both.levels))
              .ok());
    }
    EXPECT_EQ(graphs.count_components(graphs.component_labels(directed)).components, 1);
    EXPECT_EQ(graphs.count_edges(undirected, graphs.bfs(undirected, {0}, {}).levels).edges, 3);
  }
}

TEST(runtime_processes, every_engine_gets_the_whole_result_of_one) {
  constexpr std::int32_t n = 300;
  std::vector<std::int32_t> from, to;
  std::vector<double> values;
  for (std::int32_t v = 1; v < n; ++v) {
    from.insert(from.end(), {v, v});
    to.insert(to.end(), {2 * v % n, v / 3});
    values.insert(values.end(), {0.1 * v, 1. / v});
  }
  const sparse_entries edges{n,
                             n,
                             array::borrowed(std::span(from)),
                             array::borrowed(std::span(to)),
                             array::borrowed(std::span(values)),
                             true};
  struct results {
    std::vector<double> ranks, distances, product;
    std::vector<std::int32_t> levels;
    bool operator==(const results&) const = default;
  };
  const auto results_on = [&](engine& device) {
    const graph g = make_graph(device, edges, {});
    const sparse_rows rows = device.sparse().to_rows(local(device, edges), duplicates::sum);
    graph_operations& graphs = device.graphs();
    const array ranks = graphs.pagerank(g, {}, {}).ranks;
    array product = device.allocate(element_type::float64, n);
    device.sparse().spmv(rows, ranks, product, 0.3, 0);
    return results{to_vector<double>(device, ranks),
                   to_vector<double>(device, graphs.sssp(g, {7}, {}).distances),
                   to_vector<double>(device, product),
                   to_vector<std::int32_t>(device, graphs.bfs(g, {7}, {}).levels)};
  };
  const results expected = results_on(*open_cpu());
  for (const int ranks : {1, 3}) {
    run_ranks(ranks, [&](thread_communicator& all) {
      const auto device = open_cpu(1);
      device->join(std::make_shared<process_group_of<thread_communicator>>(all));
      EXPECT_TRUE(results_on(*device) == expected) << all.rank() << " of " << ranks;
      expect_refusal<argument_error>(
          [&] {
            open_reference()->join(std::make_shared<process_group_of<thread_communicator>>(all));
          },
          {"the engine 'reference' cannot be a rank"});
    });
  }
}

TEST(runtime_segments, the_first_of_each_are_as_many_as_there_are) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const segmented_array of{uploaded<std::int32_t>(*device, {5, 7, 7, 1, 9, 2}),
                             uploaded<std::int64_t>(*device, {0, 4, 4, 5, 6})};
    const auto first = [&](std::int64_t k, bool descending) {
      const segmented_array found = device->segments().top_k_indices(of, k, descending);
      return std::pair(to_vector<std::int64_t>(*device, found.values),
                       to_vector<std::int64_t>(*device, found.offsets));
    };
    using numbers = std::vector<std::int64_t>;
    EXPECT_EQ(first(2, true), std::pair(numbers({1, 2, 4, 5}), numbers({0, 2, 2, 3, 4})));
    EXPECT_EQ(first(9, false), std::pair(numbers({3, 0, 1, 2, 4, 5}), numbers({0, 4, 4, 5, 6})));
    EXPECT_EQ(first(0, true), std::pair(numbers{}, numbers({0, 0, 0, 0, 0})));
    const segmented_array none{uploaded<std::int32_t>(*device, {}),
                               uploaded<std::int64_t>(*device, {0})};
    const segmented_array of_none = device->segments().top_k_indices(none, 3, false);
    EXPECT_EQ(of_none.values.size(), 0u);
    EXPECT_EQ(to_vector<std::int64_t>(*device, of_none.offsets), numbers{0});
  }
}

TEST(runtime_tables, refuses_aggregates_of_other_types_or_lengths) {
  const auto device = open_cpu();
  std::vector<key_column> keys;
  keys.push_back({uploaded<std::uint64_t>(*device, {2, 1, 2}), {}, 2});
  const auto group = [&](aggregate_kind kind, array values) {
    std::vector<column_aggregate> aggregates(1);
    aggregates[0].kind = kind;
    aggregates[0].values = std::move(values);
    return device->tables().group(keys, aggregates, group_order::keys);
  };
  EXPECT_EQ(to_vector<std::int64_t>(
                *device,
                group(aggregate_kind::sum, uploaded<std::int64_t>(*device, {1, 2, 3})).results[0]),
            (std::vector<std::int64_t>{2, 4}));
  expect_refusal<type_error>(
      [&] {
        group(aggregate_kind::mean, uploaded<std::int64_t>(*device, {1, 2, 3}));
      },
      {"group", "int64", "float64"});
  expect_refusal<argument_error>(
      [&] {
        group(aggregate_kind::sum, uploaded<double>(*device, {1, 2}));
      },
      {"the size of a column is 2", "3 rows"});
}

TEST(runtime_sparse, refuses_arrays_that_are_not_of_one_matrix) {
  const auto device = open_cpu();
  const std::vector<std::int32_t> rows = {0, 1}, columns = {0};
  const sparse_entries bad{
      2, 2, array::borrowed(std::span(rows)), array::borrowed(std::span(columns)), {}, false};
  expect_refusal<argument_error>([&] { device->sparse().to_rows(bad, duplicates::keep); },
                                 {"to_rows: rows.size() is 2", "1 of them"});
}

}  // namespace
}  // namespace evenfold::runtime
