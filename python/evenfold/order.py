"""Prefixes and order: scans, sorts, searches, unique keys and joins."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import (
    Input,
    as_scalar,
    check_contiguous,
    check_dtype,
    local,
    module,
    same_engine,
    take,
    take_flat,
    take_out,
    written,
)
from ._function_folds import or_function, scan_function, sorted_order
from .folds import reduce
from .functions import as_folded, transform

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
        Contiguous, of any dtype but uint64.
    op : {"sum", "prod", "min", "max"}
        Integers are folded as int64 and wrap around.
    axis : int
        The last one. Each row of an array with more dimensions is folded.
    dtype : dtype, optional
        In which elements are folded: int64, float32 or float64.
    out : array, optional
        Where the result is written.
    exclusive : bool
        Whether prefix i ends before element i.

    Returns
    -------
    array
        int64 for integers, else the dtype of the values.

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
    _check_axis("scan", axis, taken)
    if len(taken.shape) > 1:
        found = _core.segmented_scan(taken.engine, *_as_rows("scan", taken), op, exclusive)
    else:
        check_contiguous("scan", "values", taken)
        found = _core.scan(taken.engine, taken.array, op, exclusive)
    return written("scan", taken.give(found, taken.shape), out)


def sort(
    values: Any,
    axis: int = -1,
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
    axis : int
        The last one. Each row of an array with more dimensions is sorted.
    kind : {"stable", "quicksort", "mergesort", "heapsort"}, optional
        The sort is a stable radix sort, whichever of NumPy's names is passed.
    out : array, optional
        Where the result is written; it may be `values` itself, which are then sorted in place.
    less : function, optional
        Whether one element comes before another one, of any dtype, in place of <: a strict weak
        order. The sort is then a merge sort, which is slower.

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
    _check_sort("sort", axis, kind, taken)
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
    axis: int = -1,
    *,
    kind: str | None = "stable",
    less: Callable[[Any, Any], Any] | None = None,
) -> Any:
    """The indices that sort an array, int64; equal elements keep their order.

    Parameters
    ----------
    values : array
        Any dtype. NaN come last.
    axis : int
        The last one. Indices count in each row of an array with more dimensions.
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
    _check_sort("argsort", axis, kind, taken)
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


def _check_axis(function: str, axis: int, taken: Input) -> None:
    if not taken.shape:
        raise ValueError(f"{function}: values is a number; pass an array of one or more dimensions")
    if axis not in (-1, len(taken.shape) - 1):
        raise ValueError(
            f"{function}: axis is {axis}, but the work is done on rows, which is axis -1; pass"
            " numpy.moveaxis(...) made contiguous"
        )


def _check_sort(function: str, axis: int, kind: str | None, taken: Input) -> None:
    _check_axis(function, axis, taken)
    if kind not in (None, "stable", "quicksort", "mergesort", "heapsort"):
        raise ValueError(f"{function}: kind is {kind!r}, but the sort is stable; pass 'stable'")


def _as_rows(function: str, taken: Input) -> tuple[_core.Array, _core.Array]:
    """The elements of an array and the offsets of its rows."""
    check_contiguous(function, "values", taken)
    length = taken.shape[-1]
    rows = taken.size // max(length, 1)
    offsets = take_flat(function, "offsets", np.arange(rows + 1, dtype="int64") * length)
    return taken.array, local(taken, offsets)


def sort_columns(columns: Sequence[Any]) -> Any:
    """The rows of a table in the order of their keys, int32; equal rows keep their order.

    Parameters
    ----------
    columns : list of arrays
        One or more, of any dtype and one length. The first column decides first.

    See Also
    --------
    numpy.lexsort : the same, where the last column decides first.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.sort_columns([numpy.array([2, 1, 2]), numpy.array([0.5, 0.0, 0.25])])
    array([1, 2, 0], dtype=int32)
    """
    keys = _columns("sort_columns", "columns", columns)
    engine = same_engine("sort_columns", *keys)
    return keys[0].give(_core.sort_columns(engine, [key.array for key in keys]))


def _columns(function: str, name: str, columns: Any) -> list[Input]:
    """The columns of a list, or one column that is an array or a list of numbers."""
    several = isinstance(columns, (list, tuple)) and not any(map(np.isscalar, columns))
    keys = [take_flat(function, name, column) for column in (columns if several else [columns])]
    if not keys or any(key.size != keys[0].size for key in keys):
        raise ValueError(
            f"{function}: {name} are {len(keys)} arrays of the lengths"
            f" {[key.size for key in keys]}; pass at least one, and all of one length"
        )
    return keys


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
    right = take_flat("merge", "b", b, (left.dtype,))
    return left.give(_core.merge(same_engine("merge", left, right), left.array, right.array))


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where elements could be inserted into a sorted array, int64.

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
    """Numbers and lists take the dtype and the device of the array in which they are sought."""
    if isinstance(v, (list, tuple, int, float, np.generic)):
        listed = np.asarray(v)
        if np.can_cast(listed.dtype, haystack.dtype) or listed.size == 0:
            listed = listed.astype(haystack.dtype)
        elif isinstance(v, int) and np.dtype(haystack.dtype).kind in "iu":
            listed = np.asarray(v, haystack.dtype)
        given = take("searchsorted", "v", listed)
        needles = Input(local(haystack, given), given.shape, given.strides, haystack.device, "numpy")
    else:
        needles = take("searchsorted", "v", v)
    check_contiguous("searchsorted", "v", needles)
    check_dtype("searchsorted", "v", needles, (haystack.dtype,))
    return needles


