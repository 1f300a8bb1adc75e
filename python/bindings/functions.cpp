// Functions of the user, as the steps that the package has traced.

#include "runtime/functions.hpp"

#include <map>

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"

namespace evenfold::python {

namespace {

using runtime::expression_op;

/// An operation, a dtype, and operands.
using described_step = std::tuple<std::string, std::string, int, int, int>;

expression_op op_named(const std::string& name) {
  // Each function in C++ has a number.
  if (name.starts_with("cpp")) return expression_op::cpp;
  static const auto& ops = *[] {
    auto* const known = new std::map<std::string, expression_op>;
    for (std::size_t i = 0; i < runtime::expression_op_names.size(); ++i) {
      (*known)[runtime::expression_op_names[i]] = static_cast<expression_op>(i);
    }
    return known;
  }();
  const auto found = ops.find(name);
  if (found == ops.end()) throw nb::value_error(("there is no operation " + name).c_str());
  return found->second;
}

using shared_expression = std::shared_ptr<runtime::expression>;

shared_expression expression_of(const std::vector<described_step>& described,
                                std::vector<std::int32_t> results) {
  auto made = std::make_shared<runtime::expression>();
  made->steps.reserve(described.size());
  for (const auto& [op, dtype, a, b, c] : described) {
    made->steps.push_back({op_named(op), element_type_named(dtype), a, b, c});
  }
  made->results = std::move(results);
  return made;
}

/// A traced function and what it is applied to. Shares the expression and the arrays.
struct applied_function {
  shared_expression steps;
  std::vector<shared_array> inputs, tables;
  std::vector<runtime::number_bits> numbers;
  std::int64_t count;
  shared_array offsets;
  /// Of an operator: its initial value, which may be missing.
  std::vector<runtime::number_bits> initial;

  applied_function(shared_expression traced, std::vector<shared_array> sequences,
                   std::vector<shared_array> captured, std::vector<runtime::number_bits> values,
                   std::int64_t items, shared_array segments,
                   std::vector<runtime::number_bits> first)
      : steps(std::move(traced)),
        inputs(std::move(sequences)),
        tables(std::move(captured)),
        numbers(std::move(values)),
        count(items),
        offsets(std::move(segments)),
        initial(std::move(first)) {}

  /// Of the items and the segments.
  std::size_t size() const {
    return static_cast<std::size_t>(count) + (offsets ? offsets->size() : 0);
  }

  runtime::expression_arguments arguments() const {
    runtime::expression_arguments all;
    for (const shared_array& input : inputs) all.inputs.push_back(input.get());
    for (const shared_array& table : tables) all.tables.push_back(table.get());
    all.numbers = numbers;
    return all;
  }
  runtime::applied_expression items() const { return {*steps, arguments(), count, offsets.get()}; }
  runtime::user_operator as_operator() const { return {*steps, arguments(), initial}; }
};

using function = std::shared_ptr<applied_function>;

std::vector<shared_array> shared_all(std::vector<runtime::array> arrays) {
  std::vector<shared_array> result;
  for (runtime::array& values : arrays) result.push_back(shared(std::move(values)));
  return result;
}

std::vector<shared_array> transform(engine_thread& engine, const function& f) {
  return shared_all(engine.run(
      f->size(), [=](runtime::engine& e) { return e.functions().transform(f->items()); }));
}

shared_array reduce(engine_thread& engine, const function& f, const std::string& op) {
  const auto how = value_named("reduce", "op", op, fold_operators);
  return shared(engine.run(
      f->size(), [=](runtime::engine& e) { return e.functions().reduce(f->items(), how); }));
}
std::vector<shared_array> reduce_by(engine_thread& engine, const function& f, const function& op) {
  return shared_all(engine.run(f->size(), [=](runtime::engine& e) {
    return e.functions().reduce(f->items(), op->as_operator());
  }));
}

shared_array segreduce(engine_thread& engine, const function& f, const std::string& op) {
  const auto how = value_named("segreduce", "op", op, fold_operators);
  return shared(engine.run(
      f->size(), [=](runtime::engine& e) { return e.functions().segreduce(f->items(), how); }));
}
std::vector<shared_array> segreduce_by(engine_thread& engine, const function& f,
                                       const function& op) {
  return shared_all(engine.run(f->size(), [=](runtime::engine& e) {
    return e.functions().segreduce(f->items(), op->as_operator());
  }));
}

shared_array scan(engine_thread& engine, const function& f, const std::string& op, bool exclusive) {
  const auto how = value_named("scan", "op", op, fold_operators);
  return shared(engine.run(f->size(), [=](runtime::engine& e) {
    return e.functions().scan(f->items(), how, exclusive);
  }));
}
std::vector<shared_array> scan_by(engine_thread& engine, const function& f, const function& op,
                                  bool exclusive) {
  return shared_all(engine.run(f->size(), [=](runtime::engine& e) {
    return e.functions().scan(f->items(), op->as_operator(), exclusive);
  }));
}

shared_array kept(engine_thread& engine, const function& f) {
  return shared(
      engine.run(f->size(), [=](runtime::engine& e) { return e.functions().kept(f->items()); }));
}

shared_array sort_indices(engine_thread& engine, const function& f, const function& less) {
  return shared(engine.run(f->size(), [=](runtime::engine& e) {
    return e.functions().sort_indices(f->items(), less->as_operator());
  }));
}

}  // namespace

void add_functions(nb::module_& module) {
  nb::class_<runtime::expression>(module, "Expression", "The steps of a traced function.")
      .def(nb::new_(&expression_of), "steps"_a, "results"_a)
      .def(
          "set_code",
          [](runtime::expression& self, const nb::bytes& image, const std::string& kernel) {
            self.code = {std::string(image.c_str(), image.size()), kernel};
          },
          "image"_a, "kernel"_a, "The kernel for a GPU.")
      .def(
          "set_native",
          [](runtime::expression& self, std::uintptr_t tile, std::uintptr_t fold) {
            self.native = reinterpret_cast<runtime::native_tile>(tile);
            self.fold = reinterpret_cast<runtime::native_fold>(fold);
          },
          "tile"_a, "fold"_a = 0, "Functions that a compiler of the host has compiled.");
  nb::class_<applied_function>(module, "Function", "A traced function and its arguments.")
      .def(nb::init<shared_expression, std::vector<shared_array>, std::vector<shared_array>,
                    std::vector<runtime::number_bits>, std::int64_t, shared_array,
                    std::vector<runtime::number_bits>>(),
           "steps"_a, "inputs"_a, "tables"_a, "numbers"_a, "count"_a = 0,
           "offsets"_a.none() = nb::none(), "initial"_a = std::vector<runtime::number_bits>());
  module.def("function_transform", &transform, "engine"_a, "f"_a);
  module.def("function_reduce", &reduce, "engine"_a, "f"_a, "op"_a);
  module.def("function_reduce_by", &reduce_by, "engine"_a, "f"_a, "op"_a);
  module.def("function_segreduce", &segreduce, "engine"_a, "f"_a, "op"_a);
  module.def("function_segreduce_by", &segreduce_by, "engine"_a, "f"_a, "op"_a);
  module.def("function_scan", &scan, "engine"_a, "f"_a, "op"_a, "exclusive"_a);
  module.def("function_scan_by", &scan_by, "engine"_a, "f"_a, "op"_a, "exclusive"_a);
  module.def("function_kept", &kept, "engine"_a, "f"_a);
  module.def("function_sort_indices", &sort_indices, "engine"_a, "f"_a, "less"_a);
}

}  // namespace evenfold::python
