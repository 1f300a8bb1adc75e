"""Arrays of other libraries, taken without a copy, and results for these libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np

from . import _core, _gpu_arrays
from ._engines import gpu_engine, host_engine
from ._gpu_arrays import ELEMENTS, LEGACY, Shape, current_stream, module

# The libraries whose arrays results are given as; all others get arrays of NumPy.
_LIBRARIES = ("numpy", "torch", "cupy", "jax")


@dataclass(slots=True)
class Input:
    """An argument: its elements where they lie, and what results are given as."""

    array: _core.Array
    shape: Shape
    strides: Shape
    device: int
    array_library: str
    dtype: str
    is_on_host: bool
    # Whether it is made of a list or a number, which no device has.
    is_list: bool = False

    @property
    def engine(self) -> _core.Engine:
        return host_engine() if self.is_on_host else gpu_engine(self.device)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        if self.strides == (1,) or prod(self.shape) == 0:
            return True
        expected = 1
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and stride != expected:
                return False
            expected *= extent
        return True

    def hand_over(self) -> None:
        """Lets later work of the library of the argument wait for the work of the engine.

        The stream of the engine is ordered with the legacy default stream by CUDA.
        """
        if self.is_on_host:
            return
        stream = current_stream(self.array_library, self.device)
        if stream is None:
            self.engine.synchronize()
        elif stream not in LEGACY:
            self.engine.order_before(stream)

    def give(self, result: _core.Array, shape: Shape | None = None) -> Any:
        """A result as an array of the library of the argument."""
        if shape is None:
            shape = (len(result),)
        if not self.is_on_host:
            self.hand_over()
            given = _gpu_arrays.give(self.array_library, result, shape, self.device)
            if given is not None:
                return given
        exported: Any = result.dlpack(shape, self.device)
        if self.array_library == "numpy":
            return np.from_dlpack(exported) if self.is_on_host else exported
        return _from_dlpack(self.array_library)(exported)


@cache
def _from_dlpack(array_library: str) -> Callable[[Any], Any]:
    name = "jax.numpy" if array_library == "jax" else array_library
    made: Callable[[Any], Any] = module(name).from_dlpack
    return made


@cache
def _library_of(module_name: str) -> str:
    root = module_name.partition(".")[0]
    root = "jax" if root == "jaxlib" else root
    return root if root in _LIBRARIES else "numpy"


_Borrowed = tuple[_core.Array, Sequence[int], Sequence[int], int]


def take_plain(values: Any, earlier: Input | None = None) -> Input | None:
    """What `take` gives, in a fraction of its time, for contiguous arrays of common libraries.

    An `earlier` argument of the same call has let the engine wait for the stream of its library.
    """
    if type(values) is np.ndarray:
        dtype, flags = values.dtype, values.flags
        name = ELEMENTS.get(dtype.char)
        if name is None or not (flags.c_contiguous and flags.aligned and dtype.isnative):
            return None
        array, _, steps, _ = _core.borrow(values)
        return Input(array, values.shape, tuple(steps), 0, "numpy", name, True)
    kind: Any = type(values)
    borrow = _gpu_arrays.borrower_of(kind)
    borrowed = None if borrow is None else borrow(values)
    if borrowed is None:
        return None
    address, count, shape, name, device, array_library = borrowed
    if earlier is None or (earlier.array_library, earlier.device) != (array_library, device):
        stream = current_stream(array_library, device)
        if stream is not None and stream not in LEGACY:
            gpu_engine(device).order_after(stream)
    array = _core.borrow_address(address, name, count, False, values)
    strides = (1,) if len(shape) == 1 else _strides_of(shape)
    return Input(array, shape, strides, device, array_library, name, False)


def _strides_of(shape: Shape) -> Shape:
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


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
    stream = described.get("stream")
    if stream not in (None, *LEGACY):
        gpu_engine(0).order_after(stream)
    dtype = np.dtype(described["typestr"])
    shape = tuple(described["shape"])
    strides = described.get("strides")
    steps = _strides_of(shape)
    if strides is not None and list(strides) != [step * dtype.itemsize for step in steps]:
        raise ValueError("an array on a GPU has gaps; pass cupy.ascontiguousarray of it")
    address, read_only = described["data"]
    array = _core.borrow_address(address or 0, dtype.name, prod(shape), read_only, values)
    return array, shape, steps, 0


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
            "elements are integers of up to 64 bits, float32, float64 or bool; convert others, such"
            " as with astype('float64')"
        )
    if not values.flags.aligned or any(step % dtype.itemsize for step in values.strides):
        raise ValueError(
            f"its elements do not begin at multiples of their size; pass {name}.copy()"
        )


_LISTS = (list, tuple, range, int, float, np.generic)


def take(function: str, name: str, values: Any) -> Input:
    """An argument as an array, without a copy; a list or a number becomes an array of NumPy."""
    try:
        plain = take_plain(values)
        if plain is not None:
            return plain
        is_list = isinstance(values, _LISTS)
        source = np.asarray(values) if is_list else _viewed(values)
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

    For lists see `listed`, and for `earlier` see `take_plain`.
    """
    plain = take_plain(values, earlier)
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


def written(function: str, result: Any, out: Any) -> Any:
    """The result, in `out` where that is given, which has its shape."""
    if out is None:
        return result
    shape = getattr(out, "shape", None)
    if shape is None or tuple(shape) != tuple(result.shape):
        raise ValueError(
            f"{function}: out has the shape {shape}, but the result has {tuple(result.shape)}; pass"
            " an array like the result"
        )
    if isinstance(out, np.ndarray):
        try:
            np.copyto(out, result, casting="same_kind")
        except (TypeError, ValueError) as error:  # another kind of numbers, or read-only
            raise type(error)(f"{function}: out: {error}") from None
    else:
        out[...] = result
    return out


def same_engine(function: str, *inputs: Input) -> _core.Engine:
    """The engine that reaches all arguments. Lists are copied to where the arrays are."""
    first = inputs[0]
    is_on_host, device = first.is_on_host, first.device
    for taken in inputs:
        if taken.is_on_host is not is_on_host or not (is_on_host or taken.device == device):
            break
    else:
        return first.engine
    arrays = [taken for taken in inputs if not taken.is_list]
    if len(arrays) == len(inputs):
        names = ", ".join(sorted({each.engine.name for each in inputs}))
        raise ValueError(
            f"{function}: the arrays are on several devices, {names}; move them to one of them"
        )
    engine = same_engine(function, *arrays)
    near = arrays[0]
    for taken in inputs:
        if taken.is_list:
            taken.array = local(near, taken)
            taken.device, taken.is_on_host = near.device, near.is_on_host
            taken.array_library, taken.is_list = near.array_library, False
    return engine


def local(near: Input, host: Input) -> _core.Array:
    """Elements of the host where the elements of another argument are."""
    return host.array if near.is_on_host else _core.upload(near.engine, host.array)


def as_numpy(array: _core.Array) -> Any:
    """Elements on the host as an array of NumPy."""
    exported: Any = array.dlpack([len(array)], 0)
    return np.from_dlpack(exported)


def as_scalar(result: Any) -> Any:
    """The element of an array that has one."""
    return result[0] if isinstance(result, np.ndarray) else result.reshape(())


def as_dtype(result: Any, dtype: Any) -> Any:
    """An array of any library in a dtype."""
    if hasattr(result, "astype"):
        return result.astype(dtype)
    return result.to(getattr(module("torch"), np.dtype(dtype).name))


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", maxsplit=1)[0]
