"""The examples of the package with arrays of CuPy where they have arrays of NumPy."""

import doctest
import importlib
import pkgutil
import re

import pytest

import evenfold as ef

cupy = pytest.importorskip("cupy")
if "gpu:0" not in ef.devices():
    pytest.skip("there is no GPU", allow_module_level=True)

_CONSTRUCTORS = re.compile(r"\bnumpy\.(array|arange|ones|zeros|linspace|asarray|repeat|full)\(")
# What is of the host alone: its libraries, and the numbers of threads and processes.
_OF_THE_HOST = re.compile(
    r"import (awkward|pyarrow|networkx)|_awkward\(|scipy\.sparse|distributed|using\(|cupy"
)


class Alike(doctest.OutputChecker):
    """A result of CuPy is an array without dimensions where that of NumPy is a number, as in CuPy
    itself; the rest of a text is the same."""

    def check_output(self, want, got, optionflags):
        return super().check_output(want, got, optionflags) or _plain(want) == _plain(got)


def _plain(text):
    text = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text)
    text = re.sub(r"array\(([^()\[\]]*)\)", r"\1", text)
    text = re.sub(r",? ?dtype=\w+", "", text)
    text = re.sub(r"(\d)\.0\b", r"\1.", text)
    return re.sub(r"\s+", "", text)


def examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = [m.name for m in pkgutil.walk_packages(ef.__path__, "evenfold.")]
    seen = set()
    for name in ["evenfold", *modules]:
        if name.rpartition(".")[2] in ("_core", "__main__") or "libevenfold" in name:
            continue
        for test in finder.find(importlib.import_module(name), name):
            place = test.filename, test.lineno
            source = "".join(example.source for example in test.examples)
            if source and place not in seen and not _OF_THE_HOST.search(source):
                seen.add(place)
                yield test


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name.removeprefix("evenfold."))
def test_example(test):
    for example in test.examples:
        example.source = _CONSTRUCTORS.sub(r"cupy.\1(", example.source)
        example.source = example.source.replace("import numpy", "import cupy, numpy", 1)
    said = []
    result = doctest.DocTestRunner(Alike(), verbose=False).run(test, out=said.append)
    assert result.attempted > 0 and result.failed == 0, "".join(said)
