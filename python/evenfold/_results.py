"""Results in arrays of the caller, as arrays of NumPy, and as elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._gpu_arrays import module


def written(function: str, result: Any, out: Any) -> Any:
    """The result, in `out` where that is given, which has its shape."""
    if out is None:
        return result
    shape = getattr(out, "shape", None)
    if shape is None or tuple(shape) != tuple(result.shape):
        raise ValueError(
            f"{function}: out has the shape {shape}, but the result has {tuple(result.shape)}; pass"
            " an array like the result"
        )
    if isinstance(out, np.ndarray):
        try:
            np.copyto(out, result, casting="same_kind")
        except (TypeError, ValueError) as error:  # another kind of numbers, or read-only
            raise type(error)(f"{function}: out: {error}") from None
    else:
        out[...] = result
    return out


def as_numpy(array: _core.Array) -> Any:
    """Elements on the host as an array of NumPy."""
    exported: Any = array.dlpack([len(array)], 0)
    return np.from_dlpack(exported)


def as_scalar(result: Any) -> Any:
    """The element of an array that has one."""
    return result[0] if isinstance(result, np.ndarray) else result.reshape(())


def as_dtype(result: Any, dtype: Any) -> Any:
    """An array of any library in a dtype."""
    if hasattr(result, "astype"):
        return result.astype(dtype)
    return result.to(getattr(module("torch"), np.dtype(dtype).name))
