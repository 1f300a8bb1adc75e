"""A backend of NetworkX: `networkx.pagerank(graph, backend="evenfold")`.

NetworkX looks for the functions of this package by their names. It converts a graph once and keeps
the result with it. Functions and arguments that are not here are those of NetworkX itself.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from ._centrality import (
    betweenness_centrality,
    clustering,
    core_number,
    pagerank,
    triangles,
)
from ._components import (
    connected_components,
    is_connected,
    is_strongly_connected,
    is_weakly_connected,
    node_connected_component,
    number_connected_components,
    number_strongly_connected_components,
    number_weakly_connected_components,
    weakly_connected_components,
)
from ._distances import (
    ancestors,
    bfs_layers,
    descendants,
    descendants_at_distance,
    dijkstra_path_length,
    multi_source_dijkstra_path_length,
    single_source_dijkstra_path_length,
    single_source_shortest_path_length,
    single_target_shortest_path_length,
)
from ._numbered_graph import NumberedGraph

__all__ = [
    "ancestors",
    "betweenness_centrality",
    "bfs_layers",
    "can_run",
    "clustering",
    "connected_components",
    "convert_from_nx",
    "convert_to_nx",
    "core_number",
    "descendants",
    "descendants_at_distance",
    "dijkstra_path_length",
    "is_connected",
    "is_strongly_connected",
    "is_weakly_connected",
    "multi_source_dijkstra_path_length",
    "node_connected_component",
    "number_connected_components",
    "number_strongly_connected_components",
    "number_weakly_connected_components",
    "pagerank",
    "should_run",
    "single_source_dijkstra_path_length",
    "single_source_shortest_path_length",
    "single_target_shortest_path_length",
    "triangles",
    "weakly_connected_components",
]

# The interface of a backend of NetworkX.


def convert_from_nx(
    graph: nx.Graph, *, edge_attrs: dict[str, Any] | None = None, **_: Any
) -> NumberedGraph:
    """A graph of NetworkX as one of the backend."""
    if isinstance(graph, NumberedGraph):
        return graph
    if type(graph).adjacency is not nx.Graph.adjacency:
        raise NotImplementedError("a graph that does not keep the neighbours that it has")
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
    """Whether the backend is faster: always, since conversions are kept with the graph."""
    return True
