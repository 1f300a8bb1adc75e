#pragma once
// Operations on graphs: `engine::graphs()`.

#include <cstdint>
#include <variant>
#include <vector>

#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/graph/betweenness_options.hpp"
#include "evenfold/graph/bfs_options.hpp"
#include "evenfold/graph/bfs_report.hpp"
#include "evenfold/graph/components_report.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/pagerank_rules.hpp"
#include "evenfold/graph/spanning_forest_report.hpp"
#include "evenfold/graph/sssp_options.hpp"
#include "evenfold/graph/sssp_report.hpp"
#include "runtime/array.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::runtime {

class engine;

using edge_recipe = std::variant<rmat_edges, kronecker_edges, uniform_edges, grid_edges>;

/// How entries become a graph.
struct graph_shape {
  /// Whether the edges have no direction.
  bool undirected = false;
  /// Whether the opposite of each edge of an undirected graph is missing in the entries and is
  /// added.
  bool symmetrize = false;
  /// The rule for edges that occur more than once.
  evenfold::duplicates duplicates = evenfold::duplicates::keep;
};

/// Row u of `out` has the edges that leave vertex u, row v of `in` those that reach v. An
/// undirected edge is stored as two directed ones; the two directions of an undirected graph are
/// the same memory.
struct graph {
  sparse_rows out, in;

  std::int32_t num_vertices() const { return out.num_rows; }
  std::int64_t num_edges() const { return out.num_nonzeros(); }
};

/// The graph of the entries of a square matrix, in the memory of the engine. If the entries are
/// those of one of several processes, so are the rows of the graph: see make_rows(). Waits.
///
/// Errors: those of make_rows(); argument_error for a matrix that is not square.
graph make_graph(engine& engine, const sparse_entries& entries, const graph_shape& shape);

/// The undirected graph of rows that have each edge in both directions.
graph undirected_graph(const sparse_rows& out);

/// As evenfold::bfs_result.
struct bfs_found {
  /// One int32 per vertex.
  array levels;
  std::int64_t reached = 0, depth = 0;
  std::vector<bfs_level> table;
};

/// Numbers of edges; an undirected edge counts once.
struct edge_counts {
  std::int64_t edges = 0;
  /// The edges at vertices with a level.
  std::int64_t reached = 0;
};

/// As evenfold::pagerank_options.
struct pagerank_settings {
  double damping = 0.85, tolerance = 1e-6;
  std::int64_t max_iterations = 100;
  dangling dangling_mass = dangling::evenly;
  pagerank_change stop = pagerank_change::l1;
};

/// As evenfold::pagerank_result.
struct pagerank_found {
  /// One float64 per vertex.
  array ranks;
  std::int64_t iterations = 0;
  double residual = 0;
  bool converged = false;
};

/// As evenfold::triangle_result.
struct triangles_found {
  std::int64_t total = 0;
  /// One int64 and one float64 per vertex; empty unless asked for.
  array counts, coefficients;
};

/// The core numbers, one int32 per vertex, and the largest of them.
struct cores_found {
  array cores;
  std::int32_t largest = 0;
};

/// The number of components, and the number of vertices of the largest one.
struct component_summary {
  std::int32_t components = 0, largest = 0;
};

/// As evenfold::spanning_forest.
struct forest_found {
  /// The ends (int32), the weight (float64) and the position (int64) of each edge.
  array from, to, weights, positions;
  double total_weight = 0;
};

/// As evenfold::sssp_result.
struct sssp_found {
  /// One float64 per vertex; infinity where there is no path.
  array distances;
  /// One int32 per vertex, or empty.
  array parents;
  std::int64_t reached = 0;
  double max_distance = 0;
};

/// Arrays are where the engine can reach them. Errors of all: type_error, closed_engine_error,
/// argument_error for an array that the engine cannot reach or a graph whose arrays do not fit
/// together, allocation_error.
class graph_operations {
 public:
  virtual ~graph_operations() = default;

