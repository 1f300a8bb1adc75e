// The loops of the steps of expressions: one per operation and type.

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include "runtime/host/evaluator.hpp"
#include "runtime/operation_types.hpp"
#include "runtime/step_functions.hpp"

namespace evenfold::runtime {

namespace {

// Each loop is compiled twice on x86-64: for every processor, and for those with AVX2, which have
// vectors of twice the size and multiply, compare, convert and round whole vectors of more types.
// It has no fused operations, so that the bits are the same.

template <class T, class R, class F>
[[gnu::always_inline]] inline void compute(const step_operands& at, int count) {
  const T* const __restrict a = static_cast<const T*>(at.a);
  R* const __restrict result = static_cast<R*>(at.result);
  if constexpr (std::is_invocable_v<F, T, T>) {
    const T* const __restrict b = static_cast<const T*>(at.b);
    for (int i = 0; i < count; ++i) result[i] = static_cast<R>(F{}(a[i], b[i]));
  } else {
    for (int i = 0; i < count; ++i) result[i] = static_cast<R>(F{}(a[i]));
  }
}

/// A bool is a byte, 0 or 1.
template <class Bits>
[[gnu::always_inline]] inline void choose(const step_operands& at, int count) {
  const auto* const __restrict condition = static_cast<const std::uint8_t*>(at.a);
  const Bits* const __restrict b = static_cast<const Bits*>(at.b);
  const Bits* const __restrict c = static_cast<const Bits*>(at.c);
  Bits* const __restrict result = static_cast<Bits*>(at.result);
  for (int i = 0; i < count; ++i) {
    if constexpr (sizeof(Bits) > 2) {
      result[i] = condition[i] != 0 ? b[i] : c[i];
    } else {
      // g++ would make a branch.
      const auto mask = static_cast<Bits>(condition[i] != 0 ? ~Bits{0} : Bits{0});
      result[i] = static_cast<Bits>((b[i] & mask) | (c[i] & ~mask));
    }
  }
}

template <class T, class R, class F>
void computed(const step_operands& at, int count) {
  compute<T, R, F>(at, count);
}
template <class Bits>
void chosen(const step_operands& at, int count) {
  choose<Bits>(at, count);
}

#if defined(__x86_64__)

template <class T, class R, class F>
[[gnu::target("avx2")]] void computed_by_avx2(const step_operands& at, int count) {
  compute<T, R, F>(at, count);
}
template <class Bits>
[[gnu::target("avx2")]] void chosen_by_avx2(const step_operands& at, int count) {
  choose<Bits>(at, count);
}

/// The loop of a function of one or two operands.
template <class T, class R, class F>
step_loop loop() {
  return __builtin_cpu_supports("avx2") ? computed_by_avx2<T, R, F> : computed<T, R, F>;
}
template <class Bits>
step_loop choice() {
  return __builtin_cpu_supports("avx2") ? chosen_by_avx2<Bits> : chosen<Bits>;
}

#else

template <class T, class R, class F>
step_loop loop() {
  return computed<T, R, F>;
}
template <class Bits>
step_loop choice() {
  return chosen<Bits>;
}

#endif

step_loop loop_of_cast(element_type from, element_type to) {
  const auto visit = [&]<class From>(std::type_identity<From>) -> step_loop {
    if (to == element_type::boolean) {
      return loop<From, std::uint8_t, decltype([](From a) { return a != From{0}; })>();
    }
    return visit_element_type(to, []<class To>(std::type_identity<To>) -> step_loop {
      return loop<From, To, steps::cast<To>>();
    });
  };
  if (from == element_type::boolean) return visit(std::type_identity<std::uint8_t>());
  return visit_element_type(from, visit);
}

step_loop loop_of_choice(element_type type) {
  switch (size_of(type)) {
    case 1:
      return choice<std::uint8_t>();
    case 2:
      return choice<std::uint16_t>();
    case 4:
      return choice<std::uint32_t>();
    default:
      return choice<std::uint64_t>();
  }
}

/// Bitwise operators and comparisons of bool.
step_loop loop_of_bool(expression_op op) {
  using byte = std::uint8_t;
  switch (op) {
    case expression_op::bit_and:
      return loop<byte, byte, decltype([](byte a, byte b) { return a & b; })>();
    case expression_op::bit_or:
      return loop<byte, byte, decltype([](byte a, byte b) { return a | b; })>();
    case expression_op::bit_xor:
      return loop<byte, byte, decltype([](byte a, byte b) { return a ^ b; })>();
    case expression_op::invert:
      return loop<byte, byte, decltype([](byte a) { return a ^ 1; })>();
    case expression_op::equal:
      return loop<byte, byte, decltype([](byte a, byte b) { return a == b; })>();
    case expression_op::less:
      return loop<byte, byte, decltype([](byte a, byte b) { return a < b; })>();
    case expression_op::less_equal:
      return loop<byte, byte, decltype([](byte a, byte b) { return a <= b; })>();
    default:
      return nullptr;
  }
}

template <class T>
step_loop loop_of_number(expression_op op) {
  switch (op) {
    case expression_op::add:
      return loop<T, T, steps::add>();
    case expression_op::subtract:
      return loop<T, T, steps::subtract>();
    case expression_op::multiply:
      return loop<T, T, steps::multiply>();
    case expression_op::negative:
      return loop<T, T, steps::negative>();
    case expression_op::absolute:
      return loop<T, T, steps::absolute>();
    case expression_op::minimum:
      return loop<T, T, steps::minimum>();
    case expression_op::maximum:
      return loop<T, T, steps::maximum>();
    case expression_op::floor_divide:
      return loop<T, T, steps::floor_divide>();
    case expression_op::remainder:
      return loop<T, T, steps::remainder>();
    case expression_op::equal:
      return loop<T, std::uint8_t, decltype([](T a, T b) { return a == b; })>();
    case expression_op::less:
      return loop<T, std::uint8_t, decltype([](T a, T b) { return a < b; })>();
    case expression_op::less_equal:
      return loop<T, std::uint8_t, decltype([](T a, T b) { return a <= b; })>();
    default:
      return nullptr;
  }
}

template <class T>
step_loop loop_of_integer(expression_op op) {
  switch (op) {
    case expression_op::bit_and:
      return loop<T, T, decltype([](T a, T b) { return a & b; })>();
    case expression_op::bit_or:
      return loop<T, T, decltype([](T a, T b) { return a | b; })>();
    case expression_op::bit_xor:
      return loop<T, T, decltype([](T a, T b) { return a ^ b; })>();
    case expression_op::left_shift:
      return loop<T, T, steps::left_shift>();
    case expression_op::right_shift:
      return loop<T, T, steps::right_shift>();
    case expression_op::invert:
      return loop<T, T, decltype([](T a) { return ~a; })>();
    default:
      return loop_of_number<T>(op);
  }
}

template <class T>
step_loop loop_of_float(expression_op op) {
  switch (op) {
    case expression_op::divide:
      return loop<T, T, decltype([](T a, T b) { return a / b; })>();
    case expression_op::sqrt:
      return loop<T, T, decltype([](T a) { return std::sqrt(a); })>();
    case expression_op::floor:
      return loop<T, T, decltype([](T a) { return std::floor(a); })>();
    case expression_op::ceil:
      return loop<T, T, decltype([](T a) { return std::ceil(a); })>();
    case expression_op::trunc:
      return loop<T, T, decltype([](T a) { return std::trunc(a); })>();
    case expression_op::rint:
      return loop<T, T, decltype([](T a) { return std::rint(a); })>();
    case expression_op::copysign:
      return loop<T, T, decltype([](T a, T b) { return std::copysign(a, b); })>();
    case expression_op::exp:
      return loop<T, T, decltype([](T a) { return std::exp(a); })>();
    case expression_op::exp2:
      return loop<T, T, decltype([](T a) { return std::exp2(a); })>();
    case expression_op::expm1:
      return loop<T, T, decltype([](T a) { return std::expm1(a); })>();
    case expression_op::log:
      return loop<T, T, decltype([](T a) { return std::log(a); })>();
    case expression_op::log2:
      return loop<T, T, decltype([](T a) { return std::log2(a); })>();
    case expression_op::log10:
      return loop<T, T, decltype([](T a) { return std::log10(a); })>();
    case expression_op::log1p:
      return loop<T, T, decltype([](T a) { return std::log1p(a); })>();
    case expression_op::sin:
      return loop<T, T, decltype([](T a) { return std::sin(a); })>();
    case expression_op::cos:
      return loop<T, T, decltype([](T a) { return std::cos(a); })>();
    case expression_op::tan:
      return loop<T, T, decltype([](T a) { return std::tan(a); })>();
    case expression_op::arcsin:
      return loop<T, T, decltype([](T a) { return std::asin(a); })>();
    case expression_op::arccos:
      return loop<T, T, decltype([](T a) { return std::acos(a); })>();
    case expression_op::arctan:
      return loop<T, T, decltype([](T a) { return std::atan(a); })>();
    case expression_op::sinh:
      return loop<T, T, decltype([](T a) { return std::sinh(a); })>();
    case expression_op::cosh:
      return loop<T, T, decltype([](T a) { return std::cosh(a); })>();
    case expression_op::tanh:
      return loop<T, T, decltype([](T a) { return std::tanh(a); })>();
    case expression_op::power:
      return loop<T, T, decltype([](T a, T b) { return std::pow(a, b); })>();
    case expression_op::arctan2:
      return loop<T, T, decltype([](T a, T b) { return std::atan2(a, b); })>();
    case expression_op::hypot:
      return loop<T, T, decltype([](T a, T b) { return std::hypot(a, b); })>();
    default:
      return loop_of_number<T>(op);
  }
}

step_loop loop_of_operation(expression_op op, element_type type) {
  switch (type) {
    case element_type::boolean:
      return loop_of_bool(op);
    case element_type::int8:
      return loop_of_integer<std::int8_t>(op);
    case element_type::uint8:
      return loop_of_integer<std::uint8_t>(op);
    case element_type::int16:
      return loop_of_integer<std::int16_t>(op);
    case element_type::uint16:
      return loop_of_integer<std::uint16_t>(op);
    case element_type::int32:
      return loop_of_integer<std::int32_t>(op);
    case element_type::int64:
      return loop_of_integer<std::int64_t>(op);
    case element_type::uint32:
      return loop_of_integer<std::uint32_t>(op);
    case element_type::uint64:
      return loop_of_integer<std::uint64_t>(op);
    case element_type::float32:
      return loop_of_float<float>(op);
    case element_type::float64:
      return loop_of_float<double>(op);
    default:
      return nullptr;
  }
}

}  // namespace

step_loop loop_of(expression_op op, element_type operand, element_type result) {
  if (op == expression_op::cast) return loop_of_cast(operand, result);
  if (op == expression_op::select) return loop_of_choice(result);
  const step_loop loop = loop_of_operation(op, operand);
  if (loop == nullptr) {
    throw type_error(std::string("an expression: ") +
                     expression_op_names[static_cast<std::size_t>(op)] +
                     " does not exist for operands of the type " + name_of(operand));
  }
  return loop;
}

}  // namespace evenfold::runtime
