"""The input files of cases.py: random tables, numbers, matrices, graphs and places.

The numbers of scaled_* have a wide range of exponents, so that the last digits of a fold show in which order
it was made.
"""

import gzip
import io
import itertools
import math
import random
import struct
import zipfile


def npy(dtype, shape, values, fortran=False):
    """The bytes of a .npy file; `dtype` as NumPy writes it, such as <f8."""
    codes = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
             "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}
    text = f"{{'descr': '{dtype}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    text = text.ljust(-(10 + len(text) + 1) % 64 + len(text)) + "\n"
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
    order = dtype[0].replace("|", "<")
    return head + struct.pack(f"{order}{len(values)}{codes[dtype[1:]]}", *values)


def npy_text(text):
    """A .npy file of one byte string, as SciPy writes the name of a format."""
    header = f"{{'descr': '|S{len(text)}', 'fortran_order': False, 'shape': (), }}"
    header = header.ljust(-(10 + len(header) + 1) % 64 + len(header)) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + text.encode()


def field(text):
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n;') else text


def rows_of_text(rows, delimiter=","):
    return "".join(delimiter.join(map(field, row)) + "\n" for row in rows)


def table(draw, rows, keys):
    """Columns: id, all different; g, an integer of few values; x, one number in several spellings;
    t, short texts; long, texts that differ late; big, at the limits of 64 bits; w, positive. Every
    column but id and w has nulls."""
    texts = ["a", "A", "ab", "a,b", 'say "no"', "é", "z z", "two\nlines", "-"]
    ids = list(range(rows))
    draw.shuffle(ids)
    for i in ids:
        row = [
            str(keys[draw.randrange(len(keys))]),
            draw.choice(["1", "1.0", "-0.5", "1e3", "0.25", "-7", "1000", "2.50"]),
            draw.choice(texts),
            "the same beginning of forty letters and more " * 2 + str(draw.randrange(rows // 3 + 1)),
            str(draw.choice([-2**63, 2**63 - 1, 2**53, 2**53 + 1, 0])),
        ]
        row = ["" if draw.random() < 0.06 else text for text in row]
        yield [str(i), *row, repr(draw.uniform(0.5, 2))]


HEADER = ["id", "g", "x", "t", "long", "big", "w"]


def tables():
    draw = random.Random(1)
    few, many = list(range(-9, 10)), list(range(20000))
    sizes = {"empty_rows": (0, few), "one": (1, few), "small": (300, few), "other": (90, few),
             "large": (12000, many), "larger": (20000, many), "ties": (20000, [7])}
    for name, (rows, keys) in sizes.items():
        yield f"{name}.csv", rows_of_text([HEADER, *table(draw, rows, keys)])
    lines = [HEADER, *table(draw, 200, few)]
    yield "semicolons.csv", rows_of_text(lines[1:], ";")
    yield "packed.csv.gz", gzip.compress(rows_of_text(lines).encode(), mtime=0)
    yield "sorted.csv", rows_of_text([["g", "n"], *([str(g), str(g * g)] for g in range(-8, 9, 2))])
    yield "long_sorted.csv", rows_of_text([["v"], *([f"{v / 8}"] for v in range(5000))])
    yield "needles.csv", rows_of_text([["v"], *([f"{draw.randrange(6000) / 8}"] for _ in range(7000))])
    yield "years.csv", "2019,2020,2021\n1,2,3\n4,5,6\n"
    yield "nothing.csv", ""
    yield "header_alone.csv", "a,b\n"
    yield "nulls.csv", "a,b\n" + ",1\n" * 400 + "x,\n"
    yield "ragged.csv", "a,b\n1,2\n3\n"
    yield "unclosed.csv", 'a,b\n1,"2\n'


def numbers():
    draw = random.Random(2)
    shapes = {"small": (7, 11), "long": (3000, 7), "wide": (3, 5000), "square": (300, 201)}
    limits = {"b1": 1, "i1": 100, "u1": 200, "i2": 30000, "u2": 60000}
    for kind in ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]:
        for name, (rows, columns) in shapes.items():
            top = limits.get(kind, 10**6)
            low = 0 if kind[0] in "ub" else -top
            count = rows * columns
            if kind == "f8":
                values = [draw.uniform(0.5, 1.5) for _ in range(count)]
            elif kind[0] == "f":  # sums of products of these numbers are exact
                values = [draw.randint(2, 6) / 4 for _ in range(count)]
            else:
                values = [draw.randint(low, top) for _ in range(count)]
            order = "|" if kind[1] == "1" else "<"
            yield f"{kind}_{name}.npy", npy(order + kind, (rows, columns), values)
    for kind in ["i4", "f4", "f8"]:
        values = [draw.randint(1, 3) for _ in range(300 * 201)]
        yield f"{kind}_columns.npy", npy("<" + kind, (300, 201), values, fortran=True)
    yield "big_endian.npy", npy(">f8", (40, 5), [draw.random() for _ in range(200)])
    yield "line_f8.npy", npy("<f8", (100003,), [draw.uniform(0.99, 1.01) for _ in range(100003)])
    yield "line_i4.npy", npy("<i4", (100003,), [draw.randint(-99, 99) for _ in range(100003)])
    yield "signs.npy", npy("<i8", (7, 301), [draw.choice([-1, 1]) for _ in range(7 * 301)])
    yield "ones_i8.npy", npy("<i8", (9,), [1] * 9)
    yield "overflow.npy", npy("<i8", (3,), [2**63 - 1, 1, 1])
    def scaled(count):
        return [draw.uniform(1, 2) * 2.0**draw.randint(-12, 12) for _ in range(count)]

    for kind, rows, columns in [("f4", 130, 1009), ("f8", 1013, 127), ("f8", 3, 40009)]:
        shape = f"{kind}_{rows}x{columns}"
        yield f"scaled_{shape}.npy", npy(f"<{kind}", (rows, columns), scaled(rows * columns))
    factors = [draw.uniform(0.999, 1.001) for _ in range(130003)]
    yield "factors.npy", npy("<f8", (130003,), factors)
    lines = [[repr(x), str(draw.randrange(90))] for x in scaled(60013)]
    yield "scaled.csv", rows_of_text([["x", "n"], *lines])
    yield "special.npy", npy("<f8", (2, 4), [1, math.nan, -0.0, 0.0, math.inf, 2, 5e-324, 3])
    yield "no_rows.npy", npy("<f8", (0, 3), [])
    yield "no_columns.npy", npy("<i4", (4, 0), [])
    yield "cut.npy", npy("<f8", (9,), [1] * 9)[:-5]
    numbers = [[repr(draw.uniform(0, 9)), str(draw.randrange(-50, 50))] for _ in range(5000)]
    yield "numbers.csv", rows_of_text([["x", "n"], *numbers])
    values = "".join(f"{draw.uniform(0.1, 2)!r}\n" for _ in range(60))
    yield "array.mtx", "%%MatrixMarket matrix array real general\n12 5\n" + values


def coordinates(field, symmetry, rows, columns, entries):
    lines = [" ".join(map(str, entry)) for entry in entries]
    head = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n{rows} {columns} {len(lines)}\n"
    return head + "\n".join(lines) + "\n"


def matrices():
    draw = random.Random(3)

    def place(rows, columns):
        return draw.randint(1, rows), draw.randint(1, columns)

    def skewed(rows, columns, count):
        for _ in range(count):
            row = 1 if draw.random() < 0.2 else draw.randint(1, rows)
            yield row, draw.randint(1, columns), repr(draw.uniform(0.1, 2))

    entries = list(skewed(9001, 700, 70000))
    yield "scaled.mtx", coordinates("real", "general", 9001, 700, entries)
    yield "real.mtx", coordinates("real", "general", 2000, 900, list(skewed(2000, 900, 15000)))
    square = [place(500, 500) for _ in range(4000)]
    yield "pattern.mtx", coordinates("pattern", "general", 500, 500, square)
    lower = sorted({(max(p), min(p)) for p in square})
    yield "symmetric.mtx", coordinates("pattern", "symmetric", 500, 500, lower)
    whole = [(*p, draw.randint(-5, 5)) for p in square]
    yield "integer.mtx", coordinates("integer", "general", 500, 500, whole)
    doubled = [(*place(4, 4), draw.randint(1, 9)) for _ in range(60)]
    yield "doubled.mtx", coordinates("real", "general", 4, 4, doubled)
    yield "wide.mtx", coordinates("real", "general", 2**20 + 1, 2**20 + 1, [(5, 2**20 + 1, 2)])
    yield "no_entries.mtx", coordinates("real", "general", 5, 3, [])
    yield "no_rows.mtx", coordinates("real", "general", 0, 0, [])
    yield "outside.mtx", coordinates("real", "general", 2, 2, [(3, 1, 1)])
    offsets, columns = [0], []
    for _ in range(300):
        columns += sorted(draw.sample(range(200), draw.choice([0, 1, 2, 40])))
        offsets.append(len(columns))
    values = [draw.uniform(0.1, 2) for _ in columns]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in [("format", npy_text("csr")), ("shape", npy("<i8", (2,), [300, 200])),
                             ("indptr", npy("<i4", (301,), offsets)),
                             ("indices", npy("<i4", (len(columns),), columns)),
                             ("data", npy("<f8", (len(values),), values))]:
            archive.writestr(zipfile.ZipInfo(name + ".npy"), member)
    yield "rows.npz", file.getvalue()
    for name, count in [("x900", 900), ("x2000", 2000), ("scaled_x700", 700)]:
        yield f"{name}.npy", npy("<f8", (count,), [draw.uniform(0.1, 2) for _ in range(count)])


def graphs():
    draw = random.Random(4)
    edges = [(draw.randrange(700), int(700 * draw.random()**3)) for _ in range(5000)]
    yield "graph.txt", "# a comment\n" + "".join(f"{a}\t{b}\n" for a, b in edges)
    many = [(draw.randrange(9000), int(9000 * draw.random()**3)) for _ in range(60000)]
    yield "many_edges.txt", "".join(f"{a} {b} {draw.uniform(0.1, 2)!r}\n" for a, b in many)
    header = ["source", "target", "weight"]
    weights = [[str(a), str(b), repr(draw.uniform(0.1, 2))] for a, b in edges[:2000]]
    yield "weighted.csv", rows_of_text([header, *weights])
    yield "named.csv", rows_of_text([header, *([f"p{a}", f"p{b}", w] for a, b, w in weights)])
    yield "path.txt", "".join(f"{v} {v + 1}\n" for v in range(400))
    yield "star.txt", "".join(f"0 {v}\n" for v in range(1, 3000))
    yield "loops.txt", "0 0\n0 1\n0 1\n2 2\n"
    yield "no_edges.txt", "# nothing\n"
    yield "negative.csv", "from,to,weight\na,b,1\nb,c,-2\n"
    yield "jumps.csv", "vertex,weight\n0,1\n5,0.5\n"


def places():
    draw = random.Random(5)

    def rows(groups, count):
        for i in range(count):
            latitude = math.degrees(math.asin(draw.uniform(-0.999, 0.999)))
            yield [draw.choice(groups), f"place {i}", f"{latitude:.4f}", f"{draw.uniform(-180, 180):.4f}"]

    header = ["group", "name", "lat", "lon"]
    yield "places.csv", rows_of_text([header, *rows("abcde", 3000)])
    same = [["a", f"n{i}", "10", "20"] for i in range(40)]
    yield "same_places.csv", rows_of_text([header, *same, ["b", "alone", "-90", "0"]])
    yield "no_places.csv", rows_of_text([header])


def write_all(folder):
    """Writes every input into `folder`, a pathlib.Path."""
    for name, content in itertools.chain(tables(), numbers(), matrices(), graphs(), places()):
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)
