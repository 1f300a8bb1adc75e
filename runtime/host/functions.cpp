// Functions of the user on the host: expressions feed the algorithms tile by tile.

#include "runtime/functions.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "runtime/backend.hpp"
#include "runtime/exact_fold.hpp"
#include "runtime/host/applied.hpp"
#include "runtime/host/tile_algorithms.hpp"
#include "runtime/host/tile_folds.hpp"
#include "runtime/matrices.hpp"
#include "runtime/offsets.hpp"
#include "runtime/operators.hpp"

namespace evenfold::runtime {

namespace {

/// to[k] = from.
struct keep_index {
  std::int64_t* to;
  void operator()(std::int64_t k, std::int64_t from) const { to[k] = from; }
};

template <class Context>
class functions_on final : public function_operations, private family<Context> {
 public:
  using typename family<Context>::state_pointer;
  explicit functions_on(state_pointer state) : family<Context>(std::move(state)) {}

  std::vector<array> transform(const applied_expression& f) override {
    const evaluator items = applied("transform", f);
    std::vector<array> results;
    std::vector<std::byte*> to;
    for (std::size_t k = 0; k < items.num_results(); ++k) {
      results.push_back(this->allocated(items.result_type(k), static_cast<std::size_t>(f.count)));
      to.push_back(static_cast<std::byte*>(results.back().mutable_address()));
    }
    for_each_tile(ctx, items, f.count,
                  [&](const register_file& file, std::int64_t begin, int count) {
                    for (std::size_t k = 0; k < to.size(); ++k) {
                      const std::size_t width = size_of(items.result_type(k));
                      std::memcpy(to[k] + static_cast<std::size_t>(begin) * width,
                                  items.result(file, k), static_cast<std::size_t>(count) * width);
                    }
                  });
    return results;
  }

  array reduce(const applied_expression& f, fold_operator op) override {
    const element_type type = f.steps.result_type(0);
    const std::optional<expression> narrow = without_widening(f.steps);
    if (narrow && op != fold_operator::product) {
      const evaluator items = applied("reduce", {*narrow, f.arguments, f.count});
      return visit_narrow(items, [&]<class Item>(std::type_identity<Item>) {
        return reduced_narrow<Item>(items, f.count, op, type);
      });
    }
    const evaluator items = applied("reduce", f);
    switch (type) {
      case element_type::int64:
        return reduced<std::int64_t>(items, f.count, op);
      case element_type::uint64:
        return reduced<std::uint64_t>(items, f.count, op);
      case element_type::float64:
        return reduced<double>(items, f.count, op);
      default:
        refuse_type("reduce", "the result of the function", items.result_type(0),
                    wide_integers | type_set{element_type::float64});
    }
  }

  array segreduce(const applied_expression& f, fold_operator op) override {
    const segments at = segments_of("segreduce", f);
    if (const std::optional<expression> narrow = without_widening(f.steps)) {
      const evaluator items = applied("segreduce", {*narrow, f.arguments, f.count}, at);
      return visit_narrow(items, [&]<class Item>(std::type_identity<Item>) {
        return folds_of_segments<std::int64_t, Item>(items, f.count, at, op);
      });
    }
    const evaluator items = applied("segreduce", f, at);
    return visit_fold("segreduce", items, [&]<class T>(std::type_identity<T>) {
      return folds_of_segments<T, T>(items, f.count, at, op);
    });
  }

  array scan(const applied_expression& f, fold_operator op, bool exclusive) override {
    const evaluator items = applied("scan", f);
    return visit_fold("scan", items, [&]<class T>(std::type_identity<T>) {
      evenfold::array<T> out(ctx, f.count);
      visit_sum_or_other<T>(op, [&](auto known, T identity) {
        if (exclusive) {
          scan_items<scan_kind::exclusive>(ctx, {items, f.count}, out.data(), known, identity);
        } else {
          scan_items<scan_kind::inclusive>(ctx, {items, f.count}, out.data(), known, identity);
        }
      });
      return this->owning(std::move(out));
    });
  }

