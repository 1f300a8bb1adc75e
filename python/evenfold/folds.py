"""Folds of whole arrays and along an axis, and histograms."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import check_alike, check_contiguous, take, take_flat
from ._axes import moved_last
from ._function_folds import or_function, reduce_function
from ._inputs import Input, local, same_engine
from ._results import as_dtype, as_scalar, written
from ._trace import is_number
from .functions import as_folded, transform

_FOLDED = ("int64", "uint64", "float32", "float64")

# The first element is the initial value.
_FIRST: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, first: first + x,
    "prod": lambda x, first: first * x,
    "min": lambda x, first: np.minimum(first, x),
    "max": lambda x, first: np.maximum(first, x),
}


def _matrix(name: str, taken: Input, axis: int | None) -> tuple[int, int, int, int, str]:
    """The rows, columns and strides of an array as a matrix, and the axis that is folded: the first
    or the last one, or all."""
    shape, strides = taken.shape, taken.strides
    if len(shape) in (1, 2):
        _check_distinct(name, taken)
    if len(shape) == 2:
        along = {None: "all", 0: "columns", 1: "rows"}[axis]
        return shape[0], shape[1], strides[0], strides[1], along
    if len(shape) == 1:
        return 1, shape[0], shape[0] * strides[0], strides[0], "all"
    check_contiguous("reduce", name, taken)
    if axis is None or len(shape) == 0:
        return 1, taken.size, taken.size, 1, "all"
    if axis == len(shape) - 1:
        return prod(shape[:-1]), shape[-1], shape[-1], 1, "rows"
    return shape[0], prod(shape[1:]), prod(shape[1:]), 1, "columns"


def _check_distinct(name: str, taken: Input) -> None:
    """Refuses views in which two elements share memory, such as those of broadcast_to."""
    if taken.is_contiguous:
        return
    steps = sorted((step, n) for step, n in zip(taken.strides, taken.shape) if n > 1)
    span = 1
    for step, n in steps:
        if step < span:
            raise ValueError(
                f"reduce: {name} has elements that share memory, and no copy is made in silence;"
                f" pass numpy.ascontiguousarray({name})"
            )
        span = step * (n - 1) + 1


@or_function(reduce_function, op_at=1)
def reduce(
    values: Any,
    op: str = "sum",
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
) -> Any:
    """Fold all elements, or those along an axis.

    `reduce(f, arrays, op, initial=...)` folds the values of a function of elements. With a function
    of two values as `op`, which must be associative, elements are folded in their order.

    Parameters
    ----------
    values : array
        Elements of any integer type, float32, float64 or bool. One and two dimensions may have any
        strides that are not negative.
    op : {"sum", "prod", "min", "max", "mean", "argmin", "argmax"}
        Sums and products of integers are exact, or raise OverflowError if 64 bits cannot hold
        them. Sums and products of floating-point numbers are computed in float64, and have the
        dtype of the values.
    axis : int, optional
        The axis to fold. By default, all elements are folded. Elements are copied for an axis that
        is neither the first nor the last.
    dtype : dtype, optional
        The dtype of the result. float64 keeps all digits of a sum of float32.
    out : array, optional
        The array that the result is written to.
    keepdims : bool
        Whether the folded axes remain, with one element each.
    initial : number, optional
        The first operand of a sum, a product, a minimum or a maximum, and the result for no
        elements. Adding it to an integer result wraps around.

    Returns
    -------
    scalar or array
        Sums and products of integers are int64 or uint64. The result has the same bits for any
        number of threads.

    See Also
    --------
    numpy.ufunc.reduce : the same in NumPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.reduce(numpy.array([1.5, 2.5, 4.0]))
    np.float64(8.0)
    >>> evenfold.reduce(numpy.array([[1, 2], [3, 4]]), "max", axis=0)
    array([3, 4])
    >>> evenfold.reduce(numpy.array([[1, 2], [3, 4]]), axis=1, dtype="float64", keepdims=True)
    array([[3.],
           [7.]])
    >>> evenfold.reduce(lambda a, b: a * b, (numpy.array([1.0, 2.0]), numpy.array([3.0, 4.0])))
    np.float64(11.0)
    >>> evenfold.reduce(numpy.array([2, -5, 4]), lambda a, b: evenfold.where(abs(b) > abs(a), b, a))
    np.int64(-5)
    """
    taken = take("reduce", "values", values)
    if axis is not None:
        try:
            axis = operator.index(axis)
        except TypeError:
            raise TypeError(f"reduce: axis is {axis!r}; pass one axis, or None for all") from None
        if not -len(taken.shape) <= axis < len(taken.shape):
            raise ValueError(
                f"reduce: axis is {axis}, but there are {len(taken.shape)} dimensions; pass one of"
                " them"
            )
        axis %= len(taken.shape)
        if 0 < axis < len(taken.shape) - 1:
            rows = moved_last(values, axis, taken)
            result = reduce(rows, op, axis=-1, dtype=dtype, initial=initial)
            if keepdims:
                result = result.reshape((*taken.shape[:axis], 1, *taken.shape[axis + 1 :]))
            return written("reduce", result, out)
    rows, columns, row_stride, column_stride, along = _matrix("values", taken, axis)
    if initial is not None and not is_number(initial):
        raise TypeError(f"reduce: initial is {initial!r}; pass a number")
    if initial is not None and op not in _FIRST:
        raise ValueError(f"reduce: op is {op!r}, which has no initial; leave it out")
    if op in ("min", "max") and columns * rows == 0 and initial is None:
        raise ValueError(f"reduce: there are no elements to take the {op} of; pass at least one")
    found, places = _core.aggregate(
        taken.engine, taken.array, rows, columns, row_stride, column_stride, op, along
    )
    shape = tuple(n for d, n in enumerate(taken.shape) if d != axis) if along != "all" else (1,)
    if op in ("argmin", "argmax"):
        result = _positions(taken, places, along, columns, shape)
    else:
        result = taken.give(found, shape)
        if taken.dtype == "float32" and op != "mean" and dtype is None:
            dtype = "float32"
    if initial is not None:
        result = transform(_FIRST[op], result, initial)
    if dtype is not None:
        result = as_dtype(result, dtype)
    if keepdims:
        folded = range(len(taken.shape)) if axis is None else (axis,)
        result = result.reshape(tuple(1 if d in folded else n for d, n in enumerate(taken.shape)))
    elif along == "all":
        result = as_scalar(result)
    return written("reduce", result, out)


def _positions(
    taken: Input, places: _core.Array, along: str, columns: int, shape: tuple[int, ...]
) -> Any:
    """The positions of extremes; those of all elements come as a row and a column."""
    if along != "all":
        return taken.give(places, shape)
    row_and_column = taken.give(places)
    if columns == taken.size:  # there is one row
        return row_and_column[1:]
    return row_and_column[:1] * columns + row_and_column[1:]


class Fold(NamedTuple):
    """A fold and, if a trace was requested, the cells after each round, from round 0 on.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.fold(numpy.array([1, 2, 3, 4]), strategy="tiled").value
    10
    """

    value: Any
    rounds: list[Any]


def fold(values: Any, op: str = "sum", *, strategy: str = "tiled", trace: bool = False) -> Fold:
    """Fold all elements by a named strategy.

    Parameters
    ----------
    values : array
        One dimension of int64, uint64, float32 or float64.
    op : {"sum", "prod", "min", "max"}
        Integers wrap around.
    strategy : {"tiled", "array_folding", "tournament"}
        `array_folding` folds the second half of the cells onto the first half until one is left;
        in `tournament`, neighbours are folded in pairs.
    trace : bool
        Whether to keep the cells after every round. `tiled` has no rounds.

    Returns
    -------
    Fold
        The value, and a list of arrays.

    Examples
    --------
    >>> import numpy, evenfold
    >>> folded = evenfold.fold(numpy.arange(1, 6), strategy="tournament", trace=True)
    >>> folded.value
    15
    >>> for cells in folded.rounds:
    ...     print(cells)
    [1 2 3 4 5]
    [3 2 7 4 5]
    [10  2  7  4  5]
    [15  2  7  4  5]
    """
    taken = take_flat("fold", "values", values, _FOLDED)
    value, rounds = _core.fold(taken.engine, taken.array, op, strategy, trace)
    return Fold(value, [taken.give(cells) for cells in rounds])


def dot(x: Any, y: Any) -> Any:
    """The sum of the products of elements.

    Parameters
    ----------
    x, y : array
        One dimension of one dtype: int64, uint64, float32 or float64.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.dot(numpy.array([1.0, 2.0]), numpy.array([3.0, 4.0]))
    11.0
    """
    left = take_flat("dot", "x", x, _FOLDED)
    right = take_flat("dot", "y", y, None if hasattr(y, "dtype") else (left.dtype,))
    check_alike("dot", "y", right, "x", left)
    return _core.dot(same_engine("dot", left, right), left.array, right.array)


def histogram(
    a: Any,
    bins: Any = 10,
    range: tuple[float, float] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Any, Any]:
    """Count the elements of each bin.

    Parameters
    ----------
    a : array
        One dimension of any dtype; elements are counted as float64.
    bins : int or array
        The number of bins of equal width, or their edges in ascending order. The last bin includes
        its upper edge.
    range : (float, float), optional
        The first and the last edge; without them, the smallest and the largest element.
    density : bool, optional
        Whether counts and sums are divided by their total and by the width of the bin.
    weights : array, optional
        One weight per element, of any dtype; the result is then the sums of the weights,
        float64.

    Returns
    -------
    counts, edges : array
        The counts (uint64), or sums or densities (float64), and the edges (float64), one more.

    See Also
    --------
    numpy.histogram : the same in NumPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> counts, edges = evenfold.histogram(numpy.array([0.1, 0.4, 0.9, 0.95]), 2, range=(0, 1))
    >>> counts
    array([2, 2], dtype=uint64)
    >>> edges
    array([0. , 0.5, 1. ])
    """
    taken = _take_float64("a", a)
    inputs = [taken]
    if weights is not None:
        inputs.append(_take_float64("weights", weights))
        if inputs[1].size != taken.size:
            raise ValueError("histogram: a and weights differ in size; pass one weight per element")
    engine = same_engine("histogram", *inputs)
    if np.ndim(bins) == 0:
        bins = _number_of_bins(bins)
        low, high = range if range is not None else _extremes(taken)
        if not (np.isfinite(low) and np.isfinite(high) and low <= high):
            raise ValueError(
                f"histogram: the range is {low} to {high}, but it must be finite and ascend; pass"
                " range=(first edge, last edge)"
            )
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = np.linspace(low, high, bins + 1)
        given, even = [float(low), float(high)], bins
    else:
        edges = np.asarray(bins, dtype="float64")
        if edges.ndim != 1 or len(edges) < 2:
            raise ValueError(
                f"histogram: bins has the shape {edges.shape}; pass two or more edges, or a number"
            )
        if not np.all(edges[1:] >= edges[:-1]):  # NaN does not ascend, either
            raise ValueError("histogram: bins are edges that must ascend; sort them")
        given, even = edges.tolist(), 0
    weight = inputs[1].array if weights is not None else None
    counts = _core.histogram(engine, taken.array, weight, given, even)
    sums = taken.give(counts)[: len(edges) - 1]
    if density:
        widths = local(taken, take_flat("histogram", "bins", np.diff(edges)))
        sums = as_dtype(sums, "float64")
        sums = sums / taken.give(widths) / sums.sum()
    return sums, edges


def _take_float64(name: str, values: Any) -> Input:
    taken = take_flat("histogram", name, values)
    if taken.dtype == "float64":
        return taken
    return take_flat("histogram", name, as_folded("histogram", values, "float64"))


def _number_of_bins(bins: Any) -> int:
    try:
        number = operator.index(bins)
    except TypeError:
        raise TypeError(f"histogram: bins is {bins!r}; pass a whole number, or edges") from None
    if not 1 <= number < 2**31:
        raise ValueError(f"histogram: bins is {number}; pass at least 1, and less than 2**31")
    return number


def _extremes(taken: Input) -> tuple[float, float]:
    if taken.size == 0:
        return 0.0, 1.0
    extremes = (
        _core.aggregate(taken.engine, taken.array, 1, taken.size, taken.size, 1, op, "all")[0]
        for op in ("min", "max")
    )
    low, high = (float(as_scalar(taken.give(extreme))) for extreme in extremes)
    return low, high
