// Folds of whole arrays, of rows and of columns, and histograms.

#include "runtime/arrays.hpp"

#include <map>
#include <stdexcept>

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"
#include "runtime/matrices.hpp"

namespace evenfold::python {

namespace {

constexpr named<fold_strategy> strategies[] = {{"array_folding", fold_strategy::array_folding},
                                               {"tournament", fold_strategy::tournament},
                                               {"tiled", fold_strategy::tiled}};
constexpr named<runtime::aggregate_operator> aggregates[] = {
    {"max", runtime::aggregate_operator::max},
    {"min", runtime::aggregate_operator::min},
    {"sum", runtime::aggregate_operator::sum},
    {"prod", runtime::aggregate_operator::product},
    {"mean", runtime::aggregate_operator::mean},
    {"argmax", runtime::aggregate_operator::argmax},
    {"argmin", runtime::aggregate_operator::argmin},
};
constexpr named<runtime::aggregate_axis> axes[] = {{"all", runtime::aggregate_axis::all},
                                                   {"rows", runtime::aggregate_axis::rows},
                                                   {"columns", runtime::aggregate_axis::columns}};

nb::object number_of(const runtime::number& value) {
  return std::visit([](auto number) { return nb::cast(number); }, value);
}

/// The fold, and where a trace is asked for the cells after each round, from round 0 on.
std::pair<nb::object, std::vector<shared_array>> fold(engine_thread& engine,
                                                      const shared_array& values,
                                                      const std::string& op,
                                                      const std::string& strategy, bool trace) {
  const auto how = value_named("fold", "op", op, fold_operators);
  const auto steps = value_named("fold", "strategy", strategy, strategies);
  using rounds = std::vector<runtime::array>;
  auto [result, cells] = engine.run([=](runtime::engine& e) {
    rounds seen;
    const auto observe = [&](int, const runtime::array& now) { seen.push_back(e.upload(now)); };
    runtime::number folded = e.arrays().fold(
        *values, how, steps, trace ? runtime::fold_observer(observe) : runtime::fold_observer());
    return std::make_pair(folded, std::move(seen));
  });
  std::vector<shared_array> traced;
  for (runtime::array& round : cells) {
    traced.push_back(shared(std::move(round)));
  }
  return {number_of(result), std::move(traced)};
}

nb::object dot(engine_thread& engine, const shared_array& x, const shared_array& y) {
  return number_of(
      engine.run(x->size(), [=](runtime::engine& e) { return e.arrays().dot(*x, *y); }));
}

array_pair aggregate(engine_thread& engine, const shared_array& elements, std::int64_t rows,
                     std::int64_t columns, std::int64_t row_stride, std::int64_t column_stride,
                     const std::string& op, const std::string& axis) {
  const auto how = value_named("reduce", "op", op, aggregates);
  const auto along = value_named("reduce", "axis", axis, axes);
  const runtime::matrix_shape shape{rows, columns, row_stride, column_stride};
  auto result = engine.run(elements->size(), [=](runtime::engine& e) {
    return e.matrices().aggregate(*elements, shape, how, along);
  });
  return {shared(std::move(result.values)), shared(std::move(result.places))};
}

/// Counts or sums of weights of bins: those of the given edges, or, where there are two numbers and
/// a number of bins, equal ones.
shared_array histogram(engine_thread& engine, const shared_array& values,
                       const shared_array& weights, const std::vector<double>& edges,
                       std::int32_t even) {
  const std::size_t bins_and_elements =
      values->size() + std::max(edges.size(), static_cast<std::size_t>(even));
  auto result = engine.run(bins_and_elements, [=](runtime::engine& e) {
    const runtime::binning bins =
        even > 0 ? runtime::binning(even_bins(edges.at(0), edges.at(1), even, true))
                 : runtime::binning(runtime::bin_edges{edges, true});
    return e.arrays().histogram(*values, share_or_empty(weights), bins);
  });
  return shared(std::move(result));
}

}  // namespace

void add_folds(nb::module_& module) {
  module.def("fold", &fold, "engine"_a, "values"_a, "op"_a, "strategy"_a, "trace"_a);
  module.def("dot", &dot, "engine"_a, "x"_a, "y"_a);
  module.def("aggregate", &aggregate, "engine"_a, "elements"_a, "rows"_a, "columns"_a,
             "row_stride"_a, "column_stride"_a, "op"_a, "axis"_a);
  module.def("histogram", &histogram, "engine"_a, "values"_a, "weights"_a.none(), "edges"_a,
             "even"_a);
}

}  // namespace evenfold::python
