"""The course of a game: how long it lasts, what happens to a player without points, how it is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Final

from scoring.errors import Fault, InvalidRequest
from scoring.options import choice, custom, exact_amount, parse_options, whole
from scoring.payments import plain_amount
from scoring.rulebook.conventions import GameConventions, Rotation
from scoring.seats import SEATS, Seat
from scoring.words.sentence import say

EXTENDABLE: Final = ("rounds", "hands", "minutes", "extension", "dealer_ends")
"""Options that players may change while a game runs, or in order to go on with a game that has ended."""
SETTLED_BY: Final = ("return_points", "uma", "floating_uma", "ties", "sticks_left", "rate")
"""Options that only matter at the end: players may agree on them then."""

_ALWAYS_PASSES: Final = (Rotation.WINNER, Rotation.NEVER)
"""Rotations without a last dealer who may stay and so decide when the game ends."""


def _uma(given: object) -> tuple[Decimal, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) not in (3, 4):
        raise ValueError("must be an amount for each place, the first first, such as [15000, 5000, -5000, -15000]")
    try:
        found = tuple(_signed(value) for value in given)
    except ValueError as error:
        raise ValueError(f"must be an amount for each place: {error}") from error
    if sum(found):
        raise ValueError(f"must come to nothing in all, and these come to {plain_amount(sum(found, Decimal(0)))}")
    return found


def _floating_uma(given: object) -> tuple[tuple[Decimal, ...], ...] | None:
    if given is None or given == "none":
        return None
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ValueError("must be the uma for one player who floats, for two and so on, each as for uma; or none")
    return tuple(_uma(row) for row in given)


def _signed(value: object) -> Decimal:
    if isinstance(value, str) and value.startswith("-"):
        return -exact_amount(value[1:], zero=True)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool) and value < 0:
        return -exact_amount(-value, zero=True)
    return exact_amount(value, zero=True)


def _points(given: object) -> Decimal | None:
    return None if given is None or given == "none" else exact_amount(given, zero=True, example="30000")


def _rate(given: object) -> Decimal:
    return exact_amount(given, zero=True, example="0.05")


@dataclass(frozen=True, slots=True)
class Course:
    """What the players of a game agree on besides the rules of its hands. Reasons for the defaults: docs/games.md.

    Made and checked by :func:`course_of`.
    """

    rounds: int | None = whole(
        4, "the game ends after so many winds, east first; none: it goes on", low=1, high=4, words=(None,)
    )
    hands: int | None = whole(
        None, "the game ends after so many hands, draws counted; none: it goes on", low=1, high=1000, words=(None,)
    )
    minutes: int | None = whole(
        None,
        "the hand in play when so many minutes are over since the game began is the last; none: no time is set",
        low=1,
        high=10_000,
        words=(None,),
    )
    out_of_points: str = choice(
        "owes",
        ("pays_what_is_left", "ends_below_zero", "ends_at_zero"),
        "a player without points: he owes what he cannot pay; he pays what he has left, owes nothing and plays on; or "
        "the game ends, once somebody has less than nothing, or nothing",
    )
    dealer_ends: str = choice(
        "off",
        ("win", "win_or_ready"),
        "the last dealer of the last round, when he leads, ends the game by winning (agari-yame), or by a draw when he "
        "is ready as well (tenpai-yame)",
    )
    extension: Decimal | None = custom(
        None,
        _points,
        "points that somebody must have after the last round; otherwise another one is begun, which ends as soon as "
        "somebody has them; none: no extension",
        accepts="a number from 0 up, or none",
    )
    return_points: Decimal | None = custom(
        None,
        _points,
        "points counted as zero at the end; what they are more than the starting points goes to the first (oka); none: "
        "the starting points",
        accepts="a number from 0 up, or none",
    )
    uma: tuple[Decimal, ...] = custom(
        (Decimal(0),) * 4,
        _uma,
        "added at the end by place, first place first",
        accepts="an amount for each place; they come to nothing in all",
    )
    floating_uma: tuple[tuple[Decimal, ...], ...] | None = custom(
        None,
        _floating_uma,
        "uma by how many float, that is end with the return points or more: for one, for two and so on, in place of "
        "uma; where nobody or everybody floats there is none; none: uma alone",
        accepts="amounts for each place, for one floating player, two and so on; or none",
    )
    ties: str = choice("share", ("seat",), "equal totals share their places, or who dealt first is before the other")
    sticks_left: str = choice("first", ("nobody",), "who gets the riichi sticks, or the jackpot, left at the end")
    jackpot: Decimal | None = custom(
        None,
        _points,
        "what every player pays into the jackpot when a hand is drawn; none: there is no jackpot",
        accepts="a number from 0 up, or none",
    )
    jackpot_from: int = whole(0, "the value with which a win takes the jackpot", high=1000)
    rate: Decimal = custom(Decimal(1), _rate, "money for a point", accepts="a number from 0 up")

    def to_json(self) -> dict[str, Any]:
        """For the API and the store: every option with its value."""
        return {f.name: _value(getattr(self, f.name)) for f in fields(self)}


def _value(value: object) -> Any:
    if isinstance(value, Decimal):
        return plain_amount(value)
    return [_value(v) for v in value] if isinstance(value, tuple) else value


def course_of(
    given: Mapping[str, Any],
    conventions: GameConventions,
    rotation: Rotation,
    starting_points: Decimal,
    start_round: Seat = Seat.E,
    players: int = 4,
) -> Course:
    """Return the course of a game from the given options; for the rest, the conventions of its rules apply.

    Args:
        given: option -> value as JSON gives it. conventions: of the rule system.
        rotation: how the deal passes in this game.
        starting_points: what each player begins with. start_round: the round wind it begins with.
        players: how many.

    Raises:
        InvalidRequest: unknown options, values out of range, options that do not apply to such a game; all are named.
    """
    usual = dict(conventions.course)
    if rotation is Rotation.WINNER:
        usual["rounds"] = None
    if rotation in _ALWAYS_PASSES:
        usual["dealer_ends"] = "off"
    if players != len(SEATS):
        usual["uma"] = [0] * players
    if not starting_points:
        usual["out_of_points"] = "owes"
    course, faults = parse_options(Course, {**usual, **given}, "A game's course")
    faults = [Fault(f.code, f.message, f.field.replace("options.", "course.", 1)) for f in faults if f.field]
    faults += _pointless(course, given, conventions, rotation, starting_points, players)
    rows = (course.uma, *(course.floating_uma or ()))
    for row in rows:
        if len(row) != players:
            message = say("uma: it has {n} amounts for {m} players.", n=len(row), m=players)
            faults.append(Fault("bad_option", message, "course.uma" if row is course.uma else "course.floating_uma"))
    if course.floating_uma is not None and len(rows) != players:
        message = say("floating_uma: give uma for 1 to {n} floating players.", n=players - 1)
        faults.append(Fault("bad_option", message, "course.floating_uma"))
    if course.rounds is not None and start_round.turn >= course.rounds:
        last = SEATS[course.rounds - 1]
        template = "A game of {n} rounds ends with round {s}: it cannot begin with {v}."
        message = say(template, n=course.rounds, s=last, v=start_round)
        faults.append(Fault("contradiction", message, "course.rounds"))
    if faults:
        raise InvalidRequest.of(faults)
    return course


def _pointless(
    course: Course,
    given: Mapping[str, Any],
    conventions: GameConventions,
    rotation: Rotation,
    points: Decimal,
    players: int,
) -> list[Fault]:
    found: list[tuple[str, str]] = []
    if not points and given.get("out_of_points", "owes") != "owes":
        found.append(("out_of_points", "nobody runs out of points where none are given at the start: set them"))
    if conventions.sticks and course.out_of_points == "pays_what_is_left":
        found.append(("out_of_points", "riichi sticks are laid in full: let players owe, or the game end"))
    if rotation is Rotation.WINNER and course.rounds is not None:
        found.append(("rounds", "where the winner deals next there are no rounds: set hands or minutes"))
    if rotation in _ALWAYS_PASSES and course.dealer_ends != "off":
        found.append(("dealer_ends", "here the last dealer does not stay"))
    if course.dealer_ends == "win_or_ready" and rotation is not Rotation.RIICHI:
        found.append(("dealer_ends", "only riichi asks who was ready at a draw: write win"))
    if course.extension is not None and (course.rounds is None or course.rounds >= players):
        found.append(("extension", "it needs a last round, of east, south or west, to be added to"))
    if course.rounds is not None and course.rounds > players:
        found.append(("rounds", say("{n} players play {n} rounds at most", n=players)))
    if course.sticks_left != "first" and not conventions.sticks and not course.jackpot:
        found.append(("sticks_left", "these rules have no riichi sticks"))
    if course.jackpot and conventions.sticks:
        found.append(("jackpot", "these rules have riichi sticks in its place"))
    if course.jackpot_from and not course.jackpot:
        found.append(("jackpot_from", "it needs a jackpot"))
    if course.return_points is not None and course.return_points < points:
        found.append(("return_points", say("they are at least the starting points, {n}", n=plain_amount(points))))
    return [Fault("contradiction", say("{name}: {a}.", name=name, a=say(why)), f"course.{name}") for name, why in found]
