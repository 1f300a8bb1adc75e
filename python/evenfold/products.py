"""Products of sparse matrices by name."""

from __future__ import annotations

from typing import Any

from ._arrays import take
from .sparse import CSR


def spmv(a: Any, x: Any, *, out: Any = None, alpha: float = 1.0, beta: float = 0.0) -> Any:
    """A sparse matrix times a vector.

    Parameters
    ----------
    a : CSR, or matrix of scipy.sparse or cupyx.scipy.sparse
        A matrix of SciPy or CuPy is converted by `CSR.from_scipy` at each call.
    x : array
        float64, one element per column.
    out : array, optional
        float64, one element per row: the array that the result, alpha a x + beta out, is
        written to.

    See Also
    --------
    CSR.dot, scipy.sparse.csr_array.dot

    Examples
    --------
    >>> import numpy, scipy.sparse, evenfold
    >>> a = scipy.sparse.csr_array([[0.0, 2.0], [3.0, 0.0]])
    >>> evenfold.spmv(a, numpy.array([1.0, 10.0]))
    array([20.,  3.])
    """
    return _product("spmv", a, x, 1, out, alpha, beta)


def spmm(a: Any, x: Any, *, out: Any = None, alpha: float = 1.0, beta: float = 0.0) -> Any:
    """A sparse matrix times a dense matrix.

    Parameters
    ----------
    a : CSR, or matrix of scipy.sparse or cupyx.scipy.sparse
        A matrix of SciPy or CuPy is converted by `CSR.from_scipy` at each call.
    x : array
        float64, one row per column of `a`. Every column of the result has the bits of `spmv`.
    out : array, optional
        float64, one row per row: the array that the result, alpha a x + beta out, is written
        to.

    See Also
    --------
    CSR.dot, scipy.sparse.csr_array.dot

    Examples
    --------
    >>> import numpy, scipy.sparse, evenfold
    >>> a = scipy.sparse.csr_array([[0.0, 2.0], [3.0, 0.0]])
    >>> evenfold.spmm(a, numpy.array([[1.0, 2.0], [10.0, 20.0]]))
    array([[20., 40.],
           [ 3.,  6.]])
    """
    return _product("spmm", a, x, 2, out, alpha, beta)


def _product(
    name: str, a: Any, x: Any, dimensions: int, out: Any, alpha: float, beta: float
) -> Any:
    rows = a if isinstance(a, CSR) else CSR.from_scipy(a)
    taken = take(name, "x", x)
    if len(taken.shape) != dimensions:
        raise ValueError(
            f"{name}: x has {len(taken.shape)} dimensions, but {dimensions} are expected; CSR.dot"
            " takes both"
        )
    return rows.dot(x, out=out, alpha=alpha, beta=beta)
