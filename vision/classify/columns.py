"""Which of the classifier's columns stand for white dragons, backs, red fives, bonus tiles and no clean face."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Columns:
    """The classifier's columns of the classes that a photo as a whole says something about; -1 for one it lacks.

    Attributes:
        white, back, none: white dragon, face-down tile, and "not a clean face".
        red, bonus: red fives; flowers, seasons and animals.
        fives: the red and the plain five of each suit.
    """

    white: int
    back: int
    none: int
    red: tuple[int, ...]
    bonus: tuple[int, ...]
    fives: tuple[tuple[int, int], ...]

    @classmethod
    def from_labels(cls, labels: tuple[str, ...], none: int) -> Columns:
        """The columns by label."""
        at = {label: i for i, label in enumerate(labels)}
        red, bonus = (tuple(i for label, i in at.items() if label[0] in first) for first in ("0", "fga"))
        fives = tuple((at[f"0{suit}"], at[f"5{suit}"]) for suit in "mps" if {f"0{suit}", f"5{suit}"} <= at.keys())
        return cls(at.get("5z", -1), at.get("back", -1), none, red, bonus, fives)
