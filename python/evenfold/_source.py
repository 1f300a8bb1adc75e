"""Traced functions as C++, for a GPU or for the compiler of the host.

The kernel for a GPU has the parameters that runtime/cuda/functions.cu passes, each in a word: the
number of items, where a wrong index is noted, the inputs, the results, each table and its size, the
numbers, and the offsets of segments and the number of segments. The function for the host is a
`native_tile` of runtime/expression.hpp. Both compute an item by the same statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from ._trace import Step

KERNEL = "evenfold_function"
TILE = "evenfold_tile"

TYPES = {
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
    kind = TYPES[dtype]
    operands = ", ".join(f"r{x}" for x in (a, b, c) if x >= 0)
    if op in ("index", "segment", "rank"):
        return {"index": "i", "segment": "segment", "rank": "i - offsets[segment]"}[op]
    if op == "input":
        return f"in{a}[at]"
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
            yield f"const {TYPES[inputs.get(k, 'uint8')]}* in{k}"
        for k, result in enumerate(results):
            yield f"{TYPES[steps[result][1]]}* out{k}"
        for k, dtype in enumerate(tables):
            yield f"const {TYPES[dtype]}* table{k}"
            yield f"long long size{k}"
        for op, dtype, a, *_ in steps:
            if op == "scalar":
                yield f"{TYPES[dtype]} number{a}"
        if segments:
            yield "const long long* offsets"
            yield "long long num_segments"

    lines = [
        step_functions(),
        f'extern "C" __global__ void {KERNEL}({", ".join(parameters())}) {{',
        "  const long long threads = (long long)gridDim.x * blockDim.x;",
        *_functions_in_cpp(sources),
        "  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;"
        " i += threads) {",
        "    const long long at = i;",
    ]
    if _has_segments(steps):
        lines.append(
            "    const long long segment = evenfold::steps::segment_of(offsets, num_segments, i);"
        )
    lines += _statements(steps, results)
    return "\n".join([*lines, "  }", "}", ""]).replace("#pragma once\n", "")


def tile_source(
    steps: Sequence[Step],
    results: Sequence[int],
    tables: Sequence[str],
    sources: Sequence[str] = (),
) -> str:
    """The source of a function that computes a tile on the host."""
    lines = [
        "#include <cmath>",
        "#include <cstring>",
        step_functions(),
        f'extern "C" long long {TILE}(long long begin, int count, const void* const* inputs,',
        "    void* const* results, const void* const* tables, const long long* sizes,",
        "    const unsigned long long* numbers, const long long* offsets,",
        "    long long num_segments) {",
        "  long long missing = 0;",
        "  long long* const wrong = &missing;",
    ]
    for k, result in enumerate(results):
        kind = TYPES[steps[result][1]]
        lines.append(f"  {kind}* const __restrict out{k} = static_cast<{kind}*>(results[{k}]);")
    lines += arguments(steps, tables)
    lines += _functions_in_cpp(sources)
    if _has_segments(steps):
        lines.append(
            "  long long segment = evenfold::steps::segment_of(offsets, num_segments, begin);"
        )
    lines += ["  for (int at = 0; at < count; ++at) {", "    const long long i = begin + at;"]
    if _has_segments(steps):
        lines.append("    while (offsets[segment + 1] <= i) ++segment;")
    lines += _statements(steps, results)
    return "\n".join([*lines, "  }", "  return missing;", "}", ""]).replace("#pragma once\n", "")


def arguments(steps: Sequence[Step], tables: Sequence[str]) -> Iterator[str]:
    """The inputs, tables and numbers of a function on the host, by their names."""
    for k, dtype in sorted({a: dtype for op, dtype, a, *_ in steps if op == "input"}.items()):
        kind = f"const {TYPES[dtype]}* const __restrict"
        yield f"  {kind} in{k} = static_cast<const {TYPES[dtype]}*>(inputs[{k}]);"
    for k, dtype in enumerate(tables):
        kind = TYPES[dtype]
        yield f"  const {kind}* const table{k} = static_cast<const {kind}*>(tables[{k}]);"
        yield f"  const long long size{k} = sizes[{k}];"
    for op, dtype, a, *_ in steps:
        if op == "scalar":
            yield f"  {TYPES[dtype]} number{a};"
            yield f"  std::memcpy(&number{a}, numbers + {a}, sizeof(number{a}));"


def _functions_in_cpp(sources: Sequence[str]) -> list[str]:
    return [f"  const auto cpp{k} = {source};" for k, source in enumerate(sources)]


def _has_segments(steps: Sequence[Step]) -> bool:
    return any(op in ("segment", "rank") for op, *_ in steps)


def registers(steps: Sequence[Step]) -> Iterator[str]:
    """What computes item i, which is element `at` of the inputs."""
    for k, (op, dtype, a, b, c) in enumerate(steps):
        yield f"    const {TYPES[dtype]} r{k} = {_value(op, dtype, a, b, c)};"


def _statements(steps: Sequence[Step], results: Sequence[int]) -> Iterator[str]:
    """What computes item i and writes it as element `at` of the results."""
    yield from registers(steps)
    for k, result in enumerate(results):
        yield f"    out{k}[at] = r{result};"
