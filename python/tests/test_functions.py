"""Functions of the user's, with NumPy's evaluation of the same expression as the oracle."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import evenfold as ef
from evenfold import _arrays, _composed, _native, _nvrtc, _traced
from evenfold._calls import Call

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES += ["float32", "float64", "bool"]
quick = settings(max_examples=60, deadline=None)
numbers = np.random.default_rng(5)


def same(found, expected):
    """Whether two arrays have the same dtype and bits; NaN are equal."""
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f")
    if expected.dtype.kind == "f":
        kept = ~np.isnan(expected)
        assert np.array_equal(np.signbit(found[kept]), np.signbit(expected[kept]))


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


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_folds_have_the_bits_of_folds_of_arrays(dtype, device):
    size = 60000
    x, w = ((numbers.normal(size=size) * 50).astype(dtype) for _ in range(2))
    lengths = numbers.integers(0, 400, size=400)
    lengths[7] = 9000
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    offsets = np.append(offsets[offsets < size], size)
    product = x * w
    with ef.using(device):
        for op in ("sum", "min", "max"):
            assert ef.reduce(lambda a, b: a * b, (x, w), op) == ef.reduce(product, op)
            for exclusive in (False, True):
                same(
                    ef.scan(lambda a, b: a * b, (x, w), op, exclusive=exclusive),
                    ef.scan(product, op, exclusive=exclusive),
                )
            found = ef.segreduce(lambda a, b: a * b, (x, w), offsets, op=op)
            same(found, ef.segreduce(product, offsets, op))
    with ef.using(threads=3):
        same(ef.segreduce(lambda a: a, x, offsets), ef.segreduce(x, offsets))
        same(ef.scan(lambda a: a + 0, x), ef.scan(x))


@quick
@given(st.integers(0, 5000), st.integers(1, 4))
def test_operators_of_the_user(size, threads):
    # Matrices [[1, b], [0, 1]] scaled by a: an associative operator that does not commute.
    a, b = numbers.integers(-2, 3, size=size), numbers.integers(-9, 9, size=size)

    def compose(left, right):
        return left[0] * right[0], left[1] * right[0] + right[1]

    one, add = np.cumprod(a), np.empty(size, "int64")
    last = 0
    with np.errstate(over="ignore"):
        for i in range(size):
            last = add[i] = np.int64(last) * a[i] + b[i]
    with ef.using(threads=threads):
        found = ef.scan(lambda x, y: (x, y), (a, b), op=compose)
        same(found[0], one)
        same(found[1], add)
        whole = ef.reduce(lambda x, y: (x, y), (a, b), op=compose, initial=(1, 0))
        assert whole == ((one[-1], add[-1]) if size else (1, 0))
        middle = size // 3
        folds = ef.segreduce(
            lambda x: x, a, np.array([0, middle, middle, size]),
            op=lambda p, q: p * q * 1, initial=1,
        )  # fmt: skip
        assert folds.tolist() == [np.prod(a[:middle]), 1, np.prod(a[middle:])]
        before = ef.scan(a, lambda p, q: p * q * 1, exclusive=True, initial=1)
        assert before.tolist() == [1, *one[:-1]][:size]


def affine(a, b):
    """The composition of two functions x -> p x + q: associative, but not commutative."""
    return a[0] * b[0], a[1] * b[0] + b[1]


@pytest.mark.parametrize("size", [0, 1, 15, 16, 31, 48, 1000, 5003])
def test_composed_folds_have_the_same_bits(size):
    # These are computed on a GPU.
    x = numbers.normal(size=size).astype("float32")
    op, both = lambda a, b: a + b + 0, lambda v: (v, v * 2)
    ends = _arrays.take_flat("test", "ends", np.array([0, size])).array
    one = Call("reduce", lambda v: v, x)
    assert one.give(_composed.reduce(one, op, np.float32(0.5), ends))[0] == ef.reduce(
        x, op, initial=np.float32(0.5)
    )
    cuts = np.sort(numbers.integers(0, size + 1, size=30))
    offsets = np.concatenate([[0], cuts, [size]])
    two = Call("segreduce", both, x, offsets=offsets)
    for found, expected in zip(
        two.give(_composed.segreduce(two, affine, (1, 0))),
        ef.segreduce(both, x, offsets, op=affine, initial=(1, 0)),
    ):
        same(found, expected)
    for exclusive, initial in ((False, None), (False, (1, 0)), (True, (1, 0.5))):
        for found, expected in zip(
            two.give(_composed.scan(two, affine, initial, exclusive)),
            ef.scan(both, x, op=affine, exclusive=exclusive, initial=initial),
        ):
            same(found, expected)


@pytest.mark.parametrize("size", [0, 1, 2, 777, 4096])
def test_composed_sorts_are_stable(size):
    x = numbers.integers(-9, 9, size=size).astype("int16")
    call = Call("sort", lambda v: v, x)
    order = _composed.sort_indices(call, lambda a, b: abs(a) < abs(b))
    same(call.like.give(order), np.argsort(np.abs(x), kind="stable"))


def test_operators_that_the_library_has():
    x = numbers.random(5000)
    assert ef.reduce(x.copy(), lambda a, b: a + b) == ef.reduce(x)
    same(ef.scan(x, op=lambda a, b: np.maximum(a, b)), np.maximum.accumulate(x))
    with pytest.raises(ValueError, match="no elements to fold"):
        ef.reduce(x[:0], lambda a, b: a + b)


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


def test_sorts_by_a_comparison():
    x = numbers.integers(-50, 50, size=3000).astype("int16")
    order = np.argsort(np.abs(x), kind="stable")
    same(ef.sort(x, less=lambda a, b: abs(a) < abs(b)), x[order])
    same(ef.argsort(x, less=lambda a, b: abs(a) < abs(b)), order)


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


def has_nvrtc():
    try:
        return _nvrtc._library() is not None
    except RuntimeError:
        return False


def everything(a, b, i):
    """One function with all kinds of steps."""
    floats = [np.sqrt(a), a // b, a % b, np.minimum(a, b) ** 2, np.where(a > b, a, b), np.exp(a)]
    floats += [np.floor(b), np.copysign(a, b), np.hypot(a, b), np.arcsin(a), a**b, -abs(a)]
    integers = [i // 3, i % 7, i << 2, i >> i, ~i ^ 5, i**3, abs(i), i.astype("uint8") + 200]
    logical = (a < b) & ~(a == b) | (i != 0)
    return sum(floats), sum(integers), logical, GLOBAL_TABLE[i], a.astype("int16"), logical / i


@pytest.mark.skipif(not has_nvrtc(), reason="NVRTC is missing")
def test_nvrtc_compiles_traced_functions(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path))
    for dtypes in (("float32", "float64", "int64"), ("float64", "float64", "int8")):
        ef.precompile(everything, *dtypes, architecture="sm_90")
    kept = sorted(path.read_bytes() for path in tmp_path.iterdir())
    assert len(kept) == 2
    assert all(image.startswith(b"\x7fELF") for image in kept)
    _nvrtc._loaded.clear()
    monkeypatch.setattr(_nvrtc, "compile_source", None)
    ef.precompile(everything, "float32", "float64", "int64", architecture="sm_90")


def test_other_numbers_and_arrays_give_the_same_source():
    def source(factor, table):
        inputs = _traced.inputs([np.dtype("int32")])
        return _traced.trace("test", lambda i: table[i] * factor, inputs).traced.source()

    assert source(2.0, np.arange(3.0)) == source(5.0, np.arange(9.0))
    assert source(2, np.arange(3.0)) == source(7, np.arange(9.0))


@pytest.mark.skipif(not has_nvrtc(), reason="NVRTC is missing")
def test_functions_in_cpp(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path))
    add = ef.cpp("[](float a, float b) { return a + b; }")
    ef.precompile(add, "float32", "float32", architecture="sm_90")
    ef.precompile(lambda x: add(x, 1.0) * 2, "float32", architecture="sm_90")
    with pytest.raises(RuntimeError, match="no_such_name"):
        ef.precompile(ef.cpp("[](float a) { return no_such_name; }"), "int8", architecture="sm_90")


@pytest.mark.skipif(not has_nvrtc(), reason="NVRTC is missing")
def test_nvrtc_compiles_composed_folds_and_sorts(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path))
    monkeypatch.setattr(Call, "architecture", "sm_90")
    x, factor = numbers.random(40), np.array([2.0])
    call = Call("segreduce", lambda v: (v, v + 1), x, offsets=np.array([0, 3, 40]))

    def op(a, b):
        return a[0] + b[0] * factor[0], np.maximum(a[1], b[1])

    _composed.segreduce(call, op, (0, 0))
    _composed.scan(call, affine, None, False)
    _composed.sort_indices(Call("sort", lambda v: v, x[:3]), lambda a, b: a > b)
    kernels = len(list(tmp_path.iterdir()))
    assert kernels > 6
    # Other sizes with as many levels, numbers and arrays need no other kernel.
    x, factor = numbers.random(50), np.array([3.0])
    call = Call("segreduce", lambda v: (v, v + 1), x, offsets=np.array([0, 3, 7, 50]))
    _composed.segreduce(call, op, (5, 1))
    assert len(list(tmp_path.iterdir())) == kernels


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


def test_native_functions_have_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path))
    _native._library.cache_clear()
    size = 5003
    a, b = (numbers.normal(size=size) * 100 for _ in range(2))
    i = numbers.integers(-5, 5, size=size)
    native = ef.function(everything, native=True)
    with np.errstate(all="ignore"):
        for found, expected in zip(native(a, b, i), ef.transform(everything, a, b, i)):
            same(found, expected)
    assert len(list(tmp_path.glob("*.so"))) == 1
    cuts = np.sort(numbers.integers(0, size + 1, size=90))
    offsets = np.concatenate([[0], cuts, [size]])
    f, g = lambda x, y: x * y + 0.5, lambda p, q: p + q + 0
    n, m = (ef.function(one, native=True) for one in (f, g))
    for op in ("sum", "max"):
        assert ef.reduce(n, (a, b), op) == ef.reduce(f, (a, b), op)
        same(ef.segreduce(n, (a, b), offsets, op), ef.segreduce(f, (a, b), offsets, op))
        same(ef.scan(n, (a, b), op), ef.scan(f, (a, b), op))
    # Segments that are empty, within a run, and too long for one call, of other types.
    ends = np.array([0, 0, 5, 5, 1000, 1016, 5003])
    for dtype, op in (("float32", "prod"), ("int64", "min")):
        x = (a / 100).astype(dtype)
        same(ef.segreduce(n, (x, x), ends, op), ef.segreduce(f, (x, x), ends, op))
    same(ef.scan(n, (a, b), m), ef.scan(f, (a, b), g))
    found = ef.segreduce(f, (a, b), offsets, m, initial=0)
    same(found, ef.segreduce(f, (a, b), offsets, g, initial=0))
    same(ef.filter(ef.function(lambda x: x > 3, native=True), a), a[a > 3])
    of_rows = lambda k, s, r, x: (k + 10 * s - r, x)  # noqa: E731
    rows = ef.function(of_rows, native=True)
    for found, expected in zip(
        ef.transform_lbs(rows, offsets, a), ef.transform_lbs(of_rows, offsets, a)
    ):
        same(found, expected)
    less = ef.function(lambda p, q: abs(p) < abs(q), native=True)
    same(ef.sort(a, less=less), a[np.argsort(abs(a), kind="stable")])
    with pytest.raises(IndexError, match="captured array"):
        ef.transform(ef.function(lambda k: GLOBAL_TABLE[k], native=True), i + 10)


def test_functions_in_cpp_on_the_cpu(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path / "kept"))
    add = ef.cpp("[](double a, double b) { return a > b ? a + b : b; }")
    x, y = numbers.random(3000), numbers.random(3000)
    expected = np.where(x > y, x + y, y)
    same(ef.transform(add, x, y), expected)
    same(ef.transform(lambda p, q: add(p, q) * 2, x, y), expected * 2)
    assert ef.reduce(x, np.maximum) == ef.reduce(
        x, ef.cpp("[](double a, double b) { return a < b ? b : a; }")
    )
    with pytest.raises(RuntimeError, match="no_such_name"):
        ef.transform(ef.cpp("[](double a) { return no_such_name; }"), x)
    # A folder that cannot be written.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVENFOLD_CACHE", str(tmp_path / "file"))
    same(ef.transform(ef.cpp("[](double a) { return a - 1; }"), x), x - 1)


def test_a_missing_compiler_is_named(monkeypatch):
    monkeypatch.setattr(_native.shutil, "which", lambda _: None)
    _native._compiler.cache_clear()
    _native._machine.cache_clear()
    with pytest.raises(RuntimeError, match=r"neither g\+\+ nor clang\+\+ was found"):
        ef.transform(ef.function(lambda v: v - 12345, native=True), np.arange(3))
    monkeypatch.undo()
    _native._compiler.cache_clear()
