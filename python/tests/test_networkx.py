"""The backend of NetworkX, with NetworkX as the oracle, and NetworkX's own tests."""

import os
import subprocess
import sys

import networkx as nx
import pytest

from evenfold import nx as backend

BOTH = [nx.gnp_random_graph(40, 0.04, seed=1), nx.gnp_random_graph(40, 0.04, seed=2, directed=True)]
LETTERS = nx.relabel_nodes(BOTH[0], lambda i: f"node {i}")


@pytest.mark.parametrize("graph", [*BOTH, LETTERS], ids=["undirected", "directed", "letters"])
@pytest.mark.parametrize(
    "name",
    [
        "single_source_shortest_path_length",
        "single_target_shortest_path_length",
        "descendants",
        "ancestors",
        "bfs_layers",
    ],
)
def test_searches(graph, name):
    node = list(graph)[3]
    ours = getattr(nx, name)(graph, node, backend="evenfold")
    theirs = getattr(nx, name)(graph, node)
    if name == "bfs_layers":
        assert [set(layer) for layer in ours] == [set(layer) for layer in theirs]
    else:
        assert ours == theirs


@pytest.mark.parametrize("graph", BOTH, ids=["undirected", "directed"])
def test_pagerank(graph):
    graph = graph.copy()
    for u, v in graph.edges:
        graph[u][v]["weight"] = 1 + (u + v) % 3
    ours = nx.pagerank(graph, tol=1e-10, backend="evenfold")
    assert ours == pytest.approx(nx.pagerank(graph, tol=1e-10), abs=1e-8)
    jumps = {0: 1, 5: 3}
    ours = nx.pagerank(graph, personalization=jumps, weight=None, tol=1e-10, backend="evenfold")
    theirs = nx.pagerank(graph, personalization=jumps, weight=None, tol=1e-10)
    assert ours == pytest.approx(theirs, abs=1e-8)


@pytest.mark.parametrize("graph", BOTH, ids=["undirected", "directed"])
def test_distances(graph):
    graph = graph.copy()
    for u, v in graph.edges:
        graph[u][v]["length"] = 1 + (u * v) % 7
    for weight in ("length", None):
        ours = nx.single_source_dijkstra_path_length(graph, 3, weight=weight, backend="evenfold")
        assert ours == nx.single_source_dijkstra_path_length(graph, 3, weight=weight)
    target = list(ours)[-1]
    ours = nx.dijkstra_path_length(graph, 3, target, weight="length", backend="evenfold")
    assert ours == nx.dijkstra_path_length(graph, 3, target, weight="length")
    ours = nx.multi_source_dijkstra_path_length(graph, {1, 2}, cutoff=5, backend="evenfold")
    assert ours == nx.multi_source_dijkstra_path_length(graph, {1, 2}, cutoff=5)


@pytest.mark.parametrize("name", ["triangles", "clustering", "core_number", "betweenness_centrality"])
def test_per_node(name):
    graph = nx.gnp_random_graph(50, 0.15, seed=3)
    function = getattr(nx, name)
    assert function(graph, backend="evenfold") == pytest.approx(function(graph))
    if name in ("triangles", "clustering"):
        assert function(graph, 4, backend="evenfold") == pytest.approx(function(graph, 4))
        assert function(graph, [4, 5], backend="evenfold") == pytest.approx(function(graph, [4, 5]))


def test_betweenness_of_a_directed_graph():
    ours = nx.betweenness_centrality(BOTH[1], normalized=False, backend="evenfold")
    assert ours == pytest.approx(nx.betweenness_centrality(BOTH[1], normalized=False))


def test_multigraphs_and_loops():
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])
    assert nx.pagerank(graph, backend="evenfold") == pytest.approx(nx.pagerank(graph), abs=1e-5)


def test_components():
    undirected, directed = BOTH
    ours = list(nx.connected_components(undirected, backend="evenfold"))
    assert ours == list(nx.connected_components(undirected))
    ours = list(nx.weakly_connected_components(directed, backend="evenfold"))
    assert ours == list(nx.weakly_connected_components(directed))
    ours = nx.number_strongly_connected_components(directed, backend="evenfold")
    assert ours == nx.number_strongly_connected_components(directed)
    assert not nx.is_strongly_connected(directed, backend="evenfold")
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.is_connected(directed, backend="evenfold")
    with pytest.raises(nx.NetworkXPointlessConcept):
        nx.is_connected(nx.Graph(), backend="evenfold")


def test_a_graph_comes_back():
    graph = nx.DiGraph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 1})])
    numbered = backend.convert_from_nx(graph, edge_attrs={"weight": 1})
    assert nx.utils.graphs_equal(backend.convert_to_nx(numbered), graph)


def test_weights_that_are_not_numbers():
    graph = nx.Graph([(0, 1, {"weight": "heavy"})])
    with pytest.raises(NotImplementedError):
        nx.pagerank(graph, backend="evenfold")


class Complement(nx.Graph):
    """The neighbours of a vertex are those that it has no edge to."""

    def __getitem__(self, node):
        return {other: {} for other in set(self._adj) - set(self._adj[node]) - {node}}

    def adjacency(self):
        return ((node, self[node]) for node in self)


def test_graphs_that_compute_their_neighbours():
    graph = Complement(nx.path_graph(5))
    with pytest.raises(NotImplementedError):
        nx.core_number(graph, backend="evenfold")


OWN_TESTS = [
    "networkx.algorithms.centrality.tests.test_betweenness_centrality",
    "networkx.algorithms.components.tests",
    "networkx.algorithms.link_analysis.tests.test_pagerank",
    "networkx.algorithms.shortest_paths.tests.test_unweighted",
    "networkx.algorithms.shortest_paths.tests.test_weighted",
    "networkx.algorithms.tests.test_cluster",
    "networkx.algorithms.tests.test_core",
    "networkx.algorithms.tests.test_dag",
    "networkx.algorithms.traversal.tests.test_bfs",
]


def test_networkx_passes_its_own_tests():
    """Functions that the backend does not have are those of NetworkX."""
    environment = os.environ | {
        "NETWORKX_TEST_BACKEND": "evenfold",
        "NETWORKX_FALLBACK_TO_NX": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", *OWN_TESTS]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, cwd="/")
    assert run.returncode == 0, run.stdout[-3000:]
