"""Labelled samples: photos with labels that people corrected and donated, one annotation file beside each photo."""

from __future__ import annotations

import errno
import json
import logging
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from hupai.basics.atomic_write import atomic_write
from hupai.basics.errors import NotFound
from hupai.basics.timestamps import format_time
from hupai.store.errors import StoreError
from hupai.store.files.metadata import strip_metadata
from scoring.version import version
from scoring.words.sentence import say

log = logging.getLogger("hupai.store")

FORMAT: Final = 1
_DAMAGED: Final = (OSError, ValueError, KeyError, TypeError)
_ID_LETTERS: Final = frozenset("0123456789abcdefghijklmnopqrstuvwxyz-")


def save_sample(
    folder: Path,
    photo: bytes,
    size: tuple[int, int],
    annotation: Mapping[str, Any],
    *,
    rules: str | None,
    models: Mapping[str, str],
    read: object,
    max_bytes: int,
) -> dict[str, Any]:
    """Store a photo and its labels: both files completely, or neither.

    Args:
        folder: of the samples. photo: its bytes; metadata is removed before anything touches the disk.
        size: (width, height) of the upright picture, pixels.
        annotation: ``scene``, ``tiles``, ``ignore`` of the annotation format, already checked.
        rules: the rules it was read under. models: used for reading. read: the tiles as they were read, or None.
        max_bytes: limit of the folder's size.

    Returns:
        ``id``, names of the two files, number of tiles.

    Raises:
        StoreError: no room, or the folder cannot be written.
    """
    bare, suffix = strip_metadata(photo)
    now = datetime.now(UTC)
    sample_id = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
    image, labels = f"{sample_id}{suffix}", f"{sample_id}.json"
    document = {
        "image": image,
        "width": size[0],
        "height": size[1],
        **annotation,
        "format": FORMAT,
        "source": "correction",
        "consent": True,
        "saved": format_time(now),
        "version": version(),
        "models": dict(models),
        "rules": rules,
        "read": read,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if sum(f.stat().st_size for f in folder.iterdir()) + len(bare) > max_bytes:
            raise StoreError(
                f"The samples hold more than {max_bytes // 1_000_000} MB; export and delete some, or raise samples_mb.",
                code="store_full",
            )
        atomic_write(folder / image, bare)
        # The annotation comes last: a photo without one is not a sample, and is cleared away at the next start.
        atomic_write(folder / labels, json.dumps(document, ensure_ascii=False, indent=1).encode())
    except OSError as error:
        with suppress(OSError):  # what cannot be removed now is cleared away at the next start
            (folder / image).unlink()
        raise _unwritable(folder, error) from error
    return {"id": sample_id, "image": image, "annotation": labels, "tiles": len(annotation["tiles"])}


def list_samples(folder: Path) -> list[dict[str, Any]]:
    """Return the samples, latest first; one with damaged labels is logged and left out."""
    found = []
    for path in sorted(_annotations(folder), reverse=True):
        try:
            found.append(_summary(path))
        except _DAMAGED as error:
            log.warning("the labels %s cannot be read (%r): delete them, or put a copy back", path, error)
    return found


def damaged_samples(folder: Path) -> list[Path]:
    """Return the annotation files that cannot be read."""
    found = []
    for path in sorted(_annotations(folder)):
        try:
            _summary(path)
        except _DAMAGED:
            found.append(path)
    return found


def _summary(path: Path) -> dict[str, Any]:
    document = json.loads(path.read_text(encoding="utf-8"))
    return {"id": path.stem, "tiles": len(document["tiles"]), "saved": str(document["saved"])}


def delete_sample(folder: Path, sample_id: str) -> None:
    """Delete a sample for good.

    Raises:
        NotFound: there is none with this id. StoreError: the files cannot be removed.
    """
    path = folder / f"{sample_id}.json"
    if not sample_id or not set(sample_id) <= _ID_LETTERS or not path.is_file():
        raise NotFound(say("There is no sample {a}.", a=f"{sample_id!r:.60}"), field="id")
    try:
        # By name, not by the content of the labels: they may be damaged.
        for suffix in (".jpg", ".png"):
            path.with_suffix(suffix).unlink(missing_ok=True)
        path.unlink()
    except OSError as error:
        raise _unwritable(folder, error) from error


def clear_leftovers(folder: Path) -> None:
    """Remove the leftovers of a crash: drafts, and photos without labels."""
    if not folder.is_dir():
        return
    labelled = {path.stem for path in _annotations(folder)}
    for path in folder.iterdir():
        if path.suffix == ".new" or (path.suffix in (".jpg", ".png") and path.stem not in labelled):
            path.unlink(missing_ok=True)


def _annotations(folder: Path) -> Iterator[Path]:
    yield from folder.glob("*.json") if folder.is_dir() else ()


def _unwritable(folder: Path, error: OSError) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError(f"The disk under {folder} is full; nothing was kept.", code="store_full")
    return StoreError(f"{folder} cannot be written ({error.strerror}); nothing was kept.", code="store_unavailable")
