"""Games of the tournament software Pantheon as its interface answers them: han and fu, no tiles, no payments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from hupai.imports.logged import LoggedGame, LoggedHand, LoggedWin, different_names, fold_field_names, read_hands

_LIABLE: Final = {6: "suukantsu", 19: "daisangen", 21: "daisuushii"}
"""Its numbers of the yakuman that somebody can be liable for."""


def read_pantheon(data: Mapping[str, Any]) -> LoggedGame:
    """Return the game of such an answer, the first if there are several."""
    game = fold_field_names(data["game"] if "game" in data else data["games"][0])
    titles = {one["id"]: one["title"] for one in fold_field_names(data["players"])}
    order = [int(id_) for id_ in game["players"]]
    seats = {id_: seat for seat, id_ in enumerate(order)}
    results = game["finalresults"]
    final = {one["playerid"]: one.get("score", 0) for one in results}
    each = 1000 * math.ceil(sum(final.values()) / 1000 / len(order))
    return LoggedGame(
        source="Pantheon",
        name=str(game.get("sessionhash", game.get("hash", ""))),
        players=different_names([titles.get(id_, "") for id_ in order]),
        preset="",
        options={},
        course={},
        points=(each,) * len(order),
        hands=read_hands(game["rounds"], lambda one: _read_hand(one, seats)),
        final=tuple(final[id_] for id_ in order),
    )


def _read_hand(said: Mapping[str, Any], seats: Mapping[int, int]) -> LoggedHand:
    # Older versions name the outcome in a field, newer ones by the field that everything is in.
    outcome, told = (said["outcome"], said) if "outcome" in said else next(iter(said.items()))
    turn = told["roundindex"] - 1
    won = told.get("wins", [told]) if outcome in ("ron", "multiron", "tsumo") else []
    laid = {seats[id_] for one in (told, *won) for id_ in _ids(one.get("riichibets"))}
    payer = None if outcome == "tsumo" else seats.get(told.get("loserid", 0))
    return LoggedHand(
        (turn // len(seats), turn % len(seats), told.get("honba"), None),
        "win" if won else "false_win" if outcome == "chombo" else "draw",
        wins=tuple(_read_win(one, payer, seats) for one in won),
        riichi=tuple(sorted(laid)),
        ready=tuple(seats[id_] for id_ in _ids(told.get("tempai"))),
        nagashi=tuple(seats[id_] for id_ in _ids(told.get("nagashi"))),
        abortive=outcome == "abort",
        offender=payer if outcome == "chombo" else None,
    )


def _read_win(said: Mapping[str, Any], payer: int | None, seats: Mapping[int, int]) -> LoggedWin:
    han = said["han"]  # yakuman are below zero
    return LoggedWin(
        seats[said["winnerid"]],
        payer,
        {_LIABLE[number]: 0 for number in _ids(said.get("yaku")) if number in _LIABLE},
        fu=said.get("fu"),
        han=max(han, 0),
        yakuman=max(-han, 0),
        liable=seats.get(said.get("paoplayerid", 0)),
    )


def _ids(value: Any) -> list[int]:
    """Return numbers from a list or, as older versions have them, from text."""
    return [int(part) for part in (value.split(",") if isinstance(value, str) else value or ()) if part]
