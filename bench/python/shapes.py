"""The data of the cases."""

from __future__ import annotations

from typing import Any

import numpy as np


def offsets_of(lengths: np.ndarray, count: int) -> np.ndarray:
    """The offsets of rows of these lengths, the last of which is cut where `count` items end."""
    ends = np.cumsum(lengths)
    ends = ends[: np.searchsorted(ends, count)]
    return np.concatenate([[0], ends, [count]]).astype("int64")


def uniform(count: int, mean: int) -> np.ndarray:
    """Lengths from 1 to 2 * mean - 1."""
    random = np.random.default_rng(1)
    return offsets_of(random.integers(1, 2 * mean, 2 * count // mean + 16), count)


def skewed(count: int) -> np.ndarray:
    """One row in the middle has half of the items, the others have 1 to 4."""
    random = np.random.default_rng(2)
    short = random.integers(1, 5, count // 2)
    quarter = offsets_of(short, count // 4)
    return np.concatenate([quarter, count - quarter[::-1]])


def kronecker(scale: int, edges_per_vertex: int = 16) -> Any:
    """A graph of 2^scale vertices as the graph500 benchmark draws it, as a symmetric matrix of
    scipy.sparse without loops, whose values are weights from 1 to 2."""
    import scipy.sparse

    random = np.random.default_rng(3)
    count = edges_per_vertex << scale
    ends = np.zeros((2, count), "int64")
    for _ in range(scale):
        down = random.random(count) > 0.76
        right = random.random(count) > np.where(down, 0.05 / 0.24, 0.57 / 0.76)
        ends = 2 * ends + np.stack([down, right])
    ends = random.permutation(1 << scale)[ends]
    low, high = ends.min(axis=0), ends.max(axis=0)
    joined = np.unique(np.stack([low, high])[:, low < high], axis=1)
    weights = 1 + random.random(joined.shape[1])
    upper = scipy.sparse.coo_array((weights, tuple(joined)), shape=(1 << scale, 1 << scale))
    return (upper + upper.T).tocsr()