  array kept(const applied_expression& f) override {
    const evaluator items = applied("filter", f);
    const compact_plan plan(ctx, f.count, item_of<bool>{{items, f.count}});
    evenfold::array<std::int64_t> indices(ctx, plan.num_kept());
    plan.write(keep_index{indices.data()});
    return this->owning(std::move(indices));
  }

  std::vector<array> reduce(const applied_expression& f, const user_operator& op) override {
    const evaluator items = applied("reduce", f);
    const evaluator combined = applied("reduce", op);
    const combine_values combine{&combined};
    const std::int64_t tiles = f.count / expression_tile;
    evenfold::array<user_value> folds(ctx, tiles);
    for_each_tile(ctx, items, tiles * expression_tile,
                  [&](const register_file& file, std::int64_t begin, int) {
                    std::array<const void*, most_components> values{};
                    for (std::size_t k = 0; k < items.num_results(); ++k) {
                      values[k] = items.result(file, k);
                    }
                    folds[static_cast<std::size_t>(begin / expression_tile)] =
                        tile_fold(combined)(values);
                  });
    partial_fold<user_value> all;
    for (const user_value& fold : folds) all.append_block(tile_level, fold, combine);
    cpu::append_range(all, tiles * expression_tile, f.count, value_of_item{{items, f.count}},
                      combine);
    const user_value result = all.fold(combine, initial_of(op));
    std::vector<array> results;
    const component_output out = outputs(items, result.exists ? 1 : 0, results);
    if (result.exists) out[0] = result;
    return results;
  }

  std::vector<array> segreduce(const applied_expression& f, const user_operator& op) override {
    const segments at = segments_of("segreduce", f);
    const evaluator items = applied("segreduce", f, at);
    const evaluator combined = applied("segreduce", op);
    std::vector<array> results;
    const component_output out = outputs(items, at.count, results);
    transform_segreduce(ctx, f.count, value_of_item{{items, f.count}}, at.offsets, at.count, out,
                        combine_values{&combined}, initial_of(op));
    return results;
  }

  std::vector<array> scan(const applied_expression& f, const user_operator& op,
                          bool exclusive) override {
    const evaluator items = applied("scan", f);
    const evaluator combined = applied("scan", op);
    std::vector<array> results;
    const component_output out = outputs(items, f.count, results);
    scan_to(exclusive, f.count, value_of_item{{items, f.count}}, out, combine_values{&combined},
            initial_of(op));
    return results;
  }

  array sort_indices(const applied_expression& f, const user_operator& less) override {
    const std::vector<array> values = transform(f);
    const evaluator comparison = applied("sort", less);
    evenfold::array<std::int64_t> order(ctx, f.count);
    std::iota(order.data(), order.data() + f.count, std::int64_t{0});
    const comes_before before{&comparison, static_cast<const std::byte*>(values[0].address()),
                              size_of(values[0].type())};
    sort(ctx, order.data(), f.count, before);
    return this->owning(std::move(order));
  }

 private:
  using family<Context>::ctx;

  struct segments {
    const std::int64_t* offsets = nullptr;
    std::int64_t count = 0;
  };

  segments segments_of(const char* operation, const applied_expression& f) {
    segments at;
    if (f.offsets == nullptr) return at;
    at.offsets = this->template read<std::int64_t>(operation, "offsets", *f.offsets);
    at.count = static_cast<std::int64_t>(f.offsets->size()) - 1;
    check_offsets(ctx, operation, at.offsets, at.count, f.count);
    return at;
  }

  /// The steps without a last one that makes 64 bits of shorter integers: a fold reads fewer bytes,
  /// and widens as well.
  static std::optional<expression> without_widening(const expression& f) {
    if (f.native != nullptr || f.results.size() != 1) return std::nullopt;
    const std::size_t last = f.steps.size() - 1;
    const expression_step& step = f.steps[last];
    if (static_cast<std::size_t>(f.results[0]) != last || step.op != expression_op::cast ||
        size_of(step.type) != 8 || step.type == element_type::float64) {
      return std::nullopt;
    }
    switch (f.steps[static_cast<std::size_t>(step.a)].type) {
      case element_type::int8:
      case element_type::int16:
      case element_type::int32:
        if (step.type == element_type::uint64) return std::nullopt;
        break;
      case element_type::uint8:
      case element_type::uint16:
      case element_type::uint32:
      case element_type::boolean:
        break;
      default:
        return std::nullopt;
    }
    expression narrow{f.steps, {step.a}, {}};
    narrow.steps.pop_back();
    return narrow;
  }

