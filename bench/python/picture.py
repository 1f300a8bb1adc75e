#!/usr/bin/env python3
"""A picture of segmented sums beside those of other libraries, from the results of bench/python.

    bench/python/picture.py --svg FILE RESULTS.json

The bars are the least times of all cases whose names begin with "segmented sum of 2^26".
"""

from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

CASE = "segmented sum of 2^26"
WIDTH, LEFT, BAR, GAP, TOP = 880, 260, 22, 8, 40
OURS, OTHERS = "#2e8b57", "#9aa5b1"


def bars_of(case: dict[str, Any], top: int) -> list[str]:
    """The title of a case and a bar per contestant, which is at least a line."""
    longest = max(one["min_ms"] for one in case["contestants"])
    lines = [f'<text x="{GAP}" y="{top}" font-weight="bold">{case["name"]}</text>']
    for k, one in enumerate(case["contestants"]):
        y = top + 12 + k * (BAR + GAP)
        width = max(1, round((WIDTH - LEFT - 90) * one["min_ms"] / longest))
        fill = OURS if k == 0 else OTHERS
        lines += [
            f'<text x="{LEFT - GAP}" y="{y + 16}" text-anchor="end">{one["name"]}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{width}" height="{BAR}" fill="{fill}"/>',
            f'<text x="{LEFT + width + GAP}" y="{y + 16}">{one["min_ms"]:.3g} ms</text>',
        ]
    return lines


def picture(results: dict[str, Any]) -> str:
    cases = [case for case in results["cases"] if case["name"].startswith(CASE)]
    device = results["devices"][cases[0]["device"]]["name"]
    lines, top = [], TOP
    for case in cases:
        lines += bars_of(case, top)
        top += len(case["contestants"]) * (BAR + GAP) + TOP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" '
            f'viewBox="0 0 {WIDTH} {top}" font-family="Helvetica, Arial, sans-serif" '
            'font-size="14" fill="#1d2730">',
            f'<rect width="{WIDTH}" height="{top}" fill="#ffffff"/>',
            *lines,
            f'<text x="{GAP}" y="{top - 12}" font-size="12">Python, {device}, least of several'
            " runs in turns</text>",
            "</svg>",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--svg", required=True, help="write the picture to this file")
    parser.add_argument("results", help="the JSON file of a run on one device")
    options = parser.parse_args()
    results = json.loads(pathlib.Path(options.results).read_text())
    pathlib.Path(options.svg).write_text(picture(results))


if __name__ == "__main__":
    main()
