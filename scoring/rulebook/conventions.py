"""What a rule system defines beyond scoring a hand: rotation, draws, penalties, instant payments, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoring.context import Context
from scoring.payments import Payments
from scoring.seats import Seat


class Rotation(StrEnum):
    """When the dealer stays."""

    WIN_OR_DRAW = "win_or_draw"
    WIN = "win"
    NEVER = "never"
    WINNER = "winner"
    RIICHI = "riichi"


@dataclass(frozen=True, slots=True)
class PlayRules:
    """What house rules change about the play around a hand.

    Attributes:
        winners: how many may win on one tile. three_draw: where three could, the hand is drawn early instead.
        each_takes: every winner of a tile is paid the counters and takes his own stick back; otherwise the nearest
            after the discarder takes all of them.
        nagashi, abortive_draws: whether a drawn hand can be one of these.
        after_placing: what a false win costs the offender after the placing; 0: it is paid at the table.
    """

    winners: int = 3
    three_draw: bool = False
    each_takes: bool = False
    nagashi: bool = True
    abortive_draws: bool = True
    after_placing: int = 0


@dataclass(frozen=True, slots=True)
class GameConventions:
    """How games of one system are played around the hand.

    Attributes:
        rotation: when the dealer stays. passes: the shapes of wins after which he does not.
        sticks: players lay riichi sticks into a pot, and draws pay the players who are tenpai.
        winners: how many may win on one discard, at most. play: house rules -> what they change about that and more;
            None: nothing. play_options: the house rules that do, for a game's set-up.
        false_win: (offender, house rules) -> the penalty, or None if the rules name no amount.
        claimed_back: (the claimed win, its value, house rules) -> the penalty, if it is the amount of that win.
        instant: (seat, event, house rules, dealt) -> payment for a rare event, or None if there is none.
        events: the events of ``instant``.
        points: what each player usually begins with; 0 if the rules name nothing. points_of_three: of three players.
        course: how a game of these rules runs and ends, if that differs from the usual (``hupai.games.terms.course``).
    """

    rotation: Rotation = Rotation.WIN_OR_DRAW
    passes: tuple[str, ...] = ()
    sticks: bool = False
    winners: int = 3
    play: Callable[[Any], PlayRules] | None = None
    play_options: tuple[str, ...] = ()
    false_win: Callable[[Seat, Any], Payments] | None = None
    claimed_back: Callable[[Context, int, Any], Payments] | None = None
    instant: Callable[[Seat, str, Any, bool], Payments] | None = None
    events: tuple[str, ...] = ()
    points: int = 0
    points_of_three: int = 0
    course: Mapping[str, Any] = field(default_factory=dict)
