"""NVRTC, the compiler of kernels, and the compiled kernels that are kept on disk."""

from __future__ import annotations

import ctypes
import glob
import os
import sysconfig
from functools import cache

from . import _kept_files

_OPTIONS = ("--std=c++20", "-default-device", "-fmad=false")


@cache
def _library() -> ctypes.CDLL:
    """The library of PyPI's nvidia-cuda-nvrtc, or that of a toolkit."""
    folders = [sysconfig.get_path("purelib") + "/nvidia/*/lib"]
    folders += [os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/lib64"]
    known = [path for folder in folders for path in sorted(glob.glob(folder + "/libnvrtc.so.1?"))]
    for path in [*known, "libnvrtc.so.13", "libnvrtc.so.12"]:
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    raise RuntimeError(
        "functions on a GPU are compiled by NVRTC, which was not found; install it by pip install"
        " nvidia-cuda-nvrtc, or set CUDA_HOME to a CUDA toolkit"
    )


def _check(status: int, call: str, log: str = "") -> None:
    if status != 0:
        _library().nvrtcGetErrorString.restype = ctypes.c_char_p
        name = _library().nvrtcGetErrorString(status).decode()
        raise RuntimeError(f"{call} failed: {name}\n{log}".rstrip())


def _text(program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _check(getattr(_library(), f"nvrtcGet{what}Size")(program, ctypes.byref(size)), what)
    text = ctypes.create_string_buffer(size.value)
    _check(getattr(_library(), f"nvrtcGet{what}")(program, text), what)
    return text.raw


def compile_source(source: str, architecture: str) -> bytes:
    """The machine code of a source for an architecture such as sm_90.

    Errors: RuntimeError with the messages of the compiler.
    """
    nvrtc, program = _library(), ctypes.c_void_p()
    created = nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), b"function.cu", 0, None, None
    )
    _check(created, "nvrtcCreateProgram")
    try:
        options = [o.encode() for o in (*_OPTIONS, f"--gpu-architecture={architecture}")]
        given = (ctypes.c_char_p * len(options))(*options)
        status = nvrtc.nvrtcCompileProgram(program, len(options), given)
        log = "" if status == 0 else _text(program, "ProgramLog").rstrip(b"\0").decode()
        _check(status, "nvrtcCompileProgram", log)
        return _text(program, "CUBIN")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _version() -> str:
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), "nvrtcVersion")
    return f"{major.value}.{minor.value}"


_loaded: dict[tuple[str, str], bytes] = {}


def compiled(source: str, architecture: str) -> bytes:
    """The machine code of a source: from this process, from disk, or from NVRTC."""
    key = (source, architecture)
    if key not in _loaded:
        _loaded[key] = _from_disk(source, architecture)
    return _loaded[key]


def _from_disk(source: str, architecture: str) -> bytes:
    # The source holds the types, and the arithmetic of this version of the package.
    path = _kept_files.path_of(".cubin", source, architecture, _version(), *_OPTIONS)
    try:
        return path.read_bytes()
    except OSError:
        image = compile_source(source, architecture)
        _kept_files.write(path, image)
        return image


@cache
def architecture_of(device: int) -> str:
    """The architecture of a GPU, by the driver."""
    number = ctypes.c_int()
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise RuntimeError(
            "there is no driver of a GPU; pass the architecture to compile for, such as 'sm_90'"
        ) from None
    if driver.cuInit(0) != 0 or driver.cuDeviceGet(ctypes.byref(number), device) != 0:
        raise RuntimeError(f"there is no GPU {device}")
    parts = []
    for attribute in (75, 76):  # the major and the minor number of the compute capability
        part = ctypes.c_int()
        driver.cuDeviceGetAttribute(ctypes.byref(part), attribute, number)
        parts.append(part.value)
    return f"sm_{parts[0]}{parts[1]}"
