"""Compares the commands on tables with SQLite.

Usage: sqlite_oracle.py PROGRAM: the program `evenfold`, which runs on $EVENFOLD_TEST_DEVICE or, if that
is not set, on the device that it chooses.

The tables are random, with many ties, nulls, quotes and numbers in every notation; and, if they exist,
the real tables in $EVENFOLD_DATA or ../shared/data. Both programs join, sort, filter and group them,
keep unique rows, first rows and columns, and must agree row by row, in order.
"""

import csv
import gc
import math
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
DEVICE = os.environ.get("EVENFOLD_TEST_DEVICE", "auto")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLES = os.path.join(os.environ.get("EVENFOLD_DATA", os.path.join(ROOT, "../shared/data")), "tables")
KINDS = ["inner", "left", "right", "full", "semi", "anti"]

folder = tempfile.TemporaryDirectory()
checks = 0
# Millions of rows have no cycles to look for, which would take half of the time.
gc.disable()


def run(*arguments):
    """The rows that the program prints, without a header, or the number for --count."""
    command = [PROGRAM, *arguments, "--header", "no", "--null", r"\N", "--device", DEVICE]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    if "--count" in arguments and arguments[0] == "join":
        return int(done.stdout)
    return read(done.stdout.splitlines(keepends=True))


def read(lines):
    return [tuple(row) for row in csv.reader(lines)]


def expect(ours, theirs, *what):
    global checks
    checks += 1
    if ours != theirs:
        if isinstance(ours, list):
            at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), "the end")
            what += (len(ours), len(theirs), "differ at", at)
            if at != "the end":
                what += (ours[at], theirs[at])
        sys.exit(f"sqlite_oracle: {what}: {'' if isinstance(ours, list) else (ours, theirs)}")


class Tables:
    """Tables in SQLite: columns c1, c2, ... of text as in the file, and `line`, the number of the line."""

    def __init__(self):
        self.db = sqlite3.connect(":memory:")
        self.db.create_aggregate("variance", 1, Variance)
        self.db.create_aggregate("quantile", 2, Quantile)
        self.db.execute("PRAGMA case_sensitive_like = ON")
        self.paths, self.rows, self.width = {}, {}, {}

    def add(self, name, path, numeric):
        with open(path, encoding="utf-8", newline="") as file:
            rows = read(file)
        self.paths[name], self.rows[name] = path, rows
        width = self.width[name] = len(rows[0])
        columns = ", ".join(f"c{i + 1} TEXT, k{i + 1} {'NUMERIC' if i + 1 in numeric else 'TEXT'}"
                            for i in range(width))
        self.db.execute(f"CREATE TABLE {name} (line INTEGER PRIMARY KEY, {columns})")
        marks = ", ".join("?" for _ in range(2 * width + 1))
        self.db.executemany(
            f"INSERT INTO {name} VALUES ({marks})",
            ([line] + [v for text in row for v in (text, None if text == r"\N" else text)]
             for line, row in enumerate(rows)))
        for i in range(width):
            self.db.execute(f"CREATE INDEX {name}_{i + 1} ON {name} (k{i + 1})")

    def texts(self, name, alias):
        return ", ".join(f"{alias}.c{i + 1}" for i in range(self.width[name]))

    def select(self, query):
        return [tuple(r"\N" if v is None else str(v) for v in row) for row in self.db.execute(query)]


class Joined:
    """The rows of the joins of two tables, from the lines of the tables: SQLite would take much longer to
    return the texts. Columns in `shared` have the same number in both tables and are printed once."""

    def __init__(self, tables, left, right, shared):
        self.left, self.right = tables.rows[left], tables.rows[right]
        self.shared, self.width = shared, tables.width[left]
        own = [c for c in range(tables.width[right]) if c + 1 not in shared]
        self.ends = [tuple(row[c] for c in own) for row in self.right]
        self.ends.append((r"\N",) * len(own))

    def without_left(self, row):
        return tuple(row[c] if c + 1 in self.shared else r"\N" for c in range(self.width))

    def row(self, left, *right):
        if not right:
            return self.left[left]
        line, = right
        begin = self.without_left(self.right[line]) if left is None else self.left[left]
        return begin + self.ends[-1 if line is None else line]


