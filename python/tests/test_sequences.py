"""Orders, searches and unique elements, with NumPy as the oracle."""

import numpy as np
import pytest
from comparisons import same
from hypothesis import given
from hypothesis import strategies as st
from inputs import DTYPES, numbers, quick

import evenfold as ef

SORTED = ["int32", "int64", "float32", "float64"]


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
    # The first of equal elements, which may be 0.0 or -0.0: NumPy chooses it only if it is asked to.
    _, firsts, counts = np.unique(values, return_index=True, return_counts=True)
    same(ef.unique(values), values[firsts])
    for part, expected in zip(ef.unique(values, return_counts=True), (values[firsts], counts)):
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
    for values in (keys[at], made[at], keys, made):
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


@pytest.mark.parametrize("axis", [None, 0, 1, -2])
def test_other_axes(axis):
    values = np.random.default_rng(2).integers(0, 9, (4, 5, 3))
    assert np.array_equal(ef.sort(values, axis=axis), np.sort(values, axis=axis))
    order = np.argsort(values, axis=axis, kind="stable")
    assert np.array_equal(ef.argsort(values, axis=axis), order)
    out = np.empty_like(values if axis is not None else values.ravel())
    assert ef.sort(values, axis=axis, out=out) is out
    assert np.array_equal(out, np.sort(values, axis=axis))
    if axis is not None:
        assert np.array_equal(ef.scan(values, axis=axis), np.cumsum(values, axis=axis))
        assert np.array_equal(ef.scan(values.T, axis=axis), np.cumsum(values.T, axis=axis))
    for function in (ef.sort, ef.argsort, ef.scan):
        with pytest.raises(ValueError, match="axis is 3"):
            function(values, axis=3)


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


@pytest.mark.parametrize("side", ["left", "right"])
def test_few_searches_in_many_elements(side):
    for dtype in [*DTYPES, "float32", "float64"]:
        values = np.sort(np.random.default_rng(4).integers(0, 50, 20_000).astype(dtype))
        if dtype.startswith("float"):
            values[-3:] = np.nan
        sought = np.array([0, 7, 49, 50, 99, values[-1]], dtype)
        found = ef.searchsorted(values, sought, side)
        assert found.tolist() == np.searchsorted(values, sought, side).tolist()


@pytest.mark.parametrize("dtype", ["int32", "uint64", "float32", "float64"])
def test_counts_have_the_bits_of_the_reference(dtype):
    """Where few are different and where many are; zeros with signs and NaN of several bits."""
    source = np.random.default_rng(4)
    for count in (0, 1, 2, 8191, 8192, 70_000, 300_000):
        for most in (1, 100, count // 20 + 1, 10 * count + 5):
            values = (source.integers(0, most, count) * 777).astype(dtype)
            if dtype.startswith("float") and count > 2:
                values[source.integers(0, count, 8)] = [0.0, -0.0, 0.0, -0.0, np.nan, -np.nan] + [7, -7]
            found = []
            for threads in (1, 3):
                with ef.using(threads=threads):
                    found.append(ef.unique(values, return_counts=True))
            with ef.using("reference"):
                found.append(ef.unique(values, return_counts=True))
            expected = np.unique(values, return_counts=True)
            for keys, counts in found:
                assert keys.tobytes() == found[-1][0].tobytes()
                assert np.array_equal(keys, expected[0], equal_nan=True)
                assert np.array_equal(counts, expected[1])
