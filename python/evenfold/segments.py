"""Folds of the segments of an array."""

from __future__ import annotations

from typing import Any

from ._function_folds import or_function, segreduce_function
from .functions import as_folded
from .ragged import Ragged

_FOLDS = ("sum", "prod", "min", "max", "mean", "argmin", "argmax")


@or_function(segreduce_function, op_at=2)
def segreduce(
    values: Any, offsets: Any, op: str = "sum", *, dtype: Any = None, out: Any = None
) -> Any:
    """The fold of each segment of an array.

    `segreduce(f, arrays, offsets, op, initial=...)` folds the values of a function of elements.
    `op` may be a function of two values, which must be associative; `initial` is then needed.

    Parameters
    ----------
    values : array
        One dimension of any dtype.
    offsets : array
        int64, one more than there are segments, as Arrow has them.
    op : {"sum", "prod", "min", "max", "mean", "argmin", "argmax"}
        As the methods of `Ragged`.
    dtype : dtype, optional
        The dtype in which elements are folded: int64, uint64, float32 or float64.
    out : array, optional
        The array that the result is written to.

    See Also
    --------
    numpy.ufunc.reduceat : the same in NumPy, but for empty segments.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.segreduce(numpy.array([1, 2, 3, 4]), numpy.array([0, 3, 3, 4]))
    array([6, 0, 4])
    >>> x, w = numpy.array([1.0, 2.0, 3.0]), numpy.array([0.5, 0.5, 2.0])
    >>> evenfold.segreduce(lambda x, w: x * w, (x, w), numpy.array([0, 2, 3]))
    array([1.5, 6. ])
    """
    rows = Ragged(as_folded("segreduce", values, dtype), offsets)
    if op not in _FOLDS:
        raise ValueError(f"segreduce: op is {op!r}; pass one of {', '.join(_FOLDS)}")
    return getattr(rows, op)(out=out)
