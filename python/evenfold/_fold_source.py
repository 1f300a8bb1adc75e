"""Traced functions as C++ for the compiler of the host, with a fold of the values of segments.

The functions are a `native_tile` and a `native_fold` of runtime/expression.hpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ._source import TILE, TYPES, arguments, registers, tile_source
from ._trace import Step

FOLD = "evenfold_fold"

_FOLDS = {"sum": "plus", "prod": "multiplies", "min": "minimum", "max": "maximum"}
# The most items that are computed before they are folded. Short segments are taken together until
# they have so many items: the processor folds them while it computes the next ones.
_MOST_FOLDED = 512
_TOGETHER = 128
# Functions of a few such steps are computed where items are folded.
_LIGHT = frozenset(
    ("add", "subtract", "multiply", "negative", "absolute", "minimum", "maximum", "cast")
)
_MOST_LIGHT = 3
_ARGUMENTS = frozenset(("input", "scalar", "index"))


def fold_source(
    steps: Sequence[Step],
    results: Sequence[int],
    tables: Sequence[str],
    sources: Sequence[str],
    op: str,
) -> str:
    """The source of a function that computes a tile, and of one that folds segments."""
    kind = TYPES[steps[results[0]][1]]
    is_light = not sources and sum(step not in _ARGUMENTS for step, *_ in steps) <= _MOST_LIGHT
    is_light &= all(step in _ARGUMENTS or step in _LIGHT for step, *_ in steps)
    lines = [
        "#include <algorithm>",
        "#include <evenfold/backend/cpu/fold_segment.hpp>",
        tile_source(steps, results, tables, sources),
        "struct evenfold_segments {",
        "  const long long* offsets;",
        "  long long begin(long long k) const { return offsets[k]; }",
        "  long long end(long long k) const { return offsets[k + 1]; }",
        "};",
        f'extern "C" long long {FOLD}(long long first, long long last, long long begin,',
        "    const long long* offsets, long long count, void* results, const void* init,",
        "    long long* wrong, const void* const* inputs, const void* const* tables,",
        "    const long long* sizes, const unsigned long long* numbers) {",
        f"  const auto folds = static_cast<{kind}*>(results);",
        f"  const {kind} before = *static_cast<const {kind}*>(init);",
        f"  using fold_operator = evenfold::{_FOLDS[op]};",
        "  const evenfold_segments segments{offsets};",
        *(_fold_of_items if is_light else _fold_of_tiles)(kind, steps, results, tables),
        "}",
        "",
    ]
    return "\n".join(lines)


def _fold_of_items(
    kind: str, steps: Sequence[Step], results: Sequence[int], tables: Sequence[str]
) -> Iterator[str]:
    """Folds all segments at once, and computes each item where it is folded."""
    yield from arguments(steps, tables)
    yield f"  const auto item = [=](long long i) -> {kind} {{"
    yield "    const long long at = i;"
    yield from registers(steps)
    yield f"    return r{results[0]};"
    yield "  };"
    # As if all items were in these segments.
    yield "  const long long items = segments.end(last - 1) - begin;"
    yield "  const double scale = static_cast<double>(count) / static_cast<double>(items + 1);"
    yield "  const auto num = static_cast<std::size_t>(static_cast<double>(last - first) * scale);"
    yield f"  evenfold::cpu::segment_fold<{kind}, long long, decltype(item), fold_operator> fold("
    yield "      count, num, 1, item, {});"
    yield "  fold(segments, first, last, begin, folds, before);"
    yield "  return last;"


def _fold_of_tiles(
    kind: str, steps: Sequence[Step], results: Sequence[int], tables: Sequence[str]
) -> Iterator[str]:
    """Computes the items of several segments, in whole runs of the canonical order, and then folds
    them: the loop over items has no other work, and is compiled to instructions on vectors."""
    begins = {a: TYPES[dtype] for step, dtype, a, *_ in steps if step == "input"}
    inputs = [
        f"static_cast<const {begins[k]}*>(inputs[{k}]) + from" if k in begins else "nullptr"
        for k in range(max(begins, default=0) + 1)
    ]
    yield "  constexpr int run = evenfold::detail::fold_run;"
    yield f"  constexpr long long most = {_MOST_FOLDED};"
    yield f"  {kind} items[run + most + 2 * run];"
    yield f"  {kind}* const values = items + run;"
    yield "  void* tile[] = {values};"
    yield "  while (first < last) {"
    yield "    const long long from = begin - begin % run;"
    yield "    long long next = first;"
    yield "    if (segments.end(next) - from > most) break;"
    yield "    ++next;"
    yield f"    while (next < last && segments.end(next) - from <= {_TOGETHER}) ++next;"
    yield "    const long long end = segments.end(next - 1);"
    yield "    const long long to = std::min(end - end % run + run, count);"
    yield f"    const void* const at[] = {{{', '.join(inputs)}}};"
    yield f"    *wrong |= {TILE}(from, static_cast<int>(to - from), at, tile, tables, sizes,"
    yield "                      numbers, nullptr, 0);"
    yield f"    using item = evenfold::element_of<{kind}, const {kind}*>;"
    yield "    const auto num = static_cast<std::size_t>((next - first) * to / (end - begin + 1));"
    yield f"    evenfold::cpu::segment_fold<{kind}, long long, item, fold_operator> fold("
    yield "        to, num, 1, item{values - from}, {});"
    yield "    fold(segments, first, next, begin, folds, before);"
    yield "    begin = end;"
    yield "    first = next;"
    yield "  }"
    yield "  return first;"
