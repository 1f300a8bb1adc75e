"""Arrays of CuPy and PyTorch on a GPU, taken and given in a fraction of the time that DLPack takes.

Each function of this module returns None for what DLPack is needed for, or does not apply to it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from . import _core

# The numbers of CUDA's legacy default stream.
LEGACY = (0, 1)
# The dtypes of elements, by the characters that NumPy and CuPy have for them, and by their names.
ELEMENTS = {c: np.dtype(c).name for c in ("?", *"bhilqBHILQfd")}
_DTYPES = {name: np.dtype(name) for name in ELEMENTS.values()}

Shape = tuple[int, ...]
#: The address and the number of elements, their shape and dtype, their device, and the library.
Borrowed = tuple[int, int, Shape, str, int, str]


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


@cache
def borrower_of(kind: Any) -> Callable[[Any], Borrowed | None] | None:
    """What borrows contiguous arrays of a class, or None for other classes."""
    known = {("cupy", "ndarray"): _borrow_cupy, ("torch", "Tensor"): _borrow_torch}
    return known.get((kind.__module__, kind.__name__))


def _borrow_cupy(values: Any) -> Borrowed | None:
    dtype, count = ELEMENTS.get(values.dtype.char), values.size
    if dtype is None or count == 0 or not values.flags.c_contiguous:
        return None
    data = values.data
    return data.ptr, count, values.shape, dtype, data.device_id, "cupy"


def _borrow_torch(values: Any) -> Borrowed | None:
    # The general way copies what has no memory of its own, and refuses what has a gradient.
    if not values.is_cuda or values.requires_grad or values.layout is not module("torch").strided:
        return None
    dtype, count = _dtypes_of_torch().get(values.dtype), values.numel()
    if dtype is None or count == 0 or not values.is_contiguous() or values.is_neg():
        return None
    return values.data_ptr(), count, tuple(values.shape), dtype, values.get_device(), "torch"


@cache
def _dtypes_of_torch() -> dict[Any, str]:
    torch = module("torch")
    return {getattr(torch, name): name for name in _DTYPES if hasattr(torch, name)}


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
