"""The notebooks run, and the text that is stored with them is what they print.

After a change of a notebook, `python python/tests/test_notebooks.py` runs all of them and stores
what they print and draw.
"""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def run(path):
    book = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(book, timeout=60, resources={"metadata": {"path": FOLDER}})
    client.execute()
    return book


def texts(book):
    """What each cell has printed; a picture has only a name that is not compared."""
    return [
        output.get("text") or output.data["text/plain"]
        for cell in book.cells
        for output in cell.get("outputs", [])
        if output.output_type != "display_data"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    stored = texts(nbformat.read(path, as_version=4))
    assert stored and texts(run(path)) == stored


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3


def store(path):
    book = run(path)
    for cell in book.cells:
        cell.metadata.clear()
        for output in cell.get("outputs", []):
            output.get("metadata", {}).clear()
            if "image/png" in output.get("data", {}):
                output.data.pop("text/plain")
    book.metadata.language_info = {"name": "python"}
    nbformat.write(book, path)


if __name__ == "__main__":
    for notebook in NOTEBOOKS:
        store(notebook)
