#pragma once
// A sequence of numbers in one of the four types that the commands on sequences compute in.

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "runtime/engine.hpp"
#include "runtime/number.hpp"

namespace evenfold::cli {

/// Numbers in the type that the type of the file determines: integers have 64 bits, so that sums
/// rarely overflow, as in numpy.sum; floating-point numbers keep their type.
using numbers = std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>,
                             std::vector<float>, std::vector<double>>;

/// One of these numbers.
using number = runtime::number;

/// The type in which a T takes part in computations.
template <class T>
using computed_in =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

inline bool are_integers(const numbers& values) {
  return !std::holds_alternative<std::vector<float>>(values) &&
         !std::holds_alternative<std::vector<double>>(values);
}

/// Appends a number of the same type.
inline void append(numbers& values, const number& value) {
  std::visit([&]<class T>(std::vector<T>& all) { all.push_back(std::get<T>(value)); }, values);
}

inline std::size_t count_of(const numbers& values) {
  return std::visit([](const auto& all) { return all.size(); }, values);
}

/// The name of their type, as NumPy has it.
inline std::string type_name(const numbers& values) {
  constexpr const char* names[] = {"int64", "uint64", "float32", "float64"};
  return names[values.index()];
}

/// The numbers as an array, which refers to them: they must live as long.
inline runtime::array as_array(const numbers& values) {
  return std::visit([](const auto& all) { return runtime::array::borrowed(std::span(all)); },
                    values);
}

/// The elements of an array of one of the four types, on the host.
inline numbers downloaded(runtime::engine& engine, const runtime::array& values) {
  switch (values.type()) {
    case element_type::int64:
      return runtime::to_vector<std::int64_t>(engine, values);
    case element_type::uint64:
      return runtime::to_vector<std::uint64_t>(engine, values);
    case element_type::float32:
      return runtime::to_vector<float>(engine, values);
    default:
      return runtime::to_vector<double>(engine, values);
  }
}

}  // namespace evenfold::cli
