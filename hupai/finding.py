"""What a look at an installation found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Attributes:
        ok: whether it is as it should be. name: what it is.
        message: what was found, with what to do when it is not ok.
        mend: puts it right without deciding anything for anybody; None where only people can.
    """

    ok: bool
    name: str
    message: str
    mend: Callable[[], object] | None = None

    def to_json(self) -> dict[str, object]:
        """``ok``, ``name``, ``message``, ``mendable``."""
        return {"ok": self.ok, "name": self.name, "message": self.message, "mendable": self.mend is not None}
