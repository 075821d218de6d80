"""What a log says of a game: one plain form for all formats. Players are numbered from 0; the first one dealt first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from hupai.basics.names import MAX_CHARACTERS, fold_name
from scoring.arrangements.splits import count_tiles, waits_from_counts
from scoring.errors import Fault, InvalidRequest
from scoring.rulebook.shapes import Shapes
from scoring.seats import SEATS
from scoring.tiles import BY_CODE
from scoring.words.sentence import say

Raw = TypeVar("Raw")
NOT_AS_EXPECTED: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration)
"""What reading data raises that is not of the form it should have."""
MAX_HANDS: Final = 300
"""Of a log; a long game has thirty."""
_SHAPES: Final = Shapes(quad_pairs=False)
_DAMAGED: Final = "Hand {n} of this log cannot be read: it is damaged, or written in a way that hupai does not know."
_NO_GAME: Final = "This log has {n} players and {m} hands: give the log of one game of three or four players."
_NOBODY: Final = "Hand {n} of this log names a player who does not sit at the table."


@dataclass(frozen=True, slots=True)
class LoggedWin:
    """One winner of a hand.

    Attributes:
        winner, payer: the payer is None for a self-draw.
        yaku: element -> han, where they are told; names that hupai does not know as they are.
        circumstances: yaku that a log without yaku shows by its events, such as ``ippatsu``.
        fu: None: not told. han: where the yaku are not told. yakuman: how many, or 0. liable: who is for one, or None.
        hand: see :func:`hand_of`; empty where no tiles are told.
    """

    winner: int
    payer: int | None
    yaku: Mapping[str, int]
    fu: int | None = None
    han: int = 0
    yakuman: int = 0
    liable: int | None = None
    hand: Mapping[str, Any] = field(default_factory=dict)
    circumstances: tuple[str, ...] = ()

    @property
    def told(self) -> set[str]:
        """The yaku that the log tells or shows."""
        return {*self.yaku, *self.circumstances}

    def __post_init__(self) -> None:
        if not all(isinstance(number, int) for number in (self.han, self.yakuman, *self.yaku.values())):
            raise TypeError(self.yaku)


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One hand.

    Attributes:
        table: the round from 0, east; the dealer; counters and sticks before the hand, None where they are not told.
        outcome: ``win``, ``draw`` or ``false_win``. riichi, ready, nagashi: players. abortive: drawn early.
        offender: of a false win. dora, ura: indicators. paid: what each got, less the riichi sticks; None: not told.
    """

    table: tuple[int, int, int | None, int | None]
    outcome: str
    wins: tuple[LoggedWin, ...] = ()
    riichi: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()
    nagashi: tuple[int, ...] = ()
    abortive: bool = False
    offender: int | None = None
    dora: tuple[str, ...] = ()
    ura: tuple[str, ...] = ()
    paid: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        told = (*self.table, *self.named, *(self.paid or ()))
        if not all(isinstance(number, int | None) for number in told):
            raise TypeError(told)

    @property
    def named(self) -> set[int]:
        """Every player it names."""
        of_wins = [p for w in self.wins for p in (w.winner, w.payer, w.liable)]
        fed = [m.get("from") for w in self.wins for m in w.hand.get("melds", ())]
        named = {self.table[1], self.offender, *self.riichi, *self.ready, *self.nagashi, *of_wins, *fed}
        return {player for player in named if player is not None}


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game.

    Attributes:
        source: the program. name: of the log. preset: whose house rules it is played by, or "". options, course: what
            the log says besides. points: of each before the first hand. final: at the end, sticks included;
            None: not told.

    Raises:
        InvalidRequest: no hands, not three or four players, hands of others.
    """

    source: str
    name: str
    players: tuple[str, ...]
    preset: str
    options: Mapping[str, Any]
    course: Mapping[str, Any]
    points: tuple[int, ...]
    hands: tuple[LoggedHand, ...]
    final: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        seated = set(range(len(self.players)))
        if len(self.points) != len(seated) or not all(isinstance(amount, int) for amount in self.points):
            raise TypeError(self.points)
        refuse_no_game(len(seated), len(self.hands))
        for number, hand in enumerate(self.hands, 1):
            if not hand.named <= seated or hand.table[0] not in range(len(SEATS)):
                raise InvalidRequest.of([Fault("bad_value", say(_NOBODY, n=number), f"log[{number - 1}]")])

    @property
    def whole(self) -> bool:
        """Whether it begins with the first hand; many logs show only a part."""
        return len(set(self.points)) == 1 and not any(self.hands[0].table)


def refuse_no_game(players: int, hands: int) -> None:
    """Refuse what is not one game: too many hands or none, too many or too few players.

    Raises:
        InvalidRequest: it is not.
    """
    if players not in (3, 4) or not 1 <= hands <= MAX_HANDS:
        raise InvalidRequest.of([Fault("bad_value", say(_NO_GAME, n=players, m=hands), "log")])


def read_hands(raw: Iterable[Raw], read: Callable[[Raw], LoggedHand]) -> tuple[LoggedHand, ...]:
    """Read every hand of a log.

    Raises:
        InvalidRequest: one that cannot be read.
    """
    found = []
    for number, one in enumerate(raw, 1):
        try:
            found.append(read(one))
        except NOT_AS_EXPECTED as error:
            raise InvalidRequest.of([Fault("bad_value", say(_DAMAGED, n=number), f"log[{number - 1}]")]) from error
    return tuple(found)


def hand_of(tiles: Sequence[str], won: str, melds: Sequence[Mapping[str, Any]], norths: int) -> dict[str, Any]:
    """Return a hand as in a score request, but for ``from`` of a meld, which is a player.

    Args:
        tiles: the concealed ones, the winning one perhaps among them. norths: set aside.
    """
    held = list(tiles)
    if len(held) % 3 == 2:
        held.remove(won)
    return {"concealed": held, "melds": melds, "winning_tile": won, "bonus": ["4z"] * norths}


def is_ready(tiles: Iterable[str]) -> bool:
    """Whether concealed tiles are one short of a win."""
    return bool(waits_from_counts(count_tiles([BY_CODE[code] for code in tiles]), _SHAPES))


def split(items: Sequence[Raw], starts: Sequence[int]) -> list[Sequence[Raw]]:
    """Return the items from each start to the next."""
    return [items[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)]


def different_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of players that differ: guests all have the same one, and robots none."""
    found: list[str] = []
    for number, name in enumerate(names, 1):
        whole = plain_name(name) or f"Player {number}"
        taken = {fold_name(other) for other in found}
        found.append(f"{whole[: MAX_CHARACTERS - 2]} {number}" if fold_name(whole) in taken else whole)
    return tuple(found)


