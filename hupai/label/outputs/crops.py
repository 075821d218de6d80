"""The folder of crops: every tile as a picture of its own."""

from __future__ import annotations

import shutil
import uuid
from dataclasses import replace
from pathlib import Path

from hupai.label.records import Record
from scoring.errors import HupaiError


def crop_path(record: Record, index: int) -> str:
    """Return the path of a tile's crop below the folder of crops: ``5m/table/IMG_1.jpg-03.png``."""
    return f"{record.boxes[index].tile.code}/{record.image}-{index:02d}.png"


class CropFolder:
    """Writes crops below a folder, each completely or not at all."""

    def __init__(self, folder: Path, drafts: Path) -> None:
        """Set the folders; ``drafts``, on the same file system, holds crops while they are being written."""
        self.folder, self.drafts = folder, drafts

    def __call__(self, path: str, png: bytes) -> None:
        """Write one crop.

        Raises:
            HupaiError: it cannot be written.
        """
        target, draft = self.folder / path, self.drafts / uuid.uuid4().hex
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self.drafts.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(png)
            draft.replace(target)
        except OSError as error:
            raise HupaiError(f"{target} cannot be written ({error.strerror}).", code="cannot_write") from error

    def sweep(self) -> None:
        """Remove what a killed run left half written; nobody may be writing now."""
        shutil.rmtree(self.drafts, ignore_errors=True)

    def copy(self, record: Record, name: str) -> bool:
        """Copy the crops of a record to the same picture under another name; return False if not all of them exist."""
        for index in range(len(record.boxes)):
            place = self.folder / crop_path(record, index)
            if not place.is_file():
                return False
            if name != record.image:
                self(crop_path(replace(record, image=name), index), place.read_bytes())
        return True

    def remove(self, old: Record, now: Record | None) -> int:
        """Remove the crops of a record that was replaced by another one or dropped; return how many there were."""
        held = set() if now is None else {crop_path(now, i) for i in range(len(now.boxes))}
        count = 0
        for path in {crop_path(old, i) for i in range(len(old.boxes))} - held:
            place = self.folder / path
            if place.is_file():
                place.unlink()
                count += 1
        return count
