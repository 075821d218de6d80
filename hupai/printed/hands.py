"""Example hands, one for each element that has one: its tiles as a picture, and what the element counts in a house.

Both files are generated: ``hands.json`` by ``scripts.docs.hands`` from the worked hands, ``tiles.png`` by
``scripts.docs.tiles``, with the tiles of ``scoring.tiles.TILES`` side by side.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from PIL import Image

from scoring.request import respond
from scoring.tiles import TILES, Tile, parse_tiles, tile

_HERE: Final = Path(__file__).parent
TILE: Final = (45, 60)
"""Width and height of a tile in ``tiles.png``, pixels."""
_GAP: Final = 10
"""Gap between the groups of a hand, pixels of ``tiles.png``."""
WHITE: Final = 255
_YAKUMAN: Final = {1: "yakuman", 2: "double yakuman"}


def example(system: str, element: str) -> dict[str, Any] | None:
    """Return a score request whose hand has the element; None if there is none."""
    return _listed().get(system, {}).get(element)


def groups_of(request: Mapping[str, Any]) -> tuple[tuple[Tile, ...], ...]:
    """Return the tiles of a hand as shown: concealed tiles, melds, the winning tile, bonus tiles."""
    melds = [_tiles(meld["tiles"]) for meld in request.get("melds") or ()]
    won = request.get("winning_tile")
    last = [(tile(won),) if won else (), _tiles(request.get("bonus") or "")]
    return tuple(group for group in (_tiles(request["concealed"]), *melds, *last) if group)


def counts_in(element: str, request: Mapping[str, Any], options: Mapping[str, Any]) -> str | None:
    """Return what an element counts once under house rules if that is not its usual value; else None.

    Args:
        request: an example hand that has it. options: house rules that differ from the defaults.
    """
    own = request.get("options") or {}
    usual, here = (_counted(element, {**request, "options": house}) for house in (own, {**own, **options}))
    return None if here == usual else here


def _counted(element: str, request: Mapping[str, Any]) -> str | None:
    answer = respond(request)
    for line in answer.get("elements") or ():
        if line["id"] == element:
            value = line["value"] // line["count"]
            return _YAKUMAN[value] if answer["total"].get("yakuman") else str(value)
    return None


def _tiles(given: str | list[str]) -> tuple[Tile, ...]:
    return parse_tiles(given) if isinstance(given, str) else tuple(tile(code) for code in given)


def picture(groups: tuple[tuple[Tile, ...], ...], most: tuple[int, int]) -> Image.Image:
    """Draw tiles side by side, with gaps between groups; greyscale (``L``) on white.

    Args:
        groups: at least one tile. most: maximum width and height, pixels.
    """
    wide, high = TILE
    whole = Image.new("L", (sum(map(len, groups)) * wide + (len(groups) - 1) * _GAP, high), WHITE)
    x = 0
    for group in groups:
        for one in group:
            whole.paste(_faces()[one.code], (x, 0))
            x += wide
        x += _GAP
    whole.thumbnail(most, Image.Resampling.LANCZOS)
    return whole


@cache
def _listed() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads((_HERE / "hands.json").read_text(encoding="utf-8"))
    return found


@cache
def _faces() -> dict[str, Image.Image]:
    """Code -> its picture."""
    wide, high = TILE
    strip = Image.open(_HERE / "tiles.png").convert("L")
    return {t.code: strip.crop((i * wide, 0, (i + 1) * wide, high)) for i, t in enumerate(TILES)}
