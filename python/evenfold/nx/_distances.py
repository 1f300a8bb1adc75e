"""Distances in edges and by weights, as NetworkX has them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from ..graphs import bfs, sssp
from ._numbered_graph import Node, NumberedGraph

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
