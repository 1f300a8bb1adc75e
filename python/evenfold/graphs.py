"""Graphs, and what is computed from their edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _core
from ._arrays import Input, same_engine, take_flat
from .sparse import CSR


class Graph:
    """A graph of vertices 0, 1, 2, ..., as the sparse matrix of its edges.

    Parameters
    ----------
    edges : CSR
        Row u has the edges that leave vertex u, with their weights if the matrix has data.
    directed : bool
        Without it, the matrix must be symmetric: an undirected edge is stored as two.

    Examples
    --------
    >>> import numpy, evenfold
    >>> g = evenfold.Graph.from_edges(numpy.array([0, 1], "int32"), numpy.array([1, 2], "int32"), 3)
    >>> g
    Graph(num_vertices=3, num_edges=2, directed=False)
    """

    def __init__(self, edges: CSR, *, directed: bool = True) -> None:
        if edges.shape[0] != edges.shape[1]:
            raise ValueError(
                f"Graph: the matrix has the shape {edges.shape}, but a graph has one row and one"
                " column per vertex; pass a square matrix"
            )
        self.directed = directed
        self.out = edges
        self._in = edges.T if directed else edges

    @classmethod
    def from_edges(
        cls,
        sources: Any,
        targets: Any,
        num_vertices: int,
        weights: Any = None,
        *,
        directed: bool = False,
        duplicates: str = "keep",
    ) -> Graph:
        """The graph of a list of edges.

        Parameters
        ----------
        sources, targets : array
            int32: the ends of each edge.
        num_vertices : int
            The number of vertices.
        weights : array, optional
            float64, one per edge.
        directed : bool
            Whether an edge leads only from its source to its target.
        duplicates : {"keep", "sum", "first", "refuse"}
            What becomes of edges that occur more than once.

        Examples
        --------
        >>> import numpy, evenfold
        >>> ends = numpy.array([[0, 1], [1, 2]], "int32")
        >>> evenfold.bfs(evenfold.Graph.from_edges(*ends, 3), 2).levels
        array([2, 1, 0], dtype=int32)
        """
        source = take_flat("from_edges", "sources", sources, ("int32",))
        target = take_flat("from_edges", "targets", targets, ("int32",))
        inputs = [source, target]
        if weights is not None:
            inputs.append(take_flat("from_edges", "weights", weights, ("float64",)))
        engine = same_engine("from_edges", *inputs)
        weight = None if weights is None else inputs[2].array
        rows = _core.rows_of_entries(
            engine,
            num_vertices,
            num_vertices,
            source.array,
            target.array,
            weight,
            not directed,
            duplicates,
        )
        return cls(CSR._of(rows, source), directed=directed)

    @property
    def num_vertices(self) -> int:
        """The number of vertices.

        Examples
        --------
        >>> import numpy, evenfold
        >>> path = evenfold.Graph.from_edges(*numpy.array([[0, 1], [1, 2]], "int32"), 3)
        >>> path.num_vertices
        3
        """
        return self.out.shape[0]

    @property
    def num_edges(self) -> int:
        """The number of edges. An undirected edge counts once, and loops as half an edge, rounded up.

        Examples
        --------
        >>> import numpy, evenfold
        >>> path = evenfold.Graph.from_edges(*numpy.array([[0, 1], [1, 2]], "int32"), 3)
        >>> path.num_edges
        2
        """
        return self.out.nnz if self.directed else (self.out.nnz + 1) // 2

    @property
    def _like(self) -> Input:
        return self.out._like

    def __repr__(self) -> str:
        return (
            f"Graph(num_vertices={self.num_vertices}, num_edges={self.num_edges},"
            f" directed={self.directed})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _graph, (self.out, self.directed)


def _graph(edges: CSR, directed: bool) -> Graph:
    return Graph(edges, directed=directed)


def _sources(sources: int | Sequence[int]) -> list[int]:
    if isinstance(sources, Sequence) or hasattr(sources, "__iter__"):
        return [int(source) for source in sources]
    return [int(sources)]


class Levels(NamedTuple):
    """What a breadth-first search found, int32 per vertex; -1 where there is none."""

    levels: Any
    parents: Any


def bfs(graph: Graph, sources: int | Sequence[int], *, parents: bool = False) -> Levels:
    """The hop distance of every vertex from the nearest source.

    Parameters
    ----------
    graph : Graph
        Edges are followed in their direction.
    sources : int or list of int
        Where the search begins.
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
    levels, found = _core.bfs(
        graph.out._engine, graph.out._rows, graph._in._rows, _sources(sources), parents
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
        Where the paths begin.
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
    distances, found = _core.sssp(
        graph.out._engine, graph.out._rows, graph._in._rows, _sources(sources), parents
    )
    give = graph._like.give
    return Distances(give(distances), give(found) if parents else None)


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
    """How often a surfer visits each vertex, who follows edges and now and then jumps.

    Parameters
    ----------
    graph : Graph
        Edges are taken as often as their weights say.
    damping : float
        The probability of following an edge.
    tolerance, max_iterations : float, int
        The iteration ends when the change is not above the tolerance.
    dangling : {"evenly", "personalize", "self", "lose"}
        Where the surfer goes from a vertex without edges: to any vertex, to a target of jumps,
        nowhere, or out of the graph.
    stop : {"l1", "max"}
        How the change is measured: by the sum or the maximum of the changes of the ranks.
    personalization : array, optional
        float64 per vertex: how likely each is the target of a jump.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1], "int32"), numpy.array([1, 0], "int32")
    >>> evenfold.pagerank(evenfold.Graph.from_edges(*ends, 2, directed=True)).ranks
    array([0.5, 0.5])
    """
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
    if connection not in ("weak", "strong"):
        raise ValueError(
            f"components: connection is {connection!r}; pass 'weak' or 'strong'"
        )
    strong = connection == "strong" and graph.directed
    return graph._like.give(
        _core.components(graph.out._engine, graph.out._rows, graph._in._rows, strong)
    )


class Triangles(NamedTuple):
    """The number of triangles; per vertex, int64 counts and float64 clustering coefficients."""

    total: int
    counts: Any
    clustering: Any


def triangles(graph: Graph) -> Triangles:
    """The triangles of a graph, and which share of the pairs of neighbours of a vertex are joined.

    The direction of edges, self-loops and repeated edges make no difference.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1, 2, 2], "int32"), numpy.array([1, 2, 0, 3], "int32")
    >>> found = evenfold.triangles(evenfold.Graph.from_edges(*ends, 4))
    >>> found.total, found.counts
    (1, array([1, 1, 1, 0]))
    """
    total, counts, coefficients = _core.triangles(
        graph.out._engine, graph.out._rows, graph._in._rows
    )
    give = graph._like.give
    return Triangles(total, give(counts), give(coefficients))


def core_numbers(graph: Graph) -> Any:
    """For each vertex the largest k of a k-core that has it, int32.

    A k-core is a set of vertices that each have at least k neighbours in the set. The direction of
    edges, self-loops and repeated edges make no difference.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1, 2, 2], "int32"), numpy.array([1, 2, 0, 3], "int32")
    >>> evenfold.core_numbers(evenfold.Graph.from_edges(*ends, 4))
    array([2, 2, 2, 1], dtype=int32)
    """
    return graph._like.give(
        _core.core_numbers(graph.out._engine, graph.out._rows, graph._in._rows)
    )


def betweenness(
    graph: Graph, *, samples: int = 0, seed: int = 0, normalized: bool = False
) -> Any:
    """How many of the shortest paths between other vertices lead through each vertex, float64.

    Parameters
    ----------
    graph : Graph
        Paths have the fewest edges, whatever the weights. Repeated edges make different paths.
    samples : int
        How many sources of paths to draw, from which the scores are estimated; 0 takes all.
    seed : int
        Which sources are drawn.
    normalized : bool
        Whether to divide by the number of pairs of other vertices.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1], "int32"), numpy.array([1, 2], "int32")
    >>> evenfold.betweenness(evenfold.Graph.from_edges(*ends, 3))
    array([0., 1., 0.])
    """
    return graph._like.give(
        _core.betweenness(
            graph.out._engine, graph.out._rows, graph._in._rows, samples, seed, normalized
        )
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
    """The edges without a cycle that connect all that paths connect, and have the least weight.

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
    if graph.out.data is None:
        raise ValueError(
            "minimum_spanning_forest: the graph has no weights; pass weights to Graph.from_edges,"
            " or a matrix with data"
        )
    sources, targets, weights, total = _core.spanning_forest(
        graph.out._engine, graph.out._rows, graph._in._rows
    )
    give = graph._like.give
    return Forest(give(sources), give(targets), give(weights), total)
