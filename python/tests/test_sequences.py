"""Folds, scans, order and joins, with NumPy and pandas as oracles."""

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import evenfold as ef

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
SORTED = ["int32", "int64", "float32", "float64"]
ACCUMULATED = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
quick = settings(max_examples=40, deadline=None)


def numbers(dtypes, max_side=60, dims=1):
    shapes = hnp.array_shapes(min_dims=dims, max_dims=dims, min_side=0, max_side=max_side)
    dtype = st.sampled_from(dtypes).map(np.dtype)
    return dtype.flatmap(lambda d: hnp.arrays(d, shapes))


def same(found, expected):
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f")


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
    with pytest.raises(ValueError, match="first or the last"):
        ef.reduce(values, axis=1)
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
@given(numbers(SORTED))
def test_sort(values):
    expected = np.sort(values, kind="stable")
    assert np.array_equal(ef.sort(values), expected, equal_nan=values.dtype.kind == "f")
    in_place = values.copy()
    ef.sort(in_place, out=in_place)
    assert np.array_equal(in_place, expected, equal_nan=values.dtype.kind == "f")


@quick
@given(numbers([*DTYPES, "float32", "float64", "bool"]))
def test_argsort_and_unique(values):
    assert np.array_equal(ef.argsort(values), np.argsort(values, kind="stable"))
    found = ef.unique(values, return_index=True, return_inverse=True, return_counts=True)
    expected = np.unique(values, return_index=True, return_inverse=True, return_counts=True)
    for ours, theirs in zip(found, expected):
        assert np.array_equal(ours, theirs, equal_nan=values.dtype.kind == "f")


@quick
@given(numbers([*DTYPES, "float32", "float64", "bool"]))
def test_unique_and_its_counts(values):
    same(ef.unique(values), np.unique(values))
    found = ef.unique(values, return_counts=True)
    for part, expected in zip(found, np.unique(values, return_counts=True)):
        same(part, expected)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint64", "int64", "float64"])
@pytest.mark.parametrize("span", [2, 50000, 2**40])
def test_unique_of_many(dtype, span):
    # A small range is counted in bins, and a large one is sorted.
    random = np.random.default_rng(1)
    keys = (random.integers(0, span, size=1000) - 70).astype(dtype)
    values = keys[random.integers(0, 1000, size=60000)]
    for part, expected in zip(
        ef.unique(values, return_counts=True), np.unique(values, return_counts=True)
    ):
        same(part, expected)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("different", [1000, 100000, 300000])
def test_counts_of_a_million(different, threads):
    # Few keys are counted in hash tables; many, and those made for one slot of a table, are sorted.
    random = np.random.default_rng(2)
    keys = random.integers(-(2**62), 2**62, size=different)
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    made = np.arange(different, dtype="uint64") * np.uint64(inverse)
    at = random.integers(0, different, size=(1 << 20) + 5)
    for values in (keys[at], made[at]):
        with ef.using(threads=threads):
            found = ef.unique(values, return_counts=True)
        for part, expected in zip(found, np.unique(values, return_counts=True)):
            same(part, expected)


def test_unique_of_nan_and_zeros():
    nan = np.float64("nan")
    values = np.array([nan, 0.0, -0.0, -nan, 1.0, nan])
    keys, counts = ef.unique(values, return_counts=True)
    assert keys[:2].tolist() == [0.0, 1.0]
    assert np.isnan(keys[2])
    assert counts.tolist() == [2, 1, 3]


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_sort_rows(dtype):
    values = np.random.default_rng(2).integers(0, 9, (17, 31)).astype(dtype)
    assert np.array_equal(ef.sort(values), np.sort(values))
    assert np.array_equal(ef.argsort(values), np.argsort(values, kind="stable"))
    with pytest.raises(ValueError, match="axis"):
        ef.sort(values, axis=0)


@quick
@given(numbers(["int64", "float32", "uint8"]), numbers(["int64"]), st.sampled_from(["left", "right"]))
def test_searchsorted_and_merge(haystack, needles, side):
    haystack = np.sort(haystack)
    needles = needles.astype(haystack.dtype)
    assert np.array_equal(
        ef.searchsorted(haystack, needles, side), np.searchsorted(haystack, needles, side)
    )
    if haystack.dtype.name in SORTED:
        needles = np.sort(needles)
        expected = np.sort(np.concatenate([haystack, needles]))
        assert np.array_equal(
            ef.merge(haystack, needles), expected, equal_nan=haystack.dtype.kind == "f"
        )


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", ["int8", "uint32", "float64"])
def test_top_k(dtype, largest):
    values = np.random.default_rng(3).integers(0, 100, 3000).astype(dtype)
    best = ef.top_k(values, 10, largest=largest)
    expected = np.argsort(-values.astype("int64") if largest else values, kind="stable")[:10]
    assert np.array_equal(best.indices, expected)
    assert np.array_equal(best.values, values[expected])


