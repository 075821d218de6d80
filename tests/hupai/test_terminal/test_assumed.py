"""What nobody said and the money hangs on."""

from __future__ import annotations

import pytest

from hupai.terminal.assumed import state_assumptions
from hupai.terminal.flags import Flags
from scoring.request import parse_request

HAND = {"concealed": "123m456m789m11z23s", "melds": [], "winning_tile": "4s", "bonus": ""}


def sentence(rules: str | None, *, seen: bool = False, bonus: str = "", **context: object) -> str | None:
    flags = Flags(rules, {"seat": "S", "win": "self_draw", **context})
    request = flags.request({**HAND, "bonus": bonus})
    return state_assumptions(request, parse_request(request).score(), flags, seen=seen)


def test_riichi_by_default_is_not_declared() -> None:
    told = sentence("riichi") or ""
    assert "--round E, --counters 0, --riichi-sticks 0; no --dora, --riichi, --double-riichi" in told
    assert "--ippatsu" not in told and "--ura" not in told, "without riichi they cannot be"
    assert "--liable" not in told, "no penalty fits this hand"


def test_what_is_said_is_not_assumed() -> None:
    told = sentence("riichi", round="S", riichi=True, counters=0, last_tile=False) or ""
    for flag in ("--round", "--riichi,", "--counters", "--last-tile"):
        assert flag not in told
    assert "--ippatsu" in told


@pytest.mark.parametrize(("seen", "bonus", "named"), [(False, "", True), (True, "", False), (False, "f3", False)])
def test_bonus_tiles_are_assumed_of_a_typed_hand_only(seen: bool, bonus: str, named: bool) -> None:
    assert ("--bonus" in (sentence("hongkong", seen=seen, bonus=bonus) or "")) == named


def test_rules_that_nobody_named_are_said() -> None:
    assert "--rules hongkong" in (sentence(None) or "")
    assert "--rules" not in (sentence("hongkong") or "")


def test_the_round_matters_only_to_a_hand_with_winds() -> None:
    """11z is a pair: worth fu in riichi, nothing in Hong Kong."""
    assert "--round" not in (sentence("hongkong") or "")


def test_every_assumption_changes_the_outcome() -> None:
    """Said the other way, the score is another; nobody feeds a hand without open sets."""
    told = sentence("hangzhou", indicator="9p") or ""
    assert told == "Assumed, and it changes the outcome: --banker E, --streak 1."
