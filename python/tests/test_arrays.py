"""Arrays of other libraries in and out: no copies, clear errors, lifetimes."""

import array
import ctypes
import gc
import pickle
import weakref

import numpy as np
import pytest

import evenfold as ef


def address(values):
    return values.__array_interface__["data"][0]


class OnlyDlpack:
    """An array of a library that is not known."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_no_copy_is_made():
    offsets = np.array([0, 1, 3], "int64")
    columns = np.array([0, 0, 1], "int32")
    values = np.array([1.0, 2.0, 3.0])
    matrix = ef.CSR((values, columns, offsets), (2, 2))
    assert address(matrix.indptr) == address(offsets)
    assert address(matrix.indices) == address(columns)
    assert address(matrix.data) == address(values)
    out = np.zeros(2)
    assert matrix.dot(np.ones(2), out=out) is out
    assert out.tolist() == [1.0, 5.0]


def test_other_sources():
    values = np.arange(5)
    assert ef.reduce(memoryview(values)) == 10
    assert ef.reduce(OnlyDlpack(values)) == 10
    assert ef.reduce([1, 2, 3]) == 6
    assert ef.reduce(b"\x01\x02") == 3


def test_columns_of_pandas():
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([3.0, 1.0, 2.0], index=[5, 6, 7])
    assert ef.sort(column).tolist() == [1, 2, 3]
    assert ef.reduce(pandas.Index([3, 1])) == 4
    assert ef.reduce(pandas.Series([3, 1], dtype="Int64")) == 4
    assert ef.sort(pandas.Series([True, False])).tolist() == [False, True]
    assert np.isnan(ef.reduce(pandas.Series([1.0, None])))
    assert ef.scan(column.to_numpy()).tolist() == ef.scan(column).tolist()
    for other in (["a"], pandas.Categorical([1, 2]), pandas.Series([1, None], dtype="Int64")):
        with pytest.raises((TypeError, ValueError), match="reduce: values"):
            ef.reduce(pandas.Series(other))


def test_arrays_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    whole = pyarrow.array([9, 3, 1, 2])
    assert ef.sort(whole.slice(1)).tolist() == [1, 2, 3]
    assert ef.reduce(pyarrow.chunked_array([whole])) == 15
    assert ef.reduce(pyarrow.chunked_array([whole[:0], whole])) == 15
    assert ef.sort(pyarrow.chunked_array([], type=pyarrow.int32())).dtype == "int32"
    with pytest.raises(ValueError, match="several chunks.*combine_chunks"):
        ef.sort(pyarrow.chunked_array([[3, 1], [2]]))
    # The rest of an array whose first element is missing.
    assert ef.reduce(pyarrow.array([None, 1, 2]).slice(1)) == 3
    with pytest.raises(ValueError, match="nulls"):
        ef.reduce(pyarrow.array([None, 1, 2]))
    for other in (["a", "b"], [True], [1.5, 2.5]):
        if other[0] == 1.5:
            array = pyarrow.array(other).dictionary_encode()
        else:
            array = pyarrow.array(other)
        with pytest.raises(TypeError, match="reduce: values is of"):
            ef.reduce(array)
    shifted = pyarrow.py_buffer(bytes(25)).slice(1)
    with pytest.raises(ValueError, match="multiple of the size"):
        ef.reduce(pyarrow.Array.from_buffers(pyarrow.float64(), 3, [None, shifted]))


def test_series_of_polars():
    polars = pytest.importorskip("polars")
    assert ef.sort(polars.Series([3, 1, 2])).tolist() == [1, 2, 3]
    for other in ([1, None], [True, False], ["a"]):
        with pytest.raises((TypeError, ValueError), match="Arrow array"):
            ef.sort(polars.Series(other))


def test_arrays_of_awkward():
    awkward = pytest.importorskip("awkward")
    assert ef.sort(awkward.Array([3, 1, 2])).tolist() == [1, 2, 3]
    for other in ([[1], [2, 3]], [1, None]):
        with pytest.raises(TypeError, match="it is no array of numbers"):
            ef.sort(awkward.Array(other))


def test_buffers():
    assert ef.reduce((ctypes.c_double * 3)(3, 1, 2)) == 6
    assert ef.sort(array.array("q", [3, 1, 2])).tolist() == [1, 2, 3]
    out = array.array("d", [3, 1, 2])
    assert ef.sort(out, out=out).tolist() == [1, 2, 3]
    for other in (array.array("u", "ab"), (ctypes.c_float.__ctype_be__ * 2)(1, 2), {1, 2}, None):
        with pytest.raises(TypeError, match="reduce: values is of"):
            ef.reduce(other)
    assert ef.reduce(range(5)) == 10
    with pytest.raises(ValueError, match="reduce: values.*inhomogeneous"):
        ef.reduce([[1, 2], [3]])


def test_elements_that_are_not_aligned():
    with pytest.raises(ValueError, match="multiples of their size"):
        ef.reduce(np.frombuffer(bytes(25), "uint8")[1:].view("float64"))
    packed = np.zeros(3, [("a", "u1"), ("b", "f8")])["b"]
    with pytest.raises(ValueError, match="multiples of their size"):
        ef.reduce(packed)


def test_elements_that_share_memory():
    with pytest.raises(ValueError, match="share memory"):
        ef.reduce(np.broadcast_to(2.0, 4))
    with pytest.raises(ValueError, match="share memory"):
        ef.reduce(np.lib.stride_tricks.sliding_window_view(np.arange(9.0), 3), axis=1)
    assert ef.reduce(np.zeros((0, 3)), axis=0).tolist() == [0, 0, 0]


def test_read_only_input():
    values = np.arange(5.0)
    values.flags.writeable = False
    assert ef.reduce(values) == 10
    with pytest.raises(ValueError, match="out cannot be written"):
        ef.sort(np.arange(5.0), out=values)


@pytest.mark.parametrize("dtype", ["complex128", "float16", "U3", "datetime64[s]", object])
def test_wrong_dtype(dtype):
    with pytest.raises(TypeError, match="values is of"):
        ef.reduce(np.zeros(3, dtype))


def test_masked():
    with pytest.raises(TypeError, match="mask"):
        ef.reduce(np.ma.array([1, 2], mask=[0, 1]))


def test_other_byte_order():
    with pytest.raises(TypeError, match="newbyteorder"):
        ef.reduce(np.zeros(3, ">f8"))


def test_dtype_that_an_operation_lacks():
    with pytest.raises(TypeError, match=r"int64.*astype\('int64'\)"):
        ef.fold(np.zeros(3, "int32"))
    with pytest.raises(TypeError, match="int64"):
        ef.scan(np.zeros(3), dtype="int32")


def test_strides():
    values = np.arange(10.0)
    with pytest.raises(ValueError, match="numpy.ascontiguousarray"):
        ef.scan(values[::2])
    with pytest.raises(ValueError, match="negative stride.*ascontiguousarray"):
        ef.scan(values[::-1])
    with pytest.raises(ValueError, match="2 dimensions"):
        ef.top_k(values.reshape(2, 5), 1)
    # Folds take any other strides.
    table = np.arange(24.0).reshape(4, 6)
    assert ef.reduce(table[::2, 1::2]) == table[::2, 1::2].sum()
    assert ef.reduce(table.T, axis=0).tolist() == table.sum(axis=1).tolist()
    assert ef.reduce(values[::3]) == values[::3].sum()


def test_out_of_another_shape():
    with pytest.raises(ValueError, match="shape"):
        ef.sort(np.arange(5.0), out=np.zeros(4))
    with pytest.raises(ValueError, match="dtype"):
        ef.sort(np.arange(5.0), out=np.zeros(5, "float32"))
    with pytest.raises(ValueError, match="shape"):
        ef.scan(np.arange(5.0), out=np.zeros((2, 5)))
    with pytest.raises(TypeError, match="out: .*same_kind"):
        ef.scan(np.arange(5.0), out=np.zeros(5, "int64"))
    with pytest.raises(ValueError, match="out: .*read-only"):
        ef.scan(np.arange(5.0), out=np.broadcast_to(0.0, 5))


def test_results_outlive_everything():
    result = ef.scan(np.arange(1000))
    view = result[::2]
    del result
    gc.collect()
    assert view[-1] == 998 * 999 // 2


def test_rows_outlive_their_ragged_array():
    rows = ef.Ragged(np.array([3.0, 1.0, 2.0]), np.array([0, 2, 3])).sort()
    first, values = rows[0], rows.values
    del rows
    gc.collect()
    assert first.tolist() == [1.0, 3.0]
    first[0] = 9.0
    assert values.tolist() == [9.0, 3.0, 2.0]


def test_results_of_pickled_arguments_are_the_same():
    matrix = ef.CSR((None, np.array([0, 1, 1], "int32"), np.array([0, 2, 3])), (2, 2))
    copied = pickle.loads(pickle.dumps(matrix))
    assert copied.data is None
    assert (copied @ np.ones(2)).tolist() == [2.0, 1.0]
    top = pickle.loads(pickle.dumps(ef.top_k(np.arange(5), 2)))
    assert isinstance(top, ef.Top) and top.indices.tolist() == [4, 3]


def test_inputs_are_kept_while_they_are_used_and_not_longer():
    values = np.arange(3.0)
    gone = weakref.ref(values)
    matrix = ef.CSR((values, np.array([0, 1, 2], "int32"), np.array([0, 3])), (1, 3))
    del values
    gc.collect()
    assert gone() is not None
    kept = matrix.data
    del matrix
    gc.collect()
    assert kept.tolist() == [0.0, 1.0, 2.0]
    del kept
    gc.collect()
    assert gone() is None


def test_empty():
    none = np.zeros(0)
    assert ef.reduce(none) == 0
    assert ef.scan(none).shape == (0,)
    assert ef.sort(none).shape == (0,)
    assert ef.unique(none).shape == (0,)
    assert ef.top_k(none, 3).values.shape == (0,)
    with pytest.raises(ValueError, match="no elements"):
        ef.reduce(none, "max")


def test_pickling():
    at = np.array([0, 1], "int32")
    graph = ef.Graph.from_edges(at, at[::-1].copy(), 2, np.array([0.5, 0.25]), directed=True)
    copied = pickle.loads(pickle.dumps(graph))
    assert copied.directed
    assert copied.out.data.tolist() == graph.out.data.tolist()
    assert pickle.loads(pickle.dumps(ef.scan(np.arange(3)))).tolist() == [0, 1, 3]
    rows = pickle.loads(pickle.dumps(ef.Ragged.from_lists([[1], [2, 3]])))
    assert rows.to_lists() == [[1], [2, 3]]


def test_engines_agree_to_the_bit():
    for size in (100, 4096, 100_003):
        values = np.random.default_rng(1).random(size).astype("float32")
        results = []
        for device, threads in [("cpu", 1), ("cpu", 3), ("reference", 0)]:
            with ef.using(device, threads=threads):
                found = ef.scan(values).tobytes(), ef.fold(values).value, ef.reduce(values)
                results.append(found)
        assert results[0] == results[1] == results[2]


def test_devices():
    assert ef.devices()[:2] == ["cpu", "reference"]
    assert ef.facts("cpu")["workers"] >= 1
    with pytest.raises(ValueError, match="there is no such device"):
        ef.facts("tpu")
    with pytest.raises(ValueError, match="'cpu' or"):
        with ef.using("gpu:0"):
            pass


def test_torch():
    torch = pytest.importorskip("torch")
    values = torch.arange(5, dtype=torch.float64)
    result = ef.scan(values)
    assert isinstance(result, torch.Tensor)
    assert result.tolist() == [0.0, 1.0, 3.0, 6.0, 10.0]


def test_lists_take_the_dtype_that_a_function_needs():
    graph = ef.Graph.from_edges([0, 1], [1, 2], 3, weights=[1, 2])
    assert ef.sssp(graph, 0).distances.tolist() == [0.0, 1.0, 3.0]
    with pytest.raises(TypeError, match="sources.astype"):
        ef.Graph.from_edges([0, 1.5], [1, 2], 3)
    assert ef.Ragged(range(3), [0, 1, 3]).sum().tolist() == [0, 3]
    assert (graph.out @ [1, 10, 100]).tolist() == [10.0, 201.0, 20.0]


def test_what_is_no_graph_function_or_count():
    values = np.arange(3.0)
    with pytest.raises(TypeError, match="bfs: graph is of ndarray"):
        ef.bfs(np.eye(3), 0)
    with pytest.raises(ValueError, match="sssp: the graph has no weights"):
        ef.sssp(ef.Graph.from_edges([0], [1], 2), 0)
    with pytest.raises(TypeError, match="integer"):
        ef.bfs(ef.Graph.from_edges([0], [1], 2), 0.5)
    with pytest.raises(TypeError, match="f is 3; pass a function"):
        ef.transform(3, values)
    with pytest.raises(TypeError, match=r"astype\(arrays\[1\]"):
        ef.transform(lambda a, b: a + b, values, values.astype(">f8"))
    with pytest.raises(TypeError, match="the comparison returns float64"):
        ef.sort(values, less=lambda a, b: a - b)
    with pytest.raises(ValueError, match="top_k: k is -1"):
        ef.top_k(values, -1)
    with pytest.raises(ValueError, match="ascend"):
        ef.histogram(values, [0, np.nan, 1])


def test_all_elements_of_any_source_can_be_sorted():
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    kinds = [pandas.Series, pandas.Index, pyarrow.array, memoryview, lambda a: array.array("q", a)]
    for kind in [*kinds, list]:
        values = kind(np.array([3, 1, 2]))
        assert ef.sort(values, axis=None).tolist() == [1, 2, 3]
        assert ef.argsort(values, axis=None).tolist() == [1, 2, 0]
    graph = ef.Graph.from_edges([0], [1], 2)
    assert ef.bfs(graph, np.array(1)).levels.tolist() == [1, 0]


class FakeDriver:
    """What answers where an address is, instead of the driver of a machine with two GPUs."""

    def cuPointerGetAttribute(self, to, attribute, address):  # noqa: N802
        if attribute != 9 or address.value == 1:
            return 1
        to._obj.value = address.value % 2
        return 0


def test_the_device_of_an_address(monkeypatch):
    from evenfold import _arrays, _gpu_arrays

    monkeypatch.setattr(ctypes, "CDLL", lambda name: FakeDriver())
    assert _gpu_arrays.device_of(4097) == 0  # as there is no second device
    monkeypatch.setattr(_gpu_arrays._core, "num_gpus", lambda: 2)
    assert [_gpu_arrays.device_of(address) for address in (1, 4096, 4097)] == [0, 0, 1]

    class Described:
        def __init__(self, **more):
            whole = {"data": (4097, False), "shape": (3,), "typestr": "<i1", "version": 3}
            self.__cuda_array_interface__ = {**whole, **more}

    assert _arrays._borrow(Described())[1:] == ((3,), (1,), 1)
    for more, error in [({"mask": 1}, "mask"), ({"typestr": "<f2"}, "f2"), ({"typestr": ">f8"}, "f8")]:
        with pytest.raises(TypeError, match=f"sort: values is of .*{error}"):
            ef.sort(Described(**more))