def test_top_k_puts_nan_last():
    values = np.array([np.nan, 1.0, 3.0])
    assert ef.top_k(values, 2).values.tolist() == [3.0, 1.0]
    assert ef.top_k(values, 2, largest=False).values.tolist() == [1.0, 3.0]
    many = np.tile(np.array([np.nan, 1.0, -np.nan, -0.0, 0.0]), 40000)
    assert ef.top_k(many, 40002).indices[-3:].tolist() == [199996, 3, 4]
    assert ef.top_k(many, 10**6).indices[-2:].tolist() == [199995, 199997]


@pytest.mark.parametrize("dtype", ["int32", "uint64", "int64", "float32", "float64"])
def test_top_k_of_many(dtype):
    random = np.random.default_rng(2)
    values = random.integers(0, 2**63, size=2**17).astype(dtype)
    if dtype == "uint64":
        values *= np.uint64(2)
    for largest in (True, False):
        found = ef.top_k(values, 30, largest=largest)
        order = np.argsort(values, kind="stable")
        if largest:
            order = values.size - 1 - np.argsort(values[::-1], kind="stable")[::-1]
        same(found.indices, order[:30])
        same(found.values, values[order[:30]])


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


def test_sort_columns():
    generator = np.random.default_rng(4)
    columns = [generator.integers(0, 4, 500).astype(t) for t in ("int8", "float64", "uint64")]
    assert np.array_equal(ef.sort_columns(columns), np.lexsort(columns[::-1]))


@pytest.mark.parametrize("how", ["inner", "left", "right", "full", "semi", "anti"])
def test_join(how):
    generator = np.random.default_rng(5)
    left = [generator.integers(0, 6, 40), generator.integers(0, 2, 40).astype("float32")]
    right = [generator.integers(0, 6, 30), generator.integers(0, 2, 30).astype("float32")]
    ours = ef.join(left, right, how)
    keys = [list(zip(*(column.tolist() for column in side))) for side in (left, right)]
    pairs = [(i, j) for i, a in enumerate(keys[0]) for j, b in enumerate(keys[1]) if a == b]
    lonely_left = [i for i in range(40) if i not in {i for i, _ in pairs}]
    lonely_right = [j for j in range(30) if j not in {j for _, j in pairs}]
    if how in ("semi", "anti"):
        kept = lonely_left if how == "anti" else sorted({i for i, _ in pairs})
        assert ours.left.tolist() == kept
        return
    expected = list(pairs)
    if how in ("left", "full"):
        expected += [(i, -1) for i in lonely_left]
    if how in ("right", "full"):
        expected += [(-1, j) for j in lonely_right]
    assert sorted(zip(ours.left.tolist(), ours.right.tolist())) == sorted(expected)
    tables = (
        pandas.DataFrame({"a": side[0], "b": side[1], name: np.arange(side[0].size)})
        for name, side in (("left", left), ("right", right))
    )
    merged = next(tables).merge(next(tables), how="outer" if how == "full" else how)
    rows = merged[["left", "right"]].fillna(-1).astype("int64").to_numpy()
    assert sorted(map(tuple, rows.tolist())) == sorted(expected)


def test_conventions_of_numpy():
    values = np.random.default_rng(3).random((7, 5), "float32")
    assert ef.reduce(values, dtype="float64") == values.sum(dtype="float64")
    found = ef.reduce(values, "max", axis=0, keepdims=True, dtype="float64")
    assert np.array_equal(found, values.max(axis=0, keepdims=True)) and found.dtype == "float64"
    assert ef.reduce(values, "min", keepdims=True).shape == (1, 1)
    numbers = (values * 100).astype("int32")
    out = np.empty((7, 5))
    assert ef.scan(numbers, out=out, dtype="float64") is out
    assert np.array_equal(out, np.cumsum(numbers, axis=1, dtype="float64"))
    assert np.array_equal(ef.scan(numbers, "max"), np.maximum.accumulate(numbers, axis=1))
    with pytest.raises(ValueError, match="axis is 0"):
        ef.scan(numbers, axis=0)
    with pytest.raises(ValueError, match="no copy is made"):
        ef.sort(numbers.T)
    flat = values.ravel()
    for kind in ("quicksort", "heapsort", None):
        assert np.array_equal(ef.sort(flat, kind=kind), np.sort(flat))
    order = ef.argsort(flat)
    found = ef.searchsorted(flat, values[0], "right", sorter=order)
    assert np.array_equal(found, np.searchsorted(flat, values[0], "right", sorter=order))
    given = values.astype("float64").ravel(), 4, (0.1, 0.9), True, numbers.astype("float64").ravel()
    for one, other in zip(ef.histogram(*given), np.histogram(*given)):
        assert np.allclose(one, other, 1e-15)


