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
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/backend/cpu/fold_segment.hpp"
#include "evenfold/backend/cpu/scan.hpp"
#include "evenfold/backend/cpu/segreduce.hpp"
#include "runtime/backend.hpp"
#include "runtime/exact_fold.hpp"
#include "runtime/host/applied.hpp"
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
    for_each_tile(items, f.count, [&](const register_file& file, std::int64_t begin, int count) {
      for (std::size_t k = 0; k < to.size(); ++k) {
        const std::size_t width = size_of(items.result_type(k));
        std::memcpy(to[k] + static_cast<std::size_t>(begin) * width, items.result(file, k),
                    static_cast<std::size_t>(count) * width);
      }
    });
    return results;
  }

  array reduce(const applied_expression& f, fold_operator op) override {
    const evaluator items = applied("reduce", f);
    switch (items.result_type(0)) {
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
    const evaluator items = applied("segreduce", f);
    const segments at = segments_of("segreduce", f);
    return visit_fold("segreduce", items, [&]<class T>(std::type_identity<T>) {
      evenfold::array<T> out(ctx, at.count);
      visit_sum_or_other<T>(op, [&](auto known, T identity) {
        fold_segments({items, f.count}, at, out.data(), known, identity);
      });
      return this->owning(std::move(out));
    });
  }

  array scan(const applied_expression& f, fold_operator op, bool exclusive) override {
    const evaluator items = applied("scan", f);
    return visit_fold("scan", items, [&]<class T>(std::type_identity<T>) {
      evenfold::array<T> out(ctx, f.count);
      visit_sum_or_other<T>(op, [&](auto known, T identity) {
        if (exclusive) {
          scan_tiles<scan_kind::exclusive>({items, f.count}, f.count, out.data(), known, identity);
        } else {
          scan_tiles<scan_kind::inclusive>({items, f.count}, f.count, out.data(), known, identity);
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
    for_each_tile(
        items, tiles * expression_tile, [&](const register_file& file, std::int64_t begin, int) {
          std::array<const void*, most_components> values{};
          for (std::size_t k = 0; k < items.num_results(); ++k) {
            values[k] = items.result(file, k);
          }
          folds[static_cast<std::size_t>(begin / expression_tile)] = tile_fold(combined)(values);
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
    const evaluator items = applied("segreduce", f);
    const evaluator combined = applied("segreduce", op);
    const segments at = segments_of("segreduce", f);
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
    evaluator::memory memory = memory_of(operation, f.steps, f.arguments, f.count);
    const segments at = segments_of(operation, f);
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

  /// Calls visit(registers, begin, count) for every tile, after it was computed.
  template <class Visit>
  void for_each_tile(const evaluator& items, std::int64_t count, const Visit& visit) {
    evenfold::transform(ctx, detail::ceil_div(count, expression_tile), [&](std::int64_t tile) {
      register_file& file = registers_of(items, register_use::items);
      const std::int64_t begin = tile * expression_tile;
      const int length = static_cast<int>(std::min(expression_tile, count - begin));
      items.evaluate(file, begin, length);
      visit(file, begin, length);
    });
  }

  /// The fold of items that are From, as numbers of the same type.
  template <class From>
  array reduced(const evaluator& items, std::int64_t count, fold_operator op) {
    constexpr bool exact = std::is_integral_v<From>;
    using sum_type = std::conditional_t<exact, wide_integer, double>;
    using product_type = std::conditional_t<exact, exact_product, double>;
    switch (op) {
      case fold_operator::sum:
        return fitting<From>(fold<sum_type, From>(items, count, plus{}, sum_type{0}));
      case fold_operator::product:
        return fitting<From>(
            fold<product_type, From>(items, count, multiplies{}, product_type(From{1})));
      case fold_operator::max:
        return number_in_array(
            fold<From, From>(items, count, maximum{}, identity_of<maximum, From>::value));
      default:
        return number_in_array(
            fold<From, From>(items, count, minimum{}, identity_of<minimum, From>::value));
    }
  }

  template <class T, class From, class Op>
  T fold(const evaluator& items, std::int64_t count, Op op, T init) {
    const std::int64_t tiles = count / expression_tile;
    evenfold::array<T> folds(ctx, tiles);
    for_each_tile(
        items, tiles * expression_tile, [&](const register_file& file, std::int64_t begin, int) {
          const shifted<T, From> values{static_cast<const From*>(items.result(file, 0)), 0};
          folds[static_cast<std::size_t>(begin / expression_tile)] =
              cpu::fold_block<T>(tile_level, std::int64_t{0}, values, op);
        });
    partial_fold<T> all;
    for (const T& fold : folds) all.append_block(tile_level, fold, op);
    cpu::append_range(
        all, tiles * expression_tile, count,
        [f = item_of<From>{{items, count}}](std::int64_t i) { return static_cast<T>(f(i)); }, op);
    return all.fold(op, init);
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

  template <class Op, class T>
  void fold_segments(tiled_items items, const segments& at, T* out, Op op, T init) {
    if constexpr (std::same_as<Context, reference_context>) {
      transform_segreduce(ctx, items.count(), item_of<T>{items}, at.offsets, at.count, out, op,
                          init);
    } else if (at.count > 0) {
      const auto view =
          detail::checked_segments(ctx, "segreduce", items.count(), at.offsets, at.count);
      const fold_of_segments<T, Op> fold(items, at.count, op);
      const auto append = [&](auto& part, std::int64_t, std::int64_t begin, std::int64_t end) {
        fold_of_segments<T, Op>(items, at.count, op).append(part, begin, end);
      };
      cpu::fold_segments<segment_steps>(ctx, view, fold, append, out, op, init);
    }
  }

  /// As the scan of the library, where a thread moves from tile to tile.
  template <scan_kind Kind, class Op, class T>
  void scan_tiles(tiled_items items, std::int64_t count, T* out, Op op, T init) {
    if constexpr (std::same_as<Context, reference_context>) {
      transform_scan<Kind>(ctx, count, item_of<T>{items}, out, op, init);
    } else if (count > 0) {
      const std::size_t tiles = detail::ceil_div(static_cast<std::size_t>(count), expression_tile);
      const std::size_t shares = ctx.shares(tiles, 16);
      const auto begin_of = [=](std::size_t share) {
        const auto tile = static_cast<std::int64_t>(detail::share_begin(tiles, shares, share));
        return std::min(count, tile * expression_tile);
      };
      evenfold::array<partial_fold<T>> before(ctx, shares);
      std::construct_at(&before[0]);
      ctx.parallel(shares - 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t s = first; s < last; ++s) {
          partial_fold<T>* const part =
              std::construct_at(&before[s + 1], static_cast<std::uint64_t>(begin_of(s)));
          fold_of_segments<T, Op>(items, 1, op).append(*part, begin_of(s), begin_of(s + 1));
        }
      });
      for (std::size_t s = 1; s < shares; ++s) {
        partial_fold<T> joined = before[s - 1];
        joined.join(before[s], op);
        before[s] = joined;
      }
      ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
        for (std::size_t s = first; s < last; ++s) {
          scan_share<Kind>(items, begin_of(s), begin_of(s + 1), before[s], out, op, init);
        }
      });
    }
  }

  /// Scans the items [begin, end), where `before` is the partial fold of everything before them.
  template <scan_kind Kind, class Op, class T>
  static void scan_share(const tiled_items& items, std::int64_t begin, std::int64_t end,
                         const partial_fold<T>& before, T* out, Op op, T init) {
    using range_scan = cpu::range_scan<Kind, T, std::int64_t, present_item<T>, T*, Op, T>;
    const T* values = nullptr;
    const present_item<T> item{&values};
    // A scan of integers keeps nothing but the fold of everything before.
    T base = before.fold(op, init);
    range_scan scan(before, item, out, op, init);
    while (begin < end) {
      const computed_tile& tile = items.tile_of(begin);
      values = static_cast<const T*>(tile.results[0]) - tile.begin;
      const std::int64_t stop = std::min(end, begin + expression_tile);
      if constexpr (std::integral<T>) {
        base = range_scan(partial_fold<T>(), item, out, op, base)(begin, stop);
      } else {
        scan(begin, stop);
      }
      begin = stop;
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
