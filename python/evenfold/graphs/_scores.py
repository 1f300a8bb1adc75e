"""Scores of vertices: ranks, triangles, core numbers and betweenness."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core
from .._arrays import take_flat
from ._graph import Graph, check_graph


class Ranks(NamedTuple):
    """The ranks, float64 per vertex, and how they were found."""

    ranks: Any
    iterations: int
    residual: float
    converged: bool


def pagerank(
    graph: Graph,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    dangling: str = "evenly",
    stop: str = "l1",
    personalization: Any = None,
) -> Ranks:
    """PageRank: how often a surfer who follows edges, and sometimes jumps, visits each vertex.

    Parameters
    ----------
    graph : Graph
        The surfer follows edges in proportion to their weights.
    damping : float
        The probability of following an edge.
    tolerance, max_iterations : float, int
        The iteration ends when the change is at most the tolerance.
    dangling : {"evenly", "personalize", "self", "lose"}
        Where the surfer goes from a vertex without edges: to any vertex, to a target of jumps,
        nowhere, or out of the graph.
    stop : {"l1", "max"}
        How the change is measured: by the sum or the maximum of the changes of the ranks.
    personalization : array, optional
        float64 per vertex: the probabilities of the targets of jumps.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1], "int32"), numpy.array([1, 0], "int32")
    >>> evenfold.pagerank(evenfold.Graph.from_edges(*ends, 2, directed=True)).ranks
    array([0.5, 0.5])
    """
    check_graph("pagerank", graph)
    jumps = None
    if personalization is not None:
        jumps = take_flat("pagerank", "personalization", personalization, ("float64",)).array
    ranks, iterations, residual, converged = _core.pagerank(
        graph.out._engine,
        graph.out._rows,
        graph._in._rows,
        damping,
        tolerance,
        max_iterations,
        dangling,
        stop,
        jumps,
    )
    return Ranks(graph._like.give(ranks), iterations, residual, converged)


class Triangles(NamedTuple):
    """The number of triangles; per vertex, int64 counts and float64 clustering coefficients."""

    total: int
    counts: Any
    clustering: Any


def triangles(graph: Graph) -> Triangles:
    """The triangles of a graph, and the local clustering coefficient of each vertex.

    The direction of edges, self-loops and repeated edges make no difference.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1, 2, 2], "int32"), numpy.array([1, 2, 0, 3], "int32")
    >>> found = evenfold.triangles(evenfold.Graph.from_edges(*ends, 4))
    >>> found.total, found.counts
    (1, array([1, 1, 1, 0]))
    """
    check_graph("triangles", graph)
    total, counts, coefficients = _core.triangles(
        graph.out._engine, graph.out._rows, graph._in._rows
    )
    give = graph._like.give
    return Triangles(total, give(counts), give(coefficients))


def core_numbers(graph: Graph) -> Any:
    """The core number of each vertex, int32: the largest k for which it is in a k-core.

    A k-core is a set of vertices that each have at least k neighbours in the set. The direction of
    edges, self-loops and repeated edges make no difference.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1, 2, 2], "int32"), numpy.array([1, 2, 0, 3], "int32")
    >>> evenfold.core_numbers(evenfold.Graph.from_edges(*ends, 4))
    array([2, 2, 2, 1], dtype=int32)
    """
    check_graph("core_numbers", graph)
    return graph._like.give(
        _core.core_numbers(graph.out._engine, graph.out._rows, graph._in._rows)
    )


def betweenness(
    graph: Graph, *, samples: int = 0, seed: int = 0, normalized: bool = False
) -> Any:
    """The betweenness of each vertex, float64: its share of the shortest paths between others.

    Parameters
    ----------
    graph : Graph
        Paths have the fewest edges, whatever the weights. Repeated edges make different paths.
    samples : int
        The number of sources to draw, from which the scores are estimated; 0 means all
        vertices.
    seed : int
        The seed of the random sources.
    normalized : bool
        Whether to divide by the number of pairs of other vertices.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1], "int32"), numpy.array([1, 2], "int32")
    >>> evenfold.betweenness(evenfold.Graph.from_edges(*ends, 3))
    array([0., 1., 0.])
    """
    check_graph("betweenness", graph)
    return graph._like.give(
        _core.betweenness(
            graph.out._engine, graph.out._rows, graph._in._rows, samples, seed, normalized
        )
    )
