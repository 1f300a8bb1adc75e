"""Functions of the user's, traced or compiled natively, beside NumPy's functions of whole arrays."""

from __future__ import annotations

import evenfold as ef
import numpy as np
import shapes
from harness import Match, Setting, case


def weighted(a, b):
    return np.where(a > b, a * b, np.sqrt(a) - b)


def contestants(name: str) -> dict[str, object]:
    native = ef.function(weighted, native=True)
    return {f"evenfold {name}": weighted, f"evenfold {name}, native": native}


@case("a function of two sequences of 2^24 float64", ("cpu", "gpu"))
def transform(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    host = random.random(use.power(24)), random.random(use.power(24))
    there = use.place(*host)
    for name, f in contestants("transform").items():
        match.add(name, lambda f=f: ef.transform(f, *there))
    if not use.on_gpu:
        match.add("numpy where, sqrt", lambda: weighted(*host))
    return match


@case("segmented sum of a function of 2^24 float64, rows of 1 to 199", ("cpu", "gpu"))
def segreduce(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    host = random.random(use.power(24)), random.random(use.power(24))
    offsets = shapes.uniform(host[0].size, 100)
    *there, ends = use.place(*host, offsets)
    for name, f in contestants("segreduce").items():
        match.add(name, lambda f=f: ef.segreduce(f, tuple(there), ends))
    if not use.on_gpu:
        match.add(
            "numpy where, add.reduceat", lambda: np.add.reduceat(weighted(*host), offsets[:-1])
        )
    return match


@case("a function of sixteen elements", ("cpu", "gpu"))
def few(use: Setting) -> Match:
    match = Match()
    host = np.random.default_rng(0).random((2, 16))
    there = use.place(host[0].copy(), host[1].copy())
    match.add("evenfold transform", lambda: ef.transform(weighted, *there))
    if not use.on_gpu:
        match.add("numpy where, sqrt", lambda: weighted(host[0], host[1]))
    return match
