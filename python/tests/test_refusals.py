"""What is refused: each error names the function and the argument, and tells what to pass instead."""

import numpy as np
import pytest

import evenfold as ef

x = np.array([3.0, 1.0, 2.0])
n = np.array([3, 1, 2])
half = x.astype("float16")


@pytest.mark.parametrize(
    "values, remedy",
    [
        (x.astype("float16"), r"values\.astype\('float32'\)"),
        (x.astype("longdouble"), r"values\.astype\('float64'\)"),
        (x.astype("complex64"), r"values\.real\.copy\(\)"),
        (x.astype(">f8"), r"newbyteorder\('='\)"),
        (np.array(["2020-01-01"], "M8[D]"), r"values\.view\('int64'\), which counts D"),
        (np.array([1], "m8[ms]"), r"values\.view\('int64'\), which counts ms"),
        (np.zeros(2, [("a", "f8"), ("b", "i4")]), r"values\['a'\]\.copy\(\)"),
        (np.zeros(2, [("a", "f8"), ("b", "i4")])["a"], r"values\.copy\(\)"),
        (np.array(["a"]), r"values\.astype\('float64'\)"),
        (np.array([1, None]), r"values\.astype\('float64'\)"),
        (np.ma.masked_array(x, [0, 1, 0]), r"values\.compressed\(\)"),
        (x[::-1], "negative stride"),
        (["a", "b"], "no common dtype of numbers"),
        ([1, None], "no common dtype of numbers"),
        ([2**70], "no common dtype of numbers"),
        ([[1], [2, 3]], r"evenfold\.Ragged\.from_lists\(values\)"),
        ({1, 2}, "no array of numbers"),
        (None, "no array of numbers"),
        ("abc", "no array of numbers"),
    ],
)
@pytest.mark.parametrize("function", [ef.sort, ef.reduce, ef.scan, ef.unique])
def test_arrays_that_cannot_be_taken(function, values, remedy):
    with pytest.raises((TypeError, ValueError), match=rf"{function.__name__}: values.*{remedy}"):
        function(values)


def test_arrow_arrays_that_cannot_be_taken():
    pa = pytest.importorskip("pyarrow")
    for values, remedy in [
        (pa.array([True]), "cast it to uint8"),
        (pa.array([[1], [2, 3]]), r"evenfold\.Ragged\.from_arrow"),
        (pa.table({"a": [1]}), "one of its columns"),
        (pa.array(np.array([1], "float16")), "cast it to float"),
        (pa.array(["a"]), "cast it to integers, float or double"),
        (pa.array([1, None]), "fill_null"),
        (pa.chunked_array([[1], [2]]), "combine_chunks"),
    ]:
        with pytest.raises((TypeError, ValueError), match=f"sort: values.*{remedy}"):
            ef.sort(values)


def test_rows_of_awkward_arrays():
    awkward = pytest.importorskip("awkward")
    with pytest.raises(TypeError, match=r"sort: values.*Ragged\.from_awkward"):
        ef.sort(awkward.Array([[1], [2, 3]]))


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: ef.searchsorted(n, x), r"v has the dtype float64, but a has int64.*\('float64'\)"),
        (lambda: ef.merge(n, x), r"b has the dtype float64, but a has int64.*\('float64'\)"),
        (lambda: ef.dot(n, x), r"y has the dtype float64, but x has int64.*\('float64'\)"),
        (lambda: ef.join(n, x), r"right has the dtype float64, but left has int64"),
        (lambda: ef.merge(n, n.astype("uint64")), r"one dtype, such as by \.astype\('int64'\)"),
        (lambda: ef.top_k(x, 1.5), "top_k: k is 1.5; pass an integer"),
        (lambda: ef.reduce(x, initial="a"), "reduce: initial is 'a'; pass a number"),
        (lambda: ef.transform(lambda a, b: a, x), "transform: .* with 1 values.*'b'.*1 arguments"),
        (lambda: ef.sort(x, less=lambda a: a), "sort: .* with 2 values.*2 arguments"),
        (lambda: ef.Ragged.from_lists([[1], [2]])[1.0], "Ragged: row is 1.0; pass an integer"),
        (lambda: ef.Ragged.from_lists([[1], [2]]).topk("1"), "topk: k is '1'; pass an integer"),
    ],
)
def test_arguments_of_a_wrong_type(call, error):
    with pytest.raises(TypeError, match=error):
        call()


def test_arguments_out_of_range():
    rows = ef.Ragged.from_lists([[1], [2, 3]])
    with pytest.raises(IndexError, match="Ragged: row is 2, but there are 2 rows"):
        rows[2]
    with pytest.raises(ValueError, match="Ragged: the step of a slice is -1; pass a slice without"):
        rows[::-1]
    with pytest.raises(OverflowError, match=f"{2**70} does not fit int64; pass a float"):
        ef.transform(lambda v: v + 2**70, n)


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: ef.reduce(len), "reduce: arrays is missing; pass the function, then arrays"),
        (lambda: ef.segreduce(abs, x), "segreduce: offsets is missing"),
        (lambda: ef.searchsorted(x, [[1.0], [2.0, 3.0]]), "searchsorted: v.*inhomogeneous"),
        (lambda: ef.Ragged.from_lists({1: 2}.values()), "from_lists: rows must have lengths"),
        (lambda: ef.bfs(ef.Graph.from_edges([0], [1], 2), x), "bfs: a source is .*3.0.*integer"),
        (lambda: ef.bfs(ef.Graph.from_edges([0], [1], 2), -1), "bfs: a source is -1; pass 0 to"),
        (lambda: ef.transform(lambda i: half[i], n), "float16, but functions are.*astype"),
        (lambda: ef.using(threads=2.5).__enter__(), "using: threads is 2.5; pass an integer"),
        (lambda: ef.using(threads=-1).__enter__(), "using: threads is -1; pass 0 to 4096"),
        (lambda: ef.using(threads=10**6).__enter__(), "using: threads is 1000000; pass 0 to 4096"),
        (lambda: ef.distributed.threads(10**6).__enter__(), "threads: ranks is 1000000; pass 1 to"),
    ],
)
def test_arguments_that_are_missing_or_unusual(call, error):
    with pytest.raises((TypeError, ValueError), match=error):
        call()


def test_rows_that_awkward_does_not_take():
    pytest.importorskip("awkward")
    with pytest.raises(TypeError, match="from_awkward: rows is of ndarray.*Awkward array"):
        ef.Ragged.from_awkward(x.astype(">f8"))
