"""Folds, scans and sorts of the values of functions, also by functions of two values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold as ef
from comparisons import same
from evenfold import _arrays, _composed
from evenfold._calls import Call

quick = settings(max_examples=60, deadline=None)
numbers = np.random.default_rng(5)


def affine(a, b):
    """The composition of two functions x -> p x + q: associative, but not commutative."""
    return a[0] * b[0], a[1] * b[0] + b[1]


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


SHAPES = {
    "ones": lambda n: np.ones(n, "int64"),
    "tens": lambda n: np.full(n // 10, 10),
    "sixteens": lambda n: np.full(n // 16, 16),
    "of_700": lambda n: np.full(n // 700, 700),
    "few": lambda n: numbers.integers(0, 5, n // 2),
    "dozens": lambda n: numbers.integers(0, 60, n // 30),
    "hundreds": lambda n: numbers.integers(0, 400, n // 200),
    "empty_and_full": lambda n: np.tile([0, 0, 0, 0, 16], n // 16),
    "giants": lambda n: numbers.choice([0, 1, 2, 40, n // 20], n // 40, p=[0.3, 0.3, 0.2, 0.19, 0.01]),
    "several": lambda n: np.concatenate([shape(n // 8) for shape in list(SHAPES.values())[:8]]),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_segments_of_any_lengths_have_the_bits_of_folds_of_arrays(shape, dtype):
    offsets = np.concatenate([[3], 3 + np.cumsum(SHAPES[shape](60000))])
    offsets[0] = 0
    size = offsets[-1]
    x, w = ((numbers.normal(size=size) * 1e5).astype(dtype) for _ in range(2))
    product = x * w
    for threads in (1, 2):
        with ef.using(threads=threads):
            for op in ("sum", "max"):
                found = ef.segreduce(lambda a, b: a * b, (x, w), offsets, op)
                same(found, ef.segreduce(product, offsets, op))
    with ef.using("reference"):
        same(ef.segreduce(lambda a, b: a * b, (x, w), offsets), ef.segreduce(product, offsets))


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


def test_sorts_by_a_comparison():
    x = numbers.integers(-50, 50, size=3000).astype("int16")
    order = np.argsort(np.abs(x), kind="stable")
    same(ef.sort(x, less=lambda a, b: abs(a) < abs(b)), x[order])
    same(ef.argsort(x, less=lambda a, b: abs(a) < abs(b)), order)
