"""Sparse matrices in compressed rows."""

from __future__ import annotations

import operator
from math import prod
from typing import Any

from . import _core
from ._arrays import check_contiguous, check_dtype, listed, take, take_flat, take_out
from ._gpu_arrays import module
from ._inputs import Input, same_engine
from .folds import reduce


def _check_entries(offsets: Input, indices: Any, count: int, columns: int) -> None:
    """Refuses entries outside of the matrix, and rows outside of the entries."""
    if not offsets.array.is_on_host and offsets.array_library == "numpy":
        return  # arrays on a GPU of no library that reads their elements
    begins = offsets.give(offsets.array)
    if begins[0] != 0 or begins[-1] != count or (begins[1:] < begins[:-1]).any():
        raise ValueError(
            f"CSR: indptr must begin at 0, never decrease, and end at the number of entries, {count}"
        )
    if count and not (reduce(indices, "min") >= 0 and reduce(indices, "max") < columns):
        raise ValueError(
            f"CSR: indices has columns outside of 0 to {columns - 1}; pass the right shape"
        )


class CSR:
    """A sparse matrix in compressed rows.

    Parameters
    ----------
    arrays : (array or None, array, array)
        `data`, `indices` and `indptr`, as SciPy has them. Data are float64, one per entry; without
        them, each entry counts as 1. Indices are int32: the column of each entry, counted from 0.
        `indptr` is int64, one more than there are rows: the first entry of each row, and the number
        of entries. Both are checked here; later changes of them are not.
    shape : (int, int)
        Rows and columns.

    See Also
    --------
    scipy.sparse.csr_array : the same in SciPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> data, indices, indptr = [1.0, 2.0, 3.0], numpy.array([0, 1, 1], "int32"), [0, 2, 3]
    >>> a = evenfold.CSR((data, indices, indptr), (2, 2))
    >>> a @ numpy.array([10.0, 1.0])
    array([12.,  3.])
    """

    def __init__(self, arrays: tuple[Any, Any, Any], shape: tuple[int, int]) -> None:
        data, indices, indptr = arrays
        rows, columns = map(operator.index, shape)
        if not (0 <= rows < 2**31 and 0 <= columns < 2**31):
            raise ValueError(f"CSR: shape is {shape}; rows and columns are numbered in 32 bits")
        offsets = take_flat("CSR", "indptr", indptr, ("int64",))
        entries = take_flat("CSR", "indices", indices, ("int32",))
        inputs = [offsets, entries]
        if data is not None:
            inputs.append(take_flat("CSR", "data", data, ("float64",)))
        if offsets.size != rows + 1:
            raise ValueError(
                f"CSR: indptr has {offsets.size} elements, but there are {rows} rows; pass"
                " one more than rows"
            )
        if inputs[-1].size != entries.size and data is not None:
            raise ValueError(
                f"CSR: data has {inputs[-1].size} elements, but indices {entries.size}; pass one"
                " value per entry"
            )
        self._engine = same_engine("CSR", *inputs)
        _check_entries(offsets, indices, entries.size, columns)
        self._like = offsets
        self._rows = _core.Rows(
            rows,
            columns,
            offsets.array,
            entries.array,
            None if data is None else inputs[2].array,
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
        parts: bool = False,
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
            The rule for entries at the same position.
        parts : bool
            In a block of `distributed.processes`: whether each process passes some of the entries,
            those of one process after those of another. It then has some of the rows, `first_row`
            and those after it, and `indptr`, `indices` and `data` are those of its rows.

        Examples
        --------
        >>> import numpy, evenfold
        >>> at = numpy.array([1, 0, 1], "int32")
        >>> evenfold.CSR.from_coo(at, at, numpy.array([1.0, 2.0, 3.0]), (2, 2)).data
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
            engine, *shape, row.array, column.array, value, False, duplicates, parts
        )
        return cls._of(made, row)

    @classmethod
    def from_scipy(cls, matrix: Any) -> CSR:
        """A matrix of scipy.sparse or cupyx.scipy.sparse, in any of its formats.

        The values of a matrix in the format "csr" are not copied if they are float64. `indptr`
        is not copied if it is int64, nor `indices` if they are int32; as SciPy keeps both in
        one dtype, one of them is converted.

        Examples
        --------
        >>> import numpy, scipy.sparse, evenfold
        >>> a = evenfold.CSR.from_scipy(scipy.sparse.eye_array(3))
        >>> a @ numpy.array([1.0, 2.0, 3.0])
        array([1., 2., 3.])
        """
        if not hasattr(matrix, "tocsr"):
            raise TypeError(
                f"from_scipy: the matrix is of {type(matrix).__name__}; pass one of scipy.sparse or"
                " cupyx.scipy.sparse"
            )
        rows = matrix.tocsr()
        if rows.dtype.kind == "c":
            raise TypeError("from_scipy: the matrix is complex; pass its real or imaginary part")
        if max(rows.shape) >= 2**31:
            raise ValueError("from_scipy: rows and columns are numbered in 32 bits; pass fewer")
        return cls(
            (
                rows.data.astype("float64", copy=False),
                rows.indices.astype("int32", copy=False),
                rows.indptr.astype("int64", copy=False),
            ),
            rows.shape,
        )

    def to_scipy(self) -> Any:
        """The matrix as a scipy.sparse.csr_array; its data are not copied.

        A matrix of CuPy's arrays becomes a cupyx.scipy.sparse.csr_matrix.

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 0], "int32"), numpy.array([0, 1, 2])), (2, 2))
        >>> a.to_scipy().toarray()
        array([[0., 1.],
               [1., 0.]])
        """
        self._check_whole("to_scipy")
        on_gpu = self._like.array_library == "cupy"
        data = self.data
        if data is None:
            data = module("cupy" if on_gpu else "numpy").ones(self.nnz)
        arrays = data, self.indices, self.indptr
        if on_gpu:
            return module("cupyx.scipy.sparse").csr_matrix(arrays, self.shape)
        return module("scipy.sparse").csr_array(arrays, self.shape)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns.

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 2, 0], "int32"), numpy.array([0, 2, 3])), (2, 3))
        >>> a.shape
        (2, 3)
        """
        return self._rows.num_rows, self._rows.num_columns

    @property
    def nnz(self) -> int:
        """The number of entries.

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 2, 0], "int32"), numpy.array([0, 2, 3])), (2, 3))
        >>> a.nnz
        3
        """
        return self._rows.num_nonzeros

    @property
    def first_row(self) -> int | None:
        """The first row of this process, or None if the process has all rows.

        Examples
        --------
        >>> import numpy, evenfold
        >>> at = numpy.array([0, 1], "int32")
        >>> print(evenfold.CSR.from_coo(at, at, shape=(2, 2)).first_row)
        None
        """
        return self._rows.first_row

    def _check_whole(self, function: str) -> None:
        if self.first_row is not None:
            raise ValueError(
                f"{function}: each process has some of the rows, but this function needs all; make"
                " the matrix without parts=True"
            )

    @property
    def indptr(self) -> Any:
        """The first entry of each row, and the number of entries, int64.

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 2, 0], "int32"), numpy.array([0, 2, 3])), (2, 3))
        >>> a.indptr
        array([0, 2, 3])
        """
        return self._like.give(self._rows.row_offsets)

    @property
    def indices(self) -> Any:
        """The column of each entry, int32.

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 2, 0], "int32"), numpy.array([0, 2, 3])), (2, 3))
        >>> a.indices
        array([1, 2, 0], dtype=int32)
        """
        return self._like.give(self._rows.columns)

    @property
    def data(self) -> Any:
        """The value of each entry, float64, or None where each entry counts as 1.

        Examples
        --------
        >>> import numpy, evenfold
        >>> at = numpy.array([1, 0], "int32")
        >>> evenfold.CSR.from_coo(at, at, numpy.array([5.0, 6.0]), (2, 2)).data
        array([6., 5.])
        """
        values = self._rows.values
        return None if values is None else self._like.give(values)

    @property
    def T(self) -> CSR:  # noqa: N802
        """The transposed matrix.

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 2, 0], "int32"), numpy.array([0, 2, 3])), (2, 3))
        >>> a.T @ numpy.array([10.0, 1.0])
        array([ 1., 10., 10.])
        """
        return CSR._of(_core.transpose(self._engine, self._rows), self._like)

    def dot(self, other: Any, *, out: Any = None, alpha: float = 1.0, beta: float = 0.0) -> Any:
        """The product with a vector, a dense matrix or another CSR: the same as `@`.

        Parameters
        ----------
        other : array or CSR
            float64, one element or one row per column; or a CSR.
        out : array, optional
            float64, one element or one row per row: the array that the result, alpha A other +
            beta out, is written to. Not for a CSR.

        Returns
        -------
        array or CSR
            The product. The columns of each row of a CSR are sorted.

        See Also
        --------
        scipy.sparse.csr_array.dot

        Examples
        --------
        >>> import numpy, evenfold
        >>> a = evenfold.CSR((None, numpy.array([1, 0], "int32"), numpy.array([0, 1, 2])), (2, 2))
        >>> a.dot(numpy.array([1.0, 10.0]), out=numpy.array([5.0, 5.0]), alpha=2.0, beta=1.0)
        array([25.,  7.])
        >>> a @ numpy.array([[1.0, 2.0], [3.0, 4.0]])
        array([[3., 4.],
               [1., 2.]])
        """
        if isinstance(other, CSR):
            return self._times(other)
        x = take("dot", "other", listed(other, ("float64",)))
        check_dtype("dot", "other", x, ("float64",))
        check_contiguous("dot", "other", x)
        rows, columns = self.shape
        if len(x.shape) not in (1, 2) or x.shape[0] != columns:
            raise ValueError(
                f"dot: other has the shape {x.shape}, but the matrix has {columns} columns; pass"
                " one element or one row per column"
            )
        shape = (rows, *x.shape[1:])
        if out is None:
            result = _core.allocate(self._engine, "float64", prod(shape))
            beta = 0.0
        else:
            result = take_out("dot", out, "float64", shape)
        if len(shape) == 1:
            _core.spmv(self._engine, self._rows, x.array, result, alpha, beta)
        else:
            _core.spmm(self._engine, self._rows, x.array, result, shape[1], alpha, beta)
        if out is None:
            return x.give(result, shape)
        x.hand_over()
        return out

    def _times(self, other: CSR) -> CSR:
        if self.shape[1] != other.shape[0]:
            raise ValueError(
                f"dot: the shapes {self.shape} and {other.shape} do not fit; pass a second matrix"
                " with as many rows as the first one has columns"
            )
        engine = same_engine("dot", self._like, other._like)
        return CSR._of(_core.spgemm(engine, self._rows, other._rows), self._like)

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)

    # NumPy then leaves `x @ A` to this class.
    __array_ufunc__ = None

    def __rmatmul__(self, other: Any) -> Any:
        if len(take("dot", "other", other).shape) != 1:
            raise ValueError(
                "dot: a matrix on the left of a CSR has several dimensions; pass (A.T @ x.T).T"
            )
        return self.T.dot(other)

    def __repr__(self) -> str:
        return f"CSR(shape={self.shape}, nnz={self.nnz})"

    def __reduce__(self) -> tuple[Any, ...]:
        self._check_whole("pickle")
        return CSR, ((self.data, self.indices, self.indptr), self.shape)
