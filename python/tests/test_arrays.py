"""Arrays of other libraries in and out: no copies, clear errors, lifetimes."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import evenfold as ef


def address(array):
    return array.__array_interface__["data"][0]


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
    with pytest.raises(TypeError, match=r"float64.*astype\('float64'\)"):
        ef.histogram(np.zeros(3, "int32"), 2)
    with pytest.raises(TypeError, match="uint64"):
        ef.scan(np.zeros(3, "uint64"))


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


def test_threads():
    values = [np.random.default_rng(i).random(200_000) for i in range(4)]
    results = [None] * len(values)

    def work(i):
        results[i] = [ef.sort(values[i]), ef.scan(values[i])]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(values))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, (in_order, sums) in enumerate(results):
        assert np.array_equal(in_order, np.sort(values[i]))
        assert np.allclose(sums, np.cumsum(values[i]))


def test_the_interpreter_runs_meanwhile():
    values = np.random.default_rng(0).random(3_000_000)
    done = threading.Event()
    steps = []

    def count():
        while not done.is_set():
            steps.append(None)
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    before = len(steps)
    ef.argsort(values)
    after = len(steps)
    done.set()
    other.join()
    assert after > before


def test_interrupts():
    values = np.random.default_rng(0).integers(0, 1 << 60, 6_000_000)
    timer = threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGINT))
    # Processes in the background ignore the signal by default.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                ef.argsort(values)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert ef.reduce(np.arange(5)) == 10


def test_fork():
    values = np.arange(100_000)
    assert ef.reduce(values) == values.sum()
    child = os.fork()
    if child == 0:
        same = ef.reduce(values) == values.sum() and ef.scan(values)[-1] == values.sum()
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert ef.reduce(values) == values.sum()


def test_fork_while_another_thread_works():
    values = np.random.default_rng(0).random(300_000)
    done = threading.Event()

    def work():
        while not done.is_set():
            ef.argsort(values)

    other = threading.Thread(target=work)
    other.start()
    time.sleep(0.02)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(ef.sort(values), np.sort(values)) else 1)
    assert os.waitpid(child, 0)[1] == 0
    done.set()
    other.join()
    assert np.array_equal(ef.sort(values), np.sort(values))


def test_the_interpreter_ends():
    """Also right after a call, and in the middle of one that was interrupted."""
    program = """
import numpy, evenfold, signal, sys
values = numpy.random.default_rng(0).random(2_000_000)
evenfold.scan(values)
if sys.argv[1] == "interrupted":
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(3))
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    while True:
        evenfold.argsort(values)
"""
    for case, code in [("done", 0), ("interrupted", 3)] * 2:
        run = subprocess.run([sys.executable, "-c", program, case], capture_output=True)
        assert (run.returncode, run.stderr) == (code, b"")


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
    values = np.random.default_rng(1).random(100_003).astype("float32")
    results = []
    for device, threads in [("cpu", 1), ("cpu", 3), ("reference", 0)]:
        with ef.using(device, threads=threads):
            results.append((ef.scan(values).tobytes(), ef.fold(values).value, ef.reduce(values)))
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
