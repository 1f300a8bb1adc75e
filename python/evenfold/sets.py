"""The distinct elements, or slices, of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arrays import check_contiguous, take, take_flat
from ._gpu_arrays import module
from ._inputs import Input, local
from .functions import transform


def unique(
    values: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """The distinct elements in ascending order, or the distinct rows.

    Parameters
    ----------
    values : array
        Contiguous, of any dtype. NaN are one element, which comes last.
    return_index, return_inverse, return_counts : bool
        Whether to return, as int64: the first index of each distinct element; for each element,
        its index in the result; the number of occurrences of each distinct element.
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
    """The distinct elements and the other requested results. Elements may be numbers of slices,
    which a function of their indices returns."""
    keys, firsts, inverse, counts, _ = _core.unique(taken.engine, taken.array, wanted[1])
    different = taken.give(keys) if slices_at is None else slices_at(taken.give(firsts))
    found = ((firsts, None), (inverse, shape), (counts, None))
    parts = [taken.give(*part) for part, is_wanted in zip(found, wanted) if is_wanted]
    return (different, *parts) if parts else different


def _ranks(values: Any) -> tuple[Any, int]:
    """For each element, the number of distinct smaller ones; and that of all distinct
    elements."""
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