def check_joins(tables, left, right, pairs, kinds=KINDS, rows=True):
    on = ",".join(f"{a}={b}" for a, b in pairs)
    equal = " AND ".join(f"l.k{a} = r.k{b}" for a, b in pairs)
    joined = Joined(tables, left, right, [a for a, b in pairs if a == b])
    for kind in kinds:
        if kind in ("semi", "anti"):
            no = "NOT" if kind == "anti" else ""
            source = f"FROM {left} l WHERE {no} EXISTS (SELECT 1 FROM {right} r WHERE {equal})"
            query = f"SELECT l.line {source} ORDER BY l.line"
        else:
            source = f"FROM {left} l {kind.upper()} JOIN {right} r ON {equal}"
            last = "l.line IS NULL, " if kind in ("right", "full") else ""
            query = f"SELECT l.line, r.line {source} ORDER BY {last}l.line, r.line"
        arguments = ("join", tables.paths[left], tables.paths[right], "--on", on, "--how", kind)
        if rows:
            theirs = [joined.row(*lines) for lines in tables.db.execute(query)]
            expect(run(*arguments), theirs, kind, left, right, on)
            count = len(theirs)
        else:
            count = tables.db.execute(f"SELECT count(*) {source}").fetchone()[0]
        expect(run(*arguments, "--count"), count, kind, left, right, on)


def check_sort(tables, name, columns):
    by = ",".join(f"{c}:desc" if down else f"{c}" for c, down in columns)
    order = ", ".join(f"k{c} {'DESC' if down else 'ASC'} NULLS LAST" for c, down in columns)
    theirs = tables.select(f"SELECT {tables.texts(name, 't')} FROM {name} t ORDER BY {order}, line")
    expect(run("sort", tables.paths[name], "--by", by), theirs, "sort", name, by)


class Moments:
    """Aggregates of SQLite that it lacks."""

    def __init__(self):
        self.values = []

    def step(self, value, *fraction):
        self.fraction = fraction
        if value is not None:
            self.values.append(value)


class Variance(Moments):
    def finalize(self):
        return statistics.variance(self.values) if len(self.values) > 1 else None


class Quantile(Moments):
    def finalize(self):
        if not self.values:
            return None
        values = sorted(self.values)
        index = self.fraction[0] * (len(values) - 1)
        low = int(index)
        high = values[min(low + 1, len(values) - 1)]
        return values[low] + (high - values[low]) * (index - low)


def same_number(ours, theirs):
    """The text of a field beside a value of SQLite."""
    if theirs is None or isinstance(theirs, str):
        return ours == (r"\N" if theirs is None else theirs)
    return math.isclose(float(ours), theirs, rel_tol=1e-12, abs_tol=1e-300)


def check_group(tables, name, columns, order):
    """Numbers in columns 1 and 2, texts in column 3."""
    by = ",".join(f"{c}:desc" if down else f"{c}" for c, down in columns)
    group = ", ".join(f"k{c}" for c, _ in columns)
    aggregates = [("count()", "count(*)"), ("count(3)", "count(k3)"), ("sum(1)", "sum(k1)"),
                  ("mean(2)", "avg(k2)"), ("min(3)", "min(k3)"), ("max(2)", "max(k2)"),
                  ("median(1)", "quantile(k1, 0.5)"), ("p90(2)", "quantile(k2, 0.9)"),
                  ("variance(2)", "variance(k2)")]
    by_key = ", ".join(f"f.k{c} {'DESC' if down else 'ASC'} NULLS LAST" for c, down in columns)
    theirs = tables.db.execute(
        f"SELECT {', '.join(f'f.c{c}' for c, _ in columns)}, g.* FROM (SELECT min(line) AS first, "
        f"{', '.join(sql for _, sql in aggregates)} FROM {name} GROUP BY {group}) g "
        f"JOIN {name} f ON f.line = g.first ORDER BY {by_key if order == 'keys' else 'f.line'}").fetchall()
    ours = run("group", tables.paths[name], "--by", by, "--order", order, "--agg",
               ",".join(agg for agg, _ in aggregates))
    width = len(columns)
    expect(len(ours), len(theirs), "group", name, by)
    for our, their in zip(ours, theirs):
        their = their[:width] + their[width + 1:]
        if not all(map(same_number, our, their)):
            sys.exit(f"sqlite_oracle: group {name} {by}: {our}, {their}")


def check_top(tables, name, columns, per, most):
    def order(keys):
        return ", ".join(f"k{c} {'DESC' if down else 'ASC'} NULLS LAST" for c, down in keys)

    def option(keys):
        return ",".join(f"{c}:desc" if down else f"{c}" for c, down in keys)

    texts = tables.texts(name, "t")
    arguments = ["top", tables.paths[name], "--by", option(columns), "-k", str(most)]
    if per:
        partition = ", ".join(f"k{c}" for c, _ in per)
        query = (f"SELECT {texts} FROM (SELECT *, row_number() OVER (PARTITION BY {partition} ORDER BY "
                 f"{order(columns)}, line) AS n FROM {name}) t WHERE n <= {most} "
                 f"ORDER BY {order(per)}, {order(columns)}, line")
        arguments += ["--per", option(per)]
    else:
        query = f"SELECT {texts} FROM {name} t ORDER BY {order(columns)}, line LIMIT {most}"
    expect(run(*arguments), tables.select(query), *arguments)


