"""Flags beside a photo -> corrections of its reading; and the flag that answers a doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from hupai.terminal.flags import NO_MELDS, Flags
from scoring.errors import Fault, InvalidRequest
from scoring.fields.reader import FieldReader
from scoring.written import read_tile
from vision.hand.correction import (
    AddTile,
    Correction,
    DropMelds,
    DropTile,
    SetBonus,
    SetConcealed,
    SetIndicator,
    SetKita,
    SetMeld,
    SetTile,
    SetWinningTile,
    TakeOtherHand,
    apply_corrections,
    usual_correction,
)
from vision.layout.shapes import shapes_of
from vision.reading import Doubt, Reading, Role, SeenHand

NOT_OF_THE_HAND: Final = "none"
"""``--tile 5=none``: that tile is not part of the hand."""
THE_HAND: Final = "hand"
"""``--tile hand=none``: of two hands that lie open, the other one is meant; ``--tile 5=hand``: that north is of it."""
KITA: Final = "kita"
"""``--tile 5=kita``: that tile is a north set aside."""
NOT_SEEN: Final = "new"
"""``--tile new=7p``: a concealed tile that the photo does not show."""
KEEP_ASIDE: Final = "--keep-aside"
"""What was set aside is tiles, too."""
_FLAGS: Final[Mapping[type[Correction], str]] = {
    SetTile: "--tile {n}=TILE",
    DropTile: f"--tile {{n}}={NOT_OF_THE_HAND}",
    SetKita: f"--tile {{n}}={KITA}",
    TakeOtherHand: f"--tile {THE_HAND}={NOT_OF_THE_HAND}",
    AddTile: f"--tile {NOT_SEEN}=TILE",
    SetConcealed: "--hand TILES",
    SetWinningTile: "--winning TILE",
    SetMeld: f"--meld KIND:TILES, or --meld {NO_MELDS}",
    DropMelds: f"--meld {NO_MELDS}",
    SetBonus: "--bonus TILES",
    SetIndicator: "--indicator TILE",
}


def asks_to_keep(doubt: Doubt) -> bool:
    """Whether a doubt is settled by keeping what was set aside."""
    return doubt.code == "set_aside" and bool(doubt.answers)


def flag_for(doubt: Doubt, hand: SeenHand | None) -> str:
    """Return the flag that usually answers a doubt about a hand, as it is typed."""
    if asks_to_keep(doubt):
        return KEEP_ASIDE
    return _FLAGS[usual_correction(doubt, hand)].format(n="READ" if doubt.tile is None else doubt.tile)


def questions(doubts: Iterable[Doubt], hand: SeenHand | None) -> list[tuple[Doubt, str]]:
    """Return doubts about a hand with their flags; what is asked alike of several sets, and answered at once, once."""
    asked: dict[tuple[str, str], Doubt] = {}
    for doubt in doubts:
        asked.setdefault((doubt.message, flag_for(doubt, hand)), doubt)
    return [(doubt, flag) for (_, flag), doubt in asked.items()]


def parse_corrections(flags: Flags) -> tuple[Correction, ...]:
    """Return the corrections that the flags make of any photo: all but ``--tile`` and ``--indicator``.

    Raises:
        InvalidRequest: naming every tile and meld that is invalid.
    """
    reader, typed = FieldReader(), flags.typed_hand()
    concealed = reader.tiles(typed["concealed"], "concealed")
    melds = reader.melds(typed["melds"])
    winning = reader.one_tile(typed["winning_tile"], "winning_tile")
    bonus = reader.tiles(typed["bonus"], "bonus")
    if reader.faults:
        raise InvalidRequest.of(reader.faults)
    found: list[Correction] = [DropMelds()] if len(melds) < len(flags.melds) else []
    found += [SetMeld(meld) for meld in melds]
    found += [SetConcealed(concealed)] if flags.hand is not None else []
    found += [SetWinningTile(winning)] if winning is not None else []
    found += [SetBonus(bonus)] if flags.bonus is not None else []
    return tuple(found)


def parse_tile_flags(flags: Flags, reading: Reading) -> Iterator[Correction]:
    """Yield what ``--tile`` says: ``5=7m`` by number, or ``6m=7m`` by what was read, if only one tile of the hand was.

    Raises:
        HupaiError: no such tile, or several with this reading.
    """
    texts = [_split(text) for text in flags.tiles]
    if (THE_HAND, NOT_OF_THE_HAND) in texts:
        yield TakeOtherHand()
        # "6m=7m" is about that hand
        reading = apply_corrections(reading, [TakeOtherHand()], rules=shapes_of(flags.named_rules, flags.options))
    for which, what in texts:
        if which == NOT_SEEN:
            yield AddTile(read_tile(what))
        elif (which, what) != (THE_HAND, NOT_OF_THE_HAND):
            yield _about_tile(_find_tile(reading, which), what)


def _about_tile(number: int, what: str) -> Correction:
    """What is said of a tile: which it is, or where it belongs."""
    if what == NOT_OF_THE_HAND:
        return DropTile(number)
    if what in (KITA, THE_HAND):
        return SetKita(number, what == KITA)
    return SetTile(number, read_tile(what))


def _split(text: str) -> tuple[str, str]:
    which, _, what = (part.strip() for part in text.partition("="))
    if not what:
        raise _bad_tile(f"--tile is NUMBER=TILE or READ=TILE, such as 5=7m or 6m=7m, not {text!r:.40}.")
    return which.lower(), what.lower() if what.lower() in (NOT_OF_THE_HAND, KITA, THE_HAND) else what


def _find_tile(reading: Reading, which: str) -> int:
    """Return the number of a tile that is named by its number or by what it was read as."""
    if which.isascii() and which.isdigit() and len(which) < 5:
        return int(which)
    wanted = read_tile(which)
    inside = [i for i, role in enumerate(reading.roles) if role is not Role.OTHER] or range(len(reading.tiles))
    same = [i for i in inside if reading.tile_used(i) is wanted]
    if len(same) == 1:
        return same[0]
    if not same:
        raise _bad_tile(f"--tile {which}: no tile of the hand was read as {wanted}.")
    numbers = ", ".join(map(str, sorted(same, key=lambda i: reading.tiles[i].centre[0])))
    raise _bad_tile(f"--tile {which}: {len(same)} tiles were read as {wanted}, from left to right number {numbers}.")


def _bad_tile(message: str) -> InvalidRequest:
    return InvalidRequest.of([Fault("bad_tile", message, "tile")])
