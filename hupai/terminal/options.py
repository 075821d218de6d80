"""The flags of ``hupai score``: their help, panels and completion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hupai.terminal.completing import (
    complete_liable,
    complete_option,
    complete_responsible,
    complete_rules,
    complete_seat,
    complete_set,
    complete_win,
)

_HAND = "The hand: typed, or put right beside a photo"
_WIN = "How it was won"
_RIICHI = "Riichi"
_HANGZHOU = "Hangzhou"
_HOUSE = "House rules and penalties"
_FILES = "Input and output"
_SEATS = "E, S, W or N (also East, 東)"

Photos = Annotated[list[Path] | None, typer.Argument(metavar="PHOTO", help="Photos of winning hands.")]
Rules = Annotated[
    str | None,
    typer.Option(
        metavar="RULES",
        help="hongkong (if not given), zungjung, hangzhou, singapore or riichi; see `hupai rules`.",
        autocompletion=complete_rules,
    ),
]
Ask = Annotated[
    bool, typer.Option("--ask", metavar="", help="Ask here about everything that is not sure, with pictures.")
]

Hand = Annotated[
    str | None,
    typer.Option(metavar="TILES", help="Concealed tiles, such as 234m567p345s88s.", rich_help_panel=_HAND),
]
Winning = Annotated[
    str | None, typer.Option(metavar="TILE", help="The tile that completed the hand.", rich_help_panel=_HAND)
]
Melds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MELD",
        help="678s, pung:555z@W (from west), kong_concealed:1111m; none: nothing was melded.",
        rich_help_panel=_HAND,
    ),
]
Bonus = Annotated[
    str | None, typer.Option(metavar="TILES", help="Flowers, seasons, animals: 'f1 g3'.", rich_help_panel=_HAND)
]
Tiles = Annotated[
    list[str] | None,
    typer.Option(
        "--tile",
        metavar="N=TILE",
        help="A tile of the photo, by its number or as it was read: 5=7m, 6m=7m, 5=none, new=7m.",
        rich_help_panel=_HAND,
    ),
]

Winner = Annotated[
    str | None,
    typer.Option(metavar="SEAT", help=f"The winner: {_SEATS}.", rich_help_panel=_WIN, autocompletion=complete_seat),
]
Won = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="self_draw, discard or robbed_kong (also tsumo, zimo, ron).",
        rich_help_panel=_WIN,
        autocompletion=complete_win,
    ),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="SEAT", help="Whose tile it was.", rich_help_panel=_WIN, autocompletion=complete_seat
    ),
]
Round = Annotated[
    str | None,
    typer.Option(
        "--round",
        metavar="SEAT",
        help="The round wind; E if not given.",
        rich_help_panel=_WIN,
        autocompletion=complete_seat,
    ),
]


def _switch(flag: str, text: str, panel: str = _WIN) -> object:
    return typer.Option(flag, metavar="", help=text, rich_help_panel=panel)


LastTile = Annotated[bool, _switch("--last-tile", "Won with the last tile of the wall, or the discard after it.")]
Replacement = Annotated[bool, _switch("--replacement", "Drawn as the replacement of a kong or a bonus tile.")]
DoubleKong = Annotated[bool, _switch("--double-kong", "Replacement of a kong made with a replacement.")]
Heavenly = Annotated[bool, _switch("--heavenly", "The dealer's hand was complete on the deal.")]
Earthly = Annotated[bool, _switch("--earthly", "A non-dealer's win in the very first turn.")]
Humanly = Annotated[bool, _switch("--humanly", "Won on a discard before the own first draw.")]
FlowerWin = Annotated[bool, _switch("--flower-win", "Won by bonus tiles alone.")]

Riichi = Annotated[bool, _switch("--riichi", "The winner declared riichi.", _RIICHI)]
DoubleRiichi = Annotated[bool, _switch("--double-riichi", "Riichi in the first turn.", _RIICHI)]
Ippatsu = Annotated[bool, _switch("--ippatsu", "Won within a turn of riichi, without a call between.", _RIICHI)]
Dora = Annotated[
    str | None, typer.Option(metavar="TILES", help="Dora indicators, such as 7s1z.", rich_help_panel=_RIICHI)
]
Ura = Annotated[str | None, typer.Option(metavar="TILES", help="Ura-dora indicators.", rich_help_panel=_RIICHI)]
Counters = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="Counters on the table (honba).", rich_help_panel=_RIICHI)
]
RiichiSticks = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER", help="Sticks taken from the table, the winner's own included.", rich_help_panel=_RIICHI
    ),
]
Wareme = Annotated[
    str | None,
    typer.Option(
        metavar="SEAT",
        help="Where the wall broke, if that is played.",
        rich_help_panel=_RIICHI,
        autocompletion=complete_seat,
    ),
]

Indicator = Annotated[
    str | None,
    typer.Option(metavar="TILE", help="The indicator tile, or permanent.", rich_help_panel=_HANGZHOU),
]
Banker = Annotated[
    str | None,
    typer.Option(
        metavar="SEAT",
        help="The banker's seat; E if not given.",
        rich_help_panel=_HANGZHOU,
        autocompletion=complete_seat,
    ),
]
Streak = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", help="The banker's hand in a row, from 1.", rich_help_panel=_HANGZHOU),
]
Floats = Annotated[int | None, typer.Option(metavar="NUMBER", help="Fortune floats.", rich_help_panel=_HANGZHOU)]
KongStreak = Annotated[int | None, typer.Option(metavar="NUMBER", help="Kongs in a row.", rich_help_panel=_HANGZHOU)]
Honours = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", help="Ten or more honours discarded from the start.", rich_help_panel=_HANGZHOU),
]
DoublesAfter = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        help="Floats and kongs after the liable player's discard.",
        rich_help_panel=_HANGZHOU,
    ),
]
Fed = Annotated[
    list[str] | None,
    typer.Option(metavar="PAIR", help="N>S=3: north fed south 3 sets (in quotes).", rich_help_panel=_HANGZHOU),
]

HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A house rule: table=canton; see `hupai rules RULES`.",
        rich_help_panel=_HOUSE,
        autocompletion=complete_option,
    ),
]
PresetName = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="House rules by name: ema, tenhou, half-spicy ...; see `hupai rules RULES`.",
        rich_help_panel=_HOUSE,
    ),
]
LiableFor = Annotated[
    str | None,
    typer.Option(
        metavar="SEAT:WHY",
        help="Who pays for all and why: W:nine_piece.",
        rich_help_panel=_HOUSE,
        autocompletion=complete_liable,
    ),
]
Responsible = Annotated[
    str | None,
    typer.Option(
        metavar="SEAT",
        help="Zung Jung: auto (the discarder), none or a seat.",
        rich_help_panel=_HOUSE,
        autocompletion=complete_responsible,
    ),
]
TurnDiscards = Annotated[
    str | None,
    typer.Option(
        metavar="DISCARDS",
        help="Zung Jung: discards since the winner's last turn, 'W:8s E:3p'.",
        rich_help_panel=_HOUSE,
    ),
]

Jsonl = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="One score request a line from this file, or - for standard input.",
        rich_help_panel=_FILES,
    ),
]
Set = Annotated[
    str | None,
    typer.Option(
        "--set",
        metavar="NAME",
        help="A learned tile set (see learn-set).",
        rich_help_panel=_FILES,
        autocompletion=complete_set,
    ),
]
Annotate = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the marked photo here (a folder when there are several).",
        rich_help_panel=_FILES,
    ),
]
Why = Annotated[bool, _switch("--why", "Say what other readings and house rules would pay.", _FILES)]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print nothing but JSON.", rich_help_panel=_FILES)]

EXAMPLES = """
[bold]Examples[/]

hupai score hand.jpg --seat S --win self_draw

hupai score hand.jpg --rules riichi --seat East --win ron --from West --riichi --ask

hupai score hand.jpg --seat S --win self_draw --winning 3p --tile 6m=7m

hupai score --hand 123m456m789m11z23s --winning 4s --seat S --win discard --from E

hupai score --jsonl requests.jsonl

Tiles are written 1m-9m (characters), 1p-9p (dots), 1s-9s (bamboo), 1z-7z (east south west north, white green red), \
0m 0p 0s (red fives), f1-f4, g1-g4, a1-a4 (flowers, seasons, animals), back; or as glyphs such as 🀈. With pictures: \
docs/tiles.md. The fields of --jsonl: docs/request.md.
"""
