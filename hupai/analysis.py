"""Many concealed hands scored in the same circumstances, as arrays: for analysts and simulations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring.context import Context
from scoring.errors import InvalidRequest, quoted
from scoring.hand import Hand
from scoring.payments import Payments, Transfer
from scoring.request import Request, parse_request
from scoring.rules import system_named
from scoring.score import Score, score_case
from scoring.seats import SEATS
from scoring.system import Case, RuleSystem
from scoring.tiles import KINDS, PLAIN, Tile

CHUNK: Final = 2_000
"""Hands that a process takes at once."""
WORTH_A_PROCESS: Final = 20_000
"""Minimum number of hands per further process: fewer would be scored before it has started."""
_TILES: Final = np.array(PLAIN, dtype=object)


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of N hands, in their order.

    Attributes:
        legal: (N,) bool: whether the hand may win.
        value: (N,) int64: in the unit of the rules, after the limit; 0 if the tiles make no winning shape.
        fu: (N,) int64: the fu of riichi; 0 under other rules and for a yakuman.
        payments: (N, 4) float64: what east, south, west and north win or lose, zeros if the hand may not win.

    Raises:
        ValueError: arrays of different lengths.
    """

    legal: NDArray[np.bool_]
    value: NDArray[np.int64]
    fu: NDArray[np.int64]
    payments: NDArray[np.float64]

    def __post_init__(self) -> None:
        if len({len(self.legal), len(self.value), len(self.fu), len(self.payments)}) > 1:
            raise ValueError("Every hand has a row in each array.")

    def __len__(self) -> int:
        return len(self.legal)


def score_many(
    hands: NDArray[np.integer[Any]],
    rules: str = "riichi",
    *,
    context: Mapping[str, object],
    options: Mapping[str, object] | None = None,
    workers: int = 1,
) -> Scores:
    """Score concealed hands that were all won in the same way.

    ::

        from hupai.analysis import score_many

        hands = numpy.array([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 13, 11]])  # 123456789m 12p 55p, won with 3p
        scores = score_many(hands, "riichi", context={"seat": "S", "win": "self_draw"})
        print(scores.value, scores.fu, scores.payments)

    Args:
        hands: (N, 14) whole numbers, 17 instead of 14 under Taiwanese rules: the tile kinds of each hand, 0-8
            characters, 9-17 dots, 18-26 bamboo, 27-33 east south west north white green red. The last one won.
        rules: a system or an alias of it.
        context: the circumstances as in a score request; a discard needs ``from``.
        options: house rules, as in a score request.
        workers: number of processes, including this one; the others take some tenths of a second to start, so small
            inputs use fewer. With more than one, a script that calls this needs the usual
            ``if __name__ == "__main__":``.

    Raises:
        InvalidRequest: invalid circumstances or options, hands of another size, kinds that do not exist,
            an impossible hand (the message names its row), an argument of another type.
    """
    circumstances = {"rules": rules, "context": _copied(context), "options": _copied(options or {})}
    _refuse_shape(hands, system_named(rules).shapes.size)
    if not isinstance(workers, int | np.integer):
        message = f"workers is a whole number from 1, not {quoted(workers)}."
        raise InvalidRequest(message, code="bad_value", field="workers")
    if hands.size and not (hands.min() >= 0 and hands.max() < KINDS):
        raise InvalidRequest(f"Kinds of tiles are 0 to {KINDS - 1}.", code="bad_value", field="hands")
    _circumstances(circumstances)
    rows, places = _side_by_side(hands)
    parts = [(circumstances, rows[at : at + CHUNK]) for at in range(0, len(rows), CHUNK)]
    try:
        found = _shared(parts, min(workers - 1, len(rows) // WORTH_A_PROCESS))
    except InvalidRequest as error:
        raise _first_wrong(circumstances, hands, error) from error
    empty = Scores(np.zeros(0, bool), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 4)))
    columns = zip(*((s.legal, s.value, s.fu, s.payments) for s in (empty, *found)), strict=True)
    return Scores(*(np.concatenate(column)[places] for column in columns))


def _copied(given: object) -> object:
    """Return a mapping as a dict, which every process understands; anything else unchanged, to be refused."""
    return dict(given) if isinstance(given, Mapping) else given


def _refuse_shape(hands: object, size: int) -> None:
    """Refuse what is no array of whole numbers, or has other columns than the tiles of a hand."""
    whole = isinstance(hands, np.ndarray) and np.issubdtype(hands.dtype, np.integer)
    if isinstance(hands, np.ndarray) and whole and hands.ndim == 2 and hands.shape[1] == size:
        return
    given = f"{hands.dtype} of {hands.shape}" if isinstance(hands, np.ndarray) else f"a {type(hands).__name__}"
    message = f"Hands are an array of whole numbers of the shape (N, {size}), not {given}."
    raise InvalidRequest(message, code="bad_value", field="hands")


