"""Ragged arrays, with NumPy, PyArrow and Awkward as oracles."""

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold as ef

quick = settings(max_examples=40, deadline=None)
DTYPES = ["int8", "uint8", "int32", "int64", "float32", "float64"]


@st.composite
def ragged(draw):
    lengths = draw(st.lists(st.integers(0, 12), max_size=20))
    dtype = draw(st.sampled_from(DTYPES))
    seed = draw(st.integers(0, 1000))
    values = np.random.default_rng(seed).integers(0, 50, sum(lengths)).astype(dtype)
    return ef.Ragged(values, np.concatenate([[0], np.cumsum(lengths)]).astype("int64"))


@quick
@given(ragged())
def test_folds(rows):
    for name in ("sum", "prod", "min", "max", "mean", "argmin", "argmax"):
        result = getattr(rows, name)()
        for row, found in zip(rows, result):
            if row.size == 0:
                continue
            wide = row.astype("int64") if row.dtype.kind in "iu" and name != "mean" else row
            with np.errstate(over="ignore"):
                expected = getattr(wide, name)()
            np.testing.assert_allclose(found, expected, rtol=1e-5)
        assert len(result) == len(rows)


def test_empty_rows():
    rows = ef.Ragged.from_lists([[], [1.5], []])
    assert rows.sum().tolist() == [0.0, 1.5, 0.0]
    assert rows.prod().tolist() == [1.0, 1.5, 1.0]
    assert rows.min().tolist() == [np.inf, 1.5, np.inf]
    assert rows.argmax().tolist() == [-1, 0, -1]
    assert np.isnan(rows.mean()[[0, 2]]).all()
    none = ef.Ragged(np.zeros(0), np.zeros(1, "int64"))
    assert none.sum().shape == (0,)
    assert none.topk(2).to_lists() == []


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "uint64", "uint8"])
def test_extremes_of_rows(dtype):
    info = np.finfo(dtype) if dtype.startswith("f") else np.iinfo(dtype)
    random = np.random.default_rng(3)
    values = random.integers(0, 9, size=60000).astype(dtype)
    for extreme in (info.max, info.min):
        values[random.integers(0, 60000, 900)] = extreme
    values[:40], values[40:80] = info.max, info.min
    if dtype.startswith("f"):
        values[100:200], values[300:320:2] = np.nan, -np.nan
    cuts = [20, 40, 50, 80, 110, 190, 300, 20000, *random.integers(320, 60000, 2000)]
    offsets = np.concatenate([[0], np.sort(cuts), [60000]])

    def first(row, of):
        if row.size == 0:
            return -1
        known = row[~np.isnan(row)] if dtype.startswith("f") else row
        return 0 if known.size == 0 else int(np.flatnonzero(row == of(known))[0])

    rows = [values[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
    for device in ("cpu", "reference"):
        with ef.using(device):
            ragged = ef.Ragged(values, offsets)
            assert ragged.argmin().tolist() == [first(row, np.min) for row in rows]
            assert ragged.argmax().tolist() == [first(row, np.max) for row in rows]



@quick
@given(ragged(), st.integers(0, 5), st.booleans())
def test_rows_of_rows(rows, k, largest):
    ours = rows.scan()
    for row, found in zip(rows, ours):
        expected = np.cumsum(row) if row.dtype.kind == "f" else np.cumsum(row.astype("int64"))
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert rows.sort().to_lists() == [sorted(row) for row in rows.to_lists()]
    assert rows.sort(descending=True).to_lists() == [
        sorted(row, reverse=True) for row in rows.to_lists()
    ]
    order = [row - begin for row, begin in zip(rows.argsort(), rows.offsets)]
    for row, found in zip(rows, order):
        assert np.array_equal(found, np.argsort(row, kind="stable"))
    assert rows.topk(k, largest=largest).to_lists() == [
        sorted(row, reverse=largest)[:k] for row in rows.to_lists()
    ]
    mask = rows.values % 2 == 0
    assert rows.filter(mask).to_lists() == [[x for x in row if x % 2 == 0] for row in rows.to_lists()]
    assert rows.concat(rows, rows.filter(mask)).to_lists() == [
        row + row + [x for x in row if x % 2 == 0] for row in rows.to_lists()
    ]


def test_one_giant_row_among_empty_ones():
    values = np.random.default_rng(0).random(200_000)
    offsets = np.concatenate([np.zeros(5000), np.full(5000, values.size)]).astype("int64")
    rows = ef.Ragged(values, offsets)
    sums = rows.sum()
    assert sums[4999] == pytest.approx(values.sum())
    assert np.count_nonzero(sums) == 1
    assert np.array_equal(rows.sort().values, np.sort(values))


@quick
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-100, 100)), max_size=60))
def test_group_by(pairs):
    keys, values = np.array(pairs, "int64").reshape(-1, 2).T.copy()
    expected = {}
    for key, value in pairs:
        expected.setdefault(key, []).append(value)
    found = ef.group_by(keys, values)
    assert dict(zip(found.keys.tolist(), found.rows.to_lists())) == expected
    assert found.keys.tolist() == sorted(expected)
    sums = pandas.Series(values).groupby(keys).sum()
    assert found.rows.sum().tolist() == sums.tolist() and found.keys.tolist() == sums.index.tolist()


