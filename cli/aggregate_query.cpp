// Runs the aggregate query. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/aggregate_query.hpp"

#include <limits>
#include <type_traits>

#include "cli/exact_fold.hpp"
#include "cli/on_context.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/matrix/aggregate.hpp"
#include "evenfold/matrix/argmax_axis.hpp"

namespace evenfold::cli {

namespace {

/// The folds along the axis, each in the type of `init`.
template <class T, context Context, class E, class Op>
std::vector<T> folds(Context& ctx, matrix_view<const E> matrix, aggregate_axis axis, Op op,
                     T init) {
  if (axis == aggregate_axis::all) return {aggregate(ctx, matrix, op, init)};
  const matrix_view<const E> lines = axis == aggregate_axis::rows ? matrix : matrix.transposed();
  array<T> out(ctx, lines.rows());
  aggregate_rows(ctx, lines, out.data(), op, init);
  return to_host(ctx, out);
}

/// Sets `value` to an exact result. Returns false where it does not fit.
template <class T>
bool narrow(const wide_integer& sum, T& value) {
  value = static_cast<T>(sum);
  return value == sum;
}
template <class T>
bool narrow(const exact_product& product, T& value) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  value = static_cast<T>(product.negative ? 0 - product.magnitude : product.magnitude);
  return !product.beyond && product.magnitude <= most + (product.negative ? 1 : 0);
}

/// The exact results as numbers of type T.
template <class T, class Exact>
std::vector<T> narrowed(const std::vector<Exact>& results, const aggregate_query& query) {
  std::vector<T> values(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (narrow(results[i], values[i])) continue;
    const std::string of_what =
        query.axis == aggregate_axis::all
            ? "all elements"
            : (query.axis == aggregate_axis::rows ? "row " : "column ") + std::to_string(i);
    throw error(query.file + ": the " +
                (query.op == aggregate_operator::product ? "product" : "sum") + " of " + of_what +
                " does not fit into 64 bits, expected less than 2^" +
                std::to_string(std::numeric_limits<T>::digits) + ", or floating-point numbers");
  }
  return values;
}

/// The sums over how many elements each has.
template <class Sum>
std::vector<double> means(const std::vector<Sum>& sums, std::int64_t elements) {
  std::vector<double> values;
  values.reserve(sums.size());
  for (const Sum& sum : sums) {
    values.push_back(static_cast<double>(sum) /
                     (static_cast<double>(elements) / static_cast<double>(sums.size())));
  }
  return values;
}

template <context Context, class E, class Locate, class LocateInRows>
aggregate_answer located_extremes(Context& ctx, matrix_view<const E> matrix, aggregate_axis axis,
                                  Locate locate, LocateInRows locate_in_rows) {
  if (axis == aggregate_axis::all) {
    const located<E> found = locate(matrix);
    return {std::vector<E>{found.value}, {found.row, found.column}};
  }
  const matrix_view<const E> lines = axis == aggregate_axis::rows ? matrix : matrix.transposed();
  array<E> values(ctx, lines.rows());
  array<std::int64_t> places(ctx, lines.rows());
  locate_in_rows(lines, values.data(), places.data());
  return {to_host(ctx, values), to_host(ctx, places)};
}

template <context Context, class E>
aggregate_answer answer_on(Context& ctx, matrix_view<const E> matrix,
                           const aggregate_query& query) {
  using op = aggregate_operator;
  constexpr bool exact = std::is_integral_v<E>;
  using sum_type = std::conditional_t<exact, wide_integer, double>;
  using product_type = std::conditional_t<exact, exact_product, double>;
  const aggregate_axis axis = query.axis;
  switch (query.op) {
    case op::max:
      return {folds(ctx, matrix, axis, maximum{}, identity_of<maximum, E>::value), {}};
    case op::min:
      return {folds(ctx, matrix, axis, minimum{}, identity_of<minimum, E>::value), {}};
    case op::sum:
    case op::mean: {
      const auto sums = folds(ctx, matrix, axis, plus{}, sum_type{0});
      if (query.op == op::mean) return {means(sums, matrix.size()), {}};
      if constexpr (exact)
        return {narrowed<E>(sums, query), {}};
      else
        return {sums, {}};
    }
    case op::product: {
      const auto products = folds(ctx, matrix, axis, multiplies{}, static_cast<product_type>(E{1}));
      if constexpr (exact)
        return {narrowed<E>(products, query), {}};
      else
        return {products, {}};
    }
    case op::argmax:
      return located_extremes(
          ctx, matrix, axis, [&](auto all) { return argmax(ctx, all); },
          [&](auto lines, E* values, std::int64_t* places) {
            argmax_rows(ctx, lines, values, places);
          });
    case op::argmin:
      break;
  }
  return located_extremes(
      ctx, matrix, axis, [&](auto all) { return argmin(ctx, all); },
      [&](auto lines, E* values, std::int64_t* places) {
        argmin_rows(ctx, lines, values, places);
      });
}

/// The same after the elements have been brought to where the context works.
template <context Context, class E>
aggregate_answer answer_from_host(Context& ctx, matrix_view<const E> matrix,
                                  const aggregate_query& query, const on_phase& begin) {
  if constexpr (Context::side == memory_side::host) {
    begin("aggregate");
    return answer_on(ctx, matrix, query);
  } else {
    begin("copy in");
    const array<E> there = to_context(ctx, matrix.data(), static_cast<std::size_t>(matrix.size()));
    ctx.synchronize();
    begin("aggregate");
    return answer_on(ctx,
                     matrix_view<const E>(there.data(), matrix.rows(), matrix.columns(),
                                          matrix.row_stride(), matrix.column_stride()),
                     query);
  }
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

aggregate_answer aggregate(const aggregate_query& query, device where, int threads,
                           const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    return std::visit([&](auto matrix) { return answer_from_host(ctx, matrix, query, begin); },
                      query.matrix);
  });
}

}  // namespace of the backend

}  // namespace evenfold::cli
