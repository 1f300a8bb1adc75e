// The operations on dense matrices. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/matrices.hpp"

#include <limits>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/aggregate.hpp"
#include "evenfold/matrix/argmax_axis.hpp"
#include "evenfold/matrix/jacobi.hpp"
#include "runtime/backend.hpp"
#include "runtime/exact_fold.hpp"
#include "runtime/matrix_blocks.hpp"
#include "runtime/ranks.hpp"
#include "runtime/whole_folds.hpp"

namespace evenfold::runtime {

namespace {

/// Writes exact result i as a number of 64 bits; gives i where it does not fit, else `none`.
template <class Exact, class T>
struct narrow_at {
  using heavy = void;

  const Exact* from;
  T* to;
  std::int64_t none;

  EF_HD std::int64_t operator()(std::int64_t i) const { return narrow(from[i], to[i]) ? none : i; }
};

/// The mean of `count` elements with a sum.
template <class Sum>
struct mean_at {
  const Sum* sums;
  double count;
  EF_HD double operator()(std::int64_t i) const { return static_cast<double>(sums[i]) / count; }
};

/// to[i] = to[i] (+) part[i]
template <class T, class Op>
struct fold_into {
  T* to;
  const T* part;
  Op op;
  EF_HD void operator()(std::int64_t i) const { to[i] = op(to[i], part[i]); }
};

/// The same for elements and their indices, where the indices of the part count from `offset` on.
template <class T, class Before>
struct locate_into {
  T* values;
  std::int64_t* places;
  const T* part_values;
  const std::int64_t* part_places;
  std::int64_t offset;

  EF_HD void operator()(std::int64_t i) const {
    const detail::indexed<T> so_far{values[i], places[i]};
    const detail::indexed<T> other{part_values[i], part_places[i] + offset};
    const detail::indexed<T> first = detail::first_of<Before>{}(so_far, other);
    values[i] = first.value;
    places[i] = first.index;
  }
};

std::string line_text(aggregate_axis axis, std::int64_t line) {
  if (axis == aggregate_axis::all) return "all elements";
  return (axis == aggregate_axis::rows ? "row " : "column ") + std::to_string(line);
}

[[noreturn]] void refuse_overflow(aggregate_operator op, aggregate_axis axis, std::int64_t line,
                                  int digits) {
  throw overflow_error(std::string("the ") +
                       (op == aggregate_operator::product ? "product" : "sum") + " of " +
                       line_text(axis, line) + " does not fit into 64 bits, expected less than 2^" +
                       std::to_string(digits) + ", or floating-point numbers");
}

void check_shape(const char* operation, const array& elements, const matrix_shape& shape) {
  if (shape.rows <= 0 || shape.columns <= 0) return;
  const std::int64_t last =
      (shape.rows - 1) * shape.row_stride + (shape.columns - 1) * shape.column_stride;
  if (last < static_cast<std::int64_t>(elements.size())) return;
  detail::refuse_argument(operation, "elements.size()", elements.size(),
                          "the last element of the matrix has the index " + std::to_string(last),
                          "pass all of the matrix, or its true shape");
}

/// The operator that a function object stands for.
constexpr fold_operator operator_of(plus) { return fold_operator::sum; }
constexpr fold_operator operator_of(multiplies) { return fold_operator::product; }
constexpr fold_operator operator_of(maximum) { return fold_operator::max; }
constexpr fold_operator operator_of(minimum) { return fold_operator::min; }

/// A matrix, and the part of it that each fold takes.
struct fold_task {
  typed_matrix matrix;
  aggregate_operator op;
  aggregate_axis axis;

  bool of_all() const { return axis == aggregate_axis::all; }
  /// The matrix whose rows are folded, unless all elements are one fold.
  typed_matrix lines() const {
    return axis == aggregate_axis::columns ? matrix.transposed() : matrix;
  }
};

/// Whether rows are folded along the memory, not across it.
bool is_along(const typed_matrix& lines) {
  return lines.rows() == 1 || lines.columns() == 0 || (lines.columns() > 1 && lines.is_row_major());
}

class matrices_here final : public matrix_operations, private family<backend_context> {
 private:
  // These stand before their users, because clang 16 otherwise leaves out most instances of member
  // templates that only generic lambdas call.
  template <class T>
  aggregate_result result_of(const fold_task& task) {
    using op = aggregate_operator;
    constexpr bool exact = std::is_integral_v<T>;
    using sum_type = std::conditional_t<exact, wide_integer, double>;
    using product_type = std::conditional_t<exact, exact_product, double>;
    switch (task.op) {
      case op::max:
        return {owning(folds<T>(task, maximum{}, identity_of<maximum, T>::value)), {}};
      case op::min:
        return {owning(folds<T>(task, minimum{}, identity_of<minimum, T>::value)), {}};
      case op::sum:
        return {fitting<T>(task, folds<T>(task, plus{}, sum_type{0})), {}};
      case op::mean:
        return {means(task, folds<T>(task, plus{}, sum_type{0})), {}};
      case op::product: {
        const auto one = static_cast<product_type>(T{1});
        return {fitting<T>(task, folds<T>(task, multiplies{}, one)), {}};
      }
      case op::argmax:
        return task.of_all() ? located_in_all<T, greater>(task)
                             : located_in_lines<T, greater>(task);
      default:
        return task.of_all() ? located_in_all<T, less>(task) : located_in_lines<T, less>(task);
    }
  }

