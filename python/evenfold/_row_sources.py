"""Rows of other libraries, as the values and offsets of a `Ragged`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._results import as_numpy

Rows = tuple[Any, Any]


def rows_of_lists(rows: Sequence[Sequence[Any]], dtype: Any) -> Rows:
    """The values and offsets of lists."""
    try:
        lengths = np.fromiter(map(len, rows), dtype="int64", count=len(rows))
    except (TypeError, ValueError):  # there are no lengths, or not as many as rows
        raise TypeError("from_lists: rows must have lengths; pass a list of lists") from None
    values = np.asarray([value for row in rows for value in row], dtype=dtype)
    return values, np.concatenate([[0], np.cumsum(lengths)]).astype("int64")


def rows_of_arrow(lists: Any) -> Rows:
    """The values and offsets of an Arrow array of lists."""
    if not hasattr(lists, "__arrow_c_array__"):
        raise TypeError(
            f"from_arrow: lists is of {type(lists).__name__}; pass an Arrow array of lists, of one"
            " chunk"
        )
    values, offsets = map(as_numpy, _core.borrow_arrow_lists(*lists.__arrow_c_array__()))
    first, last = int(offsets[0]), int(offsets[-1])
    begins = offsets.astype("int64", copy=False)
    return values[first:last], begins - first if first else begins


def rows_of_awkward(rows: Any) -> Rows:
    """The values and offsets of an Awkward array."""
    import awkward

    try:
        layout = awkward.to_layout(rows)
    except (TypeError, ValueError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise TypeError(
            f"from_awkward: rows is of {type(rows).__name__}: {reason}; pass an Awkward array"
        ) from None
    if not layout.is_list:
        raise TypeError(
            f"from_awkward: the rows are {layout.form.type}, but lists are expected; pass an"
            " array of two dimensions without None, such as awkward.drop_none(...)"
        )
    lists = layout.to_ListOffsetArray64(True)
    offsets = np.asarray(lists.offsets)
    content = lists.content
    if content.is_unknown:
        return np.zeros(0), offsets
    if not content.is_numpy:
        raise TypeError(
            f"from_awkward: the rows hold {content.form.type}, but numbers are expected; pass an"
            " array of two dimensions without None, such as awkward.drop_none(...)"
        )
    return np.asarray(content.data)[: offsets[-1]], offsets
