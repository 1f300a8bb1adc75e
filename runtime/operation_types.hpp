#pragma once
// The table of which operation exists for which element types. Operations are compiled from it, and
// arguments are refused by it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "evenfold/core/element_type.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold::runtime {

/// An operation does not exist for the element type of an array.
class type_error : public argument_error {
 public:
  using argument_error::argument_error;
};

/// A set of element types.
class type_set {
 public:
  constexpr type_set(std::initializer_list<element_type> types) {
    for (const element_type type : types) bits_ |= bit(type);
  }
  constexpr bool has(element_type type) const { return (bits_ & bit(type)) != 0; }

  friend constexpr type_set operator|(type_set a, type_set b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  static constexpr unsigned bit(element_type type) { return 1u << static_cast<int>(type); }

  unsigned bits_ = 0;
};

/// The operations that exist for more than one element type. All others take elements of one type,
/// which their documentation names.
enum class operation { aggregate, dot, fold, jacobi, merge, normal, saxpy, sort, uniform };

struct operation_row {
  operation what;
  const char* name;
  type_set types;
};

inline constexpr type_set float_types{element_type::float32, element_type::float64};
inline constexpr type_set wide_integers{element_type::int64, element_type::uint64};

inline constexpr type_set ordered_types =
    float_types | type_set{element_type::int32, element_type::int64};

inline constexpr type_set all_types =
    wide_integers | float_types |
    type_set{element_type::int8,   element_type::int16,  element_type::int32,  element_type::uint8,
             element_type::uint16, element_type::uint32, element_type::boolean};

/// In the order of the enumerators.
inline constexpr std::array operation_table = {
    operation_row{operation::aggregate, "aggregate", all_types},
    operation_row{operation::dot, "dot", wide_integers | float_types},
    operation_row{operation::fold, "fold", wide_integers | float_types},
    operation_row{operation::jacobi, "jacobi", float_types},
    operation_row{operation::merge, "merge", ordered_types},
    operation_row{operation::normal, "normal", float_types},
    operation_row{operation::saxpy, "saxpy", float_types},
    operation_row{operation::sort, "sort", ordered_types},
    operation_row{operation::uniform, "uniform", float_types | type_set{element_type::int64}},
};

constexpr const operation_row& row_of(operation what) {
  return operation_table[static_cast<std::size_t>(what)];
}

/// Throws the type_error of an array `argument` whose elements are of a type that is not in
/// `types`.
[[noreturn]] void refuse_type(const char* operation, const char* argument, element_type type,
                              type_set types);

/// Calls visitor(std::type_identity<T>()) with the C++ type of `type`, for the types of the table.
///
/// Errors: type_error, which names the operation, its argument and the types that exist.
template <operation What, class Visitor>
auto visit_type(element_type type, const char* argument, Visitor&& visitor) {
  static constexpr const operation_row& row = row_of(What);
  using result = decltype(visitor(std::type_identity<double>()));
  const auto visit = [&]<class T>(std::type_identity<T> as) -> result {
    if constexpr (row.types.has(element_type_of<T>())) {
      return visitor(as);
    } else {
      refuse_type(row.name, argument, type, row.types);
    }
  };
  if (type == element_type::boolean) return visit(std::type_identity<bool>());
  return visit_element_type(type, visit);
}

}  // namespace evenfold::runtime
