"""Results told without tiles: who pays is what the same count pays with tiles."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.request import respond


def tell(rules: str, result: Any, *, options: dict[str, Any] | None = None, **context: Any) -> dict[str, Any]:
    said = {"seat": "S", "win": "discard", "from": "W", **context}
    return respond({"rules": rules, "options": options or {}, "result": result, "context": said})


# Hands whose count is known: what they are paid, the count told alone is paid as well.
HANDS = {
    "hongkong": {"concealed": "123m456m789m123p5z", "winning_tile": "5z"},
    "singapore": {"concealed": "111m222m333m444m5m", "winning_tile": "5m"},
    "zungjung": {"concealed": "111m222m333m444m5m", "winning_tile": "5m"},
    "hangzhou": {"concealed": "1122m3344p5566s7z", "winning_tile": "7z"},
    "riichi": {"concealed": "234m567p22p345s67s", "winning_tile": "8s"},
    "mcr": {"concealed": "111m222m333m444m5m", "winning_tile": "5m"},
    "taiwanese": {"concealed": "111m222m333m444m777p5m", "winning_tile": "5m"},
}


@pytest.mark.parametrize("rules", HANDS)
@pytest.mark.parametrize("win", ["self_draw", "discard"])
@pytest.mark.parametrize("seat", ["E", "S"])
def test_a_count_pays_what_its_hand_pays(rules: str, win: str, seat: str) -> None:
    context: dict[str, Any] = {"seat": seat, "win": win, **({"from": "W"} if win == "discard" else {})}
    options = {"min_faan": 0} if rules == "hongkong" else {}
    more: dict[str, Any] = {}
    if rules == "hangzhou":
        more = {"indicator": "permanent", "banker": seat, "streak": 3}
    if rules == "riichi":
        more = {"riichi": True}
    hand = respond({"rules": rules, "options": options, **HANDS[rules], "context": {**context, **more}})
    assert hand["legal"], hand
    total = hand["total"]
    if total.get("yakuman"):
        result = {"yakuman": total["yakuman"]}
    else:
        result = {"value": total["value" if rules == "zungjung" else "uncapped"]}  # a listed limit counts alone there
        if total.get("fu") and total["value"] < 5:
            result["fu"] = total["fu"]
    counted = respond({"rules": rules, "options": options, "result": result, "context": {**context, **more}})
    assert counted["payments"] == hand["payments"]
    assert (counted["total"]["unit"], counted["total"]["value"]) == (total["unit"], total["value"])
    assert counted["total"].get("points") == total.get("points")
    assert (counted["elements"], counted["arrangement"]) == ([], [])


def test_yakuman_and_who_is_liable_for_one() -> None:
    assert tell("riichi", {"yakuman": 2})["payments"]["S"] == 64000
    liable = tell("riichi", {"yakuman": 1}, liable={"seat": "N", "kind": "daisangen"})
    assert (liable["payments"]["W"], liable["payments"]["N"]) == (-16000, -16000)


def test_whose_tile_it_was_may_be_unknown() -> None:
    answer = tell("hongkong", {"value": 5}, **{"from": None})
    assert answer["payments"] is None
    assert answer["payments_if_from"]["N"] == tell("hongkong", {"value": 5}, **{"from": "N"})["payments"]


def test_house_rules_hold() -> None:
    refused = tell("hongkong", {"value": 2}, options={"min_faan": 3})
    assert (refused["legal"], refused["reason"]["code"]) == (False, "below_minimum")
    assert tell("hongkong", {"value": 40}, options={"max_faan": 8})["total"]["value"] == 8
    assert tell("singapore", {"value": 40}, options={"limit": 5})["total"]["value"] == 5
    nobody = tell("hangzhou", {"value": 4}, banker="E", streak=1)
    assert nobody["reason"]["code"] == "claim_needs_streak"


@pytest.mark.parametrize(
    ("rules", "result", "field"),
    [
        ("hongkong", {}, "result.value"),
        ("hongkong", {"value": -1}, "result.value"),
        ("hongkong", {"value": True}, "result.value"),
        ("hongkong", {"value": "5"}, "result.value"),
        ("hongkong", {"value": 10**7}, "result.value"),
        ("hongkong", {"value": 5, "fu": 30}, "result.value"),
        ("hongkong", {"value": 5, "han": 3}, "result"),
        ("hongkong", 5, "result"),
        ("mcr", {"yakuman": 1}, "result.value"),
        ("hangzhou", {"value": 6}, "result.value"),
        ("hangzhou", {"value": 0}, "result.value"),
        ("riichi", {"value": 3}, "result.fu"),
        ("riichi", {"value": 3, "fu": 35}, "result.fu"),
        ("riichi", {"value": 3, "fu": 20}, "result.fu"),
        ("riichi", {"value": 1, "fu": 25}, "result.fu"),
        ("riichi", {"value": 0}, "result.value"),
        ("riichi", {"yakuman": 9}, "result.yakuman"),
        ("riichi", {"value": 3, "yakuman": 1}, "result.value"),
    ],
)
def test_what_cannot_be_is_refused(rules: str, result: Any, field: str) -> None:
    answer = tell(rules, result)
    assert answer["error"]["field"] == field


def test_a_result_has_no_tiles() -> None:
    answer = respond(
        {
            "rules": "hongkong",
            "result": {"value": 5},
            "concealed": "123m",
            "winning_tile": "4m",
            "context": {"seat": "S", "win": "self_draw"},
        }
    )
    told = [fault for fault in answer["error"]["faults"] if "instead of tiles" in fault]
    assert [fault.split("leave ")[1] for fault in told] == ["concealed out.", "winning_tile out."]


@pytest.mark.parametrize(("streak", "least"), [(1, 1), (2, 3), (3, 5)])
def test_a_taiwanese_dealers_own_tai_are_among_those_told(streak: int, least: int) -> None:
    told = {"seat": "E", "win": "self_draw", "from": None, "streak": streak}
    refused = tell("taiwanese", {"value": least - 1}, **told)
    assert refused["error"]["message"] == f"The least there is is {least}, not {least - 1}."
    assert tell("taiwanese", {"value": least}, **told)["payments"]["S"] == -30 - 10 * least


@pytest.mark.parametrize(
    ("points", "limit", "paid"),
    [(315, 320, 315), (330, 320, 320), (400, 320, 400), (150, 100, 100), (330, "none", 330)],
)
def test_more_points_of_zung_jung_than_the_limit_count_as_the_limit(points: int, limit: object, paid: int) -> None:
    """The text: patterns that add up to 320 or more score 320; one listed at 320 or more scores what is listed."""
    answer = tell("zungjung", {"value": points}, options={"limit": limit}, win="self_draw", **{"from": None})
    assert answer["payments"]["S"] == 3 * paid


def test_what_a_robbed_kong_counts_in_zung_jung_is_among_the_points() -> None:
    refused = tell("zungjung", {"value": 5}, win="robbed_kong")
    assert refused["error"]["message"] == "The least there is is 10, not 5."
    assert tell("zungjung", {"value": 10}, win="robbed_kong")["payments"]["S"] == 30


@pytest.mark.parametrize(
    ("rules", "kind", "how", "why"),
    [
        ("hongkong", "twelve_piece", "discard", "it is paid on a self-drawn win only."),
        ("hongkong", "nine_piece", "self_draw", "it is paid on a discard."),
        ("hongkong", "fifth_tile", "robbed_kong", "it is about the winning discard, so win must be discard."),
        ("hongkong", "robbed_kong", "discard", "win must be robbed_kong."),
        ("singapore", "fresh_tile", "self_draw", "it is about the winning discard, so win must be discard."),
        ("singapore", "robbed_kong", "discard", "win must be robbed_kong, without flower_win."),
        ("singapore", "limit_honour", "discard", "the hand has 4 tai, the limit is 5."),
    ],
)
def test_who_is_liable_for_a_count_fits_how_it_was_won(rules: str, kind: str, how: str, why: str) -> None:
    source = None if how == "self_draw" else "W"
    told = tell(rules, {"value": 4}, win=how, **{"from": source}, liable={"seat": "W", "kind": kind})
    assert told["error"]["message"] == f"{kind}: {why}"
    assert told["error"]["field"] == "context.liable"


@pytest.mark.parametrize(
    ("rules", "kind", "how", "paid"),
    [
        ("hongkong", "twelve_piece", "self_draw", 256),
        ("hongkong", "nine_piece", "discard", 160),
        ("singapore", "third_dragon", "self_draw", 96),
        ("singapore", "fourth_suit_set", "discard", 64),
        ("singapore", "limit_honour", "discard", 64),
    ],
)
def test_who_is_liable_for_a_count_pays_for_all(rules: str, kind: str, how: str, paid: int) -> None:
    source = None if how == "self_draw" else "W"
    told = tell(rules, {"value": 7}, win=how, **{"from": source}, liable={"seat": "W", "kind": kind})
    assert told["payments"] == {"E": 0, "S": paid, "W": -paid, "N": 0, "pot": 0}


@pytest.mark.parametrize(
    ("yakuman", "kind", "options", "whole"),
    [
        (1, "daisangen", {}, 32000),
        (2, "daisangen", {}, 32000),  # the other one is paid as usual
        (3, "daisuushii", {}, 64000),
        (3, "daisuushii", {"double_yakuman": False}, 32000),
        (2, "suukantsu", {"pao_suukantsu": True}, 32000),
    ],
)
def test_of_several_yakuman_told_only_the_one_fed_is_paid_by_who_is_liable(
    yakuman: int, kind: str, options: dict[str, Any], whole: int
) -> None:
    liable = {"seat": "N", "kind": kind}
    drawn = tell("riichi", {"yakuman": yakuman}, options=options, win="self_draw", **{"from": None}, liable=liable)
    rest = (32000 * yakuman - whole) // 4
    assert drawn["payments"] == {"E": -2 * rest, "S": 32000 * yakuman, "W": -rest, "N": -whole - rest, "pot": 0}
    other = tell("riichi", {"yakuman": yakuman}, options=options, liable=liable)
    assert (other["payments"]["N"], other["payments"]["W"]) == (-whole // 2, -whole // 2 - 4 * rest)


@pytest.mark.parametrize(
    ("result", "kind", "message"),
    [
        ({"yakuman": 1}, "suukantsu", "liable.kind is one of daisangen, daisuushii, not 'suukantsu'"),
        ({"yakuman": 1}, "nonsense", "liable.kind is one of daisangen, daisuushii; not 'nonsense'."),
        ({"value": 5}, "daisangen", "daisangen: a player is liable for a yakuman, but none is given."),
    ],
)
def test_nobody_is_liable_for_what_was_not_won(result: dict[str, int], kind: str, message: str) -> None:
    told = tell("riichi", result, liable={"seat": "N", "kind": kind})
    assert told["error"]["message"].startswith(message)
    assert told["error"]["field"] == "context.liable"


@pytest.mark.parametrize(
    ("result", "options", "win"),
    [
        ({"value": 2, "fu": 25}, {}, "self_draw"),  # seven pairs and the self-draw are 3 han
        ({"value": 2, "fu": 25}, {"chiitoi": "50fu1han"}, "discard"),
        ({"value": 3, "fu": 20}, {"pinfu_tsumo_fu": True}, "self_draw"),
        ({"yakuman": 2}, {"multiple_yakuman": False, "double_yakuman": False}, "discard"),
        ({"yakuman": 3}, {"multiple_yakuman": False}, "discard"),
    ],
)
def test_counts_that_no_hand_of_riichi_has_under_these_house_rules(
    result: dict[str, int], options: dict[str, Any], win: str
) -> None:
    source = None if win == "self_draw" else "W"
    refused = tell("riichi", result, options=options, win=win, **{"from": source})
    assert refused["error"]["field"] in ("result.fu", "result.yakuman")


@pytest.mark.parametrize(
    ("rules", "win", "context", "least"),
    [
        ("hongkong", "self_draw", {}, 1),  # the tables: 0 faan self-drawn are N/A, self-pick is 1 faan
        ("hongkong", "robbed_kong", {}, 1),
        ("hongkong", "discard", {}, 0),
        ("singapore", "robbed_kong", {}, 1),
        ("singapore", "discard", {}, 0),
        ("hangzhou", "robbed_kong", {"banker": "W", "streak": 3}, 2),
        ("hangzhou", "discard", {"banker": "W", "streak": 3}, 1),
        ("hangzhou", "self_draw", {"kong_streak": 2}, 4),
    ],
)
def test_what_the_way_of_winning_counts_is_in_the_count(
    rules: str, win: str, context: dict[str, Any], least: int
) -> None:
    said = {"win": win, "from": None if win == "self_draw" else "W", **context}
    options = {"min": 0} if rules == "singapore" else {}
    assert tell(rules, {"value": least}, options=options, **said)["legal"]
    if least:
        refused = tell(rules, {"value": least // 2}, options=options, **said)
        assert refused["error"]["message"] == f"The least there is is {least}, not {least // 2}."


def test_who_kept_a_float_going_pays_the_doubles_after_it_for_a_count_too() -> None:
    """The text: he is solely liable for the doubles made after the discarding, three players pay those before."""
    said: dict[str, Any] = {"win": "self_draw", "from": None, "streak": 1, "floats": 2}
    liable = {"liable": {"seat": "W", "kind": "float"}, "doubles_after": 1}
    house = {"float_liability": True}
    paid = tell("hangzhou", {"value": 8}, options=house, **said, **liable)["payments"]
    assert paid == {"E": -8, "S": 32, "W": -4 - 16, "N": -4, "pot": 0}
    unsaid = tell("hangzhou", {"value": 8}, **said, **liable)
    assert unsaid["error"]["message"] == "Nobody is liable after a float here: set float_liability."
    too_little = tell("hangzhou", {"value": 4}, options=house, **said, **liable)
    assert too_little["error"]["message"] == "The least there is is 8, not 4."


def test_nobody_who_counted_a_win_was_fed_more_than_four_sets() -> None:
    said: dict[str, Any] = {"win": "self_draw", "from": None, "streak": 1}
    refused = tell("hangzhou", {"value": 1}, **said, fed={"W>S": 3, "N>S": 2})
    assert refused["error"]["message"] == "S has at most 4 open sets, but was fed 5."
    fed = tell("hangzhou", {"value": 1}, **said, fed={"W>S": 3, "N>S": 1})
    assert fed["payments"] == {"E": 0, "S": 4, "W": -4, "N": 0, "pot": 0}
