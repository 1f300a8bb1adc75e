"""Compares `.npy` files, `evenfold aggregate` and sparse matrices in `.npz` files with NumPy.

Usage: numpy_oracle.py PROGRAM COPIER: the program `evenfold`, and the example that copies a .npy file.
The program runs on $EVENFOLD_TEST_DEVICE, or else on the CPU and on the reference.

NumPy writes files of every dtype, byte order, storage order and format version, and the program
aggregates them; the copier writes files, and NumPy reads them. Integers must agree exactly. A sum,
product or mean of n floating-point numbers x, which both sides compute in float64, may be off by the
bound for any order of n operations: n * 2^-52 * sum(|x|) for sums (n * 2^-53 on either side), this
bound divided by n for means, and n * 2^-52 times the product for products.
"""

import concurrent.futures
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

PROGRAM, COPIER = sys.argv[1:3]
OPS = ["max", "min", "sum", "product", "mean", "argmax", "argmin"]
AXES = {"all": None, "rows": 1, "columns": 0}
TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
DEVICES = os.environ.get("EVENFOLD_TEST_DEVICE", "cpu reference").split()

counts = itertools.count()
folder = tempfile.TemporaryDirectory()


def new_path(ending=".npy"):
    return os.path.join(folder.name, f"{next(counts)}{ending}")