  /// Calls visitor(std::type_identity<From>()) with the type of items without_widening. A bool is a
  /// byte, 0 or 1.
  template <class Visitor>
  static array visit_narrow(const evaluator& items, Visitor&& visitor) {
    switch (items.result_type(0)) {
      case element_type::int8:
        return visitor(std::type_identity<std::int8_t>());
      case element_type::int16:
        return visitor(std::type_identity<std::int16_t>());
      case element_type::uint16:
        return visitor(std::type_identity<std::uint16_t>());
      case element_type::int32:
        return visitor(std::type_identity<std::int32_t>());
      case element_type::uint32:
        return visitor(std::type_identity<std::uint32_t>());
      default:
        return visitor(std::type_identity<std::uint8_t>());
    }
  }

  /// The folds of items of the type From as values of T.
  template <class T, class From>
  array folds_of_segments(const evaluator& items, std::int64_t count, const segments& at,
                          fold_operator op) {
    evenfold::array<T> out(ctx, at.count);
    visit_operator<T>(op, [&](auto known, T identity) {
      fold_segments<From>(ctx, {items, count}, at.offsets, at.count, out.data(), known, identity);
    });
    return this->owning(std::move(out));
  }

  evaluator::memory memory_of(const char* operation, const expression& steps,
                              const expression_arguments& arguments, std::int64_t count) {
    for (const expression_step& step : steps.steps) {
      const auto check = [&](const array& given) {
        if (given.type() != step.type) {
          refuse_type(operation, "an array", given.type(), {step.type});
        }
      };
      const auto at = static_cast<std::size_t>(step.a);
      // Operators have no arrays as inputs.
      if (step.op == expression_op::input && !arguments.inputs.empty()) {
        check(*arguments.inputs.at(at));
      }
      if (step.op == expression_op::take) check(*arguments.tables.at(at));
    }
    evaluator::memory memory;
    memory.numbers = arguments.numbers;
    for (const array* input : arguments.inputs) {
      if (static_cast<std::int64_t>(input->size()) != count) {
        detail::refuse_argument(operation, "the size of an array", input->size(),
                                "another array has " + std::to_string(count) + " elements",
                                "pass arrays of one size");
      }
      memory.inputs.push_back(this->address(operation, "an array", *input));
    }
    for (const array* table : arguments.tables) {
      memory.tables.push_back({this->address(operation, "a captured array", *table), table->type(),
                               static_cast<std::int64_t>(table->size())});
    }
    return memory;
  }

  evaluator applied(const char* operation, const applied_expression& f) {
    return applied(operation, f, segments_of(operation, f));
  }
  evaluator applied(const char* operation, const applied_expression& f, const segments& at) {
    evaluator::memory memory = memory_of(operation, f.steps, f.arguments, f.count);
    memory.offsets = at.offsets;
    memory.num_segments = at.count;
    return evaluator(f.steps, std::move(memory));
  }
  evaluator applied(const char* operation, const user_operator& op) {
    if (op.steps.results.size() > most_components) {
      detail::refuse_argument(operation, "the number of components of a value",
                              op.steps.results.size(), "there are at most 4", "fold fewer");
    }
    return evaluator(op.steps, memory_of(operation, op.steps, op.arguments, 0));
  }

  static user_value initial_of(const user_operator& op) {
    user_value value{{}, !op.initial.empty()};
    std::copy(op.initial.begin(), op.initial.end(), value.words.begin());
    return value;
  }

