"""Calls of functions of the user's: a traced function, the arrays of a call, and where it runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import prod
from types import FunctionType
from typing import Any

import numpy as np

from . import _core, _trace
from ._arrays import check_contiguous, take, take_flat
from ._inputs import Input, same_engine, takers
from ._results import as_scalar
from ._trace import BOOL, INT64, is_number
from ._traced import Applied, Traced, inputs, trace

FOLDS = ("sum", "prod", "min", "max")


class Call:
    """A function, traced with the elements of arrays, and where its work is done."""

    __slots__ = (
        "name",
        "is_native",
        "inputs",
        "offsets",
        "like",
        "shape",
        "count",
        "applied",
        "tables",
        "engine",
    )

    def __init__(
        self,
        name: str,
        f: Callable[..., Any],
        arrays: Any,
        *,
        flat: bool = True,
        offsets: Any = None,
        positions: bool = False,
    ) -> None:
        if not callable(f):
            raise TypeError(f"{name}: f is {f!r}; pass a function of elements")
        operands = arrays if isinstance(arrays, (tuple, list)) else (arrays,)
        self.name = name
        self.is_native = is_native(f)
        known: list[Input] = []
        numbers: list[int] = []
        # The dtypes of the operands, by their names; those of numbers are in tuples.
        kinds: list[str | tuple[str]] = []
        last = None
        for x in operands:
            taken = takers[type(x)](x, last)
            if taken is None or len(taken.shape) != 1:
                if is_number(x):
                    dtype = np.result_type(x)
                    numbers.append(_trace.bits_of(x, dtype))
                    kinds.append((dtype.name,))
                    continue
                argument = f"arrays[{len(kinds)}]"
                if flat:
                    taken = take_flat(name, argument, x)
                elif taken is None:
                    taken = take(name, argument, x)
                    check_contiguous(name, argument, taken)
            if last is not None and taken.shape != last.shape:
                raise ValueError(
                    f"{name}: arrays[{len(kinds)}] has the shape {taken.shape}, and another one"
                    f" {last.shape}; pass arrays of one shape"
                )
            last = taken
            known.append(taken)
            kinds.append(taken.dtype)
        self.inputs = known
        self.offsets: Input | None = None
        if offsets is not None:
            self.offsets = take_flat(name, "offsets", offsets, ("int64",), last)
            known = [*known, self.offsets]
        if not known:
            raise ValueError(f"{name}: there is no array; pass at least one")
        self.like = known[0]
        self.shape = self.like.shape if self.inputs else (_last(self.offsets),)
        self.count = prod(self.shape)

        def made(steps: _trace.Trace) -> list[Any]:
            values: list[Any] = []
            if positions:
                values += [steps.add(op, INT64) for op in ("index", "segment", "rank")]
            bits = iter(numbers)
            position = 0
            for kind in kinds:
                if isinstance(kind, tuple):
                    values.append(steps.number_of_bits(next(bits), np.dtype(*kind)))
                else:
                    values.append(steps.add("input", np.dtype(kind), position))
                    position += 1
            return values

        key: Hashable = (positions, *kinds)
        self.applied = trace(name, f, made, key, numbers)
        self.tables = _tables(name, self.applied)
        self.engine = same_engine(name, *known, *self.tables)

    @property
    def dtypes(self) -> list[np.dtype[Any]]:
        """Those of the results of the function."""
        return self.applied.traced.dtypes

    @property
    def is_tuple(self) -> bool:
        """Whether the function returns a tuple."""
        return self.applied.traced.is_tuple

    @property
    def is_on_host(self) -> bool:
        return self.like.is_on_host

    @property
    def architecture(self) -> str | None:
        """That of the GPU that the arrays are on."""
        if self.is_on_host:
            return None
        from . import _nvrtc  # here, as most programs compile nothing

        return _nvrtc.architecture_of(self.like.device)

    def cast(self, dtype: np.dtype[Any]) -> None:
        """Gives the results in a dtype."""
        self.applied = self.applied.cast(dtype)

    def only_result(self) -> np.dtype[Any]:
        """The dtype of the result of a function that has one."""
        if len(self.dtypes) != 1:
            raise ValueError(
                f"{self.name}: the function returns {len(self.dtypes)} values, but one is"
                " expected; return one, or pass an operator on tuples as op"
            )
        return self.dtypes[0]

    def compiled(self, fold: str | None = None) -> _core.Function:
        """The traced function for the runtime layer; a native one has a fold of its values, too."""
        applied, offsets, tables = self.applied, self.offsets, self.tables
        if self.like.is_on_host:
            expression = host_expression(applied.traced, self.is_native, fold)
        else:
            expression = applied.traced.expression_on(self.like.device, offsets is not None)
        return _core.Function(
            expression,
            [taken.array for taken in self.inputs],
            [taken.array for taken in tables],
            applied.numbers,
            self.count,
            None if offsets is None else offsets.array,
        )

    def values(self) -> _core.Array:
        """The values of a function that has one result, in memory."""
        return _core.function_transform(self.engine, self.compiled())[0]

    def traced_operator(
        self, op: Callable[..., Any], initial: Any, *, less: bool = False
    ) -> Applied:
        """An operator on two values of the function, or a comparison of them."""
        dtypes = self.dtypes
        width = len(dtypes)
        if width > 4:
            raise ValueError(
                f"{self.name}: the function returns {width} values, but an operator combines at"
                " most 4; return fewer"
            )

        def made(steps: _trace.Trace) -> list[Any]:
            values = inputs([*dtypes, *dtypes])(steps)
            if not self.is_tuple:
                return values
            return [tuple(values[:width]), tuple(values[width:])]

        applied = trace(self.name, op, made, ("operator", self.is_tuple, *dtypes))
        found = applied.traced.dtypes
        expected = [BOOL] if less else dtypes
        if less and found != expected:
            raise TypeError(
                f"{self.name}: the comparison returns {', '.join(map(str, found))}; return a bool,"
                " such as a < b"
            )
        if len(found) != len(expected):
            raise TypeError(
                f"{self.name}: the operator returns {len(found)} values, but"
                f" {len(expected)} are expected; return as many as an operand has"
            )
        for returned, dtype in zip(found, expected):
            if returned != dtype:
                raise TypeError(
                    f"{self.name}: the operator returns {returned} for operands of {dtype};"
                    f" return {dtype}, such as by .astype({dtype.name!r}), or pass other arrays"
                )
        if initial is not None and self.is_tuple and len(initial) != width:
            raise ValueError(
                f"{self.name}: initial has {len(initial)} values, but the function returns {width}"
            )
        return applied

    def operator(
        self, op: Callable[..., Any], initial: Any, *, less: bool = False
    ) -> _core.Function:
        """An operator for the runtime layer on the host."""
        applied = self.traced_operator(op, initial, less=less)
        given = [] if initial is None else initial if self.is_tuple else [initial]
        tables = _tables(self.name, applied)
        same_engine(self.name, self.like, *tables)
        return _core.Function(
            host_expression(applied.traced, is_native(op)),
            [],
            [taken.array for taken in tables],
            applied.numbers,
            initial=[_trace.bits_of(x, dtype) for x, dtype in zip(given, self.dtypes)],
        )

    def give(self, results: Sequence[_core.Array], shape: tuple[int, ...] | None = None) -> Any:
        """Results as arrays of the library of the arguments."""
        if not self.is_tuple:
            return self.like.give(results[0], shape)
        return tuple(self.like.give(result, shape) for result in results)


def is_native(f: Any) -> bool:
    """Whether a function is to be compiled on the CPU."""
    return type(f) is not FunctionType and bool(getattr(f, "native", False))


def host_expression(
    traced: Traced, is_native: bool, fold: str | None = None
) -> _core.Expression:
    """Functions in C++ are always compiled."""
    is_compiled = is_native or traced.sources
    return traced.native_expression(fold) if is_compiled else traced.expression()


def _tables(name: str, applied: Applied) -> list[Input]:
    if not applied.tables:
        return []
    return [take_flat(name, "a captured array", x) for x in applied.tables]


def _last(offsets: Input | None) -> int:
    if offsets is None or offsets.size == 0:
        return 0
    return int(as_scalar(offsets.give(offsets.array)[-1:]))
