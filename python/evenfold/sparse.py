"""Sparse matrices in compressed rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import Input, same_engine, take_flat, take_out


class CSR:
    """A sparse matrix in compressed rows.

    Parameters
    ----------
    row_offsets : array
        int64, one more than there are rows: the first entry of each row, and the number of entries.
    columns : array
        int32, one per entry, counted from 0.
    values : array or None
        float64, one per entry; without them, each entry counts as 1.
    shape : (int, int)
        Rows and columns.

    Examples
    --------
    >>> import numpy, evenfold
    >>> a = evenfold.CSR(
    ...     numpy.array([0, 2, 3]), numpy.array([0, 1, 1], "int32"), numpy.array([1.0, 2, 3]), (2, 2)
    ... )
    >>> a @ numpy.array([10.0, 1.0])
    array([12.,  3.])
    """

    def __init__(
        self, row_offsets: Any, columns: Any, values: Any, shape: tuple[int, int]
    ) -> None:
        offsets = take_flat("CSR", "row_offsets", row_offsets, ("int64",))
        entries = take_flat("CSR", "columns", columns, ("int32",))
        inputs = [offsets, entries]
        if values is not None:
            inputs.append(take_flat("CSR", "values", values, ("float64",)))
        if offsets.size != shape[0] + 1:
            raise ValueError(
                f"CSR: row_offsets has {offsets.size} elements, but there are {shape[0]} rows; pass"
                " one more than rows"
            )
        self._engine = same_engine("CSR", *inputs)
        self._like = offsets
        self._rows = _core.Rows(
            shape[0],
            shape[1],
            offsets.array,
            entries.array,
            None if values is None else inputs[2].array,
        )

    @classmethod
    def _of(cls, rows: _core.Rows, like: Input) -> CSR:
        made = cls.__new__(cls)
        made._engine, made._like, made._rows = like.engine, like, rows
        return made

    @classmethod
    def from_coo(
        cls,
        rows: Any,
        columns: Any,
        values: Any = None,
        shape: tuple[int, int] = (0, 0),
        *,
        duplicates: str = "sum",
    ) -> CSR:
        """The matrix of entries in any order.

        Parameters
        ----------
        rows, columns : array
            int32, counted from 0.
        values : array, optional
            float64, one per entry.
        shape : (int, int)
            Rows and columns.
        duplicates : {"sum", "first", "keep", "refuse"}
            What becomes of entries at the same position.

        Examples
        --------
        >>> import numpy, evenfold
        >>> at = numpy.array([1, 0, 1], "int32")
        >>> evenfold.CSR.from_coo(at, at, numpy.array([1.0, 2.0, 3.0]), (2, 2)).values
        array([2., 4.])
        """
        row = take_flat("from_coo", "rows", rows, ("int32",))
        column = take_flat("from_coo", "columns", columns, ("int32",))
        inputs = [row, column]
        if values is not None:
            inputs.append(take_flat("from_coo", "values", values, ("float64",)))
        engine = same_engine("from_coo", *inputs)
        value = None if values is None else inputs[2].array
        made = _core.rows_of_entries(
            engine, *shape, row.array, column.array, value, False, duplicates
        )
        return cls._of(made, row)

    @classmethod
    def from_scipy(cls, matrix: Any) -> CSR:
        """A matrix of scipy.sparse or cupyx.scipy.sparse, in any of its formats.

        The values of a matrix in the format "csr" are not copied if they are float64, and its
        indices are not if those of the rows are int64 and those of the columns int32; SciPy's own
        are both of one type, and one of them is converted.

        Examples
        --------
        >>> import numpy, scipy.sparse, evenfold
        >>> a = evenfold.CSR.from_scipy(scipy.sparse.eye_array(3))
        >>> a @ numpy.array([1.0, 2.0, 3.0])
        array([1., 2., 3.])
        """
        rows = matrix.tocsr()
        if max(rows.shape) >= 2**31:
            raise ValueError("from_scipy: rows and columns are numbered in 32 bits; pass fewer")
        return cls(
            rows.indptr.astype("int64", copy=False),
            rows.indices.astype("int32", copy=False),
            rows.data.astype("float64", copy=False),
            rows.shape,
        )

    def to_scipy(self) -> Any:
        """The matrix as a scipy.sparse.csr_array; its values are not copied."""
        import scipy.sparse

        values = self.values if self.values is not None else np.ones(len(self.columns))
        return scipy.sparse.csr_array((values, self.columns, self.row_offsets), shape=self.shape)

    @property
    def shape(self) -> tuple[int, int]:
        return self._rows.num_rows, self._rows.num_columns

    @property
    def nnz(self) -> int:
        """The number of entries."""
        return len(self._rows.columns)

    @property
    def row_offsets(self) -> Any:
        return self._like.give(self._rows.row_offsets)

    @property
    def columns(self) -> Any:
        return self._like.give(self._rows.columns)

    @property
    def values(self) -> Any:
        """float64, or None where each entry counts as 1."""
        values = self._rows.values
        return None if values is None else self._like.give(values)

    @property
    def T(self) -> CSR:  # noqa: N802
        """The transposed matrix."""
        return CSR._of(_core.transpose(self._engine, self._rows), self._like)

    def multiply(
        self, x: Any, *, out: Any = None, alpha: float = 1.0, beta: float = 0.0
    ) -> Any:
        """alpha A x + beta out.

        Parameters
        ----------
        x : array
            float64, one per column.
        out : array, optional
            float64, one per row: what is added to, and where the result is written.
        """
        vector = take_flat("multiply", "x", x, ("float64",))
        if vector.size != self.shape[1]:
            raise ValueError(
                f"multiply: x has {vector.size} elements, but the matrix has {self.shape[1]}"
                " columns; pass one per column"
            )
        rows = self.shape[0]
        if out is None:
            result = _core.allocate(self._engine, "float64", rows)
            beta = 0.0
        else:
            result = take_out("multiply", out, "float64", (rows,))
        _core.spmv(self._engine, self._rows, vector.array, result, alpha, beta)
        return vector.give(result) if out is None else out

    def __matmul__(self, other: Any) -> Any:
        """The product with a vector, or with another CSR, as a CSR with columns in order."""
        if not isinstance(other, CSR):
            return self.multiply(other)
        if self.shape[1] != other.shape[0]:
            raise ValueError(
                f"CSR @: the shapes {self.shape} and {other.shape} do not fit; pass a second matrix"
                " with as many rows as the first one has columns"
            )
        engine = same_engine("CSR @", self._like, other._like)
        return CSR._of(_core.spgemm(engine, self._rows, other._rows), self._like)

    def __repr__(self) -> str:
        return f"CSR(shape={self.shape}, nnz={self.nnz})"

    def __reduce__(self) -> tuple[Any, ...]:
        return CSR, (self.row_offsets, self.columns, self.values, self.shape)


