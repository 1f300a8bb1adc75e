"""Traced functions as C++ for a GPU.

The kernel has the parameters that runtime/cuda/functions.cu passes, each in a word: the number of
items, where a wrong index is noted, the inputs, the results, each table and its size, the numbers,
and the offsets of segments and the number of segments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from ._trace import Step

KERNEL = "evenfold_function"

_TYPES = {
    "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned",
    "uint64": "unsigned long long", "float32": "float", "float64": "double",
    "bool": "unsigned char",
}  # fmt: skip
_OPERATORS = {"bit_and": "&", "bit_or": "|", "bit_xor": "^", "divide": "/"}
_COMPARISONS = {"equal": "==", "less": "<", "less_equal": "<="}
_STEPS = frozenset(
    ("add", "subtract", "multiply", "negative", "absolute", "floor_divide", "remainder")
    + ("left_shift", "right_shift", "minimum", "maximum")
)
_NAMES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "power": "pow"}


@cache
def step_functions() -> str:
    """The arithmetic of steps, which is that of the CPU."""
    return (resources.files(__package__) / "step_functions.hpp").read_text()


def _value(op: str, dtype: str, a: int, b: int, c: int) -> str:
    kind = _TYPES[dtype]
    operands = ", ".join(f"r{x}" for x in (a, b, c) if x >= 0)
    if op in ("index", "segment", "rank"):
        return {"index": "i", "segment": "segment", "rank": "i - offsets[segment]"}[op]
    if op == "input":
        return f"in{a}[i]"
    if op == "scalar":
        return f"number{a}"
    if op == "take":
        return f"evenfold::steps::take(table{a}, size{a}, r{b}, wrong)"
    if op == "cast":
        return f"r{a} != 0" if dtype == "bool" else f"evenfold::steps::cast<{kind}>{{}}(r{a})"
    if op == "select":
        return f"r{a} ? r{b} : r{c}"
    if op == "invert":
        return f"r{a} ^ 1" if dtype == "bool" else f"~r{a}"
    if op in _OPERATORS or op in _COMPARISONS:
        return f"r{a} {_OPERATORS.get(op) or _COMPARISONS[op]} r{b}"
    if op in _STEPS:
        return f"evenfold::steps::{op}{{}}({operands})"
    if op.startswith("cpp"):
        return f"{op}({operands})"
    return f"::{_NAMES.get(op, op)}({operands})"


def kernel_source(
    steps: Sequence[Step],
    results: Sequence[int],
    tables: Sequence[str],
    sources: Sequence[str] = (),
    *,
    segments: bool = False,
) -> str:
    """The source of a kernel that writes the results of the steps.

    Tables are of the dtypes, and sources are functions in C++ that steps call.
    """

    def parameters() -> Iterator[str]:
        yield "long long count"
        yield "long long* wrong"
        inputs = {a: dtype for op, dtype, a, *_ in steps if op == "input"}
        for k in range(max(inputs, default=-1) + 1):
            yield f"const {_TYPES[inputs.get(k, 'uint8')]}* in{k}"
        for k, result in enumerate(results):
            yield f"{_TYPES[steps[result][1]]}* out{k}"
        for k, dtype in enumerate(tables):
            yield f"const {_TYPES[dtype]}* table{k}"
            yield f"long long size{k}"
        for op, dtype, a, *_ in steps:
            if op == "scalar":
                yield f"{_TYPES[dtype]} number{a}"
        if segments:
            yield "const long long* offsets"
            yield "long long num_segments"

    lines = [
        step_functions(),
        f'extern "C" __global__ void {KERNEL}({", ".join(parameters())}) {{',
        "  const long long threads = (long long)gridDim.x * blockDim.x;",
        "  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;"
        " i += threads) {",
        *(f"    const auto cpp{k} = {source};" for k, source in enumerate(sources)),
    ]
    if any(op in ("segment", "rank") for op, *_ in steps):
        lines.append(
            "    const long long segment = evenfold::steps::segment_of(offsets, num_segments, i);"
        )
    for k, (op, dtype, a, b, c) in enumerate(steps):
        lines.append(f"    const {_TYPES[dtype]} r{k} = {_value(op, dtype, a, b, c)};")
    lines += [f"    out{k}[i] = r{result};" for k, result in enumerate(results)]
    return "\n".join([*lines, "  }", "}", ""]).replace("#pragma once\n", "")
