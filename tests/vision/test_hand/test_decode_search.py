"""The parts of decoding against slow and plain ways to the same answers."""

from __future__ import annotations

from itertools import combinations_with_replacement, islice, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mahjong.shanten import Shanten

from datasets.tables.hands import deal
from scoring.request import respond
from scoring.rules import systems
from scoring.tiles import KINDS, PLAIN, parse_tiles
from scripts.recount_coach import deal_hands, differences
from vision.hand.joint import cheapest_first
from vision.hand.shanten import shanten, tiles_nearer
from vision.layout.melds import meld_readings
from vision.layout.shapes import ANY, is_winning, shapes_of, waiting_kinds, winning_wilds


@given(st.lists(st.lists(st.floats(0, 5), min_size=1, max_size=4).map(sorted), max_size=5))
def test_joint_choices_come_in_ascending_cost_each_once(costs: list[list[float]]) -> None:
    found = list(cheapest_first(costs))
    prices = [cost for cost, _ in found]
    assert all(a <= b + 1e-9 for a, b in pairwise(prices))
    assert len({tuple(choice) for _, choice in found}) == len(found) == np.prod([len(c) for c in costs], dtype=int)
    for cost, choice in found:
        assert cost == pytest.approx(sum(c[option] - c[0] for c, option in zip(costs, choice, strict=True)))


def test_the_cheapest_are_found_without_looking_at_the_rest() -> None:
    costs = [[0.0, 1.0, 2.0]] * 40
    assert [cost for cost, _ in islice(cheapest_first(costs), 42)] == [0.0] + [1.0] * 40 + [2.0]


@pytest.mark.parametrize("kind", ["win", "wait", "near", "junk"])
def test_shanten_agrees_with_the_mahjong_package(kind: str) -> None:
    rng = np.random.default_rng(7)
    theirs = Shanten()
    for _ in range(150):
        dealt = deal(rng, "riichi", melds=0, kind=kind)
        tiles = [*dealt.concealed, *([dealt.winning] if dealt.winning else [])]
        counts = [sum(t.kind == k for t in tiles) for k in range(KINDS)]
        assert shanten(counts, shapes_of("riichi")) == theirs.calculate_shanten(counts)


def test_distance_discards_and_draws_agree_with_a_slow_recount() -> None:
    hands = list(deal_hands(84, seed=2))
    assert {hand.rules for hand in hands} == set(systems()) and any(hand.wild is not None for hand in hands)
    assert [line for i, hand in enumerate(hands) for line in differences(hand, i)] == []


def test_with_wild_tiles_a_hand_wins_waits_or_is_one_away_as_its_tiles_show() -> None:
    shapes = shapes_of("hangzhou")
    for hand in islice((hand for hand in deal_hands(400, seed=4) if hand.wild is not None), 24):
        wins = is_winning(hand.counts, shapes, hand.wild)
        assert (shanten(hand.counts, shapes, hand.wild) == -1) == wins
        for kind in [] if wins else [kind for kind in range(KINDS) if hand.counts[kind]]:
            rest = [n - (k == kind) for k, n in enumerate(hand.counts)]
            more = ([n + (k == drawn) for k, n in enumerate(rest)] for drawn in range(KINDS))
            waits = any(is_winning(full, shapes, hand.wild) for full in more)
            assert (shanten(rest, shapes, hand.wild) == 0) == waits


def test_hands_that_wait_have_shanten_0_and_win_with_every_wait() -> None:
    rng = np.random.default_rng(3)
    for seed in range(150):
        rules = list(systems())[seed % len(systems())]
        dealt = deal(rng, rules, kind="wait")
        counts = [sum(t.kind == k for t in dealt.concealed) for k in range(KINDS)]
        shown = [sum(t.kind == k for m in dealt.melds for t in m.tiles) for k in range(KINDS)]
        assert shanten(counts, shapes_of(rules)) == 0
        waits = waiting_kinds(counts, shapes_of(rules), None, shown)
        assert tiles_nearer(counts, shapes_of(rules), shown) == {k: 4 - counts[k] - shown[k] for k in waits}
        for k in waits:
            more = [n + (i == k) for i, n in enumerate(counts)]
            assert is_winning(more, shapes_of(rules)) and more[k] + shown[k] <= 4


PAIRS, ORPHANS = "113355m224466p7s+7s", "19m19p19s1234567z+1z"


