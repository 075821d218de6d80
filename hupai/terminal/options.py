"""The flags of ``hupai score``: their help and panels; context flags are made from the field table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Final

import typer

from hupai.messages import flag_of
from hupai.terminal.flags import DEFAULT_RULES
from scoring.basics.context_field import ContextField, context_fields
from scoring.context import Context
from scoring.fields.table import all_context_fields, systems_reading
from scoring.rules import systems

_WIN: Final = "How it was won"
_SEATS: Final = "E, S, W or N (also East, 東)"
_hand_option = partial(typer.Option, rich_help_panel="The hand: typed, or put right beside a photo")
_win_option = partial(typer.Option, rich_help_panel=_WIN)
_house_option = partial(typer.Option, rich_help_panel="House rules")
_file_option = partial(typer.Option, rich_help_panel="Input and output")

Config = Annotated[Path | None, typer.Option(help="Settings file (TOML), as for hupai serve.")]
Database = Annotated[str | None, typer.Option(help="Database URL, as for hupai serve.")]
DataFolder = Annotated[Path | None, typer.Option(help="As for hupai serve.")]
PrintJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Photos = Annotated[list[Path] | None, typer.Argument(metavar="PHOTO", help="Photos of winning hands.")]
_SYSTEMS: Final = f"{', '.join(systems())}; {DEFAULT_RULES} if not given. See `hupai rules`."
Rules = Annotated[str | None, typer.Option(metavar="RULES", help=_SYSTEMS)]

Hand = Annotated[str | None, _hand_option(metavar="TILES", help="Concealed tiles, such as 234m567p345s88s.")]
Winning = Annotated[str | None, _hand_option(metavar="TILE", help="The tile that completed the hand.")]
_MELDS: Final = "678s, pung:555z@W (from west), kong_concealed:1111m; none: nothing was melded."
Melds = Annotated[list[str] | None, _hand_option(metavar="MELD", help=_MELDS)]
Bonus = Annotated[str | None, _hand_option(metavar="TILES", help="Flowers, seasons, animals: 'f1 g3'.")]
_TILES: Final = (
    "A tile of the photo, by its number or as it was read: 5=7m, 6m=7m, 5=none, new=7m; "
    "5=kita, 5=hand: a north set aside or not; hand=none: the other hand."
)
Tiles = Annotated[list[str] | None, _hand_option("--tile", metavar="N=TILE", help=_TILES)]

Winner = Annotated[str | None, _win_option(metavar="SEAT", help=f"The winner: {_SEATS}.")]
Won = Annotated[
    str | None, _win_option(metavar="HOW", help="self_draw, discard or robbed_kong (also tsumo, zimo, ron).")
]
From = Annotated[str | None, _win_option("--from", metavar="SEAT", help="Whose tile it was.")]

_OPTION: Final = "A house rule: table=canton; see `hupai rules RULES`."
HouseRules = Annotated[list[str] | None, _house_option(metavar="NAME=VALUE", help=_OPTION)]
_PRESET: Final = "House rules by name: ema, tenhou, half-spicy ...; see `hupai rules RULES`."
PresetName = Annotated[str | None, _house_option("--preset", metavar="NAME", help=_PRESET)]

_JSONL: Final = "One score request per line from this file, or - for standard input."
Jsonl = Annotated[str | None, _file_option(metavar="FILE", help=_JSONL)]
_KEEP: Final = "What was set aside is tiles, too."
KeepAside = Annotated[bool, _file_option("--keep-aside", metavar="", help=_KEEP)]
Set = Annotated[str | None, _file_option("--set", metavar="NAME", help="A learned tile set (see learn-set).")]
_ANNOTATE: Final = "Write the marked photo here (a folder when there are several)."
Annotate = Annotated[Path | None, _file_option(metavar="FILE", help=_ANNOTATE)]
Why = Annotated[bool, _file_option("--why", metavar="", help="Show what other readings and house rules would pay.")]
AsJson = Annotated[bool, _file_option("--json", metavar="", help="Print nothing but JSON.")]

_KINDS: Final[dict[str, tuple[object, str, str]]] = {
    "switch": (bool, "", ""),
    "number": (int | None, "NUMBER", ""),
    "seat": (str | None, "SEAT", ""),
    "tile": (str | None, "TILE", ""),
    "tiles": (str | None, "TILES", ", such as 7s1z"),
    "liable": (str | None, "SEAT:WHY", ", such as W:nine_piece"),
    "responsible": (str | None, "SEAT", ""),
    "discards": (str | None, "DISCARDS", ", such as 'W:8s E:3p'"),
    "fed": (list[str] | None, "PAIR", ", such as 'N>S=3'"),
}
"""Kind of a context field -> type of its flag, placeholder for a value, example value."""


def with_context_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command a flag for every field of the context, in place of its ``**context``."""
    declared = signature(command, eval_str=True)
    own = list(declared.parameters.values())[:-1]
    before = next(i for i, p in enumerate(own) if p.name == "option")
    command.__signature__ = declared.replace(parameters=[*own[:before], *_context_flags(), *own[before:]])  # type: ignore[attr-defined]
    return command


def _context_flags() -> Iterator[Parameter]:
    shared = context_fields(Context)
    for name, ask in all_context_fields().items():
        panel = _WIN if name in shared else ", ".join(s.name for s in systems_reading(name))
        kind, metavar, _ = _KINDS[ask.kind]
        option = typer.Option(flag_of(name), metavar=metavar, help=_help(ask), rich_help_panel=panel)
        default = False if ask.kind == "switch" else None
        yield Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=Annotated[kind, option])


def _help(ask: ContextField) -> str:
    """Return the question of a field as a sentence about its flag."""
    usual = f"; {ask.default} if not given" if ask.kind == "seat" and isinstance(ask.default, str) else ""
    return f"{ask.doc[0].upper()}{ask.doc[1:]}{usual}{_KINDS[ask.kind][2]}."
