#pragma once
// Matrices of which each of several processes has a part.
//
// Each process begins with some of the entries, those of its part of a file, and ends with whole
// rows. Idea: the processes add the lengths of rows, each for an equal share of the rows, and cut
// the walk along entries and rows into equal shares. The entries are sent to the processes of their
// rows in the order of the list, so that entries in the same row and column keep their order.

#include "runtime/sparse.hpp"

namespace evenfold::runtime {

/// As make_rows(), for entries of one of several processes.
sparse_rows rows_of_part(engine& engine, const sparse_entries& a, duplicates how);

/// The rows of the transposed matrix, of which this process gets a part, too.
sparse_rows transposed_part(engine& engine, const sparse_rows& a);

/// The entries of this process as if they were all.
sparse_entries alone(sparse_entries own);
/// The reverse: entries as those of one process. Called by all processes.
sparse_entries entries_of_process(engine& engine, sparse_entries own);

}  // namespace evenfold::runtime
