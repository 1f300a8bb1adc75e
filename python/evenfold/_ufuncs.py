"""The functions of NumPy that can be traced, and `where`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ._trace import (
    BOOL,
    FLOAT64,
    Value,
    binary,
    compared,
    computed,
    operand,
    power,
    promoted,
    trace_of,
)

# Functions of floating-point numbers, by the names of NumPy.
_EXACT = ("sqrt", "floor", "ceil", "trunc", "rint")
_INEXACT = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin",
    "arccos", "arctan", "sinh", "cosh", "tanh",
)  # fmt: skip
_INEXACT_OF_TWO = ("arctan2", "hypot")


def _float_function(op: str, *operands: Any) -> Value:
    dtype = promoted(*operands)
    if dtype.kind != "f":
        if op in ("floor", "ceil", "trunc"):
            return cast(Value, operands[0])
        if dtype.itemsize == 1:
            raise TypeError(
                f"numpy.{op} of {dtype} is a float16, which is not supported; use"
                " .astype('float64') first"
            )
        dtype = np.dtype("float32") if dtype.itemsize == 2 else FLOAT64
    return computed(op, dtype, *operands)


def _truth(x: Any) -> Any:
    if isinstance(x, Value):
        return x if x.dtype == BOOL else x != 0
    return bool(x)


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where a condition is true, else `b`.

    In a function that is traced, it replaces `if`; both operands are computed for every
    element. Elsewhere it is `numpy.where`.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.transform(lambda x: evenfold.where(x < 0, 0, x), numpy.array([3, -1, 2]))
    array([3, 0, 2])
    """
    operands = (condition, a, b)
    if not any(isinstance(x, Value) for x in operands):
        return np.where(condition, a, b)
    dtype = promoted(a, b)
    trace = trace_of(operands)
    steps = [operand(trace, _truth(condition), BOOL), operand(trace, a, dtype)]
    steps.append(operand(trace, b, dtype))
    return trace.add("select", dtype, *(step.step for step in steps))


def clip(x: Any, low: Any, high: Any) -> Value:
    if low is not None:
        x = binary("maximum", x, low)
    return cast(Value, x if high is None else binary("minimum", x, high))


def _ufuncs() -> dict[str, Callable[..., Any]]:
    def of_two(op: str) -> Callable[..., Any]:
        return lambda a, b: binary(op, a, b)

    def function(op: str) -> Callable[..., Any]:
        return lambda *operands: _float_function(op, *operands)

    same = (
        "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "minimum", "maximum",
        "left_shift", "right_shift",
    )  # fmt: skip
    known = {name: of_two(name) for name in same}
    names = (*_EXACT, "copysign", *_INEXACT, *_INEXACT_OF_TWO)
    known |= {name: function(name) for name in names}
    known |= {f"bitwise_{name}": of_two(f"bit_{name}") for name in ("and", "or", "xor")}
    return known | {
        "power": power,
        "square": lambda x: x * x,
        "reciprocal": lambda x: 1 / x if x.dtype.kind == "f" else 1 // x,
        "negative": lambda x: -x,
        "positive": lambda x: x,
        "absolute": abs,
        "fabs": lambda x: abs(x.astype(_float_dtype(x))),
        "invert": lambda x: ~x,
        "logical_and": lambda a, b: _truth(a) & _truth(b),
        "logical_or": lambda a, b: _truth(a) | _truth(b),
        "logical_xor": lambda a, b: _truth(a) ^ _truth(b),
        "logical_not": lambda x: ~_truth(x),
        "equal": lambda a, b: compared("equal", a, b),
        "not_equal": lambda a, b: ~compared("equal", a, b),
        "less": lambda a, b: compared("less", a, b),
        "less_equal": lambda a, b: compared("less_equal", a, b),
        "greater": lambda a, b: compared("less", b, a),
        "greater_equal": lambda a, b: compared("less_equal", b, a),
        "isnan": lambda x: x != x,
        "isinf": lambda x: abs(x) == np.inf if x.dtype.kind == "f" else x != x,
        "isfinite": lambda x: abs(x) < np.inf if x.dtype.kind == "f" else x == x,
    }


def _float_dtype(x: Value) -> np.dtype[Any]:
    return x.dtype if x.dtype.kind == "f" else FLOAT64


UFUNCS = _ufuncs()


def _names() -> str:
    return ", ".join(sorted(UFUNCS))


def called_ufunc(ufunc: Any, method: str, operands: Any, options: Any) -> Any:
    """The result of a ufunc of NumPy, some of whose operands are symbolic values."""
    known = UFUNCS.get(ufunc.__name__)
    if known is None or method != "__call__" or options:
        raise TypeError(
            f"numpy.{ufunc.__name__} cannot be traced with these arguments; the functions that can"
            f" are {_names()}, where and clip"
        )
    return known(*operands)


def called_function(f: Any, operands: Any, options: Any) -> Any:
    """The same for another function of NumPy."""
    if f is np.where:
        return where(*operands, **options)
    if f is np.clip:
        return clip(*operands, **options)
    raise TypeError(
        f"numpy.{f.__name__} cannot be traced; the functions that can are {_names()}, where and clip"
    )