def check_select(tables, name, option, columns):
    query = f"SELECT {', '.join(f'c{c}' for c in columns)} FROM {name} ORDER BY line"
    expect(run("select", tables.paths[name], "--columns", option), tables.select(query), "select", option)


def check_unique(tables, name, columns):
    by = ",".join(map(str, columns))
    group = ", ".join(f"k{c}" for c in columns)
    theirs = tables.select(
        f"SELECT {tables.texts(name, 't')}, n FROM {name} t JOIN "
        f"(SELECT min(line) AS first, count(*) AS n FROM {name} GROUP BY {group}) "
        f"ON first = line ORDER BY line")
    expect(run("unique", tables.paths[name], "--by", by, "--count"), theirs, "unique", name, by)


def check_filter(tables, name, conditions):
    """Conditions are triples: column, operator, and a value that is a number or a text."""
    arguments, wheres = [], []
    for column, op, value in conditions:
        ours = '"' + value.replace('"', '""') + '"' if isinstance(value, str) else str(value)
        theirs = "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
        arguments += ["--where", f"{column}{op}{ours}"]
        wheres.append(f"k{column} {op} {theirs}")
    theirs = tables.select(
        f"SELECT {tables.texts(name, 't')} FROM {name} t WHERE {' AND '.join(wheres)} ORDER BY line")
    expect(run("filter", tables.paths[name], *arguments), theirs, "filter", name, arguments)


def random_condition(draw, depth):
    """A condition as the program takes it, and as SQLite takes it: columns of random_file()."""
    if depth > 0 and draw.random() < 0.7:
        kind = draw.choice(["and", "or", "not"])
        ours, theirs = random_condition(draw, depth - 1)
        if kind == "not":
            return f"not ({ours})", f"NOT ({theirs})"
        more, others = random_condition(draw, depth - 1)
        return f"({ours}) {kind} ({more})", f"({theirs}) {kind.upper()} ({others})"
    op = draw.choice(["=", "!=", "<", "<=", ">", ">="])
    kind = draw.choice(["value", "column", "null", "in", "between", "match"])
    no, column = draw.choice(["", "not "]), draw.choice([1, 2, 5, 6])
    if kind == "null":
        column = draw.randrange(1, 7)
        return f"{column} is {no}null", f"k{column} IS {no}NULL"
    if kind == "column":
        first, second = draw.choice([(1, 2), (2, 5), (5, 6), (6, 2), (3, 4), (4, 3), (6, 6)])
        return f"{first} {op} [{second}]", f"k{first} {op} k{second}"
    if kind == "match":
        letter = draw.choice("ab-z1")
        return f"4 {'!' if no else ''}~ {letter}", f"k4 {no}LIKE '%{letter}%'"
    numbers = [draw.choice(["0", "1", "-7", "2.5", str(2**53 + 1), str(-2**63)]) for _ in range(2)]
    if kind == "in":
        return f"{column} {no}in ({', '.join(numbers)})", f"k{column} {no}IN ({', '.join(numbers)})"
    if kind == "between":
        both = f"{no}between {numbers[0]} and {numbers[1]}"
        return f"{column} {both}", f"k{column} {both}"
    return f"{column} {op} {numbers[0]}", f"k{column} {op} {numbers[0]}"


def check_conditions(tables, name, count):
    draw = random.Random(7)
    for _ in range(count):
        ours, theirs = random_condition(draw, 3)
        query = f"SELECT {tables.texts(name, 't')} FROM {name} t WHERE {theirs} ORDER BY line"
        expect(run("filter", tables.paths[name], "--where", ours), tables.select(query), ours)


def random_file(name, rows, seed):
    """Columns: 1 integers, 2 decimals, 3 texts, 4 texts of which some look like numbers, 5 integers at
    the limits of 64 bits, 6 such integers and fractions."""
    draw = random.Random(seed)
    texts = ["", "a", "A", "ab", "a,b", 'say "no"', "é", "z z", "two\nlines", "-"]
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8", newline="") as file:
        for _ in range(rows):
            fields = [
                str(draw.randrange(-9, 9)),
                draw.choice(["1", "1.0", "-0.5", "1e3", "0.25", "-7", "1000", "2.50"]),
                draw.choice(texts),
                draw.choice(texts + ["1", "1.0", "01"]),
                str(draw.choice([-2**63, 2**63 - 1, 2**53, 2**53 + 1, 0])),
                draw.choice([str(-2**63), str(2**63 - 1), str(2**63 - 512), str(2**53 + 1),
                             "9007199254740992.0", "0.5", "9.223372036854775e18", "-1e300"]),
            ]
            for i, field in enumerate(fields):
                if draw.random() < 0.1:
                    fields[i] = r"\N"
                elif any(sign in field for sign in ',"\n') or draw.random() < 0.1:
                    fields[i] = '"' + field.replace('"', '""') + '"'
            file.write(",".join(fields) + draw.choice(["\n", "\r\n"]))
    return path


