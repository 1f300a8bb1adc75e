"""Sparse matrices, beside SciPy and CuPy."""

from __future__ import annotations

import evenfold as ef
import numpy as np
import shapes
from harness import Match, Setting, case, library


@case("A @ x, Kronecker graph of 2^18 rows", ("cpu", "gpu"))
def multiply(use: Setting) -> Match:
    match = Match()
    matrix = shapes.kronecker(18 - 8 * use.quick)
    x = np.random.default_rng(0).random(matrix.shape[1])
    if not use.on_gpu:
        ours = ef.CSR.from_scipy(matrix)
        match.add("evenfold CSR @", lambda: ours @ x)
        match.add("scipy csr_array @", lambda: matrix @ x)
    else:
        sparse = library("cupyx.scipy.sparse")
        there = sparse.csr_matrix(matrix) if sparse else None
        data, indices, indptr, there_x = use.place(
            matrix.data, matrix.indices.astype("int32"), matrix.indptr.astype("int64"), x
        )
        ours = ef.CSR((data, indices, indptr), matrix.shape)
        match.add("evenfold CSR @", lambda: ours @ there_x)
        if there is not None:
            match.add("cupyx csr_matrix @", lambda: there @ there_x)
    return match


@case("CSR of entries in random order, 2^22 float64, 2^18 rows")
def from_entries(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    size = use.power(18)
    rows, columns = (random.integers(0, size, use.power(22), dtype="int32") for _ in range(2))
    values = random.random(rows.size)
    match.add(
        "evenfold CSR.from_coo",
        lambda: ef.CSR.from_coo(rows, columns, values, (size, size)),
        lambda r: (r.indptr, r.indices, r.data),
    )
    if sparse := library("scipy.sparse"):

        def made() -> object:
            matrix = sparse.coo_array((values, (rows, columns)), shape=(size, size)).tocsr()
            matrix.sum_duplicates()  # which also sorts the columns
            return matrix

        match.add("scipy coo, tocsr, sum_duplicates", made, lambda r: (r.indptr, r.indices, r.data))
    return match


@case("transpose of a Kronecker graph of 2^18 rows")
def transpose(use: Setting) -> Match:
    match = Match()
    matrix = shapes.kronecker(18 - 8 * use.quick)
    ours = ef.CSR.from_scipy(matrix)
    match.add("evenfold CSR.T", lambda: ours.T, lambda r: (r.indptr, r.indices, r.data))
    match.add("scipy T.tocsr", lambda: matrix.T.tocsr(), lambda r: (r.indptr, r.indices, r.data))
    return match
