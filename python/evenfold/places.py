"""Places on the globe."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import take_flat
from ._inputs import local, same_engine
from .folds import reduce


class Neighbours(NamedTuple):
    """One row per place: indices of its neighbours, -1 if there are fewer, and distances."""

    indices: Any
    distances: Any


def nearest(
    latitudes: Any, longitudes: Any, groups: Any = None, *, k: int = 1, radius: float = 6371.0088
) -> Neighbours:
    """The k nearest other places of its group, for each place, by great-circle distance.

    Parameters
    ----------
    latitudes, longitudes : array
        float64, in degrees, north and east positive.
    groups : array, optional
        int32 from 0 on, the group of each place; without it there is one group.
    k : int
        The number of neighbours, from 1 to 16.
    radius : float
        The radius of the globe; distances have its unit.

    Returns
    -------
    Neighbours
        `indices` (int32) and `distances` (float64), with one row per place and k columns.

    Examples
    --------
    >>> import numpy, evenfold
    >>> found = evenfold.nearest(numpy.array([0.0, 0.0, 10.0]), numpy.array([0.0, 1.0, 0.0]))
    >>> found.indices
    array([[1],
           [0],
           [0]], dtype=int32)
    """
    north = take_flat("nearest", "latitudes", latitudes, ("float64",))
    east = take_flat("nearest", "longitudes", longitudes, ("float64",))
    if groups is None:
        zeros = take_flat("nearest", "groups", np.zeros(north.size, dtype="int32"))
        groups = north.give(local(north, zeros))
    group = take_flat("nearest", "groups", groups, ("int32",))
    engine = same_engine("nearest", north, east, group)
    if not 0 < radius < np.inf:
        raise ValueError(f"nearest: radius is {radius}; pass a positive number")
    num_groups = 1 + int(reduce(groups, "max")) if group.size else 0
    if num_groups >= 2**31:
        raise ValueError("nearest: groups has 2**31 - 1; number groups from 0 on")
    indices, distances = _core.nearest(
        engine, north.array, east.array, group.array, num_groups, k, radius
    )
    shape = (north.size, k)
    return Neighbours(north.give(indices, shape), north.give(distances, shape))
