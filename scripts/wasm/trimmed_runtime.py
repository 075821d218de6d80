"""onnxruntime-web's module with those of its functions that hupai's networks use, two thirds of what it would weigh.

It has the kernels of all operators, and calls them by address. Kept is what runs while the networks are loaded and
answer, whatever that calls, run or not, and, as answers differ with the picture, whatever has its address in functions
that run while they answer. The bodies of all others are emptied: whoever calls one stops.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2

from datasets.photographs.real import read_rgb
from scripts.wasm.module_functions import ModuleFunctions, written

_MARKS: Final = 1 << 29
"""Where in memory functions are marked that have been called: far above all that the networks take."""
_EMPTY: Final = b"\0\0\x0b"
"""A function of no locals that stops."""
_RECORD: Final = Path(__file__).with_name("used_functions.mjs")
TRIMMING: Final = (Path(__file__), Path(__file__).with_name("module_functions.py"), _RECORD)
"""The scripts that decide what is left."""


def trim_runtime(module: bytes, loader: bytes, networks: Mapping[str, bytes], photo: Path, deno: str) -> bytes:
    """Return the module without what the networks, by file name, do not use.

    Args:
        module, loader: of onnxruntime-web. photo: of tiles. deno: where it lies.

    Raises:
        OSError: no photo. ValueError: the module is made of something else. CalledProcessError: a network does not run.
    """
    whole = ModuleFunctions(module)
    count = len(whole.functions)
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "marking.wasm": whole.rewrite(lambda number, given, code: given + _mark(number) + code),
            "ort.wasm.bundle.min.mjs": loader,
            "picture": cv2.resize(read_rgb(photo), (640, 480)).tobytes(),
            **networks,
        }
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        allowed = ("--allow-read", "--allow-net=127.0.0.1", "--allow-import")
        run = subprocess.run(
            [deno, "run", "--quiet", *allowed, _RECORD, str(_MARKS), str(count), *networks],
            cwd=folder,
            env={"DENO_DIR": folder},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    loading, answering = (
        {number for number in range(count) if marked[number]} for marked in (run[:count], run[count:])
    )
    answering = _reached(answering, whole.calls)
    pointed = {one for number in answering for one in whole.points_to(number)}
    kept = _reached(loading | answering | pointed, whole.calls)
    return whole.rewrite(lambda number, given, code: given + code if number in kept else _EMPTY)


def _mark(number: int) -> bytes:
    """Return instructions that write 1 at a function's place."""
    return b"\x41" + written(_MARKS + number) + b"\x41\1\x3a\0\0"


def _reached(functions: set[int], calls: list[set[int]]) -> set[int]:
    """Return these functions and all that they call, and so on."""
    found, rest = set(functions), list(functions)
    while rest:
        new = calls[rest.pop()] - found
        found |= new
        rest += new
    return found
