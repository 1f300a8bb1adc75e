"""Prefixes and order: scans, sorts, merges, searches and the first k."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import check_alike, check_contiguous, integer, take, take_flat, take_out
from ._axes import along, is_last
from ._function_folds import or_function, scan_function, sorted_order
from ._inputs import Input, local, same_engine
from ._results import as_scalar, written
from .folds import reduce
from .functions import as_folded

_SORTED = ("int32", "int64", "float32", "float64")


@or_function(scan_function, op_at=1)
def scan(
    values: Any,
    op: str = "sum",
    *,
    axis: int = -1,
    dtype: Any = None,
    out: Any = None,
    exclusive: bool = False,
) -> Any:
    """The folds of all prefixes, or of those of each row.

    `scan(f, arrays, op, exclusive=..., initial=...)` folds the values of a function of elements.
    `op` may be a function of two values, which must be associative.

    Parameters
    ----------
    values : array
        Contiguous, of any dtype.
    op : {"sum", "prod", "min", "max"}
        Integers are folded as int64, or as uint64 if they are uint64, and wrap around.
    axis : int
        By default the last one: each row of an array with more dimensions is folded. Elements are
        copied for another axis.
    dtype : dtype, optional
        The dtype in which elements are folded: int64, uint64, float32 or float64.
    out : array, optional
        The array that the result is written to.
    exclusive : bool
        Whether prefix i ends before element i.

    Returns
    -------
    array
        int64 for integers other than uint64, else the dtype of the values.

    See Also
    --------
    numpy.cumsum, numpy.cumprod, numpy.minimum.accumulate : inclusive scans.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.scan(numpy.array([3, 1, 4]))
    array([3, 4, 8])
    >>> evenfold.scan(numpy.array([3, 1, 4]), exclusive=True)
    array([0, 3, 4])
    >>> evenfold.scan(numpy.array([[1, 2], [3, 4]]), dtype="float64")
    array([[1., 3.],
           [3., 7.]])
    >>> evenfold.scan(numpy.array([3, 1, 4]), lambda a, b: evenfold.where(b > a, b, a))
    array([3, 3, 4])
    """
    values = as_folded("scan", values, dtype)
    taken = take("scan", "values", values)
    if not is_last("scan", axis, taken):
        found = along(values, axis, taken, lambda rows: scan(rows, op, exclusive=exclusive))
        return written("scan", found, out)
    if len(taken.shape) > 1:
        found = _core.segmented_scan(taken.engine, *_as_rows("scan", taken), op, exclusive)
    else:
        check_contiguous("scan", "values", taken)
        found = _core.scan(taken.engine, taken.array, op, exclusive)
    return written("scan", taken.give(found, taken.shape), out)


def sort(
    values: Any,
    axis: int | None = -1,
    *,
    kind: str | None = "stable",
    out: Any = None,
    less: Callable[[Any, Any], Any] | None = None,
) -> Any:
    """A sorted copy.

    Parameters
    ----------
    values : array
        Any dtype. NaN come last. int32, int64, float32 and float64 are fastest.
    axis : int, optional
        By default the last one: each row of an array with more dimensions is sorted. Elements are
        copied once more for another axis. With None, all elements are sorted.
    kind : {"stable", "quicksort", "mergesort", "heapsort"}, optional
        The sort is a stable radix sort, whichever of NumPy's names is passed.
    out : array, optional
        Where the result is written; it may be `values` itself, which are then sorted in place.
    less : function, optional
        A function that returns whether one element comes before another one, instead of <: a
        strict weak order on any dtype. The sort is then a merge sort, which is slower.

    See Also
    --------
    numpy.sort : the same in NumPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.sort(numpy.array([3.0, 1.0, 2.0]))
    array([1., 2., 3.])
    >>> evenfold.sort(numpy.array([3, -1, -2]), less=lambda a, b: abs(a) < abs(b))
    array([-1, -2,  3])
    """
    taken = take("sort", "values", values)
    _check_kind("sort", kind)
    if axis is None:
        return sort(_flat("sort", values, taken), kind=kind, out=out, less=less)
    if not is_last("sort", axis, taken):
        found = along(values, axis, taken, lambda rows: sort(rows, less=less))
        return written("sort", found, out)
    if less is not None or len(taken.shape) > 1 or taken.dtype not in _SORTED:
        order = _order("sort", values, taken, less)
        result = taken.give(_core.take(taken.engine, taken.array, order), taken.shape)
        return written("sort", result, out)
    check_contiguous("sort", "values", taken)
    if out is None:
        copied = _core.upload(taken.engine, taken.array)
        _core.sort(taken.engine, copied)
        return taken.give(copied)
    target = take_out("sort", out, taken.dtype, taken.shape)
    if out is not values:
        out[...] = values
        target = take_out("sort", out, taken.dtype, taken.shape)  # after the copy, on a GPU
    _core.sort(taken.engine, target)
    taken.hand_over()
    return out


def argsort(
    values: Any,
    axis: int | None = -1,
    *,
    kind: str | None = "stable",
    less: Callable[[Any, Any], Any] | None = None,
) -> Any:
    """The indices that sort an array, int64; equal elements keep their order.

    Parameters
    ----------
    values : array
        Any dtype. NaN come last.
    axis : int, optional
        By default the last one: indices count in each row of an array with more dimensions.
        Elements are copied for another axis. With None, indices count in all elements.
    kind : {"stable", "quicksort", "mergesort", "heapsort"}, optional
        The sort is a stable radix sort, whichever of NumPy's names is passed.
    less : function, optional
        As for `sort`.

    See Also
    --------
    numpy.argsort : the same in NumPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.argsort(numpy.array([3.0, 1.0, 2.0]))
    array([1, 2, 0])
    """
    taken = take("argsort", "values", values)
    _check_kind("argsort", kind)
    if axis is None:
        return argsort(_flat("argsort", values, taken), less=less)
    if not is_last("argsort", axis, taken):
        return along(values, axis, taken, lambda rows: argsort(rows, less=less))
    order = taken.give(_order("argsort", values, taken, less), taken.shape)
    return order % max(taken.shape[-1], 1) if len(taken.shape) > 1 else order


def _order(
    function: str, values: Any, taken: Input, less: Callable[[Any, Any], Any] | None
) -> _core.Array:
    """The indices that sort the rows of an array, counted from its first element."""
    if less is not None:
        return sorted_order(values, less)
    if len(taken.shape) > 1:
        return _core.segmented_sort_indices(taken.engine, *_as_rows(function, taken), False)
    check_contiguous(function, "values", taken)
    return _core.sort_indices(taken.engine, taken.array)


def _flat(function: str, values: Any, taken: Input) -> Any:
    """An array of any dimensions as one of one dimension, which is no copy."""
    check_contiguous(function, "values", taken)
    can_reshape = type(values) is np.ndarray or taken.array_library != "numpy"
    return values.reshape(-1) if can_reshape else taken.give(taken.array)


def _check_kind(function: str, kind: str | None) -> None:
    if kind not in (None, "stable", "quicksort", "mergesort", "heapsort"):
        raise ValueError(f"{function}: kind is {kind!r}, but the sort is stable; pass 'stable'")


def _as_rows(function: str, taken: Input) -> tuple[_core.Array, _core.Array]:
    """The elements of an array and the offsets of its rows."""
    check_contiguous(function, "values", taken)
    length = taken.shape[-1]
    rows = taken.size // max(length, 1)
    offsets = take_flat(function, "offsets", np.arange(rows + 1, dtype="int64") * length)
    return taken.array, local(taken, offsets)


def merge(a: Any, b: Any) -> Any:
    """Two sorted arrays as one; equal elements of `a` come first.

    Parameters
    ----------
    a, b : array
        Sorted, of one dtype: int32, int64, float32 or float64.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.merge(numpy.array([1, 4]), numpy.array([2, 3, 5]))
    array([1, 2, 3, 4, 5])
    """
    left = take_flat("merge", "a", a, _SORTED)
    right = take_flat("merge", "b", b, None if hasattr(b, "dtype") else (left.dtype,))
    check_alike("merge", "b", right, "a", left)
    return left.give(_core.merge(same_engine("merge", left, right), left.array, right.array))


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """The indices at which elements could be inserted into a sorted array, int64.

    Parameters
    ----------
    a : array
        Sorted, of any dtype; or in any order if there is a `sorter`.
    v : array or number
        Elements of the same dtype, in any order and of any shape, without gaps.
    side : {"left", "right"}
        Before or after equal elements.
    sorter : array, optional
        int64: the indices that sort `a`, such as those of `argsort`.

    Returns
    -------
    array or scalar
        int64, of the shape of `v`.

    See Also
    --------
    numpy.searchsorted : the same in NumPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.searchsorted(numpy.array([1, 2, 2, 3]), numpy.array([2, 5]), side="right")
    array([3, 4])
    """
    haystack = take_flat("searchsorted", "a", a)
    needles = _needles(haystack, v)
    engine = same_engine("searchsorted", haystack, needles)
    hay = haystack.array
    if sorter is not None:
        order = take_flat("searchsorted", "sorter", sorter, ("int64",))
        if order.size != haystack.size:
            raise ValueError(
                f"searchsorted: sorter has {order.size} indices, but a has {haystack.size} elements;"
                " pass one per element"
            )
        _check_indices("searchsorted", "sorter", sorter, haystack.size)
        hay = _core.take(same_engine("searchsorted", haystack, order), hay, order.array)
    found = haystack.give(_core.search(engine, hay, needles.array, side), needles.shape or (1,))
    return found if needles.shape else as_scalar(found)


def _needles(haystack: Input, v: Any) -> Input:
    """Needles; numbers and lists get the dtype and the device of the array that is searched."""
    if isinstance(v, (list, tuple, int, float, np.generic)):
        if isinstance(v, (list, tuple)):
            take("searchsorted", "v", v)  # which refuses what is no array
        listed = np.asarray(v)
        if np.can_cast(listed.dtype, haystack.dtype) or listed.size == 0:
            listed = listed.astype(haystack.dtype)
        elif isinstance(v, int) and np.dtype(haystack.dtype).kind in "iu":
            listed = np.asarray(v, haystack.dtype)
        given = take("searchsorted", "v", listed)
        near = local(haystack, given)
        needles = replace(
            given, array=near, device=haystack.device, is_on_host=haystack.is_on_host
        )
    else:
        needles = take("searchsorted", "v", v)
    check_contiguous("searchsorted", "v", needles)
    check_alike("searchsorted", "v", needles, "a", haystack)
    return needles


def _check_indices(function: str, name: str, indices: Any, count: int) -> None:
    if count and not (reduce(indices, "min") >= 0 and reduce(indices, "max") < count):
        raise IndexError(f"{function}: {name} has indices outside of 0 to {count - 1}")


class Top(NamedTuple):
    """Elements and their indices, int64.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.top_k(numpy.array([3, 7, 5]), 2).indices
    array([1, 2])
    """

    values: Any
    indices: Any


def top_k(values: Any, k: int, *, largest: bool = True) -> Top:
    """The k largest elements in descending order, or the k smallest in ascending order.

    Parameters
    ----------
    values : array
        One dimension of any dtype. NaN come last. Of equal elements the first is taken first.
    k : int
        The number of elements; if there are fewer, all are returned.
    largest : bool
        Whether to take the largest.

    See Also
    --------
    numpy.partition, torch.topk

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.top_k(numpy.array([2.0, 9.0, 4.0]), 2)
    Top(values=array([9., 4.]), indices=array([1, 2]))
    """
    taken = take_flat("top_k", "values", values)
    k = integer("top_k", "k", k)
    if k < 0:
        raise ValueError(f"top_k: k is {k}; pass 0 or more")
    k = min(k, taken.size)
    best, indices = _core.top_k(taken.engine, taken.array, k, largest)
    return Top(taken.give(best), taken.give(indices))
