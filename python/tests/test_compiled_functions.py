"""Functions that NVRTC, or the compiler of this machine, has compiled."""

import numpy as np
import pytest

import evenfold as ef
from comparisons import same
from evenfold import _composed, _native, _nvrtc
from evenfold._calls import Call

GLOBAL_TABLE = np.arange(5.0)
numbers = np.random.default_rng(5)


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
    _composed.scan(call, lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), None, False)
    _composed.sort_indices(Call("sort", lambda v: v, x[:3]), lambda a, b: a > b)
    kernels = len(list(tmp_path.iterdir()))
    assert kernels > 6
    # Other sizes with as many levels, numbers and arrays need no other kernel.
    x, factor = numbers.random(50), np.array([3.0])
    call = Call("segreduce", lambda v: (v, v + 1), x, offsets=np.array([0, 3, 7, 50]))
    _composed.segreduce(call, op, (5, 1))
    assert len(list(tmp_path.iterdir())) == kernels


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
    # Segments that are empty, within a run, and too long for one tile, of other types; and a
    # function of which whole tiles are computed.
    ends = np.array([0, 0, 5, 5, 1000, 1016, 1016, 1017, 5003, 5003])
    heavy = lambda x, y: np.where(x > y, x * y, np.sqrt(abs(x)).astype(x.dtype) - y)  # noqa: E731
    for dtype, op in (("float32", "prod"), ("int64", "min"), ("float64", "sum")):
        x = (a / 100).astype(dtype)
        for at in (offsets, ends):
            same(ef.segreduce(n, (x, x), at, op), ef.segreduce(f, (x, x), at, op))
            found = ef.segreduce(ef.function(heavy, native=True), (x, x[::-1].copy()), at, op)
            same(found, ef.segreduce(heavy, (x, x[::-1].copy()), at, op))
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
