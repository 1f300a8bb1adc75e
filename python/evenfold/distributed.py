"""Graphs, sparse matrices and sequences on several ranks.

A `Graph` or a `CSR` of host arrays that is made in one of these blocks belongs to several ranks,
which are groups of threads, or processes that `mpirun` has started or that meet: `bfs`, `pagerank` and `sssp`,
and `A @ x`, then give each rank an equal share of the rows and entries. In such a block, `sort` and
`argsort` of one dimension, `scan`, `fold`, `reduce` of all elements of a float64 array, and the
reductions of a `Ragged` of float64 or int64 give each rank an equal share of the elements; `scan`
and `fold` do so for all types whose folds are float64 or int64. The results have the same bits as
on one rank.

`Graph.from_edges` and `CSR.from_coo` take `parts=True` where each process has some of the edges
or entries: then no process has all of them. Vectors, and results per vertex, are whole in every
process.

Other functions, and `personalization` of `pagerank` and `parents` of `sssp`, work as without ranks: in
each process alone.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _core
from ._engines import in_range, on_engine

__all__ = ["meeting", "processes", "store", "threads"]

_WAIT_SECONDS = 600


@contextmanager
def threads(ranks: int, *, threads: int = 0) -> Iterator[None]:
    """Ranks that are groups of threads of this process.

    Parameters
    ----------
    ranks : int
        The number of ranks, 1 to 1024.
    threads : int
        The number of threads of all ranks together; 0 means one per core.

    Examples
    --------
    >>> import numpy, evenfold
    >>> ends = numpy.array([0, 1], "int32"), numpy.array([1, 2], "int32")
    >>> with evenfold.distributed.threads(2):
    ...     g = evenfold.Graph.from_edges(*ends, 3)
    >>> evenfold.bfs(g, 0).levels
    array([0, 1, 2], dtype=int32)
    """
    number = in_range("threads", "ranks", ranks, 1, 1024)
    team = in_range("threads", "threads", threads, 0, 4096)
    with on_engine(_core.engine(f"cpu:{number}", team)):
        yield


@contextmanager
def processes(comm: Any, *, threads: int = 1) -> Iterator[None]:
    """Ranks that are the processes of a communicator of mpi4py.

    All processes make the same calls with the same arguments, and each gets the whole result. If a
    call fails in one of them, it fails in all. A process that ends by an exception ends the others
    if it was started by `python -m mpi4py`, as mpi4py recommends.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        Such as `MPI.COMM_WORLD`. It is duplicated when a process first enters it.
    threads : int
        The number of threads of each process; 0 means one per core.

    Examples
    --------
    `mpirun -n 4 python -m mpi4py rank.py`, with the same edges in every process::

        from mpi4py import MPI
        import evenfold as ef

        with ef.distributed.processes(MPI.COMM_WORLD):
            g = ef.Graph.from_edges(sources, targets, num_vertices)
        ranks = ef.pagerank(g).ranks
    """
    key = (id(comm), threads)
    if key not in _joined:
        _joined[key] = (comm, _core.engine_of_processes(_Processes(comm), threads))
    with on_engine(_joined[key][1]):
        yield


@contextmanager
def meeting(
    place: str, rank: int, size: int, *, threads: int = 1, seconds: float = 60
) -> Iterator[None]:
    """Ranks that are processes which meet at an address or by a file, without MPI.

    Their data pass through process 0. If a call fails in one of them, or a process ends,
    it fails in all. Processes meet once: a later block with the same arguments goes on with them.

    Parameters
    ----------
    place : str
        `"HOST:PORT"`, an address of process 0, which listens there; or `"file:PATH"`, a file that
        all can read, which process 0 writes, and removes when all have come.
    rank : int
        The number of this process, from 0 on.
    size : int
        The number of processes.
    threads : int
        The number of threads of each process; 0 means one per core.
    seconds : float
        How long a process waits for the others to connect, in seconds.

    Examples
    --------
    >>> import numpy, evenfold
    >>> with evenfold.distributed.meeting("localhost:29517", 0, 1):
    ...     print(evenfold.sort(numpy.array([3.0, 1.0])))
    [1. 3.]
    """
    key = (place, rank, size, threads)
    if key not in _met:
        _met[key] = _core.engine_of_meeting(place, rank, size, seconds, threads)
    with on_engine(_met[key]):
        yield


@contextmanager
def store(
    store: Any, rank: int, size: int, *, threads: int = 1, seconds: float = 60
) -> Iterator[None]:
    """Ranks that are processes which meet by a store of `torch.distributed`, as in `meeting`.

    Parameters
    ----------
    store : torch.distributed.Store
        Such as a `TCPStore`. Process 0 sets the key `"evenfold/meeting"` to its address, and the
        others get it. For another meeting, pass a `PrefixStore`.
    rank, size, threads, seconds
        As in `meeting`.

    Examples
    --------
    In each process that `torchrun` has started::

        import torch.distributed as dist
        import evenfold as ef

        dist.init_process_group("gloo")
        at = dist.distributed_c10d._get_default_store()
        with ef.distributed.store(at, dist.get_rank(), dist.get_world_size()):
            g = ef.Graph.from_edges(sources, targets, num_vertices)
    """
    key = (id(store), rank, size, threads)
    if key not in _met_by_store:
        _met_by_store[key] = (store, _engine_by_store(store, rank, size, seconds, threads))
    with on_engine(_met_by_store[key][1]):
        yield


def _engine_by_store(
    store: Any, rank: int, size: int, seconds: float, threads: int
) -> _core.Engine:
    if rank != 0:
        place = bytes(store.get(_ADDRESS)).decode()
        return _core.engine_of_meeting(place, rank, size, seconds, threads)
    # Process 0 listens before the others know its address.
    with socket.create_server(("", 0)) as listener:
        store.set(_ADDRESS, f"{socket.gethostname()}:{listener.getsockname()[1]}")
        place = f"socket:{listener.fileno()}"
        return _core.engine_of_meeting(place, rank, size, seconds, threads)


_ADDRESS = "evenfold/meeting"
_met: dict[tuple[str, int, int, int], _core.Engine] = {}
# By the number of the store, which lives as long as its entry.
_met_by_store: dict[tuple[int, int, int, int], tuple[Any, _core.Engine]] = {}

# By the number of the communicator, which lives as long as its entry.
_joined: dict[tuple[int, int], tuple[Any, _core.Engine]] = {}


class _Processes:
    """The communicator of an engine. Operations return the reason of a failure, or "".

    No call of MPI blocks: a process polls for the end of an operation, and for the failure of
    another process.
    """

    def __init__(self, comm: Any) -> None:
        self._data = comm.Dup()
        self._failures = comm.Dup()
        self._failure = ""
        self._sent: list[Any] = []
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()

    def all_gather_v(self, sent: memoryview, received: memoryview, offsets: list[int]) -> str:
        counts = [end - begin for begin, end in zip(offsets, offsets[1:])]
        return self._wait(
            lambda: [self._data.Iallgatherv([sent, "B"], [received, counts, offsets[:-1], "B"])]
        )

    def all_to_all_v(
        self, sent: memoryview, sent_offsets: list[int], received: memoryview, offsets: list[int]
    ) -> str:
        # Not Ialltoallv: after one in which a rank has nothing to send or to receive, the next
        # collective operation of Open MPI 4.1 does not end.
        def start() -> list[Any]:
            return [
                operation([part[at[rank] : at[rank + 1]], "B"], rank)
                for operation, part, at in (
                    (self._data.Irecv, received, offsets),
                    (self._data.Isend, sent, sent_offsets),
                )
                for rank in range(self.size)
            ]

        return self._wait(start)

    def broadcast(self, data: memoryview, root: int) -> str:
        return self._wait(lambda: [self._data.Ibcast([data, "B"], root)])

    def barrier(self) -> str:
        return self._wait(lambda: [self._data.Ibarrier()])

    def fail(self, reason: str) -> None:
        if self._failure:
            return
        self._failure = f"rank {self.rank} has failed: {reason}"
        others = (rank for rank in range(self.size) if rank != self.rank)
        self._sent = [self._failures.isend(self._failure, rank) for rank in others]

    def _wait(self, start: Callable[[], list[Any]]) -> str:
        if self._failure:
            return self._failure
        requests = start()
        end = time.monotonic() + _WAIT_SECONDS
        while not all(request.Test() for request in requests):
            if self._failures.Iprobe():
                self._failure = self._failures.recv()
            elif time.monotonic() > end:
                self.fail(f"it has waited {_WAIT_SECONDS} s for the others")
            if self._failure:
                return self._failure
            time.sleep(0)
        return ""
