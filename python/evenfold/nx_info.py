"""The description of the backend `evenfold` for NetworkX."""

from __future__ import annotations

from typing import Any


def info() -> dict[str, Any]:
    """The facts that NetworkX asks for when it is imported."""
    return {
        "backend_name": "evenfold",
        "project": "evenfold",
        "package": "evenfold",
        "short_summary": "Load-balanced algorithms on CPU threads and CUDA.",
    }
