"""Traces are kept between calls, except of what may change."""

import gc
import weakref

import numpy as np

import evenfold as ef
from comparisons import same
from evenfold import _composed, _traced
from evenfold._calls import Call

GLOBAL_TABLE = np.arange(5.0)


def helper(i):
    return GLOBAL_TABLE[i] + 1


def count_calls(monkeypatch):
    """A list that grows whenever a function is traced."""
    traced, original = [], _traced._traced
    monkeypatch.setattr(_traced, "_traced", lambda *given: traced.append(1) or original(*given))
    return traced


def test_traces_are_kept(monkeypatch):
    traced = count_calls(monkeypatch)
    x = np.arange(5.0)

    def scaled(factor, table):
        f = lambda v, k: helper(v.astype("int64")) * factor + table[0] + k  # noqa: E731
        return ef.transform(f, x, factor)

    for _ in range(3):
        same(scaled(2.0, np.array([7.0])), (GLOBAL_TABLE + 1) * 2.0 + 7 + 2)
    assert len(traced) == 1
    same(scaled(2.0, np.array([8.0])), (GLOBAL_TABLE + 1) * 2.0 + 8 + 2)
    assert len(traced) == 1
    # Another dtype, another captured number, and another argument that is a number.
    same(scaled(2.0, np.array([8])), (GLOBAL_TABLE + 1) * 2.0 + 8 + 2)
    same(scaled(-0.0, np.array([8.0])), (GLOBAL_TABLE + 1) * -0.0 + 8 - 0.0)
    same(scaled(0.0, np.array([8.0])), (GLOBAL_TABLE + 1) * 0.0 + 8)
    assert len(traced) == 4
    twice = [ef.transform(lambda v, k: v * k, x, k) for k in (1.0, 5.0, 7.0)]
    assert [found[1] for found in twice] == [1.0, 5.0, 7.0]
    # Every lambda expression of the comprehension is the same code.
    assert len(traced) == 5


def test_composed_traces_are_kept(monkeypatch):
    traced = count_calls(monkeypatch)

    def scanned(size, factor, initial):
        x, table = np.arange(float(size)), np.array([factor])
        call = Call("scan", lambda v: v, x)
        op = lambda a, b: a + b * table[0]  # noqa: E731
        same(call.give(_composed.scan(call, op, initial, False)), ef.scan(x, op, initial=initial))
        _composed.sort_indices(call, lambda a, b: a * table[0] > b * table[0])

    scanned(1000, 2.0, 0.5)
    first = len(traced)
    # Other sizes with as many levels, other values of captured arrays, and other initial values.
    scanned(900, 3.0, 0.0)
    assert len(traced) == first
    scanned(900, 3.0, None)
    assert len(traced) > first


def test_what_may_change_is_traced_anew():
    x, changing = np.arange(3.0), {"factor": 2.0}
    scale = lambda v: v * changing["factor"]  # noqa: E731
    same(ef.transform(scale, x), x * 2)
    changing["factor"] = 3.0
    same(ef.transform(scale, x), x * 3)
    table = np.arange(4.0)
    count = lambda v: v + len(table)  # noqa: E731
    same(ef.transform(count, x), x + 4)
    table = np.arange(6.0)
    same(ef.transform(count, x), x + 6)
    names = {"np": np, "power": 2}
    exec("def scaled(v): return np.sqrt(v) * power", names)  # noqa: S102
    same(ef.transform(names["scaled"], x), np.sqrt(x) * 2)
    same(ef.transform(names["scaled"], x), np.sqrt(x) * 2)
    names["power"] = 3
    same(ef.transform(names["scaled"], x), np.sqrt(x) * 3)
    names["sqrt"], names["np"] = None, np
    same(ef.transform(names["scaled"], x), np.sqrt(x) * 3)
    pair = (np.array([1.0]), 2)
    first = lambda v: v + pair[0][0]  # noqa: E731
    same(ef.transform(first, x), x + 1)
    pair[0][0] = 5
    same(ef.transform(first, x), x + 5)
    noise = lambda v: v * 0 + np.random.random()  # noqa: E731
    assert ef.transform(noise, x)[0] != ef.transform(noise, x)[0]
    a, b = np.array([1.0]), np.array([2.0])
    for p, q in ((a, b), (a, a), (b, a)):
        same(ef.transform(lambda v: v * p[0] + q[0], x), x * p[0] + q[0])


def test_a_kept_trace_keeps_no_array():
    table = np.arange(3.0)
    gone = weakref.ref(table)
    ef.transform(lambda i: table[i], np.arange(3))
    del table
    gc.collect()
    assert gone() is None


def test_other_numbers_and_arrays_give_the_same_source():
    def source(factor, table):
        inputs = _traced.inputs([np.dtype("int32")])
        return _traced.trace("test", lambda i: table[i] * factor, inputs).traced.source()

    assert source(2.0, np.arange(3.0)) == source(5.0, np.arange(9.0))
    assert source(2, np.arange(3.0)) == source(7, np.arange(9.0))
