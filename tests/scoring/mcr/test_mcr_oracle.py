"""Mahjong Competition Rules agree with PyPI's PyMahjongGB on random hands; skipped where it is not installed.

``pip install PyMahjongGB==1.4.0`` compiles it, which takes a C++ compiler: hence it is not part of the extra ``dev``.
50,000 hands with HUPAI_FULL=1, else 2,000.
"""

import os
import random

import pytest

from scoring.request import respond
from tests.scoring.mcr.test_mcr_recount import deal

MahjongGB = pytest.importorskip("MahjongGB", reason="PyMahjongGB is not installed")
pytestmark = pytest.mark.slow

HANDS = 50_000 if os.environ.get("HUPAI_FULL") else 2000
TILES = {**{f"{n}{ours}": f"{theirs}{n}" for ours, theirs in zip("mps", "WBT", strict=True) for n in range(1, 10)}}
TILES |= {f"{n}z": f"F{n}" for n in range(1, 5)} | {"5z": "J3", "6z": "J2", "7z": "J1"}
CLAIMS = {"chow": "CHI", "pung": "PENG", "kong_open": "GANG", "kong_added": "GANG", "kong_concealed": "GANG"}


def ask_them(request):
    """Their points with flowers, None where the hand does not win; and whether it counts as a wait."""
    context = request["context"]
    packs = []
    for meld in request["melds"]:
        middle = sorted(meld["tiles"])[1]
        packs.append((CLAIMS[meld["type"]], TILES[middle], 0 if meld["type"] == "kong_concealed" else 1))
    drawn = context["win"] == "self_draw"
    open_ = [t for m in request["melds"] if m["type"] != "kong_concealed" for t in m["tiles"]]
    robbed = context["win"] == "robbed_kong"
    fourth = bool(context.get("last_of_kind")) or robbed or open_.count(request["winning_tile"]) == 3
    kong = bool(context.get("replacement") or context.get("double_kong") or robbed)
    flowers = len(request["bonus"]) if request["options"].get("flowers", True) else 0
    seat, round_ = ("ESWN".index(context[name]) for name in ("seat", "round"))
    try:
        fans = MahjongGB.MahjongFanCalculator(
            tuple(packs),
            tuple(TILES[t] for t in request["concealed"]),
            TILES[request["winning_tile"]],
            *(flowers, drawn, fourth, kong, bool(context.get("last_tile")), seat, round_, True),
        )
    except TypeError:
        return None
    return sum(points * count for points, count, *_ in fans)


def test_agrees_with_pymahjonggb():
    rng = random.Random("gb")
    compared = 0
    for _ in range(HANDS):
        request = deal(rng)
        request["options"] = {"flowers": request["options"].get("flowers", True), "min_points": 0}
        ours, theirs = respond(request), ask_them(request)
        if theirs is None:
            assert ours["reason"]["code"] == "not_a_winning_hand", (request, ours)
            continue
        compared += 1
        assert ours["total"]["value"] == theirs, (request, ours["elements"], theirs)
    assert compared > 0.8 * HANDS
