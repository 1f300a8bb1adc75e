"""Calls of `transform` that are like an earlier one, which C++ does as a whole.

With few elements, a call takes as long as the interpreter takes for its lines. Those for arrays of
CuPy and functions that capture nothing but modules and numbers are therefore kept: a later call
with the same code and arrays of the same dtypes on the same device is one call of C++.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from . import _core
from ._calls import Call
from ._captures import inner_function, kept_captures, missing
from ._gpu_arrays import classes_of_cupy, stream_of_cupy

_Calls = tuple[_core.RepeatedTransform, ...]

# The last calls of each function with arrays of several dtypes or devices.
_calls: dict[CodeType, _Calls] = {}
_most_functions, _most_calls = 1024, 4


def again(f: Callable[..., Any], arrays: tuple[Any, ...]) -> Any:
    """The result of a call that is like an earlier one, or None."""
    if not _calls:
        return None
    inner = inner_function(f)
    if type(inner) is not FunctionType:
        return None
    for earlier in _calls.get(inner.__code__, ()):
        found = earlier(inner, arrays)
        if found is not None:
            return found
    return None


def keep(f: Callable[..., Any], arrays: tuple[Any, ...], call: Call) -> None:
    """Keeps a call for `again`, if it can be repeated."""
    if call.like.array_library != "cupy" or call.is_on_host or call.tables or call.count == 0:
        return
    captures = kept_captures(f)
    array, memory, pointer = classes_of_cupy()
    if captures is None or any(type(x) is not array for x in arrays):
        return
    traced = call.applied.traced
    if len(_calls) >= _most_functions:
        _calls.clear()
    kept = _core.RepeatedTransform(
        traced.expression_on(call.like.device, False),
        call.applied.numbers,
        call.engine,
        call.like.device,
        tuple(x.dtype for x in arrays),
        tuple(np.dtype(dtype) for dtype in traced.dtypes),
        call.is_tuple,
        captures.names,
        captures.values,
        missing,
        (array, memory, pointer, stream_of_cupy()),
    )
    _calls[captures.code] = (kept, *_calls.get(captures.code, ())[: _most_calls - 1])
