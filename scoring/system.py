"""The interface of a rule system: elements, house rules, and five steps from a complete hand to payments.

Another system is one new file in ``scoring/rules/`` with a subclass of :class:`RuleSystem`.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from scoring.arrangements.arrange import Arrangement, arrangements
from scoring.basics.context_field import context_fields
from scoring.basics.counts import kind_bits
from scoring.context import SELF_DRAW, Context
from scoring.errors import Fault, format_count
from scoring.hand import NOT_BONUS, Hand
from scoring.options import OptionInfo, describe_options, options_of
from scoring.payments import Payments
from scoring.rulebook.conventions import GameConventions
from scoring.rulebook.presets import Preset
from scoring.rulebook.result import Result
from scoring.rulebook.shapes import Shapes
from scoring.tiles import NORTH, WHITE, format_tiles
from scoring.words.sentence import joined, labelled, say

O = TypeVar("O")  # noqa: E741 - the option class of a system
F = TypeVar("F")  # a fact that a single system needs


@dataclass(frozen=True, slots=True)
class Element:
    """One thing a hand can score.

    Attributes:
        id: snake_case id of the specification. name: English. native: the original script.
        value: the listed value as people write it (``3``, ``1 each``, ``x2``).
        condition: when it counts, one clause. group: heading in the printed table.
    """

    id: str
    name: str
    native: str
    value: str
    condition: str
    group: str = ""

    def __str__(self) -> str:
        return self.name


def english_name(id_: str) -> str:
    """The name of an element that is written like its id."""
    return " ".join(w if w in ("a", "and", "of", "on", "or", "the", "with") else w.capitalize() for w in id_.split("_"))


class Line(NamedTuple):
    """One scored element, which appears once in a score; a named tuple, since several are created for every hand.

    Attributes:
        element: which. value: everything it adds in the system's unit, over all occurrences.
        count: how often it counts (three animals, two dora). about: the tiles or sets that meet it.
        listed: what it would add as listed, where the house gives the element another value; else None.
    """

    element: Element
    value: int
    count: int = 1  # type: ignore[assignment]  # of no use on lines, and hidden by their own
    about: tuple[object, ...] = ()
    listed: int | None = None

    def valued(self, value: int) -> Line:
        """Return the line with the value that it has in this house."""
        return self if value == self.value else self._replace(value=value, listed=self.value)

    @property
    def why(self) -> str:
        """The condition, with the tiles that meet it."""
        element, _, _, about, _ = self
        if not about:
            return element.condition
        text = str(about[0]) if len(about) == 1 else " ".join(map(str, about))
        return labelled(say(element.condition), text) if text else element.condition

    def to_json(self, why: str | None = None) -> dict[str, Any]:
        """Return the ``elements`` entry of a score response; ``why``: the line's own reason if already known."""
        element, value, count, _, listed = self
        return {
            "id": element.id,
            "name": element.name,
            "native": element.native,
            "value": value,
            "count": count,
            "listed": listed,
            "why": self.why if why is None else why,
        }


def house_lines(
    lines: Iterable[Line], values: Mapping[str, int], over_all: Callable[[int, int], int] = operator.mul
) -> list[Line]:
    """Return the lines of the elements that a house plays, at its values (:func:`scoring.options.element_values`).

    ``over_all`` makes the value of a line of an element's value and how often it counts.
    """
    if not values:
        return list(lines)
    found = []
    for line in lines:
        each = values.get(line.element.id)
        if each is None:
            found.append(line)
        elif each:
            found.append(line.valued(over_all(each, line.count)))
    return found


@dataclass(frozen=True, slots=True)
class UncountedElement:
    """An element that a hand meets but that was not counted.

    Attributes:
        element: which. by: the element that is counted in its place. why: the reason, a clause.
    """

    element: Element
    by: Element
    why: str

    def __str__(self) -> str:
        return f"Not counted: {self.element.name} {self.element.native}, {self.why}."

    def to_json(self) -> dict[str, str]:
        """The ``not_counted`` entry of a score response."""
        e = self.element
        return {"id": e.id, "name": e.name, "native": e.native, "by": self.by.id, "why": self.why}


class LazySentences(partial[Iterable[str]]):
    """Sentences that are computed only when they are read, by calling the wrapped function: most are never read."""

    def __iter__(self) -> Iterator[str]:
        return iter(self())


_NOTHING_MORE: Mapping[str, Any] = {}


