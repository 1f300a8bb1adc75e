"""Distances from vertices: breadth-first search and shortest paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import _core
from .._engines import in_range
from ._graph import Graph, check_graph


def _sources(function: str, sources: int | Sequence[int]) -> list[int]:
    has_several = hasattr(sources, "__iter__") and getattr(sources, "ndim", 1) > 0
    several: Any = sources if has_several else [sources]
    return [in_range(function, "a source", each, 0, 2**31 - 2) for each in several]


class Levels(NamedTuple):
    """The result of a breadth-first search, int32 per vertex; -1 where there is no path."""

    levels: Any
    parents: Any


def bfs(graph: Graph, sources: int | Sequence[int], *, parents: bool = False) -> Levels:
    """The hop distance of every vertex from the nearest source.

    Parameters
    ----------
    graph : Graph
        Edges are followed in their direction.
    sources : int or list of int
        The vertices that the search begins with.
    parents : bool
        Whether to find, for each vertex, the previous one on a shortest path.

    Returns
    -------
    Levels
        `levels`, and `parents` or None.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1], "int32"), numpy.array([1, 2], "int32")
    >>> evenfold.bfs(evenfold.Graph.from_edges(*ends, 4), 0).levels
    array([ 0,  1,  2, -1], dtype=int32)
    """
    check_graph("bfs", graph)
    levels, found = _core.bfs(
        graph.out._engine, graph.out._rows, graph._in._rows, _sources("bfs", sources), parents
    )
    give = graph._like.give
    return Levels(give(levels), give(found) if parents else None)


class Distances(NamedTuple):
    """Shortest paths: float64 distances, infinity where there is no path, and int32 parents."""

    distances: Any
    parents: Any


def sssp(graph: Graph, sources: int | Sequence[int], *, parents: bool = False) -> Distances:
    """The lengths of the shortest paths from the nearest source to every vertex.

    Parameters
    ----------
    graph : Graph
        With weights that are not negative.
    sources : int or list of int
        The vertices that paths begin with.
    parents : bool
        Whether to find, for each vertex, the previous one on a shortest path; -1 where there is
        none.

    Returns
    -------
    Distances
        `distances`, and `parents` or None.

    See Also
    --------
    scipy.sparse.csgraph.dijkstra

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1, 0], "int32"), numpy.array([1, 2, 2], "int32")
    >>> g = evenfold.Graph.from_edges(*ends, 4, numpy.array([1.0, 2.0, 5.0]))
    >>> evenfold.sssp(g, 0).distances
    array([ 0.,  1.,  3., inf])
    """
    check_graph("sssp", graph, weighted=True)
    distances, found = _core.sssp(
        graph.out._engine, graph.out._rows, graph._in._rows, _sources("sssp", sources), parents
    )
    give = graph._like.give
    return Distances(give(distances), give(found) if parents else None)
