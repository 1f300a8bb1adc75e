"""Sparse matrices, graphs and places, with SciPy as the oracle."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import evenfold as ef


def random_matrix(rows=40, columns=30, density=0.1, seed=0):
    return scipy.sparse.random_array(
        (rows, columns), density=density, rng=np.random.default_rng(seed), format="csr"
    )


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_products(layout):
    matrix = random_matrix().asformat(layout)
    ours = ef.CSR.from_scipy(matrix)
    x = np.random.default_rng(1).random(30)
    np.testing.assert_allclose(ours @ x, matrix @ x)
    np.testing.assert_allclose(ours.T @ np.ones(40), matrix.T @ np.ones(40))
    np.testing.assert_allclose(np.ones(40) @ ours, np.ones(40) @ matrix)
    with pytest.raises(ValueError, match="on the left"):
        np.ones((2, 40)) @ ours
    y = np.ones(40)
    np.testing.assert_allclose(ours.dot(x, out=y, alpha=2, beta=3), 2 * (matrix @ x) + 3)
    assert (ours.to_scipy() != matrix.tocsr()).nnz == 0


def test_products_of_matrices():
    a, b = random_matrix(), random_matrix(30, 20, seed=1)
    ours = ef.CSR.from_scipy(a) @ ef.CSR.from_scipy(b)
    np.testing.assert_allclose(ours.to_scipy().toarray(), (a @ b).toarray())
    with pytest.raises(ValueError, match="do not fit"):
        ours @ ours


@pytest.mark.parametrize("width", [0, 1, 4, 7])
def test_products_with_dense_matrices(width):
    matrix = random_matrix()
    ours = ef.CSR.from_scipy(matrix)
    x = np.random.default_rng(2).random((30, width))
    found = ours @ x
    np.testing.assert_allclose(found, matrix @ x)
    for k in range(width):
        assert np.array_equal(found[:, k], ours @ x[:, k].copy())
    y = np.ones((40, width))
    assert ours.dot(x, out=y, alpha=2, beta=3) is y
    np.testing.assert_allclose(y, 2 * (matrix @ x) + 3)
    with pytest.raises(ValueError, match="one element or one row per column"):
        ours @ np.ones((40, width))
    with pytest.raises(ValueError, match="gaps"):
        ours @ np.ones((width + 2, 30)).T


def test_products_by_name():
    matrix = random_matrix()
    ours = ef.CSR.from_scipy(matrix)
    x = np.random.default_rng(2).random((30, 3))
    assert np.array_equal(ef.spmm(matrix, x), ours @ x)
    assert np.array_equal(ef.spmv(ours, x[:, 1].copy()), (ours @ x)[:, 1])
    out = np.ones((40, 3))
    assert ef.spmm(ours, x, out=out, alpha=2, beta=3) is out
    np.testing.assert_allclose(out, 2 * (matrix @ x) + 3)
    with pytest.raises(ValueError, match="spmm: x has 1 dimensions"):
        ef.spmm(ours, x[:, 0].copy())
    with pytest.raises(ValueError, match="spmv: x has 2 dimensions"):
        ef.spmv(ours, x)
    with pytest.raises(TypeError, match="complex"):
        ef.CSR.from_scipy(matrix * 1j)
    with pytest.raises(TypeError, match="pass one of scipy.sparse"):
        ef.spmv(np.eye(3), np.ones(3))


def test_coo_and_duplicates():
    rows = np.array([1, 0, 1], "int32")
    columns = np.array([0, 1, 0], "int32")
    values = np.array([1.0, 2.0, 4.0])
    assert ef.CSR.from_coo(rows, columns, values, (2, 2)).data.tolist() == [2.0, 5.0]
    first = ef.CSR.from_coo(rows, columns, values, (2, 2), duplicates="first")
    assert first.data.tolist() == [2.0, 1.0]
    with pytest.raises(ValueError, match="more than one entry"):
        ef.CSR.from_coo(rows, columns, values, (2, 2), duplicates="refuse")
    with pytest.raises(ValueError):
        ef.CSR.from_coo(rows, columns, values, (1, 1))


@pytest.mark.parametrize(
    "data, indices, indptr, shape, message",
    [
        ([1, 2], [0, 7], [0, 1, 2], (2, 2), "indices has columns outside"),
        ([1, 2], [0, -1], [0, 1, 2], (2, 2), "indices has columns outside"),
        ([1, 2], [0, 1], [0, 3, 2], (2, 2), "indptr must begin at 0"),
        ([1, 2], [0, 1], [1, 1, 2], (2, 2), "indptr must begin at 0"),
        ([1, 2], [0, 1], [0, 1, 9], (2, 2), "indptr must begin at 0"),
        ([1], [0, 1], [0, 1, 2], (2, 2), "one value per entry"),
        ([1, 2], [0, 1], [0, 1, 2], (2, -2), "shape"),
        ([1, 2], [0, 1], [0, 1, 2], (2, 2**40), "shape"),
    ],
)
def test_entries_outside_of_a_matrix(data, indices, indptr, shape, message):
    arrays = np.array(data, "float64"), np.array(indices, "int32"), np.array(indptr, "int64")
    with pytest.raises(ValueError, match=message):
        ef.CSR(arrays, shape)
    if message != "one value per entry":
        with pytest.raises(ValueError, match=message):
            ef.CSR((None, *arrays[1:]), shape)


def test_bad_matrices():
    matrix = ef.CSR.from_scipy(random_matrix())
    with pytest.raises(ValueError, match="the matrix has 30 columns"):
        matrix @ np.ones(40)
    with pytest.raises(TypeError, match="int32"):
        ef.CSR((None, np.array([0]), np.array([0, 1])), (1, 1))
    with pytest.raises(ValueError, match="one more than rows"):
        ef.CSR((None, np.array([0], "int32"), np.array([0, 1])), (2, 1))
    with pytest.raises(ValueError, match="square"):
        ef.Graph(matrix)


def test_bfs_and_components():
    matrix = random_matrix(200, 200, 0.008, 2)
    graph = ef.Graph(ef.CSR.from_scipy(matrix))
    expected = scipy.sparse.csgraph.shortest_path(matrix, unweighted=True, indices=7)
    expected = np.where(np.isinf(expected), -1, expected)
    found = ef.bfs(graph, 7, parents=True)
    assert np.array_equal(found.levels, expected)
    for vertex, parent in enumerate(found.parents):
        if found.levels[vertex] > 0:
            assert found.levels[parent] == found.levels[vertex] - 1
            assert matrix[parent, vertex] != 0
    count, labels = scipy.sparse.csgraph.connected_components(matrix, connection="weak")
    ours = ef.components(graph)
    assert len(np.unique(ours)) == count
    assert len(np.unique(ours * np.int64(1000) + labels)) == count
    count, labels = scipy.sparse.csgraph.connected_components(matrix, connection="strong")
    ours = ef.components(graph, connection="strong")
    assert len(np.unique(ours)) == count
    assert len(np.unique(ours * np.int64(1000) + labels)) == count
    with pytest.raises(ValueError, match="'weak' or 'strong'"):
        ef.components(graph, connection="loose")
    assert ef.bfs(graph, [7, 8]).levels[8] == 0


def test_sssp():
    matrix = random_matrix(150, 150, 0.03, 5)
    found = ef.sssp(ef.Graph(ef.CSR.from_scipy(matrix)), 4, parents=True)
    expected = scipy.sparse.csgraph.dijkstra(matrix, indices=4)
    np.testing.assert_allclose(found.distances, expected)
    for vertex, parent in enumerate(found.parents):
        if vertex != 4 and np.isfinite(expected[vertex]):
            assert found.distances[parent] + matrix[parent, vertex] == found.distances[vertex]
    with pytest.raises(ValueError):
        ef.sssp(ef.Graph.from_edges(*np.zeros((2, 1), "int32"), 1), 0)


@pytest.mark.parametrize("directed", [False, True])
def test_minimum_spanning_forest(directed):
    random = np.random.default_rng(4)
    # Few edges, so that there are several trees; weights are different.
    ends = random.integers(0, 200, size=(2, 150)).astype("int32")
    weights = random.permutation(150) + 1.0
    g = ef.Graph.from_edges(*ends, 200, weights, directed=directed, duplicates="first")
    found = ef.minimum_spanning_forest(g)
    matrix = g.out.to_scipy()
    if directed:
        # SciPy takes the lighter one of two edges of opposite directions, too.
        expected = scipy.sparse.csgraph.minimum_spanning_tree(matrix)
    else:
        expected = scipy.sparse.csgraph.minimum_spanning_tree(scipy.sparse.triu(matrix, 1))
    assert found.total_weight == expected.sum() == found.weights.sum()
    assert sorted(found.weights) == sorted(expected.data)
    assert len(found.sources) == 200 - len(np.unique(ef.components(g)))
    edges = dict(zip(zip(*ends.tolist()), weights)) | dict(zip(zip(*ends[::-1].tolist()), weights))
    assert all((u, v) in edges for u, v in zip(found.sources.tolist(), found.targets.tolist()))
    with pytest.raises(ValueError, match="weights"):
        ef.minimum_spanning_forest(ef.Graph.from_edges(*ends, 200))


def test_pagerank():
    ends = np.random.default_rng(3).integers(0, 50, (2, 300)).astype("int32")
    graph = ef.Graph.from_edges(ends[0], ends[1], 50, directed=True)
    found = ef.pagerank(graph, tolerance=1e-12, max_iterations=1000)
    assert found.converged
    step = np.zeros((50, 50))
    np.add.at(step, (ends[1], ends[0]), 1.0)
    step = np.where(step.sum(axis=0) == 0, 1 / 50, step / np.maximum(step.sum(axis=0), 1))
    np.testing.assert_allclose(0.85 * step @ found.ranks + 0.15 / 50, found.ranks, atol=1e-11)
    with pytest.raises(ValueError, match="damping"):
        ef.pagerank(graph, damping=2)
    jumps = np.zeros(50)
    jumps[3] = 1
    assert ef.pagerank(graph, personalization=jumps).ranks.argmax() == 3


def test_nearest():
    generator = np.random.default_rng(4)
    latitudes, longitudes = generator.uniform(-80, 80, 60), generator.uniform(-180, 180, 60)
    groups = generator.integers(0, 3, 60).astype("int32")
    found = ef.nearest(latitudes, longitudes, groups, k=2)
    phi, theta = np.radians(latitudes), np.radians(longitudes)
    points = np.stack([np.cos(phi) * np.cos(theta), np.cos(phi) * np.sin(theta), np.sin(phi)])
    angles = np.arccos(np.clip(points.T @ points, -1, 1))
    angles[groups[:, None] != groups[None, :]] = np.inf
    np.fill_diagonal(angles, np.inf)
    assert np.array_equal(found.indices, np.argsort(angles)[:, :2])
    np.testing.assert_allclose(found.distances, np.sort(angles)[:, :2] * 6371.0088, rtol=1e-6)
    with pytest.raises(ValueError, match="radius"):
        ef.nearest(latitudes, longitudes, radius=-1.0)
    with pytest.raises(ValueError, match="groups"):
        ef.nearest(latitudes[:1], longitudes[:1], np.array([2**31 - 1], "int32"))
