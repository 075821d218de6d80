"""The graphs of ``models/graphs/``: what a browser's onnxruntime does between the networks. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from datasets.learn.graphs.cells import cells
from datasets.learn.graphs.scene import colours, measures, prints
from datasets.learn.graphs.writer import Graph

GRAPHS: Final[tuple[Callable[[Graph], None], ...]] = (cells, colours, prints, measures)
"""What writes each graph, named like its file."""


def files() -> dict[str, bytes]:
    """The ONNX files by name; the description of each is that of what writes it."""
    return {write.__name__: _file(write) for write in GRAPHS}


def _file(write: Callable[[Graph], None]) -> bytes:
    graph = Graph()
    write(graph)
    return graph.model(write.__name__, (write.__doc__ or "").strip())