class Tally(NamedTuple):
    """The value of one arrangement; a named tuple, since one is created for every arrangement.

    Attributes:
        lines: the elements that count. value: after the limit. uncapped: before it.
        rank: arrangements are compared by it, larger wins (after the limit first, as the specifications say).
        limit: name of the limit that was reached, or None.
        extra: figures that only some systems have: ``fu``, ``points``, ``yakuman``; part of the JSON total.
        notes: further steps of the sum for the explanation (fu, limit, rounding); :class:`LazySentences`
            if they are long.
        line_unit: the unit of the lines' values if it is not the system's.
    """

    lines: tuple[Line, ...]
    value: int
    uncapped: int
    rank: tuple[int, ...]
    limit: str | None = None
    extra: Mapping[str, Any] = _NOTHING_MORE
    notes: Iterable[str] = ()
    line_unit: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a hand may not win: ``code`` for programs, ``message`` for people, ``parts`` if there are several reasons."""

    code: str
    message: str
    parts: tuple[Refusal, ...] = ()

    @property
    def reasons(self) -> tuple[Refusal, ...]:
        """Its reasons one by one; itself if it is the only one."""
        return self.parts or (self,)

    @classmethod
    def of(cls, reasons: Sequence[Refusal]) -> Refusal:
        """Return the refusal for these reasons: with the first one's code and all the sentences."""
        return cls(reasons[0].code, joined([r.message for r in reasons], " "), tuple(reasons))


SUITS: Final = tuple(kind_bits(*range(base, base + 9)) for base in (0, 9, 18))
_TERMINALS: Final = kind_bits(0, 8, 9, 17, 18, 26)
SIMPLES: Final = kind_bits(*range(27)) & ~_TERMINALS
HONOURS: Final = kind_bits(*range(27, 34))
WHITES: Final = kind_bits(WHITE)
_NINE_GATES = bytes((3, 1, 1, 1, 1, 1, 1, 1, 3))


