// Operations on graphs.

#include "runtime/graphs.hpp"

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"

namespace evenfold::python {

namespace {

using shared_rows = std::shared_ptr<runtime::sparse_rows>;
using runtime::graph;

constexpr named<dangling> dangling_rules[] = {{"evenly", dangling::evenly},
                                              {"personalize", dangling::personalize},
                                              {"self", dangling::self},
                                              {"lose", dangling::lose}};
constexpr named<pagerank_change> changes[] = {{"l1", pagerank_change::l1},
                                              {"max", pagerank_change::maximum}};

/// The two directions of an undirected graph are the same object.
graph graph_of(const shared_rows& out, const shared_rows& in) {
  if (in == out) return runtime::undirected_graph(*out);
  return {runtime::share(*out), runtime::share(*in)};
}

array_pair bfs(engine_thread& engine, const shared_rows& out, const shared_rows& in,
               const std::vector<std::int32_t>& sources, bool parents) {
  auto [levels, found] = engine.run([=](runtime::engine& e) {
    const graph g = graph_of(out, in);
    runtime::bfs_found result = e.graphs().bfs(g, sources, {});
    runtime::array before = parents ? e.graphs().bfs_parents(g, result.levels) : runtime::array();
    return std::make_pair(std::move(result.levels), std::move(before));
  });
  return {shared(std::move(levels)), shared(std::move(found))};
}

std::tuple<shared_array, std::int64_t, double, bool> pagerank(
    engine_thread& engine, const shared_rows& out, const shared_rows& in, double damping,
    double tolerance, std::int64_t max_iterations, const std::string& dangling_rule,
    const std::string& stop, const shared_array& personalization) {
  const runtime::pagerank_settings settings{
      damping, tolerance, max_iterations,
      value_named("pagerank", "dangling", dangling_rule, dangling_rules),
      value_named("pagerank", "stop", stop, changes)};
  auto found = engine.run([=](runtime::engine& e) {
    return e.graphs().pagerank(graph_of(out, in), settings, share_or_empty(personalization));
  });
  return {shared(std::move(found.ranks)), found.iterations, found.residual, found.converged};
}

array_pair sssp(engine_thread& engine, const shared_rows& out, const shared_rows& in,
                const std::vector<std::int32_t>& sources, bool parents) {
  auto found = engine.run([=](runtime::engine& e) {
    return e.graphs().sssp(graph_of(out, in), sources, {.delta = 0, .parents = parents});
  });
  return {shared(std::move(found.distances)), shared(std::move(found.parents))};
}

shared_array components(engine_thread& engine, const shared_rows& out, const shared_rows& in,
                        bool strong) {
  return shared(engine.run([=](runtime::engine& e) {
    const graph g = graph_of(out, in);
    return strong ? e.graphs().strong_component_labels(g) : e.graphs().component_labels(g);
  }));
}

std::tuple<std::int64_t, shared_array, shared_array> triangles(engine_thread& engine,
                                                               const shared_rows& out,
                                                               const shared_rows& in) {
  auto found =
      engine.run([=](runtime::engine& e) { return e.graphs().triangles(graph_of(out, in), true); });
  return {found.total, shared(std::move(found.counts)), shared(std::move(found.coefficients))};
}

shared_array core_numbers(engine_thread& engine, const shared_rows& out, const shared_rows& in) {
  return shared(
      engine.run([=](runtime::engine& e) { return e.graphs().k_core(graph_of(out, in)).cores; }));
}

shared_array betweenness(engine_thread& engine, const shared_rows& out, const shared_rows& in,
                         std::int64_t samples, std::uint64_t seed, bool normalized) {
  return shared(engine.run([=](runtime::engine& e) {
    return e.graphs().betweenness(graph_of(out, in), {samples, seed, normalized});
  }));
}

/// Of each edge of the forest its ends and its weight, and the total weight.
std::tuple<shared_array, shared_array, shared_array, double> spanning_forest(
    engine_thread& engine, const shared_rows& out, const shared_rows& in) {
  auto found =
      engine.run([=](runtime::engine& e) { return e.graphs().spanning_forest(graph_of(out, in)); });
  return {shared(std::move(found.from)), shared(std::move(found.to)),
          shared(std::move(found.weights)), found.total_weight};
}

}  // namespace

void add_graphs(nb::module_& module) {
  module.def("bfs", &bfs, "engine"_a, "out_rows"_a, "in_rows"_a, "sources"_a, "parents"_a);
  module.def("sssp", &sssp, "engine"_a, "out_rows"_a, "in_rows"_a, "sources"_a, "parents"_a);
  module.def("pagerank", &pagerank, "engine"_a, "out_rows"_a, "in_rows"_a, "damping"_a,
             "tolerance"_a, "max_iterations"_a, "dangling"_a, "stop"_a, "personalization"_a.none());
  module.def("triangles", &triangles, "engine"_a, "out_rows"_a, "in_rows"_a);
  module.def("core_numbers", &core_numbers, "engine"_a, "out_rows"_a, "in_rows"_a);
  module.def("betweenness", &betweenness, "engine"_a, "out_rows"_a, "in_rows"_a, "samples"_a,
             "seed"_a, "normalized"_a);
  module.def("spanning_forest", &spanning_forest, "engine"_a, "out_rows"_a, "in_rows"_a);
  module.def("components", &components, "engine"_a, "out_rows"_a, "in_rows"_a, "strong"_a);
}

}  // namespace evenfold::python
