"""Several ranks, with one engine as the oracle."""

import os
import pathlib
import shutil
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import evenfold as ef


def results():
    """What is computed on all ranks, from the same random graph each time."""
    random = np.random.default_rng(7)
    ends = random.integers(0, 300, (2, 2000)).astype("int32")
    weights = random.random(2000)
    g = ef.Graph.from_edges(*ends, 300, weights, directed=True)
    matrix = ef.CSR.from_coo(*ends, weights, (300, 300))
    # Zeros of both signs, equal keys, an infinity and NaN.
    keys = np.concatenate([random.integers(-9, 9, 3000) * 0.5, [-0.0, 0.0, np.inf, np.nan, -0.0]])
    counts = random.integers(-(2**40), 2**40, 5000)
    ragged = ef.Ragged(keys[:-5] + 0.1, np.sort(np.append(random.integers(0, 3000, 40), [0, 3000])))
    return [
        ef.reduce(weights),
        ef.reduce(keys[:-5] + 0.1, "min"),
        ef.fold(counts, "sum").value,
        ef.fold(weights, "prod").value,
        ef.reduce(np.zeros(0)),
        ef.scan(weights),
        ef.scan(counts.astype("int16"), "max", exclusive=True),
        ef.scan(weights[:1]),
        ef.sort(keys),
        np.signbit(ef.sort(keys)),
        ef.sort(counts),
        ef.sort(counts.astype("float32")),
        ef.argsort(keys),
        ef.argsort(-counts.astype("uint8")),
        ragged.sum(),
        ragged.max(),
        ef.bfs(g, 0).levels,
        ef.sssp(g, [0, 1]).distances,
        ef.pagerank(g, tolerance=1e-9).ranks,
        matrix @ random.random(300),
        ef.components(g),
    ]


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_threads(ranks):
    expected = results()
    with ef.distributed.threads(ranks, threads=2):
        for mine, one in zip(results(), expected):
            np.testing.assert_array_equal(mine, one)


def test_no_ranks():
    with pytest.raises(ValueError, match="ranks is 0; pass 1 to"), ef.distributed.threads(0):
        pass


