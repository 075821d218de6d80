"""Plays a logged game again in the ledger: every hand is scored anew, and what differs from the log is listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from hupai.games.apply import apply, begin_game, settle_next
from hupai.games.commands import Command, NewGame, NewHand
from hupai.games.history import RECORDED, History
from hupai.games.settling.ending import final_result
from hupai.games.terms.agreed import agree
from hupai.games.terms.confirmed import HandResult, amounts_json, parse_confirmed
from hupai.games.terms.state import TableState
from hupai.imports.logged import LoggedGame, LoggedHand, LoggedWin, plain_name
from scoring.errors import Fault, HupaiError, InvalidRequest, quote_name
from scoring.payments import plain_amount
from scoring.rulebook.presets import Preset
from scoring.rules import preset_named, system_named
from scoring.seats import SEATS
from scoring.words.sentence import say

RULES: Final = "riichi"
_ENDLESS: Final = {"rounds": None, "out_of_points": "owes", "dealer_ends": "off", "extension": None}
"""The course of a game that went on where its rules would have ended it, or whose log shows a part of it."""
_SAID_BY: Final = {
    **{name: name for name in ("double_riichi", "ippatsu")},
    **{"haitei": "last_tile", "houtei": "last_tile", "rinshan": "replacement"},
    **{"tenhou": "heavenly", "chiihou": "earthly", "renhou": "humanly"},
}
"""Yaku -> the circumstance that it says: what no tiles show is taken from the log."""
_DORA: Final = ("dora", "ura_dora", "aka_dora")
_REFUSED: Final = "Hand {n} of this log cannot be entered: {a}"
_OTHERS: Final = "{name} is a preset of {a}, not of {b}: leave one of them out."


@dataclass(frozen=True, slots=True)
class Difference:
    """What the log says otherwise.

    Attributes:
        hand: its number, from 1.
        what: ``yaku`` and ``fu`` of a win; ``tiles``: they may not win, so that what the log counted was entered;
            ``payments``; ``table``, the next one; ``ended``, whether and why the game was over; ``final``, the points;
            ``start``, the points before a part of a game, in which hupai lets all begin with the mean.
        logged, scored: what the log says, and hupai, as JSON. player: who won, by number, if it is about one win.
    """

    hand: int
    what: str
    logged: Any
    scored: Any
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A logged game as the ledger has it, and what differs from the log."""

    log: LoggedGame
    history: History
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, Any]:
        """Where it is from, and the differences."""
        found = [asdict(difference) for difference in self.differences]
        return {"source": self.log.source, "log": self.log.name, "differences": found}


def replay(log: LoggedGame, game_id: str, at: datetime, preset: str | None = None) -> Replayed:
    """Return the game with every hand of the log entered.

    Args:
        log: what was played. game_id, at: of the game that is made. preset: whose house rules, if not those of the log.

    Raises:
        InvalidRequest: no such preset of riichi, a hand that cannot be entered.
    """
    new = _new_game(log, preset or log.preset)
    try:
        history, found = _play(log, begin_game(new, game_id, at), at)
    except InvalidRequest:
        # By other payments than the log's somebody may lack the points for a stick.
        new = _with_course(new, {"out_of_points": "owes"})
        history, found = _play(log, begin_game(new, game_id, at), at)
    last, ended = len(history.hands), history.state.ended
    if len(set(log.points)) > 1:
        mean = plain_amount(new.agreed.starting_points)
        found.insert(0, Difference(1, "start", [*log.points], [mean] * len(log.players)))
    if last < len(log.hands):
        history, found = _play(log, begin_game(_with_course(new, _ENDLESS), game_id, at), at)
        found.append(Difference(last, "ended", None, ended))
    elif log.final is not None and log.whole:
        shares = final_result(history.terms.house, history.terms.totals_after(history.last))
        points = [plain_amount(share.points + share.sticks) for share in shares]
        found += [] if ended else [Difference(last, "ended", "yes", None)]
        found += [] if points == [*log.final] else [Difference(last, "final", [*log.final], points)]
    return Replayed(log, history, tuple(sorted(found, key=lambda difference: difference.hand)))


