"""Graphs, beside scipy.sparse.csgraph and NetworkX."""

from __future__ import annotations

from typing import Any

import evenfold as ef
import numpy as np
import shapes
from harness import Match, Setting, case, library

csgraph = library("scipy.sparse.csgraph")
networkx = library("networkx")


def both(scale: int) -> tuple[Any, ef.Graph]:
    matrix = shapes.kronecker(scale)
    return matrix, ef.Graph(ef.CSR.from_scipy(matrix), directed=False)


def of_networkx(matrix: Any) -> Any:
    return networkx.from_scipy_sparse_array(matrix)


@case("breadth-first search, Kronecker graph of 2^18 vertices")
def bfs(use: Setting) -> Match:
    match = Match()
    matrix, graph = both(18 - 8 * use.quick)
    source = int(np.argmax(np.diff(matrix.indptr)))
    match.add(
        "evenfold bfs", lambda: ef.bfs(graph, source), lambda r: np.flatnonzero(r.levels >= 0)
    )
    match.add(
        "scipy breadth_first_order",
        lambda: csgraph.breadth_first_order(matrix, source, return_predecessors=False),
        np.sort,
    )
    return match


@case("shortest paths, Kronecker graph of 2^16 vertices")
def sssp(use: Setting) -> Match:
    match = Match()
    matrix, graph = both(16 - 8 * use.quick)
    source = int(np.argmax(np.diff(matrix.indptr)))
    match.add("evenfold sssp", lambda: ef.sssp(graph, source).distances)
    match.add("scipy dijkstra", lambda: csgraph.dijkstra(matrix, indices=source))
    return match


@case("connected components, Kronecker graph of 2^18 vertices")
def components(use: Setting) -> Match:
    match = Match()
    matrix, graph = both(18 - 8 * use.quick)

    def lowest(labels: np.ndarray) -> np.ndarray:
        _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
        return first[inverse]

    match.add("evenfold components", lambda: ef.components(graph))
    match.add(
        "scipy connected_components",
        lambda: csgraph.connected_components(matrix, directed=False)[1],
        lowest,
    )
    return match


@case("PageRank to 1e-10, Kronecker graph of 2^16 vertices")
def pagerank(use: Setting) -> Match:
    match = Match(tolerance=1e-8)
    matrix, graph = both(16 - 8 * use.quick)
    match.add(
        "evenfold pagerank",
        lambda: ef.pagerank(graph, tolerance=1e-10, max_iterations=500).ranks,
    )
    if networkx:
        other = of_networkx(matrix)
        size = matrix.shape[0]
        for backend in ("evenfold", None):
            match.add(
                "networkx pagerank" + (", backend evenfold" if backend else ""),
                lambda backend=backend: networkx.pagerank(
                    other, tol=1e-10 / size, max_iter=500, backend=backend
                ),
                lambda ranks: np.fromiter(ranks.values(), float),
            )
    return match


@case("triangles, Kronecker graph of 2^14 vertices")
def triangles(use: Setting) -> Match:
    match = Match()
    matrix, graph = both(14 - 6 * use.quick)
    pattern = matrix.astype(bool).astype("int64")
    match.add("evenfold triangles", lambda: ef.triangles(graph).counts)
    match.add(
        "scipy (A @ A) * A",
        lambda: np.asarray((pattern @ pattern).multiply(pattern).sum(axis=1)).ravel() // 2,
    )
    if networkx:
        other = of_networkx(matrix)
        match.add(
            "networkx triangles",
            lambda: networkx.triangles(other),
            lambda counts: np.fromiter(counts.values(), int),
        )
    return match


@case("core numbers, Kronecker graph of 2^16 vertices")
def cores(use: Setting) -> Match:
    match = Match()
    matrix, graph = both(16 - 8 * use.quick)
    match.add("evenfold core_numbers", lambda: ef.core_numbers(graph))
    if networkx:
        other = of_networkx(matrix)
        match.add(
            "networkx core_number",
            lambda: networkx.core_number(other),
            lambda numbers: np.fromiter((numbers[v] for v in sorted(numbers)), int),
        )
    return match


@case("betweenness, Kronecker graph of 2^9 vertices")
def betweenness(use: Setting) -> Match:
    match = Match()
    matrix, graph = both(9)
    match.add("evenfold betweenness", lambda: ef.betweenness(graph))
    if networkx:
        other = of_networkx(matrix)
        match.add(
            "networkx betweenness_centrality",
            lambda: networkx.betweenness_centrality(other, normalized=False),
            lambda scores: np.fromiter(scores.values(), float),
        )
    return match
