"""A photo's reading corrected by the flags: the hand to score, and the doubts that are still open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from hupai.recognise import no_hand
from hupai.terminal.flags import NO_MELDS, Flags
from hupai.terminal.words import tile_of, tiles_of
from scoring.errors import Fault, InvalidRequest
from scoring.seats import SEATS, Seat
from scoring.tiles import Tile, parse_tiles, tile

if TYPE_CHECKING:
    from vision.reading import Doubt, Reading

NOT_OF_THE_HAND: Final = "none"
"""``--tile 5=none``: that tile is not part of the hand."""

THE_HAND: Final = "hand"
"""``--tile hand=none``: of two hands that lie open, the other one is meant."""

NOT_SEEN: Final = "new"
"""``--tile new=7p``: a concealed tile that the photo does not show."""

_TILE = "--tile {tile}=TILE"
ANSWERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("low_confidence", "close_second", "near_win", "face_down_tile", "strange_tile"), _TILE),
    **dict.fromkeys(("five_of_a_kind", "bonus_not_in_play", "unknown_face"), _TILE),
    **dict.fromkeys(("winning_tile_unknown", "one_tile_short"), "--winning TILE"),
    **dict.fromkeys(("too_few_tiles", "left_out", "no_hand"), "--hand TILES"),
    **{
        "too_many_tiles": "--tile 5m=none, or --meld",
        "no_win": "--tile 5m=6m",
        "indicator_unknown": "--indicator TILE",
        "two_hands": f"--tile {THE_HAND}={NOT_OF_THE_HAND}",
    },
    **dict.fromkeys(("kong_kind_unknown", "hidden_kong"), "--meld kong_concealed:TILES"),
    **{"hidden_red_five": "--meld kong_concealed:0555m", "unreadable_meld": "--meld TILES"},
    "melds_unclear": "--meld TILES, or --meld none",
}
"""Doubt -> the flag that answers it."""

_ABOUT_MELDS: Final = frozenset({"hidden_kong", "unreadable_meld", "melds_unclear"})
_ABOUT_KONGS: Final = frozenset({"kong_kind_unknown", "hidden_red_five"})
_ABOUT_COUNT: Final = frozenset({"one_tile_short", "too_few_tiles", "too_many_tiles"})
_ABOUT_TILES: Final = frozenset(code for code, flag in ANSWERS.items() if flag == _TILE) | {
    "no_win",
    "left_out",
    "no_hand",
    "two_hands",
}


def answer_to(doubt: Doubt, hand: Mapping[str, Any]) -> str:
    """Return the flag that answers a doubt about a hand (contract form), as it is typed."""
    if doubt.code == "one_tile_short" and hand["winning_tile"]:
        return f"--tile {NOT_SEEN}=TILE"
    return ANSWERS[doubt.code].format(tile=doubt.tile)


@dataclass(frozen=True, slots=True)
class Mended:
    """A reading corrected by the flags.

    Attributes:
        reading: laid out and decoded again if tiles or the indicator were given.
        hand: to be scored, in contract form. dora: the indicators in the photo.
        doubts: those that no flag answers. sets: number of sets in a hand beside its pair.
    """

    reading: Reading
    hand: dict[str, Any]
    dora: list[str]
    doubts: tuple[Doubt, ...]
    sets: int = 4

    @property
    def whole(self) -> bool:
        """Whether there are as many tiles as a winning hand has."""
        return _is_whole(self.hand, self.sets)


def mended(seen: Reading, flags: Flags) -> Mended:
    """Return the hand of a photo, corrected by the flags.

    Raises:
        HupaiError: no hand can be made out, and none was typed.
        InvalidRequest: invalid tiles or melds.
    """
    known, added = corrected_tiles(seen, flags.tiles, flags.named_rules)
    indicator = _indicator(flags)
    reading = seen
    if known or indicator is not None:
        from vision.hand.corrected import corrected

        reading = corrected(seen, known, rules=flags.named_rules, indicator=indicator)
    if reading.hand is None and flags.hand is None:
        raise no_hand(reading)
    from vision.reading import SeenHand

    hand = reading.hand or SeenHand()
    sets = flags.system.shapes.sets if flags.system else 4
    seat = flags.context.get("seat")
    tiles = (hand.seated(Seat(seat)) if seat in SEATS else hand).to_json()
    dora = tiles.pop("dora_indicators")
    if any(text.strip().lower() == NO_MELDS for text in flags.melds):
        tiles["concealed"] += [code for meld in tiles["melds"] for code in meld["tiles"]]
        tiles["melds"] = []
    assumed = any(d.code == "winning_tile_unknown" for d in reading.doubts)
    _lay_all_down(tiles, flags.given_melds(), assumed=assumed)
    tiles["concealed"] += added
    if flags.hand is not None:
        tiles["concealed"] = [t.code for t in parse_tiles(tiles_of(flags.hand))]
    if flags.winning is not None:
        won = tile(tile_of(flags.winning))
        if flags.hand is not None:
            tiles["winning_tile"] = won.code
        else:
            _win_with(tiles, won, sets)
    if flags.bonus is not None:
        tiles["bonus"] = [t.code for t in parse_tiles(tiles_of(flags.bonus))]
    if flags.melds and flags.hand is None:
        reading = _asking_again(reading, tiles)
    whole = _is_whole(tiles, sets)
    left = tuple(d for d in reading.doubts if not _is_answered(d, flags, tiles, known, reading, whole))
    return Mended(reading, tiles, dora, left, sets)


def corrected_tiles(
    reading: Reading, given: tuple[str, ...], rules: str | None
) -> tuple[dict[int, Tile | None], list[str]]:
    """Return the corrected tiles: ``5=7m`` by number, ``6m=7m`` by what was read if only one tile of the hand was.

    Args:
        reading: of the photo. given: as typed. rules: as for the reading.

    Returns:
        Number -> tile, None if it is not part of the hand; and the concealed tiles that the photo does not show.

    Raises:
        InvalidRequest: no such tile, or several with this reading.
    """
    found: dict[int, Tile | None] = {}
    added: list[str] = []
    if any(_is_other_hand(text) for text in given):
        from vision.hand.corrected import corrected, held_tiles

        found |= dict.fromkeys(held_tiles(reading))
        reading = corrected(reading, found, rules=rules)  # "6m=7m" is about the hand that is meant
    for text in given:
        which, equals, what = (part.strip() for part in text.partition("="))
        if not equals or not what:
            raise _bad_tile(f"--tile is NUMBER=TILE or READ=TILE, such as 5=7m or 6m=7m, not {text!r:.40}.")
        if which.lower() == NOT_SEEN:
            added.append(tile(tile_of(what)).code)
            continue
        if _is_other_hand(text):
            continue
        found[_number(reading, which)] = None if what.lower() == NOT_OF_THE_HAND else tile(tile_of(what))
    return found, added


def _is_other_hand(text: str) -> bool:
    """Whether a ``--tile`` says that of two hands the other one is meant."""
    which, _, what = (part.strip().lower() for part in text.partition("="))
    return which == THE_HAND and what == NOT_OF_THE_HAND


def _number(reading: Reading, which: str) -> int:
    if which.isascii() and which.isdigit() and len(which) < 5:
        if int(which) >= len(reading.tiles):
            raise _bad_tile(f"--tile {which}: the photo's tiles have the numbers 0 to {len(reading.tiles) - 1}.")
        return int(which)
    from vision.reading import Role

    wanted = tile(tile_of(which))
    used = {r.tile: r.used for r in reading.repairs}
    inside = [i for i, role in enumerate(reading.roles) if role is not Role.OTHER] or range(len(reading.tiles))
    same = [i for i in inside if used.get(i, reading.tiles[i].tile) is wanted]
    if len(same) == 1:
        return same[0]
    if not same:
        raise _bad_tile(f"--tile {which}: no tile of the hand was read as {wanted}.")
    numbers = ", ".join(map(str, sorted(same, key=lambda i: float(reading.tiles[i].centre[0]))))
    raise _bad_tile(f"--tile {which}: {len(same)} tiles were read as {wanted}, from left to right number {numbers}.")


def _bad_tile(message: str) -> InvalidRequest:
    return InvalidRequest.of([Fault("bad_tile", message, "tile")])


def _indicator(flags: Flags) -> Tile | None:
    given = flags.context.get("indicator")
    if given is None or flags.system is None or "indicator" not in flags.system.reads:
        return None
    return tile("5z" if given == "permanent" else given)


def _is_whole(hand: Mapping[str, Any], sets: int) -> bool:
    return hand["winning_tile"] is not None and len(hand["concealed"]) == _wanted(hand, sets)


def _wanted(hand: Mapping[str, Any], sets: int) -> int:
    """Return the number of concealed tiles beside the winning one."""
    return 3 * (sets - len(hand["melds"])) + 1


def _kinds(codes: list[str]) -> Counter[int]:
    return Counter(tile(code).kind for code in codes)


def _lay_all_down(hand: dict[str, Any], melds: Sequence[dict[str, Any]], *, assumed: bool) -> None:
    """Add melds to the hand; ``assumed``: nothing shows which tile won, so that one may be of a meld, too."""
    won = hand["winning_tile"] if assumed and melds else None
    if won is not None:
        hand["concealed"].append(won)
    for meld in melds:
        _lay_down(hand, meld)
    if won is not None and hand["concealed"]:
        hand["winning_tile"] = hand["concealed"].pop()


def _lay_down(hand: dict[str, Any], meld: dict[str, Any]) -> None:
    """Add a meld to the hand: in place of one seen with the same tiles, else from the concealed ones."""
    wanted = _kinds(meld["tiles"])
    for i, seen in enumerate(hand["melds"]):
        if set(_kinds(seen["tiles"])) == set(wanted):
            source = meld["from"] or (None if meld["type"] == "kong_concealed" else seen["from"])
            hand["melds"][i] = {**meld, "from": source}
            return
    there = wanted & _kinds(hand["concealed"])
    if there == wanted or (meld["type"].startswith("kong") and there.total() >= 3):  # one of a kong may lie hidden
        for code in meld["tiles"]:
            _take(hand["concealed"], tile(code))
    hand["melds"].append(meld)


def _asking_again(reading: Reading, hand: Mapping[str, Any]) -> Reading:
    """Return the reading with its question which tile won about the tiles that are no meld's now."""
    open_tiles = [*hand["concealed"], hand["winning_tile"]]
    asked = next((d for d in reading.doubts if d.code == "winning_tile_unknown"), None)
    if asked is None or hand["winning_tile"] is None or set(asked.answers) <= set(open_tiles):
        return reading
    from vision.hand.doubts import winning_tile
    from vision.reading import Role

    won = tile(hand["winning_tile"])
    used = {r.tile: r.used for r in reading.repairs}
    row = [i for i, role in enumerate(reading.roles) if role in (Role.CONCEALED, Role.WINNING)]
    at = next((i for i in row if used.get(i, reading.tiles[i].tile) is won), None)
    question = winning_tile(at, won, [tile(code) for code in reversed(hand["concealed"])])
    return replace(reading, doubts=tuple(question if d is asked else d for d in reading.doubts))