  /// The fold of all elements, which was found in their own type; `index` is that of an extreme.
  template <class T, class Found>
  aggregate_result result_of_whole(const fold_task& task, Found found, std::int64_t index) {
    using op = aggregate_operator;
    if constexpr (std::is_integral_v<T>) {
      if (task.op == op::sum) return {fitting<T>(task, to_context(ctx, &found, 1)), {}};
      if (task.op == op::mean) return {means(task, to_context(ctx, &found, 1)), {}};
    }
    const auto value = static_cast<T>(found);
    if (task.op == op::max || task.op == op::min) return {owning(to_context(ctx, &value, 1)), {}};
    const std::int64_t columns = task.matrix.columns();
    const std::int64_t place[] = {index / columns, index % columns};
    return {owning(to_context(ctx, &value, 1)), owning(to_context(ctx, place, 2))};
  }

  /// The folds of elements of type T, each in the type of `init`.
  template <class T, class Op, class Fold>
  evenfold::array<Fold> folds(const fold_task& task, Op op, Fold init) {
    if (task.of_all()) {
      const Fold fold = fold_of_all<T>(task.matrix, op, init);
      return to_context(ctx, &fold, 1);
    }
    return folds_of_lines<T>(task.lines(), op, init);
  }

  template <class T, class Op, class Fold>
  Fold fold_of_all(typed_matrix a, Op op, Fold init) {
    // The operators commute, so the elements are read in the order of memory.
    if (!a.is_row_major()) a = a.transposed();
    if (a.is_contiguous()) a = a.as_row();
    if constexpr (can_have_ranks<backend_context> && std::is_same_v<Fold, double>) {
      if (has_ranks() && a.is_contiguous() && a.type == element_type::float64) {
        return fold_on_ranks(state(), static_cast<const double*>(a.data),
                             static_cast<std::size_t>(a.size()), operator_of(op));
      }
    }
    for_each_block<T>(ctx, a, [&](auto block, std::int64_t, std::int64_t) {
      init = reduce(ctx, block.data(), block.size(), op, init);
    });
    return init;
  }

  // Blocks have no gaps between their lines.
  template <class E, class T, class Op>
  void fold_rows(matrix_view<const E> block, T* to, Op op, T init) {
    detail::fold_rows<detail::line_gaps::none>(ctx, "aggregate", block, to, op, init);
  }

  template <class T, class Op, class Fold>
  evenfold::array<Fold> folds_of_lines(const typed_matrix& lines, Op op, Fold init) {
    evenfold::array<Fold> out(ctx, lines.rows());
    evenfold::array<Fold> part;
    const bool along = is_along(lines);
    for_each_block<T>(ctx, along ? lines : lines.transposed(),
                      [&](auto block, std::int64_t row, std::int64_t column) {
                        const auto in_block = along ? block : block.transposed();
                        if (!along) std::swap(row, column);
                        Fold* const to = out.data() + row;
                        if (column == 0) return fold_rows(in_block, to, op, init);
                        if (part.empty()) part = evenfold::array<Fold>(ctx, out.size());
                        fold_rows(in_block, part.data(), op, init);
                        transform(ctx, in_block.rows(), fold_into<Fold, Op>{to, part.data(), op});
                      });
    return out;
  }

  /// The results as they are reported: integers only if they fit.
  template <class T, class Exact>
  array fitting(const fold_task& task, evenfold::array<Exact> results) {
    if constexpr (std::is_same_v<Exact, double>) {
      return owning(std::move(results));
    } else {
      evenfold::array<T> values(ctx, results.size());
      const auto none = static_cast<std::int64_t>(results.size());
      const std::int64_t line = transform_reduce(
          ctx, none, narrow_at<Exact, T>{results.data(), values.data(), none}, minimum{}, none);
      if (line == none) return owning(std::move(values));
      refuse_overflow(task.op, task.axis, line, std::numeric_limits<T>::digits);
    }
  }

  template <class Sum>
  array means(const fold_task& task, evenfold::array<Sum> sums) {
    evenfold::array<double> values(ctx, sums.size());
    const double count = static_cast<double>(task.matrix.size()) / static_cast<double>(sums.size());
    transform(ctx, static_cast<std::int64_t>(sums.size()),
              write_result<mean_at<Sum>, double*>{{sums.data(), count}, values.data()});
    return owning(std::move(values));
  }