def check_random():
    for seed, (m, n) in enumerate([(300, 200), (1, 50), (1500, 7)]):
        tables = Tables()
        tables.add("a", random_file(f"a{seed}", m, 2 * seed), {1, 2, 5, 6})
        tables.add("b", random_file(f"b{seed}", n, 2 * seed + 1), {1, 2, 5, 6})
        for pairs in [[(1, 1)], [(2, 1)], [(1, 2)], [(3, 4)], [(5, 5)], [(5, 6)], [(6, 6)],
                      [(1, 1), (3, 3)], [(4, 3), (5, 5), (2, 2)], [(6, 6), (5, 5), (3, 3)],
                      [(5, 5), (2, 2), (1, 1), (3, 3), (4, 4)]]:
            if m * n < 10**5 or len(pairs) > 1:
                check_joins(tables, "a", "b", pairs)
        for columns in [[(1, False)], [(2, True)], [(3, False)], [(4, True)], [(5, False)],
                        [(6, True)], [(6, False), (1, True), (5, False), (3, True)],
                        [(5, True), (3, False)], [(3, True), (1, False), (2, True)],
                        [(5, False), (2, True), (5, True), (4, False), (1, True)]]:
            check_sort(tables, "a", columns)
            check_unique(tables, "a", [c for c, _ in columns])
            check_group(tables, "a", columns, "keys")
            check_group(tables, "a", columns, "appearance")
            check_top(tables, "a", columns, [], 5)
            check_top(tables, "a", columns, [(1, True), (3, False)], 2)
            check_top(tables, "a", columns, [(5, False), (6, False), (4, False)], 1)
        check_select(tables, "a", "3,1-4,6,6", [3, 1, 2, 3, 4, 6, 6])
        if seed > 0:
            continue
        check_conditions(tables, "a", 150)
        for op in ["=", "!=", "<", "<=", ">", ">="]:
            for column, value in [(1, 3), (1, 2.5), (2, 1), (3, "a"), (3, 'say "no"'), (4, "1"),
                                  (5, 2**53), (5, 2**63 - 1), (5, -2**63),
                                  (6, 2**53), (6, 2**53 + 1), (6, 2**63 - 1), (6, 0.5)]:
                check_filter(tables, "a", [(column, op, value)])
            check_filter(tables, "a", [(1, op, 0), (3, op, "a"), (2, ">", -3)])


def check_real():
    routes = os.path.join(TABLES, "openflights/routes.dat")
    if not os.path.exists(routes):
        print("sqlite_oracle: the real tables were not found; set EVENFOLD_DATA to compare them, too")
        return
    tables = Tables()
    tables.add("routes", routes, {2, 4, 6, 8})
    tables.add("airports", os.path.join(TABLES, "openflights/airports.dat"), {1, 7, 8, 9, 10})
    tables.add("airlines", os.path.join(TABLES, "openflights/airlines.dat"), {1})
    check_joins(tables, "routes", "airports", [(4, 1)])
    check_joins(tables, "airlines", "routes", [(1, 2)])
    check_joins(tables, "routes", "airports", [(3, 5), (4, 1)])
    check_joins(tables, "routes", "routes", [(6, 4)], rows=False)
    check_joins(tables, "routes", "routes", [(5, 3), (1, 1)], kinds=["inner"])
    check_sort(tables, "routes", [(3, False), (6, True)])
    check_sort(tables, "airports", [(4, True), (9, False)])
    check_unique(tables, "routes", [3, 5])
    check_filter(tables, "airports", [(9, ">=", 10000), (4, "!=", "China")])

# Routes whose two airports are known.
    known = os.path.join(folder.name, "known")
    with open(known, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            run("filter", routes, "--where", "4>0", "--where", "6>0"))
    expect(run("join", known, tables.paths["airports"], "--on", "4=1", "--count"), 66981, "known")
    expect(run("join", known, known, "--on", "6=4", "--count"), 11044995, "two legs")


check_random()
check_real()
print(f"sqlite_oracle: {checks} results agree with SQLite {sqlite3.sqlite_version}")
