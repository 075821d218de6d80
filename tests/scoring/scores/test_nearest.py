"""Elements that one other tile would make, against every tile in the place of every tile, scored one by one."""

import pytest

from scoring.request import parse_request, respond
from scoring.rules import systems
from scoring.tiles import PLAIN
from tests.scoring import asking
from tests.scoring.test_golden import CASES

CODES = [tile.code for tile in PLAIN[:34]]
DORA = {"dora", "ura_dora", "aka_dora", "kita"}
DEALT = [case for rules in systems() for case in [c["request"] for c in CASES if c["request"]["rules"] == rules][::12]]


def ids_and_income(asked):
    """What a hand scores, and what the winner gets; None where it does not win, or cannot be."""
    found = respond(asked)
    if "error" in found or not found["legal"] or found["payments"] is None:
        return None
    return {line["id"] for line in found["elements"]}, float(found["payments"][asked["context"]["seat"]])


def recount(asked):
    """Elements that an exchange brings -> the most that it pays."""
    found = parse_request(asked).score()
    if found.payments is None or found.tally is None or not asked.get("winning_tile"):
        return {}
    had, now = {line.element.id for line in found.tally.lines}, float(found.payments.net[asked["context"]["seat"]])
    concealed = [tile.code for tile in parse_request(asked).case.hand.concealed]
    best = {}
    for at in range(-1, len(concealed)):
        for code in CODES:
            tiles, won = list(concealed), asked["winning_tile"]
            old = won if at < 0 else tiles[at]
            if old.replace("0", "5") == code:
                continue
            if at < 0:
                won = code
            else:
                tiles[at] = code
            other = ids_and_income({**asked, "concealed": tiles, "winning_tile": won})
            if other and other[1] > now and other[0] - had - DORA:
                brings = frozenset(other[0] - had)
                best[brings] = max(best.get(brings, 0), other[1])
    return {brings: paid for brings, paid in best.items() if not any(b < brings and best[b] >= paid for b in best)}


@pytest.mark.parametrize("asked", DEALT, ids=lambda asked: asked["rules"])
def test_nothing_nearer_is_missed_and_all_that_is_told_holds(asked):
    told = respond({**asked, "why": True})
    if "error" in told:
        return
    nearest = told["why"]["nearest"]
    brought = {frozenset(e["id"] for e in one["elements"]): float(one["income"]) for one in nearest}
    assert brought == recount(asked)
    assert [one["income"] for one in nearest] == sorted((one["income"] for one in nearest), key=float, reverse=True)


def test_a_wait_on_two_sides_is_one_tile_away():
    hand = asking.hand("234m46p678p345s88s", "5p")
    asked = {**asking.ask("riichi", hand, win="discard", source="W"), "why": True}
    [nearest] = respond(asked)["why"]["nearest"]
    assert (nearest["drop"], nearest["take"], nearest["winning"]) == ("4p", "7p", False)
    assert [(e["id"], e["value"]) for e in nearest["elements"]] == [("pinfu", 1)]
    assert (nearest["income"], nearest["change"]) == (2000, 700)


def test_a_red_five_stays_where_a_plain_one_may_go():
    asked = asking.ask("riichi", asking.hand("234m234s345067p8s", "8s"), win="self_draw")
    told = {(one["drop"], one["take"]): one["elements"] for one in respond({**asked, "why": True})["why"]["nearest"]}
    assert [e["id"] for e in told["5p", "2p"]] == ["sanshoku_doujun"]


def test_what_brings_only_dora_is_not_told():
    """2m in the place of 5m is one dora; 8p won two equal chows."""
    asked = asking.ask("riichi", asking.hand("345m678p234s88s67p", "5p"), win="self_draw", dora_indicators=["1m"])
    [nearest] = respond({**asked, "why": True})["why"]["nearest"]
    assert (nearest["take"], nearest["winning"], nearest["elements"][0]["id"]) == ("8p", True, "iipeiko")