def plain_name(name: object) -> str:
    """Return a name without what :func:`~hupai.basics.names.clean_name` refuses, cut where it is too long."""
    shown = "".join(c if c.isprintable() and c not in "<>" else " " for c in str(name))
    return " ".join(shown.split())[:MAX_CHARACTERS].rstrip()


def net_of(deltas: Iterable[Sequence[int]], riichi: Iterable[int], players: int) -> tuple[int, ...]:
    """Return what each player got in all, less the sticks that were laid; logs leave these out."""
    laid = set(riichi)
    sums = [sum(column) for column in zip(*deltas, strict=True)] or [0] * players
    return tuple(sums[player] - 1000 * (player in laid) for player in range(players))


def one_round(players: int) -> dict[str, Any]:
    """Return the course of a game of Tenhou in which only east is played; source: the results in its logs."""
    return {"rounds": 1} if players == 3 else {"rounds": 1, "uma": [10_000, 5000, -5000, -10_000]}


def fold_field_names(value: Any) -> Any:
    """Return JSON with the names of all fields in small letters, without underscores: exporters differ in both."""
    if isinstance(value, Mapping):
        return {str(name).replace("_", "").casefold(): fold_field_names(one) for name, one in value.items()}
    return [fold_field_names(one) for one in value] if isinstance(value, list) else value
