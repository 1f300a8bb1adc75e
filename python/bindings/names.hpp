#pragma once
// Values of enumerations by the names that Python has for them.

#include <span>
#include <string>

#include "evenfold/core/error.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::python {

template <class Value>
struct named {
  const char* name;
  Value value;
};

/// Errors: argument_error for a name that is not in the table.
template <class Value, std::size_t Count>
Value value_named(const char* function, const char* argument, const std::string& name,
                  const named<Value> (&table)[Count]) {
  std::string known;
  for (const named<Value>& entry : table) {
    if (name == entry.name) return entry.value;
    known += (known.empty() ? "'" : ", '") + std::string(entry.name) + "'";
  }
  evenfold::detail::refuse_argument(function, argument, "'" + name + "'",
                                    "it is none of its values", "pass one of " + known);
}

inline constexpr named<runtime::fold_operator> fold_operators[] = {
    {"sum", runtime::fold_operator::sum},
    {"prod", runtime::fold_operator::product},
    {"max", runtime::fold_operator::max},
    {"min", runtime::fold_operator::min}};

}  // namespace evenfold::python
