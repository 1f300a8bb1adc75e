"""Load-balanced data-parallel algorithms for CPU threads and CUDA.

Functions take arrays of NumPy, PyTorch, CuPy, JAX and Arrow without copying them, and return
arrays of the same library. See docs/python.md.
"""

from . import distributed
from ._engines import devices, facts, using
from .folds import Fold, dot, fold, histogram, reduce
from .functions import (
    Function,
    count_if,
    cpp,
    filter,
    function,
    precompile,
    transform,
    transform_lbs,
)
from .graphs import (
    Forest,
    Graph,
    betweenness,
    bfs,
    components,
    core_numbers,
    minimum_spanning_forest,
    pagerank,
    sssp,
    triangles,
)
from .order import Top, argsort, merge, scan, searchsorted, sort, top_k
from .places import nearest
from .products import spmm, spmv
from .ragged import Ragged
from .segments import segreduce
from .sets import unique
from .sparse import CSR
from .tables import Groups, Joined, group_by, join, sort_columns
from ._ufuncs import where

__version__ = "0.1.0"

__all__ = [
    "CSR",
    "Fold",
    "Forest",
    "Function",
    "Graph",
    "Groups",
    "Joined",
    "Ragged",
    "Top",
    "argsort",
    "betweenness",
    "bfs",
    "components",
    "core_numbers",
    "count_if",
    "cpp",
    "devices",
    "distributed",
    "dot",
    "facts",
    "filter",
    "fold",
    "function",
    "group_by",
    "histogram",
    "join",
    "merge",
    "minimum_spanning_forest",
    "nearest",
    "pagerank",
    "precompile",
    "reduce",
    "scan",
    "searchsorted",
    "segreduce",
    "sort",
    "sort_columns",
    "spmm",
    "spmv",
    "sssp",
    "top_k",
    "transform",
    "transform_lbs",
    "triangles",
    "unique",
    "using",
    "where",
]
