"""Arguments as arrays: their elements where they lie, and what results are given as.

The arrays of NumPy, CuPy and PyTorch that most calls have are taken here, by their attributes;
`_arrays` takes all others. A call with few elements takes as long as these lines do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np

from . import _core, _gpu_arrays
from ._engines import gpu_engine, host_engine
from ._gpu_arrays import (
    ELEMENTS,
    LEGACY,
    Shape,
    current_stream,
    dtypes_of_torch,
    module,
    stream_of_cupy,
    stream_of_torch,
)


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


_Taker = Callable[[Any, Input | None], Input | None]


def _take_numpy(values: np.ndarray[Any, Any], earlier: Input | None) -> Input | None:
    dtype, flags = values.dtype, values.flags
    name = ELEMENTS.get(dtype.char)
    if name is None or not (flags.c_contiguous and flags.aligned and dtype.isnative):
        return None
    array, _, steps, _ = _core.borrow(values)
    return Input(array, values.shape, tuple(steps), 0, "numpy", name, True)


def _take_cupy(values: Any, earlier: Input | None) -> Input | None:
    dtype, count = ELEMENTS.get(values.dtype.char), values.size
    if dtype is None or count == 0 or not values.flags.c_contiguous:
        return None
    data, shape = values.data, values.shape
    device = data.device_id
    if earlier is None or earlier.device != device or earlier.array_library != "cupy":
        stream = stream_of_cupy()(device).ptr
        if stream not in LEGACY:
            gpu_engine(device).order_after(stream)
    array = _core.borrow_address(data.ptr, dtype, count, False, values)
    strides = (1,) if len(shape) == 1 else strides_of(shape)
    return Input(array, shape, strides, device, "cupy", dtype, False)


def _take_torch(values: Any, earlier: Input | None) -> Input | None:
    # The general way copies what has no memory of its own, and refuses what has a gradient.
    if not values.is_cuda or values.requires_grad or values.layout is not module("torch").strided:
        return None
    dtype, count = dtypes_of_torch().get(values.dtype), values.numel()
    if dtype is None or count == 0 or not values.is_contiguous() or values.is_neg():
        return None
    device, shape = values.get_device(), tuple(values.shape)
    if earlier is None or earlier.device != device or earlier.array_library != "torch":
        stream = stream_of_torch()(device)
        if stream not in LEGACY:
            gpu_engine(device).order_after(stream)
    array = _core.borrow_address(values.data_ptr(), dtype, count, False, values)
    return Input(array, shape, strides_of(shape), device, "torch", dtype, False)


def _take_nothing(values: Any, earlier: Input | None) -> None:
    return None


class _Takers(dict[type, _Taker]):
    """What takes the plain arrays of each class. The classes of CuPy and PyTorch are known by name,
    as importing these libraries takes long."""

    def __missing__(self, kind: type) -> _Taker:
        known = {("cupy", "ndarray"): _take_cupy, ("torch", "Tensor"): _take_torch}
        self[kind] = known.get((kind.__module__, kind.__name__), _take_nothing)
        return self[kind]


#: takers[type(values)](values, earlier) is what `take` gives, in a fraction of its time, for
#: contiguous arrays of common libraries, and None for others. An `earlier` argument of the same call,
#: or None, has let the engine wait for the stream of its library.
takers = _Takers({np.ndarray: _take_numpy})


def strides_of(shape: Shape) -> Shape:
    """Those of a contiguous array, in elements."""
    if len(shape) == 1:
        return (1,)
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def same_engine(function: str, *inputs: Input) -> _core.Engine:
    """The engine that reaches all arguments. Lists are copied to where the arrays are."""
    first = inputs[0]
    if len(inputs) == 1:
        return first.engine
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
