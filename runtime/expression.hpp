#pragma once
// `expression`: a function of elements that is written at run time, as a list of steps.
//
// Each step computes one register from earlier ones, for one item. Numbers, captured arrays and
// inputs are arguments: other values do not make another expression. Arithmetic is that of NumPy:
// integers wrap around, and a division by the integer 0 gives 0.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "evenfold/core/element_type.hpp"
#include "runtime/array.hpp"

namespace evenfold::runtime {

/// The operation of a step on its operands a, b and c, which are registers unless stated otherwise.
enum class expression_op : std::uint8_t {
  // Values from outside the expression.
  input,    ///< Element of input a at the item.
  scalar,   ///< Number a.
  index,    ///< The index of the item, int64.
  segment,  ///< The segment of the item, int64.
  rank,     ///< The index of the item in its segment, int64.
  take,     ///< Element b of table a; b is an int64, and negative ones count from the end.
  cast,     ///< a in the type of the step.
  select,   ///< b where a is true, else c.
  // Operands of the type of the step. Bitwise operators exist for bool, too.
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  left_shift,
  right_shift,
  negative,
  absolute,
  invert,
  // Operands of one type, a result of bool.
  equal,
  less,
  less_equal,
  // Functions of floating-point numbers, of which the results are those of IEEE 754.
  sqrt,
  floor,
  ceil,
  trunc,
  rint,
  copysign,
  // Functions whose last digits differ between libraries of mathematics.
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  arcsin,
  arccos,
  arctan,
  sinh,
  cosh,
  tanh,
  power,
  arctan2,
  hypot,
  // A function in C++, which only kernels and native tiles have.
  cpp
};

/// The names of the operations, in the order of the enumerators.
inline constexpr std::array expression_op_names = {
    "input",    "scalar",   "index",    "segment",  "rank",     "take",         "cast",
    "select",   "add",      "subtract", "multiply", "divide",   "floor_divide", "remainder",
    "minimum",  "maximum",  "bit_and",  "bit_or",   "bit_xor",  "left_shift",   "right_shift",
    "negative", "absolute", "invert",   "equal",    "less",     "less_equal",   "sqrt",
    "floor",    "ceil",     "trunc",    "rint",     "copysign", "exp",          "exp2",
    "expm1",    "log",      "log2",     "log10",    "log1p",    "sin",          "cos",
    "tan",      "arcsin",   "arccos",   "arctan",   "sinh",     "cosh",         "tanh",
    "power",    "arctan2",  "hypot",    "cpp"};

struct expression_step {
  expression_op op;
  /// The type of the result. Operands are of one type, and integers wrap around in it.
  element_type type;
  std::int32_t a = -1, b = -1, c = -1;
};

/// A number of any type: its bytes, then zeros.
using number_bits = std::uint64_t;

/// A kernel for a GPU that was compiled from an expression: its image, and its name in the image.
struct compiled_expression {
  std::string image, kernel;
};

/// An expression that a compiler of the host has compiled: computes `count` items from `begin` on.
/// Inputs and results begin at the first of these items. Returns whether an index of a table does
/// not exist, as 0 or 1.
using native_tile = long long (*)(long long begin, int count, const void* const* inputs,
                                  void* const* results, const void* const* tables,
                                  const long long* sizes, const unsigned long long* numbers,
                                  const long long* offsets, long long num_segments);

/// The same with a fold of each segment from `first` to `last`: folds[k] is `*init` (+) the results
/// of the items of segment k. The first segment begins at item `begin`. Returns the first segment
/// that was not folded, because it has more than 512 items; else `last`. Sets `*wrong` where
/// an index of a table does not exist. Inputs have `count` items and begin at the first of all.
using native_fold = long long (*)(long long first, long long last, long long begin,
                                  const long long* offsets, long long count, void* folds,
                                  const void* init, long long* wrong, const void* const* inputs,
                                  const void* const* tables, const long long* sizes,
                                  const unsigned long long* numbers);

/// The steps in order, and the registers of the results.
struct expression {
  std::vector<expression_step> steps;
  std::vector<std::int32_t> results;
  /// Empty if the expression is computed on the host.
  compiled_expression code;
  /// The function that computes all steps on the host; nullptr if they are interpreted one by one.
  /// Only native functions can call functions in C++.
  native_tile native = nullptr;
  /// The function that folds segments of the single result by the operator of a call, or nullptr.
  native_fold fold = nullptr;

  element_type result_type(std::size_t k) const {
    return steps.at(static_cast<std::size_t>(results.at(k))).type;
  }
};

/// The arguments of an expression: sequences of one length, tables of any length, and numbers.
struct expression_arguments {
  std::vector<const array*> inputs;
  std::vector<const array*> tables;
  std::vector<number_bits> numbers;
};

}  // namespace evenfold::runtime
