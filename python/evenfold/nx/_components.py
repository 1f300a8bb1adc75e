"""Connected components, as NetworkX has them."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np

from ..graphs import components
from ._numbered_graph import Node, NumberedGraph, refuse


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
    refuse(G, directed=True)
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
    refuse(G, directed=True)
    return _count(G)


def is_connected(G: NumberedGraph) -> bool:  # noqa: N803
    """Whether there is one component.

    Examples
    --------
    >>> import networkx
    >>> networkx.is_connected(networkx.path_graph(3), backend="evenfold")
    True
    """
    refuse(G, directed=True)
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
    refuse(G, directed=True)
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
    refuse(G, directed=False)
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
    refuse(G, directed=False)
    return _count(G)


def is_weakly_connected(G: NumberedGraph) -> bool:  # noqa: N803
    """Whether there is one component, where the direction of edges is ignored.

    Examples
    --------
    >>> import networkx
    >>> networkx.is_weakly_connected(networkx.DiGraph([(0, 1), (2, 1)]), backend="evenfold")
    True
    """
    refuse(G, directed=False)
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
    refuse(G, directed=False)
    return _count(G, "strong")


def is_strongly_connected(G: NumberedGraph) -> bool:  # noqa: N803
    """Whether all nodes reach each other.

    Examples
    --------
    >>> import networkx
    >>> networkx.is_strongly_connected(networkx.DiGraph([(0, 1), (1, 0)]), backend="evenfold")
    True
    """
    refuse(G, directed=False)
    return _is_one(G, "strong")
