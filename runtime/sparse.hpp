#pragma once
// Operations on sparse matrices: `engine::sparse()`.

#include <cstdint>
#include <optional>

#include "evenfold/sparse/degree_summary.hpp"
#include "evenfold/sparse/duplicate_entry_error.hpp"
#include "runtime/array.hpp"

namespace evenfold::runtime {

class engine;

/// A sparse matrix as a list of entries in any order: see evenfold::coo.
struct sparse_entries {
  std::int32_t num_rows = 0, num_columns = 0;
  /// The row and the column of each entry, int32, counted from 0.
  array rows, columns;
  /// float64, one per entry. Empty if `has_values` is false: each entry then counts as 1.
  array values;
  bool has_values = false;
  /// If each of several processes has a part of the entries of a matrix, in the order of the
  /// processes: the number of entries of all processes. make_rows() takes such entries.
  std::optional<std::int64_t> of_all = std::nullopt;

  std::int64_t num_nonzeros() const {
    return of_all.value_or(static_cast<std::int64_t>(columns.size()));
  }
};

/// The rows of a matrix that this process has, if each of several processes has some.
struct rows_of_process {
  /// The number of rows, and of entries, before them.
  std::int64_t first_row = 0, first_entry = 0;
  /// The number of entries of all processes.
  std::int64_t all_entries = 0;
};

/// A sparse matrix in compressed rows: see evenfold::csr.
struct sparse_rows {
  std::int32_t num_rows = 0, num_columns = 0;
  /// int64, one more than the rows in this object, which are all rows of the matrix or those of
  /// this process.
  array row_offsets;
  /// int32, one per entry in this object.
  array columns;
  /// float64, one per entry in this object, or empty as in sparse_entries.
  array values;
  bool has_values = false;
  /// Set if these are the rows of one of several processes. The operations that engine::join()
  /// names take such rows.
  std::optional<rows_of_process> part = std::nullopt;

  std::int64_t num_nonzeros() const {
    return part ? part->all_entries : static_cast<std::int64_t>(columns.size());
  }
};

/// The numbers of rows by length: rows[i] rows have degrees[i] entries each, and the degrees
/// ascend. Both int64.
struct degree_distribution {
  array degrees, rows;
};

/// Arrays are where the engine can reach them. Errors of all: type_error, closed_engine_error,
/// argument_error for an array that the engine cannot reach, whose size does not fit, or for an
/// entry outside of the matrix, allocation_error.
class sparse_operations {
 public:
  virtual ~sparse_operations() = default;

  /// The entries without those on the diagonal. Waits.
  virtual sparse_entries drop_self_loops(const sparse_entries& a) = 0;
  /// The entries, and for each entry off the diagonal its mirror image. Waits.
  virtual sparse_entries symmetrize(const sparse_entries& a) = 0;
  /// The entries sorted by row and column. Waits.
  ///
  /// Errors: duplicate_entry_error, where duplicates are refused.
  virtual sparse_rows to_rows(const sparse_entries& a, duplicates how) = 0;
  /// The entries of the rows. Waits.
  virtual sparse_entries to_entries(const sparse_rows& a) = 0;
  /// The rows of the transposed matrix. Waits.
  virtual sparse_rows transpose(const sparse_rows& a) = 0;

  /// y = alpha A x + beta y, all float64. Does not wait.
  virtual void spmv(const sparse_rows& a, const array& x, array& y, double alpha, double beta) = 0;

  /// Y = alpha A X + beta Y for dense matrices of float64 with `width` columns, row after row. Does
  /// not wait.
  virtual void spmm(const sparse_rows& a, const array& x, array& y, std::int64_t width,
                    double alpha, double beta) = 0;

  /// The product of two matrices, float64; entries without values count as 1. Waits.
  virtual sparse_rows spgemm(const sparse_rows& a, const sparse_rows& b) = 0;

  /// Statistics of the lengths of rows. Waits.
  virtual degree_summary degrees(const sparse_rows& a) = 0;
  virtual degree_distribution distribution(const sparse_rows& a) = 0;
  /// The number of entries on the diagonal. Waits.
  virtual std::int64_t count_on_diagonal(const sparse_rows& a) = 0;
  /// Whether two matrices of the same shape, with the columns of each row sorted, have entries at
  /// the same positions. Waits.
  virtual bool have_same_pattern(const sparse_rows& a, const sparse_rows& b) = 0;
};

/// The rows of entries, in the memory of the engine: `to_rows` of all entries. If the entries are a
/// part of one of the processes that the engine has joined, every process gets whole rows of the
/// matrix of all entries, with about equal entries + rows. Waits.
///
/// Errors: those of sparse_operations, the same duplicate_entry_error in all processes;
/// argument_error for entries of one process if the engine has not joined any; communication_error.
sparse_rows make_rows(engine& engine, const sparse_entries& a, duplicates how);

/// Marks `own` as the part of this process, one of those that the engine has joined. Called by all
/// processes. Errors: argument_error if the engine has not joined any; communication_error.
sparse_entries entries_of_process(engine& engine, sparse_entries own);

/// `symmetrize` and `transpose`, also of the entries and rows of one process.
sparse_entries symmetrized(engine& engine, const sparse_entries& a);
sparse_rows transposed(engine& engine, const sparse_rows& a);

/// The same entries where an engine can reach them: see engine::local.
sparse_entries local(engine& engine, const sparse_entries& a);

/// The entries of the transposed matrix: the same memory.
sparse_entries transposed(const sparse_entries& a);

/// The same rows once more: the same memory.
sparse_rows share(const sparse_rows& a);

}  // namespace evenfold::runtime
