"""Tables of columns: their order, joins and groups of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import check_alike, take_flat
from ._inputs import Input, local, same_engine
from .ragged import Ragged


def sort_columns(columns: Sequence[Any]) -> Any:
    """The rows of a table in the order of their keys, int32; equal rows keep their order.

    Parameters
    ----------
    columns : list of arrays
        One or more columns, of any dtype and of one length. Rows are compared by the first
        column, then by the second, and so on.

    See Also
    --------
    numpy.lexsort : the same, where the last column decides first.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.sort_columns([numpy.array([2, 1, 2]), numpy.array([0.5, 0.0, 0.25])])
    array([1, 2, 0], dtype=int32)
    """
    keys = _columns("sort_columns", "columns", columns)
    engine = same_engine("sort_columns", *keys)
    return keys[0].give(_core.sort_columns(engine, [key.array for key in keys]))


def _columns(function: str, name: str, columns: Any) -> list[Input]:
    """The columns of a list, or one column that is an array or a list of numbers."""
    several = isinstance(columns, (list, tuple)) and not any(map(np.isscalar, columns))
    keys = [take_flat(function, name, column) for column in (columns if several else [columns])]
    if not keys or any(key.size != keys[0].size for key in keys):
        raise ValueError(
            f"{function}: {name} are {len(keys)} arrays of the lengths"
            f" {[key.size for key in keys]}; pass at least one, and all of one length"
        )
    return keys


class Joined(NamedTuple):
    """Rows of two tables that belong together, int32; -1 where a side has no row.

    Examples
    --------
    >>> import numpy, evenfold
    >>> rows = evenfold.join(numpy.array([7, 8]), numpy.array([8, 9]), how="left")
    >>> rows.left, rows.right
    (array([0, 1], dtype=int32), array([-1,  0], dtype=int32))
    """

    left: Any
    right: Any


def join(left: Any, right: Any, how: str = "inner") -> Joined:
    """The pairs of rows with equal keys.

    Parameters
    ----------
    left, right : array or list of arrays
        The keys of the rows: one column, or several of one length. Columns of both tables that
        are compared have the same dtype.
    how : {"inner", "left", "right", "full", "semi", "anti"}
        Which rows without a partner are kept. `semi` and `anti` give the left rows that have one,
        or none.

    Returns
    -------
    Joined
        Ordered by left row and then by right row; right rows without a partner are at the end.

    See Also
    --------
    pandas.merge

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.join(numpy.array([7, 8, 9]), numpy.array([9, 7, 7]))
    Joined(left=array([0, 0, 2], dtype=int32), right=array([1, 2, 0], dtype=int32))
    """
    ours, others = _columns("join", "left", left), _columns("join", "right", right)
    if len(ours) != len(others):
        raise ValueError(
            f"join: left has {len(ours)} columns and right {len(others)}; pass as many on each side"
        )
    for one, other in zip(ours, others):
        check_alike("join", "right", other, "left", one)
    engine = same_engine("join", *ours, *others)
    rows = _core.join(
        engine, [key.array for key in ours], [key.array for key in others], how
    )
    return Joined(*(ours[0].give(part) for part in rows))


class Groups(NamedTuple):
    """The distinct keys in ascending order, and the values of each key.

    Examples
    --------
    >>> import numpy, evenfold
    >>> found = evenfold.group_by(numpy.array([7, 2, 7]), numpy.array([1, 2, 4]))
    >>> found.rows
    Ragged([[2], [1, 4]])
    """

    keys: Any
    rows: Ragged


def group_by(keys: Any, values: Any) -> Groups:
    """The values of each key, in their order.

    Parameters
    ----------
    keys, values : array
        One dimension of any dtype, and of one length. NaN are one key, which comes last.

    See Also
    --------
    pandas.DataFrame.groupby

    Examples
    --------
    >>> import numpy, evenfold
    >>> found = evenfold.group_by(numpy.array([7, 2, 7]), numpy.array([1.0, 2.0, 4.0]))
    >>> found.keys, found.rows.sum()
    (array([2, 7]), array([2., 5.]))
    """
    key = take_flat("group_by", "keys", keys)
    value = take_flat("group_by", "values", values)
    engine = same_engine("group_by", key, value)
    if key.size != value.size:
        raise ValueError(
            f"group_by: there are {key.size} keys and {value.size} values; pass one key per value"
        )
    different, _, _, counts, order = _core.unique(engine, key.array, False)
    ends = _core.scan(engine, counts, "sum", False)
    zero = local(value, take_flat("group_by", "offsets", np.zeros(1, "int64")))
    ordered = _core.take(engine, value.array, order)
    return Groups(
        key.give(different),
        Ragged(value.give(ordered), value.give(_core.merge(engine, zero, ends))),
    )
