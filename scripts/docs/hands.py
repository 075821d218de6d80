"""An example hand for every element of a rule system, and hands as rows of tile pictures.

The examples are the worked hands of tests/golden/, the plainest that has the element; where none has it, one of ours.

    python -m scripts.docs.hands           # write them for the printed sheets, which cannot use the golden hands
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from hupai.printed.hands import groups_of
from scoring.request import respond
from scoring.rules import systems
from scoring.system import RuleSystem
from scoring.tiles import Tile

ROOT: Final = Path(__file__).resolve().parents[2]
GOLDEN: Final = ROOT / "tests" / "golden"
FILE: Final = ROOT / "hupai" / "printed" / "hands.json"

_TALL: Final = 28
"""Height of a tile's picture in a table, pixels."""


def _hand(concealed: str, winning: str | None, *melds: str, bonus: str = "", **more: Any) -> dict[str, Any]:
    context = {"seat": "S", "win": "self_draw", **more.pop("context", {})}
    return {
        "concealed": concealed,
        "winning_tile": winning,
        "melds": [{"type": m.split()[0], "tiles": m.split()[1], "from": None} for m in melds],
        "bonus": bonus,
        "context": context,
        **more,
    }


_HONOURS: Final = ("pung 111z", "pung 333z", "pung 777z")
_ENDS: Final = ("pung 111m", "pung 999p", "pung 111s", "pung 999m")
_KONGS: Final = ("kong_open 1111m", "kong_open 9999p", "kong_open 3333s", "kong_open 7777p")
_FIRST: Final = {"win": "discard", "from": "E"}

OURS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "hongkong": {
        "all_kongs": _hand("8m", "8m", *_KONGS),
        "green_dragon": _hand("234m567p67s99p", "5s", "pung 666z"),
        "all_seasons": _hand("123m456m345p78s22p", "9s", bonus="g1g2g3g4"),
    },
    "zungjung": {
        "big_three_winds": _hand("23m99p", "4m", "pung 111z", "pung 222z", "pung 333z"),
        "big_four_winds": _hand("9p", "9p", "pung 111z", "pung 222z", "pung 333z", "pung 444z"),
        "two_kongs": _hand("23m88p678s", "4m", "kong_open 1111m", "kong_open 9999p"),
        "three_consecutive_triplets": _hand("23p99s", "4p", "pung 333m", "pung 444m", "pung 555m"),
        "pure_greater_terminals": _hand("9s", "9s", *_ENDS),
        "final_discard": _hand(
            "234m567p67s99p", "5s", "pung 222z", context={"win": "discard", "from": "W", "last_tile": True}
        ),
        "chicken_hand": _hand("67s99p", "5s", "chow 123m", "chow 456p", "pung 888m", options={"minimum": 0}),
    },
    "hangzhou": {
        "ten_honours": _hand(
            "123m456m345p78s22p", None, context={"honours": 10, "indicator": "1m"}, options={"ten_honours": "own_tile"}
        ),
    },
    "singapore": {
        "double_kong": _hand("23m88p678s", "4m", *_KONGS[:2], context={"replacement": True, "double_kong": True}),
        "earthly_hand": _hand("123m456p789s222z5z", "5z", context={**_FIRST, "earthly": True}),
        "humanly_hand": _hand("123m456p789s222z5z", "5z", context={"win": "discard", "from": "W", "humanly": True}),
        "seven_pairs": _hand("1133m5577p2244s7z", "7z", options={"seven_pairs": True}),
        "all_honours": _hand("555z6z", "6z", *_HONOURS),
        "all_terminals": _hand("9s", "9s", *_ENDS),
        "all_green": _hand("23s666z88s", "4s", "pung 222s", "pung 666s"),
        "all_kongs": _hand("8m", "8m", *_KONGS),
    },
    "riichi": {
        "round_wind": _hand("234m567p67s99p", "5s", "pung 111z"),
        "houtei": _hand("234m567m234p67s88s", "5s", context={"win": "discard", "from": "W", "last_tile": True}),
        "sanshoku_doukou": _hand("333s67s99p", "5s", "pung 333m", "pung 333p"),
        "renhou": _hand(
            *("234m567m234p67s88s", "5s"),
            context={"win": "discard", "from": "W", "humanly": True},
            options={"renhou": "yakuman"},
        ),
        "chinroutou": _hand("9s", "9s", *_ENDS),
        "suukantsu": _hand("8m", "8m", *_KONGS),
        "chiihou": _hand("234m567m234p67s88s", "5s", context={"earthly": True}),
    },
}


def example_of(system: RuleSystem[Any], element: str, worked: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A request whose hand scores the element: the worked hand with the fewest other elements, or one of our own.

    Raises:
        ValueError: our own hand does not score it.
    """
    having = [w for w in worked if w["expected"]["legal"] and element in (w["expected"]["elements"] or {})]
    if having:
        best = min(having, key=lambda w: (len(w["expected"]["elements"]), len(w["request"].get("options") or {})))
        found: dict[str, Any] = best["request"]
        return found
    ours = OURS.get(system.id, {}).get(element)
    if ours is None:
        return None
    request = {"rules": system.id, **ours}
    answer = respond(request)
    if element not in {line["id"] for line in answer.get("elements", ())}:
        raise ValueError(f"{system.id}: our hand for {element} does not score it: {answer}")
    return request


def pictured(request: dict[str, Any]) -> str:
    """The hand as pictures: concealed tiles, melds, the winning tile, bonus tiles."""
    return " &nbsp; ".join("".join(map(_picture, group)) for group in groups_of(request))


def worked_hands(system: RuleSystem[Any]) -> list[dict[str, Any]]:
    """The golden hands of a system; none for one that has no file of them."""
    golden = GOLDEN / f"{system.id}.json"
    found: list[dict[str, Any]] = json.loads(golden.read_text(encoding="utf-8")) if golden.exists() else []
    return found


def listed() -> str:
    """Rules -> element -> its example hand, as JSON, an element a line."""
    rules = []
    for system in systems().values():
        worked = worked_hands(system)
        found = ((e.id, example_of(system, e.id, worked)) for e in system.elements)
        lines = [f"    {json.dumps(id_)}: {json.dumps(hand)}" for id_, hand in found if hand is not None]
        rules.append("  " + json.dumps(system.id) + ": {\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(rules) + "\n}\n"


def _picture(t: Tile) -> str:
    return f'<img src="../img/tile/{t.code}.png" alt="{t.code}" height="{_TALL}">'


if __name__ == "__main__":
    FILE.write_text(listed(), encoding="utf-8")
