"""Functions of the user's on a GPU: the bits of the CPU. Skipped where there is no GPU."""

import numpy as np
import pytest

import evenfold as ef

cupy = pytest.importorskip("cupy")
if "gpu:0" not in ef.devices():
    pytest.skip("there is no GPU", allow_module_level=True)

numbers = np.random.default_rng(9)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path))


def same(found, expected):
    assert isinstance(found, cupy.ndarray)
    assert found.dtype == expected.dtype
    assert np.array_equal(found.get(), expected, equal_nan=expected.dtype.kind == "f")


def exact(a, b, i):
    """Steps whose results have the same bits on all devices."""
    floats = np.sqrt(abs(a)) + a // b - a % b + np.minimum(a, b) ** 2 + np.where(a > b, a, b * 0.1)
    integers = i // 3 + i % 7 + (i << 2) - (i >> 1) + (~i ^ 5) + i**3 + a.astype("int64")
    logical = (a < b) & ~(a == b) | (i != 0)
    return floats, integers, logical, i.astype("uint8") + 200, np.floor(b) + np.copysign(a, b)


@pytest.mark.parametrize("dtypes", [("float32", "float64", "int64"), ("float64", "float64", "int16")])
@pytest.mark.parametrize("size", [0, 1, 1000, 300001])
def test_transform_has_the_bits_of_the_cpu(dtypes, size):
    host = [(numbers.normal(size=size) * 100).astype(dtype) for dtype in dtypes]
    with np.errstate(all="ignore"):
        expected = ef.transform(exact, *host)
    for found, one in zip(ef.transform(exact, *map(cupy.asarray, host)), expected):
        same(found, one)


def test_captured_arrays_and_segments():
    table, index = np.arange(10.0), np.array([3, -1, 0] * 100)
    on_gpu = cupy.asarray(table)
    same(ef.transform(lambda i: on_gpu[i] * 2, cupy.asarray(index)), table[index] * 2)
    with pytest.raises(IndexError, match="captured array"):
        ef.transform(lambda i: on_gpu[i], cupy.asarray(index + 8))
    offsets = np.array([0, 3, 3, 5000])
    expected = ef.transform_lbs(lambda i, s, r: i * 3 + s * 5 + r, offsets)
    same(ef.transform_lbs(lambda i, s, r: i * 3 + s * 5 + r, cupy.asarray(offsets)), expected)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_folds_and_filters(dtype):
    host = [(numbers.normal(size=50000) * 50).astype(dtype) for _ in range(2)]
    x, w = map(cupy.asarray, host)
    f = lambda a, b: a * b  # noqa: E731
    for op in ("sum", "min", "max"):
        assert ef.reduce(f, (x, w), op) == ef.reduce(f, host, op)
        same(ef.scan(f, (x, w), op), ef.scan(f, host, op))
    offsets = np.array([0, 7, 7, 50000])
    same(ef.segreduce(f, (x, w), cupy.asarray(offsets)), ef.segreduce(f, host, offsets))
    assert ef.count_if(lambda a: a > 3, x) == ef.count_if(lambda a: a > 3, host[0])
    same(ef.filter(lambda a: a > 3, x), host[0][host[0] > 3])
    op = lambda a, b: a + b + 0  # noqa: E731
    assert ef.reduce(x, op) == ef.reduce(host[0], op)


@pytest.mark.parametrize("size", [1, 15, 16, 1000, 300001])
def test_operators_of_the_user(size):
    a, b = numbers.normal(size=size), numbers.integers(-3, 3, size=size)
    offsets = np.concatenate([[0], np.sort(numbers.integers(0, size + 1, size=99)), [size]])
    on_gpu = cupy.asarray(a), cupy.asarray(b)

    def op(p, q):
        return p[0] * 0.5 + q[0], p[1] * q[1] + p[1]

    def pair(x, i):
        return x, i

    for exclusive, initial in ((False, None), (True, (0.25, 1))):
        found = ef.scan(pair, on_gpu, op, exclusive=exclusive, initial=initial)
        expected = ef.scan(pair, (a, b), op, exclusive=exclusive, initial=initial)
        for one, other in zip(found, expected):
            same(one, other)
    found = ef.segreduce(pair, on_gpu, cupy.asarray(offsets), op, initial=(0.25, 1))
    for one, other in zip(found, ef.segreduce(pair, (a, b), offsets, op, initial=(0.25, 1))):
        same(one, other)
    assert ef.reduce(pair, on_gpu, op) == ef.reduce(pair, (a, b), op)


def test_sorts_by_a_comparison():
    x = numbers.integers(-50, 50, size=100003).astype("int16")
    order = np.argsort(np.abs(x), kind="stable")
    less = lambda a, b: abs(a) < abs(b)  # noqa: E731
    same(ef.sort(cupy.asarray(x), less=less), x[order])
    same(ef.argsort(cupy.asarray(x), less=less), order)


def test_functions_in_cpp():
    x = numbers.random(1000).astype("float32")
    add = ef.cpp("[](float a, float b) { return a + b; }")
    same(ef.transform(add, cupy.asarray(x), cupy.asarray(x)), x + x)
    same(ef.transform(lambda v: add(v, np.float32(1)) * 2, cupy.asarray(x)), (x + 1) * 2)


SHORT = ["int8", "int16", "uint8", "uint16", "uint32"]


