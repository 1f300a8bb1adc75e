#!/usr/bin/env python3
"""Tables and a picture of the speed of every segmented algorithm on every shape.

    bench/heat_map.py [--svg FILE] RESULTS.json ...

reads what `evenfold_bench_cuda --json` wrote. Where several files have a case, the last one counts.
Prints, for each algorithm, its worst shape, the speed there as a part of that on its best shape,
and the largest time over that of the best peer in the same run. The picture has two maps, shapes by
algorithms: the time over that of the best peer, and the bytes per second over those of the best
shape. A case belongs to a map if its name is ALGORITHM_SHAPE or ALGORITHM_SHAPE_TYPE.
"""

import argparse
import json
import pathlib
import re

SHAPES = [
    "mean_1", "mean_8", "mean_16", "mean_64", "mean_100", "mean_256", "mean_1000", "mean_1024",
    "mean_10000", "equal_lengths", "geometric", "zipf", "ascending", "descending", "alternating",
    "skewed", "half_in_one", "one_full", "giant_then_empty", "giant_then_few_empty",
]  # fmt: skip
CASE = re.compile(rf"(.+)_({'|'.join(SHAPES)})(_\w+)?")

SIZE, LEFT, TOP, GAP = 46, 250, 150, 60


def cells_of(files):
    """{algorithm: {shape: (time over the best peer's or None, bytes per second)}}"""
    found = {}
    for file in files:
        for case in json.loads(pathlib.Path(file).read_text())["cases"]:
            match = CASE.fullmatch(case["name"])
            if not match or not case["contestants"]:
                continue
            algorithm, shape, suffix = match.groups()
            ours, *others = case["contestants"]
            # Other algorithms of this library are contestants in some cases.
            peers = [c["median_ms"] for c in others if not c["name"].startswith("evenfold")]
            cell = (ours["median_ms"] / min(peers) if peers else None, ours["gbs"])
            found.setdefault(algorithm + (suffix or ""), {})[shape] = cell
    return found


def print_table(cells):
    width = max(map(len, cells))
    print(f"{'algorithm':{width}}  {'worst shape':16}  over best shape  largest time over best peer")
    for algorithm, shapes in cells.items():
        best = max(speed for _, speed in shapes.values())
        worst = min(shapes, key=lambda shape: shapes[shape][1])
        share = f"{shapes[worst][1] / best:.2f}" if len(shapes) > 1 else "-"
        ratios = [(ratio, shape) for shape, (ratio, _) in shapes.items() if ratio]
        peer = "{:.2f} ({})".format(*max(ratios)) if ratios else "-"
        print(f"{algorithm:{width}}  {worst:16}  {share:>15}  {peer}")


def colour(goodness):
    """From red, -1, over white, 0, to green, 1."""
    goodness = max(-1.0, min(1.0, goodness))
    end = (46, 139, 87) if goodness > 0 else (200, 60, 50)
    return "#" + "".join(f"{round(255 + (c - 255) * abs(goodness)):02x}" for c in end)


def map_of(title, cells, shapes, left, value, goodness):
    lines = [f'<text x="{left}" y="30" font-size="16" font-weight="bold">{title}</text>']
    for column, shape in enumerate(shapes):
        x = left + column * SIZE + SIZE // 2
        lines.append(
            f'<text transform="translate({x + 4},{TOP - 8}) rotate(-60)">'
            f"{shape.replace('_', ' ')}</text>"
        )
    for row, algorithm in enumerate(cells):
        for column, shape in enumerate(shapes):
            x, y = left + column * SIZE, TOP + row * SIZE // 2
            number = value(algorithm, shape)
            fill = "#f3f4f6" if number is None else colour(goodness(number))
            lines.append(
                f'<rect x="{x}" y="{y}" width="{SIZE - 2}" height="{SIZE // 2 - 2}" fill="{fill}"/>'
            )
            if number is not None:
                lines.append(
                    f'<text x="{x + SIZE // 2 - 1}" y="{y + 15}" text-anchor="middle">'
                    f"{number:.2f}</text>"
                )
    return lines


def picture(cells):
    shapes = [s for s in SHAPES if any(s in row for row in cells.values())]
    best = {name: max(speed for _, speed in row.values()) for name, row in cells.items()}

    def over_peer(algorithm, shape):
        return cells[algorithm].get(shape, (None, 0))[0]

    def over_best_shape(algorithm, shape):
        cell = cells[algorithm].get(shape)
        return cell[1] / best[algorithm] if cell and len(cells[algorithm]) > 1 else None

    span = len(shapes) * SIZE
    width, height = LEFT + 2 * span + GAP + 70, TOP + len(cells) * SIZE // 2 + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" '
        'font-size="12" fill="#1d2730">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for row, algorithm in enumerate(cells):
        y = TOP + row * SIZE // 2 + 15
        lines.append(f'<text x="{LEFT - 10}" y="{y}" text-anchor="end">{algorithm}</text>')
    # A time 1.5 times that of the peer is red, 0.5 times is green; 0.8 of the best shape is white.
    lines += map_of(
        "time over that of the best peer", cells, shapes, LEFT, over_peer, lambda r: 2 * (1 - r)
    )
    lines += map_of(
        "speed over that on the best shape", cells, shapes, LEFT + span + GAP, over_best_shape,
        lambda r: 5 * (r - 0.8) if r > 0.8 else 2 * (r - 0.8),
    )  # fmt: skip
    return "\n".join([*lines, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--svg", help="write the picture to this file")
    parser.add_argument("results", nargs="+", help="JSON files; the last one counts")
    options = parser.parse_args()
    try:
        cells = cells_of(options.results)
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"not results of the benchmarks: {error}")
    if not cells:
        parser.error("no case of these files belongs to a map")
    print_table(cells)
    if options.svg:
        pathlib.Path(options.svg).write_text(picture(cells))


if __name__ == "__main__":
    main()