def save(array, version=(1, 0)):
    path = new_path()
    with open(path, "wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions that older readers do not support
        np.lib.format.write_array(file, array, version=version)
    return path


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def random_array(dtype, shape, seed):
    """Small numbers of both signs, so that sums and short products stay in range."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind == "f":
        return random.normal(0, 2, shape).astype(dtype)
    low = 0 if dtype.kind == "u" else -9
    return np.asarray(random.integers(low, 10, shape)).astype(dtype)


def as_matrix(array):
    """The matrix that the program reads: a scalar is 1 x 1, and one dimension is a column."""
    if array.ndim == 2:
        return array
    return array.reshape(array.size, 1)


def number(value):
    return float(value) if isinstance(value, str) else value


def exact(matrix, op, axis):
    """Sums and products of integers, without overflow."""
    objects = matrix.astype(np.int64 if matrix.dtype.kind == "b" else matrix.dtype).astype(object)
    initial = 0 if op == "sum" else 1
    fold = np.add.reduce if op == "sum" else np.multiply.reduce
    return fold(objects, axis=axis, initial=initial)


def expectation(matrix, op, axis):
    """The values and their tolerances, or None if the program must refuse."""
    folded = 1 if axis is None else matrix.shape[1 - axis]
    if folded == 0:
        return np.zeros(0), 0
    if op not in ("sum", "product") and matrix.size == 0:
        return None
    integral = matrix.dtype.kind in "biu"
    if op in ("argmax", "argmin", "max", "min"):
        return getattr(np, op)(matrix, axis=axis), 0
    if integral and op in ("sum", "product"):
        value = exact(matrix, op, axis)
        low, high = (0, 2**64) if matrix.dtype.kind in "bu" else (-(2**63), 2**63)
        if any(not low <= v < high for v in np.ravel(np.asarray(value, dtype=object))):
            return None
        return value, 0
    wide = matrix.astype(np.float64)
    n = matrix.size if axis is None else matrix.shape[axis]
    with np.errstate(all="ignore"):
        magnitudes = np.sum(np.abs(wide), axis=axis)
        if op == "product":
            value = np.prod(wide, axis=axis)
            return value, n * 2.0**-52 * np.abs(value)
        if op == "sum":
            return np.sum(wide, axis=axis), n * 2.0**-52 * magnitudes
        return np.mean(wide, axis=axis), (n * 2.0**-52 * magnitudes) / n + 2.0**-52 * magnitudes / n


def close(got, expected, bound):
    if isinstance(expected, (int, np.integer)):
        return got == int(expected)
    got, expected = float(got), float(expected)
    if math.isnan(expected) or math.isinf(expected) or bound == 0:
        return got == expected or (math.isnan(got) and math.isnan(expected))
    return abs(got - expected) <= bound


def check_aggregate(array, path, op, axis_name, device):
    """The error, or None."""
    matrix = as_matrix(array)
    axis = AXES[axis_name]
    output = new_path()
    got = run(PROGRAM, "aggregate", path, "--op", op, "--axis", axis_name, "--format", "json",
              "--device", device, "--threads", "2", "--output", output)
    what = f"{array.dtype.str} {array.shape} {op} {axis_name} on {device}"
    expected = expectation(matrix, op, axis)
    if expected is None:
        refused = got.returncode == 1 and got.stderr.startswith(f"evenfold: error: {path}")
        refused = refused and not os.path.exists(output) and got.stdout == ""
        return None if refused else f"{what}: not refused: {got}"
    if got.returncode != 0:
        return f"{what}: {got.stderr}"
    report = json.loads(got.stdout)
    if (report["rows"], report["columns"]) != matrix.shape:
        return f"{what}: the shape is {report['rows']} x {report['columns']}"
    values = [report["value"]] if axis is None else report["values"]
    wanted, bound = (np.ravel(np.asarray(part)) for part in expected)
    if len(values) != len(wanted):
        return f"{what}: {len(values)} values, expected {len(wanted)}"
    for i, value in enumerate(values):
        if not close(number(value), wanted[i], float(bound[min(i, len(bound) - 1)])):
            return f"{what}: value {i} is {value}, expected {wanted[i]} within {bound}"
    # The file holds the same numbers.
    written = np.load(output)
    if written.tolist() != [number(v) for v in values]:
        same_nan = written.dtype.kind == "f" and np.array_equal(
            written.astype(float), np.array([number(v) for v in values], float), equal_nan=True)
        if not same_nan:
            return f"{what}: the file holds {written}, the report {values}"
    if op.startswith("arg") and axis is None:
        if (report["row"], report["column"]) != np.unravel_index(values[0], matrix.shape):
            return f"{what}: the place is {report['row']}, {report['column']}"
    return None


def check_copy(array, path):
    output = new_path()
    got = run(COPIER, path, output)
    what = f"copy of {array.dtype.str} {array.shape}"
    if got.returncode != 0:
        return f"{what}: {got.stderr}"
    copy = np.load(output)
    dtype = {"b": np.dtype("u1")}.get(array.dtype.kind, array.dtype)
    dtype = np.dtype("f4") if dtype == np.dtype("f2") or dtype == np.dtype(">f2") else dtype
    if copy.dtype != dtype.newbyteorder("="):
        return f"{what}: its dtype is {copy.dtype.str}"
    shape = array.shape if array.ndim else (1, 1)
    if copy.shape != shape or not np.array_equal(copy, array.astype(dtype).reshape(shape)):
        return f"{what}: it differs"
    if array.ndim == 2 and min(array.shape) > 1:
        if copy.flags.f_contiguous != array.flags.f_contiguous:
            return f"{what}: its order differs"
    with open(output, "rb") as file:
        version = np.lib.format.read_magic(file)
        np.lib.format.read_array_header_1_0(file)
        if version != (1, 0) or file.tell() % 64:
            return f"{what}: version {version}, elements at {file.tell()}"
    return None


def storage_cases():
    """Every dtype, byte order, storage order, format version and number of dimensions."""
    seeds = itertools.count()
    for dtype, endian, order in itertools.product(TYPES, "<>", "CF"):
        for version, shape in zip(itertools.cycle([(1, 0), (2, 0), (3, 0)]),
                                  [(), (7,), (5, 8), (0, 3), (1, 9), (6, 1)]):
            array = random_array(endian + dtype, shape, next(seeds))
            array = np.asarray(array.astype(endian + dtype), order=order)
            path = save(array, version)
            yield check_copy, array, path
            device = DEVICES[next(seeds) % len(DEVICES)]
            yield check_aggregate, array, path, ("sum", "max", "argmin")[len(path) % 3], "all", device


def fold_cases():
    """Every operation and axis, for types with different folds and for shapes of every kind."""
    seeds = itertools.count(1000)
    shapes = [((), "C"), ((11,), "C"), ((4, 6), "C"), ((4, 6), "F"), ((0, 0), "C"), ((0, 5), "C"),
              ((5, 0), "F")]
    for op, axis in itertools.product(OPS, AXES):
        for dtype, (shape, order) in itertools.product(["i2", "i8", "u8", "f4", "f8"], shapes):
            array = np.asarray(random_array(dtype, shape, next(seeds)), order=order)
            yield check_aggregate, array, save(array), op, axis, DEVICES[next(seeds) % len(DEVICES)]
        # Larger than a tile, in both storage orders.
        for dtype, order, device in itertools.product(["i4", "f4"], "CF", DEVICES):
            if op == "product" and dtype == "i4":
                array = np.where(random_array("i4", (300, 700), 5) > 8, 2, 1).astype("i4")
            else:
                array = random_array(dtype, (300, 700), next(seeds))
            array = np.asarray(array, order=order)
            yield check_aggregate, array, save(array), op, axis, device


def special_cases():
    """NaN, infinities, zeros of both signs, ties, and the limits of the types."""
    inf, nan = np.inf, np.nan
    tiny, huge = 5e-324, np.finfo("f8").max
    arrays = [
        np.array([[1, nan, 3], [-0.0, 0.0, -0.0], [inf, 2, -inf]]),
        np.array([[nan, nan], [1, nan]]),
        np.array([[inf, inf], [-inf, 1]]),
        np.array([[tiny, -tiny, huge], [huge, huge, -huge]]),
        np.array([[nan, 1], [2, 3]], "f4", order="F"),
        np.array([[3e38, 3e38], [1e-45, 16777217]], "f4"),
        np.array([[0.1, 1 / 3]], "f4"),
        np.array([[65504, nan], [6e-8, -inf]], "f2"),
        np.array([[7, 7, 7], [7, 7, 7]], "u1"),
        np.array([[2**63 - 1, -(2**63)], [-1, 1]], "i8"),
        np.array([[2**63 - 1, 1], [0, -5]], "i8"),
        np.array([[-(2**63)], [1]], "i8"),
        np.array([[2**32, -(2**31)], [3, 2**31]], "i8"),
        np.array([[2**64 - 1, 0], [1, 2**63]], "u8"),
        np.array([[2**53 + 1, 2**53 - 1]], "u8"),
        np.array([[127, -128]], "i1"),
        np.array([[2**32 - 1, 2**32 - 1]], "u4", order="F"),
        np.full((40, 40), -2, "i8"),
    ]
    for array, op, axis in itertools.product(arrays, OPS, AXES):
        for device in DEVICES:
            yield check_aggregate, array, save(array), op, axis, device


def check_refused(array, part):
    """The program refuses, by name, what NumPy can write and the program does not support."""
    path = save(array) if array.dtype.kind != "O" else new_path()
    if array.dtype.kind == "O":
        np.save(path, array, allow_pickle=True)
    got = run(PROGRAM, "aggregate", path, "--op", "max", "--device", DEVICES[-1])
    if got.returncode == 1 and f"{path}:1: " in got.stderr and part in got.stderr:
        return None
    return f"{array.dtype.str} {array.shape} not refused as {part}: {got}"


def refused_cases():
    for array, part in [
        (np.zeros(3, "c8"), "complex"), (np.zeros(3, "c16"), "complex"),
        (np.array([None, 1], object), "Python objects"), (np.array([b"ab"]), "bytes"),
        (np.array(["ab"]), "text"), (np.zeros(2, "M8[s]"), "points in time"),
        (np.zeros(2, "m8[ms]"), "spans of time"), (np.zeros(2, "V3"), "raw memory"),
        (np.zeros(2, [("a", "f8"), ("b", "i4")]), "records"), (np.zeros(2, "g"), "of dtype"),
        (np.zeros((2, 3, 4)), "3 dimensions"),
    ]:
        yield check_refused, array, part


def dense(matrix):
    """The matrix of a sparse .npz file, which must be in CSR format."""
    assert matrix["format"] == b"csr"
    result = np.zeros(matrix["shape"])
    rows = np.repeat(np.arange(len(matrix["indptr"]) - 1), np.diff(matrix["indptr"]))
    np.add.at(result, (rows, matrix["indices"]), matrix["data"].astype("f8"))
    return result


def check_sparse(form, dtype, index, save_npz):
    """A matrix in each format of SciPy, converted to CSR, is the same matrix."""
    array = random_array(dtype, (7, 11), 3)
    array[random_array("f8", (7, 11), 4) < 1] = 0
    order = array.T if form == "csc" else array
    major, minor = np.nonzero(order)
    members = {"format": np.array(form.encode()), "shape": np.array(array.shape), "data": order[major, minor]}
    if form == "coo":
        members |= {"row": major.astype(index), "col": minor.astype(index)}
    else:
        offsets = np.searchsorted(major, np.arange(len(order) + 1))
        members |= {"indptr": offsets.astype(index), "indices": minor.astype(index)}
    path, rows = new_path(".npz"), new_path(".npz")
    save_npz(path, **members)
    got = run(PROGRAM, "convert", path, rows, "--device", DEVICES[0])
    if got.returncode == 0 and np.array_equal(dense(np.load(rows)), array.astype("f8")):
        return None
    return f"{form} of {dtype} with {index}: {got}"


def sparse_cases():
    for form, dtype, index, save_npz in itertools.product(
            ["csr", "csc", "coo"], TYPES, ["i4", "i8", ">u2"], [np.savez, np.savez_compressed]):
        yield check_sparse, form, dtype, index, save_npz


def main():
    cases = [*storage_cases(), *fold_cases(), *special_cases(), *refused_cases(), *sparse_cases()]
    with folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [f for f in pool.map(lambda case: case[0](*case[1:]), cases) if f]
    for fault in faults[:20]:
        print(fault)
    print(f"{len(cases)} comparisons with NumPy {np.__version__}, {len(faults)} differ")
    return 1 if faults or len(cases) < 1000 else 0


sys.exit(main())