  /// The first `count` edges of a recipe, the same on every device: for each edge the vertex that
  /// it leaves and the vertex that it reaches, both int64. Does not wait.
  virtual array generate(const edge_recipe& recipe, std::size_t count) = 0;

  /// The hop distance of every vertex from the nearest source. Parents are found by bfs_parents(),
  /// whatever the options say. Waits.
  virtual bfs_found bfs(const graph& g, const std::vector<std::int32_t>& sources,
                        const bfs_options& options) = 0;
  /// For each vertex the previous vertex on a shortest path, int32. Does not wait.
  virtual array bfs_parents(const graph& g, const array& levels) = 0;
  /// Checks hop distances without finding them again: see evenfold::bfs_verify(). `parents` may be
  /// empty. Waits.
  virtual bfs_report bfs_verify(const graph& g, const std::vector<std::int32_t>& sources,
                                const bfs_found& found, const array& parents) = 0;
  /// Waits.
  virtual edge_counts count_edges(const graph& g, const array& levels) = 0;

  /// Ranks the vertices by the edges that reach them, or by their values. `personalization` is
  /// empty or one float64 per vertex. Waits.
  virtual pagerank_found pagerank(const graph& g, const pagerank_settings& settings,
                                  const array& personalization) = 0;
  /// Checks ranks without finding them again: see evenfold::pagerank_verify(). Waits.
  virtual pagerank_report pagerank_verify(const graph& g, const pagerank_settings& settings,
                                          const array& personalization,
                                          const pagerank_found& found) = 0;

  /// The triangles, ignoring the direction of edges, and with `per_vertex` those at each vertex and
  /// its local clustering coefficient. Waits.
  virtual triangles_found triangles(const graph& g, bool per_vertex) = 0;

  /// The core number of each vertex, ignoring the direction of edges. Waits.
  virtual cores_found k_core(const graph& g) = 0;
  /// The number of vertices whose core number cannot be right: see evenfold::k_core_verify().
  /// Waits.
  virtual std::int64_t k_core_verify(const graph& g, const array& cores) = 0;

  /// The betweenness of each vertex, float64. Waits.
  virtual array betweenness(const graph& g, const betweenness_options& options) = 0;
  /// Whether the sum of the scores is right. Waits.
  virtual betweenness_report betweenness_verify(const graph& g, const array& scores,
                                                const betweenness_options& options) = 0;

  /// For each vertex the lowest vertex of its connected component, ignoring the direction of edges,
  /// int32. Does not wait.
  virtual array component_labels(const graph& g) = 0;
  /// The same for strongly connected components, which follow the directions. Waits.
  virtual array strong_component_labels(const graph& g) = 0;
  /// Counts the components from such labels. Waits.
  virtual component_summary count_components(const array& labels) = 0;
  /// Checks such labels: see evenfold::components_verify(). Waits.
  virtual components_report components_verify(const graph& g, const array& labels) = 0;
  /// The same for strongly connected components. Waits.
  virtual components_report strong_components_verify(const graph& g, const array& labels) = 0;

  /// The minimum spanning forest, ignoring the direction of edges. The values of the graph are the
  /// weights of its edges, and a graph without values is refused. Waits.
  virtual forest_found spanning_forest(const graph& g) = 0;
  /// Checks the positions of the edges of a forest: see evenfold::spanning_forest_verify(). Waits.
  virtual spanning_forest_report spanning_forest_verify(const graph& g, const array& positions) = 0;

  /// The shortest paths from the sources. The values of the graph are the weights of its edges, and
  /// a graph without values is refused. Waits.
  virtual sssp_found sssp(const graph& g, const std::vector<std::int32_t>& sources,
                          const sssp_options& options) = 0;
  /// Checks distances, and parents if there are any: see evenfold::sssp_verify(). Waits.
  virtual sssp_report sssp_verify(const graph& g, const std::vector<std::int32_t>& sources,
                                  const sssp_found& found) = 0;
};

}  // namespace evenfold::runtime
