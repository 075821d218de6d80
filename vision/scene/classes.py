"""Which columns of a classifier's output stand for the classes that a photo as a whole says something about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Classes:
    """Columns of the classes that matter here; -1 stands for a class the classifier does not know.

    Attributes:
        white, back, none: white dragon, face-down tile, and "not a clean face".
        red, bonus: red fives; flowers, seasons and animals.
    """

    white: int
    back: int
    none: int
    red: tuple[int, ...]
    bonus: tuple[int, ...]

    @classmethod
    def of(cls, labels: tuple[str, ...], none: int) -> Classes:
        """The columns by label."""
        at = {label: i for i, label in enumerate(labels)}
        groups = [tuple(i for label, i in at.items() if label[0] in first) for first in ("0", "fga")]
        return cls(at.get("5z", -1), at.get("back", -1), none, groups[0], groups[1])
