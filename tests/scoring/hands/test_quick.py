"""Frozen dataclasses that are quick to create behave as those that are not."""

from dataclasses import FrozenInstanceError, dataclass, field, replace
from pickle import dumps, loads

import pytest

from scoring.basics.quick import quick
from scoring.hand import Hand
from scoring.tiles import parse_tiles, tile


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    a: int
    b: str = "b"
    c: list[int] = field(default_factory=list)
    d: int = field(init=False, compare=False)

    def __post_init__(self):
        if self.a < 0:
            raise ValueError("below zero")
        self.d = 2 * self.a


@quick
@dataclass(frozen=True, slots=True)
class More(Quick):
    e: int = 5


def test_fields_defaults_and_what_is_computed():
    made = More(3, c=[1])
    assert (made.a, made.b, made.c, made.d, made.e) == (3, "b", [1], 6, 5)
    assert Quick(1).c == [] and Quick(1).c is not Quick(1).c
    assert replace(made, a=4).d == 8
    assert Quick(3) == Quick(3, "b", []) != Quick(4) and made.__class__ is More and not hasattr(made, "__dict__")
    for wrong in (Quick, lambda: Quick(1, z=2), lambda: Quick(1, "b", [], 4)):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("kind", [Quick, More])
def test_frozen_once_it_is_made(kind):
    made = kind(1)
    for change in (lambda: setattr(made, "a", 2), lambda: delattr(made, "a")):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(ValueError, match="below zero"):
        kind(-1)


def test_a_hand_is_pickled_a_key_and_frozen_even_with_faults():
    hand = Hand(parse_tiles("123m456m789m23s55p"), (), tile("4s"))
    again = loads(dumps(hand))
    assert again == hand and again.counts == hand.counts and {hand: 1}[again] == 1
    wrong, faults = Hand.build_with_faults(parse_tiles("123m"), (), tile("4s"), ())
    assert faults and wrong.__class__ is Hand
    with pytest.raises(FrozenInstanceError):
        wrong.sets = 5
