"""Work along other axes than the last one, on a copy in which this axis is the last one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._gpu_arrays import module
from ._inputs import Input


def is_last(function: str, axis: int, taken: Input) -> bool:
    """Whether the axis of an argument is its last one."""
    dimensions = len(taken.shape)
    if dimensions == 0:
        raise ValueError(f"{function}: values is a number; pass an array of one or more dimensions")
    if not -dimensions <= axis < dimensions:
        raise ValueError(
            f"{function}: axis is {axis}, but there are {dimensions} dimensions; pass one of them"
        )
    return axis in (-1, dimensions - 1)


def moved_last(values: Any, axis: int, taken: Input) -> Any:
    """A copy of an array in which the axis is the last one."""
    library = module("jax.numpy" if taken.array_library == "jax" else taken.array_library)
    return _contiguous(library, library.moveaxis(library.asarray(values), axis, -1))


def along(values: Any, axis: int, taken: Input, of_rows: Callable[[Any], Any]) -> Any:
    """What a function of rows gives along the axis."""
    result = of_rows(moved_last(values, axis, taken))
    library = module("jax.numpy" if taken.array_library == "jax" else taken.array_library)
    return _contiguous(library, library.moveaxis(result, -1, axis))


def _contiguous(library: Any, array: Any) -> Any:
    return array.contiguous() if hasattr(array, "contiguous") else library.ascontiguousarray(array)
