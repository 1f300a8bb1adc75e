#pragma once
// The queries of `evenfold generate`: numbers and edges made on a device that is chosen at run
// time, the same ones on every device.

#include <cstdint>
#include <variant>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/graph/generators.hpp"

namespace evenfold::cli {

/// Numbers of the type that `into` has, as many as it holds.
struct normal_numbers {
  double mean, deviation;
};
/// From `low` on, below `high`; integers below `high` as well.
struct uniform_numbers {
  double low, high;
};
struct number_recipe {
  std::variant<normal_numbers, uniform_numbers> kind;
  std::uint64_t seed;
};

using edge_recipe = std::variant<rmat_edges, kronecker_edges, uniform_edges, grid_edges>;

#if defined(__CUDACC__) || defined(EVENFOLD_WITH_CUDA)
namespace gpu_backend {
void generate(const number_recipe& recipe, numbers& into, device where, int threads,
              const on_phase& begin);
void generate(const edge_recipe& recipe, std::vector<edge>& into, device where, int threads,
              const on_phase& begin);
}  // namespace gpu_backend
#endif
namespace host_backend {
void generate(const number_recipe& recipe, numbers& into, device where, int threads,
              const on_phase& begin);
void generate(const edge_recipe& recipe, std::vector<edge>& into, device where, int threads,
              const on_phase& begin);
}  // namespace host_backend

}  // namespace evenfold::cli
