"""Functions of the user's: they are traced once per call, and run without a compiler."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from . import _core, _trace
from ._arrays import (
    Input,
    as_float32,
    as_scalar,
    check_contiguous,
    same_engine,
    take,
    take_flat,
)
from ._trace import BOOL, FLOAT64, INT64, Traced, is_array, is_number

_FOLDS = ("sum", "prod", "min", "max")
_RECOGNISED = {"add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max"}


class Function:
    """A function of elements: the result of `function`."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.__evenfold_function__ = f
        functools.update_wrapper(self, f)

    def __call__(self, *operands: Any) -> Any:
        if any(is_array(x) for x in operands):
            return transform(self, *operands)
        return self.__evenfold_function__(*operands)


def function(f: Callable[..., Any]) -> Function:
    """Make a function of elements one of arrays, as numpy.vectorize does.

    All functions of this package take plain functions and lambdas, too.

    Examples
    --------
    >>> import numpy, evenfold
    >>> @evenfold.function
    ... def cube(x):
    ...     return x * x * x
    >>> cube(numpy.array([1, 2, 3]))
    array([ 1,  8, 27])
    """
    return Function(f)


class _Call:
    """A function, traced with the elements of arrays, and where its work is done."""

    def __init__(
        self,
        name: str,
        f: Callable[..., Any],
        arrays: Any,
        *,
        flat: bool = True,
        offsets: Any = None,
        positions: bool = False,
    ) -> None:
        operands = list(arrays) if isinstance(arrays, (tuple, list)) else [arrays]
        inputs = [
            take_flat(name, "an array", x) if flat else take(name, "an array", x)
            for x in operands
            if not is_number(x)
        ]
        for one in inputs:
            check_contiguous(name, "an array", one)
            if one.shape != inputs[0].shape:
                raise ValueError(
                    f"{name}: an array has the shape {one.shape}, and another one"
                    f" {inputs[0].shape}; pass arrays of one shape"
                )
        self.offsets = None
        if offsets is not None:
            self.offsets = take_flat(name, "offsets", offsets, ("int64",))
        known = [*inputs, self.offsets] if self.offsets else inputs
        if not known:
            raise ValueError(f"{name}: there is no array; pass at least one")
        self.like = known[0]
        self.shape = self.like.shape if inputs else (_last(self.offsets),)

        def made(trace: _trace.Trace) -> list[Any]:
            values: list[Any] = []
            if positions:
                values += [trace.add(op, INT64) for op in ("index", "segment", "rank")]
            position = 0
            for x in operands:
                if is_number(x):
                    values.append(trace.number(x, np.result_type(x)))
                else:
                    values.append(trace.add("input", np.dtype(inputs[position].dtype), position))
                    position += 1
            return values

        self.name = name
        self.inputs = inputs
        self.traced = _trace.trace(name, f, made)
        self.tables = [take_flat(name, "a captured array", x) for x in self.traced.trace.tables]
        self.engine = same_engine(name, *known, *self.tables)

    @property
    def count(self) -> int:
        return prod(self.shape)

    def only_result(self) -> np.dtype[Any]:
        """The dtype of the result of a function that has one."""
        if len(self.traced.results) != 1:
            raise ValueError(
                f"{self.name}: the function returns {len(self.traced.results)} values, but one is"
                " expected; return one, or pass an operator on tuples as op"
            )
        return self.traced.dtypes[0]

    def compiled(self) -> _core.Function:
        """The traced function for the runtime layer."""
        return _core.Function(
            self.traced.steps,
            self.traced.result_steps,
            [taken.array for taken in self.inputs],
            [taken.array for taken in self.tables],
            self.traced.trace.numbers,
            self.count,
            self.offsets.array if self.offsets else None,
        )

    def operator(self, op: Callable[..., Any], initial: Any, *, less: bool = False) -> _core.Function:
        """An operator on two values of the function, for the runtime layer."""
        dtypes = self.traced.dtypes
        width = len(dtypes)
        if width > 4:
            raise ValueError(
                f"{self.name}: the function returns {width} values, but an operator combines at most"
                " 4; return fewer"
            )

        def made(trace: _trace.Trace) -> list[Any]:
            values = _trace.inputs([*dtypes, *dtypes])(trace)
            if not self.traced.is_tuple:
                return values
            return [tuple(values[:width]), tuple(values[width:])]

        traced = _trace.trace(self.name, op, made)
        expected = [BOOL] if less else dtypes
        if len(traced.results) != len(expected):
            raise TypeError(
                f"{self.name}: the operator returns {len(traced.results)} values, but"
                f" {len(expected)} are expected; return as many as an operand has"
            )
        for value, dtype in zip(traced.results, expected):
            if value.dtype != dtype:
                raise TypeError(
                    f"{self.name}: the operator returns {value.dtype} for operands of {dtype};"
                    f" return {dtype}, such as by .astype({dtype.name!r}), or pass other arrays"
                )
        given = [] if initial is None else initial if self.traced.is_tuple else [initial]
        if initial is not None and len(given) != width:
            raise ValueError(
                f"{self.name}: initial has {len(given)} values, but the function returns {width}"
            )
        tables = [take_flat(self.name, "a captured array", x) for x in traced.trace.tables]
        same_engine(self.name, self.like, *tables)
        return _core.Function(
            traced.steps,
            traced.result_steps,
            [],
            [taken.array for taken in tables],
            traced.trace.numbers,
            initial=[_trace.bits_of(x, dtype) for x, dtype in zip(given, dtypes)],
        )

    def give(self, results: Sequence[_core.Array], shape: tuple[int, ...] | None = None) -> Any:
        """Results as arrays of the library of the arguments."""
        given = tuple(self.like.give(result, shape) for result in results)
        return given if self.traced.is_tuple else given[0]