def _take(codes: list[str], wanted: Tile) -> bool:
    """Remove a tile from a list: this one, or else one of its kind (a five for a red five)."""
    for i in sorted(range(len(codes)), key=lambda i: codes[i] != wanted.code):
        if tile(codes[i]).kind == wanted.kind:
            del codes[i]
            return True
    return False


def _win_with(hand: dict[str, Any], won: Tile, sets: int) -> None:
    """Set the winning tile: the missing one, another of the hand, or a correction of the one seen."""
    seen = hand["winning_tile"]
    if seen == won.code:
        return
    missing = len(hand["concealed"]) + (seen is not None) == _wanted(hand, sets)
    if (missing or _take(hand["concealed"], won)) and seen is not None:
        hand["concealed"].append(seen)
    hand["winning_tile"] = won.code


def _is_answered(
    doubt: Doubt, flags: Flags, hand: Mapping[str, Any], known: Mapping[int, Tile | None], reading: Reading, whole: bool
) -> bool:
    """Whether a flag answers a doubt."""
    code = doubt.code
    if code in _ABOUT_COUNT:
        return whole
    if code in _ABOUT_MELDS:
        return bool(flags.melds)
    if code in _ABOUT_KONGS and doubt.tile is not None:
        kind = reading.tiles[doubt.tile].tile.kind
        return any(kind in _kinds(meld["tiles"]) for meld in flags.given_melds())
    by_flag = {"winning_tile_unknown": flags.winning, "bonus_not_in_play": flags.bonus}
    if code == "indicator_unknown":
        return "indicator" in flags.context
    if by_flag.get(code) is not None or doubt.tile in known:
        return True
    return code in _ABOUT_TILES and flags.hand is not None
