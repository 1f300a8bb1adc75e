"""Arrays of other libraries, taken without a copy, and results for these libraries."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np

from . import _core
from ._engines import gpu_engine, host_engine

# The libraries whose arrays results are given as; all others get arrays of NumPy.
_LIBRARIES = ("numpy", "torch", "cupy", "jax")

Shape = tuple[int, ...]


@dataclass(slots=True)
class Input:
    """An argument: its elements where they lie, and what results are given as."""

    array: _core.Array
    shape: Shape
    strides: Shape
    device: int
    array_library: str

    @property
    def engine(self) -> _core.Engine:
        return host_engine() if self.array.is_on_host else gpu_engine(self.device)

    @property
    def dtype(self) -> str:
        return self.array.dtype

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        if self.strides == (1,) or self.size == 0:
            return True
        expected = 1
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and stride != expected:
                return False
            expected *= extent
        return True

    def give(self, result: _core.Array, shape: Shape | None = None) -> Any:
        """A result as an array of the library of the argument."""
        if shape is None:
            shape = (len(result),)
        if not result.is_on_host:
            self.engine.synchronize()
        exported: Any = result.dlpack(list(shape), self.device)
        if self.array_library == "numpy":
            return np.from_dlpack(exported)
        return _from_dlpack(self.array_library)(exported)


@cache
def _from_dlpack(array_library: str) -> Callable[[Any], Any]:
    name = "jax.numpy" if array_library == "jax" else array_library
    made: Callable[[Any], Any] = importlib.import_module(name).from_dlpack
    return made


def _library_of(values: Any) -> str:
    root = type(values).__module__.partition(".")[0]
    root = "jax" if root == "jaxlib" else root
    return root if root in _LIBRARIES else "numpy"


def _borrow(values: Any) -> tuple[_core.Array, Sequence[int], Sequence[int], int]:
    if hasattr(values, "__arrow_c_array__"):
        array = _core.borrow_arrow(*values.__arrow_c_array__())
        return array, (len(array),), (1,), 0
    if hasattr(values, "__dlpack_device__") and values.__dlpack_device__()[0] == 2:
        # The engine works in the order of the legacy default stream.
        return _core.borrow(values.__dlpack__(stream=1))
    if hasattr(values, "__dlpack__") or not hasattr(values, "__cuda_array_interface__"):
        return _core.borrow(values)
    return _borrow_cuda(values)


def _borrow_cuda(values: Any) -> tuple[_core.Array, Sequence[int], Sequence[int], int]:
    described = values.__cuda_array_interface__
    if described.get("stream") not in (None, 1):
        raise ValueError(
            "an array has work on a stream of its own; synchronize that stream, or pass the array"
            " by __dlpack__"
        )
    dtype = np.dtype(described["typestr"])
    shape = tuple(described["shape"])
    strides = described.get("strides")
    steps = [prod(shape[d + 1 :]) for d in range(len(shape))]
    if strides is not None and list(strides) != [step * dtype.itemsize for step in steps]:
        raise ValueError("an array on a GPU has gaps; pass cupy.ascontiguousarray of it")
    address, read_only = described["data"]
    array = _core.borrow_address(address or 0, dtype.name, prod(shape), read_only, values)
    return array, shape, tuple(steps), 0


def take(function: str, name: str, values: Any) -> Input:
    """An argument as an array, without a copy; a list or a number becomes an array of NumPy."""
    if isinstance(values, (list, tuple, int, float, np.generic)):
        values = np.asarray(values)
    if isinstance(values, np.ndarray) and not values.dtype.isnative:
        raise TypeError(
            f"{function}: {name} has bytes in the order of another machine; pass"
            f" {name}.astype({name}.dtype.newbyteorder('='))"
        )
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"{function}: {name} has a mask, which would be ignored; pass {name}.compressed() or"
            f" {name}.filled(...)"
        )
    try:
        array, shape, strides, device = _borrow(values)
    except ValueError as error:
        raise ValueError(f"{function}: {name}: {error}") from None
    except (TypeError, RuntimeError, BufferError) as error:
        kind = getattr(values, "dtype", type(values).__name__)
        raise TypeError(
            f"{function}: {name} is of {kind}, which cannot be taken as it is: it must be an array"
            " of integers, float32, float64 or bool that has __dlpack__, a buffer,"
            f" __cuda_array_interface__ or __arrow_c_array__ ({_first_line(error)})"
        ) from None
    return Input(array, tuple(shape), tuple(strides), device, _library_of(values))


def take_flat(
    function: str, name: str, values: Any, dtypes: Sequence[str] | None = None
) -> Input:
    """An argument with one dimension and no gaps, of one of the dtypes."""
    taken = take(function, name, values)
    if len(taken.shape) != 1:
        raise ValueError(
            f"{function}: {name} has {len(taken.shape)} dimensions, but one is expected; pass"
            f" {name}.ravel() if the shape does not matter"
        )
    check_contiguous(function, name, taken)
    if dtypes is not None:
        check_dtype(function, name, taken, dtypes)
    return taken


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
            f" {', '.join(dtypes)}; pass {name}.astype({dtypes[-1]!r})"
        )


def take_out(function: str, out: Any, dtype: str, shape: Shape) -> _core.Array:
    """The elements of `out`, which are written."""
    try:
        array, given, strides, device = _core.borrow_writable(out)
    except (TypeError, RuntimeError, BufferError) as error:
        raise ValueError(
            f"{function}: out cannot be written; pass a contiguous array that is not read-only"
            f" ({_first_line(error)})"
        ) from None
    taken = Input(array, tuple(given), tuple(strides), device, _library_of(out))
    check_contiguous(function, "out", taken)
    if taken.shape != shape or taken.dtype != dtype:
        raise ValueError(
            f"{function}: out has the shape {taken.shape} and the dtype {taken.dtype}, but the"
            f" result has {shape} and {dtype}; pass an array like the result"
        )
    return array


def same_engine(function: str, *inputs: Input) -> _core.Engine:
    """The engine that reaches all arguments."""
    if all(taken.array.is_on_host for taken in inputs):
        return host_engine()
    engines = {taken.engine.name: taken.engine for taken in inputs}
    if len(engines) > 1:
        raise ValueError(
            f"{function}: the arrays are on several devices, {', '.join(sorted(engines))}; move"
            " them to one of them"
        )
    return next(iter(engines.values()))


def local(near: Input, host: Input) -> _core.Array:
    """Elements of the host where the elements of another argument are."""
    return host.array if near.array.is_on_host else _core.upload(near.engine, host.array)


def as_numpy(array: _core.Array) -> Any:
    """Elements on the host as an array of NumPy."""
    exported: Any = array.dlpack([len(array)], 0)
    return np.from_dlpack(exported)


def as_scalar(result: Any) -> Any:
    """The element of an array that has one."""
    return result[0] if isinstance(result, np.ndarray) else result.reshape(())


def as_float32(result: Any) -> Any:
    return result.astype("float32") if hasattr(result, "astype") else result.float()


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", maxsplit=1)[0]
