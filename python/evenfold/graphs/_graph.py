"""Graphs as the sparse matrices of their edges."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._arrays import take_flat
from .._inputs import Input, same_engine
from ..sparse import CSR


class Graph:
    """A graph of vertices 0, 1, 2, ..., as the sparse matrix of its edges.

    Parameters
    ----------
    edges : CSR
        Row u has the edges that leave vertex u, with their weights if the matrix has data.
    directed : bool
        Whether edges have a direction. If not, the matrix must be symmetric: an undirected edge
        is stored as two.

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
        parts: bool = False,
    ) -> Graph:
        """The graph of an edge list.

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
            The rule for edges that occur more than once.
        parts : bool
            In a block of `distributed.processes`: whether each process passes some of the edges,
            those of one process after those of another. No process then has all of them; `bfs` and
            `sssp` without parents, and `pagerank` without personalization, take such a graph.

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
            parts,
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


def check_graph(function: str, graph: Any, *, weighted: bool = False) -> None:
    """Refuses an argument that is not a graph, or that lacks the weights that are needed."""
    if not isinstance(graph, Graph):
        raise TypeError(
            f"{function}: graph is of {type(graph).__name__}; pass a Graph, such as"
            " Graph(CSR.from_scipy(...)), or Graph.from_edges(...)"
        )
    if weighted and graph.out._rows.values is None:
        raise ValueError(f"{function}: the graph has no weights; pass them to Graph.from_edges")


def _graph(edges: CSR, directed: bool) -> Graph:
    return Graph(edges, directed=directed)
