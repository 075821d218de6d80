"""The networks themselves, run by onnxruntime; labels and sizes come from their ONNX metadata."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import Any

import onnxruntime as ort

from vision.arrays import FloatArray, ImageArray
from vision.models.zoo import FORMAT, GIVES, Entry, list_models, model_error, models_folder, read_model


class Model:
    """A loaded network. Runs may come from several threads at once."""

    def __init__(self, entry: Entry, threads: int) -> None:
        """Load and check a model.

        Raises:
            ModelError: missing, corrupt, or not one this version can use.
        """
        self._session = _open_session(entry.data(), threads, f"The {entry.role} model {entry.path}")
        self._short = entry.short
        self._metadata = {k: _parse_json(v) for k, v in self._session.get_modelmeta().custom_metadata_map.items()}
        outputs = self._session.get_outputs()
        given = [output.name for output in outputs]
        if GIVES[entry.role] not in given or self._metadata.get("format") != FORMAT:
            gives = f"its outputs are {', '.join(given)}, its format is {self._metadata.get('format')!r}"
            raise model_error(
                f"{entry.path} is not a {entry.role} of format {FORMAT} ({gives})", code="model_unsuitable"
            )
        ends = [*self._session.get_inputs(), *outputs]
        self._widths = {end.name: end.shape[-1] for end in ends if end.shape and isinstance(end.shape[-1], int)}
        self._input = self._session.get_inputs()[0].name

    def run(self, given: ImageArray | dict[str, FloatArray], outputs: list[str]) -> list[FloatArray]:
        """The named outputs for an (n, h, w, 3) uint8 RGB batch, or for several inputs by name."""
        inputs = given if isinstance(given, dict) else {self._input: given}
        return list(self._session.run(outputs, inputs))

    def run_and_release(self, given: ImageArray) -> None:
        """Run once, then return the memory that no network is using to the system."""
        options = ort.RunOptions()
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._session.run(None, {self._input: given}, options)

    def describe(self) -> dict[str, Any]:
        """What :class:`vision.metadata.Metadata` is made from, JSON values.

        The metadata, ``widths`` (the last dimension of every input and output by name, where it is fixed) and
        ``sha256`` (its first 12 hex digits).
        """
        return self._metadata | {"widths": self._widths, "sha256": self._short}


def describe_models(folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """What the networks of a folder say of themselves by role; by default of those that come with hupai.

    Raises:
        ModelError: weights missing, corrupt or unsuitable.
    """
    return {role: Model(entry, 1).describe() for role, entry in list_models(folder).items()}


@functools.cache
def load_graph(name: str) -> ort.InferenceSession:
    """A graph without weights, of ``graphs/`` beside the models that came with hupai; loaded once.

    Raises:
        ModelError: missing or damaged.
    """
    path = models_folder() / "graphs" / f"{name}.onnx"
    return _open_session(read_model(path, f"The graph {path}"), 1, f"The graph {path}")


def _open_session(data: bytes, threads: int, what: str) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle threads of onnxruntime spin by default and eat a core of whatever else runs on the machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Smaller pieces of work near the end of a layer: cores that others slow down keep nobody waiting.
    options.add_session_config_entry("session.dynamic_block_base", "4")
    # Memory plans would be kept for every photo size: without them it takes less memory and no more time.
    options.enable_mem_pattern = False
    # One arena for all networks, which run one after the other; their own would be held side by side.
    _share_arena()
    options.add_session_config_entry("session.use_env_allocators", "1")
    try:
        return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes come straight from Exception
        raise model_error(f"{what} cannot be loaded ({error})", code="model_corrupt") from error


@functools.cache
def _share_arena() -> None:
    memory = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    as_needed = ort.OrtArenaCfg(0, 1, -1, -1)  # not the next power of two; the rest are defaults
    ort.create_and_register_allocator(memory, as_needed)


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def default_threads() -> int:
    """Threads for one reading at a time: the cores this process may use, at most 4."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(4, cores))