def _side_by_side(hands: NDArray[np.integer[Any]]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return the different hands, and the index of each hand among them.

    Those with the same winning tile are adjacent, and among them those with the same tiles in its suit, so that lookups
    in the tables that scoring fills hit the processor's cache.

    Returns:
        (M, size) uint8, M at most N, and (N,) rows of it.
    """
    won = hands[:, -1:].astype(np.int16)
    suit = won // 9 * 9
    others = np.sort((hands[:, :-1] - suit) % 36, axis=1)  # four suits of nine, the winning tile's first
    order = np.lexsort([*others.T[::-1], won[:, 0]])
    rows = np.hstack([(others + suit) % 36, won])[order].astype(np.uint8)
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    places = np.empty(len(rows), np.intp)
    places[order] = np.cumsum(new) - 1
    return rows[new], places


_Part = tuple[Mapping[str, Any], NDArray[np.uint8]]


def _shared(parts: Sequence[_Part], helpers: int) -> list[Scores]:
    """Return the scores of every part: helpers start with the first parts, this process with the last."""
    if helpers < 1:
        return [_scored(part) for part in parts]
    with ProcessPoolExecutor(helpers, mp_context=get_context("spawn")) as pool:
        left = [pool.submit(_scored, part) for part in parts]
        try:
            own = {at: _scored(parts[at]) for at in reversed(range(len(parts))) if left[at].cancel()}
            return [own[at] if at in own else future.result() for at, future in enumerate(left)]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _first_wrong(
    circumstances: Mapping[str, Any], hands: NDArray[np.integer[Any]], error: InvalidRequest
) -> InvalidRequest:
    """Return the error of the first impossible hand, with its row; ``error`` if every hand is possible."""
    score_one = _scorer(circumstances)
    for row, tiles in enumerate(_TILES[hands].tolist()):
        try:
            score_one(tiles)
        except InvalidRequest as wrong:
            return InvalidRequest(f"Hand {row}: {wrong.message}", code=wrong.code, field="hands")
    return error


def _circumstances(circumstances: Mapping[str, Any]) -> tuple[RuleSystem[Any], Context, Any]:
    """Return system, context and house rules, as for a single hand."""
    sets = system_named(circumstances["rules"]).shapes.sets
    plain = [PLAIN[k].code for low in (0, 3, 6, 9, 12)[:sets] for k in (low, low + 1, low + 2)] + [PLAIN[17].code]
    request: Request = parse_request({**circumstances, "concealed": plain, "winning_tile": PLAIN[17].code})
    context = request.case.context
    if request.case.claimed and context.source is None:
        raise InvalidRequest("Say whose tile it was: give 'from'.", code="from_needed", field="context.from")
    return request.system, context, request.case.options


def _scorer(circumstances: Mapping[str, Any]) -> Callable[[list[Tile]], Score]:
    """Return the function that scores the tiles of one hand, the winning tile last."""
    system, context, options = _circumstances(circumstances)
    sets = system.shapes.sets

    def score_one(tiles: list[Tile]) -> Score:
        *concealed, won = tiles
        return score_case(system, Case(Hand(tuple(concealed), (), won, (), sets), context, options))

    return score_one


def _scored(part: _Part) -> Scores:
    """Return the scores of one part of the hands; in lists of numbers, which do not burden the garbage collector."""
    circumstances, rows = part
    score_one = _scorer(circumstances)
    legal: list[bool] = []
    value: list[int] = []
    fu: list[int] = []
    nets: list[tuple[float, ...]] = []
    for tiles in _TILES[rows].tolist():
        found = score_one(tiles)
        tally, payments = found.tally, found.payments
        legal.append(found.refusal is None)
        value.append(tally.value if tally else 0)
        fu.append(tally.extra.get("fu") or 0 if tally else 0)
        nets.append(_net(payments.transfers) if payments and payments.transfers else _NOTHING)
    net = np.array(nets, np.float64).reshape(-1, len(SEATS))
    return Scores(np.array(legal, bool), np.array(value, np.int64), np.array(fu, np.int64), net)


_NOTHING: Final = (0.0,) * len(SEATS)


@lru_cache(maxsize=1 << 12)
def _net(transfers: tuple[Transfer, ...]) -> tuple[float, ...]:
    net = Payments(transfers).net
    return tuple(float(net[seat.value]) for seat in SEATS)