def _last(offsets: Input | None) -> int:
    if offsets is None or offsets.size == 0:
        return 0
    return int(as_scalar(offsets.give(offsets.array)[-1:]))


def transform(f: Callable[..., Any], *arrays: Any) -> Any:
    """A function of each element.

    Parameters
    ----------
    f : function
        Of as many elements as there are arrays. It returns a value, or a tuple of values.
    *arrays : array or number
        Contiguous arrays of one shape, of any dtype.

    Returns
    -------
    array or tuple of arrays
        Of the dtypes that NumPy gives the same operations.

    Examples
    --------
    >>> import numpy, evenfold
    >>> x, y = numpy.array([3.0, 5.0]), numpy.array([4.0, 12.0])
    >>> evenfold.transform(lambda a, b: numpy.sqrt(a * a + b * b), x, y)
    array([ 5., 13.])
    """
    call = _Call("transform", f, arrays, flat=False)
    return call.give(_core.function_transform(call.engine, call.compiled()), call.shape)


def transform_lbs(f: Callable[..., Any], offsets: Any, *arrays: Any) -> Any:
    """A function of each element and its segment.

    Parameters
    ----------
    f : function
        Called as f(index, segment, rank, ...) with int64: the index of the element, its segment,
        and its index in the segment; then an element of each array.
    offsets : array
        int64, one more than there are segments, as Arrow has them.
    *arrays : array
        One dimension, with as many elements as the segments have.

    Examples
    --------
    >>> import numpy, evenfold
    >>> factors = numpy.array([10, 100])
    >>> evenfold.transform_lbs(lambda i, s, rank: factors[s] + rank, numpy.array([0, 1, 3]))
    array([ 10, 100, 101])
    """
    call = _Call("transform_lbs", f, arrays, offsets=offsets, positions=True)
    return call.give(_core.function_transform(call.engine, call.compiled()))


def count_if(f: Callable[..., Any], *arrays: Any) -> int:
    """For how many elements a function is true.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.count_if(lambda x: x > 1, numpy.array([1, 2, 3]))
    2
    """
    call = _Call("count_if", f, arrays)
    _as_condition(call)
    call.traced.cast(INT64)
    return int(as_scalar(call.like.give(_core.function_reduce(call.engine, call.compiled(), "sum"))))


def filter(f: Callable[..., Any], *arrays: Any) -> Any:
    """The elements for which a function is true, in their order.

    Parameters
    ----------
    f : function
        Of as many elements as there are arrays.
    *arrays : array
        One dimension, and one length.

    Returns
    -------
    array or tuple of arrays
        The kept elements of each array.

    See Also
    --------
    numpy.extract : the same for a mask.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.filter(lambda x: x % 2 == 1, numpy.array([3, 4, 5]))
    array([3, 5])
    """
    call = _Call("filter", f, arrays)
    _as_condition(call)
    kept = _core.function_kept(call.engine, call.compiled())
    found = tuple(x.give(_core.take(call.engine, x.array, kept)) for x in call.inputs)
    return found if len(found) > 1 else found[0]


def _as_condition(call: _Call) -> None:
    if call.only_result() != BOOL:
        raise TypeError(
            f"{call.name}: the function returns {call.traced.dtypes[0]}, but a bool is expected;"
            " compare the value, such as with != 0"
        )


def _element(x: Any) -> Any:
    return x