def _new_game(log: LoggedGame, preset: str) -> NewGame:
    table = {name: value or 0 for name, value in _table(log.hands[0]).items()}
    system, named = preset_named(preset) if preset else (system_named(RULES), Preset("", "", "", ""))
    if system.id != RULES:
        message = say(_OTHERS, name=quote_name(preset), a=say(system.name), b=say(system_named(RULES).name))
        raise InvalidRequest.of([Fault("contradiction", message, "preset")])
    points = Decimal(sum(log.points) // len(log.points))
    course = {**named.course, **log.course, **({} if log.whole else _ENDLESS)}
    if (zero := course.get("return_points")) is not None and zero < points:  # tables of friends begin with more
        course["return_points"] = plain_amount(points)
    agreed = agree(
        system.id,
        options={"players": len(log.players), **named.options, **log.options},
        start={**table, "players": len(log.players), "first_dealer": 0},
        starting_points=points,
        name=plain_name(log.name),
        course=course,
    )
    return NewGame(log.players, agreed)


def _with_course(new: NewGame, more: Mapping[str, Any]) -> NewGame:
    return replace(new, agreed=replace(new.agreed, course={**new.agreed.course, **more}))


def _play(log: LoggedGame, history: History, at: datetime) -> tuple[History, list[Difference]]:
    """Enter the hands until the game is over."""
    found: list[Difference] = []
    for number, hand in enumerate(log.hands, 1):
        if history.state.ended is not None:
            break
        body, settled, refusal = _settle(history, hand, number, at)
        if refusal is not None:
            found.append(Difference(number, "tiles", None, refusal.message))
        found += _compare(number, hand, settled, with_tiles=refusal is None)
        if number < len(log.hands):
            after = settled.after.to_json()
            other = {
                name: value for name, value in _table(log.hands[number]).items() if value not in (None, after[name])
            }
            if other:
                found.append(Difference(number, "table", other, {name: after[name] for name in other}))
                body["next"] = {name: value for name, value in other.items() if name != "riichi_sticks"}
        history = apply(history, Command(RECORDED, hand=NewHand(parse_confirmed(body), body)), at)
    return history, found


def _table(hand: LoggedHand) -> dict[str, Any]:
    wind, *others = hand.table
    return {"round": SEATS[wind].value, **dict(zip(("dealer", "counters", "riichi_sticks"), others, strict=True))}


def _settle(
    history: History, hand: LoggedHand, number: int, at: datetime
) -> tuple[dict[str, Any], HandResult, HupaiError | None]:
    """Return the hand to enter and its result: by its tiles or, where they may not win, by what the log counted."""
    refusal: HupaiError | None = None
    for by_tiles in (True, False) if any(win.hand for win in hand.wins) else (False,):
        body = _body(hand, history.state, by_tiles=by_tiles)
        try:
            return body, settle_next(history, parse_confirmed(body), at), refusal
        except InvalidRequest as error:
            refusal = error
    assert refusal is not None
    message = say(_REFUSED, n=number, a=say(refusal.message))
    raise InvalidRequest.of([Fault("contradiction", message, f"log[{number - 1}]")]) from refusal


def _body(hand: LoggedHand, table: TableState, *, by_tiles: bool) -> dict[str, Any]:
    """Return what was played as players confirm it."""

    def seats(players: tuple[int, ...]) -> list[str]:
        return [table.seat_of(player).value for player in players]

    body = {
        "outcome": hand.outcome,
        "wins": [_request(hand, win, table, by_tiles=by_tiles) for win in hand.wins],
        "riichi": seats(hand.riichi),
        "ready": seats(hand.ready),
        "nagashi": seats(hand.nagashi),
        "abortive": hand.abortive,
        "offender": None if hand.offender is None else table.seat_of(hand.offender).value,
    }
    return {name: value for name, value in body.items() if value}


def _request(hand: LoggedHand, win: LoggedWin, table: TableState, *, by_tiles: bool) -> dict[str, Any]:
    context: dict[str, Any] = {"seat": table.seat_of(win.winner).value, "win": "self_draw"}
    if win.payer is not None:
        robbed = by_tiles and any("chankan" in one.told for one in hand.wins)  # beside a yakuman it is not told
        context |= {"win": "robbed_kong" if robbed else "discard", "from": table.seat_of(win.payer).value}
    kinds = (kind for kind in system_named(RULES).liable_kinds if kind in win.told)
    if win.liable is not None and (kind := next(kinds, None)):
        context["liable"] = {"seat": table.seat_of(win.liable).value, "kind": kind}
    if not by_tiles:
        counted = {"value": win.han or sum(win.yaku.values()), "fu": win.fu}
        return {"result": {"yakuman": win.yakuman} if win.yakuman else counted, "context": context}
    context |= {name: True for yaku, name in _SAID_BY.items() if yaku in win.told}
    context["dora_indicators"] = list(hand.dora)
    if win.winner in hand.riichi:
        context["ura_indicators"] = list(hand.ura)
    fed = [
        {**meld, "from": table.seat_of(meld["from"]).value} if "from" in meld else meld for meld in win.hand["melds"]
    ]
    return {**win.hand, "melds": fed, "context": context}


def _compare(number: int, hand: LoggedHand, settled: HandResult, *, with_tiles: bool) -> Iterator[Difference]:
    """Yield what the log counts and pays otherwise."""
    tallies = {score.context.seat: score.tally for score in settled.scores}
    for win in hand.wins if with_tiles else ():
        tally = tallies[settled.before.seat_of(win.winner)]
        if not win.hand or tally is None or not (win.yaku or win.yakuman):
            continue
        logged, scored = _count_han(win.yaku), _count_han({line.element.id: line.value for line in tally.lines})
        if win.yakuman:
            logged, scored = dict.fromkeys(logged, 1), dict.fromkeys(scored, 1)
        if logged != scored:
            only, ours = (
                dict(sorted(side.items() - other.items())) for side, other in ((logged, scored), (scored, logged))
            )
            yield Difference(number, "yaku", only, ours, win.winner)
        fu = tally.extra["fu"]
        if None not in (win.fu, fu) and win.fu != fu:
            yield Difference(number, "fu", win.fu, fu, win.winner)
    paid, _ = amounts_json(settled.by_account)
    if hand.paid is not None and list(hand.paid) != paid:
        yield Difference(number, "payments", list(hand.paid), paid)


def _count_han(yaku: Mapping[str, int]) -> dict[str, int]:
    """Return the han by yaku; Tenhou counts norths set aside among the dora."""
    found: Counter[str] = Counter()
    for name, han in yaku.items():
        found["dora" if name == "kita" else name] += han
    return {name: han for name, han in found.items() if han or name not in _DORA}
