"""What presets of riichi pay where their published rules differ; each test names rules, edition and section."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from scoring.request import respond
from scoring.rules import preset_named
from tests.scoring import asking
from tests.scoring.asking import hand

DRAGONS = ("pung 555z N", "pung 666z N", "pung 777z W")
BIG_DRAGONS = hand("45m99p", "6m", *DRAGONS)
PINFU = hand("123m456m789p23s55p", "4s")
LIABLE = {"seat": "W", "kind": "daisangen"}
ask = partial(asking.ask, "riichi")


def answer(preset: str, tiles: Any, **how: Any) -> dict[str, Any]:
    asked = ask(tiles, **how)
    return dict(respond({**asked, "preset": preset}))


def test_the_discarder_alone_pays_the_counters_beside_a_liable_player() -> None:
    """EMA, Rules for Japanese Mahjong, 2016, 3.3.9: "only the discarder pays for any counters"."""
    how = {"seat": "S", "source": "N", "counters": 2, "liable": LIABLE}
    assert answer("ema", BIG_DRAGONS, **how)["payments"] == {"E": 0, "S": 32600, "W": -16000, "N": -16600, "pot": 0}
    assert answer("mahjongsoul", BIG_DRAGONS, **how)["payments"]["W"] == -16600
    drawn = answer("ema", BIG_DRAGONS, seat="S", win="self_draw", counters=2, liable=LIABLE)
    assert drawn["payments"] == {"E": 0, "S": 32600, "W": -32600, "N": 0, "pot": 0}


def test_liability_covers_every_yakuman_of_the_hand() -> None:
    """Tenhou's games, as RiichiEnv tells them (docs/RULES.md, composite yakuman); Mahjong Soul: its own alone."""
    drawn = {"seat": "N", "win": "self_draw", "liable": LIABLE}
    melds = hand("111z2z", "2z", "pung 555z S", "pung 666z S", "pung 777z W")
    assert answer("tenhou", melds, **drawn)["payments"] == {"E": 0, "S": 0, "W": -64000, "N": 64000, "pot": 0}
    own = answer("mahjongsoul", melds, **drawn)["payments"]
    assert own == {"E": -16000, "S": -8000, "W": -40000, "N": 64000, "pot": 0}
    claimed = {"seat": "N", "source": "S", "counters": 2, "liable": LIABLE}
    paid = answer("tenhou", melds, **claimed)["payments"]
    assert paid == {"E": 0, "S": -32000, "W": -32600, "N": 64600, "pot": 0}
    own = answer("mahjongsoul", melds, **claimed)["payments"]
    assert own == {"E": 0, "S": -48000, "W": -16600, "N": 64600, "pot": 0}


@pytest.mark.parametrize(
    ("preset", "open_"),
    [
        ("mahjongsoul", {"renhou"}),
        ("mahjongsoul-sanma", {"renhou"}),
        ("tenhou", {"renhou", "pao_suukantsu"}),
        ("tenhou-sanma", {"renhou", "pao_suukantsu", "abortive_draws"}),
    ],
)
def test_only_what_the_sources_do_not_settle_is_left_open(preset: str, open_: set[str]) -> None:
    """Of Mahjong Soul RiichiEnv says that nobody is liable for four kans; of Tenhou the sources disagree."""
    found = preset_named(preset)[1]
    assert (set(found.unsettled), found.options["kiriage"]) == (open_, False)
    kans = hand("1p", "1p", "kong_open 9999m W", "kong_open 8888s W", "kong_open 7777z E", "kong_open 6666z W")
    liable = answer(preset, kans, seat="S", win="self_draw", liable={"seat": "W", "kind": "suukantsu"})
    assert "pao_suukantsu" in liable["error"]["message"]


@pytest.mark.parametrize(("preset", "robs"), [("mahjongsoul", True), ("tenhou", False)])
def test_thirteen_orphans_rob_a_concealed_kan(preset: str, robs: bool) -> None:
    """RiichiEnv (docs/RULES.md, allows_ron_on_ankan_for_kokushi_musou): Mahjong Soul allows it, Tenhou does not."""
    how = {"win": "robbed_kong", "source": "E"}
    orphans = hand("119m19p19s123456z", "7z")
    response = answer(preset, orphans, robbed_concealed=True, **how)
    assert answer(preset, orphans, **how)["legal"]
    if not robs:
        assert response["error"]["field"] == "context.robbed_concealed"
        return
    assert response["legal"]
    chows = answer(preset, hand("234m567m345p67s88p", "8s"), robbed_concealed=True, **how)
    assert chows["error"]["message"] == "Only thirteen orphans rob a concealed kan."


@pytest.mark.parametrize(
    ("tiles", "seat", "points"),
    [
        (hand("111z555z666z777z2z", "2z"), "S", {"wrc": 32_000, "wrc-2022": 96_000}),  # each of them a single yakuman
        (hand("19m19p19s1234567z", "7z"), "S", {"wrc": 32_000, "wrc-2022": 32_000}),  # a wait for thirteen tiles
        (hand("234m567m111s34s11z", "5s"), "E", {"wrc": 2400, "wrc-2022": 2000}),  # 42 fu, or 40
    ],
)
def test_what_the_world_riichi_championship_changed_in_2022(tiles: Any, seat: str, points: dict[str, int]) -> None:
    """The summary of the rule changes of March 2022, as told by issue 29 of riichi-pointer-js."""
    for preset, paid in points.items():
        assert answer(preset, tiles, seat=seat, source="W", riichi=True)["total"]["points"] == paid


def test_renhou_is_cumulative() -> None:
    """World Riichi Championship, 2015, 6.5 (yaku are cumulative unless said otherwise), and the errata of 2014."""
    response = answer("wrc", PINFU, seat="S", source="W", humanly=True)
    assert {e["id"]: e["value"] for e in response["elements"]} == {"renhou": 5, "pinfu": 1}
    assert (response["total"]["value"], response["total"]["points"]) == (6, 12000)
    assert answer("ema", PINFU, seat="S", source="W", humanly=True)["total"]["points"] == 8000
    why = respond({**ask(PINFU, seat="S", source="W", humanly=True), "preset": "wrc", "why": True})["why"]
    assert why["not_counted"] == []
    assert "renhou" in preset_named("wrc")[1].unsettled
