"""Folds, scans and sorts of the values of functions of the user, also by their operators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _composed, _core
from ._arrays import take_flat
from ._calls import FOLDS, Call
from ._inputs import local
from ._results import as_dtype, as_scalar, written
from ._trace import FLOAT64, INT64, UINT64
from ._traced import inputs, trace

_RECOGNISED = {"add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max"}


def _element(x: Any) -> Any:
    return x


def or_function(
    of_function: Callable[..., Any], *, op_at: int
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes a function of arrays take a function of elements before them, or one as `op`."""

    def decorate(of_values: Callable[..., Any]) -> Callable[..., Any]:
        name = of_values.__name__
        needed = ("arrays", "offsets")[:op_at]

        def apply(*given: Any, out: Any = None, **named: Any) -> Any:
            for each in needed[len(given) - 1 :]:
                if each not in named:
                    raise TypeError(
                        f"{name}: {each} is missing; pass the function, then {' and '.join(needed)}"
                    )
            for each in ("axis", "dtype", "keepdims"):
                if each in named:
                    raise TypeError(
                        f"{name}: there is no {each} for functions; leave it out, and let the"
                        " function return the dtype, such as by .astype(...)"
                    )
            return written(name, of_function(*given, **named), out)

        @functools.wraps(of_values)
        def choose(*given: Any, **named: Any) -> Any:
            if given and callable(given[0]):
                return apply(*given, **named)
            op = named.get("op", given[op_at] if len(given) > op_at else "sum")
            if callable(op):
                values = given[0] if given else named.pop("values")
                return apply(_element, values, *given[1:], **named)
            if not isinstance(op, str):
                raise TypeError(
                    f"{name}: op is {op!r}; pass the name of an operator, or a function of two"
                    " values"
                )
            return of_values(*given, **named)

        return choose

    return decorate


def _recognised(call: Call, op: Any, initial: Any) -> str | None:
    """The name of the built-in operator that a function computes, if it is written as one."""
    if isinstance(op, str):
        return op
    if call.is_tuple or initial is not None:
        return None
    if call.dtypes[0] not in (INT64, np.dtype("float32"), FLOAT64):
        return None
    dtype = call.dtypes[0]
    key = ("operator", False, dtype, dtype)
    traced = trace(call.name, op, inputs([dtype, dtype]), key).traced
    first, second = ("input", dtype.name, 0, -1, -1), ("input", dtype.name, 1, -1, -1)
    if traced.steps[:2] != (first, second) or len(traced.steps) != 3:
        return None
    name, _, *operands = traced.steps[2]
    return _RECOGNISED.get(name) if operands == [0, 1, -1] and not traced.is_tuple else None


def _check_fold(name: str, op: str) -> None:
    if op not in FOLDS:
        raise ValueError(
            f"{name}: op is {op!r}; with a function, pass one of {', '.join(FOLDS)}, or a function"
            " of two values"
        )


def reduce_function(
    f: Callable[..., Any], arrays: Any, op: Any = "sum", *, initial: Any = None
) -> Any:
    """`reduce` of the values of a function of elements."""
    call = Call("reduce", f, arrays)
    known = _recognised(call, op, initial)
    if known is not None and call.count + isinstance(op, str) > 0:
        return _reduce_by_name(call, known)
    if call.is_on_host:
        found = _core.function_reduce_by(call.engine, call.compiled(), call.operator(op, initial))
    else:
        ends = take_flat(call.name, "offsets", np.array([0, call.count]))
        found = _composed.reduce(call, op, initial, local(call.like, ends))
    if len(found[0]) == 0:
        raise ValueError("reduce: there are no elements to fold; pass initial, or at least one")
    given = tuple(as_scalar(call.like.give(result)) for result in found)
    return given if call.is_tuple else given[0]


def _reduce_by_name(call: Call, op: str) -> Any:
    _check_fold("reduce", op)
    dtype = call.only_result()
    if op in ("min", "max") and call.count == 0:
        raise ValueError(f"reduce: there are no elements to take the {op} of; pass at least one")
    wide = {"f": FLOAT64, "u": UINT64}.get(dtype.kind, INT64)
    call.cast(wide)
    result = as_scalar(call.like.give(folded(call, op)))
    return as_dtype(result, "float32") if dtype == np.dtype("float32") else result


def folded(call: Call, op: str) -> _core.Array:
    """The fold as int64, uint64 or float64. A GPU writes the values of the function to
    memory."""
    if call.is_on_host:
        return _core.function_reduce(call.engine, call.compiled(), op)
    count = call.count
    return _core.aggregate(call.engine, call.values(), 1, count, count, 1, op, "all")[0]


def _cast_to_folded(call: Call) -> None:
    """Folds of integers are int64 or uint64, as those of arrays are."""
    dtype = call.only_result()
    if dtype.kind != "f" and dtype != UINT64:
        call.cast(INT64)


def _is_folded_as_computed(call: Call) -> bool:
    """Whether values are folded without being written to memory."""
    return call.is_on_host and call.dtypes[0] != UINT64


def segreduce_function(
    f: Callable[..., Any], arrays: Any, offsets: Any, op: Any = "sum", *, initial: Any = None
) -> Any:
    """`segreduce` of the values of a function of elements."""
    call = Call("segreduce", f, arrays, offsets=offsets)
    known = _recognised(call, op, initial) if isinstance(op, str) else None
    if known is not None:
        _check_fold("segreduce", known)
        _cast_to_folded(call)
        if _is_folded_as_computed(call):
            found = _core.function_segreduce(call.engine, call.compiled(fold=known), known)
        else:
            assert call.offsets is not None
            found = _core.segmented_reduce(call.engine, call.values(), call.offsets.array, known)
        return call.like.give(found)
    _need_initial(call, initial)
    if not call.is_on_host:
        return call.give(_composed.segreduce(call, op, initial))
    compiled, combine = call.compiled(), call.operator(op, initial)
    return call.give(_core.function_segreduce_by(call.engine, compiled, combine))


def _need_initial(call: Call, initial: Any) -> None:
    if initial is None:
        raise ValueError(
            f"{call.name}: initial is missing, which is the result where there is nothing to fold;"
            " pass the value that changes no other one, such as 0 for a sum"
        )


def scan_function(
    f: Callable[..., Any],
    arrays: Any,
    op: Any = "sum",
    *,
    exclusive: bool = False,
    initial: Any = None,
) -> Any:
    """`scan` of the values of a function of elements."""
    call = Call("scan", f, arrays)
    known = None if exclusive and not isinstance(op, str) else _recognised(call, op, initial)
    if known is not None:
        _check_fold("scan", known)
        _cast_to_folded(call)
        if _is_folded_as_computed(call):
            found = _core.function_scan(call.engine, call.compiled(), known, exclusive)
        else:
            found = _core.scan(call.engine, call.values(), known, exclusive)
        return call.like.give(found)
    if exclusive:
        _need_initial(call, initial)
    if not call.is_on_host:
        return call.give(_composed.scan(call, op, initial, exclusive))
    compiled, combine = call.compiled(), call.operator(op, initial)
    return call.give(_core.function_scan_by(call.engine, compiled, combine, exclusive))


def sorted_order(values: Any, less: Callable[..., Any]) -> _core.Array:
    """The indices that sort an array by a comparison."""
    call = Call("sort", _element, values)
    if not call.is_on_host:
        return _composed.sort_indices(call, less)
    combine = call.operator(less, None, less=True)
    return _core.function_sort_indices(call.engine, call.compiled(), combine)
