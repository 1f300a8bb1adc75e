// Makes numbers and edges. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/generate_query.hpp"

#include <cmath>

#include "cli/on_context.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/random.hpp"

namespace evenfold::cli {

namespace {

/// Number i. The multiplication and the addition are one operation, rounded once, on every device.
template <class T>
struct normal_at {
  random_stream random;
  T mean, deviation;
  EF_HD T operator()(std::uint64_t i) const {
    return std::fma(random.normal<T>(i), deviation, mean);
  }
};
template <class T>
struct uniform_at {
  random_stream random;
  T low, range;
  EF_HD T operator()(std::uint64_t i) const { return std::fma(random.uniform<T>(i), range, low); }
};
struct integer_at {
  random_stream random;
  std::int64_t low;
  std::uint64_t range;
  EF_HD std::int64_t operator()(std::uint64_t i) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + random.below(i, range));
  }
};

/// into[i] = make(i).
template <class T, class Make>
void fill(const Make& make, std::vector<T>& into, device where, int threads,
          const on_phase& begin) {
  into = on_context(where, threads, begin, [&](auto& ctx) {
    begin("generate");
    array<T> made(ctx, into.size());
    transform(ctx, std::uint64_t{into.size()}, write_result<Make, T*>{make, made.data()});
    ctx.synchronize();
    begin("copy out");
    return to_host(ctx, made);
  });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

void generate(const number_recipe& recipe, numbers& into, device where, int threads,
              const on_phase& begin) {
  const random_stream random(recipe.seed);
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        if (const auto* normal = std::get_if<normal_numbers>(&recipe.kind)) {
          if constexpr (std::is_floating_point_v<T>) {
            fill(normal_at<T>{random, static_cast<T>(normal->mean),
                              static_cast<T>(normal->deviation)},
                 values, where, threads, begin);
          }
          return;
        }
        const auto& uniform = std::get<uniform_numbers>(recipe.kind);
        if constexpr (std::is_floating_point_v<T>) {
          fill(uniform_at<T>{random, static_cast<T>(uniform.low),
                             static_cast<T>(uniform.high - uniform.low)},
               values, where, threads, begin);
        } else if constexpr (std::is_signed_v<T>) {
          fill(integer_at{random, static_cast<std::int64_t>(uniform.low),
                          static_cast<std::uint64_t>(uniform.high - uniform.low)},
               values, where, threads, begin);
        }
      },
      into);
}

void generate(const edge_recipe& recipe, std::vector<edge>& into, device where, int threads,
              const on_phase& begin) {
  std::visit([&](const auto& make) { fill(make, into, where, threads, begin); }, recipe);
}

}  // namespace of the backend

}  // namespace evenfold::cli