def _check_indices(function: str, name: str, indices: Any, count: int) -> None:
    if count and not (reduce(indices, "min") >= 0 and reduce(indices, "max") < count):
        raise IndexError(f"{function}: {name} has indices outside of 0 to {count - 1}")


def unique(
    values: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """The different elements in ascending order, or the different rows.

    Parameters
    ----------
    values : array
        Contiguous, of any dtype. NaN are one element, which comes last.
    return_index, return_inverse, return_counts : bool
        Whether to return, as int64, the index of the first of each; for each element, the index of
        its equal in the result; and how often each occurs.
    axis : int, optional
        Along which the slices of an array are compared as wholes: 0 for the rows of a table.
        Without it, elements are, in any number of dimensions.

    See Also
    --------
    numpy.unique : the same in NumPy.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.unique(numpy.array([3, 1, 3]), return_counts=True)
    (array([1, 3]), array([1, 2]))
    >>> evenfold.unique(numpy.array([[2, 0], [1, 5], [2, 0]]), axis=0)
    array([[1, 5],
           [2, 0]])
    """
    wanted = (return_index, return_inverse, return_counts)
    if axis is not None:
        return _unique_slices(values, axis, wanted)
    taken = take("unique", "values", values)
    check_contiguous("unique", "values", taken)
    if not return_index and not return_inverse:
        keys, counts = _core.count_unique(taken.engine, taken.array)
        return (taken.give(keys), taken.give(counts)) if return_counts else taken.give(keys)
    return _unique_parts(taken, wanted, taken.shape)


def _unique_parts(
    taken: Input,
    wanted: Sequence[bool],
    shape: tuple[int, ...],
    slices_at: Callable[[Any], Any] | None = None,
) -> Any:
    """The different elements and what else is wanted. Elements may be the numbers of slices, which
    a function of their indices gives."""
    keys, firsts, inverse, counts, _ = _core.unique(taken.engine, taken.array, wanted[1])
    different = taken.give(keys) if slices_at is None else slices_at(taken.give(firsts))
    found = ((firsts, None), (inverse, shape), (counts, None))
    parts = [taken.give(*part) for part, is_wanted in zip(found, wanted) if is_wanted]
    return (different, *parts) if parts else different


def _ranks(values: Any) -> tuple[Any, int]:
    """For each element, how many different ones are smaller; and how many different ones exist."""
    taken = take_flat("unique", "values", values)
    keys, _, inverse, _, _ = _core.unique(taken.engine, taken.array, True)
    return taken.give(inverse), len(keys)


def _unique_slices(values: Any, axis: int, wanted: Sequence[bool]) -> Any:
    """Slices are numbered in their order, element by element."""
    taken = take("unique", "values", values)
    if not -len(taken.shape) <= axis < len(taken.shape):
        raise ValueError(
            f"unique: axis is {axis}, but there are {len(taken.shape)} dimensions; pass one of them"
        )
    library = module("jax.numpy" if taken.array_library == "jax" else taken.array_library)
    slices = library.moveaxis(library.asarray(values), axis, 0)
    count = taken.shape[axis]
    width = taken.size // max(count, 1)
    columns = slices.reshape(count, width).T.reshape(-1)
    numbers = taken.give(local(taken, take_flat("unique", "values", np.zeros(count, "int64"))))
    known = 1  # how many different numbers there can be
    for k in range(width):
        ranks, many = _ranks(columns[k * count : (k + 1) * count])
        if known * many >= 1 << 62:
            numbers, known = _ranks(numbers)
        numbers = transform(lambda high, low, n: high * n + low, numbers, ranks, many)
        known *= many
    found = take_flat("unique", "values", numbers)
    return _unique_parts(
        found, wanted, (count,), lambda firsts: library.moveaxis(slices[firsts], 0, axis)
    )


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
        How many; all elements where there are fewer.
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
    k = min(operator.index(k), taken.size)
    best, indices = _core.top_k(taken.engine, taken.array, k, largest)
    return Top(taken.give(best), taken.give(indices))


class Joined(NamedTuple):
    """Rows of two tables that belong together, int32; -1 where a side has no row.

    Examples
    --------
    >>> import numpy, evenfold
    >>> rows = evenfold.join(numpy.array([7, 8]), numpy.array([8, 9]), how="left")
    >>> rows.left, rows.right
    (array([0, 1], dtype=int32), array([-1,  0], dtype=int32))
    """

    left: Any
    right: Any


def join(left: Any, right: Any, how: str = "inner") -> Joined:
    """The pairs of rows with equal keys.

    Parameters
    ----------
    left, right : array or list of arrays
        The keys of the rows: one column, or several of one length. A column of the left table and
        that of the right one have one dtype.
    how : {"inner", "left", "right", "full", "semi", "anti"}
        Which rows without a partner are kept. `semi` and `anti` give the left rows that have one,
        or none.

    Returns
    -------
    Joined
        In the order of the left table, then of the right one; rows without a left one at the end.

    See Also
    --------
    pandas.merge

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.join(numpy.array([7, 8, 9]), numpy.array([9, 7, 7]))
    Joined(left=array([0, 0, 2], dtype=int32), right=array([1, 2, 0], dtype=int32))
    """
    ours, others = _columns("join", "left", left), _columns("join", "right", right)
    if len(ours) != len(others):
        raise ValueError(
            f"join: left has {len(ours)} columns and right {len(others)}; pass as many on each side"
        )
    for one, other in zip(ours, others):
        check_dtype("join", "right", other, (one.dtype,))
    engine = same_engine("join", *ours, *others)
    rows = _core.join(
        engine, [key.array for key in ours], [key.array for key in others], how
    )
    return Joined(*(ours[0].give(part) for part in rows))
