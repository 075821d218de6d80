"""Which weights there are and whether they are whole.

The models lie in ``models/`` of a checkout and in ``vision/_models`` of an installed wheel, with ``zoo.json`` naming
files and sha256. What a model must take and give is written in ``models/README.md``.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.errors import ModelError

FORMAT: Final = 1
"""The version of the contract between models and this code."""
NEEDED: Final = ("detector", "classifier")
"""Roles that every folder has. ``bonus``, a classifier of bonus tiles beside the one of all faces, it may lack; for a
``scene`` classifier that it lacks the one that came with hupai stands in."""
GIVES: Final = {"detector": "kernel", "classifier": "face", "scene": "tile", "bonus": "face"}
"""The roles in their order, each with an output by which a network of it is recognised."""


def models_folder() -> Path:
    """Where the models lie: ``vision/_models`` of a wheel, else ``models/`` of the checkout."""
    here = Path(__file__).resolve().parents[1]
    packed = here / "_models"
    return packed if packed.is_dir() else here.parent / "models"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of zoo.json.

    Attributes:
        role: ``detector``, ``classifier``, ``scene`` or ``bonus``.
        path, card: the ONNX file and its model card.
        sha256: what the file's hash must be, 64 hex digits.
    """

    role: str
    path: Path
    sha256: str
    card: Path

    @property
    def short(self) -> str:
        """The first 12 digits of the hash, by which readings, labels and learned sets name the weights."""
        return self.sha256[:12]

    def data(self) -> bytes:
        """The file's bytes, checked against the hash.

        Raises:
            ModelError: the file is missing or not the one zoo.json names.
        """
        model = f"The {self.role} model {self.path}"
        data = read_model(self.path, model)
        found = hashlib.sha256(data).hexdigest()
        if found != self.sha256:
            what = f"{model} is not the one zoo.json names (sha256 {found[:12]} instead of {self.short})"
            raise model_error(what, code="model_corrupt")
        return data


def list_models(folder: Path | None = None) -> dict[str, Entry]:
    """The models of a folder by role, as zoo.json lists them; files are not opened.

    Raises:
        ModelError: no zoo.json, or one that makes no sense or lacks a role.
    """
    folder = folder or models_folder()
    found = _read_list(folder)
    scene = found.get("scene") or _read_list(models_folder()).get("scene")
    if scene is None:
        raise model_error(f"The list of models {folder / 'zoo.json'} names no scene", code="model_corrupt")
    found["scene"] = scene
    return {role: found[role] for role in GIVES if role in found}


def _read_list(folder: Path) -> dict[str, Entry]:
    path = folder / "zoo.json"
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        if listed["format"] != FORMAT:
            raise model_error(
                f"{path} has format {listed['format']!r}, this hupai reads {FORMAT}", code="model_unsuitable"
            )
        lines = {role: listed["models"][role] for role in GIVES if role in NEEDED or role in listed["models"]}
        if not all(isinstance(line[key], str) for line in lines.values() for key in ("file", "sha256", "card")):
            raise TypeError("names and hashes must be text")
    except OSError as error:
        raise model_error(f"There is no list of models at {path} ({error.strerror})", code="model_missing") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise model_error(f"The list of models {path} is invalid ({error!r})", code="model_corrupt") from error
    return {
        role: Entry(role, folder / line["file"], line["sha256"], folder / line["card"]) for role, line in lines.items()
    }


def model_error(what: str, *, code: str) -> ModelError:
    """The error that says what is wrong with a model, and what to do."""
    return ModelError(f"{what}; install hupai again, or fetch models/ from the repository.", code=code)


def read_model(path: Path, what: str) -> bytes:
    """The bytes of a file that a message calls ``what``.

    Raises:
        ModelError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise model_error(f"{what} cannot be read ({error.strerror})", code="model_missing") from None
