"""The compiler of this machine, and the functions that it has compiled, which are kept on disk."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from . import _kept_files

_INCLUDE = Path(__file__).parent / "include"

# Contraction would round a * b + c once, and give other bits than the steps one by one. The other
# options change no bits: nobody reads errno or traps.
_OPTIONS = (
    "-std=c++20", "-O3", "-funroll-loops", "-march=native", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math", "-fno-semantic-interposition", "-fPIC", "-shared", "-w",
)  # fmt: skip


@cache
def _compiler() -> str:
    for name in (os.environ.get("CXX"), "g++", "clang++"):
        if name and (found := shutil.which(name)):
            return found
    raise RuntimeError(
        "a native function needs a compiler of C++, but neither g++ nor clang++ was found; install"
        " one, set CXX, or leave out native=True"
    )


@cache
def _machine() -> str:
    """The facts that compiled code depends on, besides its source."""
    version = subprocess.run([_compiler(), "--version"], capture_output=True, text=True, check=True)
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    headers = [path.read_text() for path in sorted(_INCLUDE.rglob("*.hpp"))]
    processor = [line for line in lines if line.startswith(("model name", "flags", "Features"))]
    return "\n".join([version.stdout, *processor[:2], *_OPTIONS, *headers])


def _compile(source: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "function.cpp"
        path.write_text(source)
        library = Path(folder) / "function.so"
        command = [_compiler(), *_OPTIONS, f"-I{_INCLUDE}", str(path), "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{_compiler()} failed for a function:\n{done.stderr}".rstrip())
        return library.read_bytes()


@cache
def _library(source: str) -> ctypes.CDLL:
    path = _kept_files.path_of(".so", source, _machine())
    if not path.exists() and not _kept_files.write(path, _compile(source)):
        return _from_temporary_file(source)
    return ctypes.CDLL(str(path))


def _from_temporary_file(source: str) -> ctypes.CDLL:
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(_compile(source))
        file.flush()
        return ctypes.CDLL(file.name)


def address_of(source: str, name: str) -> int:
    """The address of a function in the compiled source. Libraries stay loaded.

    Errors: RuntimeError with the messages of the compiler, or if there is none.
    """
    return ctypes.cast(getattr(_library(source), name), ctypes.c_void_p).value or 0
