// bfs_direction, from call to return, compared with itself without a change of direction. Traversed
// edges per second (TEPS) are the undirected edges of the reached component, divided by the time;
// the report of a case has their number.

#include <filesystem>

#include "bench/cuda_platform.cuh"
#include "bench/graphs.hpp"
#include "evenfold/algorithm/bfs_direction.hpp"
#include "evenfold/graph/bfs_verify.hpp"
#include "evenfold/io/matrix_market/reader.hpp"

namespace bench {
namespace {

using evenfold::array;
using graph = evenfold::graph<evenfold::pattern>;

/// Always follows the edges of the frontier, however many they are.
using top_down_only = evenfold::bfs_direction_tuning<512, 2, 4, 1024, 64, 0>;

struct search {
  graph g;
  array<int> levels;
  /// Vertices of a large component of the graph. Each run starts at the next one.
  std::vector<int> sources;
  array<int> sources_there;
  std::size_t runs = 0;
  /// The numbers of vertices and undirected edges that are reached from the first one.
  double vertices = 0, edges = 0;

  explicit search(graph&& undirected)
      : g(std::move(undirected)), levels(device_array<int>(g.out.num_rows)) {
    const auto degrees = evenfold::to_host(device_context(), g.out.row_offsets);
    const evenfold::random_stream random(5);
    for (std::uint64_t draw = 0; sources.size() < 16; ++draw) {
      const auto v = static_cast<std::size_t>(random.below(draw, degrees.size() - 1));
      if (degrees[v] == degrees[v + 1]) continue;
      sources.push_back(static_cast<int>(v));
      sources_there = evenfold::to_context(device_context(), sources);
      runs = sources.size() - 1;
      const auto found = run<evenfold::default_tuning>(true);
      if (found.reached < g.out.num_rows / 4) sources.pop_back();
      if (sources.size() == 1 && edges == 0) {
        vertices = static_cast<double>(found.reached);
        for (const evenfold::bfs_level& level : found.table) edges += 0.5 * level.edges;
      }
    }
  }

  template <class Tuning>
  evenfold::bfs_summary run(bool with_table = false) {
    const int* source = sources_there.data() + runs++ % sources.size();
    return evenfold::bfs_direction<Tuning>(device_context(), g.view(), source, 1, levels.data(),
                                           with_table);
  }

  template <class Tuning>
  std::string wrong() {
    for (runs = 0; runs < sources.size();) {
      spoil(levels);
      const int source = sources[runs];
      run<Tuning>();
      const evenfold::bfs_report report =
          evenfold::bfs_verify(device_context(), g.view(), {source}, levels.data());
      if (!report.ok()) return report.text([](std::int64_t v) { return std::to_string(v); });
    }
    return "";
  }
};

prepared_case from_many_sources(graph&& undirected, std::vector<mark> marks) {
  const auto d = std::make_shared<search>(std::move(undirected));
  const std::string edges = ", " + std::to_string(static_cast<long>(d->edges)) + " edges";
  // Every level is written, every offset is read, and one edge is read per vertex that is reached.
  return {.bytes = 4.0 * (2.0 * d->g.out.num_rows + d->vertices),
          .contestants = {{"evenfold" + edges, [=] { d->run<evenfold::default_tuning>(); }},
                          {"top down only", [=] { d->run<top_down_only>(); }}},
          .check = [=] { return d->wrong<evenfold::default_tuning>() + d->wrong<top_down_only>(); },
          .marks = std::move(marks),
          .host_clock = true,
          .repeats_factor = 8};
}

/// The roads of Luxembourg, or, without that file, a grid of the same size and depth.
prepared_case roads(const options&) {
  const mark limit{"time <= 6 ms", [](const mark_data&) { return 6.0; }};
  const std::string file = data_file("graphs/luxembourg_osm.mtx");
  if (!std::filesystem::exists(file)) {
    const evenfold::grid_edges grid{104, 1100};
    return from_many_sources(
        undirected(device_context(), static_cast<int>(grid.rows * grid.columns),
                   static_cast<int>(grid.size()), grid),
        {limit});
  }
  evenfold::reference_context host;
  const auto ends = evenfold::read_matrix_market<evenfold::pattern>(host, file);
  return from_many_sources(
      undirected(device_context(), evenfold::to_context(device_context(), ends.view())), {limit});
}

const add_case cases[] = {
    {"bfs_rmat_22",
     [](const options& o) {
       const int scale = o.quick ? 16 : 22;
       return from_many_sources(
           undirected(device_context(), 1 << scale, 16 << scale, evenfold::rmat_edges(scale, 1)),
           {at_most_published(0.187, 2.67, "moderngpu"), at_most_published(1.0, 4.80, "Gunrock")});
     }},
    {"bfs_roads", roads},
};

}  // namespace
}  // namespace bench
