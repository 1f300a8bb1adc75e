// The operations on graphs. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/graphs.hpp"

#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/betweenness.hpp"
#include "evenfold/graph/betweenness_verify.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/bfs_verify.hpp"
#include "evenfold/graph/components.hpp"
#include "evenfold/graph/components_verify.hpp"
#include "evenfold/graph/k_core.hpp"
#include "evenfold/graph/k_core_verify.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/graph/pagerank_verify.hpp"
#include "evenfold/graph/spanning_forest.hpp"
#include "evenfold/graph/spanning_forest_verify.hpp"
#include "evenfold/graph/sssp.hpp"
#include "evenfold/graph/sssp_verify.hpp"
#include "evenfold/graph/strong_components.hpp"
#include "evenfold/graph/strong_components_verify.hpp"
#include "evenfold/graph/triangle_count.hpp"
#include "runtime/ranks.hpp"
#include "runtime/sparse_views.hpp"

namespace evenfold::runtime {

namespace {

template <class Value>
using typed_graph_view = graph_view<const Value, std::int32_t, std::int64_t>;

/// Whether a stored edge is counted: of the two stored edges of an undirected edge, only one is
/// counted.
struct is_counted_edge {
  const std::int32_t* ends;
  std::int32_t first_vertex;
  bool once;
  EF_HD std::int64_t operator()(std::int64_t k, std::int32_t u, std::int64_t) const {
    return !once || ends[k] >= first_vertex + u ? 1 : 0;
  }
};

/// The edges of a vertex that has a level, else 0.
struct edges_if_reached {
  using heavy = void;

  const std::int64_t* edges;
  const std::int32_t* levels;
  EF_HD std::int64_t operator()(std::int32_t v) const { return levels[v] >= 0 ? edges[v] : 0; }
};

class graphs_here final : public graph_operations, private sparse_family<backend_context> {
 public:
  using sparse_family::sparse_family;

  array generate(const edge_recipe& recipe, std::size_t count) override {
    return std::visit(
        [&]<class Make>(const Make& make) {
          evenfold::array<edge> edges(ctx, count);
          transform(ctx, std::uint64_t{count}, write_result<Make, edge*>{make, edges.data()});
          return owning<edge, std::int64_t>(std::move(edges));
        },
        recipe);
  }

  bfs_found bfs(const graph& g, const std::vector<std::int32_t>& sources,
                const bfs_options& options) override {
    if constexpr (can_have_ranks<backend_context>) {
      if (has_ranks() && !options.levels && options.method == bfs_method::automatic) {
        evenfold::array<std::int32_t> levels(ctx, g.num_vertices());
        bfs_found on_ranks =
            bfs_on_ranks(state(), shared_graph<pattern>("bfs", g), sources, levels.data());
        on_ranks.levels = owning(std::move(levels));
        return on_ranks;
      }
    }
    bfs_options levels_alone = options;
    levels_alone.parents = false;
    bfs_result<std::int32_t> found =
        evenfold::bfs(ctx, graph_of<pattern>("bfs", g), sources, levels_alone);
    return {owning(std::move(found.levels)), found.reached, found.depth, std::move(found.table)};
  }

  array bfs_parents(const graph& g, const array& levels) override {
    evenfold::array<std::int32_t> parents(ctx, g.num_vertices());
    evenfold::bfs_parents(ctx, graph_of<pattern>("bfs_parents", g),
                          per_vertex<std::int32_t>("bfs_parents", "levels", g, levels),
                          parents.data());
    return owning(std::move(parents));
  }

  bfs_report bfs_verify(const graph& g, const std::vector<std::int32_t>& sources,
                        const bfs_found& found, const array& parents) override {
    const bool has_parents = !parents.empty();
    return evenfold::bfs_verify(
        ctx, graph_of<pattern>("bfs_verify", g), sources,
        per_vertex<std::int32_t>("bfs_verify", "levels", g, found.levels),
        has_parents ? per_vertex<std::int32_t>("bfs_verify", "parents", g, parents) : nullptr,
        {.reached = found.reached, .depth = found.depth, .table = {}});
  }

