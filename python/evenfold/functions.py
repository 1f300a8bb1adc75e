"""Functions of the user, which are traced and run without a compiler."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._arrays import take, take_flat
from ._calls import Call
from ._captured import Cpp
from ._function_folds import folded
from ._inputs import local
from ._repeated import again, keep
from ._results import as_scalar
from ._trace import BOOL, INT64, is_array
from ._traced import inputs, trace


class Function:
    """A function of elements: the result of `function`.

    Examples
    --------
    >>> import numpy, evenfold
    >>> half = evenfold.function(lambda x: x / 2)
    >>> half(numpy.array([1, 4])), half(3)
    (array([0.5, 2. ]), 1.5)
    """

    def __init__(self, f: Callable[..., Any], native: bool) -> None:
        self.__evenfold_function__ = f
        self.native = native
        functools.update_wrapper(self, f)

    def __call__(self, *operands: Any) -> Any:
        if any(is_array(x) for x in operands):
            return transform(self, *operands)
        return self.__evenfold_function__(*operands)


def function(f: Callable[..., Any] | None = None, *, native: bool = False) -> Any:
    """Turn a function of elements into a function of arrays, as numpy.vectorize does.

    All functions of this package take plain functions and lambdas, too.

    Parameters
    ----------
    f : function
        A function of elements. Without it, the result is a decorator.
    native : bool
        Whether to compile the function for the CPU of this machine, which takes a second at the
        first call. The compiler is that of the environment variable CXX, g++ or clang++. What it
        has compiled is kept on disk, as for `precompile`. The results have the same bits.

    Examples
    --------
    >>> import numpy, evenfold
    >>> @evenfold.function
    ... def cube(x):
    ...     return x * x * x
    >>> cube(numpy.array([1, 2, 3]))
    array([ 1,  8, 27])
    """
    if f is None:
        return functools.partial(Function, native=native)
    return Function(f, native)


def cpp(source: str, *, dtype: Any = None) -> Cpp:
    """A function of one, two or three elements in C++.

    It can be passed to functions of this package, and called in functions that are traced. For
    arrays on a GPU, NVRTC compiles it; for others, the compiler of this machine does, as with
    `function(native=True)`.

    Parameters
    ----------
    source : str
        A lambda without captures.
    dtype : dtype, optional
        The dtype of the result; by default the one that NumPy promotes the operands to.

    Examples
    --------
    >>> import numpy, evenfold
    >>> f = evenfold.cpp("[](double x, double y) { return x > y ? x - y : 0.0; }")
    >>> evenfold.transform(f, numpy.array([5.0, 1.0]), 2.0)  # doctest: +SKIP
    array([3., 0.])
    """
    return Cpp(source, dtype)


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
        The dtypes of the elements.
    architecture : str, optional
        The architecture, such as "sm_90"; by default that of the first GPU of this machine.

    Examples
    --------
    >>> import evenfold
    >>> evenfold.precompile(
    ...     lambda a, b: a * b + 1, "float32", "float32", architecture="sm_90"
    ... )  # doctest: +SKIP
    """
    from . import _nvrtc  # here, as most programs compile nothing

    traced = trace("precompile", f, inputs([np.dtype(dtype) for dtype in dtypes])).traced
    _nvrtc.compiled(traced.source(), architecture or _nvrtc.architecture_of(0))


def transform(f: Callable[..., Any], *arrays: Any) -> Any:
    """Apply a function to each element.

    Parameters
    ----------
    f : function
        Of as many elements as there are arrays. It returns a value, or a tuple of values.
    *arrays : array or number
        Contiguous arrays of one shape, of any dtype.

    Returns
    -------
    array or tuple of arrays
        The results, of the dtypes that NumPy gives to the same operations.

    Examples
    --------
    >>> import numpy, evenfold
    >>> x, y = numpy.array([3.0, 5.0]), numpy.array([4.0, 12.0])
    >>> evenfold.transform(lambda a, b: numpy.sqrt(a * a + b * b), x, y)
    array([ 5., 13.])
    """
    known = again(f, arrays)
    if known is not None:
        return known
    call = Call("transform", f, arrays, flat=False)
    keep(f, arrays, call)
    return call.give(_core.function_transform(call.engine, call.compiled()), call.shape)


def as_folded(function: str, values: Any, dtype: Any) -> Any:
    """Values in the dtype in which they are to be folded, if one is given."""
    if dtype is None:
        return values
    wanted = np.dtype(dtype)
    if wanted.name not in ("int64", "uint64", "float32", "float64"):
        raise TypeError(
            f"{function}: dtype is {wanted}, but elements are folded in int64, uint64, float32 or"
            " float64; pass one of these, and convert the result"
        )
    if take(function, "values", values).dtype == wanted.name:
        return values
    return transform(lambda x: x.astype(wanted), values)


def transform_lbs(f: Callable[..., Any], offsets: Any, *arrays: Any) -> Any:
    """Apply a function to each element and its segment.

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
    call = Call("transform_lbs", f, arrays, offsets=offsets, positions=True)
    return call.give(_core.function_transform(call.engine, call.compiled()))


def count_if(f: Callable[..., Any], *arrays: Any) -> int:
    """The number of elements for which a function is true.

    Examples
    --------
    >>> import numpy, evenfold
    >>> evenfold.count_if(lambda x: x > 1, numpy.array([1, 2, 3]))
    2
    """
    call = Call("count_if", f, arrays)
    _as_condition(call)
    call.cast(INT64)
    return int(as_scalar(call.like.give(folded(call, "sum"))))


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
    call = Call("filter", f, arrays)
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


def _as_condition(call: Call) -> None:
    if call.only_result() != BOOL:
        raise TypeError(
            f"{call.name}: the function returns {call.dtypes[0]}, but a bool is expected;"
            " compare the value, such as with != 0"
        )