def test_segreduce():
    values, offsets = np.arange(6), np.array([0, 2, 2, 6])
    assert ef.segreduce(values, offsets).tolist() == [1, 0, 14]
    assert ef.segreduce(values, offsets, "mean")[0] == 0.5
    with pytest.raises(ValueError, match="op is 'mode'"):
        ef.segreduce(values, offsets, "mode")


@pytest.mark.parametrize("offsets", [[1, 6], [0, 5], [0, 7], [0, 4, 2, 6]])
def test_bad_offsets(offsets):
    rows = ef.Ragged(np.arange(6), np.array(offsets, "int64"))
    for call in (rows.sum, rows.sort, rows.argmin, rows.scan):
        with pytest.raises(ValueError, match="offsets"):
            call()


def test_bad_arguments():
    rows = ef.Ragged.from_lists([[1, 2], [3]])
    with pytest.raises(ValueError, match="offsets is empty"):
        ef.Ragged(np.arange(6), np.array([], "int64"))
    with pytest.raises(TypeError, match="list of lists"):
        ef.Ragged.from_lists([1, 2])
    with pytest.raises(TypeError, match="pass a Ragged"):
        rows.concat([[1], [2]])
    with pytest.raises(ValueError, match="returns 2 values"):
        rows.map(lambda x: (x, x))
    with pytest.raises(TypeError, match="int64"):
        ef.Ragged(np.arange(3), np.array([0, 3], "int32"))
    with pytest.raises(ValueError, match="mask"):
        rows.filter(np.array([True]))
    with pytest.raises(TypeError, match="bool"):
        rows.filter(np.array([1, 0, 1]))
    with pytest.raises(ValueError, match="as many segments"):
        rows.concat(ef.Ragged.from_lists([[1]]))
    with pytest.raises(IndexError):
        rows[2]


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    lists = [[1.5, 2.5], [], [4.0]]
    for kind in (pa.list_, pa.large_list):
        array = pa.array(lists, kind(pa.float64()))
        assert ef.Ragged.from_arrow(array).to_lists() == lists
        assert ef.Ragged.from_arrow(array[1:]).sum().tolist() == [0.0, 4.0]
    assert ef.reduce(pa.array([1, 2, 3])) == 6
    assert ef.reduce(pa.array([1, 2, 3])[1:]) == 5
    with pytest.raises(ValueError, match="nulls"):
        ef.reduce(pa.array([1, None]))
    with pytest.raises(ValueError, match="nulls"):
        ef.Ragged.from_arrow(pa.array([[1], None]))
    with pytest.raises(TypeError, match="not a list"):
        ef.Ragged.from_arrow(pa.array([1]))
    with pytest.raises(TypeError, match="lists is of ndarray"):
        ef.Ragged.from_arrow(np.arange(3))
    with pytest.raises(TypeError):
        ef.reduce(pa.array(["a"]))


