"""The captures of functions: captured arrays become symbolic, and keys tell captures apart.

A trace depends on the code of a function, on what the function captures and on the dtypes of
its operands. The key has only the dtype of a captured array, so that its elements are read at
each call. It has the value of a captured number, because a function may do anything with it;
another number makes a new trace, which has the same steps and needs no other kernel.
"""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ._captured import Captured, Cpp
from ._trace import Trace, dtype_of, is_array

_Key = tuple[Hashable, ...]

_PLAIN = (bool, int, str, bytes, complex, types.NoneType)
# Modules whose functions give the same result whenever they are called.
_PURE = (math, operator, np)


class Unknown(Exception):
    """A captured object that may change, so that a trace cannot be kept."""


@lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> tuple[str, ...]:
    """The names of globals and attributes that code uses."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= dict.fromkeys(_names(constant))
    return tuple(names)


def inner_function(value: Any) -> Any:
    """The function in the result of `evenfold.function`."""
    if type(value) is types.FunctionType:  # first, as a missing attribute takes long to find
        return value
    return getattr(value, "__evenfold_function__", value)


def bind(f: Any, trace: Trace) -> Any:
    """The function with captured arrays, also those of functions that it names, made symbolic."""
    return _bind(inner_function(f), trace, {})


def _bind(f: Any, trace: Trace, known: dict[int, Any]) -> Any:
    if not isinstance(f, types.FunctionType):
        return f
    if id(f) in known:
        return known[id(f)]
    symbolic: dict[str, Any] = dict(f.__globals__)
    cells = tuple(types.CellType() for _ in f.__closure__ or ())
    bound = types.FunctionType(f.__code__, symbolic, f.__name__, None, cells)
    known[id(f)] = bound

    def made(value: Any) -> Any:
        if is_array(value):
            return Captured(trace, value)
        inner = inner_function(value)
        is_own = isinstance(inner, types.FunctionType) and inner.__module__ == f.__module__
        return _bind(inner, trace, known) if is_own else value

    for name in _names(f.__code__):
        if name in symbolic:
            symbolic[name] = made(symbolic[name])
    for cell, given in zip(cells, f.__closure__ or ()):
        try:
            cell.cell_contents = made(given.cell_contents)
        except ValueError:
            pass  # a name that has no value yet
    bound.__defaults__ = tuple(map(made, f.__defaults__)) if f.__defaults__ else None
    bound.__kwdefaults__ = {k: made(v) for k, v in (f.__kwdefaults__ or {}).items()}
    return bound


class Captures:
    """The arrays that a function captures, and the key of all that it captures.

    Errors: Unknown.
    """

    def __init__(self, f: Any) -> None:
        self.arrays: list[Any] = []
        self._functions: list[types.FunctionType] = []
        inner = inner_function(f)
        is_function = isinstance(inner, types.FunctionType)
        self.key = self._of_function(inner, True) if is_function else self._of(inner, None)
        # Whether the captured objects cannot change: there are no arrays, and no other functions.
        self.is_fixed = not self.arrays and len(self._functions) == 1
        self._functions.clear()

    def _of_function(self, f: types.FunctionType, is_bound: bool) -> _Key:
        """Captured arrays of functions that are not bound are not operands."""
        for k, known in enumerate(self._functions):
            if known is f:
                return ("again", k)
        self._functions.append(f)
        module = f.__module__ if is_bound else None
        parts: list[Hashable] = [f.__code__]
        values = f.__globals__
        names = _names(f.__code__)
        if "random" in names:
            raise Unknown  # such as numpy.random
        for name in names:
            if name in values:
                parts.append(self._of(values[name], module))
        for cell in f.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:
                parts.append("empty")
            else:
                parts.append(self._of(value, module))
        for value in f.__defaults__ or ():
            parts.append(self._of(value, module))
        for name, value in (f.__kwdefaults__ or {}).items():
            parts += [name, self._of(value, module)]
        return tuple(parts)

    def _of(self, value: Any, module: str | None) -> Any:
        """The key of a captured object. Its arrays are operands in functions of a module."""
        kind = type(value)
        if kind in _PLAIN:
            return kind, value
        if kind is float:
            return kind, value.hex()
        if kind is types.ModuleType:
            if value in _PURE or value.__name__.partition(".")[0] in ("evenfold", "numpy"):
                return value.__name__
            raise Unknown
        if kind is np.ndarray and value.ndim > 0:
            return self._of_array(value, value.dtype, module)
        if isinstance(value, np.generic):
            return kind, value.tobytes()
        inner = inner_function(value)
        if isinstance(inner, types.FunctionType):
            if inner.__module__.partition(".")[0] in ("evenfold", "numpy"):
                return inner
            return self._of_function(inner, inner.__module__ == module)
        if kind is types.BuiltinFunctionType and isinstance(value.__self__, types.ModuleType):
            return self._of(value.__self__, None), value.__name__
        if kind in (np.ufunc, type(np.where), Cpp) or isinstance(value, np.dtype):
            return value
        if kind is type and value.__module__ in ("builtins", "numpy"):
            return value
        if kind is tuple and not any(map(is_array, value)):
            return (kind, *(self._of(x, None) for x in value))
        if is_array(value):
            return self._of_array(value, dtype_of(value), module)
        raise Unknown

    def _of_array(self, array: Any, dtype: np.dtype[Any], module: str | None) -> Any:
        if module is None:
            raise Unknown
        for k, known in enumerate(self.arrays):
            if known is array:
                return k
        self.arrays.append(array)
        return dtype


class KeptCaptures(NamedTuple):
    """The captures of a function that captures only globals, and what these were."""

    captures: Captures
    code: types.CodeType
    names: tuple[str, ...]
    values: tuple[Any, ...]


_seen: dict[types.CodeType, KeptCaptures] = {}
_most_seen = 1024
#: The value of a name that is not a global.
missing = object()


def captures_of(f: Callable[..., Any]) -> Captures | None:
    """The captures of a function, or None if they may change in ways that a key does not show."""
    kept = kept_captures(f)
    if kept is not None:
        return kept.captures
    inner = inner_function(f)
    try:
        captures = Captures(inner)
    except (Unknown, TypeError):
        return None
    if _has_globals_only(inner) and captures.is_fixed:
        code, values = inner.__code__, inner.__globals__
        names = _names(code)
        if len(_seen) >= _most_seen:
            _seen.clear()
        found = tuple(values.get(name, missing) for name in names)
        _seen[code] = KeptCaptures(captures, code, names, found)
    return captures


def kept_captures(f: Callable[..., Any]) -> KeptCaptures | None:
    """What `captures_of` has kept of a function that names only modules, functions of NumPy and
    numbers: its captures are the same as long as its globals are the same objects."""
    inner = inner_function(f)
    if not _has_globals_only(inner):
        return None
    kept = _seen.get(inner.__code__)
    if kept is not None:
        values = inner.__globals__
        for name, value in zip(kept.names, kept.values):
            if values.get(name, missing) is not value:
                return None
    return kept


def _has_globals_only(f: Any) -> bool:
    return type(f) is types.FunctionType and not (
        f.__closure__ or f.__defaults__ or f.__kwdefaults__
    )
