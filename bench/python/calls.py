"""What does not depend on the data: imports, and calls of functions for few elements."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import evenfold as ef
import numpy as np
from harness import Match, Setting, case


@case("python -c 'import ...'")
def imports(use: Setting) -> Match:
    match = Match()
    others = ("numpy", "scipy.sparse", "pandas", "polars", "awkward", "networkx", "torch")
    for name in ("evenfold", *others):
        if importlib.util.find_spec(name.partition(".")[0]) is not None:
            command = [sys.executable, "-c", f"import {name}"]
            match.add(f"import {name}", lambda command=command: subprocess.check_call(command))
    match.add("nothing", lambda: subprocess.check_call([sys.executable, "-c", "pass"]))
    return match


@case("segmented sum of three elements", ("cpu", "gpu"))
def segmented_sum(use: Setting) -> Match:
    match = Match()
    values, offsets = use.place(np.array([1.0, 2.0, 3.0]), np.array([0, 1, 3]))
    match.add("evenfold segreduce", lambda: ef.segreduce(values, offsets))
    if not use.on_gpu:
        match.add("numpy add.reduceat", lambda: np.add.reduceat(values, offsets[:-1]))
    return match


@case("sort of three elements", ("cpu", "gpu"))
def sort(use: Setting) -> Match:
    match = Match()
    (values,) = use.place(np.array([2.0, 3.0, 1.0]))
    match.add("evenfold sort", lambda: ef.sort(values))
    if not use.on_gpu:
        match.add("numpy sort", lambda: np.sort(values))
    elif use.cupy is not None:
        match.add("cupy sort", lambda: use.cupy.sort(values))
    return match


@case("sum of three elements", ("cpu", "gpu"))
def total(use: Setting) -> Match:
    match = Match()
    (values,) = use.place(np.array([2.0, 3.0, 1.0]))
    match.add("evenfold reduce", lambda: ef.reduce(values))
    if not use.on_gpu:
        match.add("numpy sum", lambda: np.sum(values))
    elif use.cupy is not None:
        match.add("cupy sum", lambda: use.cupy.sum(values))
    return match
