"""The pictures themselves, beside the labels of formats that want them there: YOLO's ``images/`` and so on."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from hupai.label.inputs.sources import STATE, Item, bytes_of

DRAFT: Final = f"{STATE}/new"
"""Where label files are made, below the folder of labels, before they take the place of the former ones."""


class Images:
    """Puts pictures where a label format wants them, as links or as copies."""

    def __init__(self, items: Callable[[Sequence[str]], Mapping[str, Item]], how: str, out: Path) -> None:
        """Prepare to take orders.

        Args:
            items: the items of these picture names, as far as they are still as they were read.
            how: ``link`` or ``copy``.
            out: the folder of labels, where an earlier run may have left copies.
        """
        self._items, self._how, self._out = items, how, out
        self._copies: dict[str, list[Path]] = {}

    def place(self, name: str, place: Path) -> None:
        """Order the picture of a name for a place."""
        if self._how == "copy":
            self._copies.setdefault(name, []).append(place)
            return
        for item in self._items([name]).values():
            place.parent.mkdir(parents=True, exist_ok=True)
            os.symlink(item.place, place)  # noqa: PTH211 - reads from, to

    def close(self) -> None:
        """Make the copies; of pictures no longer as they were read the old ones stay."""
        for name, item in self._items(list(self._copies)).items():
            data = bytes_of(item)
            if data is not None:
                for place in self._copies.pop(name):
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(data)
        for place in itertools.chain.from_iterable(self._copies.values()):
            former = self._out / place.relative_to(self._out / DRAFT)
            if former.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(former, place)
