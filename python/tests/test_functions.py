"""Functions of the user's, with NumPy's evaluation of the same expression as the oracle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import evenfold as ef
from comparisons import same

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES += ["float32", "float64", "bool"]
quick = settings(max_examples=60, deadline=None)
numbers = np.random.default_rng(5)


def arrays(dtype, size):
    return hnp.arrays(np.dtype(dtype), size)


@st.composite
def pairs(draw):
    size = draw(st.integers(0, 40))
    return tuple(draw(arrays(draw(st.sampled_from(DTYPES)), size)) for _ in range(2))


ARITHMETIC = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "floor_divide": lambda a, b: a // b,
    "remainder": lambda a, b: a % b,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "with_numbers": lambda a, b: (a + 1) * 2.5 - 3 * b,
    "where": lambda a, b: np.where(a > b, a, b),
    "logical": lambda a, b: np.logical_and(a, b) | np.logical_not(a),
}


@quick
@given(pairs(), st.sampled_from(list(ARITHMETIC)))
def test_arithmetic_has_the_bits_of_numpy(operands, name):
    f = ARITHMETIC[name]
    with np.errstate(all="ignore"):
        same(ef.transform(f, *operands), f(*operands))


INTEGERS = {
    "and": lambda a, b: a & b,
    "xor_not": lambda a, b: ~a ^ b,
    "shifts": lambda a, b: (a << 3) + (b >> 2),
    "negative": lambda a, b: -a - abs(b),
    "power": lambda a, b: a**3 + b**0,
}


@quick
@given(st.sampled_from(DTYPES[:8]), st.integers(0, 30), st.sampled_from(list(INTEGERS)), st.data())
def test_operators_of_integers(dtype, size, name, data):
    a, b = (data.draw(arrays(dtype, size)) for _ in range(2))
    with np.errstate(all="ignore"):
        same(ef.transform(INTEGERS[name], a, b), INTEGERS[name](a, b))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_exact_functions_of_floats(dtype):
    x = (numbers.normal(size=3000) * 100).astype(dtype)
    for name in ("floor", "ceil", "trunc", "rint", "square", "isnan", "isfinite", "absolute"):
        f = getattr(np, name)
        same(ef.transform(lambda v: f(v), x), f(x))
    same(ef.transform(lambda v: np.sqrt(abs(v) * 1.0), x), np.sqrt(np.abs(x) * 1.0))
    same(ef.transform(lambda v: np.clip(v, -3, 7), x), np.clip(x, -3, 7))


def test_other_functions_are_close():
    x = numbers.random(2000) + 0.25
    for name in ("exp", "log", "sin", "cos", "tanh", "log1p", "expm1", "arctan"):
        f = getattr(np, name)
        np.testing.assert_allclose(ef.transform(lambda v: f(v), x), f(x), rtol=1e-14)
    np.testing.assert_allclose(ef.transform(lambda v: v**1.7, x), x**1.7, rtol=1e-14)
    np.testing.assert_allclose(ef.transform(np.hypot, x, x), np.hypot(x, x), rtol=1e-14)


@pytest.mark.parametrize("source", DTYPES)
def test_casts(source):
    x = (numbers.random(50) * 100).astype(source)
    for target in DTYPES:
        same(ef.transform(lambda v: v.astype(target), x), x.astype(target))


def test_tuples_shapes_and_numbers():
    x = numbers.random((40, 30))
    total, is_large = ef.transform(lambda v, k: (v + k, v > 0.5), x, 2)
    same(total, x + 2)
    same(is_large, x > 0.5)
    same(ef.transform(lambda v: 7, np.arange(3)), np.array([7, 7, 7]))
    assert ef.transform(lambda v: v, np.zeros(0)).shape == (0,)


def test_captured_arrays_and_numbers_are_read_anew():
    table, factor = np.array([10, 20, 30]), 2.0
    index = np.array([0, -1, 1, 2] * 700)

    def f(i):
        return table[i] * factor

    same(ef.transform(f, index), table[index] * factor)
    table[:], factor = [1, 2, 3], 3.0
    same(ef.transform(f, index), table[index] * factor)
    with pytest.raises(IndexError, match="index 3 of a captured array that has 3"):
        ef.transform(f, index + 1)


GLOBAL_TABLE = np.arange(5.0)


def helper(i):
    return GLOBAL_TABLE[i] + 1


def test_globals_defaults_and_helpers():
    other = np.array([5, 6, 7, 8, 9])
    same(ef.transform(lambda i, t=other: helper(i) * t[i], np.arange(5)), (GLOBAL_TABLE + 1) * other)

    @ef.function
    def twice(x):
        return x + x

    same(ef.transform(lambda x: twice(x) - 1, other), 2 * other - 1)
    same(twice(other), 2 * other)
    assert twice(4) == 8


def test_filters_counts_and_rows():
    x = numbers.integers(0, 100, size=20000)
    keep = lambda v: (v > 20) & (v % 3 == 0)  # noqa: E731
    same(ef.filter(keep, x), x[keep(x)])
    assert ef.count_if(keep, x) == keep(x).sum()
    y = x * 0.5
    kept = ef.filter(lambda a, b: b > 30, x, y)
    same(kept[0], x[y > 30])
    same(kept[1], y[y > 30])
    rows = ef.Ragged(x, np.array([0, 5, 5, 20000]))
    same(rows.map(lambda v: v + 0.5).values, x + 0.5)
    assert rows.filter(keep)[0].tolist() == [v for v in x[:5] if keep(v)]
    offsets = np.array([0, 3, 3, 5000])
    found = ef.transform_lbs(lambda i, s, r: i * 3 + s * 5 + r, offsets)
    segment = np.repeat(np.arange(3), np.diff(offsets))
    same(found, np.arange(5000) * 3 + segment * 5 + np.arange(5000) - offsets[segment])


def test_what_cannot_be_traced_says_why():
    x = np.arange(4.0)
    with pytest.raises(TypeError, match=r"evenfold\.where"):
        ef.transform(lambda v: v if v > 0 else -v, x)
    with pytest.raises(TypeError, match="functions of NumPy"):
        ef.transform(lambda v: float(v) + 1, x)
    with pytest.raises(TypeError, match="index the array"):
        ef.transform(lambda v: v + x, x)
    with pytest.raises(TypeError, match="integers"):
        ef.transform(lambda v: x[v], x)
    with pytest.raises(TypeError, match="it must return a value"):
        ef.transform(lambda v: "text", x)
    with pytest.raises(TypeError, match="numpy.gcd cannot be traced"):
        ef.transform(lambda v: np.gcd(v, 2), np.arange(3))
    with pytest.raises(TypeError, match="a bool is expected"):
        ef.filter(lambda v: v, x)

    def endless(v):
        return ef.where(v < 1, 0, endless(v - 1))

    with pytest.raises(RecursionError, match="calls itself without an end"):
        ef.transform(endless, x)
    kept = []
    ef.transform(lambda v: (kept.append(v), v)[1], x)
    with pytest.raises(ValueError, match="another call"):
        ef.transform(lambda v: v + kept[0], x)


def test_wrong_arguments_say_why():
    x = np.arange(4.0)
    with pytest.raises(ValueError, match="of one shape"):
        ef.transform(lambda a, b: a + b, x, x[:3])
    with pytest.raises(ValueError, match="gaps"):
        ef.transform(lambda a: a, np.arange(10.0)[::2])
    with pytest.raises(TypeError, match="complex128"):
        ef.transform(lambda a: a, x + 1j)
    with pytest.raises(OverflowError):
        ef.transform(lambda a: a + 300, np.arange(3, dtype="int8"))
    with pytest.raises(OverflowError, match="64 bits"):
        ef.reduce(lambda a: a, np.array([2**62, 2**62, 2**62]))
    with pytest.raises(TypeError, match="returns float64 for operands of float32"):
        ef.reduce(x.astype("float32"), lambda a, b: a + b * np.float64(2))
    with pytest.raises(ValueError, match="initial is missing"):
        ef.segreduce(x, np.array([0, 4]), lambda a, b: a + b)
    with pytest.raises(ValueError, match="begin at 0"):
        ef.segreduce(lambda a: a, x, np.array([1, 4]))
    with pytest.raises(ValueError, match="op is 'median'"):
        ef.reduce(lambda a: a, x, "median")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", ["sum", "min", "max"])
def test_folds_of_values_are_those_of_arrays(dtype, op):
    """Rows that are longer than the tiles in which functions are computed, and short ones."""
    numbers = np.random.default_rng(5)
    for most in (4, 300, 5000):
        offsets = np.concatenate([[0], np.cumsum(numbers.integers(0, most, 60))])
        values = numbers.integers(0, 250, offsets[-1]).astype("uint8").astype(dtype)
        if np.dtype(dtype).kind == "i":
            values -= np.dtype(dtype).type(100)
        found = ef.segreduce(lambda x: x, values, offsets, op)
        expected = ef.segreduce(values, offsets, op)
        assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()
        assert ef.reduce(lambda x: x, values, op) == ef.reduce(values, op)


def test_segments_and_ranks_of_rows_of_all_lengths():
    numbers = np.random.default_rng(6)
    for most in (2, 10, 3000):
        lengths = numbers.integers(0, most, 9000 // most + 50)
        lengths[numbers.random(len(lengths)) < 0.3] = 0
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        segments, ranks = ef.transform_lbs(lambda i, s, rank: (s, rank), offsets)
        assert np.array_equal(segments, np.repeat(np.arange(len(lengths)), lengths))
        assert np.array_equal(ranks, np.arange(offsets[-1]) - offsets[:-1][segments])


@pytest.mark.parametrize("dtype", ["bool", "uint16", "float32", "int64"])
def test_elements_of_tables_by_segments(dtype):
    numbers = np.random.default_rng(7)
    for most in (1, 2, 10, 40, 3000):
        lengths = numbers.integers(0, most + 1, 9000 // most + 50)
        lengths[numbers.random(len(lengths)) < 0.3] = 0
        lengths[-3:] = 0
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        items = numbers.integers(0, 100, offsets[-1]).astype("int32")
        weights = numbers.integers(0, 100, len(lengths)).astype(dtype)
        of_items = np.repeat(weights, lengths)
        # As many elements as segments, more, and only for segments that have items.
        for table in (weights, np.concatenate([weights, weights]), weights[:-3]):
            f = lambda i, s, rank, x: table[s]  # noqa: E731
            same(ef.transform_lbs(f, offsets, items), of_items)
            f = lambda i, s, rank, x: (table[s] * x, s, rank, table[s], table[s] == x)  # noqa: E731
            found = ef.transform_lbs(f, offsets, items)
            same(found[0], of_items * items)
            assert np.array_equal(found[1], np.repeat(np.arange(len(lengths)), lengths))
            assert np.array_equal(found[2], np.arange(offsets[-1]) - offsets[:-1][found[1]])
            same(found[3], of_items)
            same(found[4], of_items == items)
        with pytest.raises(IndexError, match="captured array"):
            few = weights[: np.flatnonzero(lengths)[-1]]
            ef.transform_lbs(lambda i, s, rank: few[s], offsets)
