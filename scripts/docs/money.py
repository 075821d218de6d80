"""What every number of units costs each player, as tables, under the usual house rules and every preset's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from scoring.context import Context, Win
from scoring.options import options_of
from scoring.payments import plain
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.payment import payments_for
from scoring.rules.hongkong.options import base_of, minimum_of
from scoring.rules.mcr.payment import settle as mcr_settle
from scoring.rules.riichi.payments.ladder import base_of as riichi_base
from scoring.rules.riichi.payments.settle import win_payments
from scoring.rules.singapore.payment import columns
from scoring.rules.taiwanese.context import TaiwaneseContext
from scoring.rules.taiwanese.payment import settle as taiwanese_settle
from scoring.seats import Seat
from scoring.system import RuleSystem

DRAWN: Final = Context(Seat.S, Win.SELF_DRAW)
CLAIMED: Final = Context(Seat.S, Win.DISCARD, Seat.W)


def table(heads: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    head = [str(h) for h in heads]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def houses(system: RuleSystem[Any]) -> list[tuple[str, Any]]:
    """(name, house rules): the usual ones first, then those of each preset that differ in them."""
    usual = system.option_class()
    found = [("usual", usual)]
    for preset in system.presets:
        found.append((f"`{preset.id}`", options_of(system.option_class, preset.options, system.name)))
    return found


def _of_each_house(system: RuleSystem[Any], unit: str, cell: Callable[[int, Any], object]) -> str:
    """A row for each of 0 to 13 units, a column for each of the houses; ``cell``: what stands there."""
    every = houses(system)
    rows = [(units, *(cell(units, house) for _, house in every)) for units in range(14)]
    return table((unit, *(name for name, _ in every)), rows)


def hongkong(system: RuleSystem[Any]) -> list[str]:
    """Base of 0 to 13 faan for every preset, then what a base becomes."""

    def base(faan: int, house: Any) -> object:
        cut = faan if house.table == "unlimited" else min(faan, house.max_faan)
        return base_of(cut, house) if faan >= minimum_of(house) else "no win"

    text = (
        "The base is what a loser pays who did nothing. It is doubled for him who gave the tile, for everybody on a "
        "self-draw, and between east and another player."
    )
    return [_of_each_house(system, "faan", base), text]


def singapore(system: RuleSystem[Any]) -> list[str]:
    """Both columns of every preset; with a shooter the discarder pays both and the first once more."""

    def figures(doubles: int, house: Any) -> str:
        return " / ".join(str(plain(figure)) for figure in columns(doubles, house))

    text = (
        "First figure: what a loser pays for another's discard. Second: what the discarder pays, and everybody on a "
        "self-draw. Under `sg-shooter` the discarder pays all three."
    )
    return [_of_each_house(system, "doubles", figures), text]


def zungjung(system: RuleSystem[Any]) -> list[str]:
    """What each loser pays, drawn and claimed."""
    rows = []
    for value in (5, 10, 20, 25, 30, 40, 60, 80, 100, 120, 160, 200, 240, 320, 400, 480):
        cells = []
        for _, house in houses(system)[1:]:
            shared = min(value, house.shared)
            cells.append(f"{3 * value - 2 * shared} / {shared}")
        rows.append((value, value, *cells))
    heads = ("points", "each, self-draw", *(f"{name}: responsible / others" for name, _ in houses(system)[1:]))
    return [table(heads, rows), "The winner always gets three times his points."]


def hangzhou(system: RuleSystem[Any]) -> list[str]:
    """What the banker and another player pay, by the banker's hand in a row."""
    rows = []
    for factor in (1, 2, 4, 8, 16, 32, 64):
        cells = []
        for streak in (1, 2, 3):
            won = replace(DRAWN.under(HangzhouContext), streak=streak)
            paid = payments_for(won, (), factor, system.option_class()).net
            cells.append(f"{-paid['E']} / {-paid['W']}")
        rows.append((factor, *cells))
    heads = ("factor", *(f"banker's hand {n}: banker / other" for n in ("1", "2", "3 and more")))
    text = (
        "Payments of a self-drawn win by who is not the banker; a winning banker gets the first figure from each. Of a "
        "discard its giver pays his own share alone."
    )
    return [table(heads, rows), text]


_FU: Final = (20, 25, 30, 40, 50, 60, 70)


def riichi(system: RuleSystem[Any]) -> list[str]:
    """What a hand pays by han and fu, and the limits."""
    every = dict(houses(system))
    usual = every["usual"]
    parts = [
        table(
            ("han", *(f"{fu} fu" for fu in _FU)),
            [(han, *(_paid(han, fu, usual) for fu in _FU)) for han in (1, 2, 3, 4)],
        )
    ]
    rows = []
    for name, house in every.items():
        cells = [_paid(*pair, house) for pair in ((4, 30), (5, 30), (6, 30), (8, 30), (11, 30), (13, 30))]
        rows.append((name, *cells))
    heads = ("house rules", "4 han 30 fu", "5 han", "6-7", "8-10", "11-12", "13 and more")
    text = (
        "Discard: what the discarder pays a player, and east. In brackets a self-draw: what each player and east pay a "
        "player; east gets the second figure from each. A counter adds 300, or 100 from each."
    )
    return [*parts, table(heads, rows), text]


def _paid(han: int, fu: int, house: Any) -> str:
    base, _ = riichi_base(han, fu, house)
    player, east = (win_payments(replace(CLAIMED, seat=s), base).net[s.value] for s in (Seat.S, Seat.E))
    drawn = win_payments(DRAWN, base).net
    return f"{player}, {east} ({-drawn['W']} / {-drawn['E']})"


def mcr(system: RuleSystem[Any]) -> list[str]:
    """What each loser pays, claimed and drawn."""
    rows = []
    for points in (8, 9, 10, 12, 16, 24, 32, 48, 64, 88, 100, 128, 176):
        claimed, drawn = (mcr_settle(how, points, system.option_class()).net for how in (CLAIMED, DRAWN))
        rows.append((points, -claimed["W"], -claimed["N"], claimed["S"], -drawn["W"], drawn["S"]))
    heads = (
        "points",
        "who gave the tile",
        "each other",
        "the winner gets",
        "each, self-draw",
        "the winner gets, drawn",
    )
    return [
        table(heads, rows),
        "Points with flower tiles. Every preset pays alike; whoever deals pays as the others do.",
    ]


def taiwanese(system: RuleSystem[Any]) -> list[str]:
    """What the dealer and another player pay, by the hands that the dealer has stayed."""
    rows = []
    for tai in (0, 1, 2, 3, 4, 5, 8, 10, 16, 24):
        cells = []
        for streak in (1, 2, 3, 4):
            drawn = replace(DRAWN.under(TaiwaneseContext), streak=streak)
            paid = taiwanese_settle(drawn, tai, system.option_class()).net
            cells.append(f"{-paid['E']} / {-paid['W']}")
        rows.append((tai, *cells))
    heads = ("tai", "dealer / other", *(f"he has stayed {n}" for n in ("once", "twice", "three times")))
    text = (
        "What each pays when a player who is not the dealer draws the tile; of a discard its giver pays his own share "
        "alone. A winning dealer gets the first figure from who pays, the tai counted without his own. Stakes of 30 "
        "and 10; others change `base` and `unit`."
    )
    return [table(heads, rows), text]


TABLES: Final[dict[str, Callable[[RuleSystem[Any]], list[str]]]] = {
    "hongkong": hongkong,
    "zungjung": zungjung,
    "hangzhou": hangzhou,
    "singapore": singapore,
    "riichi": riichi,
    "mcr": mcr,
    "taiwanese": taiwanese,
}
