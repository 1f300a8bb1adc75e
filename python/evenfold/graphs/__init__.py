"""Graphs, and algorithms on them."""

from ._connections import Forest, components, minimum_spanning_forest
from ._graph import Graph
from ._scores import Ranks, Triangles, betweenness, core_numbers, pagerank, triangles
from ._searches import Distances, Levels, bfs, sssp

__all__ = [
    "Distances",
    "Forest",
    "Graph",
    "Levels",
    "Ranks",
    "Triangles",
    "betweenness",
    "bfs",
    "components",
    "core_numbers",
    "minimum_spanning_forest",
    "pagerank",
    "sssp",
    "triangles",
]
