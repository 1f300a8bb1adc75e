"""Arrays of other libraries, taken without a copy."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from . import _core
from ._engines import gpu_engine
from ._gpu_arrays import ELEMENTS, LEGACY, Shape, device_of
from ._inputs import Input, strides_of, takers

# The libraries whose arrays results are given as; all others get arrays of NumPy.
_LIBRARIES = ("numpy", "torch", "cupy", "jax")


@cache
def _library_of(module_name: str) -> str:
    root = module_name.partition(".")[0]
    root = "jax" if root == "jaxlib" else root
    return root if root in _LIBRARIES else "numpy"


_Borrowed = tuple[_core.Array, Sequence[int], Sequence[int], int]


def _borrow(values: Any) -> _Borrowed:
    if isinstance(values, np.ndarray):
        return _core.borrow(values)
    if hasattr(values, "__arrow_c_array__"):
        return _flat(_core.borrow_arrow(*values.__arrow_c_array__()))
    if hasattr(values, "__dlpack__"):
        return _core.borrow(_ordered(values))
    if hasattr(values, "__cuda_array_interface__"):
        return _borrow_cuda(values)
    if hasattr(values, "__arrow_c_stream__"):
        return _flat(_core.borrow_arrow_stream(values.__arrow_c_stream__()))
    if type(values).__module__.startswith("awkward"):
        raise TypeError(
            "it is no array of numbers, as its rows have several lengths or elements are missing;"
            " pass evenfold.Ragged.from_awkward of it, or fill what is missing"
        )
    raise TypeError


def _flat(array: _core.Array) -> _Borrowed:
    return array, (len(array),), (1,), 0


_INTERFACES = ("__dlpack__", "__arrow_c_array__", "__cuda_array_interface__")


def _viewed(values: Any) -> Any:
    """What gives an array of NumPy without a copy, such as a column of pandas, as this array."""
    if isinstance(values, np.ndarray) or any(hasattr(values, name) for name in _INTERFACES):
        return values
    try:
        return np.asarray(memoryview(values))
    except (TypeError, ValueError):
        pass
    try:
        viewed = values.__array__(copy=False)
    except (AttributeError, TypeError, ValueError, RuntimeError):  # there is none, or it would copy
        return values
    return viewed if isinstance(viewed, np.ndarray) else values


def _ordered(values: Any) -> Any:
    """What exports an array: of one on a GPU, after the work on it so far.

    The engine works in the order of the legacy default stream, which has the number 1.
    """
    if hasattr(values, "__dlpack_device__") and values.__dlpack_device__()[0] == 2:
        return values.__dlpack__(stream=1)
    return values


def _borrow_cuda(values: Any) -> _Borrowed:
    described = values.__cuda_array_interface__
    if described.get("mask") is not None:
        raise TypeError("it has a mask, which would be ignored; pass an array without one")
    dtype = np.dtype(described["typestr"])
    if dtype.name not in ELEMENTS.values() or not dtype.isnative:
        raise TypeError(
            f"its elements are {described['typestr']}, but integers of up to 64 bits, float32,"
            " float64 and bool are expected; convert them there, such as with astype"
        )
    shape = tuple(described["shape"])
    strides = described.get("strides")
    steps = strides_of(shape)
    if strides is not None and list(strides) != [step * dtype.itemsize for step in steps]:
        raise ValueError("an array on a GPU has gaps; pass cupy.ascontiguousarray of it")
    address, read_only = described["data"]
    device = device_of(address) if address else 0
    stream = described.get("stream")
    if stream not in (None, *LEGACY):
        gpu_engine(device).order_after(stream)
    array = _core.borrow_address(address or 0, dtype.name, prod(shape), read_only, values)
    return array, shape, steps, device


def _check_elements(name: str, values: np.ndarray[Any, Any]) -> None:
    dtype = values.dtype
    if not dtype.isnative:
        raise TypeError(
            "its bytes are in the order of another machine; pass"
            f" {name}.astype({name}.dtype.newbyteorder('='))"
        )
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"it has a mask, which would be ignored; pass {name}.compressed() or {name}.filled(...)"
        )
    if dtype.kind not in "biuf" or dtype.itemsize > 8 or dtype == "float16":
        raise TypeError(
            "elements are integers of up to 64 bits, float32, float64 or bool; pass"
            f" {_converted(name, dtype)}"
        )
    if not values.flags.aligned or any(step % dtype.itemsize for step in values.strides):
        raise ValueError(
            f"its elements do not begin at multiples of their size; pass {name}.copy()"
        )


def _converted(name: str, dtype: np.dtype[Any]) -> str:
    """What to pass instead of an array of a dtype that elements cannot have."""
    if dtype.names:
        return f"one of its fields, such as {name}[{dtype.names[0]!r}].copy()"
    if dtype.kind in "mM":
        return f"{name}.view('int64'), which counts {np.datetime_data(dtype)[0]}"
    if dtype.kind == "c":
        return f"{name}.real.copy(), {name}.imag.copy() or abs({name})"
    if dtype.kind in "OSU":
        return f"numbers, such as {name}.astype('float64') of those that can be converted"
    return f"{name}.astype({'float32' if dtype == 'float16' else 'float64'!r})"


def _of_list(name: str, values: Any) -> np.ndarray[Any, Any]:
    try:
        found = np.asarray(values)
    except ValueError:
        raise ValueError(
            "its rows have an inhomogeneous shape; pass rows of one length, or, where a function"
            f" takes segments, evenfold.Ragged.from_lists({name})"
        ) from None
    if found.dtype.kind not in "biuf":
        raise TypeError(
            f"its elements have no common dtype of numbers (NumPy makes them {found.dtype}); pass"
            " numbers that fit one of int64, uint64 and float64"
        )
    return found


_LISTS = (list, tuple, range, int, float, np.generic)


def take(function: str, name: str, values: Any) -> Input:
    """An argument as an array, without a copy; a list or a number becomes an array of NumPy."""
    try:
        plain = takers[type(values)](values, None)
        if plain is not None:
            return plain
        is_list = isinstance(values, _LISTS)
        source = _of_list(name, values) if is_list else _viewed(values)
        if isinstance(source, np.ndarray):
            _check_elements(name, source)
        array, shape, strides, device = _borrow(source)
    except ValueError as error:
        raise ValueError(f"{function}: {name}: {error}") from None
    except (TypeError, RuntimeError, BufferError) as error:
        kind = getattr(values, "dtype", type(values).__name__)
        raise TypeError(f"{function}: {name} is of {kind}: {_reason(error)}") from None
    taken = _input(array, shape, strides, device, values)
    taken.is_list = is_list
    return taken


def _input(
    array: _core.Array, shape: Sequence[int], strides: Sequence[int], device: int, values: Any
) -> Input:
    array_library = _library_of(type(values).__module__)
    is_on_host = array.is_on_host
    return Input(
        array, tuple(shape), tuple(strides), device, array_library, array.dtype, is_on_host
    )


def _reason(error: BaseException) -> str:
    reason = _first_line(error)
    if reason and "incompatible function arguments" not in reason:
        return reason
    return (
        "it is no array of numbers; pass one of NumPy, Arrow, or a library that has __dlpack__, a"
        " buffer, __array__ or __cuda_array_interface__"
    )


def take_flat(
    function: str,
    name: str,
    values: Any,
    dtypes: Sequence[str] | None = None,
    earlier: Input | None = None,
) -> Input:
    """An argument with one dimension and no gaps, of one of the dtypes.

    For lists see `listed`, and for `earlier` see `takers`.
    """
    plain = takers[type(values)](values, earlier)
    if plain is not None and len(plain.shape) == 1 and (dtypes is None or plain.dtype in dtypes):
        return plain
    taken = take(function, name, values if dtypes is None else listed(values, dtypes))
    taken.is_list |= isinstance(values, _LISTS)
    if len(taken.shape) != 1:
        raise ValueError(
            f"{function}: {name} has {len(taken.shape)} dimensions, but one is expected; pass"
            f" {name}.ravel() if the shape does not matter"
        )
    check_contiguous(function, name, taken)
    if dtypes is not None:
        check_dtype(function, name, taken, dtypes)
    return taken


def listed(values: Any, dtypes: Sequence[str]) -> Any:
    """A list in the first of the dtypes that has all its numbers; anything else as it is."""
    if not isinstance(values, (list, tuple, range)):
        return values
    try:
        found = np.asarray(values)
    except ValueError:  # lists of several lengths
        return values
    if found.dtype.name not in dtypes and found.dtype.kind in "biuf":
        for dtype in dtypes:
            with np.errstate(invalid="ignore"):
                cast = found.astype(dtype)
            if np.array_equal(cast, found):
                return cast
    return found


def check_contiguous(function: str, name: str, taken: Input) -> None:
    if not taken.is_contiguous:
        raise ValueError(
            f"{function}: {name} has gaps between its elements, and no copy is made in silence;"
            f" pass numpy.ascontiguousarray({name})"
        )


def check_dtype(function: str, name: str, taken: Input, dtypes: Sequence[str]) -> None:
    if taken.dtype not in dtypes:
        raise TypeError(
            f"{function}: {name} has the dtype {taken.dtype}, but the function exists for"
            f" {', '.join(dtypes)}; pass {name}.astype({_closest(taken.dtype, dtypes)!r})"
        )


def check_alike(function: str, name: str, taken: Input, other_name: str, other: Input) -> None:
    """Refuses an array that has another dtype than an earlier one."""
    if taken.dtype != other.dtype:
        common = np.promote_types(taken.dtype, other.dtype)
        if common.kind == "f" and "float" not in taken.dtype + other.dtype:
            common = np.dtype("int64")  # float64 has not all digits of uint64
        raise TypeError(
            f"{function}: {name} has the dtype {taken.dtype}, but {other_name} has {other.dtype};"
            f" pass both in one dtype, such as by .astype({common.name!r})"
        )


def integer(function: str, name: str, value: Any) -> int:
    """An argument that is an integer."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{function}: {name} is {value!r}; pass an integer") from None


def _closest(dtype: str, dtypes: Sequence[str]) -> str:
    """The first of the dtypes that holds all numbers of a dtype, or else the last one."""
    if dtype == "uint64":  # float64 holds its range, but not its digits
        return "int64" if "int64" in dtypes else dtypes[-1]
    return next((each for each in dtypes if np.can_cast(dtype, each)), dtypes[-1])


def take_out(function: str, out: Any, dtype: str, shape: Shape) -> _core.Array:
    """The elements of `out`, which are written."""
    try:
        array, given, strides, device = _core.borrow_writable(_ordered(_viewed(out)))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        reason = _first_line(error)
        raise ValueError(
            f"{function}: out cannot be written; pass a contiguous array that is not read-only"
            + (f" ({reason})" if "incompatible" not in reason else "")
        ) from None
    taken = _input(array, given, strides, device, out)
    check_contiguous(function, "out", taken)
    if taken.shape != shape or taken.dtype != dtype:
        raise ValueError(
            f"{function}: out has the shape {taken.shape} and the dtype {taken.dtype}, but the"
            f" result has {shape} and {dtype}; pass an array like the result"
        )
    return array


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", maxsplit=1)[0]