@dataclass(slots=True)  # not frozen: one is created for every score, and nobody keeps it
class Case(Generic[O]):
    """One hand in its circumstances under house rules, with the facts that every system needs.

    Attributes:
        hand, context: what is scored. options: the system's house rules.
        computed: what :meth:`compute_once` has found.
    """

    hand: Hand
    context: Context
    options: O

    computed: dict[Callable[[Any], Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def compute_once(self, compute: Callable[[Case[O]], F]) -> F:
        """Return ``compute(case)``, computed once: for facts that a system needs for every arrangement."""
        found: F | None = self.computed.get(compute)
        if found is None:
            self.computed[compute] = found = compute(self)
        return found

    @property
    def claimed(self) -> bool:
        """Whether the winning tile was another player's."""
        return self.context.win is not SELF_DRAW

    @property
    def is_result_only(self) -> bool:
        """Whether only a result is known, and no tiles."""
        return not (self.hand.concealed or self.hand.melds or self.hand.bonus or self.hand.winning_tile)

    @property
    def is_concealed(self) -> bool:
        """Whether there is no meld but concealed kongs."""
        return self.hand.is_concealed

    @property
    def counts(self) -> bytes:
        """34 numbers: all playable tiles, melds and winning tile included."""
        return self.hand.counts

    @property
    def suits(self) -> tuple[bool, bool, bool]:
        """Which of characters, dots, bamboo are present."""
        kinds = self.hand.kinds
        return bool(kinds & SUITS[0]), bool(kinds & SUITS[1]), bool(kinds & SUITS[2])

    @property
    def suit_count(self) -> int:
        """How many suits are present, 0-3."""
        return sum(self.suits)

    @property
    def has_honours(self) -> bool:
        """Whether there is any wind or dragon."""
        return self.hand.kinds & HONOURS != 0

    @property
    def has_simples(self) -> bool:
        """Whether there is any 2-8."""
        return self.hand.kinds & SIMPLES != 0

    @property
    def has_terminals(self) -> bool:
        """Whether there is any 1 or 9."""
        return self.hand.kinds & _TERMINALS != 0

    @property
    def nine_gates_wait(self) -> bool:
        """Whether the 13 concealed tiles before the win are 1112345678999 of one suit."""
        won = self.hand.winning_tile
        if self.hand.melds or won is None or won.kind >= 27:
            return False
        base = won.kind - won.kind % 9
        suit = bytearray(self.hand.held[base : base + 9])
        suit[won.kind - base] -= 1
        return suit == _NINE_GATES


class RuleSystem(ABC, Generic[O]):
    """One way to score a hand.

    Class attributes:
        id: the contract's name. name, native: for people. aliases: other accepted names.
        unit: ``faan``, ``points``, ``factor``, ``doubles``, ``han`` or ``tai``.
        option_class: frozen dataclass of house rules (see ``scoring.options``).
        elements: every element, in the specification's order.
        context_class: the circumstances it knows: ``Context``, or a subclass with fields of its own.
        asks: context fields it reads besides seat, win and from; the first entries must be asked.
        prompts: fields of ``asks`` that nearly every hand turns on; a program asks for them beside the amounts until
            somebody, the photo or the game has said them.
        also_reads: context fields it reads from programs but does not ask for, since another field says the same.
        shapes: which special shapes win under its most generous house rules.
        bonus_letters: which bonus tiles are in play (``fga``). red_fives: whether red fives are.
        stand_ins: whether white dragons may stand for another tile, even in melds.
        claims_lie_across: whether players lay a claimed tile across in its set, to show whom it came from.
        liable_kinds: the penalties for ``liable.kind``, each in words; empty if it has none.
        conventions: what it defines beyond scoring a hand.
        presets: house rules that people call by a name.
        absorbs: element -> the elements it contains, which are not scored beside it.
        in_single_tiles: elements that a tile has by itself, such as dora, which nobody makes a hand for.
        compared: values of open options (numbers) that players want to compare with their own.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    native: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str]
    option_class: type[O]
    elements: ClassVar[tuple[Element, ...]]
    context_class: ClassVar[type[Context]] = Context
    asks: ClassVar[tuple[str, ...]]
    prompts: ClassVar[tuple[str, ...]] = ()
    also_reads: ClassVar[tuple[str, ...]] = ()
    shapes: ClassVar[Shapes] = Shapes()
    bonus_letters: ClassVar[str] = ""
    red_fives: ClassVar[bool] = False
    stand_ins: ClassVar[bool] = False
    claims_lie_across: ClassVar[bool] = False
    liable_kinds: ClassVar[Mapping[str, str]] = MappingProxyType({})
    conventions: ClassVar[GameConventions] = GameConventions()
    presets: ClassVar[tuple[Preset, ...]] = ()
    absorbs: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    in_single_tiles: ClassVar[frozenset[str]] = frozenset()
    compared: ClassVar[Mapping[str, tuple[object, ...]]] = MappingProxyType({})

    @property
    def reads(self) -> tuple[str, ...]:
        """Every context field that can change the score or be refused under these rules."""
        return ("seat", "win", "from", *self.asks, *self.also_reads)

    @property
    def unit_name(self) -> str:
        """What players call the unit."""
        return self.unit

    @property
    def options(self) -> tuple[OptionInfo, ...]:
        """The house rules of this system."""
        return describe_options(self.option_class)

    def players(self, options: O) -> int:
        """Return how many play at a table under these house rules; the first seats are theirs."""
        return 4

    def table_size(self, options: Mapping[str, Any]) -> int:
        """Return how many play at a table under these house rules, given as in a request.

        Raises:
            InvalidRequest: invalid house rules.
        """
        return self.players(options_of(self.option_class, options, self.name))

    def sets_norths_aside(self, options: O) -> bool:
        """Return whether norths may be among the bonus tiles."""
        return False

    def kinds_left_out(self, options: O) -> frozenset[int]:
        """Return the kinds of suits and honours that are not played with."""
        return frozenset()

    def shapes_played(self, options: O) -> Shapes:
        """Return the shapes that win under these house rules, for the score, the waits and the reading alike."""
        return self.shapes

    def suppose(self, name: str, case: Case[O]) -> object | None:
        """Return the answer to one of its ``prompts`` that shows what an answer would change; None if none does."""
        ask = context_fields(self.context_class)[name]
        return {"switch": True, "number": ask.low + 1}.get(ask.kind)

    def can_pay_more(self, tally: Tally, options: O) -> bool:
        """Return whether answers to its ``prompts`` can change what a hand of this worth brings."""
        return True

    def faults(self, case: Case[O]) -> list[Fault]:
        """Return everything in the request that is invalid under these rules; systems add their own faults."""
        return tile_faults(self, case)

    @abstractmethod
    def arrangements(self, case: Case[O]) -> Iterable[Arrangement]:
        """Return every arrangement that wins under these rules, in a fixed order."""

    @abstractmethod
    def tally(self, case: Case[O], arrangement: Arrangement) -> Tally:
        """Return what this arrangement is worth."""

    def result_faults(self, case: Case[O]) -> list[Fault]:
        """Return what makes no sense in the circumstances of a result given without tiles."""
        return []

    def result_tally(self, case: Case[O], result: Result) -> Tally:
        """Return what a result given without tiles is worth; the case has no hand.

        Raises:
            InvalidRequest: a figure that these rules do not have.
        """
        value = result.value_in(self.unit)
        return Tally((), value, value, (value,))

    def refusal(self, case: Case[O], arrangement: Arrangement, tally: Tally) -> Refusal | None:
        """Return why the best arrangement may still not win (below the minimum ...), or None."""
        return None

    @abstractmethod
    def settle(self, case: Case[O], arrangement: Arrangement, tally: Tally) -> Payments:
        """Return who pays whom. The discarder's seat is known when this is called."""

    def uncounted_elements(self, case: Case[O], arrangement: Arrangement, tally: Tally) -> Iterable[UncountedElement]:
        """Return the elements that the hand meets but that were not counted."""
        return ()

    def higher_tallies(self, case: Case[O], arrangement: Arrangement, tally: Tally) -> Iterable[tuple[int, str, Tally]]:
        """Return what a few more units would give: (how many more, of what, the tally), the smallest first."""
        return ()

    def describe_value(self, tally: Tally) -> str:
        """Return the value of a tally in words."""
        return say("factor {n}", n=tally.value) if self.unit == "factor" else format_count(tally.value, self.unit_name)

    def shape_refusal(self, case: Case[O]) -> Refusal:
        """Return why a hand without any arrangement may not win."""
        return Refusal("not_a_winning_hand", "The tiles do not make four sets and a pair, nor a special hand.")


def contained_elements(
    met: Iterable[str], lines: Iterable[Line], system: RuleSystem[Any]
) -> Iterator[UncountedElement]:
    """Yield the elements, of all ids met, that no line counts, each with the counted one that contains it."""
    elements = {e.id: e for e in system.elements}
    kept = [line.element for line in lines]
    for id_ in dict.fromkeys(met):
        by = next((e for e in kept if id_ in system.absorbs.get(e.id, ())), None)
        if by is not None and elements[id_] not in kept:
            yield UncountedElement(elements[id_], by, say("contained in {a}", a=by))


def tile_faults(system: RuleSystem[Any], case: Case[Any]) -> list[Fault]:
    """Return faults for tiles that are not in the system's set, or set aside where nobody does that."""
    hand, faults = case.hand, list[Fault]()
    norths = [t for t in hand.bonus if t.kind == NORTH] if hand.kita else []
    if norths and not system.sets_norths_aside(case.options):
        faults.append(Fault("wrong_tile", say(NOT_BONUS, t=format_tiles(norths)), "bonus"))
    foreign = [t for t in hand.bonus if t.is_bonus and t.suit not in system.bonus_letters] if hand.bonus else []
    if foreign:
        text = format_tiles(foreign)
        faults.append(
            Fault(
                "wrong_tile",
                say("{system} does not use {t}; leave the bonus tiles out.", system=system.name, t=text),
                "bonus",
            )
        )
    if hand.reds and not system.red_fives:
        reds = [t for t in hand.tiles if t.red]
        message = say("{system} has no red fives: write {t} as plain fives.", system=system.name, t=format_tiles(reds))
        faults.append(Fault("wrong_tile", message, "concealed"))
    if hand.melds and hand.kinds & WHITES and not system.stand_ins:
        for meld in hand.melds:
            if len({t.kind for t in meld.tiles}) > 1 and any(t.kind == WHITE for t in meld.tiles):
                message = say(
                    "{t} is not a {kind}: in {system} 5z is a white dragon only.",
                    t=format_tiles(meld.tiles),
                    kind=meld.type,
                    system=system.name,
                )
                faults.append(Fault("bad_meld", message, "melds"))
    return faults


def usual_arrangements(case: Case[O], shapes: Shapes) -> Iterable[Arrangement]:
    """Return the usual shapes: four sets and a pair, seven pairs and thirteen orphans when in play."""
    return arrangements(case.hand, shapes, claimed=case.claimed)
