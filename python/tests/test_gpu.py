"""Arrays on a GPU: the results of the CPU, in the order of the streams of their libraries.

Skipped where there is no GPU.
"""

import numpy as np
import pytest

import evenfold as ef

cupy = pytest.importorskip("cupy")
if "gpu:0" not in ef.devices():
    pytest.skip("there is no GPU", allow_module_level=True)

numbers = np.random.default_rng(15)


def slow(array, steps=50):
    """Work that takes longer than the calls after it."""
    for _ in range(steps):
        array = array + 1
    return array


class Described:
    """An array with __cuda_array_interface__ alone, whose work is on a stream."""

    def __init__(self, array, stream):
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "stream": stream.ptr}


@pytest.mark.parametrize("kind", ["legacy", "non_blocking", "per_thread"])
def test_calls_follow_the_current_stream_of_cupy(kind):
    streams = {
        "legacy": cupy.cuda.Stream.null,
        "non_blocking": cupy.cuda.Stream(non_blocking=True),
        "per_thread": cupy.cuda.Stream.ptds,
    }
    host = numbers.integers(0, 1000, 1 << 22).astype("float64")
    there = cupy.asarray(host)
    out = cupy.zeros_like(there)
    cupy.cuda.Device().synchronize()
    for _ in range(5):
        with streams[kind]:
            found = slow(ef.transform(lambda x: x * 2, slow(there)))
            ef.sort(slow(there), out=out)
            sums = slow(ef.scan(slow(there)), 1)
            total = ef.reduce(slow(there))
            assert np.array_equal(found.get(), (host + 50) * 2 + 50)
            assert np.array_equal(out.get(), np.sort(host) + 50)
            assert np.array_equal(sums.get(), np.cumsum(host + 50) + 1)
            assert float(total) == (host + 50).sum()


def test_calls_follow_the_current_stream_of_torch():
    torch = pytest.importorskip("torch")
    host = torch.arange(1 << 22, dtype=torch.float64)
    for stream in (torch.cuda.current_stream(), torch.cuda.Stream()):
        with torch.cuda.stream(stream):
            there = slow(host.cuda())
            found = slow(ef.transform(lambda x: x * 2, there))
            assert isinstance(found, torch.Tensor)
            assert torch.equal(found.cpu(), (host + 50) * 2 + 50)


def test_results_are_kept_while_the_stream_works():
    """Memory of temporary results is not used again before the work on it is done."""
    stream = cupy.cuda.Stream(non_blocking=True)
    host = np.arange(1 << 20, dtype="float64")
    with stream:
        there = cupy.asarray(host)
        for step in range(50):
            there = ef.transform(lambda x: x + 1, slow(there, 1))
        assert np.array_equal(there.get(), host + 100)


def test_arrays_with_the_interface_of_numba():
    stream = cupy.cuda.Stream(non_blocking=True)
    host = np.arange(1 << 22, dtype="float64")
    with stream:
        described = Described(slow(cupy.asarray(host)), stream)
    found = ef.transform(lambda x: x * 2, described)
    assert np.array_equal(cupy.from_dlpack(found).get(), (host + 50) * 2)


@pytest.mark.parametrize("width", [1, 4, 7])
def test_products_with_dense_matrices(width):
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    scipy_sparse = pytest.importorskip("scipy.sparse")
    host = scipy_sparse.random_array((3000, 2000), density=0.01, rng=numbers, format="csr")
    dense = numbers.normal(size=(2000, width))
    on_cpu = ef.CSR.from_scipy(host)
    on_gpu = ef.CSR.from_scipy(sparse.csr_matrix(host))
    found = on_gpu @ cupy.asarray(dense)
    assert isinstance(found, cupy.ndarray)
    assert np.array_equal(found.get(), on_cpu @ dense)
    assert np.array_equal(on_gpu.to_scipy().toarray().get(), host.toarray())
    vector = dense[:, 0].copy()
    assert np.array_equal((on_gpu @ cupy.asarray(vector)).get(), on_cpu @ vector)


