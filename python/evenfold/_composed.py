"""Folds, scans and sorts by operators of the user's as a GPU computes them: by transforms alone.

Folds have the canonical order of balance/fold_order.hpp, and thus the bits of the CPU. The folds of
all blocks of 16, 32, 64, ... items are computed first, each from two of the level before, which is
about one operation per item. The fold of a range then is that of at most 15 items, one block of
each level on the way up, one on the way down, and at most 15 items, so that a range of any length
costs the same. All functions here are traced like those of users, and their loops are unrolled. The
number of levels is rounded up to a multiple of 8, so that few kernels serve arrays of all sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from . import _core
from ._arrays import take_flat
from ._calls import Call
from ._captures import bind
from ._trace import INT64, Captured, Trace, Value, bits_of, where
from ._traced import trace

_RUN, _RUN_LEVEL = 16, 4

Components = Sequence[_core.Array]


class _Table:
    """An operand that is a captured array of its own, also where an array is passed twice."""

    def __init__(self, array: _core.Array) -> None:
        self.array = array
        self.dtype = array.dtype


def _transform(
    call: Call,
    f: Callable[..., Any],
    count: int,
    tables: Sequence[Components],
    numbers: Sequence[int] = (),
) -> list[_core.Array]:
    """f(index, *tables, *numbers) for each index; a table is a function from indices to tuples."""

    def made(steps: Trace) -> list[Any]:
        def reader(table: Components) -> Callable[[Any], tuple[Value, ...]]:
            captured = [Captured(steps, _Table(x)) for x in table]
            return lambda i: tuple(x[i] for x in captured)

        index = steps.add("index", INT64)
        given = [steps.number(n, INT64) for n in numbers]
        steps.shares_numbers = True
        return [index, *map(reader, tables), *given]

    applied = trace(call.name, f, made)
    arrays = [
        x.array if isinstance(x, _Table) else take_flat(call.name, "a captured array", x).array
        for x in applied.tables
    ]
    expression = applied.traced.expression(call.architecture)
    made_function = _core.Function(expression, [], arrays, applied.numbers, count)
    return _core.function_transform(call.engine, made_function)


class _Operator:
    """An operator on tuples of values, and its initial value, which may be missing."""

    def __init__(self, call: Call, op: Callable[..., Any], initial: Any) -> None:
        call.traced_operator(op, initial)  # which checks the results of op
        self._op = op
        self._is_tuple = call.is_tuple
        self._dtypes = call.dtypes
        given = initial if call.is_tuple or initial is None else (initial,)
        self.initial = None if given is None else tuple(given)

    def __call__(self, a: tuple[Value, ...], b: tuple[Value, ...]) -> tuple[Value, ...]:
        bound = bind(self._op, a[0].trace)
        if self._is_tuple:
            return tuple(bound(a, b))
        return (bound(a[0], b[0]),)

    def start(self, trace: Trace) -> _Fold:
        if self.initial is None:
            return _Fold(self, None, False)
        pairs = zip(self.initial, self._dtypes)
        # Equal initial values are different arguments, which other values replace.
        bits = ((bits_of(x, dtype), dtype) for x, dtype in pairs)
        return _Fold(self, tuple(trace.number_of_bits(*one) for one in bits), True)


class _Fold:
    """A fold so far; `exists` is a condition, or whether there is a value for sure."""

    def __init__(
        self, op: _Operator, value: tuple[Value, ...] | None, exists: Value | bool
    ) -> None:
        self._op = op
        self.value = value
        self._exists = exists

    def append(self, condition: Value, x: tuple[Value, ...]) -> None:
        """Appends x where a condition is true."""
        if self.value is None:
            self.value, self._exists = x, condition
            return
        both = self._op(self.value, x)
        if self._exists is not True:
            both = tuple(where(self._exists, a, b) for a, b in zip(both, x))
            self._exists = cast(Value, self._exists) | condition
        self.value = tuple(where(condition, a, b) for a, b in zip(both, self.value))

    def append_items(
        self, items: Callable[[Any], Any], begin: Value, end: Value, count: int
    ) -> None:
        for k in range(count):
            at = begin + k
            self.append(at < end, items(np.minimum(at, end - 1) * (at < end)))


def _levels(call: Call, op: _Operator, values: Components, count: int) -> list[Components]:
    """The folds of the blocks of 16, 32, ... items."""

    def pair(index: Value, items: Callable[[Any], Any]) -> Any:
        return op(items(2 * index), items(2 * index + 1))

    found: list[Components] = []
    size = 1
    while 2 * size <= count:
        size *= 2
        values = _transform(call, pair, count // size, [values])
        if size >= _RUN:
            found.append(values)
    if not found:
        return []
    return found + [found[-1]] * (-len(found) % 8)


def _append_blocks(
    fold: _Fold, levels: Sequence[Any], at: Value, end: Value, *, rise: bool
) -> Value:
    """Appends the blocks of [at, end), whose ends are multiples of 16; returns their end."""
    heights = list(enumerate(levels, _RUN_LEVEL))
    ways = [(k, block, True) for k, block in heights] if rise else []
    for k, block, must_begin_here in [*ways, *((k, block, False) for k, block in heights[::-1])]:
        fits = at + (1 << k) <= end
        if must_begin_here:
            fits = fits & ((at >> k) % 2 == 1)
        fold.append(fits, block((at >> k) * fits))
        at = at + fits.astype("int64") * (1 << k)
    return at


def _fold_ranges(
    call: Call, op: _Operator, values: Components, size: int, offsets: _core.Array, count: int
) -> list[_core.Array]:
    """The folds of the ranges between neighbouring offsets."""
    levels = _levels(call, op, values, size)

    def of_range(s: Value, items: Any, ends: Any, *blocks: Any) -> Any:
        fold = op.start(s.trace)
        (begin,), (end,) = ends(s), ends(s + 1)
        first = np.minimum((begin + (_RUN - 1)) // _RUN * _RUN, end)
        fold.append_items(items, begin, first, _RUN - 1)
        last = _append_blocks(fold, blocks, first, end // _RUN * _RUN, rise=True)
        fold.append_items(items, last, end, _RUN - 1)
        return fold.value

    if size == 0:
        return _transform(call, lambda s: op.start(s.trace).value, count, [])
    return _transform(call, of_range, count, [values, [offsets], *levels])


def _scan(
    call: Call, op: _Operator, values: Components, size: int, exclusive: bool
) -> list[_core.Array]:
    """The folds of all prefixes: of whole runs first, and then of the items that follow."""

    def of_runs(r: Value, items: Any, *blocks: Any) -> Any:
        fold = op.start(r.trace)
        _append_blocks(fold, blocks, r * 0, r * _RUN, rise=False)
        return items(r * 0) if fold.value is None else fold.value

    levels = _levels(call, op, values, size)
    before = _transform(call, of_runs, size // _RUN + 1, [values, *levels])

    def of_prefix(i: Value, items: Any, runs: Any, more: Value) -> Any:
        end = i + more
        run = end // _RUN
        exists = True if op.initial is not None else run > 0
        fold = _Fold(op, runs(run), exists)
        fold.append_items(items, run * _RUN, end, _RUN - 1)
        return fold.value

    return _transform(call, of_prefix, size, [values, before], [0 if exclusive else 1])


def reduce(
    call: Call, op: Callable[..., Any], initial: Any, ends: _core.Array
) -> list[_core.Array]:
    """The fold of all values; `ends` are 0 and their number."""
    operator = _Operator(call, op, initial)
    values = _core.function_transform(call.engine, call.compiled())
    if call.count == 0 and initial is None:
        return values
    return _fold_ranges(call, operator, values, call.count, ends, 1)


def segreduce(call: Call, op: Callable[..., Any], initial: Any) -> list[_core.Array]:
    """The folds of segments."""
    operator = _Operator(call, op, initial)
    assert call.offsets is not None
    values = _core.function_transform(call.engine, call.compiled())
    segments = call.offsets.size - 1
    return _fold_ranges(call, operator, values, call.count, call.offsets.array, segments)


def scan(call: Call, op: Callable[..., Any], initial: Any, exclusive: bool) -> list[_core.Array]:
    """The folds of prefixes."""
    operator = _Operator(call, op, initial)
    values = _core.function_transform(call.engine, call.compiled())
    return _scan(call, operator, values, call.count, exclusive) if call.count else values


def sort_indices(call: Call, less: Callable[..., Any]) -> _core.Array:
    """The indices that sort values stably: a merge sort, where each element of a result finds its
    source by a search along a diagonal of the merge path."""
    call.traced_operator(less, None, less=True)
    count = call.count
    values = _core.function_transform(call.engine, call.compiled())

    def numbered(i: Value, items: Any) -> Any:
        return (*items(i), i)

    def merged(t: Value, items: Any, width: Value, size: Value, *, steps: int) -> Any:
        def before(i: Value, k: Value) -> Value:
            a, b = (items(np.clip(x, 0, size - 1))[0] for x in (i, k))
            return cast(Value, bind(less, t.trace)(a, b))

        begin = t // (2 * width) * (2 * width)
        middle = np.minimum(begin + width, size)
        right = np.minimum(middle + width, size) - middle
        diagonal = t - begin
        low = np.maximum(diagonal - right, 0)
        high = np.minimum(diagonal, middle - begin)
        for _ in range(steps):
            half = (low + high) // 2
            is_open = low < high
            takes_right = before(middle + diagonal - 1 - half, begin + half)
            high = where(is_open & takes_right, half, high)
            low = where(is_open & ~takes_right, half + 1, low)
        from_right = diagonal - low
        is_left = (begin + low < middle) & (
            (from_right >= right) | ~before(middle + from_right, begin + low)
        )
        return items(where(is_left, begin + low, middle + from_right))

    values = _transform(call, numbered, count, [values])
    width = 1
    while width < count:
        steps = -(-width.bit_length() // 8) * 8

        def one_pass(t: Value, items: Any, width: Value, size: Value, steps: int = steps) -> Any:
            return merged(t, items, width, size, steps=steps)

        values = _transform(call, one_pass, count, [values], [width, count])
        width *= 2
    return values[-1]
