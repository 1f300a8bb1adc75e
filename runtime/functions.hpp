#pragma once
// Operations with functions that are written at run time: `engine::functions()`.

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/arrays.hpp"
#include "runtime/expression.hpp"

namespace evenfold::runtime {

/// An expression and the arguments that it is applied to.
struct applied_expression {
  const expression& steps;
  expression_arguments arguments;
  /// The number of items.
  std::int64_t count;
  /// The offsets of segments, int64, one more than there are segments; or nullptr.
  const array* offsets = nullptr;
};

/// An operator (+) on values of one or more components, and its initial value, which may be
/// missing. The inputs of its expression are the components of the left operand, followed by those
/// of the right operand. The caller guarantees that it is associative.
struct user_operator {
  const expression& steps;
  expression_arguments arguments;
  std::vector<number_bits> initial;
};

/// Arrays are where the engine can reach them. Results are computed tile by tile; folds have the
/// order and the bits of folds of a function in C++. Errors of all: type_error,
/// closed_engine_error; argument_error for an array that the engine cannot reach, inputs that are
/// shorter than the count, or offsets as in segments.hpp; index_error for a table;
/// allocation_error. All wait.
class function_operations {
 public:
  virtual ~function_operations() = default;

  /// The results for all items, one array per result of the expression.
  virtual std::vector<array> transform(const applied_expression& f) = 0;

  /// The fold of the result, which is int64, uint64 or float64. Sums and products of integers are
  /// exact. Errors: overflow_error if 64 bits cannot hold them.
  virtual array reduce(const applied_expression& f, fold_operator op) = 0;
  /// The fold of the result, int64, float32 or float64, of each segment. Integers wrap around.
  virtual array segreduce(const applied_expression& f, fold_operator op) = 0;
  /// The folds of all prefixes, of the types of segreduce.
  virtual array scan(const applied_expression& f, fold_operator op, bool exclusive) = 0;
  /// The indices, int64, of the items for which the result, a bool, is true.
  virtual array kept(const applied_expression& f) = 0;

  /// The same folds with an operator of the user; the results of f are the components of a value.
  virtual std::vector<array> reduce(const applied_expression& f, const user_operator& op) = 0;
  virtual std::vector<array> segreduce(const applied_expression& f, const user_operator& op) = 0;
  virtual std::vector<array> scan(const applied_expression& f, const user_operator& op,
                                  bool exclusive) = 0;
  /// The indices, int64, that sort the values of f stably by a comparison, whose result is a bool:
  /// whether the left value comes before the right one.
  virtual array sort_indices(const applied_expression& f, const user_operator& less) = 0;
};

/// An index that is outside of a table.
class index_error : public argument_error {
 public:
  using argument_error::argument_error;
};

}  // namespace evenfold::runtime
