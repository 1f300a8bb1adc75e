"""Folds, scans and histograms, with NumPy as the oracle."""

import numpy as np
import pytest
from comparisons import same
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from inputs import DTYPES, numbers, quick

import evenfold as ef

ACCUMULATED = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}


@quick
@given(numbers([*DTYPES, "bool"]))
def test_reduce_of_integers(values):
    exact = sum(int(x) for x in values)
    if -(2**63) <= exact < 2**63:
        assert int(ef.reduce(values)) == exact
    if values.size:
        assert ef.reduce(values, "max") == values.max()
        assert ef.reduce(values, "min") == values.min()
        assert ef.reduce(values, "argmax") == values.argmax()
        assert ef.reduce(values, "argmin") == values.argmin()


def test_overflow():
    with pytest.raises(OverflowError):
        ef.reduce(np.array([2**62, 2**62, 2**62]))


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("op", ["sum", "prod", "min", "max", "mean", "argmin", "argmax"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_reduce_along_an_axis(dtype, op, axis):
    values = (np.random.default_rng(0).random((13, 7)) * 2 + 1).astype(dtype)
    if dtype == "int32" and op == "prod":
        values %= 2
    expected = getattr(values, op)(axis=axis)
    result = ef.reduce(values, op, axis=axis)
    assert np.shape(result) == np.shape(expected)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_reduce_more_dimensions_and_out():
    values = np.arange(24.0).reshape(2, 3, 4)
    assert np.array_equal(ef.reduce(values, axis=-1), values.sum(axis=-1))
    assert np.array_equal(ef.reduce(values, axis=0).reshape(3, 4), values.sum(axis=0))
    assert ef.reduce(values) == values.sum()
    for op, keepdims in (("sum", False), ("argmax", True)):
        expected = getattr(values, op)(axis=1, keepdims=keepdims)
        assert np.array_equal(ef.reduce(values, op, axis=1, keepdims=keepdims), expected)
    out = np.zeros(2)
    assert ef.reduce(np.ones((2, 3)), axis=1, out=out) is out
    assert out.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("strategy", ["tiled", "array_folding", "tournament"])
def test_fold(strategy):
    values = np.arange(1, 12)
    assert ef.fold(values, strategy=strategy).value == 66
    assert ef.fold(values, "max", strategy=strategy).value == 11
    rounds = ef.fold(values, strategy=strategy, trace=True).rounds
    assert len(rounds) == (0 if strategy == "tiled" else 5)


@quick
@given(numbers([*DTYPES, "bool"]), st.sampled_from(sorted(ACCUMULATED)))
def test_scan_of_integers(values, op):
    wide = values.astype("uint64" if values.dtype == "uint64" else "int64")
    expected = ACCUMULATED[op].accumulate(wide)
    same(ef.scan(values, op), expected)
    found = ef.scan(values, op, exclusive=True)
    assert np.array_equal(found[1:], expected[:-1])
    info = np.iinfo(wide.dtype)
    first = {"sum": 0, "prod": 1, "min": info.max, "max": info.min}[op]
    assert found[:1].tolist() == [first] * min(1, len(values))


@pytest.mark.parametrize("op", sorted(ACCUMULATED))
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_folds_of_large_numbers_without_a_sign(op, device):
    random = np.random.default_rng(64)
    values = random.integers(0, 2**64, 100001, dtype="uint64")
    cuts = np.sort(random.choice(values.size, 300, replace=False))
    offsets = np.concatenate([[0], cuts, [values.size]])
    expected = ACCUMULATED[op].reduceat(values, offsets[:-1])
    with ef.using(device):
        same(ef.segreduce(values, offsets, op), expected)
        same(ef.segreduce(lambda x: x, values, offsets, op), expected)
        prefixes = ACCUMULATED[op].accumulate(values)
        same(ef.scan(values, op), prefixes)
        same(ef.scan(lambda x: x, values, op), prefixes)
        rows = ef.Ragged(values, offsets)
        same(rows.scan(op).values[offsets[1:] - 1], expected)
        means = [row.astype("float64").mean() for row in rows]
        np.testing.assert_allclose(rows.mean(), means, rtol=1e-13)
        same(ef.scan(values.astype("uint8"), op, dtype="uint64"),
             ACCUMULATED[op].accumulate(values.astype("uint8").astype("uint64")))


@quick
@given(hnp.arrays("float64", st.integers(0, 50), elements=st.floats(-5, 5)), st.integers(1, 8))
def test_histogram(values, bins):
    counts, edges = ef.histogram(values, bins, range=(-4, 4))
    expected, expected_edges = np.histogram(values, bins, range=(-4, 4))
    assert np.array_equal(edges, expected_edges)
    # NumPy rounds twice near inner edges.
    assert counts.sum() == expected.sum()
    given_edges = np.sort(np.unique(np.concatenate([values, [-6.0, 6.0]])))
    ours = ef.histogram(values, given_edges)[0]
    assert np.array_equal(ours, np.histogram(values, given_edges)[0])


@pytest.mark.parametrize("dtype", [*DTYPES, "float32", "bool"])
def test_histogram_of_other_dtypes(dtype):
    random = np.random.default_rng(8)
    values, weights = random.integers(0, 100, (2, 1000)).astype(dtype)
    same(ef.histogram(values, 7)[0], np.histogram(values.astype("float64"), 7)[0].astype("uint64"))
    found = ef.histogram(values, [0, 3, 50, 100], weights=weights)
    there = values.astype("float64"), [0.0, 3, 50, 100]
    expected = np.histogram(*there, weights=weights.astype("float64"))
    for ours, theirs in zip(found, expected):
        same(ours, theirs)


def test_histogram_with_weights():
    values = np.array([0.1, 0.2, 0.9])
    sums, _ = ef.histogram(values, 2, range=(0, 1), weights=np.array([1.0, 2.0, 4.0]))
    assert sums.tolist() == [3.0, 4.0]


def test_dot():
    x = np.random.default_rng(6).random(1000)
    assert ef.dot(x, x) == pytest.approx(x @ x)
    with pytest.raises(ValueError, match=r"y\.size"):
        ef.dot(x, x[:5])


@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
def test_initial(op):
    ufunc = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}[op]
    for values in (np.arange(1, 7).reshape(2, 3), np.arange(1.0, 7), np.zeros(0), np.zeros((0, 3))):
        same(ef.reduce(values, op, initial=3), ufunc.reduce(values, None, initial=3))
        if values.ndim > 1:
            found = ef.reduce(values, op, axis=0, initial=3)
            same(found, ufunc.reduce(values, axis=0, initial=3))
    with pytest.raises(ValueError, match="no initial"):
        ef.reduce(np.arange(3), "mean", initial=1)


@pytest.mark.parametrize("dtype", [*DTYPES, "bool"])
def test_folds_of_all_integers(dtype):
    """In their own type: more than a block of them, one element, and the ends of their range."""
    source = np.random.default_rng(2)
    ends = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for count in (1, 5000, 40_000, 140_001):
        for low, high in (ends, (max(ends[0], -2), min(ends[1], 2))):
            limit = 10**6 if np.dtype(dtype).itemsize == 8 and high > 2 else 1
            values = source.integers(low, high, count, endpoint=True, dtype=np.dtype(dtype))
            some = values // limit if limit > 1 else values
            for threads in (1, 3):
                with ef.using(threads=threads):
                    assert ef.reduce(some) == some.sum(dtype=object)
                    assert np.isclose(ef.reduce(some, "mean"), some.astype("float64").mean(), 1e-12)
                    for op in ("min", "max", "argmin", "argmax"):
                        assert ef.reduce(values, op) == getattr(values, op)()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_extremes_of_all_floats(dtype):
    """Whole vectors and less, several blocks; NaN, zeros with signs, infinities and equal numbers."""
    source = np.random.default_rng(3)
    for count in (1, 2, 31, 32, 33, 70, 129, 32_769, 70_000, 140_001):
        random = source.normal(size=count).astype(dtype)
        zeros = np.where(source.random(count) < 0.5, -0.0, 0.0).astype(dtype)
        equal = source.integers(0, 3, count).astype(dtype)
        infinite = np.full(count, -np.inf, dtype)
        with_nan, negative = random.copy(), -abs(random)
        with_nan[source.integers(0, count, 3)] = np.nan
        negative[source.integers(0, count, 3)] = -0.0
        for values in (random, zeros, equal, infinite, -infinite, with_nan, negative, -negative):
            for threads in (1, 3):
                with ef.using(threads=threads):
                    found = {op: ef.reduce(values, op) for op in ("min", "max", "argmin", "argmax")}
                with ef.using("reference"):
                    for op, one in found.items():
                        same(np.array(one), np.array(ef.reduce(values, op)))
                        assert np.array_equal(one, getattr(values, op)(), equal_nan=True)


def test_sums_that_do_not_fit():
    for far in (2**62, -(2**62)):
        with pytest.raises(OverflowError):
            ef.reduce(np.full(50_000, far))
    table = np.full((3, 20_000), 2**62)
    table[1] = -(2**62)
    assert ef.reduce(table[:2]) == 0
    assert ef.reduce(table[:2, ::2]) == 0
    assert ef.reduce(table[:2].T, "argmin") == 1
