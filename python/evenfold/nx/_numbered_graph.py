"""Graphs of NetworkX with their nodes numbered and their edges as arrays."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from ..graphs import Graph

Node = Hashable


class NumberedGraph:
    """The nodes of a graph of NetworkX in their order, and its edges as arrays."""

    __networkx_backend__ = "evenfold"

    def __init__(self, graph: nx.Graph, attributes: dict[str, Any]) -> None:
        self.nodes: list[Node] = list(graph)
        self.number_of = {node: i for i, node in enumerate(self.nodes)}
        self._directed: bool = graph.is_directed()
        self._multigraph: bool = graph.is_multigraph()
        self._graphs: dict[tuple[str | None, float | None], Graph] = {}
        ends = [(self.number_of[u], self.number_of[v]) for u, v in graph.edges()]
        self._ends = np.array(ends, dtype="int32").reshape(-1, 2).T.copy()
        self._attributes = {
            name: np.fromiter(
                (value for _, _, value in graph.edges(data=name, default=default)), "float64"
            )
            for name, default in attributes.items()
        }

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def unweighted(self) -> Graph:
        return self.weighted(None)

    @cached_property
    def simple(self) -> Graph:
        """The graph without repeated edges."""
        return Graph.from_edges(
            self._ends[0], self._ends[1], len(self), directed=self._directed, duplicates="first"
        )

    def weighted(self, name: str | None, *, of_edge: float | None = None) -> Graph:
        """The graph with the weights of an attribute, or with one weight for all edges, or none."""
        if name is not None and name not in self._attributes:
            raise NotImplementedError("weights are an attribute of the edges, not a function")
        if (name, of_edge) not in self._graphs:
            weights = None if name is None else self._attributes[name]
            if weights is None and of_edge is not None:
                weights = np.full(self._ends.shape[1], of_edge)
            self._graphs[name, of_edge] = Graph.from_edges(
                self._ends[0], self._ends[1], len(self), weights, directed=self._directed
            )
        return self._graphs[name, of_edge]

    def transposed(self) -> Graph:
        return Graph.from_edges(
            self._ends[1], self._ends[0], len(self), directed=self._directed
        )

    def number(self, node: Node) -> int:
        """The number of a node. Errors: nx.NodeNotFound."""
        try:
            return self.number_of[node]
        except (KeyError, TypeError):
            raise nx.NodeNotFound(f"Source {node} is not in G") from None

    def per_node(self, values: Any) -> dict[Node, Any]:
        return dict(zip(self.nodes, values.tolist()))

    def chosen(self, numbers: Any) -> list[Node]:
        return [self.nodes[i] for i in numbers.tolist()]

    def to_networkx(self) -> nx.Graph:
        kinds = {
            (False, False): nx.Graph,
            (True, False): nx.DiGraph,
            (False, True): nx.MultiGraph,
            (True, True): nx.MultiDiGraph,
        }
        graph = kinds[self._directed, self._multigraph]()
        graph.add_nodes_from(self.nodes)
        values = zip(*(column.tolist() for column in self._attributes.values()))
        data = [dict(zip(self._attributes, row)) for row in values] or [{}] * self._ends.shape[1]
        graph.add_edges_from(
            (self.nodes[u], self.nodes[v], attributes)
            for u, v, attributes in zip(*self._ends.tolist(), data)
        )
        return graph


def refuse(graph: NumberedGraph, *, directed: bool) -> None:
    """Raises nx.NetworkXNotImplemented for a graph that is directed, or for one that is not."""
    if graph.is_directed() == directed:
        kind = "directed" if directed else "undirected"
        raise nx.NetworkXNotImplemented(f"not implemented for {kind} type")
