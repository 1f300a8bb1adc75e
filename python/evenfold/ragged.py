"""Ragged arrays: many rows of different lengths, in two arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arrays import integer, take_flat
from ._inputs import Input, same_engine
from ._results import written
from ._row_sources import rows_of_arrow, rows_of_awkward, rows_of_lists
from .functions import as_folded, transform


def _as_array(given: Any, taken: Input) -> Any:
    """An argument as an array of its library; a list becomes an array of NumPy."""
    is_known = isinstance(given, np.ndarray) or taken.array_library != "numpy"
    return given if is_known else taken.give(taken.array)


class Ragged:
    """Rows of different lengths, one after the other.

    Parameters
    ----------
    values : array
        The elements of all rows, of any dtype.
    offsets : array
        int64, one more than there are rows: where each row begins, and the number of elements.

    Examples
    --------
    >>> import numpy, evenfold
    >>> rows = evenfold.Ragged(numpy.array([1.0, 2.0, 3.0, 4.0]), numpy.array([0, 3, 3, 4]))
    >>> rows
    Ragged([[1.0, 2.0, 3.0], [], [4.0]])
    >>> rows.sum()
    array([6., 0., 4.])
    """

    def __init__(self, values: Any, offsets: Any) -> None:
        self._values = take_flat("Ragged", "values", values)
        self._offsets = take_flat("Ragged", "offsets", offsets, ("int64",), self._values)
        self._engine = same_engine("Ragged", self._values, self._offsets)
        if self._offsets.size == 0:
            raise ValueError("Ragged: offsets is empty; pass one more than there are rows, from 0 on")
        self.values = _as_array(values, self._values)
        self.offsets = _as_array(offsets, self._offsets)

    # Other representations of the same rows.

    @classmethod
    def from_lists(cls, rows: Sequence[Sequence[Any]], dtype: Any = None) -> Ragged:
        """Rows that are lists.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[3, 1], [2]]).sort()
        Ragged([[1, 3], [2]])
        """
        return cls(*rows_of_lists(rows, dtype))

    @classmethod
    def from_arrow(cls, lists: Any) -> Ragged:
        """An Arrow array of lists of numbers: anything with `__arrow_c_array__`.

        The values are not copied. Offsets of 32 bits, those of a ListArray, are widened; those of
        a LargeListArray that was not sliced are not copied.

        Examples
        --------
        >>> import pyarrow, evenfold
        >>> evenfold.Ragged.from_arrow(pyarrow.array([[3, 1], [], [7]]))
        Ragged([[3, 1], [], [7]])
        """
        return cls(*rows_of_arrow(lists))

    @classmethod
    def from_awkward(cls, rows: Any) -> Ragged:
        """An Awkward array of two dimensions, the second one of any lengths, without options.

        Examples
        --------
        >>> import awkward, evenfold
        >>> evenfold.Ragged.from_awkward(awkward.Array([[3, 1], [], [7]])).sum()
        array([4, 0, 7])
        """
        return cls(*rows_of_awkward(rows))

    def to_awkward(self) -> Any:
        """The same rows as an Awkward array, without a copy.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[3, 1], [], [7]]).to_awkward()
        <Array [[3, 1], [], [7]] type='3 * var * int64'>
        """
        import awkward

        layout = awkward.contents.ListOffsetArray(
            awkward.index.Index64(self.offsets), awkward.contents.NumpyArray(self.values)
        )
        return awkward.Array(layout)

    def to_lists(self) -> list[list[Any]]:
        """The rows as lists.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [], [7]])
        >>> rows.to_lists()
        [[3, 1], [], [7]]
        """
        return [row.tolist() for row in self]

    # Folds of each row.

    def _fold(self, op: str, dtype: Any = None, out: Any = None) -> Any:
        rows = self if dtype is None else Ragged(as_folded(op, self.values, dtype), self.offsets)
        found = _core.segmented_reduce(rows._engine, rows._values.array, rows._offsets.array, op)
        return written(op, rows._give(found), out)

    def sum(self, *, dtype: Any = None, out: Any = None) -> Any:
        """The sum of each row; 0 for an empty one.

        Sums of integers are int64, or uint64 for elements of uint64, and wrap around.

        `dtype` is the dtype in which elements are folded, and `out` the array that the result
        is written to.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [], [7]])
        >>> rows.sum()
        array([4, 0, 7])
        """
        return self._fold("sum", dtype, out)

    def prod(self, *, dtype: Any = None, out: Any = None) -> Any:
        """The product of each row; 1 for an empty one.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 2], [], [7]])
        >>> rows.prod()
        array([6, 1, 7])
        """
        return self._fold("prod", dtype, out)

    def min(self, *, dtype: Any = None, out: Any = None) -> Any:
        """The smallest element of each row; NaN if one is NaN, the largest number for no
        elements.

        Results for integers are int64, or uint64 for elements of uint64.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [7]])
        >>> rows.min()
        array([1, 7])
        """
        return self._fold("min", dtype, out)

    def max(self, *, dtype: Any = None, out: Any = None) -> Any:
        """The largest element of each row, with the rules of `min`.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [7]])
        >>> rows.max()
        array([3, 7])
        """
        return self._fold("max", dtype, out)

    def mean(self, *, out: Any = None) -> Any:
        """The mean of each row, float64; NaN for an empty one.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 2], [], [7]])
        >>> rows.mean()
        array([2.5, nan, 7. ])
        """
        found = _core.segmented_mean(self._engine, self._values.array, self._offsets.array)
        return written("mean", self._give(found), out)

    def argmin(self, *, out: Any = None) -> Any:
        """The index in its row of the first smallest element, int64; -1 for an empty row.

        NaN are larger than all numbers.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [], [7]])
        >>> rows.argmin()
        array([ 1, -1,  0])
        """
        found = _core.segmented_argmin(self._engine, self._values.array, self._offsets.array)
        return written("argmin", self._give(found), out)

    def argmax(self, *, out: Any = None) -> Any:
        """The index in its row of the first largest element that is not NaN, as `argmin`.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [], [7]])
        >>> rows.argmax()
        array([ 0, -1,  0])
        """
        found = _core.segmented_argmax(self._engine, self._values.array, self._offsets.array)
        return written("argmax", self._give(found), out)

    # Rows of the same lengths.

    def scan(self, op: str = "sum", *, exclusive: bool = False) -> Ragged:
        """The folds of the prefixes of each row: see `evenfold.scan`.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[1, 2, 3], [4, 5]]).scan()
        Ragged([[1, 3, 6], [4, 9]])
        """
        return self._with_values(
            _core.segmented_scan(
                self._engine, self._values.array, self._offsets.array, op, exclusive
            )
        )

    def map(self, f: Callable[..., Any], *others: Any) -> Ragged:
        """Apply a function to each element, and to those of other arrays as long as `values`.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[1, 2, 3], [4]]).map(lambda x: x * x)
        Ragged([[1, 4, 9], [16]])
        """
        mapped = transform(f, self.values, *others)
        if isinstance(mapped, tuple):
            raise ValueError(f"map: the function returns {len(mapped)} values; return one")
        return Ragged(mapped, self.offsets)

    def _order(self, descending: bool) -> _core.Array:
        return _core.segmented_sort_indices(
            self._engine, self._values.array, self._offsets.array, descending
        )

    def sort(self, *, descending: bool = False) -> Ragged:
        """Each row sorted; NaN come last.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[3, 1], [], [7]])
        >>> rows.sort()
        Ragged([[1, 3], [], [7]])
        """
        order = self._order(descending)
        return self._with_values(_core.take(self._engine, self._values.array, order))

    def argsort(self, *, descending: bool = False) -> Ragged:
        """The indices in `values` that sort each row, int64; equal elements keep their order.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[2, 1], [9, 7, 8]]).argsort()
        Ragged([[1, 0], [3, 4, 2]])
        """
        return self._with_values(self._order(descending))

    # Rows of other lengths.

    def topk(self, k: int, *, largest: bool = True) -> Ragged:
        """The k largest elements of each row in descending order, or the smallest ones.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[2, 1, 3], [9]]).topk(2)
        Ragged([[3, 2], [9]])
        """
        k = integer("topk", "k", k)
        if k < 0:
            raise ValueError(f"topk: k is {k}; pass 0 or more")
        order, offsets = _core.segmented_top_k_indices(
            self._engine,
            self._values.array,
            self._offsets.array,
            min(k, self._values.size),
            largest,
        )
        return self._of(_core.take(self._engine, self._values.array, order), offsets)

    def filter(self, mask: Any) -> Ragged:
        """The elements for which a mask, one bool per element of `values`, or a function is true.

        Examples
        --------
        >>> import evenfold
        >>> rows = evenfold.Ragged.from_lists([[1, 2, 3], [4]])
        >>> rows.filter(rows.values % 2 == 0)
        Ragged([[2], [4]])
        >>> rows.filter(lambda x: x > 2)
        Ragged([[3], [4]])
        """
        if callable(mask):
            mask = transform(mask, self.values)
        kept = take_flat("filter", "mask", mask, ("bool",))
        engine = same_engine("filter", self._values, kept)
        return self._of(
            *_core.segmented_filter(
                engine, self._values.array, self._offsets.array, kept.array
            )
        )

    def concat(self, *others: Ragged) -> Ragged:
        """Each row, followed by the same row of the others.

        Examples
        --------
        >>> import evenfold
        >>> evenfold.Ragged.from_lists([[1], [2]]).concat(evenfold.Ragged.from_lists([[3], []]))
        Ragged([[1, 3], [2]])
        """
        for other in others:
            if not isinstance(other, Ragged):
                raise TypeError(
                    f"concat: rows to append are of {type(other).__name__}; pass a Ragged"
                )
        parts = [self, *others]
        engine = same_engine("concat", *(part._values for part in parts))
        return self._of(
            *_core.segmented_concat(
                engine,
                [part._values.array for part in parts],
                [part._offsets.array for part in parts],
            )
        )

    def _give(self, result: _core.Array) -> Any:
        return self._values.give(result)

    def _with_values(self, values: _core.Array) -> Ragged:
        return Ragged(self._give(values), self.offsets)

    def _of(self, values: _core.Array, offsets: _core.Array) -> Ragged:
        return Ragged(self._give(values), self._give(offsets))

    def __reduce__(self) -> tuple[Any, ...]:
        return Ragged, (self.values, self.offsets)

    # Rows as a sequence.

    def __len__(self) -> int:
        return self._offsets.size - 1

    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            begin, end, step = row.indices(len(self))
            if step != 1:
                raise ValueError(f"Ragged: the step of a slice is {step}; pass a slice without one")
            offsets = self.offsets[begin : max(begin, end) + 1]
            first, last = int(offsets[0]), int(offsets[-1])
            return Ragged(self.values[first:last], offsets - first if first else offsets)
        row = integer("Ragged", "row", row)
        if not -len(self) <= row < len(self):
            raise IndexError(f"Ragged: row is {row}, but there are {len(self)} rows")
        row %= len(self)
        return self.values[int(self.offsets[row]) : int(self.offsets[row + 1])]

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        shown = ", ".join(str(row.tolist()) for row, _ in zip(self, range(8)))
        return f"Ragged([{shown}{', ...' if len(self) > 8 else ''}])"
