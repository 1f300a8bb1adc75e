#pragma once
// Operators of folds that are chosen at run time.

#include "evenfold/core/functional.hpp"
#include "runtime/arrays.hpp"

namespace evenfold {

namespace runtime {

/// For operations where an instance per operator would take long to compile.
struct chosen_operator {
  fold_operator op;

  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    switch (op) {
      case fold_operator::sum:
        return plus{}(a, b);
      case fold_operator::product:
        return multiplies{}(a, b);
      case fold_operator::max:
        return maximum{}(a, b);
      default:
        return minimum{}(a, b);
    }
  }
};

}  // namespace runtime

template <class T>
inline constexpr bool is_commutative<runtime::chosen_operator, T> = is_commutative<plus, T>;

}  // namespace evenfold

namespace evenfold::runtime {

/// Calls visitor(op, identity) with the function object of an operator and its identity.
template <class T, class Visitor>
auto visit_operator(fold_operator op, Visitor&& visitor) {
  switch (op) {
    case fold_operator::sum:
      return visitor(plus{}, identity_of<plus, T>::value);
    case fold_operator::product:
      return visitor(multiplies{}, identity_of<multiplies, T>::value);
    case fold_operator::max:
      return visitor(maximum{}, identity_of<maximum, T>::value);
    default:
      return visitor(minimum{}, identity_of<minimum, T>::value);
  }
}

/// The identity of an operator.
template <class T>
T identity_of_chosen(fold_operator op) {
  return visit_operator<T>(op, [](auto, T value) { return value; });
}

/// The same with two function objects: that of sums, and one for all other operators.
template <class T, class Visitor>
auto visit_sum_or_other(fold_operator op, Visitor&& visitor) {
  if (op == fold_operator::sum) return visitor(plus{}, T{0});
  return visitor(chosen_operator{op}, identity_of_chosen<T>(op));
}

}  // namespace evenfold::runtime
