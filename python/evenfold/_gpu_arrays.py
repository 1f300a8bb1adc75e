"""Arrays of CuPy and PyTorch on a GPU, taken and given in a fraction of the time that DLPack takes.

Each function of this module returns None for what DLPack is needed for, or does not apply to it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import numpy as np

from . import _core
from ._engines import gpu_engine

# The numbers of CUDA's legacy default stream.
LEGACY = (0, 1)
# The dtypes of elements, by the characters that NumPy and CuPy have for them, and by their names.
ELEMENTS = {c: np.dtype(c).name for c in ("?", *"bhilqBHILQfd")}
_DTYPES = {name: np.dtype(name) for name in ELEMENTS.values()}

Shape = tuple[int, ...]
#: Elements, their shape and strides, and the number of their device.
Borrowed = tuple[_core.Array, Shape, Shape, int]


@cache
def module(name: str) -> Any:
    """A library, which is imported when it is needed."""
    return importlib.import_module(name)


def current_stream(array_library: str, device: int) -> int | None:
    """The stream that a library gives its work to, or None where it is not known."""
    if array_library == "cupy":
        return int(module("cupy").cuda.get_current_stream(device).ptr)
    if array_library == "torch":
        return _stream_of_torch()(device)
    return None


@cache
def _stream_of_torch() -> Callable[[int], int]:
    torch = module("torch")
    # What Triton uses; it makes no object of a stream.
    known: Callable[[int], int] | None = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return known or (lambda device: int(torch.cuda.current_stream(device).cuda_stream))


def borrow(values: Any) -> Borrowed | None:
    """A contiguous array on a GPU, after the work on it so far.

    The engine works in the order of the legacy default stream, and so waits for other streams.
    """
    kind: Any = type(values)
    borrow_of_library = _borrower(kind)
    return None if borrow_of_library is None else borrow_of_library(values)


@cache
def _borrower(kind: Any) -> Callable[[Any], Borrowed | None] | None:
    known = {("cupy", "ndarray"): _borrow_cupy, ("torch", "Tensor"): _borrow_torch}
    return known.get((kind.__module__, kind.__name__))


def _borrow_cupy(values: Any) -> Borrowed | None:
    dtype = ELEMENTS.get(values.dtype.char)
    if dtype is None or values.size == 0 or not values.flags.c_contiguous:
        return None
    data = values.data
    return _borrowed(values, "cupy", data.ptr, dtype, values.shape, data.device_id)


def _borrow_torch(values: Any) -> Borrowed | None:
    # The general way copies what has no memory of its own, and refuses what has a gradient.
    if not values.is_cuda or values.requires_grad or values.layout is not module("torch").strided:
        return None
    dtype = _dtypes_of_torch().get(values.dtype)
    if dtype is None or values.numel() == 0 or not values.is_contiguous() or values.is_neg():
        return None
    shape = tuple(values.shape)
    return _borrowed(values, "torch", values.data_ptr(), dtype, shape, values.get_device())


@cache
def _dtypes_of_torch() -> dict[Any, str]:
    torch = module("torch")
    return {getattr(torch, name): name for name in _DTYPES if hasattr(torch, name)}


def _borrowed(
    values: Any, array_library: str, address: int, dtype: str, shape: Shape, device: int
) -> Borrowed:
    stream = current_stream(array_library, device)
    if stream is not None and stream not in LEGACY:
        gpu_engine(device).order_after(stream)
    array = _core.borrow_address(address, dtype, prod(shape), False, values)
    strides = (1,) if len(shape) == 1 else tuple(prod(shape[d + 1 :]) for d in range(len(shape)))
    return array, shape, strides, device


def give(array_library: str, result: _core.Array, shape: Shape, device: int) -> Any:
    """A result as an array of CuPy or PyTorch."""
    if len(result) == 0 or result.is_read_only:
        return None
    if array_library == "cupy":
        array, memory, pointer = _classes_of_cupy()
        dtype = _DTYPES[result.dtype]
        size = len(result) * dtype.itemsize
        return array(shape, dtype, pointer(memory(result.address, size, result, device), 0))
    if array_library == "torch":
        exported: Any = result.dlpack(shape, device)
        return module("torch").from_dlpack(exported.__dlpack__())
    return None


@cache
def _classes_of_cupy() -> tuple[Any, Any, Any]:
    cupy = module("cupy")
    return cupy.ndarray, cupy.cuda.UnownedMemory, cupy.cuda.MemoryPointer
