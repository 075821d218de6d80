"""Which columns of a classifier's answers stand for the classes that a photo as a whole says something about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Classes:
    """Columns of the classes that matter here; -1 stands for a class the classifier does not know.

    Attributes:
        white, back, none: white dragon, face-down, and "not a clean face".
    """

    white: int
    back: int
    none: int

    @classmethod
    def of(cls, labels: tuple[str, ...], none: int) -> Classes:
        """The columns by label."""
        at = {label: i for i, label in enumerate(labels)}
        return cls(at.get("5z", -1), at.get("back", -1), none)