  /// The fold of items that are From, as numbers of the same type.
  template <class From>
  array reduced(const evaluator& items, std::int64_t count, fold_operator op) {
    constexpr bool exact = std::is_integral_v<From>;
    using sum_type = std::conditional_t<exact, wide_integer, double>;
    using product_type = std::conditional_t<exact, exact_product, double>;
    switch (op) {
      case fold_operator::sum:
        return fitting<From>(fold_items<sum_type, From>(ctx, items, count, plus{}, sum_type{0}));
      case fold_operator::product:
        return fitting<From>(
            fold_items<product_type, From>(ctx, items, count, multiplies{}, product_type(From{1})));
      case fold_operator::max:
        return number_in_array(fold_items<From, From>(ctx, items, count, maximum{},
                                                      identity_of<maximum, From>::value));
      default:
        return number_in_array(fold_items<From, From>(ctx, items, count, minimum{},
                                                      identity_of<minimum, From>::value));
    }
  }

  /// The sum or an extreme of items of up to 32 bits, as a number of a type of 64.
  template <class Item>
  array reduced_narrow(const evaluator& items, std::int64_t count, fold_operator op,
                       element_type type) {
    wide_integer fold;
    if (op == fold_operator::sum) {
      fold =
          fold_items<wide_integer, Item, std::int64_t>(ctx, items, count, plus{}, wide_integer{0});
    } else if (op == fold_operator::max) {
      fold =
          fold_items<Item, Item>(ctx, items, count, maximum{}, identity_of<maximum, Item>::value);
    } else {
      fold =
          fold_items<Item, Item>(ctx, items, count, minimum{}, identity_of<minimum, Item>::value);
    }
    return type == element_type::uint64 ? fitting<std::uint64_t>(fold)
                                        : fitting<std::int64_t>(fold);
  }

  template <class T>
  array number_in_array(T value) {
    return this->owning(to_context(ctx, &value, 1));
  }

  template <class T, class Exact>
  array fitting(const Exact& fold) {
    if constexpr (std::is_same_v<Exact, double>) {
      return number_in_array(fold);
    } else {
      T value;
      if (narrow(fold, value)) return number_in_array(value);
      throw overflow_error(
          "reduce: the result does not fit into 64 bits, expected a function "
          "whose results are floating-point numbers");
    }
  }

  /// Calls visitor(std::type_identity<T>()) with the type of the items.
  template <class Visitor>
  array visit_fold(const char* operation, const evaluator& items, Visitor&& visitor) {
    switch (items.result_type(0)) {
      case element_type::int64:
        return visitor(std::type_identity<std::int64_t>());
      case element_type::float32:
        return visitor(std::type_identity<float>());
      case element_type::float64:
        return visitor(std::type_identity<double>());
      default:
        refuse_type(operation, "the result of the function", items.result_type(0),
                    float_types | type_set{element_type::int64});
    }
  }

  template <class F, class Output, class Op, class T>
  void scan_to(bool exclusive, std::int64_t count, F f, Output out, Op op, T init) {
    if (exclusive) {
      transform_scan<scan_kind::exclusive>(ctx, count, f, out, op, init);
    } else {
      transform_scan<scan_kind::inclusive>(ctx, count, f, out, op, init);
    }
  }

  component_output outputs(const evaluator& items, std::int64_t count,
                           std::vector<array>& results) {
    component_output out;
    out.components = items.num_results();
    for (std::size_t k = 0; k < out.components; ++k) {
      results.push_back(this->allocated(items.result_type(k), static_cast<std::size_t>(count)));
      out.to[k] = static_cast<std::byte*>(results.back().mutable_address());
      out.widths[k] = size_of(items.result_type(k));
    }
    return out;
  }
};

}  // namespace

std::unique_ptr<function_operations> make_functions(
    const std::shared_ptr<device_state<cpu_context>>& state) {
  return std::make_unique<functions_on<cpu_context>>(state);
}
std::unique_ptr<function_operations> make_functions(
    const std::shared_ptr<device_state<reference_context>>& state) {
  return std::make_unique<functions_on<reference_context>>(state);
}

}  // namespace evenfold::runtime
