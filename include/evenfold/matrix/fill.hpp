#pragma once
// fill_uniform, fill_normal: random matrices, the same on every backend.

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/for_all_indices.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/random.hpp"

namespace evenfold {

namespace detail {

/// The n-th uniform or normal number of a random stream.
struct draw_uniform {
  random_stream random;
  template <class T>
  EF_HD T draw(std::uint64_t n) const {
    return random.uniform<T>(n);
  }
};
struct draw_normal {
  random_stream random;
  template <class T>
  EF_HD T draw(std::uint64_t n) const {
    return random.normal<T>(n);
  }
};

/// out(i, j) = scale x + shift, where x is the random number for the row-major index of (i, j).
template <class T, class Source>
struct fill_element {
  matrix_view<T> out;
  Source source;
  T scale, shift;

  EF_HD void operator()(std::int64_t i, std::int64_t j) const {
    const auto n = static_cast<std::uint64_t>(i * out.columns() + j);
    out(i, j) = std::fma(source.template draw<T>(n), scale, shift);
  }
};

}  // namespace detail

/// out(i, j) = low + (high - low) u, rounded once, where u is the (i * columns + j)-th number in
/// [0, 1) of the random stream `seed`.
///
/// The bits depend only on the seed, the extents and the position, not on the layout or the
/// backend. Work O(rows * columns), span O(rows * columns / workers); writes each element once. No
/// scratch. Does not wait. Errors: argument_error for `out` on the wrong side.
///
/// Example: examples/copy_matrix.cpp.
/// Names elsewhere: numpy.random.Generator.uniform.
template <context Context, std::floating_point T>
void fill_uniform(Context& ctx, matrix_view<T> out, std::uint64_t seed,
                  std::type_identity_t<T> low = 0, std::type_identity_t<T> high = 1) {
  detail::check_pointer(ctx, "fill_uniform", "out", out.data(), out.size());
  for_all_indices(
      ctx, out,
      detail::fill_element<T, detail::draw_uniform>{out, {random_stream(seed)}, high - low, low});
}

/// out(i, j) = mean + deviation z, rounded once, where z is the (i * columns + j)-th standard
/// normal number of the random stream `seed`. Otherwise as fill_uniform.
///
/// Names elsewhere: numpy.random.Generator.normal.
template <context Context, std::floating_point T>
void fill_normal(Context& ctx, matrix_view<T> out, std::uint64_t seed,
                 std::type_identity_t<T> mean = 0, std::type_identity_t<T> deviation = 1) {
  detail::check_pointer(ctx, "fill_normal", "out", out.data(), out.size());
  for_all_indices(
      ctx, out,
      detail::fill_element<T, detail::draw_normal>{out, {random_stream(seed)}, deviation, mean});
}

}  // namespace evenfold
