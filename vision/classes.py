"""Which columns of a classifier's answers stand for the classes that a photo as a whole says something about."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.tiles import PLAIN, TILES


@dataclass(frozen=True, slots=True)
class Classes:
    """Columns of the classes that matter here; -1 stands for a class the classifier does not know.

    Attributes:
        white, back, none: white dragon, face-down, and "not a clean face".
        bonus: flowers, seasons and animals.
        animals: animals alone.
        reds: red fives, each with the plain five of its suit.
    """

    white: int
    back: int
    none: int
    bonus: tuple[int, ...] = ()
    animals: tuple[int, ...] = ()
    reds: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, labels: tuple[str, ...], none: int) -> Classes:
        """The columns by label."""
        at = {label: i for i, label in enumerate(labels)}
        bonus = [t for t in PLAIN if t.is_bonus and t.code in at]
        reds = [(t.code, PLAIN[t.kind].code) for t in TILES if t.red]
        return cls(
            at.get("5z", -1),
            at.get("back", -1),
            none,
            tuple(at[t.code] for t in bonus),
            tuple(at[t.code] for t in bonus if t.suit == "a"),
            tuple((at[red], at[five]) for red, five in reds if red in at and five in at),
        )