  edge_counts count_edges(const graph& g, const array& levels) override {
    const auto shared = shared_graph<pattern>("count_edges", g);
    const auto& out = shared.out.here;
    const std::int32_t n = out.num_rows;
    const auto first = static_cast<std::int32_t>(g.out.part ? g.out.part->first_row : 0);
    const std::int32_t* const level =
        per_vertex<std::int32_t>("count_edges", "levels", g, levels) + first;
    evenfold::array<std::int64_t> edges(ctx, n);
    lbs_segreduce(ctx, out.num_nonzeros,
                  is_counted_edge{out.columns, first, shared.is_undirected()}, out.row_offsets, n,
                  edges.data(), plus{}, std::int64_t{0});
    const edge_counts own{
        reduce(ctx, edges.data(), n, plus{}, std::int64_t{0}),
        transform_reduce(ctx, n, edges_if_reached{edges.data(), level}, plus{}, std::int64_t{0})};
    if (!g.out.part) return own;
    edge_counts all;
    for (const edge_counts& of_process : gather(*state().processes, own)) {
      all.edges += of_process.edges;
      all.reached += of_process.reached;
    }
    return all;
  }

  pagerank_found pagerank(const graph& g, const pagerank_settings& settings,
                          const array& personalization) override {
    const pagerank_options<double> options = options_of("pagerank", g, settings, personalization);
    return visit_values(g.out.has_values, [&]<class Value>(std::type_identity<Value>) {
      if constexpr (can_have_ranks<backend_context>) {
        if (has_ranks() && personalization.empty()) {
          evenfold::array<double> ranks(ctx, g.num_vertices());
          pagerank_found on_ranks = pagerank_on_ranks<Value>(
              state(), shared_graph<Value>("pagerank", g), options, ranks.data());
          on_ranks.ranks = owning(std::move(ranks));
          return on_ranks;
        }
      }
      auto found = evenfold::pagerank<double>(ctx, graph_of<Value>("pagerank", g), options);
      return pagerank_found{owning(std::move(found.ranks)), found.iterations, found.residual,
                            found.converged};
    });
  }

  pagerank_report pagerank_verify(const graph& g, const pagerank_settings& settings,
                                  const array& personalization,
                                  const pagerank_found& found) override {
    const char* const name = "pagerank_verify";
    return visit_values(g.out.has_values, [&]<class Value>(std::type_identity<Value>) {
      return evenfold::pagerank_verify(
          ctx, graph_of<Value>(name, g), per_vertex<double>(name, "ranks", g, found.ranks),
          found.residual, options_of(name, g, settings, personalization));
    });
  }

  triangles_found triangles(const graph& g, bool per_vertex) override {
    triangle_result found = triangle_count(ctx, graph_of<pattern>("triangles", g),
                                           {.counts = per_vertex, .coefficients = per_vertex});
    return {found.total, owning(std::move(found.counts)), owning(std::move(found.coefficients))};
  }

  cores_found k_core(const graph& g) override {
    evenfold::array<std::int32_t> cores(ctx, g.num_vertices());
    const std::int32_t largest =
        evenfold::k_core(ctx, graph_of<pattern>("k_core", g), cores.data());
    return {owning(std::move(cores)), largest};
  }

  std::int64_t k_core_verify(const graph& g, const array& cores) override {
    return evenfold::k_core_verify(ctx, graph_of<pattern>("k_core_verify", g),
                                   per_vertex<std::int32_t>("k_core_verify", "cores", g, cores));
  }

  array betweenness(const graph& g, const betweenness_options& options) override {
    return owning(evenfold::betweenness(ctx, graph_of<pattern>("betweenness", g), options));
  }

  betweenness_report betweenness_verify(const graph& g, const array& scores,
                                        const betweenness_options& options) override {
    return evenfold::betweenness_verify(
        ctx, graph_of<pattern>("betweenness_verify", g),
        per_vertex<double>("betweenness_verify", "scores", g, scores), options);
  }

  array component_labels(const graph& g) override {
    const auto view = graph_of<pattern>("component_labels", g);
    evenfold::array<std::int32_t> labels(ctx, view.num_vertices());
    connected_components(ctx, view, labels.data());
    return owning(std::move(labels));
  }

  array strong_component_labels(const graph& g) override {
    const auto view = graph_of<pattern>("strong_component_labels", g);
    evenfold::array<std::int32_t> labels(ctx, view.num_vertices());
    strongly_connected_components(ctx, view, labels.data());
    return owning(std::move(labels));
  }