def or_function(
    of_function: Callable[..., Any], *, op_at: int
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes a function of arrays take a function of elements before them, or one as `op`."""

    def decorate(of_values: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(of_values)
        def choose(*given: Any, **named: Any) -> Any:
            if given and callable(given[0]):
                return of_function(*given, **named)
            if callable(named.get("op", given[op_at] if len(given) > op_at else None)):
                values = given[0] if given else named.pop("values")
                return of_function(_element, values, *given[1:], **named)
            return of_values(*given, **named)

        return choose

    return decorate


def _recognised(call: _Call, op: Any, initial: Any) -> str | None:
    """The name of an operator that is written as one that the library has."""
    if isinstance(op, str):
        return op
    if call.traced.is_tuple or initial is not None:
        return None
    if call.traced.dtypes[0] not in (INT64, np.dtype("float32"), FLOAT64):
        return None
    dtype = call.traced.dtypes[0]
    traced = _trace.trace(call.name, op, _trace.inputs([dtype, dtype]))
    first, second = ("input", dtype.name, 0, -1, -1), ("input", dtype.name, 1, -1, -1)
    if traced.steps[:2] != [first, second] or len(traced.steps) != 3:
        return None
    name, _, *operands = traced.steps[2]
    return _RECOGNISED.get(name) if operands == [0, 1, -1] and not traced.is_tuple else None


def _check_fold(name: str, op: str) -> None:
    if op not in _FOLDS:
        raise ValueError(
            f"{name}: op is {op!r}; with a function, pass one of {', '.join(_FOLDS)}, or a function"
            " of two values"
        )


def reduce_function(f: Callable[..., Any], arrays: Any, op: Any = "sum", *, initial: Any = None) -> Any:
    """`reduce` of the values of a function of elements."""
    call = _Call("reduce", f, arrays)
    known = _recognised(call, op, initial)
    if known is not None and call.count + isinstance(op, str) > 0:
        return _reduce_by_name(call, known)
    found = _core.function_reduce_by(call.engine, call.compiled(), call.operator(op, initial))
    if len(found[0]) == 0:
        raise ValueError("reduce: there are no elements to fold; pass initial, or at least one")
    given = tuple(as_scalar(call.like.give(result)) for result in found)
    return given if call.traced.is_tuple else given[0]


def _reduce_by_name(call: _Call, op: str) -> Any:
    _check_fold("reduce", op)
    dtype = call.only_result()
    if op in ("min", "max") and call.count == 0:
        raise ValueError(f"reduce: there are no elements to take the {op} of; pass at least one")
    wide = {"f": FLOAT64, "u": np.dtype("uint64")}.get(dtype.kind, INT64)
    call.traced.cast(wide)
    result = as_scalar(call.like.give(_core.function_reduce(call.engine, call.compiled(), op)))
    return as_float32(result) if dtype == np.dtype("float32") else result


def _folded_dtype(call: _Call) -> None:
    """Folds of integers are int64, as those of arrays are."""
    dtype = call.only_result()
    if dtype.kind == "f":
        return
    if dtype == np.dtype("uint64"):
        raise TypeError(
            f"{call.name}: the function returns uint64, which is not folded; use .astype('int64')"
        )
    call.traced.cast(INT64)


def segreduce_function(
    f: Callable[..., Any], arrays: Any, offsets: Any, op: Any = "sum", *, initial: Any = None
) -> Any:
    """`segreduce` of the values of a function of elements."""
    call = _Call("segreduce", f, arrays, offsets=offsets)
    known = _recognised(call, op, initial) if isinstance(op, str) else None
    if known is not None:
        _check_fold("segreduce", known)
        _folded_dtype(call)
        return call.like.give(_core.function_segreduce(call.engine, call.compiled(), known))
    _need_initial(call, initial)
    return call.give(
        _core.function_segreduce_by(call.engine, call.compiled(), call.operator(op, initial))
    )


def _need_initial(call: _Call, initial: Any) -> None:
    if initial is None:
        raise ValueError(
            f"{call.name}: initial is missing, which is the result where there is nothing to fold;"
            " pass the value that changes no other one, such as 0 for a sum"
        )


def scan_function(
    f: Callable[..., Any],
    arrays: Any,
    op: Any = "sum",
    *,
    exclusive: bool = False,
    initial: Any = None,
) -> Any:
    """`scan` of the values of a function of elements."""
    call = _Call("scan", f, arrays)
    known = None if exclusive and not isinstance(op, str) else _recognised(call, op, initial)
    if known is not None:
        _check_fold("scan", known)
        _folded_dtype(call)
        return call.like.give(_core.function_scan(call.engine, call.compiled(), known, exclusive))
    if exclusive:
        _need_initial(call, initial)
    compiled, combine = call.compiled(), call.operator(op, initial)
    return call.give(_core.function_scan_by(call.engine, compiled, combine, exclusive))


def sorted_order(values: Any, less: Callable[..., Any]) -> tuple[Input, _core.Array]:
    """The indices that sort an array by a comparison."""
    call = _Call("sort", _element, values)
    order = _core.function_sort_indices(
        call.engine, call.compiled(), call.operator(less, None, less=True)
    )
    return call.inputs[0], order
