"""Hands per second of the scoring core, compared with the PyPI package ``mahjong`` on the same riichi hands.

Usage: ``python -m scripts.bench.scoring [--hands 2000] [--rounds 5]``. Both sides start from prepared tiles, melds and
circumstances, and build their own hand and settings inside the clock. The clock is CPU time, and the sides take turns
every 200 hands, so that a busy machine slows both alike. The first round is reported on its own: there no cache is
warm. That both count the same is what ``tests/scoring/riichi/test_riichi_oracle.py`` holds.
"""

from __future__ import annotations

import gc
import platform
import random
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import typer
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as TheirMeld

from scoring.context import Win
from scoring.hand import Hand, Meld, MeldType
from scoring.request import respond
from scoring.rules.riichi.context import RiichiContext
from scoring.score import score
from scoring.seats import SEATS, Seat
from scoring.tiles import KINDS, PLAIN, SUITS, Tile, tile

COPIES = 4


@dataclass(frozen=True, slots=True)
class RiichiHand:
    """A winning hand in parts: kinds with a copy number (0-3; copy 0 of a suited five is the red one)."""

    concealed: tuple[int, ...]  # kind * 4 + copy, the winning tile last
    melds: tuple[tuple[MeldType, tuple[int, ...]], ...]
    seat: Seat
    round: Seat
    win: Win
    riichi: bool
    indicators: tuple[int, ...]
    counters: int


def tile_numbered(number: int) -> Tile:
    """The tile of kind * 4 + copy."""
    kind, copy = divmod(number, COPIES)
    return tile(f"0{SUITS[kind // 9]}") if kind in (4, 13, 22) and not copy else PLAIN[kind]


def deal(rng: random.Random) -> RiichiHand:
    """Four sets and a pair, now and then seven pairs; melds, kans, dora and riichi about as often as in play."""
    while True:
        wall = [list(range(COPIES * k, COPIES * k + COPIES)) for k in range(KINDS)]
        for copies in wall:
            rng.shuffle(copies)
        try:
            if rng.random() < 0.04:
                groups = [[wall[k].pop(), wall[k].pop()] for k in rng.sample(range(KINDS), 7)]
                return _build_hand(rng, wall, groups, 0)
            groups = [_draw_group(rng, wall) for _ in range(4)]
            pair = rng.randrange(KINDS)
            groups.append([wall[pair].pop(), wall[pair].pop()])
            return _build_hand(rng, wall, groups, rng.choice((0, 0, 0, 1, 1, 2, 3)))
        except IndexError:  # a fifth tile of a kind: deal again
            continue


def _draw_group(rng: random.Random, wall: list[list[int]]) -> list[int]:
    if rng.random() < 0.72:
        low = 9 * rng.randrange(3) + rng.randrange(7)
        return [wall[low + i].pop() for i in range(3)]
    kind = rng.randrange(KINDS)
    return [wall[kind].pop() for _ in range(3)]


def _build_hand(rng: random.Random, wall: list[list[int]], groups: list[list[int]], claimed: int) -> RiichiHand:
    melds = []
    for group in groups[:claimed]:
        kind = group[0] // COPIES
        if group[1] // COPIES != kind:
            melds.append((MeldType.CHOW, tuple(group)))
        elif wall[kind] and rng.random() < 0.15:
            melds.append((MeldType.KONG_OPEN, (*group, wall[kind].pop())))
        else:
            melds.append((MeldType.PUNG, tuple(group)))
    concealed = [n for group in groups[claimed:] for n in group]
    rng.shuffle(concealed)
    left = [n for copies in wall for n in copies]
    return RiichiHand(
        tuple(concealed),
        tuple(melds),
        seat=rng.choice(SEATS),
        round=rng.choice(SEATS[:2]),
        win=rng.choice((Win.SELF_DRAW, Win.DISCARD)),
        riichi=not claimed and rng.random() < 0.7,
        indicators=tuple(rng.sample(left, rng.choice((1, 1, 1, 2)))),
        counters=rng.choice((0, 0, 1)),
    )


Task = Callable[[], Any]


