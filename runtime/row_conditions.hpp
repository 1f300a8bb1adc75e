#pragma once
// The truth of conditions on the rows of a table, for tables.cpp.
//
// A condition is a list of steps in postfix order, which work on a stack of truths: one per row, in
// the order of the numbers false, unknown, true. In this order, `and` is the minimum of two truths,
// `or` is the maximum, and `not` exchanges the ends.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "runtime/tables.hpp"

namespace evenfold::runtime {

using truth_array = evenfold::array<std::uint8_t>;
inline constexpr std::uint8_t is_false = 0, is_unknown = 1, is_true = 2;

EF_HD inline bool compares(comparison op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case comparison::equal:
      return a == b;
    case comparison::not_equal:
      return a != b;
    case comparison::less:
      return a < b;
    case comparison::less_equal:
      return a <= b;
    case comparison::greater:
      return a > b;
    default:
      return a >= b;
  }
}

/// A column of codes, or one code for all rows.
struct operand {
  const std::uint64_t* codes;  // nullptr: `bound`
  const unsigned char* nulls;  // nullptr: no row is null
  std::uint64_t bound;

  EF_HD bool is_null(std::int32_t row) const { return nulls != nullptr && nulls[row] != 0; }
  EF_HD std::uint64_t operator[](std::int32_t row) const {
    return codes == nullptr ? bound : codes[row];
  }
};

/// truth[row] = left[row] op right[row].
struct write_comparison {
  operand left, right;
  std::uint8_t* truth;
  comparison op;
  EF_HD void operator()(std::int32_t row) const {
    const bool unknown = left.is_null(row) || right.is_null(row);
    truth[row] = unknown ? is_unknown : compares(op, left[row], right[row]) ? is_true : is_false;
  }
};

/// truth[row] = not truth[row].
struct negate_truth {
  std::uint8_t* truth;
  EF_HD void operator()(std::size_t row) const {
    truth[row] = static_cast<std::uint8_t>(is_true - truth[row]);
  }
};

/// truth[row] = op(truth[row], other[row])
template <class Op>
struct combine_truths {
  std::uint8_t* truth;
  Op op;
  const std::uint8_t* other;
  EF_HD void operator()(std::size_t row) const { truth[row] = op(truth[row], other[row]); }
};

/// Whether the condition is true for a row.
struct is_true_row {
  const std::uint8_t* truth;
  EF_HD bool operator()(std::int32_t row) const { return truth[row] == is_true; }
};

/// rows[to] = from.
struct keep_row {
  std::int32_t* rows;
  EF_HD void operator()(std::int32_t to, std::int32_t from) const { rows[to] = from; }
};

/// The truths of one condition, step by step.
template <context Context>
class condition_stack {
 public:
  condition_stack(Context& ctx, std::size_t num_rows) : ctx_(ctx), num_rows_(num_rows) {}

  void compare(const operand& left, comparison op, const operand& right) {
    truth_array truths(ctx_, num_rows_);
    transform(ctx_, static_cast<std::int32_t>(num_rows_),
              write_comparison{left, right, truths.data(), op});
    stack_.push_back(std::move(truths));
  }

  void negate() {
    if (stack_.empty()) refuse();
    transform(ctx_, stack_.back().size(), negate_truth{stack_.back().data()});
  }

  /// Replaces the two truths on top of the stack by their `and` (minimum) or `or` (maximum).
  template <class Op>
  void combine(Op op) {
    const truth_array second = take();
    truth_array first = take();
    transform(ctx_, first.size(), combine_truths<Op>{first.data(), op, second.data()});
    stack_.push_back(std::move(first));
  }

  /// The rows for which the condition is true, after its last step.
  evenfold::array<std::int32_t> true_rows() {
    if (stack_.size() != 1) refuse();
    const truth_array truths = take();
    const compact_plan plan(ctx_, static_cast<std::int32_t>(truths.size()),
                            is_true_row{truths.data()});
    evenfold::array<std::int32_t> rows(ctx_, plan.num_kept());
    plan.write(keep_row{rows.data()});
    return rows;
  }

 private:
  truth_array take() {
    if (stack_.empty()) refuse();
    truth_array top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }

  [[noreturn]] static void refuse() {
    detail::refuse_argument("filter", "condition", "a list of steps",
                            "its comparisons and operators do not give one result",
                            "pass the steps of one expression in postfix order");
  }

  Context& ctx_;
  std::size_t num_rows_;
  std::vector<truth_array> stack_;
};

}  // namespace evenfold::runtime
