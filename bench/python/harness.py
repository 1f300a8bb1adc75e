"""Cases, the turns in which their contestants run, the table and the JSON file."""

from __future__ import annotations

import importlib
import json
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib import metadata
from statistics import median
from typing import Any

import numpy as np

import evenfold as ef

CASES: list[tuple[str, str, Callable[[Setting], Match]]] = []


def library(name: str) -> Any:
    """A library, or None where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@dataclass
class Contestant:
    """A call that is timed, and `read`, which turns its result into what is compared."""

    name: str
    run: Callable[[], Any]
    read: Callable[[Any], Any]
    times: list[float] = field(default_factory=list)
    cpu_times: list[float] = field(default_factory=list)


class Match:
    """The contestants of a case. The first one is ours, and the others must agree with it."""

    def __init__(self, tolerance: float = 1e-9) -> None:
        self.tolerance = tolerance
        self.contestants: list[Contestant] = []

    def add(
        self, name: str, run: Callable[[], Any], read: Callable[[Any], Any] = lambda r: r
    ) -> None:
        self.contestants.append(Contestant(name, run, read))


class Setting:
    """Where a case runs, and how large it is."""

    def __init__(self, device: str, quick: bool) -> None:
        self.device = device
        self.quick = quick
        self.on_gpu = device != "cpu"
        self.cupy = library("cupy") if self.on_gpu else None
        self.torch = library("torch")
        if self.on_gpu and self.cupy is None and self.torch is None:
            raise SystemExit("bench: arrays on a GPU are those of CuPy or PyTorch; install one")

    def power(self, exponent: int) -> int:
        """2^exponent elements, or 1/256 of them in a quick run."""
        return 1 << (exponent - 8 if self.quick else exponent)

    def place(self, *arrays: np.ndarray) -> tuple[Any, ...]:
        """Arrays where the case runs."""
        if not self.on_gpu:
            return arrays
        if self.cupy is not None:
            return tuple(self.cupy.asarray(array) for array in arrays)
        return tuple(self.torch.from_numpy(array).cuda() for array in arrays)

    def tensors(self, *arrays: np.ndarray) -> tuple[Any, ...]:
        """The same as tensors of PyTorch."""
        made = (self.torch.from_numpy(array) for array in arrays)
        return tuple(tensor.cuda() if self.on_gpu else tensor for tensor in made)

    def wait(self) -> None:
        if not self.on_gpu:
            return
        if self.cupy is not None:
            self.cupy.cuda.Device().synchronize()
        else:
            self.torch.cuda.synchronize()


def case(name: str, devices: Iterable[str] = ("cpu",)) -> Callable[..., Any]:
    """Registers a function that makes a match, for one kind of device or both."""

    def register(make: Callable[[Setting], Match]) -> Callable[[Setting], Match]:
        CASES.extend((name, device, make) for device in devices)
        return make

    return register


def on_host(result: Any) -> np.ndarray:
    """A result as an array of NumPy."""
    if hasattr(result, "get") and type(result).__module__.startswith("cupy"):
        result = result.get()
    elif hasattr(result, "cpu"):
        result = result.cpu()
    return np.asarray(result)


def agree(a: Any, b: Any, tolerance: float) -> bool:
    """Whether two results, or tuples of results, are the same but for rounding."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(agree(x, y, tolerance) for x, y in zip(a, b))
    x, y = on_host(a), on_host(b)
    if x.dtype.kind not in "iufb" or y.dtype.kind not in "iufb":
        return bool(np.array_equal(x, y))
    return x.shape == y.shape and bool(np.allclose(x, y, tolerance, tolerance, equal_nan=True))


def run_match(match: Match, setting: Setting, repeats: int, most_seconds: float) -> str:
    """Compares the contestants, then times them in turns; what is wrong with one, or "right".

    A call that takes less than 2 ms is repeated so often that a measurement takes that long. A
    contestant has two turns at least, and no further ones after `most_seconds`.
    """

    def timed(run: Callable[[], Any], count: int) -> tuple[float, float]:
        setting.wait()
        begin, cpu_begin = time.perf_counter(), time.process_time()
        for _ in range(count):
            run()
        setting.wait()
        seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu_begin
        return seconds / count, cpu_seconds / count

    first = match.contestants[0]
    expected = first.read(first.run())
    for contestant in match.contestants[1:]:
        if not agree(expected, contestant.read(contestant.run()), match.tolerance):
            return f"{contestant.name} differs from {first.name}"
    counts = [max(1, int(2e-3 / timed(one.run, 1)[0])) for one in match.contestants]
    for turn in range(repeats):
        for contestant, count in zip(match.contestants, counts):
            if turn < 2 or sum(contestant.times) * count < most_seconds:
                seconds, cpu_seconds = timed(contestant.run, count)
                contestant.times.append(seconds)
                contestant.cpu_times.append(cpu_seconds)
    return "right"


def entry(name: str, device: str, match: Match, check: str) -> dict[str, Any]:
    """What the JSON file has about a case, in the form of the benchmarks in C++."""
    return {
        "name": name,
        "device": device,
        "check": check,
        "contestants": [
            {
                "name": one.name,
                "median_ms": 1e3 * median(one.times),
                "min_ms": 1e3 * min(one.times),
                "max_ms": 1e3 * max(one.times),
                "min_cpu_ms": 1e3 * min(one.cpu_times),
                "turns": len(one.times),
            }
            for one in match.contestants
            if one.times
        ],
    }


def table(entries: list[dict[str, Any]]) -> str:
    """A table in Markdown. On a busy machine, the CPU time of all threads says more."""
    lines = [
        "| case | function | least, ms | median, ms | least CPU time, ms | x ours |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for found in entries:
        name = found["name"] + (", " + found["device"] if found["device"] != "cpu" else "")
        if found["check"] != "right":
            lines.append(f"| {name} | {found['check']} | | | | |")
        for k, one in enumerate(found["contestants"]):
            ratio = one["min_ms"] / found["contestants"][0]["min_ms"]
            lines.append(
                f"| {name if k == 0 else ''} | {one['name']} | {one['min_ms']:.3g}"
                f" | {one['median_ms']:.3g} | {one['min_cpu_ms']:.3g} | {ratio:.2g} |"
            )
    return "\n".join(lines)


def facts(repeats: int, threads: int, quick: bool, devices: list[str]) -> dict[str, Any]:
    """The machine and the versions."""
    names = ["evenfold", "numpy", "scipy", "pandas", "polars", "awkward", "networkx", "torch"]
    names += ["cupy-cuda13x", "cupy-cuda12x", "cuda-cccl"]
    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return {
        "devices": {device: ef.facts(device) for device in devices},
        "python": platform.python_version(),
        "versions": versions,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "threads": threads,
        "repeats": repeats,
        "quick": quick,
    }


def write_json(path: str, about: dict[str, Any], entries: list[dict[str, Any]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**about, "cases": entries}, file, indent=2)
        file.write("\n")
