// pagerank compared with the products that it consists of, and with a common loop: one thread per
// vertex.

#include "bench/cuda_platform.cuh"
#include "bench/graphs.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace bench {
namespace {

using evenfold::array;
using web = evenfold::graph_view<const evenfold::pattern>;

constexpr int iterations = 20;

template <class F>
void for_each_index(int count, F f) {
  evenfold::device::check_cuda(cub::DeviceFor::Bulk(count, f, device_context().stream()),
                               "cub::DeviceFor::Bulk");
}

template <class T>
struct plain_start {
  web g;
  T* ranks;
  T* brought;
  __device__ void operator()(int v) {
    ranks[v] = T{1} / static_cast<T>(g.num_vertices());
    brought[v] = ranks[v] / static_cast<T>(g.out_degree(v));
  }
};
/// Loses the ranks of dangling vertices. In an undirected graph only vertices without edges are
/// dangling.
template <class T>
struct plain_iteration {
  web g;
  const T* from;
  T* ranks;
  T* to;
  T jumps;
  __device__ void operator()(int v) {
    T sum = 0;
    for (int k = g.in.row_offsets[v]; k < g.in.row_offsets[v + 1]; ++k) {
      sum += from[g.in.columns[k]];
    }
    ranks[v] = jumps + T(0.85) * sum;
    to[v] = ranks[v] / static_cast<T>(g.out_degree(v));
  }
};

template <class T>
struct differs {
  const T* ours;
  const T* theirs;
  int* found;
  __device__ void operator()(int v) {
    if (!(std::abs(ours[v] - theirs[v]) <= T(1e-4) * theirs[v])) atomicAdd(found, 1);
  }
};

template <class T>
struct data {
  evenfold::graph<evenfold::pattern> g;
  array<T> theirs, from, to, product;
  evenfold::pagerank_result<T> ours = {};
  array<int> found = device_array<int>(1);

  explicit data(evenfold::graph<evenfold::pattern>&& made)
      : g(std::move(made)),
        theirs(device_array<T>(vertices())),
        from(device_array<T>(vertices())),
        to(device_array<T>(vertices())),
        product(device_array<T>(vertices())) {}
  int vertices() const { return g.out.num_rows; }
};

template <class T, class Edges>
prepared_case ranks(int scale, Edges edges, std::vector<mark> marks) {
  auto d = std::make_shared<data<T>>(undirected(device_context(), 1 << scale, 16 << scale, edges));
  const web g = d->g.view();
  const int n = g.num_vertices();
  // The ranks of vertices without edges are lost, as in the plain loop.
  const evenfold::pagerank_options<T> options{
      .tolerance = 0, .max_iterations = iterations, .dangling_mass = evenfold::dangling::lose};
  const auto ours = [=] { d->ours = evenfold::pagerank<T>(device_context(), g, options); };
  const auto products = [=] {
    for (int k = 0; k < iterations; ++k) {
      evenfold::spmv(device_context(), g.in, d->from.data(), d->product.data());
    }
  };
  const auto plain = [=] {
    for_each_index(n, plain_start<T>{g, d->theirs.data(), d->from.data()});
    for (int k = 0; k < iterations; ++k) {
      const T jumps = T(0.15) / static_cast<T>(n);
      for_each_index(n,
                     plain_iteration<T>{g, d->from.data(), d->theirs.data(), d->to.data(), jumps});
      std::swap(d->from, d->to);
    }
  };
  const double stored = g.num_edges();
  return {
      .bytes = iterations * (4 * stored + (4 + 7. * sizeof(T)) * n),
      .contestants = {{"evenfold pagerank, " + std::to_string(iterations) + " iterations", ours},
                      {"evenfold spmv, as often", products},
                      {"one thread per vertex", plain, {}, 3}},
      .check = [=]() -> std::string {
        ours();
        plain();
        device_context().fill_bytes(d->found.data(), 0, sizeof(int));
        for_each_index(n, differs<T>{d->ours.ranks.data(), d->theirs.data(), d->found.data()});
        const int found = evenfold::to_host(device_context(), d->found)[0];
        return found == 0 ? "" : std::to_string(found) + " ranks are not those of the loop";
      },
      .marks = std::move(marks)};
}

int scale(const options& chosen) { return chosen.quick ? 18 : 22; }

const add_case cases[] = {
    {"pagerank_rmat",
     [](const options& o) {
       // At most 1.1 times the products alone.
       return ranks<float>(
           scale(o), evenfold::rmat_edges(scale(o), 2),
           {at_most_published(1.0, iterations, "the goal, 1 ms each"), at_most_best_peer(1.1)});
     }},
    {"pagerank_rmat_double",
     [](const options& o) {
       return ranks<double>(scale(o), evenfold::rmat_edges(scale(o), 2), {at_most_best_peer(1.1)});
     }},
    {"pagerank_kronecker",
     [](const options& o) {
       return ranks<float>(scale(o), evenfold::kronecker_edges(scale(o), 2),
                           {at_most_best_peer(1.1)});
     }},
    {"pagerank_small",
     [](const options&) {
       // In each iteration the device waits for the host, which takes as long as a product.
       return ranks<float>(14, evenfold::rmat_edges(14, 2), {});
     }},
};

}  // namespace
}  // namespace bench
