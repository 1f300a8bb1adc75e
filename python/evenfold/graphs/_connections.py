"""Components and the minimum spanning forest."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core
from ._graph import Graph, check_graph


def components(graph: Graph, *, connection: str = "weak") -> Any:
    """For each vertex the lowest vertex of its connected component, int32.

    Parameters
    ----------
    graph : Graph
        Undirected or directed.
    connection : {"weak", "strong"}
        Vertices are connected where a path joins them, whatever the direction of its edges, or
        where paths lead from each to the other. For an undirected graph this is the same.

    See Also
    --------
    scipy.sparse.csgraph.connected_components

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([3, 1, 0], "int32"), numpy.array([1, 3, 1], "int32")
    >>> g = evenfold.Graph.from_edges(*ends, 4, directed=True)
    >>> evenfold.components(g)
    array([0, 0, 2, 0], dtype=int32)
    >>> evenfold.components(g, connection="strong")
    array([0, 1, 2, 1], dtype=int32)
    """
    check_graph("components", graph)
    if connection not in ("weak", "strong"):
        raise ValueError(
            f"components: connection is {connection!r}; pass 'weak' or 'strong'"
        )
    strong = connection == "strong" and graph.directed
    return graph._like.give(
        _core.components(graph.out._engine, graph.out._rows, graph._in._rows, strong)
    )


class Forest(NamedTuple):
    """The edges of a forest: their ends, int32, their weights, float64, and the total weight.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends, weights = numpy.array([[0, 1, 0], [1, 2, 2]], "int32"), numpy.array([1.0, 2.0, 4.0])
    >>> graph = evenfold.Graph.from_edges(*ends, 3, weights)
    >>> evenfold.minimum_spanning_forest(graph).total_weight
    3.0
    """

    sources: Any
    targets: Any
    weights: Any
    total_weight: float


def minimum_spanning_forest(graph: Graph) -> Forest:
    """The edges of least total weight that connect the vertices of each component.

    Of two edges of one weight, the one that is stored first counts as the lighter one, so that the
    forest is unique. Edges have no direction here. An undirected edge is given with its lower end
    first. Self-loops are in no forest.

    Parameters
    ----------
    graph : Graph
        With weights, which may be negative; NaN weighs more than any number.

    Returns
    -------
    Forest
        The edges in the order in which the graph has them.

    See Also
    --------
    scipy.sparse.csgraph.minimum_spanning_tree, networkx.minimum_spanning_edges

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1, 0], "int32"), numpy.array([1, 2, 2], "int32")
    >>> g = evenfold.Graph.from_edges(*ends, 3, numpy.array([3.0, 1.0, 2.0]))
    >>> found = evenfold.minimum_spanning_forest(g)
    >>> found.sources, found.targets, found.total_weight
    (array([0, 1], dtype=int32), array([2, 2], dtype=int32), 3.0)
    """
    check_graph("minimum_spanning_forest", graph, weighted=True)
    sources, targets, weights, total = _core.spanning_forest(
        graph.out._engine, graph.out._rows, graph._in._rows
    )
    give = graph._like.give
    return Forest(give(sources), give(targets), give(weights), total)
