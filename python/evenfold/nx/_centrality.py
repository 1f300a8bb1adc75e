"""Ranks, triangles, core numbers and betweenness, as NetworkX has them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np

from ..graphs import betweenness as scores
from ..graphs import core_numbers as cores
from ..graphs import pagerank as rank
from ..graphs import triangles as count_triangles
from ._numbered_graph import Node, NumberedGraph, refuse


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
    refuse(G, directed=True)
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
