"""Files that somebody else reads at any moment: each is renewed at once, never half."""

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
    """The folder takes no files, or holds somebody else's."""

    code = "cannot_write"


def take_up(folder: Path) -> None:
    """Make the folder where it is missing, and remove drafts of a run that was killed.

    Raises:
        Unwritable: it cannot be made, or a file there has a name of ours and is not ours.
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
    """Write the files in order, each whole or not at all.

    Raises:
        Unwritable: no room, no permission; files before the one that failed are renewed.
    """
    for name, content in files.items():
        try:
            # a draft of its own, if two should write there; and a web server of another account reads the file
            draft = folder / f"{_DRAFT[0]}{uuid.uuid4().hex}{_DRAFT[1]}"
            write_whole(folder / name, content, draft=draft, mode=0o644)
        except OSError as error:
            raise _refused(folder / name, error) from error


def _refused(path: Path, error: OSError) -> Unwritable:
    return Unwritable(f"{path} cannot be written: {error.strerror or error}.")
