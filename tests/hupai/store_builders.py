"""Games in a store, begun with as few words as a test needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import Engine

from hupai.games.commands import Command, NewGame, NewHand
from hupai.games.game_json import history_json
from hupai.games.history import RECORDED
from hupai.games.terms.agreed import agree
from hupai.games.terms.confirmed import Confirmed
from hupai.store.play.games import SqlGames
from scoring.payments import Transfer
from scoring.seats import Seat

NAMES = ("Ann", "Bo", "陳大文", "Dee")


def begin_game(engine: Engine, rules: str = "hongkong", options: Mapping[str, Any] | None = None, **more: Any) -> str:
    """The id of a new game, of :data:`NAMES` if nobody else is named; ``more`` is what was agreed on."""
    players = more.pop("players", NAMES)
    new = NewGame(players, agree(rules, options=options or {}, **more))
    return SqlGames(engine).create_game(new).terms.id


def see_game(engine: Engine, game: str) -> dict[str, Any]:
    """A game as the API shows it."""
    return history_json(SqlGames(engine).read(game))


def payment(amount: int | str, payer: Seat = Seat.E, payee: Seat = Seat.S, **more: Any) -> NewHand:
    """A payment between two seats, to be recorded; ``more`` are fields of :class:`NewHand`."""
    transfers = (Transfer(payer, payee, Decimal(amount), "side bet"),)
    moved = {"from": payer.value, "to": payee.value, "amount": amount, "why": "side bet"}
    return NewHand(Confirmed("payment", transfers=transfers), {"outcome": "payment", "transfers": [moved]}, **more)


def net_of(transfers: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """What everybody, and the pot, gets by payments that are listed one by one."""
    net = dict.fromkeys(("E", "S", "W", "N", "pot"), 0)
    for transfer in transfers:
        net[transfer["from"]] -= transfer["amount"]
        net[transfer["to"]] += transfer["amount"]
    return net


def pay(engine: Engine, game: str, amount: int | str = 8) -> None:
    """East pays south."""
    SqlGames(engine).do(game, Command(RECORDED, hand=payment(amount)))