  template <class T, class Before>
  aggregate_result located_in_all(const fold_task& task) {
    const typed_matrix& a = task.matrix;
    const bool by_rows = a.is_row_major();
    detail::indexed<T> first{T{}, -1};
    for_each_block<T>(
        ctx, by_rows ? a : a.transposed(), [&](auto block, std::int64_t row, std::int64_t column) {
          if (!by_rows) std::swap(row, column);
          const located<T> found = extreme<Before>(by_rows ? block : block.transposed());
          const std::int64_t number = (found.row + row) * a.columns() + found.column + column;
          const detail::indexed<T> here{found.value, number};
          first = first.index < 0 ? here : detail::first_of<Before>{}(first, here);
        });
    const std::int64_t place[] = {first.index / a.columns(), first.index % a.columns()};
    return {owning(to_context(ctx, &first.value, 1)), owning(to_context(ctx, place, 2))};
  }

  template <class T, class Before>
  aggregate_result located_in_lines(const fold_task& task) {
    const typed_matrix lines = task.lines();
    const bool along = is_along(lines);
    evenfold::array<T> values(ctx, lines.rows()), part;
    evenfold::array<std::int64_t> places(ctx, lines.rows()), part_places;
    for_each_block<T>(
        ctx, along ? lines : lines.transposed(),
        [&](auto block, std::int64_t row, std::int64_t column) {
          const auto in_block = along ? block : block.transposed();
          if (!along) std::swap(row, column);
          T* const value = values.data() + row;
          std::int64_t* const place = places.data() + row;
          if (column == 0) return extremes<Before>(in_block, value, place);
          if (part.empty()) {
            part = evenfold::array<T>(ctx, values.size());
            part_places = evenfold::array<std::int64_t>(ctx, values.size());
          }
          extremes<Before>(in_block, part.data(), part_places.data());
          transform(ctx, in_block.rows(),
                    locate_into<T, Before>{value, place, part.data(), part_places.data(), column});
        });
    return {owning(std::move(values)), owning(std::move(places))};
  }

  template <class Before, class T>
  located<T> extreme(matrix_view<const T> block) {
    if constexpr (std::is_same_v<Before, greater>) return argmax(ctx, block);
    if constexpr (std::is_same_v<Before, less>) return argmin(ctx, block);
  }
  template <class Before, class T>
  void extremes(matrix_view<const T> block, T* values, std::int64_t* places) {
    using op = std::conditional_t<std::is_same_v<Before, greater>, maximum, minimum>;
    detail::locate_in_rows<detail::line_gaps::none>(ctx, "aggregate", block, values, places, op{});
  }

 public:
  using family::family;

  aggregate_result aggregate(const array& elements, const matrix_shape& shape,
                             aggregate_operator op, aggregate_axis axis) override {
    check_shape("aggregate", elements, shape);
    return visit_type<operation::aggregate>(
        elements.type(), "elements", [&]<class E>(std::type_identity<E>) {
          const E* const data = read<E>("aggregate", "elements", elements);
          // A bool is stored as 0 or 1.
          constexpr bool is_bool = std::is_same_v<E, bool>;
          const element_type type = is_bool ? element_type::uint8 : elements.type();
          const fold_task task{{data, type, shape}, op, axis};
          if (task.of_all() && task.matrix.is_row_major() && task.matrix.is_contiguous()) {
            const auto whole = fold_of_numbers(ctx, type, data, task.matrix.size(), op);
            if (whole) {
              const std::int64_t index = whole->index;
              if constexpr (std::is_integral_v<E>) {
                return result_of_whole<wide<E>>(task, whole->value, index);
              } else {
                return result_of_whole<E>(task, data[index], index);
              }
            }
          }
          return result_of<wide<E>>(task);
        });
  }

  jacobi_summary jacobi(array& grid, std::int64_t rows, std::int64_t columns, double tolerance,
                        std::int64_t max_sweeps, const jacobi_observer& watch) override {
    check_shape("jacobi", grid, matrix_shape::row_major(rows, columns));
    return visit_type<operation::jacobi>(
        grid.type(), "grid", [&]<class T>(std::type_identity<T>) -> jacobi_summary {
          const auto view =
              matrix_view<T>::row_major(write<T>("jacobi", "grid", grid), rows, columns);
          const auto observe = [&](std::int64_t sweeps, T residual) {
            if (watch) watch(sweeps, double{residual});
          };
          const auto found =
              evenfold::jacobi(ctx, view, static_cast<T>(tolerance), max_sweeps, observe);
          return {found.sweeps, double{found.residual}, found.converged};
        });
  }
};

}  // namespace

std::unique_ptr<matrix_operations> make_matrices(const backend_state& state) {
  return std::make_unique<matrices_here>(state);
}

}  // namespace evenfold::runtime
