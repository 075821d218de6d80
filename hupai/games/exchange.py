"""A game as a file that goes from one hupai to another: what was done in it, in order. Reading it does it all again.

Nothing of a file is believed but what the players said: what the hands came to is settled again, and compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hupai.basics.names import clean_names
from hupai.basics.timestamps import format_time, parse_time
from hupai.games import history as kinds
from hupai.games.amendments import withdraw_result
from hupai.games.apply import apply, begin_game
from hupai.games.commands import Command, NewGame, NewHand
from hupai.games.game_json import again_json, entry_json, history_json, states_before, whole_hand_json
from hupai.games.history import Amendment, Change, History
from hupai.games.requests import FILE, SAID
from hupai.games.terms.agreed import ANY_TABLE, FILE_AMOUNT, LINE, TABLE, agreed_json, file_shapes, read_agreed
from hupai.games.terms.confirmed import OUTCOMES, parse_confirmed
from hupai.games.terms.course import SETTLED_BY
from hupai.games.terms.shapes import OBJECT, Shape, list_of, maybe, misfits, object_of, one_of, text, whole
from hupai.games.terms.state import TableState
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.seats import Seat
from scoring.words.sentence import say

MAX_SETTLED: Final = 5000
"""How often hands are settled at most to read a file; an evening's game takes a few hundred times."""
_MOST_FAULTS: Final = 20
BEGUN: Final = "begun"
_RESULTS: Final = ("payments", "pot", "settled_again")
_TIME: Final = {**text(40), "format": "date-time"}
_REQUEST: Final = object_of(
    {"outcome": one_of(*OUTCOMES)}, {**SAID, "laid": whole(), "totals": list_of(FILE_AMOUNT, len(Seat))}
)
_AGREED, _AGREED_LATER = file_shapes()
_BEGINNING: Final = object_of(
    {
        "id": {**text(40), "format": "id"},
        "version": {**LINE, **text(40)},
        "revision": one_of(0),
        "kind": one_of(BEGUN),
        "at": _TIME,
        "players": list_of(LINE, len(Seat)),
        **_AGREED,
    },
    _AGREED_LATER,
)
_CHANGE: Final = object_of(
    {
        "revision": whole(),
        "kind": one_of(*kinds.KINDS),
        "at": _TIME,
        "by": maybe(LINE),
        "reason": maybe({**LINE, **text(1000)}),
        "before": object_of(TABLE, ANY_TABLE),
    },
    {
        "number": whole(),
        "request": _REQUEST,
        "key": maybe(LINE),
        "models": OBJECT,
        "course": OBJECT,
        "payments": list_of(FILE_AMOUNT, len(Seat)),
        "pot": FILE_AMOUNT,
        "settled_again": list_of(OBJECT),
        "swapped": list_of(one_of(*range(len(Seat))), 2),
    },
)
_STRANGE: Final = "{field} is not as this hupai writes it: update hupai, or export the game again."
_TOO_LONG: Final = "This game is too long to be read: with its corrections more than {n} hands are settled."
_REFUSED: Final = "Change {n} of this game cannot be made again: {a}"
_DIFFERENT: Final = (
    "Change {n} of this game comes out otherwise than in the file, which hupai {name} wrote. "
    "Read it with that version, or correct the hand there and export the game again."
)


def export_history(history: History) -> list[dict[str, Any]]:
    """Return what was done in a game, its beginning first.

    Each change has ``revision``, ``kind``, ``at``, ``by``, ``reason``, the ``number`` of its hand, and ``before``, the
    table; what was said: ``request`` of a hand recorded or corrected, ``course`` as far as it was changed; and what it
    came to: ``payments`` and ``pot`` of the hand, ``settled_again``; numbers of players who were ``swapped``.
    """
    hands = {hand.number: whole_hand_json(hand) for hand in history.hands}
    terms, course = history.terms, history.terms.course
    told: list[dict[str, Any]] = []
    for change in reversed(history.changes):  # from the present state back
        told.append(_change_json(change, hands.get(change.hand_number)))
        if "course" in change.detail:
            course = change.detail["course"][0]
        hands |= {was["number"]: was for was in states_before(change)}
    begun = {
        "revision": 0,
        "kind": BEGUN,
        "at": format_time(terms.created),
        "players": list(history.players),
        "id": terms.id,
        "version": terms.version,
        **agreed_json(terms),
        "course": course,
    }
    return [begun, *reversed(told)]