  component_summary count_components(const array& labels) override {
    const auto* const each = read<std::int32_t>("count_components", "labels", labels);
    const auto counts =
        evenfold::count_components(ctx, each, static_cast<std::int32_t>(labels.size()));
    return {counts.components, counts.largest};
  }

  components_report components_verify(const graph& g, const array& labels) override {
    return evenfold::components_verify(
        ctx, graph_of<pattern>("components_verify", g),
        per_vertex<std::int32_t>("components_verify", "labels", g, labels));
  }

  components_report strong_components_verify(const graph& g, const array& labels) override {
    return evenfold::strong_components_verify(
        ctx, graph_of<pattern>("strong_components_verify", g),
        per_vertex<std::int32_t>("strong_components_verify", "labels", g, labels));
  }

  forest_found spanning_forest(const graph& g) override {
    auto found = minimum_spanning_forest(ctx, graph_of<double>("spanning_forest", g));
    return {owning(std::move(found.edges.rows)), owning(std::move(found.edges.columns)),
            owning(std::move(found.edges.values)), owning(std::move(found.positions)),
            found.total_weight};
  }

  spanning_forest_report spanning_forest_verify(const graph& g, const array& positions) override {
    const char* const name = "spanning_forest_verify";
    return evenfold::spanning_forest_verify(ctx, graph_of<double>(name, g),
                                            read<std::int64_t>(name, "positions", positions),
                                            static_cast<std::int64_t>(positions.size()));
  }

  sssp_found sssp(const graph& g, const std::vector<std::int32_t>& sources,
                  const sssp_options& options) override {
    if constexpr (can_have_ranks<backend_context>) {
      if (has_ranks() && !options.parents) {
        evenfold::array<double> distances(ctx, g.num_vertices());
        sssp_found on_ranks = sssp_on_ranks(state(), shared_graph<double>("sssp", g), sources,
                                            options, distances.data());
        on_ranks.distances = owning(std::move(distances));
        return on_ranks;
      }
    }
    auto found = evenfold::sssp(ctx, graph_of<double>("sssp", g), sources, options);
    sssp_found result{owning(std::move(found.distances)), {}, found.reached, found.max_distance};
    if (options.parents) result.parents = owning(std::move(found.parents));
    return result;
  }

  sssp_report sssp_verify(const graph& g, const std::vector<std::int32_t>& sources,
                          const sssp_found& found) override {
    const char* const name = "sssp_verify";
    const bool has_parents = !found.parents.empty();
    return evenfold::sssp_verify(
        ctx, graph_of<double>(name, g), sources,
        per_vertex<double>(name, "distances", g, found.distances),
        has_parents ? per_vertex<std::int32_t>(name, "parents", g, found.parents) : nullptr,
        found.reached, found.max_distance);
  }

 private:
  template <class Value>
  typed_graph_view<Value> graph_of(const char* operation, const graph& g) const {
    return {view<Value>(operation, g.out), view<Value>(operation, g.in)};
  }
  template <class Value>
  graph_on_engine<Value> shared_graph(const char* operation, const graph& g) const {
    return {shared_rows<Value>(operation, g.out), shared_rows<Value>(operation, g.in)};
  }

  pagerank_options<double> options_of(const char* operation, const graph& g,
                                      const pagerank_settings& settings,
                                      const array& personalization) const {
    pagerank_options<double> options{.damping = settings.damping,
                                     .tolerance = settings.tolerance,
                                     .max_iterations = settings.max_iterations,
                                     .dangling_mass = settings.dangling_mass,
                                     .stop = settings.stop};
    if (!personalization.empty()) {
      options.personalization =
          per_vertex<double>(operation, "personalization", g, personalization);
    }
    return options;
  }

  template <class T>
  const T* per_vertex(const char* operation, const char* argument, const graph& g,
                      const array& values) const {
    check_size(operation, argument, values, static_cast<std::size_t>(g.num_vertices()));
    return read<T>(operation, argument, values);
  }
};

}  // namespace

std::unique_ptr<graph_operations> make_graphs(const backend_state& state) {
  return std::make_unique<graphs_here>(state);
}

}  // namespace evenfold::runtime
