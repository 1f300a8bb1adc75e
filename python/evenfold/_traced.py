"""Traced functions: their steps and their arguments. Traces are kept for later calls.

The modules that call compilers are imported where they are needed: most programs compile
nothing, and importing these modules would take a tenth of the time of importing this package
and NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np

from . import _core
from ._captures import Captures, bind, captures_of
from ._trace import Step, Trace, Value, dtype_of, is_number, operand

Dtype = np.dtype[Any]

_lock = Lock()


class Traced:
    """The steps of a function and its results. It does not change."""

    def __init__(
        self, trace: Trace, results: Sequence[Value], is_tuple: bool, table_dtypes: list[str]
    ) -> None:
        self.steps: tuple[Step, ...] = tuple(trace.steps)
        self.result_steps = [value.step for value in results]
        self.dtypes: list[Dtype] = [value.dtype for value in results]
        self.is_tuple = is_tuple
        self.sources = tuple(trace.sources)
        self.table_dtypes = table_dtypes
        self._trace = trace
        self._results = results
        self._casts: dict[Dtype, Traced] = {}
        self._expressions: dict[tuple[bool, str | None], _core.Expression] = {}
        self._on_gpus: dict[tuple[int, bool], _core.Expression] = {}
        self._native: dict[str | None, _core.Expression] = {}

    def cast(self, dtype: Dtype) -> Traced:
        """The function with results of a dtype."""
        with _lock:
            if dtype not in self._casts:
                results = [value.astype(dtype) for value in self._results]
                cast = Traced(self._trace, results, self.is_tuple, self.table_dtypes)
                self._casts[dtype] = cast
            return self._casts[dtype]

    def source(self, *, segments: bool = False) -> str:
        """The kernel for a GPU."""
        from . import _source

        return _source.kernel_source(
            self.steps, self.result_steps, self.table_dtypes, self.sources, segments=segments
        )

    def expression(
        self, architecture: str | None = None, *, segments: bool = False
    ) -> _core.Expression:
        """The function for the runtime layer, with a kernel for an architecture if one is given."""
        key = (segments, architecture)
        if key not in self._expressions:
            made = _core.Expression(self.steps, self.result_steps)
            if architecture is not None:
                from . import _nvrtc, _source

                image = _nvrtc.compiled(self.source(segments=segments), architecture)
                made.set_code(image, _source.KERNEL)
            self._expressions[key] = made
        return self._expressions[key]

    def expression_on(self, gpu: int, segments: bool) -> _core.Expression:
        """The function for the runtime layer on a GPU."""
        found = self._on_gpus.get((gpu, segments))
        if found is None:
            from . import _nvrtc

            found = self.expression(_nvrtc.architecture_of(gpu), segments=segments)
            self._on_gpus[gpu, segments] = found
        return found

    def native_expression(self, fold: str | None = None) -> _core.Expression:
        """The function for the runtime layer, compiled for this machine, also with a fold."""
        if fold not in self._native:
            from . import _fold_source, _native, _source

            parts = (self.steps, self.result_steps, self.table_dtypes, self.sources)
            source = _fold_source.fold_source(*parts, fold) if fold else _source.tile_source(*parts)
            made = _core.Expression(self.steps, self.result_steps)
            made.set_native(
                _native.address_of(source, _source.TILE),
                _native.address_of(source, _fold_source.FOLD) if fold else 0,
            )
            self._native[fold] = made
        return self._native[fold]


@dataclass(slots=True)  # A frozen one takes three times as long to make.
class Applied:
    """A traced function, the bits of its numbers, and the arrays that it captured."""

    traced: Traced
    numbers: list[int]
    tables: list[Any]

    def cast(self, dtype: Dtype) -> Applied:
        return replace(self, traced=self.traced.cast(dtype))


@dataclass(slots=True)
class _Kept:
    """A trace, its own numbers, and the indices of the captured arrays that are its tables."""

    traced: Traced
    numbers: list[int]
    tables: list[int]
    # What every call gets that has no numbers and no captured arrays.
    alike: Applied


_kept: dict[Hashable, _Kept] = {}
_most_kept = 1024


def trace(
    function: str,
    f: Callable[..., Any],
    operands: Callable[[Trace], list[Any]],
    key: Hashable = None,
    numbers: Sequence[int] = (),
    arrays: Sequence[Any] = (),
    captures: Captures | None = None,
) -> Applied:
    """Calls f with the operands that are made for a trace, or finds an earlier trace.

    The key tells operands apart: those of one key differ at most in `numbers`, the bits of the
    first numbers of the trace, and in `arrays`, which are captured arrays. Without a key the trace
    is not kept. `captures` are those of f; a function of this package states those of the user's
    function that it calls.
    """
    if captures is None and key is not None:
        captures = captures_of(f)
    if captures is None:
        steps, traced = _traced(function, f, operands)
        return Applied(traced, steps.numbers, steps.tables)
    whole = (key, captures.key)
    found = _kept.get(whole)
    if found is not None and not numbers and not found.tables:
        return found.alike
    known = [*arrays, *captures.arrays]
    if found is None:
        steps, traced = _traced(function, f, operands)
        made = Applied(traced, steps.numbers, steps.tables)
        at = [k for x in steps.tables for k, array in enumerate(known) if array is x]
        if steps.reads_attributes or len(at) != len(steps.tables):
            return made
        with _lock:
            if len(_kept) >= _most_kept:
                del _kept[next(iter(_kept))]
            own = steps.numbers[len(numbers) :]
            _kept[whole] = _Kept(traced, own, at, Applied(traced, own, []))
        steps.tables = []  # A trace that is kept does not keep arrays.
        return made
    return Applied(found.traced, [*numbers, *found.numbers], [known[k] for k in found.tables])


def _traced(
    function: str, f: Callable[..., Any], operands: Callable[[Trace], list[Any]]
) -> tuple[Trace, Traced]:
    steps = Trace()
    given = operands(steps)
    try:
        returned = bind(f, steps)(*given)
    except TypeError:
        _check_signature(function, f, given)
        raise
    except RecursionError:
        raise RecursionError(
            f"{function}: the function calls itself without an end; both operands of evenfold.where"
            " are traced, so that a recursion cannot depend on the value of an element"
        ) from None
    several = returned if isinstance(returned, (tuple, list)) else (returned,)
    results = []
    for value in several:
        if isinstance(value, Value):
            results.append(operand(steps, value, value.dtype))
        elif is_number(value):
            results.append(steps.number(value, np.result_type(value)))
        else:
            raise TypeError(
                f"{function}: the function returns {value!r}; it must return a value or a tuple of"
                " values"
            )
    dtypes = [dtype_of(table).name for table in steps.tables]
    return steps, Traced(steps, results, isinstance(returned, (tuple, list)), dtypes)


def _check_signature(function: str, f: Callable[..., Any], given: Sequence[Any]) -> None:
    """Refuses a function that cannot be called with so many operands."""
    import inspect  # here, as importing it takes long

    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):  # of some functions in C
        return
    try:
        signature.bind(*given)
    except TypeError as error:
        raise TypeError(
            f"{function}: the function is called with {len(given)} values, but it does not take"
            f" them: {error}; pass a function of {len(given)} arguments"
        ) from None


def inputs(dtypes: Sequence[Dtype]) -> Callable[[Trace], list[Any]]:
    """Operands that are elements of arrays."""
    return lambda trace: [trace.add("input", dtype, i) for i, dtype in enumerate(dtypes)]
