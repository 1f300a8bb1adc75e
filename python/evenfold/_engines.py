"""Devices: the engine that does the work of a call.

Work is done where the data lie. Data on the host go to the CPU, unless `using` names another
engine of the host.
"""

from __future__ import annotations

import atexit
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from . import _core

_host: ContextVar[_core.Engine | None] = ContextVar("evenfold_host", default=None)


# The work of calls that were interrupted still refers to objects of Python.
atexit.register(_core.finish)


def host_engine() -> _core.Engine:
    """The engine for data on the host."""
    return _host.get() or _cpu()


@cache
def _cpu() -> _core.Engine:
    return _core.engine("cpu")


@cache
def gpu_engine(index: int) -> _core.Engine:
    """The engine for data on a GPU."""
    return _core.engine(f"gpu:{index}")


@contextmanager
def on_engine(engine: _core.Engine) -> Iterator[None]:
    """Choose the engine of the host that works on data on the host."""
    token = _host.set(engine)
    try:
        yield
    finally:
        _host.reset(token)


@contextmanager
def using(device: str = "cpu", *, threads: int = 0) -> Iterator[None]:
    """Choose the engine for data on the host.

    Parameters
    ----------
    device : {"cpu", "reference"}
        Threads, or plain serial loops, which are slow.
    threads : int
        The number of threads, up to 4096; 0 means one per core.

    Examples
    --------
    >>> import numpy, evenfold
    >>> with evenfold.using(threads=2):
    ...     evenfold.reduce(numpy.arange(5))
    np.int64(10)
    """
    if device not in ("cpu", "reference"):
        raise ValueError(
            f"using: device is {device!r}, but data on the host are processed by 'cpu' or"
            " 'reference'; for a GPU, pass arrays that are on it"
        )
    with on_engine(_core.engine(device, in_range("using", "threads", threads, 0, 4096))):
        yield


def in_range(function: str, name: str, value: Any, least: int, most: int) -> int:
    """An argument that is an integer in a range. The ranges are those of the program."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{function}: {name} is {value!r}; pass an integer") from None
    if not least <= number <= most:
        raise ValueError(f"{function}: {name} is {number}; pass {least} to {most}")
    return number


def devices() -> list[str]:
    """The names of the devices of this machine.

    Examples
    --------
    >>> import evenfold
    >>> evenfold.devices()[:2]
    ['cpu', 'reference']
    """
    return ["cpu", "reference"] + [f"gpu:{i}" for i in range(_core.num_gpus())]


def facts(device: str = "cpu") -> dict[str, Any]:
    """The hardware of a device, and the speed of its memory.

    Returns
    -------
    dict
        `device`, `backend`, `name`, `workers`, `memory_bytes` and `copy_bytes_per_second`.

    Examples
    --------
    >>> import evenfold
    >>> evenfold.facts("cpu")["device"]
    'cpu'
    """
    return _core.engine(device).facts()