def integers_of(a, b):
    """Steps that are computed in wider integers than those of the operands, and wrap around."""
    arithmetic = a + b, a - b, a * b, -a, abs(a), a**3, np.minimum(a, b), np.maximum(a, b)
    quotients = a // b, a % b, a / b, a // 7, 100 // b
    bits = a & b, a | ~b, a ^ b, a << (b & 31), a >> (b & 31), a << 3, a >> 1
    choices = a < b, a <= b, a == b, a != b, np.where(a > b, a, b), np.where(a * b > a, a + b, b)
    chain = (a + b) // 3 * a - (a * b) % 11, (a * b + a) >> 2, ((a + b) * a < b) & (a != 0)
    casts = (a * b).astype("int64"), (a - b).astype("float64"), (a * b).astype("uint8") + b
    return *arithmetic, *quotients, *bits, *choices, *chain, *casts


def any_integers(dtype, size):
    """Of all lengths, many of them extreme or small."""
    info = np.iinfo(dtype)
    values = numbers.integers(info.min, info.max, size, dtype, endpoint=True)
    chosen = numbers.integers(0, 4, size)
    few = np.array([info.min, info.max, 0, 1, 2, 7], dtype)[numbers.integers(0, 6, size)]
    return np.where(chosen == 0, few, values)


@pytest.mark.parametrize("dtype", SHORT)
@pytest.mark.parametrize("size", [1, 33, 300001])
def test_short_integers_have_the_bits_of_the_cpu(dtype, size):
    host = [any_integers(dtype, size) for _ in range(2)]
    expected = ef.transform(integers_of, *host)
    for found, one in zip(ef.transform(integers_of, *map(cupy.asarray, host)), expected, strict=True):
        same(found, one)


@pytest.mark.parametrize("dtypes", [("int8", "uint16"), ("uint32", "int16"), ("uint8", "int64")])
def test_integers_of_two_dtypes_have_the_bits_of_the_cpu(dtypes):
    host = [any_integers(dtype, 5000) for dtype in dtypes]
    expected = ef.transform(integers_of, *host)
    for found, one in zip(ef.transform(integers_of, *map(cupy.asarray, host)), expected, strict=True):
        same(found, one)


@pytest.mark.parametrize("dtype", SHORT)
@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
def test_folds_of_short_integers_have_the_bits_of_the_cpu(dtype, op):
    host = [any_integers(dtype, 70001) for _ in range(2)]
    there = [cupy.asarray(values) for values in host]
    rows = [np.arange(0, 3000, 3), np.arange(3000, 50000, 1000), [50000, 50000, 50007, 70001]]
    offsets = np.concatenate(rows)
    weights = any_integers(dtype, offsets.size)
    table = cupy.asarray(weights)
    for f, on_gpu in (
        (lambda a, b: a, None),
        (lambda a, b: a * b, None),
        (lambda a, b: np.minimum(a, b) - (a ^ b), None),
        (lambda a, b: weights[a & 31] * b, lambda a, b: table[a & 31] * b),
    ):
        there_f = on_gpu or f
        same(
            ef.segreduce(there_f, there, cupy.asarray(offsets), op),
            ef.segreduce(f, host, offsets, op),
        )
        same(ef.scan(there_f, there, op), ef.scan(f, host, op))
        if op != "prod":
            assert ef.reduce(there_f, there, op) == ef.reduce(f, host, op)


FACTOR = 2.0


def scaled(a, b):
    return a * FACTOR + b, a < b


@pytest.mark.parametrize("size", [16, 5000])
def test_calls_that_are_like_earlier_ones(size, monkeypatch):
    a, b = (numbers.random(size) for _ in range(2))
    x, y = map(cupy.asarray, (a, b))
    for function in (scaled, ef.function(scaled), scaled):
        for factor in (2.0, 3.0):
            monkeypatch.setitem(globals(), "FACTOR", factor)
            for _ in range(3):
                for found, expected in zip(ef.transform(function, x, y), (a * factor + b, a < b)):
                    same(found, expected)
    # Other dtypes, shapes, strides and arguments.
    for dtype in ("float32", "int64", "float32", "int8", "uint8", "float64"):
        one, two = (values.astype(dtype) for values in (a, b))
        found = ef.transform(scaled, x.astype(dtype), y.astype(dtype))[0]
        same(found, ef.transform(scaled, one, two)[0])
    same(ef.transform(scaled, x.reshape(2, -1), y.reshape(2, -1))[1], (a < b).reshape(2, -1))
    same(ef.transform(scaled, x[:3], y[:3])[0], a[:3] * FACTOR + b[:3])
    same(ef.transform(scaled, x[:0], y[:0])[1], a[:0] < b[:0])
    same(ef.transform(scaled, x, 0.5)[0], a * FACTOR + 0.5)
    with pytest.raises(ValueError, match="gaps"):
        ef.transform(scaled, x[::2], y[::2])
    with pytest.raises(ValueError, match="shape"):
        ef.transform(scaled, x, y[1:])
    with pytest.raises(TypeError, match="argument"):
        ef.transform(scaled, x)
    # Functions of the same code that have defaults.
    added = [lambda v, w=w: v + w for w in (1.0, 5.0)]
    for f, w in zip(added, (1.0, 5.0)):
        same(ef.transform(f, x), a + w)
    # On a stream of the caller's own.
    with cupy.cuda.Stream(non_blocking=True) as stream:
        for _ in range(3):
            z = ef.transform(scaled, x + 1, y)[0] * 2
        stream.synchronize()
        same(z, ((a + 1) * FACTOR + b) * 2)
