"""The rules of the game around the hand, a second time and plainly: no seats but those worked out when needed.

Written from the rule texts, not from ``hupai.games``; only what a hand is paid comes from ``scoring``. Players are
numbered from 0 in turn order; an act tells what players did, never where they sat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from scoring.context import Win
from scoring.request import parse_request
from scoring.rules import system_named
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.payment import false_win as hangzhou_false_win
from scoring.rules.hongkong.payment import false_win as hongkong_false_win
from scoring.rules.singapore.payment import instant_payments
from scoring.seats import Seat

WINDS = "ESWN"
Act = Mapping[str, Any]


@dataclass
class PlainGame:
    """A game of one of the systems, played act by act; ``course`` has every option."""

    rules: str
    options: Mapping[str, Any]
    course: Mapping[str, Any]
    start: Decimal
    first: int = 0
    players: int = 4
    dealer: int = 0
    wind: int = 0
    streak: int = 1
    counters: int = 0
    sticks: int = 0
    jackpot: Decimal = Decimal(0)
    hands: int = 0
    over: str | None = None
    points: list[Decimal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dealer = self.first
        self.points = [self.start] * self.players

    def wind_of(self, player: int) -> str:
        """E for the dealer, and so on in turn order."""
        return WINDS[(player - self.dealer) % self.players]

    def play(self, act: Act) -> None:
        """One act; nobody plays on when the game is over."""
        assert self.over is None
        dealer, wind = self.dealer, self.wind
        getattr(self, f"_{act['kind']}")(act)
        self._end(act, dealer, wind)

    # What is paid.

    def _pay(self, dues: Sequence[tuple[int, int | None, Decimal]]) -> None:
        """(payer, payee, amount), one after the other; without chips nothing is owed where the course says so.

        Nobody as the payee is the jackpot.
        """
        capped = self.course["out_of_points"] == "pays_what_is_left" and self.start > 0
        left = list(self.points)
        for payer, payee, amount in dues:
            paid = min(amount, left[payer]) if capped else amount
            left[payer] -= paid
            self.points[payer] -= paid
            if payee is None:
                self.jackpot += paid
            else:
                self.points[payee] += paid

    def _dues(self, payments: Any) -> list[tuple[int, int, Decimal]]:
        at = {wind: (self.dealer + i) % self.players for i, wind in enumerate(WINDS[: self.players])}
        return [(at[t.payer], at[t.payee], Decimal(t.amount)) for t in payments.transfers if "pot" not in t[:2]]

    def _lay(self, players: Sequence[int]) -> None:
        for player in players:
            self.points[player] -= 1000
            self.sticks += 1

    def _win(self, act: Act) -> None:
        riichi = act.get("riichi", ())
        self._lay(riichi)
        winners = act["winners"]
        if act["from"] is not None:
            winners = sorted(winners, key=lambda p: (p - act["from"]) % self.players)
        dues: list[tuple[int, int, Decimal]] = []
        worth: list[int] = []
        for nth, player in enumerate(winners):
            context: dict[str, Any] = {
                "seat": self.wind_of(player),
                "win": "self_draw" if act["from"] is None else "discard",
            }
            if act["from"] is not None:
                context["from"] = self.wind_of(act["from"])
            if self.rules in ("hongkong", "singapore", "riichi", "mcr", "taiwanese"):
                context["round"] = WINDS[self.wind]
            if self.rules == "hangzhou":
                context |= {"banker": "E", "streak": self.streak, "indicator": "9s"}
            if self.rules == "taiwanese":
                context["streak"] = self.streak
            if self.rules == "riichi":
                context |= {"counters": 0 if nth else self.counters, "riichi_sticks": 0 if nth else self.sticks}
                context["riichi"] = player in riichi
            request = {**act["hand"], "rules": self.rules, "options": dict(self.options), "context": context}
            score = parse_request(request).score()
            assert score.payments is not None, score.refusal
            dues += self._dues(score.payments)
            worth.append(score.to_json()["total"]["value"])
        self._pay(dues)
        takers = [player for player, value in zip(winners, worth, strict=True) if value >= self.course["jackpot_from"]]
        if takers:
            self.points[takers[0]] += self.jackpot
            self.jackpot = Decimal(0)
        if self.rules == "riichi":
            self.points[winners[0]] += 1000 * self.sticks
            self.sticks = 0
        self.hands += 1
        if self.rules == "hangzhou":
            self._deal(winners[0])
        elif self.rules in ("zungjung", "mcr") or self.dealer not in winners:
            self._deal((self.dealer + 1) % self.players)
            self.counters = 0
        else:
            self._deal(self.dealer)
            self.counters += self.rules == "riichi"

    def _draw(self, act: Act) -> None:
        self.hands += 1
        if self.course["jackpot"]:
            each = Decimal(self.course["jackpot"])
            self._pay([((self.dealer + turn) % self.players, None, each) for turn in range(self.players)])
        stays = self.rules not in ("zungjung", "mcr")
        if self.rules == "riichi":
            self._lay(act["riichi"])
            self.counters += 1
            stays = act["abortive"] or self.dealer in act["ready"]
            if act["nagashi"]:
                for player in act["nagashi"]:
                    for other in range(self.players):
                        if other != player:
                            amount = 4000 if self.dealer in (player, other) else 2000
                            self.points[other] -= amount
                            self.points[player] += amount
            elif not act["abortive"] and 0 < len(act["ready"]) < self.players:
                whole = 3000 if self.players == 4 else 2000
                for player in range(self.players):
                    ready = player in act["ready"]
                    share = whole // len(act["ready"]) if ready else -whole // (self.players - len(act["ready"]))
                    self.points[player] += share
        self._deal(self.dealer if stays else (self.dealer + 1) % self.players)

    def _false_win(self, act: Act) -> None:
        seat = Seat(self.wind_of(act["player"]))
        if self.rules == "riichi":
            others = [p for p in range(self.players) if p != act["player"]]
            self._pay(
                [(act["player"], p, Decimal(4000 if self.dealer in (p, act["player"]) else 2000)) for p in others]
            )
        elif self.rules in ("zungjung", "mcr", "taiwanese"):
            each = Decimal({"zungjung": 30, "mcr": 10, "taiwanese": 30 + 8 * 10}[self.rules])
            self._pay([(act["player"], (act["player"] + turn) % self.players, each) for turn in (1, 2, 3)])
        elif self.rules == "hangzhou":
            claimed = HangzhouContext(seat, Win.SELF_DRAW, streak=self.streak)
            self._pay(self._dues(hangzhou_false_win(claimed, act["value"], system_named("hangzhou").option_class())))
        else:
            dues = self._dues(hongkong_false_win(seat, system_named("hongkong").option_class()))
            self._pay(
                sorted(dues, key=lambda due: (due[1] - due[0]) % self.players)
            )  # who is next in turn is paid first

    def _instant(self, act: Act) -> None:
        self._pay(self._dues(instant_payments(Seat(self.wind_of(act["player"])), act["event"])))

    # Who deals, and when it is over.

    def _deal(self, player: int) -> None:
        self.streak = self.streak + 1 if player == self.dealer else 1
        if player != self.dealer and player == self.first and self.rules != "hangzhou":
            self.wind = (self.wind + 1) % self.players
        self.dealer = player

    def _end(self, act: Act, dealer: int, wind: int) -> None:
        course, lowest = self.course, min(self.points)
        if self.start > 0:
            if course["out_of_points"] == "ends_below_zero" and lowest < 0:
                self.over = "points"
            if course["out_of_points"] == "ends_at_zero" and lowest <= 0:
                self.over = "points"
        if self.over or act["kind"] not in ("win", "draw"):
            return
        if course["hands"] and self.hands >= course["hands"]:
            self.over = "hands"
        elif course["minutes"] and act["seconds"] >= 60 * course["minutes"]:
            self.over = "minutes"
        elif course["rounds"]:
            self._end_by_rounds(act, dealer, wind)

    def _end_by_rounds(self, act: Act, dealer: int, wind: int) -> None:
        course, moved = self.course, self.wind != wind
        enough = course["extension"] is None or max(self.points) >= course["extension"]
        if wind + 1 > course["rounds"]:
            if moved or enough:
                self.over = "extension"
        elif wind + 1 == course["rounds"] and enough:
            if moved:
                self.over = "rounds"
            elif (dealer + 1) % self.players == self.first and self.dealer == dealer and self._leads(dealer):
                won = act["kind"] == "win"
                ready = act["kind"] == "draw" and dealer in act.get("ready", ())
                if (won and course["dealer_ends"] != "off") or (ready and course["dealer_ends"] == "win_or_ready"):
                    self.over = "dealer"

    def _leads(self, player: int) -> bool:
        for other in range(self.players):
            if other == player or self.points[other] < self.points[player]:
                continue
            if self.points[other] > self.points[player] or self.course["ties"] == "share":
                return False
            if (other - self.first) % self.players < (player - self.first) % self.players:
                return False
        return True

    def settled(self) -> list[tuple[int, Decimal]]:
        """Place and score of every player, if the game ends now."""
        course = self.course
        zero = Decimal(course["return_points"]) if course["return_points"] is not None else self.start
        nobody = course["sticks_left"] == "nobody"
        uma = course["uma"]
        if course["floating_uma"] is not None:
            floating = len([p for p in self.points if p >= zero])
            uma = course["floating_uma"][floating - 1] if 1 <= floating < self.players else [0] * self.players
        prizes = [
            [0 if nobody else 1000 * self.sticks + self.jackpot, 0, 0, 0],
            uma,
            [self.players * (zero - self.start), 0, 0, 0],
        ]
        order = sorted(range(self.players), key=lambda p: (-self.points[p], (p - self.first) % self.players))
        found: dict[int, tuple[int, Decimal]] = {}
        for nth, player in enumerate(order):
            tied = [i for i, p in enumerate(order) if self.points[p] == self.points[player]]
            tied = [nth] if course["ties"] == "seat" else tied
            score = self.points[player] - zero
            for prize in prizes:
                together = sum(Fraction(Decimal(prize[i])) for i in tied)
                each = Fraction(floor(100 * together / len(tied)), 100)
                mine = together - each * (len(tied) - 1) if nth == tied[0] else each
                score += Decimal(mine.numerator) / Decimal(mine.denominator)
            found[player] = (tied[0] + 1, score)
        return [found[p] for p in range(self.players)]
