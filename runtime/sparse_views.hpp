#pragma once
// The library's views of the runtime's sparse matrices, for the families that work on them.

#include <cstdint>
#include <string>

#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/edit.hpp"
#include "runtime/backend.hpp"
#include "runtime/ranks.hpp"
#include "runtime/sparse.hpp"

namespace evenfold {

// sparse.cpp compiles these for all families.
extern template csr<pattern, std::int32_t, std::int64_t> to_csr(
    runtime::backend_context&, coo_view<const pattern, std::int32_t, std::int64_t>, duplicates);
extern template coo<pattern, std::int32_t, std::int64_t> drop_self_loops(
    runtime::backend_context&, coo_view<const pattern, std::int32_t, std::int64_t>);

}  // namespace evenfold

namespace evenfold::runtime {

template <class Value>
using entries_view = coo_view<const Value, std::int32_t, std::int64_t>;
template <class Value>
using rows_view = csr_view<const Value, std::int32_t, std::int64_t>;

/// Calls visitor(std::type_identity<Value>()) with the type of the values of a matrix, `pattern`
/// where it has none.
template <class Visitor>
auto visit_values(bool has_values, Visitor&& visitor) {
  if (has_values) return visitor(std::type_identity<double>());
  return visitor(std::type_identity<pattern>());
}

/// A family that takes sparse matrices.
template <class Context>
class sparse_family : public family<Context> {
 public:
  using family<Context>::family;

 protected:
  template <class Value>
  entries_view<Value> view(const char* operation, const sparse_entries& a) const {
    if (a.of_all) refuse_part(operation);
    check_size(operation, "rows", a.rows, a.columns.size());
    return {a.num_rows,
            a.num_columns,
            a.num_nonzeros(),
            this->template read<std::int32_t>(operation, "rows", a.rows),
            this->template read<std::int32_t>(operation, "columns", a.columns),
            values<Value>(operation, a.values, a.columns.size())};
  }
  template <class Value>
  rows_view<Value> view(const char* operation, const sparse_rows& a) const {
    if (a.part) refuse_part(operation);
    check_size(operation, "row_offsets", a.row_offsets, static_cast<std::size_t>(a.num_rows) + 1);
    return rows_here<Value>(operation, a);
  }
  /// The rows that are here: all of them, or those of this process.
  template <class Value>
  rows_view<Value> rows_here(const char* operation, const sparse_rows& a) const {
    return {static_cast<std::int32_t>(a.row_offsets.size()) - 1,
            a.num_columns,
            static_cast<std::int64_t>(a.columns.size()),
            this->template read<std::int64_t>(operation, "row_offsets", a.row_offsets),
            this->template read<std::int32_t>(operation, "columns", a.columns),
            values<Value>(operation, a.values, a.columns.size())};
  }

  /// The arguments of operations on several ranks (runtime/ranks.hpp).
  template <class Value>
  rows_on_engine<Value> shared_rows(const char* operation, const sparse_rows& a) const {
    if (!a.part) return {view<Value>(operation, a)};
    if (this->state().processes == nullptr) refuse_part(operation);
    return {rows_here<Value>(operation, a), a.part};
  }

  template <class Value>
  sparse_entries owning_matrix(coo<Value, std::int32_t, std::int64_t> a) const {
    sparse_entries result{a.num_rows,
                          a.num_columns,
                          this->owning(std::move(a.rows)),
                          this->owning(std::move(a.columns)),
                          array(),
                          !is_pattern<Value>};
    if constexpr (!is_pattern<Value>) result.values = this->owning(std::move(a.values));
    return result;
  }
  template <class Value>
  sparse_rows owning_matrix(csr<Value, std::int32_t, std::int64_t> a) const {
    sparse_rows result{a.num_rows,
                       a.num_columns,
                       this->owning(std::move(a.row_offsets)),
                       this->owning(std::move(a.columns)),
                       array(),
                       !is_pattern<Value>};
    if constexpr (!is_pattern<Value>) result.values = this->owning(std::move(a.values));
    return result;
  }

  static void check_size(const char* operation, const char* argument, const array& values,
                         std::size_t expected) {
    if (values.size() == expected) return;
    detail::refuse_argument(operation, std::string(argument) + ".size()", values.size(),
                            "the matrix has " + std::to_string(expected) + " of them",
                            "pass arrays of one matrix");
  }

 private:
  [[noreturn]] static void refuse_part(const char* operation) {
    detail::refuse_argument(operation, "the matrix", "entries of one of several processes",
                            "this operation needs all entries",
                            "pass all entries in every process");
  }

  template <class Value>
  const Value* values(const char* operation, const array& all, std::size_t count) const {
    if constexpr (is_pattern<Value>) {
      return nullptr;
    } else {
      check_size(operation, "values", all, count);
      return this->template read<Value>(operation, "values", all);
    }
  }
};

}  // namespace evenfold::runtime