def test_arrow_values_are_not_copied():
    pa = pytest.importorskip("pyarrow")
    array = pa.array([[1, 2], [3]], pa.large_list(pa.int64()))
    rows = ef.Ragged.from_arrow(array)
    assert rows.values.__array_interface__["data"][0] == array.values.buffers()[1].address
    assert rows.offsets.__array_interface__["data"][0] == array.buffers()[1].address
    del array
    assert rows.sum().tolist() == [3, 3]


def test_awkward():
    ak = pytest.importorskip("awkward")
    array = ak.Array([[3, 1, 2], [], [5]])
    rows = ef.Ragged.from_awkward(array)
    assert rows.to_lists() == array.to_list()
    assert rows.sort().to_awkward().to_list() == ak.sort(array).to_list()
    assert ef.Ragged.from_awkward(array[::-1]).to_lists() == array[::-1].to_list()
    assert rows.sum().tolist() == ak.sum(array, axis=1).to_list()
    with pytest.raises(TypeError, match="None"):
        ef.Ragged.from_awkward(ak.Array([[1, None]]))
    for rows in (ak.Array([1, 2]), ak.Array([[1], None])):
        with pytest.raises(TypeError, match="lists are expected"):
            ef.Ragged.from_awkward(rows)
    assert ef.Ragged.from_awkward(ak.Array([[], []])).sum().tolist() == [0.0, 0.0]


def test_keywords_of_folds():
    values, offsets = np.array([1e8, 1.0, 1.0, 1.0], "float32"), np.array([0, 3, 3, 4])
    out = np.empty(3)
    assert ef.segreduce(values, offsets, dtype="float64", out=out) is out
    assert out.tolist() == [1e8 + 2, 0, 1]
    rows = ef.Ragged(values, offsets)
    assert rows.sum(dtype="float64").tolist() == [1e8 + 2, 0, 1]
    assert rows.max(dtype=np.int64).dtype == "int64"
    where = np.empty(3, "int64")
    assert rows.argmax(out=where) is where and where.tolist() == [0, -1, 0]
    assert rows.mean(out=out) is out and out[2] == 1
    assert ef.segreduce(lambda x: x * 2, values, offsets, out=np.empty(3, "float32"))[2] == 2
    with pytest.raises(TypeError, match="int64, float32 or float64"):
        rows.sum(dtype="int32")
    with pytest.raises(ValueError, match="the result has \\(3,\\)"):
        rows.sum(out=np.empty(2))
    with pytest.raises(TypeError, match="same_kind"):
        rows.sum(out=np.empty(3, "int64"))
    with pytest.raises(TypeError, match="there is no dtype for functions"):
        ef.segreduce(lambda x: x, values, offsets, dtype="float64")


def test_slices():
    rows = ef.Ragged.from_lists([[3, 1], [], [7, 5, 6], [2]])
    assert rows[1:3].to_lists() == [[], [7, 5, 6]]
    assert rows[:2].sum().tolist() == [4, 0]
    assert rows[-1:].to_lists() == [[2]]
    assert rows[3:1].to_lists() == []
    with pytest.raises(ValueError, match="slice without one"):
        rows[::2]
    with pytest.raises(TypeError):
        rows[1.0]


def test_rows_of_lists_and_columns():
    assert ef.Ragged([1, 2, 3], [0, 2, 3]).to_lists() == [[1, 2], [3]]
    column = pytest.importorskip("pandas").Series([1.0, 2.0, 3.0], index=[7, 8, 9])
    assert ef.Ragged(column, np.array([0, 2, 3])).to_lists() == [[1.0, 2.0], [3.0]]


def test_offsets_that_do_not_fit():
    with pytest.raises(ValueError, match="do not fit an address"):
        ef.transform_lbs(lambda i, segment, rank: rank, np.array([0, 2**62]))
    with pytest.raises(MemoryError):
        ef.transform_lbs(lambda i, segment, rank: rank, np.array([0, 2**45]))
