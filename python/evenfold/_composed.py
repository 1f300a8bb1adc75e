"""Folds, scans and sorts by operators of the user on a GPU, composed of transforms.

Folds have the canonical order of balance/fold_order.hpp, and thus the bits of the CPU. The
folds of all runs of 16 items, and of all blocks of 2, 4, 8, ... runs are computed first, which
is about one operation per item. The fold of a range then consists of at most 15 items, blocks
of ascending and then of descending levels, at most one of each level on either side, and at
most 15 items, so that a range of any length costs the same. All functions here are traced like
those of users, and their loops are unrolled. The number of levels is rounded up to a multiple
of 8, so that few kernels serve arrays of all sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

import numpy as np

from . import _core
from ._arrays import take_flat
from ._calls import Call
from ._captured import Captured
from ._captures import bind, captures_of
from ._trace import INT64, Trace, Value, bits_of
from ._traced import trace
from ._ufuncs import where

_RUN, _RUN_LEVEL = 16, 4
_GROUP, _GROUP_LEVEL = 512, 9

Components = Sequence[_core.Array]

# The bits of a number, and its dtype.
Number = tuple[int, np.dtype[Any]]


class _Table:
    """An operand that is a separate captured array, even if an array is passed twice."""

    def __init__(self, array: _core.Array) -> None:
        self.array = array
        self.dtype = array.dtype


class _Composition:
    """A function of the user and the values of a call, from which transforms are composed."""

    def __init__(self, call: Call, function: Callable[..., Any]) -> None:
        self.call = call
        self._function = function
        self._captures = captures_of(function)

    def bound(self, trace: Trace) -> Any:
        return bind(self._function, trace)

    def transform(
        self,
        f: Callable[..., Any],
        count: int,
        tables: Sequence[Components],
        numbers: Sequence[Number] = (),
    ) -> list[_core.Array]:
        """f(index, numbers, *tables) for each index; a table is a function from indices to tuples.

        Traces are kept. Therefore the steps of f may depend only on the dtypes of its
        arguments, on the function of the user and on the defaults of f. Equal numbers are
        different arguments, since later calls replace them by other values.
        """
        arrays = [[_Table(x) for x in table] for table in tables]
        dtypes = [dtype for _, dtype in numbers]

        def made(steps: Trace) -> list[Any]:
            def reader(table: Sequence[_Table]) -> Callable[[Any], tuple[Value, ...]]:
                captured = [Captured(steps, x) for x in table]
                return lambda i: tuple(x[i] for x in captured)

            index = steps.add("index", INT64)
            given = tuple(steps.number_of_bits(*number) for number in numbers)
            steps.shares_numbers = True
            return [index, given, *map(reader, arrays)]

        key: Hashable = None
        if self._captures is not None:
            of_tables = tuple(tuple(x.dtype for x in table) for table in tables)
            key = (f.__code__, f.__defaults__, self.call.is_tuple, tuple(dtypes), of_tables)
        applied = trace(
            self.call.name, f, made, key, [bits for bits, _ in numbers],
            [x for table in arrays for x in table], self._captures,
        )  # fmt: skip
        taken = [
            x.array
            if isinstance(x, _Table)
            else take_flat(self.call.name, "a captured array", x).array
            for x in applied.tables
        ]
        expression = applied.traced.expression(self.call.architecture)
        compiled = _core.Function(expression, [], taken, applied.numbers, count)
        return _core.function_transform(self.call.engine, compiled)


class _Operator(_Composition):
    """An operator on tuples of values, and its initial value, which may be missing."""

    def __init__(self, call: Call, op: Callable[..., Any], initial: Any) -> None:
        call.traced_operator(op, initial)  # which checks the results of op
        super().__init__(call, op)
        given = () if initial is None else initial if call.is_tuple else (initial,)
        self.initial = [(bits_of(x, dtype), dtype) for x, dtype in zip(given, call.dtypes)]

    def __call__(self, a: tuple[Value, ...], b: tuple[Value, ...]) -> tuple[Value, ...]:
        op = self.bound(a[0].trace)
        if self.call.is_tuple:
            return tuple(op(a, b))
        return (op(a[0], b[0]),)


class _Fold:
    """A fold so far. It has a value always, or only where a condition is true."""

    def __init__(
        self, op: _Operator, value: tuple[Value, ...] = (), exists: Value | bool = True
    ) -> None:
        self._op = op
        self.value = value
        self._exists = exists

    def append(self, condition: Value, x: tuple[Value, ...]) -> None:
        """Appends x where a condition is true."""
        if not self.value:
            self.value, self._exists = x, condition
            return
        both = self._op(self.value, x)
        if self._exists is not True:
            both = tuple(where(self._exists, a, b) for a, b in zip(both, x))
            self._exists = cast(Value, self._exists) | condition
        self.value = tuple(where(condition, a, b) for a, b in zip(both, self.value))

    def prepend(self, condition: Value, x: tuple[Value, ...]) -> None:
        """Puts x in front where a condition is true."""
        front = _Fold(self._op, x, condition)
        if self.value:
            front.append(cast(Value, self._exists), self.value)
        self.value, self._exists = front.value, front._exists

    def append_fold(self, other: _Fold, condition: Value | bool = True) -> None:
        """Appends a fold where it has a value and a condition is true."""
        if other.value:
            self.append(cast(Value, other._exists) & condition, other.value)

    def append_items(
        self, items: Callable[[Any], Any], begin: Value, end: Value, count: int
    ) -> None:
        for k in range(count):
            at = begin + k
            self.append(at < end, items(np.minimum(at, end - 1) * (at < end)))


def _levels(op: _Operator, values: Components, count: int) -> list[Components]:
    """The folds of the blocks of 16, 32, ... items."""

    def run(index: Value, _: Any, items: Callable[[Any], Any]) -> Any:
        fold = items(_RUN * index)
        for k in range(1, _RUN):
            fold = op(fold, items(_RUN * index + k))
        return fold

    def pair(index: Value, _: Any, items: Callable[[Any], Any]) -> Any:
        return op(items(2 * index), items(2 * index + 1))

    if count < _RUN:
        return []
    found: list[Components] = [op.transform(run, count // _RUN, [values])]
    size = _RUN
    while 2 * size <= count:
        size *= 2
        found.append(op.transform(pair, count // size, found[-1:]))
    return found + [found[-1]] * (-len(found) % 8)


def _blocks(
    levels: Sequence[Any], at: Value, end: Value, heights: range, *, rising: bool = False
) -> tuple[list[tuple[Value, Any]], Value]:
    """The blocks of [at, end), whose ends are multiples of 16, from left to right, each with a
    condition on which it is there; and their end. Those of a rising slope begin at odd multiples of
    their lengths."""
    found = []
    for k in heights if rising else reversed(heights):
        if k - _RUN_LEVEL >= len(levels):
            continue
        fits = at + (1 << k) <= end
        if rising:
            fits = fits & ((at >> k) % 2 == 1)
        found.append((fits, levels[k - _RUN_LEVEL]((at >> k) * fits)))
        at = at + fits.astype("int64") * (1 << k)
    return found, at


_IN_GROUP = range(_RUN_LEVEL, _GROUP_LEVEL)
_ABOVE = range(_GROUP_LEVEL, 63)


def _append_falling(fold: _Fold, blocks: list[tuple[Value, Any]]) -> None:
    """Appends the right half of the tree of a group, which is folded from right to left."""
    for fits, block in reversed(blocks):
        fold.prepend(fits, block)


def _fold_ranges(
    op: _Operator, values: Components, size: int, offsets: _core.Array, count: int
) -> list[_core.Array]:
    """The folds of the ranges between neighbouring offsets."""

    def of_range(s: Value, initial: Any, items: Any, ends: Any, *levels: Any) -> Any:
        fold, left, right, rest = _Fold(op, initial), _Fold(op), _Fold(op), _Fold(op)
        (begin,), (end,) = ends(s), ends(s + 1)
        # Without a run, and without a multiple of 16 inside, all items are the last ones.
        last = np.maximum(end // _RUN * _RUN, begin)
        first = np.minimum((begin + (_RUN - 1)) // _RUN * _RUN, last)
        left.append_items(items, begin, first, _RUN - 1)
        rising, at = _blocks(levels, first, last, _IN_GROUP, rising=True)
        for fits, block in rising:
            left.append(fits, block)
        # The tree of the last group is that of the first one, or comes after whole groups.
        is_one_group = at % _GROUP != 0
        groups_end = where(is_one_group, at, last // _GROUP * _GROUP)
        falling, _ = _blocks(levels, groups_end, last, _IN_GROUP)
        _append_falling(right, falling)
        left.append_fold(right, is_one_group)
        fold.append_fold(left)
        rising, at = _blocks(levels, at, groups_end, _ABOVE, rising=True)
        falling, _ = _blocks(levels, at, groups_end, _ABOVE)
        for fits, block in [*rising, *falling]:
            fold.append(fits, block)
        fold.append_fold(right, ~is_one_group)
        rest.append_items(items, last, end, _RUN - 1)
        fold.append_fold(rest)
        return fold.value

    if size == 0:
        return op.transform(lambda _, initial: initial, count, [], op.initial)
    levels = _levels(op, values, size)
    return op.transform(of_range, count, [values, [offsets], *levels], op.initial)


def _scan(op: _Operator, values: Components, size: int, exclusive: bool) -> list[_core.Array]:
    """The folds of all prefixes: of whole runs first, and then of the items that follow."""

    def of_runs(r: Value, initial: Any, items: Any, *levels: Any) -> Any:
        fold, runs = _Fold(op, initial), _Fold(op)
        groups, at = _blocks(levels, r * 0, r * _RUN, _ABOVE)
        for fits, block in groups:
            fold.append(fits, block)
        falling, _ = _blocks(levels, at, r * _RUN, _IN_GROUP)
        _append_falling(runs, falling)
        fold.append_fold(runs)
        return fold.value or items(r * 0)

    levels = _levels(op, values, size)
    before = op.transform(of_runs, size // _RUN + 1, [values, *levels], op.initial)

    def of_prefix(
        i: Value, given: Any, items: Any, runs: Any, has_initial: bool = bool(op.initial)
    ) -> Any:
        end = i + given[0]
        run = end // _RUN
        fold, rest = _Fold(op, runs(run), has_initial or run > 0), _Fold(op)
        rest.append_items(items, run * _RUN, end, _RUN - 1)
        fold.append_fold(rest)
        return fold.value

    more = [(0 if exclusive else 1, INT64)]
    return op.transform(of_prefix, size, [values, before], more)


def reduce(
    call: Call, op: Callable[..., Any], initial: Any, ends: _core.Array
) -> list[_core.Array]:
    """The fold of all values; `ends` are 0 and their number."""
    operator = _Operator(call, op, initial)
    values = _core.function_transform(call.engine, call.compiled())
    if call.count == 0 and initial is None:
        return values
    return _fold_ranges(operator, values, call.count, ends, 1)


def segreduce(call: Call, op: Callable[..., Any], initial: Any) -> list[_core.Array]:
    """The folds of segments."""
    operator = _Operator(call, op, initial)
    assert call.offsets is not None
    values = _core.function_transform(call.engine, call.compiled())
    segments = call.offsets.size - 1
    return _fold_ranges(operator, values, call.count, call.offsets.array, segments)


def scan(call: Call, op: Callable[..., Any], initial: Any, exclusive: bool) -> list[_core.Array]:
    """The folds of prefixes."""
    operator = _Operator(call, op, initial)
    values = _core.function_transform(call.engine, call.compiled())
    return _scan(operator, values, call.count, exclusive) if call.count else values


def sort_indices(call: Call, less: Callable[..., Any]) -> _core.Array:
    """The indices that sort values stably: a merge sort, where each element of a result finds its
    source by a search along a diagonal of the merge path."""
    call.traced_operator(less, None, less=True)
    comparison = _Composition(call, less)
    count = call.count
    values = _core.function_transform(call.engine, call.compiled())

    def numbered(i: Value, _: Any, items: Any) -> Any:
        return (*items(i), i)

    def merged(t: Value, given: Any, items: Any, *, steps: int) -> Any:
        width, size = given

        def before(i: Value, k: Value) -> Value:
            a, b = (items(np.clip(x, 0, size - 1))[0] for x in (i, k))
            return cast(Value, comparison.bound(t.trace)(a, b))

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

    values = comparison.transform(numbered, count, [values])
    width = 1
    while width < count:
        steps = -(-width.bit_length() // 8) * 8

        def one_pass(t: Value, given: Any, items: Any, steps: int = steps) -> Any:
            return merged(t, given, items, steps=steps)

        sizes = [(width, INT64), (count, INT64)]
        values = comparison.transform(one_pass, count, [values], sizes)
        width *= 2
    return values[-1]