def run_processes(ranks, body, seconds=60):
    """Runs Python under mpirun; a process has `comm`, `ef`, `np` and `results`."""
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")
    program = textwrap.dedent("""
        import numpy as np, evenfold as ef
        from mpi4py import MPI
        from test_distributed import results
        comm = MPI.COMM_WORLD
    """) + textwrap.dedent(body)
    environment = os.environ | {
        "PYTHONPATH": os.path.dirname(__file__),
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    return subprocess.run(
        ["mpirun", "-n", str(ranks), sys.executable, "-m", "mpi4py", "-c", program],
        capture_output=True,
        text=True,
        timeout=seconds,
        env=environment,
    )


@pytest.mark.parametrize("ranks", [2, 3])
def test_processes(ranks):
    got = run_processes(
        ranks,
        """
        expected = results()
        with ef.distributed.processes(comm):
            for mine, one in zip(results(), expected):
                np.testing.assert_array_equal(mine, one)
        print("the same")
        """,
    )
    assert got.returncode == 0, got.stderr
    assert got.stdout.count("the same") == ranks


def graph_results(ends, weights, **parts):
    """What graphs and matrices that processes have in parts are for."""
    found = []
    for directed, duplicates in ((True, "keep"), (True, "sum"), (False, "first")):
        g = ef.Graph.from_edges(
            *ends, 300, weights, directed=directed, duplicates=duplicates, **parts
        )
        found += [
            g.num_edges,
            ef.bfs(g, 0).levels,
            ef.sssp(g, [0, 1]).distances,
            ef.pagerank(g, tolerance=1e-9).ranks,
            g.out @ np.linspace(0.1, 1, 300),
        ]
    matrix = ef.CSR.from_coo(*ends, weights, (300, 310), **parts)
    return [*found, matrix.nnz, matrix @ np.linspace(0.1, 1, 310), matrix.T @ np.full(300, 0.3)]


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_processes_with_parts(ranks):
    got = run_processes(
        ranks,
        """
        from test_distributed import graph_results
        random = np.random.default_rng(9)
        ends = random.integers(0, 300, (2, 3000)).astype("int32")
        ends[0, ::3] = 7
        weights = random.random(3000)
        expected = graph_results(ends, weights)
        # The last process has no edges, unless it is alone.
        cuts = np.linspace(0, 3000, max(comm.size - 1, 1) + 1).astype(int).tolist() + [3000]
        own = slice(cuts[comm.rank], cuts[comm.rank + 1])
        with ef.distributed.processes(comm):
            mine = graph_results(ends[:, own], weights[own], parts=True)
            part = ef.CSR.from_coo(*ends[:, own], None, (300, 300), duplicates="keep", parts=True)
        for a, b in zip(mine, expected, strict=True):
            np.testing.assert_array_equal(a, b)
        own_rows = part.first_row, len(part.indptr) - 1, len(part.indices)
        all_rows = comm.allgather(own_rows)
        assert sum(entries for _, _, entries in all_rows) == part.nnz == 3000
        assert [first for first, _, _ in all_rows] == [
            sum(count for _, count, _ in all_rows[:r]) for r in range(comm.size)
        ]
        for refused in (lambda: ef.components(ef.Graph(part)), part.to_scipy, lambda: part @ part):
            try:
                refused()
            except ValueError as e:
                assert "needs all" in str(e), e
            else:
                raise AssertionError("nothing was refused")
        print("the same")
        """,
    )
    assert got.returncode == 0, got.stderr
    assert got.stdout.count("the same") == ranks


def test_parts_need_processes():
    ends = np.zeros((2, 3), "int32")
    with pytest.raises(ValueError, match="distributed.processes"):
        ef.Graph.from_edges(*ends, 3, parts=True)


class FolderStore:
    """What is used of a store of `torch.distributed`: keys are files."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def set(self, key, value):
        path = self.folder / key.replace("/", "-")
        path.with_suffix(".part").write_text(value)
        path.with_suffix(".part").rename(path)

    def get(self, key):
        while not (self.folder / key.replace("/", "-")).exists():
            time.sleep(0.01)
        return (self.folder / key.replace("/", "-")).read_bytes()


def run_meeting(ranks, body, *arguments):
    """Runs Python in some processes; one has `rank`, `size`, `arguments`, `ef`, `np`, `results`."""
    program = textwrap.dedent("""
        import sys
        import numpy as np, evenfold as ef
        from test_distributed import FolderStore, results
        rank, size, *arguments = sys.argv[1:]
        rank, size = int(rank), int(size)
    """) + textwrap.dedent(body)
    paths = [os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(rank), str(ranks), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for rank in range(ranks)
    ]
    return [(*process.communicate(timeout=60), process.returncode) for process in processes]


def test_meeting_by_a_file(tmp_path):
    got = run_meeting(
        3,
        """
        expected = results()
        for _ in range(2):  # they meet once
            with ef.distributed.meeting(f"file:{arguments[0]}", rank, size):
                for mine, one in zip(results(), expected):
                    np.testing.assert_array_equal(mine, one)
        """,
        tmp_path / "meeting",
    )
    assert got == [("", "", 0)] * 3
    assert not list(tmp_path.iterdir())


def test_meeting_by_a_store(tmp_path):
    got = run_meeting(
        2,
        """
        import socket
        socket.gethostname = lambda: "127.0.0.1"  # that of a test may have no address
        store = FolderStore(arguments[0])
        with ef.distributed.store(store, rank, size):
            print(ef.sort(np.array([2.0, 1.0])))
        """,
        tmp_path,
    )
    assert got == [("[1. 2.]\n", "", 0)] * 2


def test_processes_that_do_not_meet(tmp_path):
    got = run_meeting(
        2,
        """
        size = 3
        try:
            with ef.distributed.meeting(f"file:{arguments[0]}", rank, size, seconds=0.5):
                raise AssertionError("rank 2 has not come")
        except RuntimeError as e:
            print(e)
        """,
        tmp_path / "meeting",
    )
    place = f"file:{tmp_path / 'meeting'}"
    why = f"rank 0 has waited 500 ms at {place}, and only ranks 0, 1 of 3 have come\n"
    # Rank 1 may have begun too late to be told.
    assert got[0] == (why, "", 0)
    assert got[1][0] == why or "rank 1 has looked for rank 0" in got[1][0]
    with pytest.raises(ValueError, match="HOST:PORT"), ef.distributed.meeting("nowhere", 0, 2):
        pass


def test_a_process_of_a_meeting_that_ends_ends_all(tmp_path):
    got = run_meeting(
        2,
        """
        with ef.distributed.meeting(f"file:{arguments[0]}", rank, size):
            if rank == 1:
                raise OSError("the disk is full")
            ef.sort(np.array([2.0, 1.0]))
        """,
        tmp_path / "meeting",
    )
    assert "rank 1 has failed: its process has ended" in got[0][1]
    assert "the disk is full" in got[1][1]


def test_other_arguments_of_one_process_are_refused_by_all():
    got = run_processes(
        3,
        """
        with ef.distributed.processes(comm):
            g = ef.Graph.from_edges(*np.ones((2, 3), "int32"), 3 + comm.rank // 2)
            try:
                ef.pagerank(g)
            except ValueError as e:
                print(comm.rank, "different on rank 0 and rank 2" in str(e))
        """,
    )
    assert got.returncode == 0, got.stderr
    assert sorted(got.stdout.splitlines()) == ["0 True", "1 True", "2 True"]


def test_a_process_that_ends_ends_all():
    got = run_processes(
        3,
        """
        with ef.distributed.processes(comm):
            g = ef.Graph.from_edges(*np.ones((2, 3), "int32"), 3)
            if comm.rank == 1:
                raise OSError("the disk is full")
            ef.pagerank(g)
        """,
        seconds=10,
    )
    assert got.returncode != 0
    assert "the disk is full" in got.stderr
