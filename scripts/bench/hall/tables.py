"""A simulated table: its players lay hands before a camera, or enter them on two phones at once."""

from __future__ import annotations

import random
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from scripts.bench.hall.camera import DrawnFilm
from scripts.bench.hall.deals import HandEnd, RunningGame, draw_hand_end, game_after, with_wrong_discarder
from scripts.bench.hall.desk import Caller, Unexpected

WHY: Final = {"by": "Judge Oak", "reason": "Entered by mistake"}
SEEN_WITHIN_SECONDS: Final = 600.0
"""Seconds after which a hand that lies before a camera must be on the board, faults included."""


@dataclass
class PlayedRound:
    """A table's round: its game, its players' numbers by seat, and the hands as they remember them.

    Attributes:
        did: how many hands were raced, sent again, corrected, taken back.
    """

    game: str
    players: list[int]
    deals: list[HandEnd] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)

    @property
    def path(self) -> str:
        """The path of the game in the API."""
        return f"/games/{self.game}"

    @property
    def now(self) -> RunningGame:
        """The game as the players think it stands."""
        return game_after(self.deals)


def play_by_phone(callers: Sequence[Caller], played: PlayedRound, hands: int, rng: random.Random) -> None:
    """Play ``hands`` hands; two phones at the table enter each of them at the same moment."""
    with ThreadPoolExecutor(2) as both:
        for i in range(hands):
            deal = draw_hand_end(rng, last=i == hands - 1)
            wrong = deal.loser is not None and rng.random() < 0.25
            number = _race(both, callers, played, with_wrong_discarder(deal) if wrong else deal, rng)
            if wrong and rng.random() < 0.5:
                _correct_discarder(callers[0], played, number, deal)
            elif wrong:
                _take_back(callers[1], played, number)
                _race(both, callers, played, deal, rng)
            played.deals.append(deal)


def play_by_camera(
    caller: Caller, table: str, film: DrawnFilm, played: PlayedRound, hands: int, rng: random.Random
) -> None:
    """Play ``hands`` hands; the director confirms what the camera saw, and enters draws."""
    for i in range(hands):
        deal = draw_hand_end(rng, last=i == hands - 1)
        if deal.winner is None:
            _send_hand(caller, played, deal, uuid.uuid4().hex, _current_revision(caller, played))
        else:
            _lay_and_confirm(caller, table, film, played, deal, rng)
        played.deals.append(deal)


def _current_revision(caller: Caller, played: PlayedRound) -> dict[str, Any]:
    """What somebody says who has just looked at the game."""
    return {"seen": {"revision": caller.get(played.path)["revision"]}}


def _send_hand(
    caller: Caller, played: PlayedRound, deal: HandEnd, key: str, seen: dict[str, Any]
) -> dict[str, Any] | None:
    """Enter a hand; None where somebody else was faster."""
    expected = played.now.payments(deal)
    reply = caller.ask("POST", f"{played.path}/hands", {**deal.body, **seen, "expected_payments": expected}, key)
    if reply.status_code == 409 and reply.json()["code"] == "game_moved_on":
        return None
    if reply.is_error:
        raise Unexpected(f"{deal}: {reply.status_code} {reply.text:.300}; reckoned {expected}")
    return reply.json()


def _race(
    both: ThreadPoolExecutor, callers: Sequence[Caller], played: PlayedRound, deal: HandEnd, rng: random.Random
) -> int:
    """Both phones send the hand as they see the game now; exactly one is taken. Its number."""
    seen = _current_revision(callers[0], played)
    tries = [(caller, played, deal, uuid.uuid4().hex, seen) for caller in callers]
    answers = both.map(lambda one: _send_hand(*one), tries)
    taken = [(one, said) for one, said in zip(tries, answers, strict=True) if said]
    if len(taken) != 1:
        raise Unexpected(f"{played.path}: of two phones {len(taken)} recorded the same hand")
    ((one, said),) = taken
    played.did["raced"] += 1
    if rng.random() < 0.3:
        again = _send_hand(*one)
        if again is None or again["hand"]["number"] != said["hand"]["number"]:
            raise Unexpected(f"{played.path}: sent again, a hand became another one")
        played.did["sent again"] += 1
    return int(said["hand"]["number"])


def _correct_discarder(caller: Caller, played: PlayedRound, number: int, deal: HandEnd) -> None:
    """Correct the discarder; the hand itself then shows whether the correction was taken."""
    path = f"{played.path}/hands/{number}"

    def done() -> bool:
        wins = caller.get(path)["request"]["wins"]
        return bool(wins[0]["context"].get("from") == deal.loser)

    caller.write(path, {**deal.body, **WHY, **_current_revision(caller, played)}, done=done, method="PUT")
    played.did["corrected"] += 1


def _take_back(caller: Caller, played: PlayedRound, number: int) -> None:
    def done() -> bool:
        return caller.get(f"{played.path}/hands/{number}")["undone_at"] is not None

    caller.write(f"{played.path}/undo", {"hand": number, **_current_revision(caller, played)}, done=done)
    played.did["taken back"] += 1


def _lay_and_confirm(
    caller: Caller, table: str, film: DrawnFilm, played: PlayedRound, deal: HandEnd, rng: random.Random
) -> None:
    """Lay the hand down, wait until it is on the board, mend it if it was misread, confirm it, take it away."""
    row, winning = deal.pattern.row.split(), deal.pattern.winning
    film.lay([*row, winning])
    if rng.random() < 0.15:
        film.cut(rng.uniform(1.0, 4.0))
    key = f"/laid/{_wait_until(lambda: _waiting_hand(caller, table), f'the hand at table {table}')['id']}"

    def as_laid() -> dict[str, Any] | None:
        hand = caller.get(key)
        if (hand["hand"]["winning_tile"], sorted(hand["hand"]["concealed"])) == (winning, sorted(row)):
            return hand
        caller.ask("POST", f"{key}/correct", {"version": hand["version"], "hand": deal.hand})
        played.did["corrected"] += 1
        return None

    version = _wait_until(as_laid, f"the hand at table {table} to be right")["version"]
    body = {"context": deal.context, "riichi": deal.others, "version": version, **_current_revision(caller, played)}
    for _ in range(2 if rng.random() < 0.3 else 1):
        caller.write(f"{key}/confirm", body | {"expected_payments": played.now.payments(deal)})
    film.lay([])
    _wait_until(lambda: caller.get(key)["gone_at"], f"table {table} to be bare")


def _waiting_hand(caller: Caller, table: str) -> dict[str, Any] | None:
    found = [h for h in caller.get(f"/tables/{table}")["hands"] if h["status"] == "settled"]
    if len(found) > 1:
        raise Unexpected(f"table {table}: {len(found)} hands wait, one was laid down")
    return found[0] if found else None


def _wait_until(found: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + SEEN_WITHIN_SECONDS
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.2)
    raise Unexpected(f"waited {SEEN_WITHIN_SECONDS:g} s for {what}")
