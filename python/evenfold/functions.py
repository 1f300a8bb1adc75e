"""Functions of the user's: they are traced once per call, and run without a compiler."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from . import _core, _nvrtc, _source, _trace
from ._arrays import (
    Input,
    as_float32,
    as_scalar,
    check_contiguous,
    local,
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

    @property
    def is_on_host(self) -> bool:
        return self.like.array.is_on_host

    def compiled(self) -> _core.Function:
        """The traced function for the runtime layer."""
        if self.is_on_host and self.traced.trace.sources:
            raise NotImplementedError(
                f"{self.name}: functions in C++ run on a GPU; pass a function of Python, or arrays"
                " that are on a GPU"
            )
        compiled = _core.Function(
            self.traced.steps,
            self.traced.result_steps,
            [taken.array for taken in self.inputs],
            [taken.array for taken in self.tables],
            self.traced.trace.numbers,
            self.count,
            self.offsets.array if self.offsets else None,
        )
        self.set_code(compiled, self.traced, segments=self.offsets is not None)
        return compiled

    def set_code(self, f: _core.Function, traced: Traced, *, segments: bool = False) -> None:
        """Gives a function for a GPU its kernel."""
        if not self.is_on_host:
            source = _source_of(traced, segments=segments)
            architecture = _nvrtc.architecture_of(self.like.device)
            f.set_code(_nvrtc.compiled(source, architecture), _source.KERNEL)

    def values(self) -> _core.Array:
        """The values of a function that has one result, in memory."""
        return _core.function_transform(self.engine, self.compiled())[0]

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

    def need_host(self) -> None:
        if not self.is_on_host:
            raise NotImplementedError(
                f"{self.name}: operators and comparisons of one's own run on the CPU; pass one of"
                f" {', '.join(_FOLDS)}, or arrays that are on the host"
            )

    def give(self, results: Sequence[_core.Array], shape: tuple[int, ...] | None = None) -> Any:
        """Results as arrays of the library of the arguments."""
        given = tuple(self.like.give(result, shape) for result in results)
        return given if self.traced.is_tuple else given[0]


def _source_of(traced: Traced, *, segments: bool = False) -> str:
    tables = [_trace.dtype_of(table).name for table in traced.trace.tables]
    trace = traced.trace
    return _source.kernel_source(
        trace.steps, traced.result_steps, tables, trace.sources, segments=segments
    )


def cpp(source: str, *, dtype: Any = None) -> _trace.Cpp:
    """A function of one, two or three elements in C++, for arrays on a GPU.

    It can be passed to `transform`, and called in functions that are traced.

    Parameters
    ----------
    source : str
        A lambda without captures.
    dtype : dtype, optional
        That of the result; the one that NumPy promotes the operands to where it is not given.

    Examples
    --------
    >>> import evenfold
    >>> saturated = evenfold.cpp("[](float x) { return __saturatef(x); }")
    >>> evenfold.precompile(lambda x: saturated(x) * 2, "float32",
    ...                     architecture="sm_90")  # doctest: +SKIP
    """
    return _trace.Cpp(source, dtype)


def precompile(f: Callable[..., Any], *dtypes: Any, architecture: str | None = None) -> None:
    """Compile a function of elements for a GPU, and keep the result on disk.

    The first call of `transform` with arrays of the same dtypes then loads the result, in this and
    in later processes. Kernels are kept in the folder that the environment variable EVENFOLD_CACHE
    names, or in that of the user's caches.

    Parameters
    ----------
    f : function
        As for `transform`.
    *dtypes : dtype
        Those of the elements.
    architecture : str, optional
        Such as "sm_90"; that of the first GPU of this machine where it is not given.
    """
    operands = _trace.inputs([np.dtype(dtype) for dtype in dtypes])
    source = _source_of(_trace.trace("precompile", f, operands))
    _nvrtc.compiled(source, architecture or _nvrtc.architecture_of(0))


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
    return int(as_scalar(call.like.give(_folded(call, "sum"))))


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
    if call.is_on_host:
        kept = _core.function_kept(call.engine, call.compiled())
        found = [_core.take(call.engine, x.array, kept) for x in call.inputs]
    else:
        ends = take_flat("filter", "offsets", np.array([0, call.count]))
        mask, whole = call.values(), local(call.like, ends)
        found = [
            _core.segmented_filter(call.engine, x.array, whole, mask)[0] for x in call.inputs
        ]
    given = tuple(x.give(result) for x, result in zip(call.inputs, found))
    return given if len(given) > 1 else given[0]


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
    if call.is_on_host:
        found = _core.function_reduce_by(call.engine, call.compiled(), call.operator(op, initial))
    else:
        found = _reduce_in_pairs(call, op, initial)
    if len(found[0]) == 0:
        raise ValueError("reduce: there are no elements to fold; pass initial, or at least one")
    given = tuple(as_scalar(call.like.give(result)) for result in found)
    return given if call.traced.is_tuple else given[0]


def _reduce_in_pairs(call: _Call, op: Callable[..., Any], initial: Any) -> list[_core.Array]:
    """The fold by an operator in the canonical order (balance/fold_order.hpp), by transforms alone.

    Neighbours are folded in pairs until a block is left; blocks without a neighbour are kept. There
    are at most 15 elements and one block of each length, which are folded on the host.
    """
    values = _core.function_transform(call.engine, call.compiled())
    run, count = 16, call.count
    blocks = [[k] for k in range(count - count % run, count)]
    kept = [_gather(call, values, [k for (k,) in blocks])] if blocks else []
    count -= count % run
    length = 1
    while count > 1:
        if length >= run and count % 2 == 1:
            kept.insert(0, _gather(call, values, [count - 1]))
        count //= 2
        length *= 2
        values = _pairs(call, op, values, count)
    if count == 1:
        kept.insert(0, _gather(call, values, [0]))
    pieces = [np.concatenate(parts) for parts in zip(*kept)] if kept else _nothing(call)
    # Fewer than 16 elements are folded from left to right.
    found = initial
    for begin in range(0, max(len(pieces[0]), 1), run - 1):
        part = tuple(piece[begin : begin + run - 1] for piece in pieces)
        host = _Call(call.name, _elements if call.traced.is_tuple else _element, part)
        folded = _core.function_reduce_by(host.engine, host.compiled(), host.operator(op, found))
        found = host.give(folded)
        found = tuple(x[0] for x in found) if call.traced.is_tuple and len(folded[0]) else found
        found = found[0] if not call.traced.is_tuple and len(folded[0]) else found
    return folded


def _elements(*operands: Any) -> Any:
    return operands


def _nothing(call: _Call) -> list[Any]:
    return [np.zeros(0, dtype) for dtype in call.traced.dtypes]


def _gather(call: _Call, values: Sequence[_core.Array], indices: Sequence[int]) -> list[Any]:
    """Elements of arrays as arrays of NumPy."""
    at = local(call.like, take_flat(call.name, "indices", np.array(indices, "int64")))
    return [_to_numpy(call.like.give(_core.take(call.engine, x, at))) for x in values]


def _to_numpy(values: Any) -> Any:
    if hasattr(values, "get"):
        return values.get()
    return values.cpu().numpy() if hasattr(values, "cpu") else np.asarray(values)


def _pairs(
    call: _Call, op: Callable[..., Any], values: Sequence[_core.Array], count: int
) -> list[_core.Array]:
    """The folds of `count` pairs of neighbours."""

    def of_pair(*operands: Any) -> Any:
        index, *tables = operands
        left, right = ([table[2 * index + side] for table in tables] for side in (0, 1))
        bound = _trace.bind(op, index.trace)
        if call.traced.is_tuple:
            return bound(tuple(left), tuple(right))
        return bound(left[0], right[0])

    def made(trace: _trace.Trace) -> list[Any]:
        captured = [_trace.Captured(trace, x) for x in values]
        return [trace.add("index", INT64), *captured]

    traced = _trace.trace(call.name, of_pair, made)
    tables = [
        x if isinstance(x, _core.Array) else take_flat(call.name, "a captured array", x).array
        for x in traced.trace.tables
    ]
    compiled = _core.Function(
        traced.steps, traced.result_steps, [], tables, traced.trace.numbers, count
    )
    call.set_code(compiled, traced)
    return _core.function_transform(call.engine, compiled)


def _reduce_by_name(call: _Call, op: str) -> Any:
    _check_fold("reduce", op)
    dtype = call.only_result()
    if op in ("min", "max") and call.count == 0:
        raise ValueError(f"reduce: there are no elements to take the {op} of; pass at least one")
    wide = {"f": FLOAT64, "u": np.dtype("uint64")}.get(dtype.kind, INT64)
    call.traced.cast(wide)
    result = as_scalar(call.like.give(_folded(call, op)))
    return as_float32(result) if dtype == np.dtype("float32") else result


def _folded(call: _Call, op: str) -> _core.Array:
    """The fold of int64, uint64 or float64. On a GPU the values of the function are in memory."""
    if call.is_on_host:
        return _core.function_reduce(call.engine, call.compiled(), op)
    count = call.count
    return _core.aggregate(call.engine, call.values(), 1, count, count, 1, op, "all")[0]


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
        if call.is_on_host:
            found = _core.function_segreduce(call.engine, call.compiled(), known)
        else:
            assert call.offsets is not None
            found = _core.segmented_reduce(call.engine, call.values(), call.offsets.array, known)
        return call.like.give(found)
    call.need_host()
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
        if call.is_on_host:
            found = _core.function_scan(call.engine, call.compiled(), known, exclusive)
        else:
            found = _core.scan(call.engine, call.values(), known, exclusive)
        return call.like.give(found)
    call.need_host()
    if exclusive:
        _need_initial(call, initial)
    compiled, combine = call.compiled(), call.operator(op, initial)
    return call.give(_core.function_scan_by(call.engine, compiled, combine, exclusive))


def sorted_order(values: Any, less: Callable[..., Any]) -> tuple[Input, _core.Array]:
    """The indices that sort an array by a comparison."""
    call = _Call("sort", _element, values)
    call.need_host()
    order = _core.function_sort_indices(
        call.engine, call.compiled(), call.operator(less, None, less=True)
    )
    return call.inputs[0], order
