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

/// As transposed(), for rows of one of several processes.
sparse_rows transposed_part(engine& engine, const sparse_rows& a);

}  // namespace evenfold::runtime