def export_game(history: History) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a game as JSON with its ``history``, and every hand of it with requests, scores and running totals."""
    hands = [{**whole_hand_json(hand), "totals": hand.totals} for hand in history.hands]
    return {**history_json(history, 0), "history": export_history(history)}, hands


def import_game(data: object) -> History:
    """Return the game of an exported file as it was, under its own id; of the JSON only ``history`` is read.

    Raises:
        InvalidRequest: it is no such file, something in it cannot have happened, or it comes out otherwise.
    """
    _check(FILE, data, "")
    assert isinstance(data, dict)
    begun, *changes = data["history"] or [{}]
    _check(_BEGINNING, begun, "history[0]")
    history, settled = read_beginning(begun), 0
    for number, change in enumerate(changes, 1):
        place = f"history[{number}]"
        _check(_CHANGE, change, place)
        settled += 1 if change["kind"] == kinds.RECORDED else 1 + len(history.hands)
        if settled > MAX_SETTLED:
            raise InvalidRequest.of([Fault("bad_value", say(_TOO_LONG, n=MAX_SETTLED), place)])
        try:
            history = _make_again(history, change)
        except HupaiError as error:
            message = say(_REFUSED, n=number, a=say(error.message))
            raise InvalidRequest.of([Fault("contradiction", message, place)]) from error
        if not (history.revision == change["revision"] == number and _came_to_the_same(history, change)):
            message = say(_DIFFERENT, n=number, name=begun["version"])
            raise InvalidRequest.of([Fault("contradiction", message, place)])
    return history


def read_beginning(said: Mapping[str, Any]) -> History:
    """Return the game as it began, from the first entry of a file's history."""
    new = NewGame(clean_names(said["players"], "players"), read_agreed(said))
    history = begin_game(new, said["id"], parse_time(said["at"]))
    return replace(history, terms=replace(history.terms, version=said["version"]))


def _change_json(change: Change, hand: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a change with its hand, if it has one, as the change left it."""
    found = {**entry_json(change), "before": change.before}
    if hand is not None:
        found |= {name: hand[name] for name in ("number", "payments", "pot")}
        if change.kind == kinds.RECORDED:
            found |= {name: hand[name] for name in ("key", "models")}
        if change.kind in (kinds.RECORDED, kinds.CORRECTED):
            found["request"] = {name: value for name, value in hand["request"].items() if name != "scored"}
    if "course" in change.detail:
        old, new = change.detail["course"]
        found["course"] = {name: new[name] for name in new if new[name] != old.get(name)}
    if "swapped" in change.detail:
        found["swapped"] = change.detail["swapped"]
    if "settled_again" in change.detail:
        found["settled_again"] = again_json(change.settled_again)
    return found


def _check(shape: Shape, value: object, where: str) -> None:
    places = [fault.field or "history" for fault in misfits(shape, value, where)]
    if places:
        raise InvalidRequest.of(
            [Fault("bad_value", say(_STRANGE, field=place), place) for place in places[:_MOST_FAULTS]]
        )


def _make_again(history: History, change: Mapping[str, Any]) -> History:
    """Return the game after what was done.

    Raises:
        HupaiError: it cannot be done.
    """
    kind, number, at, last = change["kind"], change.get("number", 0), parse_time(change["at"]), history.last
    given = change["by"] is not None or change["reason"]
    amendment = Amendment(change["by"] or "", change["reason"] or "") if given else None
    # The result of a whole table is withdrawn alone, and the game goes on.
    alone = kind == kinds.WITHDRAWN and "settled_again" not in change
    if alone and last and last.outcome == "result" and last.number == number:
        return withdraw_result(history, last, amendment, at)
    said = change.get("request", {"outcome": ""})
    hand = NewHand(parse_confirmed(said), said, change.get("key"), models=change.get("models"))
    course = change.get("course", {})
    if kind in (kinds.ENDED, kinds.SETTLED) and "course" in change:
        # The options given may be those agreed on before: then the file has an empty course.
        course = {**{name: history.terms.course[name] for name in SETTLED_BY}, **course}
    return apply(history, Command(kind, amendment, None, number, hand, course, change.get("swapped", ())), at)


def _came_to_the_same(history: History, change: Mapping[str, Any]) -> bool:
    made = history.changes[-1]
    hand = whole_hand_json(history.hand(made.hand_number)) if made.hand_number else None
    again = _change_json(made, hand)
    before = TableState.from_json(change["before"]) == TableState.from_json(made.before)
    return before and made.kind == change["kind"] and all(again.get(name) == change.get(name) for name in _RESULTS)