def our_task(d: RiichiHand) -> Task:
    """Hand and context are built inside; the result holds elements, fu, arrangement and every payment."""
    concealed, won = tuple(tile_numbered(n) for n in d.concealed[:-1]), tile_numbered(d.concealed[-1])
    melds = tuple(Meld(kind, tuple(tile_numbered(n) for n in numbers)) for kind, numbers in d.melds)
    indicators = tuple(tile_numbered(n) for n in d.indicators)
    source = None if d.win is Win.SELF_DRAW else d.seat.after(1)

    def job() -> Any:
        hand = Hand(concealed, melds, won)
        context = RiichiContext(
            d.seat, d.win, source, d.round, riichi=d.riichi, dora_indicators=indicators, counters=d.counters
        )
        return score(hand, context, "riichi")

    return job


_RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True)
_TYPES = {MeldType.CHOW: TheirMeld.CHI, MeldType.PUNG: TheirMeld.PON, MeldType.KONG_OPEN: TheirMeld.KAN}


def their_task(d: RiichiHand) -> Task:
    """The same with the PyPI package: settings are built inside; the result holds yaku, fu and cost."""
    melds = [TheirMeld(_TYPES[kind], numbers, opened=True) for kind, numbers in d.melds]
    tiles = [*d.concealed, *(n for _, numbers in d.melds for n in numbers)]

    def job() -> Any:
        config = HandConfig(
            is_tsumo=d.win is Win.SELF_DRAW,
            is_riichi=d.riichi,
            player_wind=d.seat.wind,
            round_wind=d.round.wind,
            tsumi_number=d.counters,
            options=_RULES,
        )
        return HandCalculator.estimate_hand_value(
            tiles, d.concealed[-1], melds=melds, dora_indicators=d.indicators, config=config
        )

    return job


def request_of(d: RiichiHand, rules: str) -> dict[str, Any]:
    """The hand as a score request under any system; red fives and dora only where they are known."""
    riichi = rules == "riichi"

    def codes(numbers: Sequence[int]) -> list[str]:
        return [(tile_numbered(n) if riichi else PLAIN[n // COPIES]).code for n in numbers]

    context: dict[str, Any] = {"seat": d.seat.value, "round": d.round.value, "win": d.win.value}
    if d.win is Win.DISCARD:
        context["from"] = d.seat.after(1).value
    if riichi:
        context |= {"riichi": d.riichi, "dora_indicators": codes(d.indicators), "counters": d.counters}
    if rules == "hangzhou":
        context |= {"indicator": codes(d.indicators)[0], "win": "self_draw", "from": None}
    return {
        "rules": rules,
        "concealed": codes(d.concealed[:-1]),
        "melds": [{"type": kind.value, "tiles": codes(numbers)} for kind, numbers in d.melds],
        "winning_tile": codes(d.concealed[-1:])[0],
        "context": context,
    }


TURN_HANDS = 200


def time_tasks(kinds: Collection[Sequence[Task]], hands: int) -> list[float]:
    """Microseconds of CPU time a hand for several kinds of jobs, each run once, in turns; garbage collection is off."""
    spent = [0.0] * len(kinds)
    gc.collect()
    gc.disable()
    for at in range(0, hands, TURN_HANDS):
        for i, jobs in enumerate(kinds):
            start = time.process_time()
            for job in jobs[at : at + TURN_HANDS]:
                job()
            spent[i] += time.process_time() - start
    gc.enable()
    return [total / hands * 1e6 for total in spent]


def compare_speed(deals: Sequence[RiichiHand], rounds: int) -> None:
    mine, requests = [our_task(d) for d in deals], [request_of(d, "riichi") for d in deals]
    kinds: dict[str, list[Task]] = {
        "PyPI mahjong: yaku, fu, cost": [their_task(d) for d in deals],
        "scoring: elements, fu, arrangement, payments": mine,
        "scoring: the same and to_json with explanation": [partial(_in_json, job) for job in mine],
        "scoring: request object to response object": [partial(respond, r) for r in requests],
    }
    times = np.array([time_tasks(kinds.values(), len(deals)) for _ in range(rounds)])
    middles = np.median(times, axis=0)
    for name, middle, first in zip(kinds, middles, times[0], strict=True):
        ratio = f"{middles[0] / middle:6.2f} x"
        print(f"{name:46} {1e6 / middle:9,.0f} hands/s {middle:8.1f} us {ratio}   first round {first:7.1f} us")


def _in_json(job: Task) -> object:
    return job().to_json()


def main(hands: int = 2000, rounds: int = 5) -> None:
    rng = random.Random(1)
    deals = [deal(rng) for _ in range(hands)]
    print(f"Python {platform.python_version()}, {hands} riichi hands, {rounds} rounds, medians")
    compare_speed(deals, rounds)


if __name__ == "__main__":
    typer.run(main)
