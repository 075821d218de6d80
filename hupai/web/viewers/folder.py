"""Files that others may read at any moment: each is replaced in one step."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hupai.web.viewers.pages import DATA, MARK, PAGES
from hupai.whole import write_whole
from scoring.errors import HupaiError

_DRAFT: Final = (".hupai-", ".part")
_OURS: Final = (MARK.encode(), b'{"made_by":"hupai"')


class Unwritable(HupaiError):
    """The folder cannot be written, or contains files of somebody else."""

    code = "cannot_write"


def take_up(folder: Path) -> None:
    """Create the folder if it is missing, and remove drafts of a run that was killed.

    Raises:
        Unwritable: it cannot be created, or contains a file with one of our names that is not ours.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for draft in folder.glob(f"{_DRAFT[0]}*{_DRAFT[1]}"):
            draft.unlink(missing_ok=True)
        for name in (*PAGES, DATA):
            path = folder / name
            if path.exists() and not any(mark in path.read_bytes()[:400] for mark in _OURS):
                raise Unwritable(f"{path} was not written by hupai publish: give a folder of its own.")
    except OSError as error:
        raise _refused(folder, error) from error


def renew(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files in order, each completely or not at all.

    Raises:
        Unwritable: no room, no permission; files before the failed one have been replaced.
    """
    for name, content in files.items():
        try:
            # each writer has a draft of its own; and a web server under another account must be able to read the file
            draft = folder / f"{_DRAFT[0]}{uuid.uuid4().hex}{_DRAFT[1]}"
            write_whole(folder / name, content, draft=draft, mode=0o644)
        except OSError as error:
            raise _refused(folder / name, error) from error


def _refused(path: Path, error: OSError) -> Unwritable:
    return Unwritable(f"{path} cannot be written: {error.strerror or error}.")
