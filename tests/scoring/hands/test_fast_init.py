"""Frozen dataclasses that are made quickly behave as those that are not."""

from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from pickle import dumps, loads

import pytest

from scoring.basics.fast_init import fast_init
from scoring.hand import Hand
from scoring.tiles import parse_tiles, tile


@dataclass(frozen=True, slots=True)
class Plain:
    a: int
    b: str = "b"
    c: list[int] = field(default_factory=list)
    d: int = field(init=False, compare=False)

    def __post_init__(self):
        if self.a < 0:
            raise ValueError("below zero")
        object.__setattr__(self, "d", 2 * self.a)


@fast_init
@dataclass(frozen=True, slots=True)
class Quick(Plain):
    def __post_init__(self):
        if self.a < 0:
            raise ValueError("below zero")
        self.d = 2 * self.a


@fast_init
@dataclass(frozen=True, slots=True)
class More(Quick):
    e: int = 5


@pytest.mark.parametrize("kind", [Plain, Quick])
def test_fields_defaults_and_what_is_computed(kind):
    made = kind(3, c=[1])
    assert (made.a, made.b, made.c, made.d) == (3, "b", [1], 6)
    assert kind(1).c == [] and kind(1).c is not kind(1).c
    assert replace(made, a=4).d == 8
    assert made == kind(3, "b", [1]) != kind(4, "b", [1])
    assert repr(made).endswith("(a=3, b='b', c=[1], d=6)")
    assert made.__class__ is kind and [f.name for f in fields(made)] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("kind", [Plain, Quick])
@pytest.mark.parametrize("wrong", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5)])
def test_wrong_arguments(kind, wrong):
    with pytest.raises(TypeError):
        kind(*wrong)
    with pytest.raises(TypeError, match="z"):
        kind(1, z=2)


@pytest.mark.parametrize("kind", [Plain, Quick, More])
def test_frozen_once_it_is_made(kind):
    made = kind(1)
    for change in (lambda: setattr(made, "a", 2), lambda: delattr(made, "a")):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(ValueError, match="below zero"):
        kind(-1)


def test_a_subclass_has_its_own_fields_after_its_parents():
    made = More(1, e=7)
    assert (made.a, made.d, made.e) == (1, 2, 7) and made != Quick(1)
    assert not hasattr(made, "__dict__")


def test_a_hand_is_pickled_and_used_as_a_key():
    hand = Hand(parse_tiles("123m456m789m23s55p"), (), tile("4s"))
    again = loads(dumps(hand))
    assert again == hand and again.counts == hand.counts and {hand: 1}[again] == 1
    with pytest.raises(FrozenInstanceError):
        again.sets = 5
