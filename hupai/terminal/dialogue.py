"""``--ask``: every doubt about a photo is a question in the terminal; the answers are flags, as if typed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rich.text import Text

from hupai.terminal.flags import Flags, parse_meld
from hupai.terminal.mended import NOT_OF_THE_HAND, NOT_SEEN, THE_HAND, answer_to, mended
from hupai.terminal.paper import Paper
from hupai.terminal.pictures import can_draw, row_of_tiles
from hupai.terminal.words import seat_of, tile_of, tiles_of, win_of
from scoring.context import Win
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.seats import SEATS
from scoring.tiles import Tile, parse_tiles, tile
from vision.io.photo import Photo
from vision.reading import Doubt, Reading, Role

_SEATS: Final = tuple(seat.value for seat in SEATS)
_SHOWN: Final = (Role.CONCEALED, Role.WINNING)


class Dialogue:
    """Questions on the terminal.

    Attributes:
        paper: where they are printed; standard error, so that standard output contains only scores.
    """

    def __init__(self) -> None:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            message = "--ask asks in a terminal; where there is none, answer with --tile, --winning, --meld, --bonus."
            raise InvalidRequest.of([Fault("usage", message)])
        self.paper = Paper(stderr=True)
        self._over = False

    def circumstances(self, flags: Flags) -> Flags:
        """Ask who won, how, and on whose tile, if no flag says so."""
        if "seat" not in flags.context:
            flags = self._answered(flags, "seat", f"Who won: {' '.join(_SEATS)}?", seat_of, _SEATS)
        if "win" not in flags.context:
            flags = self._answered(flags, "win", f"How: {', '.join(Win)}?", win_of, tuple(w.value for w in Win))
            if flags.context.get("win") not in (None, Win.SELF_DRAW.value) and "from" not in flags.context:
                flags = self._answered(
                    flags, "from", f"Whose tile was it: {' '.join(_SEATS)}? (Enter: not known)", seat_of, _SEATS
                )
        return flags

    def _answered(
        self, flags: Flags, name: str, question: str, read: Callable[[str], str], known: tuple[str, ...]
    ) -> Flags:
        def take(text: str) -> Flags:
            if read(text) not in known:
                raise HupaiError(f"It is one of {', '.join(known)}.")
            return flags.adding(**{name: read(text)})

        return self._ask(question, take) or flags

    def doubts(self, seen: Reading, photo: Photo, flags: Flags, name: str) -> Flags:
        """Ask every doubt that no flag answers, and those that the answers cause, each once.

        Returns:
            The flags with the answers. Whatever was answered with Enter stays as it was read.
        """
        known: set[tuple[str, int | None]] = set()
        while not self._over:
            now = mended(seen, flags)
            doubt = next((d for d in now.doubts if (d.code, d.tile) not in known), None)
            if doubt is None:
                break
            if not known:
                self.paper.print(
                    Text(f"{name}: Enter leaves a tile as it was read, Ctrl-D ends the questions.", style="dim")
                )
            known.add((doubt.code, doubt.tile))
            self._draw(doubt, photo, now.reading)
            flag = answer_to(doubt, now.hand)
            question = f"{doubt.message}{_choices(doubt, now.reading, flag)}"
            flags = self._ask(question, _answer(doubt, flag, flags, seen)) or flags
        return flags

    def _draw(self, doubt: Doubt, photo: Photo, reading: Reading) -> None:
        if not can_draw(self.paper):
            return
        tiles = [i for i, role in enumerate(reading.roles) if role in _SHOWN]
        tiles.sort(key=lambda i: float(reading.tiles[i].centre[0]))
        if doubt.tile is not None and doubt.code != "winning_tile_unknown":
            group = reading.groups[doubt.tile]
            alike = reading.roles[doubt.tile] is Role.MELD
            tiles = [i for i, g in enumerate(reading.groups) if alike and g == group] or [doubt.tile]
        self.paper.print(row_of_tiles(self.paper, photo, reading, tiles))

    def _ask(self, question: str, take: Callable[[str], Flags]) -> Flags | None:
        """Ask until the answer is acceptable; return None for Enter alone, and always once input has ended."""
        while not self._over:
            self.paper.print(Text(question, style="bold"))
            try:
                text = input("> ").strip()
            except EOFError:
                self._over = True
                self.paper.print()
                return None
            if not text:
                return None
            try:
                return take(text)
            except HupaiError as error:
                self.paper.print(Text(error.message, style="red"))
        return None


def _choices(doubt: Doubt, reading: Reading, flag: str) -> str:
    """Return the likeliest readings of the tile, and what else may be typed."""
    if flag == f"--tile {doubt.tile}=TILE":
        chances = reading.tiles[doubt.tile or 0].posterior
        likely = _numbered(doubt, reading).items()
        shown = "".join(f"\n  {i}  {t}  {t.name}  {chances.get(t, 0.0):.0%}" for i, t in likely)
        return f"{shown}\n  Type its number here or any tile, such as 5m; none if it is no tile of the hand."
    if doubt.code == "two_hands":
        shown = "".join(f"\n  {i}  {hand}" for i, hand in enumerate(doubt.answers, 1))
        return f"{shown}\n  Type its number."
    return {
        "--winning TILE": f"\n  Type the tile{_of_those(doubt)}.",
        f"--tile {NOT_SEEN}=TILE": "\n  Type the tile that is missing.",
        "--indicator TILE": f"\n  Type the tile{_of_those(doubt)}, or permanent.",
        "--hand TILES": "\n  Type all concealed tiles without the winning one, such as 123m456p.",
        "--tile 5m=none, or --meld": "\n  Type the tile to leave out, or a meld: 777z.",
        "--tile 5m=6m": "\n  Type what is to be another tile: 5m=6m.",
    }.get(flag, "\n  Type the meld, such as 678s, pung:555z@W or kong_concealed:1111m; none if nothing was melded.")


def _numbered(doubt: Doubt, reading: Reading) -> dict[str, Tile]:
    """Return a tile doubt's answers by the number to type; if it has none, the tile's likeliest readings."""
    tiles = [tile(code) for code in doubt.answers] or reading.tiles[doubt.tile or 0].offered()
    return {str(i): t for i, t in enumerate(tiles, 1)}


def _of_those(doubt: Doubt) -> str:
    return f": {' '.join(doubt.answers)}" if doubt.answers else ""


def _answer(doubt: Doubt, flag: str, flags: Flags, seen: Reading) -> Callable[[str], Flags]:
    """Return what an answer adds to the flags; it is tried on the reading, so that an impossible one is asked again."""

    def take(text: str) -> Flags:
        shown = _flagged(doubt, flag, flags, text, seen)
        mended(seen, shown)
        return shown

    return take


def _flagged(doubt: Doubt, flag: str, flags: Flags, text: str, seen: Reading) -> Flags:
    if flag == f"--tile {NOT_SEEN}=TILE":
        return replace(flags, tiles=(*flags.tiles, f"{NOT_SEEN}={text}"))
    if doubt.code == "two_hands":
        if text not in ("1", "2"):
            raise HupaiError("Type 1 or 2.")
        return flags if text == "1" else replace(flags, tiles=(*flags.tiles, f"{THE_HAND}={NOT_OF_THE_HAND}"))
    if flag == f"--tile {doubt.tile}=TILE":
        known = _numbered(doubt, seen).get(text)
        what = text.lower() if text.lower() == NOT_OF_THE_HAND else (known or tile(tile_of(text))).code
        return replace(flags, tiles=(*flags.tiles, f"{doubt.tile}={what}"))
    if flag == "--winning TILE":
        return replace(flags, winning=tile(tile_of(text)).code)
    if flag == "--indicator TILE":
        return flags.adding(indicator=text.lower() if text.lower() == "permanent" else tile(tile_of(text)).code)
    if flag == "--hand TILES":
        parse_tiles(tiles_of(text))
        return replace(flags, hand=text)
    if flag == "--tile 5m=6m":
        return replace(flags, tiles=(*flags.tiles, text))
    if doubt.code == "too_many_tiles" and len(parse_tiles(tiles_of(text))) == 1:
        return replace(flags, tiles=(*flags.tiles, f"{text}={NOT_OF_THE_HAND}"))
    if text.lower() != NOT_OF_THE_HAND:
        parse_meld(text)
    return replace(flags, melds=(*flags.melds, text))
