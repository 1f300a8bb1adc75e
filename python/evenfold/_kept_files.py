"""Compiled functions that are kept on disk."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


def folder() -> Path:
    """The folder EVENFOLD_CACHE, or a folder among the caches of the user."""
    kept = os.environ.get("EVENFOLD_CACHE")
    if kept:
        return Path(kept)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "evenfold"


def path_of(suffix: str, *parts: str) -> Path:
    """The path of the code that was compiled from these texts."""
    return folder() / (hashlib.sha256("\0".join(parts).encode()).hexdigest() + suffix)


def write(path: Path, content: bytes) -> bool:
    """Writes a file, which appears whole or not at all. Returns whether this was possible.

    A folder that cannot be written costs time at the next start, and nothing else.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        os.replace(file.name, path)
    except OSError:
        return False
    return True
