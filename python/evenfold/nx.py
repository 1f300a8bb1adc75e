"""A backend of NetworkX: `networkx.pagerank(graph, backend="evenfold")`.

NetworkX looks for the functions of this module by their names. It converts a graph once and keeps
the result with it. Functions and arguments that are not here are those of NetworkX itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from ._numbered_graph import Node, NumberedGraph
from .graphs import bfs, components, sssp
from .graphs import betweenness as scores
from .graphs import core_numbers as cores
from .graphs import pagerank as rank
from .graphs import triangles as count_triangles

# What NetworkX asks of a backend.


def convert_from_nx(
    graph: nx.Graph, *, edge_attrs: dict[str, Any] | None = None, **_: Any
) -> NumberedGraph:
    """A graph of NetworkX as one of the backend."""
    if isinstance(graph, NumberedGraph):
        return graph
    attributes = {name: 1 if value is None else value for name, value in (edge_attrs or {}).items()}
    try:
        return NumberedGraph(graph, attributes)
    except (TypeError, ValueError) as error:
        raise NotImplementedError(f"weights that are not numbers: {error}") from error


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """A result of the backend as one of NetworkX."""
    return result.to_networkx() if isinstance(result, NumberedGraph) else result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Functions raise NotImplementedError for arguments that they do not take."""
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the backend is worth while: conversions are kept with the graph."""
    return True


def _refuse(graph: NumberedGraph, *, directed: bool | None = None) -> None:
    if directed is not None and graph.is_directed() == directed:
        kind = "directed" if directed else "undirected"
        raise nx.NetworkXNotImplemented(f"not implemented for {kind} type")


# Ranks.


def pagerank(
    G: NumberedGraph,  # noqa: N803
    alpha: float = 0.85,
    personalization: dict[Node, float] | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict[Node, float] | None = None,
    weight: str | None = "weight",
    dangling: dict[Node, float] | None = None,
) -> dict[Node, float]:
    """The PageRank of each node.

    Examples
    --------
    >>> import networkx
    >>> ranks = networkx.pagerank(networkx.star_graph(2), backend="evenfold")
    >>> round(ranks[0], 4), round(ranks[1], 4)
    (0.4865, 0.2568)
    """
    if nstart is not None or dangling is not None:
        raise NotImplementedError("nstart and dangling are not supported")
    if len(G) == 0:
        return {}
    jumps = None
    if personalization is not None:
        jumps = np.array([personalization.get(node, 0) for node in G.nodes], dtype="float64")
        if jumps.sum() == 0:
            raise ZeroDivisionError
    found = rank(
        G.weighted(weight),
        damping=alpha,
        tolerance=len(G) * tol,
        max_iterations=max_iter,
        dangling="evenly" if jumps is None else "personalize",
        personalization=jumps,
    )
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.per_node(found.ranks)


# Distances in edges.


def _levels(graph: NumberedGraph, sources: Iterable[Node], *, reverse: bool = False) -> Any:
    numbers = [graph.number(source) for source in sources]
    return bfs(graph.transposed() if reverse else graph.unweighted, numbers).levels


def _by_level(graph: NumberedGraph, levels: Any, cutoff: float | None) -> dict[Node, int]:
    order = np.argsort(levels, kind="stable")
    reached = order[levels[order] >= 0]
    if cutoff is not None:
        reached = reached[levels[reached] <= cutoff]
    return dict(zip(graph.chosen(reached), levels[reached].tolist()))


def single_source_shortest_path_length(
    G: NumberedGraph, source: Node, cutoff: float | None = None  # noqa: N803
) -> dict[Node, int]:
    """The number of edges to each node that is reached.

    Examples
    --------
    >>> import networkx
    >>> path = networkx.path_graph(3)
    >>> networkx.single_source_shortest_path_length(path, 0, backend="evenfold")
    {0: 0, 1: 1, 2: 2}
    """
    return _by_level(G, _levels(G, [source]), cutoff)


def single_target_shortest_path_length(
    G: NumberedGraph, target: Node, cutoff: float | None = None  # noqa: N803
) -> dict[Node, int]:
    """The number of edges from each node that reaches the target.

    Examples
    --------
    >>> import networkx
    >>> path = networkx.path_graph(3, create_using=networkx.DiGraph)
    >>> networkx.single_target_shortest_path_length(path, 2, backend="evenfold")
    {2: 0, 1: 1, 0: 2}
    """
    if target not in G.number_of:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return _by_level(G, _levels(G, [target], reverse=G.is_directed()), cutoff)


def bfs_layers(G: NumberedGraph, sources: Any) -> Iterator[list[Node]]:  # noqa: N803
    """The nodes at each distance, in the order of the graph.

    Examples
    --------
    >>> import networkx
    >>> list(networkx.bfs_layers(networkx.path_graph(4), [1], backend="evenfold"))
    [[1], [0, 2], [3]]
    """
    if isinstance(sources, Hashable) and sources in G.number_of:
        sources = [sources]
    sources = list(dict.fromkeys(sources))
    for source in sources:
        if source not in G.number_of:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    levels = _levels(G, sources)
    return (
        sources if level == 0 else G.chosen(np.flatnonzero(levels == level))
        for level in range(int(levels.max(initial=-1)) + 1)
    )


def descendants_at_distance(
    G: NumberedGraph, source: Node, distance: int  # noqa: N803
) -> set[Node]:
    """The nodes at a distance.

    Examples
    --------
    >>> import networkx
    >>> networkx.descendants_at_distance(networkx.path_graph(4), 0, 2, backend="evenfold")
    {2}
    """
    if source not in G.number_of:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    return set(G.chosen(np.flatnonzero(_levels(G, [source]) == distance)))


def _reached(graph: NumberedGraph, source: Node, *, reverse: bool) -> set[Node]:
    if source not in graph.number_of:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    return set(graph.chosen(np.flatnonzero(_levels(graph, [source], reverse=reverse) > 0)))


def descendants(G: NumberedGraph, source: Node) -> set[Node]:  # noqa: N803
    """The nodes that are reached.

    Examples
    --------
    >>> import networkx
    >>> path = networkx.path_graph(3, create_using=networkx.DiGraph)
    >>> networkx.descendants(path, 1, backend="evenfold")
    {2}
    """
    return _reached(G, source, reverse=False)


def ancestors(G: NumberedGraph, source: Node) -> set[Node]:  # noqa: N803
    """The nodes that reach a node.

    Examples
    --------
    >>> import networkx
    >>> path = networkx.path_graph(3, create_using=networkx.DiGraph)
    >>> networkx.ancestors(path, 1, backend="evenfold")
    {0}
    """
    return _reached(G, source, reverse=True)


# Distances by weights.


def _distances(graph: NumberedGraph, sources: Iterable[Node], weight: str | None) -> Any:
    for source in sources:
        if source not in graph.number_of:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
    numbers = [graph.number_of[source] for source in sources]
    return sssp(graph.weighted(weight, of_edge=1.0), numbers).distances


def multi_source_dijkstra_path_length(
    G: NumberedGraph,  # noqa: N803
    sources: Iterable[Node],
    cutoff: float | None = None,
    weight: str | None = "weight",
) -> dict[Node, float]:
    """The least sum of weights to each node, from the nearest of several sources.

    Examples
    --------
    >>> import networkx
    >>> path = networkx.path_graph(4)
    >>> networkx.multi_source_dijkstra_path_length(path, [0, 3], backend="evenfold")
    {0: 0.0, 3: 0.0, 1: 1.0, 2: 1.0}
    """
    if not sources:
        raise ValueError("sources must not be empty")
    distances = _distances(G, sources, weight)
    order = np.argsort(distances, kind="stable")
    reached = order[distances[order] <= (np.finfo("float64").max if cutoff is None else cutoff)]
    return dict(zip(G.chosen(reached), distances[reached].tolist()))


def single_source_dijkstra_path_length(
    G: NumberedGraph,  # noqa: N803
    source: Node,
    cutoff: float | None = None,
    weight: str | None = "weight",
) -> dict[Node, float]:
    """The least sum of weights to each node.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.Graph([("a", "b", {"weight": 2.5})])
    >>> networkx.single_source_dijkstra_path_length(graph, "a", backend="evenfold")
    {'a': 0.0, 'b': 2.5}
    """
    return multi_source_dijkstra_path_length(G, [source], cutoff, weight)


def dijkstra_path_length(
    G: NumberedGraph, source: Node, target: Node, weight: str | None = "weight"  # noqa: N803
) -> float:
    """The least sum of weights from one node to another.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.Graph([("a", "b", {"weight": 2.5})])
    >>> networkx.dijkstra_path_length(graph, "a", "b", backend="evenfold")
    2.5
    """
    distances = _distances(G, [source], weight)
    number = G.number_of.get(target)
    if number is None or np.isinf(distances[number]):
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return float(distances[number])


# Components.


def _sets(graph: NumberedGraph) -> Iterator[set[Node]]:
    labels = components(graph.unweighted)
    order = np.argsort(labels, kind="stable")
    begins = np.flatnonzero(np.diff(labels[order], prepend=-1))
    return (set(graph.chosen(part)) for part in np.split(order, begins[1:]) if part.size)


def _count(graph: NumberedGraph, connection: str = "weak") -> int:
    labels = components(graph.unweighted, connection=connection)
    return int(np.count_nonzero(labels == np.arange(len(graph))))


def _is_one(graph: NumberedGraph, connection: str = "weak") -> bool:
    if len(graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _count(graph, connection) == 1


def connected_components(G: NumberedGraph) -> Iterator[set[Node]]:  # noqa: N803
    """The nodes of each component.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.Graph([(0, 1), (2, 3)])
    >>> list(networkx.connected_components(graph, backend="evenfold"))
    [{0, 1}, {2, 3}]
    """
    _refuse(G, directed=True)
    return _sets(G)


def number_connected_components(G: NumberedGraph) -> int:  # noqa: N803
    """The number of components.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.Graph([(0, 1), (2, 3)])
    >>> networkx.number_connected_components(graph, backend="evenfold")
    2
    """
    _refuse(G, directed=True)
    return _count(G)


def is_connected(G: NumberedGraph) -> bool:  # noqa: N803
    """Whether there is one component.

    Examples
    --------
    >>> import networkx
    >>> networkx.is_connected(networkx.path_graph(3), backend="evenfold")
    True
    """
    _refuse(G, directed=True)
    return _is_one(G)


def node_connected_component(G: NumberedGraph, n: Node) -> set[Node]:  # noqa: N803
    """The nodes of the component of a node.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.Graph([(0, 1), (2, 3)])
    >>> networkx.node_connected_component(graph, 2, backend="evenfold")
    {2, 3}
    """
    _refuse(G, directed=True)
    labels = components(G.unweighted)
    return set(G.chosen(np.flatnonzero(labels == labels[G.number_of[n]])))


def weakly_connected_components(G: NumberedGraph) -> Iterator[set[Node]]:  # noqa: N803
    """The nodes of each component, where the direction of edges is ignored.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.DiGraph([(1, 0), (2, 3)])
    >>> list(networkx.weakly_connected_components(graph, backend="evenfold"))
    [{0, 1}, {2, 3}]
    """
    _refuse(G, directed=False)
    return _sets(G)


def number_weakly_connected_components(G: NumberedGraph) -> int:  # noqa: N803
    """The number of components, where the direction of edges is ignored.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.DiGraph([(1, 0), (2, 3)])
    >>> networkx.number_weakly_connected_components(graph, backend="evenfold")
    2
    """
    _refuse(G, directed=False)
    return _count(G)


def is_weakly_connected(G: NumberedGraph) -> bool:  # noqa: N803
    """Whether there is one component, where the direction of edges is ignored.

    Examples
    --------
    >>> import networkx
    >>> networkx.is_weakly_connected(networkx.DiGraph([(0, 1), (2, 1)]), backend="evenfold")
    True
    """
    _refuse(G, directed=False)
    return _is_one(G)


# The sets are left to NetworkX: `networkx.condensation` needs them in the order of its own search.


def number_strongly_connected_components(G: NumberedGraph) -> int:  # noqa: N803
    """The number of components whose nodes reach each other.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.DiGraph([(0, 1), (1, 0), (1, 2)])
    >>> networkx.number_strongly_connected_components(graph, backend="evenfold")
    2
    """
    _refuse(G, directed=False)
    return _count(G, "strong")


def is_strongly_connected(G: NumberedGraph) -> bool:  # noqa: N803
    """Whether all nodes reach each other.

    Examples
    --------
    >>> import networkx
    >>> networkx.is_strongly_connected(networkx.DiGraph([(0, 1), (1, 0)]), backend="evenfold")
    True
    """
    _refuse(G, directed=False)
    return _is_one(G, "strong")


# Triangles, cores and centrality.


def _of_nodes(graph: NumberedGraph, values: Any, nodes: Any) -> Any:
    """The values of all nodes, of one, or of some."""
    if nodes is None:
        return graph.per_node(values)
    if isinstance(nodes, Hashable) and nodes in graph.number_of:
        return values[graph.number_of[nodes]].item()
    return {
        node: values[graph.number_of[node]].item() for node in nodes if node in graph.number_of
    }


def triangles(G: NumberedGraph, nodes: Any = None) -> Any:  # noqa: N803
    """The number of triangles of each node.

    Examples
    --------
    >>> import networkx
    >>> networkx.triangles(networkx.complete_graph(4), 0, backend="evenfold")
    3
    """
    _refuse(G, directed=True)
    return _of_nodes(G, count_triangles(G.unweighted).counts, nodes)


def clustering(G: NumberedGraph, nodes: Any = None, weight: str | None = None) -> Any:  # noqa: N803
    """The clustering coefficient of each node.

    Examples
    --------
    >>> import networkx
    >>> networkx.clustering(networkx.complete_graph(4), 0, backend="evenfold")
    1.0
    """
    if G.is_directed() or weight is not None:
        raise NotImplementedError("directed graphs and weights are not supported")
    return _of_nodes(G, count_triangles(G.unweighted).clustering, nodes)


def core_number(G: NumberedGraph) -> dict[Node, int]:  # noqa: N803
    """The core number of each node.

    Examples
    --------
    >>> import networkx
    >>> networkx.core_number(networkx.path_graph(3), backend="evenfold")
    {0: 1, 1: 1, 2: 1}
    """
    if G.is_directed() or G.is_multigraph() or np.any(G._ends[0] == G._ends[1]):
        raise NotImplementedError("directed graphs, multigraphs and loops are not supported")
    return G.per_node(cores(G.unweighted))


def betweenness_centrality(
    G: NumberedGraph,  # noqa: N803
    k: int | None = None,
    normalized: bool = True,
    weight: str | None = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Node, float]:
    """The share of shortest paths that pass each node.

    Examples
    --------
    >>> import networkx
    >>> networkx.betweenness_centrality(networkx.path_graph(3), backend="evenfold")
    {0: 0.0, 1: 1.0, 2: 0.0}
    """
    if k is not None or weight is not None or endpoints:
        raise NotImplementedError("k, weight and endpoints are not supported")
    return G.per_node(scores(G.simple, normalized=normalized))
