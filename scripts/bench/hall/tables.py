"""A simulated table: its players lay hands before a camera, or enter them on two phones at once."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from scripts.bench.hall.camera import Camera
from scripts.bench.hall.deals import PATTERNS, Deal, drawn, mistaken
from scripts.bench.hall.desk import Caller, Unexpected
from scripts.bench.hall.reckoning import Table, table_of

WHY: Final = {"by": "Judge Oak", "reason": "Entered by mistake"}
SEEN_WITHIN: Final = 60.0
"""Seconds after which a hand that lies before a camera must be on the board, faults included."""


@dataclass
class Played:
    """A table's round: its game, and the hands as the players remember them."""

    game: str
    deals: list[Deal] = field(default_factory=list)
    raced: int = 0
    sent_again: int = 0
    corrected: int = 0
    taken_back: int = 0

    @property
    def path(self) -> str:
        """The path of the game in the API."""
        return f"/games/{self.game}"

    @property
    def now(self) -> Table:
        """The game as the players think it stands."""
        return table_of(self.deals)


def by_phone(callers: tuple[Caller, Caller], played: Played, hands: int, rng: random.Random) -> None:
    """Play ``hands`` hands; two phones at the table enter each of them at the same moment."""
    with ThreadPoolExecutor(2) as both:
        for i in range(hands):
            deal = drawn(rng, last=i == hands - 1)
            wrong = deal.loser is not None and rng.random() < 0.25
            entered = mistaken(deal) if wrong else deal
            number = _raced(both, callers, played, entered, rng)
            played.deals.append(deal)
            if wrong and rng.random() < 0.5:
                _correct(callers[0], played, number, deal)
            elif wrong:
                _take_back(callers[1], played, number)
                _raced(both, callers, played, deal, rng)
                played.deals.append(deal)


def by_camera(caller: Caller, camera: Camera, played: Played, hands: int, rng: random.Random) -> None:
    """Play ``hands`` hands; the director confirms what the camera saw, and enters draws."""
    for i in range(hands):
        deal = drawn(rng, last=i == hands - 1)
        if deal.winner is None:
            _send(caller, played, deal, uuid.uuid4().hex)
        else:
            _laid(caller, camera, played, deal, rng)
        played.deals.append(deal)


def _send(caller: Caller, played: Played, deal: Deal, key: str, revision: int | None = None) -> dict[str, Any] | None:
    """Enter a hand; None where somebody else was faster."""
    if revision is None:
        revision = caller.get(played.path)["revision"]
    expected = played.now.payments(deal)
    body = {**deal.body, "seen": {"revision": revision}, "expected_payments": expected}
    reply = caller.ask("POST", f"{played.path}/hands", body, key)
    if reply.status_code == 409 and reply.json()["code"] == "game_moved_on":
        return None
    if reply.status_code not in (200, 201):
        raise Unexpected(f"{deal}: {reply.status_code} {reply.text:.300}; reckoned {expected}")
    said: dict[str, Any] = reply.json()
    return said


def _raced(
    both: ThreadPoolExecutor, callers: tuple[Caller, Caller], played: Played, deal: Deal, rng: random.Random
) -> int:
    """Both phones send the hand as they see the game now; exactly one is taken. Its number."""
    revision = callers[0].get(played.path)["revision"]
    keys = [uuid.uuid4().hex for _ in callers]
    sent = [both.submit(_send, caller, played, deal, key, revision) for caller, key in zip(callers, keys, strict=True)]
    taken = [i for i, each in enumerate(sent) if each.result() is not None]
    if len(taken) != 1:
        raise Unexpected(f"{played.path}: of two phones {len(taken)} recorded the same hand")
    played.raced += 1
    said = sent[taken[0]].result()
    assert said is not None
    if rng.random() < 0.3:
        again = _send(callers[taken[0]], played, deal, keys[taken[0]], revision)
        if again is None or again["hand"]["number"] != said["hand"]["number"]:
            raise Unexpected(f"{played.path}: sent again, a hand became another one")
        played.sent_again += 1
    return int(said["hand"]["number"])


def _correct(caller: Caller, played: Played, number: int, deal: Deal) -> None:
    """Correct the discarder; the hand itself then shows whether the correction was taken."""

    def done() -> bool:
        wins = caller.get(f"{played.path}/hands/{number}")["request"]["wins"]
        return bool(wins[0]["context"].get("from") == deal.loser)

    if not done():
        seen = {"seen": {"revision": caller.get(played.path)["revision"]}}
        caller.write("PUT", f"{played.path}/hands/{number}", {**deal.body, **WHY, **seen}, done=done)
    played.corrected += 1


def _take_back(caller: Caller, played: Played, number: int) -> None:
    def done() -> bool:
        return caller.get(f"{played.path}/hands/{number}")["undone_at"] is not None

    body = {"hand": number, "seen": {"revision": caller.get(played.path)["revision"]}}
    caller.write("POST", f"{played.path}/undo", body, done=done)
    played.deals.pop()
    played.taken_back += 1


def _laid(caller: Caller, camera: Camera, played: Played, deal: Deal, rng: random.Random) -> None:
    """Lay the hand down, wait until it is on the board, mend it if it was misread, confirm it, take it away."""
    row, winning = PATTERNS[deal.pattern]
    camera.film.lay([*row.split(), winning])
    if rng.random() < 0.15:
        camera.film.cut(rng.uniform(1.0, 4.0))
    hand = _until(lambda: _waiting(caller, camera.table), f"the hand at table {camera.table}")
    key = f"/laid/{hand['id']}"
    if (hand["hand"]["winning_tile"], sorted(hand["hand"]["concealed"])) != (winning, sorted(row.split())):
        version = hand["version"]
        mended = caller.ask("POST", f"{key}/correct", {"version": version, "hand": deal.hand})
        if mended.status_code == 409:  # the first try was written, or the camera made out more meanwhile
            hand = caller.get(key)
            if hand["hand"]["winning_tile"] != winning:
                mended = caller.ask("POST", f"{key}/correct", {"version": hand["version"], "hand": deal.hand})
        hand = caller.get(key)
        played.corrected += 1
    answers = {"context": deal.context, "riichi": deal.others}
    body = {
        **answers,
        "version": hand["version"],
        "seen": {"revision": caller.get(played.path)["revision"]},
        "expected_payments": played.now.payments(deal),
    }
    for _ in range(2 if rng.random() < 0.3 else 1):
        caller.write("POST", f"{key}/confirm", body)
    camera.film.lay([])
    _until(lambda: caller.get(key)["gone_at"], f"table {camera.table} to be bare")


def _waiting(caller: Caller, table: str) -> dict[str, Any] | None:
    hands = caller.get(f"/tables/{table}")["hands"]
    found = [h for h in hands if h["status"] == "settled"]
    if len(found) > 1:
        raise Unexpected(f"table {table}: {len(found)} hands wait, one was laid down")
    return found[0] if found else None


def _until(found: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + SEEN_WITHIN
    while time.monotonic() < end:
        value = found()
        if value:
            return value
        time.sleep(0.2)
    raise Unexpected(f"waited {SEEN_WITHIN:g} s for {what}")
