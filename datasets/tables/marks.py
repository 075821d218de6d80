"""Marking a reading of a laid table against the truth: roles, melds, winning tile, bonus tiles, indicators.

What a photo cannot show is not held against a reading that asks for it: the winning tile of a hand in one row, which of
two equal tiles won, a kong that lies wholly face-down, how an unturned kong was made, an indicator in a wall of which
hardly anything is in the frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from datasets.tables.hands import DealtHand
from datasets.tables.layouts import PlacedTile
from datasets.tables.views import View
from scoring.tiles import BACK_KIND, Tile
from vision.hand.decoder import Decoded

OF_HAND = ("concealed", "meld", "winning", "bonus", "dora")
"""Roles that concern the hand; all others count as one."""
LEAST_WALL = 4
"""With fewer visible tiles, it stays open whether they are a wall."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is right. ``faults`` says in words what is wrong; ``asked`` holds the codes of the doubts."""

    roles: bool
    hand: bool
    faults: tuple[str, ...]
    asked: frozenset[str]

    @property
    def right(self) -> bool:
        """Whether hand and roles are all right."""
        return self.roles and self.hand


def mark_reading(dealt: DealtHand, seen: View, decoded: Decoded) -> Marks:
    """Compare a decoded hand with what was laid."""
    asked = frozenset(doubt.code for doubt in decoded.doubts)
    roles = list(_role_faults(dealt, seen.placed, decoded, asked))
    hand = list(_hand_faults(dealt, seen.placed, decoded, asked))
    return Marks(not roles, not hand, (*roles, *hand), asked)


def _role_faults(
    dealt: DealtHand, placed: tuple[PlacedTile, ...], decoded: Decoded, asked: frozenset[str]
) -> Iterable[str]:
    wall = [p for p in placed if p.group == 30]
    lone = [p.tile for p in placed if p.role in ("concealed", "winning")]
    either = "winning_tile_unknown" in asked or (len(lone) == 2 and lone[0] is lone[1])
    for p, role in zip(placed, decoded.roles, strict=True):
        mine = p.role if p.role in OF_HAND else "other"
        pair = {mine, role.value}
        if mine == role.value or (either and pair == {"concealed", "winning"}):
            continue
        if pair == {"dora", "other"} and len(wall) < LEAST_WALL:
            continue
        yield f"{p.tile} is {p.role}, not {role.value}"
    groups: dict[int, set[int]] = {}
    for i, p in enumerate(placed):
        if p.role == "meld":
            groups.setdefault(p.group, set()).add(i)
    found: dict[int, set[int]] = {}
    for i, (group, role) in enumerate(zip(decoded.groups, decoded.roles, strict=True)):
        if role.value == "meld":
            found.setdefault(group, set()).add(i)
    if sorted(map(sorted, groups.values())) != sorted(map(sorted, found.values())):
        yield "melds are grouped otherwise"


def _hand_faults(
    dealt: DealtHand, placed: tuple[PlacedTile, ...], decoded: Decoded, asked: frozenset[str]
) -> Iterable[str]:
    hand = decoded.hand
    if hand is None:
        yield "no hand"
        return
    won = (dealt.winning,) if dealt.winning else ()
    read = (hand.winning_tile,) if hand.winning_tile else ()
    if _count_tiles(hand.concealed + read) != _count_tiles(dealt.concealed + won):
        yield "concealed tiles differ"
    elif "winning_tile_unknown" not in asked and hand.winning_tile is not dealt.winning:
        yield f"{hand.winning_tile} did not win"
    hidden = _hidden_groups(placed)
    if hidden and "hidden_kong" not in asked:
        yield "a face-down kong is not asked about"
    shown = [m for n, m in enumerate(dealt.melds, 1) if n not in hidden]
    truth = sorted((sorted(t.code for t in m.tiles), m.type) for m in shown)
    melds = sorted((sorted(t.code for t in m.tiles), m.type.value) for m in hand.melds)
    if [m[0] for m in truth] != [m[0] for m in melds] and "hidden_red_five" not in asked:
        yield "melds differ"
    elif [m[1] for m in truth] != [m[1] for m in melds] and not asked & {"kong_kind_unknown", "hidden_red_five"}:
        yield "melds are of another type"
    if any(p.role == "meld" and p.angle % 180 > 45 and p.angle % 180 < 135 for p in placed):
        whose = sorted((sorted(t.code for t in m.tiles), m.relation or "") for m in shown)
        said = sorted(
            (sorted(t.code for t in m.tiles), r.value if r else "")
            for m, r in zip(hand.melds, hand.relations, strict=True)
        )
        if whose != said and "hidden_red_five" not in asked:
            yield "melds came from others"
    if _count_tiles(hand.bonus) != _count_tiles(dealt.bonus):
        yield "bonus tiles differ"
    wall = [p for p in placed if p.group == 30]
    in_view = [p.tile for p in wall if p.role == "dora"]
    if _count_tiles(hand.dora_indicators) != _count_tiles(in_view) and len(wall) >= LEAST_WALL:
        yield "indicators differ"


def _hidden_groups(placed: tuple[PlacedTile, ...]) -> set[int]:
    """Groups of melds that lie wholly face-down."""
    groups = {p.group for p in placed if p.role == "meld"}
    return {g for g in groups if all(p.tile.kind == BACK_KIND for p in placed if p.group == g and p.role == "meld")}


def _count_tiles(tiles: Iterable[Tile]) -> Counter[str]:
    return Counter(t.code for t in tiles)