def test_bad_arguments():
    values = np.arange(4)
    with pytest.raises(ValueError, match="op is 'mode'.*'sum'"):
        ef.scan(values, "mode")
    with pytest.raises(ValueError, match="side"):
        ef.searchsorted(values, values, "middle")
    with pytest.raises(TypeError, match="dtype"):
        ef.searchsorted(values, values.astype("float64"))
    with pytest.raises(ValueError, match="one length"):
        ef.sort_columns([values, values[:2]])
    with pytest.raises(ValueError, match="how"):
        ef.join(values, values, "cross")
    with pytest.raises(ValueError, match="kind"):
        ef.sort(values, kind="bubble")


def test_dot():
    x = np.random.default_rng(6).random(1000)
    assert ef.dot(x, x) == pytest.approx(x @ x)
    with pytest.raises(ValueError, match=r"y\.size"):
        ef.dot(x, x[:5])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32", "uint64", "bool"])
def test_sorts_of_other_types(dtype):
    values = np.random.default_rng(7).integers(0, 2**63, 500).astype(dtype)
    same(ef.sort(values), np.sort(values))
    out = values.copy()
    assert ef.sort(out, out=out) is out
    same(out, np.sort(values))


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("shape", [(60, 3), (3, 60), (40, 2, 2), (5, 0), (0, 4), (1, 1)])
@pytest.mark.parametrize("dtype", ["int64", "float32", "bool"])
def test_unique_slices(shape, axis, dtype):
    values = np.random.default_rng(8).integers(0, 3, shape).astype(dtype)
    found = ef.unique(values, True, True, True, axis=axis)
    expected = np.unique(values, True, True, True, axis=axis)
    for one, other in zip(found, expected):
        same(one, other)
    same(ef.unique(values, axis=axis), expected[0])


def test_unique_slices_of_many_numbers():
    values = np.random.default_rng(9).integers(0, 2**60, (2000, 5))
    values = values[np.random.default_rng(1).integers(0, 2000, 6000)]
    for one, other in zip(
        ef.unique(values, True, True, True, axis=0), np.unique(values, True, True, True, axis=0)
    ):
        same(one, other)
    with pytest.raises(ValueError, match="axis is 2"):
        ef.unique(values, axis=2)


def test_unique_of_more_dimensions():
    values = np.random.default_rng(8).integers(0, 9, (4, 5))
    for one, other in zip(ef.unique(values, True, True), np.unique(values, True, True)):
        same(one, other)


def test_needles_of_all_shapes():
    values, needles = np.array([1.0, 2.0, 2.0, 3.0]), np.array([[2.0, 0.0], [9.0, 2.5]])
    same(ef.searchsorted(values, needles, "right"), np.searchsorted(values, needles, "right"))
    assert ef.searchsorted(values, 2) == 1
    assert ef.searchsorted(np.array([1, 5], "int8"), 3) == 1
    assert ef.searchsorted(values, [0, 2.5]).tolist() == [0, 3]
    with pytest.raises(TypeError, match="float64"):
        ef.searchsorted(np.array([1, 5]), 2.5)
    for wrong in (4, -1):
        with pytest.raises(IndexError, match="sorter"):
            ef.searchsorted(values, 2.0, sorter=np.array([0, 1, 2, wrong]))


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


def test_arguments_of_other_types():
    values = np.arange(6.0)
    for op in (None, 3):
        with pytest.raises(TypeError, match="pass the name of an operator"):
            ef.reduce(values, op)
    with pytest.raises(TypeError, match="pass one axis"):
        ef.reduce(values.reshape(2, 3), axis=(0, 1))
    with pytest.raises(TypeError, match="int64, float32 or float64"):
        ef.scan(values, dtype="int32")
    assert len(ef.top_k(values, 2**70).values) == 6
    with pytest.raises(TypeError):
        ef.top_k(values, 2.0)
    for bins, error in ((2**31, ValueError), ("auto", TypeError), (2.5, TypeError), ([1.0], ValueError)):
        with pytest.raises(error, match="histogram: bins"):
            ef.histogram(values, bins)
    with pytest.raises(ValueError, match="histogram: the range is nan"):
        ef.histogram(np.array([1, np.nan]), 3)
    assert ef.join([1, 2], [2, 3]) == (np.array([1]), np.array([0]))
    with pytest.raises(TypeError, match="astype\\('int64'\\)"):
        ef.merge(values.astype("uint64"), values.astype("uint64"))
