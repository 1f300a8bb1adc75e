"""Streams of CuPy and PyTorch, and results as arrays of these libraries on a GPU."""

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


@cache
def module(name: str) -> Any:
    """A library, which is imported when it is needed."""
    return importlib.import_module(name)


def device_of(address: int) -> int:
    """The number of the device whose memory an address is in, as the driver knows it; 0 where there
    is one device."""
    if _core.num_gpus() < 2:
        return 0
    import ctypes  # here, as few machines have several devices

    device_ordinal = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    device = ctypes.c_int(0)
    asked = ctypes.c_uint64(address)
    ask = ctypes.CDLL("libcuda.so.1").cuPointerGetAttribute
    return device.value if ask(ctypes.byref(device), device_ordinal, asked) == 0 else 0


def current_stream(array_library: str, device: int) -> int | None:
    """The stream that a library gives its work to, or None where it is not known."""
    if array_library == "cupy":
        stream: int = stream_of_cupy()(device).ptr
        return stream
    if array_library == "torch":
        return stream_of_torch()(device)
    return None


@cache
def stream_of_cupy() -> Callable[[int], Any]:
    """What gives the current stream of CuPy on a device."""
    known: Callable[[int], Any] = module("cupy").cuda.get_current_stream
    return known


@cache
def stream_of_torch() -> Callable[[int], int]:
    """What gives the number of the current stream of PyTorch on a device."""
    torch = module("torch")
    # What Triton uses; it makes no object of a stream.
    known: Callable[[int], int] | None = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return known or (lambda device: int(torch.cuda.current_stream(device).cuda_stream))


@cache
def dtypes_of_torch() -> dict[Any, str]:
    """The names of the dtypes of PyTorch that elements may have."""
    torch = module("torch")
    return {getattr(torch, name): name for name in _DTYPES if hasattr(torch, name)}


def give(array_library: str, result: _core.Array, shape: Shape, device: int) -> Any:
    """A result as an array of CuPy or PyTorch."""
    if len(result) == 0 or result.is_read_only:
        return None
    if array_library == "cupy":
        array, memory, pointer = classes_of_cupy()
        dtype = _DTYPES[result.dtype]
        size = len(result) * dtype.itemsize
        return array(shape, dtype, pointer(memory(result.address, size, result, device), 0))
    if array_library == "torch":
        exported: Any = result.dlpack(shape, device)
        return module("torch").from_dlpack(exported.__dlpack__())
    return None


@cache
def classes_of_cupy() -> tuple[Any, Any, Any]:
    """The classes of arrays, of memory of another owner, and of pointers into memory."""
    cupy = module("cupy")
    return cupy.ndarray, cupy.cuda.UnownedMemory, cupy.cuda.MemoryPointer