@pytest.mark.parametrize("size", [1, 1000, 300001])
def test_groups_of_keys_of_a_large_range(size):
    keys = numbers.integers(-(1 << 60), 1 << 60, size // 3 + 1)[
        numbers.integers(0, size // 3 + 1, size)
    ]
    values = numbers.normal(size=size)
    found, at, counts = ef.unique(cupy.asarray(keys), return_inverse=True, return_counts=True)
    expected = np.unique(keys, return_inverse=True, return_counts=True)
    for one, other in zip((found, at, counts), expected):
        assert np.array_equal(one.get(), other)
    groups = ef.group_by(cupy.asarray(keys), cupy.asarray(values))
    same = ef.group_by(keys, values)
    assert np.array_equal(groups.keys.get(), same.keys)
    assert np.array_equal(groups.rows.mean().get(), same.rows.mean())


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32"])
def test_histograms_of_other_dtypes(dtype):
    host = numbers.integers(0, 100, 100000).astype(dtype)
    for ours, theirs in zip(ef.histogram(cupy.asarray(host), 7), ef.histogram(host, 7)):
        assert np.array_equal(cupy.asnumpy(ours), theirs)


@pytest.mark.parametrize("different", [10, 3000, 300001])
@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
def test_counts_of_different_elements(different, dtype):
    host = (numbers.permutation(300001) % different * 7919).astype(dtype)
    for one, other in zip(
        ef.unique(cupy.asarray(host), return_counts=True), np.unique(host, return_counts=True)
    ):
        assert np.array_equal(one.get(), other)


def test_places_of_one_group():
    latitudes, longitudes = numbers.uniform(-80, 80, (2, 100))
    found = ef.nearest(cupy.asarray(latitudes), cupy.asarray(longitudes), k=2)
    expected = ef.nearest(latitudes, longitudes, k=2)
    assert np.array_equal(found.indices.get(), expected.indices)


def test_tables_on_a_gpu():
    columns = [numbers.integers(0, 5, 1000), numbers.integers(0, 3, 1000) * 0.5]
    there = [cupy.asarray(column) for column in columns]
    assert np.array_equal(ef.sort_columns(there).get(), ef.sort_columns(columns))
    for found, expected in zip(ef.join(there[0], there[0][:9]), ef.join(columns[0], columns[0][:9])):
        assert np.array_equal(found.get(), expected)


def test_lists_are_copied_to_where_the_arrays_are():
    columns = cupy.array([0, 1, 1], "int32")
    for data in ([1.0, 2.0, 3.0], None):
        found = ef.CSR((data, columns, [0, 2, 3]), (2, 2)) @ cupy.array([10.0, 1.0])
        assert found.tolist() == ([12.0, 3.0] if data else [11.0, 1.0])
    values = cupy.array([4.0, 1.0, 3.0])
    assert ef.segreduce(values, [0, 1, 3]).tolist() == [4.0, 4.0]
    assert ef.segreduce(lambda x: x * 2, values, [0, 1, 3]).tolist() == [8.0, 8.0]
    assert ef.Ragged(values, [0, 1, 3]).sort().to_lists() == [[4.0], [1.0, 3.0]]
    assert ef.merge([0.0, 5.0], ef.sort(values)).tolist() == [0, 1, 3, 4, 5]
    assert int(ef.searchsorted(ef.sort(values), 3.5)) == 2
    with pytest.raises(ValueError, match="several devices"):
        ef.merge(np.array([0.0]), values)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_axes(axis):
    host = numbers.integers(0, 9, (4, 5, 3))
    values = cupy.asarray(host)
    assert np.array_equal(ef.sort(values, axis=axis).get(), np.sort(host, axis=axis))
    order = np.argsort(host, axis=axis, kind="stable")
    assert np.array_equal(ef.argsort(values, axis=axis).get(), order)
    assert np.array_equal(ef.reduce(values, axis=axis).get(), host.sum(axis=axis))
    if axis is not None:
        assert np.array_equal(ef.scan(values, axis=axis).get(), np.cumsum(host, axis=axis))


def test_arrays_of_cupy_and_torch_that_need_more_than_an_address():
    host = numbers.normal(size=(40, 50))
    there = cupy.asarray(host)
    with pytest.raises(ValueError, match="gaps"):
        ef.scan(there[:, 3])
    assert float(ef.reduce(there[:, 3:9])) == ef.reduce(host[:, 3:9])
    assert np.array_equal(ef.transform(lambda x: x * 2, there).get(), host * 2)
    assert ef.transform(lambda x: x * 2, there[:0]).shape == (0, 50)
    with pytest.raises(TypeError, match="float64"):
        ef.transform(lambda x: x, there.astype("float16"))
    torch = pytest.importorskip("torch")
    on_gpu = torch.as_tensor(host).cuda()
    assert torch.equal(ef.transform(lambda x: x * 2, on_gpu).cpu(), torch.as_tensor(host * 2))
    assert ef.scan(on_gpu > 0)[3, 49].item() == (host > 0)[3].sum()
    with pytest.raises(ValueError, match="gaps"):
        ef.scan(on_gpu.T[3])
    with pytest.raises(TypeError, match="grad"):
        ef.scan(on_gpu.clone().requires_grad_())
    with pytest.raises(TypeError, match="float64"):
        ef.transform(lambda x: x, on_gpu.half())


@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
def test_folds_of_large_numbers_without_a_sign(op):
    host = numbers.integers(0, 1 << 64, 300001, dtype="uint64")
    offsets = np.array([0, 5, 5, 70000, host.size])
    there, ends = cupy.asarray(host), cupy.asarray(offsets)
    for found, expected in (
        (ef.segreduce(there, ends, op), ef.segreduce(host, offsets, op)),
        (ef.segreduce(lambda x: x, there, ends, op), ef.segreduce(host, offsets, op)),
        (ef.scan(there, op), ef.scan(host, op)),
        (ef.scan(there, op, exclusive=True), ef.scan(host, op, exclusive=True)),
        (ef.Ragged(there, ends).scan(op).values, ef.Ragged(host, offsets).scan(op).values),
        (ef.Ragged(there, ends).mean(), ef.Ragged(host, offsets).mean()),
    ):
        assert found.dtype == expected.dtype
        assert np.array_equal(found.get(), expected, equal_nan=expected.dtype.kind == "f")