@pytest.mark.parametrize(
    ("rules", "hand", "off", "on"),
    [
        ("riichi", PAIRS, {"values": {"chiitoitsu": 0}}, {}),
        ("riichi", ORPHANS, {"values": {"kokushi": 0}}, {}),
        ("hongkong", PAIRS, {"seven_pairs": False}, {}),
        ("hongkong", PAIRS, {"values": {"seven_pairs": 0}}, {}),
        ("hongkong", ORPHANS, {"values": {"thirteen_orphans": 0}}, {}),
        ("singapore", PAIRS, {}, {"seven_pairs": True}),
        ("singapore", ORPHANS, {"values": {"thirteen_orphans": 0}}, {}),
        ("zungjung", PAIRS, {"values": {"seven_pairs": 0}}, {}),
        ("zungjung", ORPHANS, {"values": {"thirteen_terminals": 0}}, {}),
        ("mcr", PAIRS, {"values": {"seven_pairs": 0}}, {}),
        ("mcr", ORPHANS, {"values": {"thirteen_orphans": 0}}, {}),
        ("mcr", "147m25p36s123456z+7z", {"values": {"lesser_honors_and_knitted_tiles": 0}}, {}),
        ("mcr", "147m258p36s22z456s+9s", {"values": {"knitted_straight": 0}}, {}),
        ("taiwanese", "1133m5577p22449s666z+9s", {"eight_pairs": 0}, {}),
        ("taiwanese", "1133m5577p22449s666z+9s", {"values": {"eight_pairs": 0}}, {}),
        ("hangzhou", PAIRS, {"permanent": True, "values": {"seven_pairs": 0}}, {"permanent": True}),
    ],
)
def test_a_shape_that_is_not_played_neither_waits_nor_wins(
    rules: str, hand: str, off: dict[str, Any], on: dict[str, Any]
) -> None:
    concealed, winning = hand.split("+")
    counts = [sum(t.kind == k for t in parse_tiles(concealed)) for k in range(KINDS)]
    context = {"seat": "S", "win": "self_draw"}
    request = {"rules": rules, "concealed": concealed, "winning_tile": winning, "context": context}
    for options, played in ((on, True), (off, False)):
        shapes = shapes_of(rules, options)
        assert (shanten(counts, shapes) == 0) == bool(waiting_kinds(counts, shapes)) == played
        answer = respond({**request, "options": options})
        refused = answer["reason"] is not None and answer["reason"]["code"] == "not_a_winning_hand"
        assert refused != played


@pytest.mark.parametrize(
    ("rules", "tiles", "distance", "waiting"),
    [
        ("mcr", "147m258p369s23p55z", 0, "14p"),
        ("mcr", "147m258p369s1234z", 0, "567z"),
        ("mcr", "147m25p36s123456z", 0, "8p9s7z"),
        ("mcr", "147m258p36s22z456s", 0, "9s"),
        ("mcr", "147m258p369s5z", 0, "5z"),
        ("mcr", "147m58p36s11223z1s", 2, ""),
        ("mcr", "147m258p3s1123z9m9p", 3, ""),
        ("taiwanese", "1133m5577p224499s66z", 0, "13m57p249s6z"),
        ("taiwanese", "1133m5577p22449s666z", 0, "9s"),
        ("taiwanese", "1133m5577p22449s667z", 1, ""),
        ("taiwanese", "1111m5577p22449s666z", 0, "9s"),
        ("taiwanese", "123m456m789p345p67s99s", 0, "58s"),
    ],
)
def test_knitted_hands_and_those_of_five_sets_have_their_distance(
    rules: str, tiles: str, distance: int, waiting: str
) -> None:
    held = parse_tiles(tiles)
    counts = [sum(t.kind == k for t in held) for k in range(KINDS)]
    assert shanten(counts, shapes_of(rules)) == distance
    found = waiting_kinds(counts, shapes_of(rules)) if distance == 0 else ()
    assert set(parse_tiles(waiting)) == {PLAIN[k] for k in found}


def test_a_wild_tile_is_any_tile() -> None:
    rng = np.random.default_rng(5)
    checked = 0
    while checked < 60:
        counts = [0] * KINDS
        for k in rng.integers(0, 9, 8):
            counts[int(k)] += 1
        if max(counts) > 3 or counts[31]:
            continue
        checked += 1
        wilds = 11 - 8
        given_wild = list(counts)
        given_wild[20] = wilds  # kind 20 is wild; no white dragon is held
        plain = any(
            is_winning([n + extra.count(k) for k, n in enumerate(counts)], shapes_of("hangzhou"))
            for extra in combinations_with_replacement(range(9), wilds)
        )
        found = is_winning(given_wild, shapes_of("hangzhou"), 20)
        assert found == (plain or _needs_more_suits(counts))
        assert found == (20 in winning_wilds(given_wild, shapes_of("hangzhou")))


def _needs_more_suits(counts: list[int]) -> bool:
    """Three wilds may also be a set of another suit beside the rest, or two of them its pair."""
    return any(
        is_winning([n + (k in (27,)) * 3 for k, n in enumerate(counts)], shapes_of("hangzhou"))
        or is_winning([n + 2 * (k == 27) + (k == more) for k, n in enumerate(counts)], shapes_of("hangzhou"))
        for more in range(9)
    )


@settings(max_examples=60)
@given(st.lists(st.lists(st.floats(0, 3), min_size=47, max_size=47), min_size=3, max_size=3))
def test_the_cheapest_meld_is_the_cheapest_of_all_sets(costs: list[list[float]]) -> None:
    found = meld_readings(costs, limit=100.0)
    sets = [(k, k, k) for k in range(KINDS)]
    sets += [run for k in range(27) if k % 9 < 7 for run in product((k, k + 1, k + 2), repeat=3) if len(set(run)) == 3]
    best = min(sum(c[k] for c, k in zip(costs, kinds, strict=True)) for kinds in sets)
    assert found[0].cost == pytest.approx(min(best, sum(min(c[:KINDS]) for c in costs) + 100))


def test_every_rule_system_of_the_core_has_its_shapes_here() -> None:
    for name, system in systems().items():
        assert shapes_of(name).bonus == system.bonus_letters
        assert shapes_of(name).reds == system.red_fives
    assert set(ANY.bonus) == {t.suit for t in PLAIN if t.is_bonus}
