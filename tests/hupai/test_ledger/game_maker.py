"""Games by chance: their courses, and what the players do, told by players."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from tests.hupai.test_ledger.plain_game import PlainGame
from tests.scoring.asking import fitting

HANDS = (
    {"concealed": "555z66z789p345s22m", "winning_tile": "6z", "bonus": []},
    {"concealed": "111z222z44z55z789p", "winning_tile": "4z", "bonus": []},
    {"concealed": "555z666z77z22m123p", "winning_tile": "7z", "bonus": []},
    {"concealed": "444z333z55z66z999p", "winning_tile": "5z", "bonus": []},
)
CHEAP = {"concealed": "234m567p345s88s67m", "winning_tile": "8m", "bonus": []}
"""Pinfu and all simples."""
FLOATING = [[12000, -1000, -3000, -8000], [8000, 4000, -4000, -8000], [8000, 3000, 1000, -12000]]
INSTANT = ("cat_and_rat", "flower_set", "exposed_kong", "concealed_kong")


def course_by_chance(by: random.Random, rules: str, players: int = 4) -> tuple[dict[str, Any], Decimal]:
    """What is said of the course, and the starting points; the rest is the custom."""
    start = Decimal(by.choice({"riichi": (0, 25000, 8000), "hangzhou": (0, 8, 20, 50)}.get(rules, (0, 0, 500))))
    said: dict[str, Any] = {}
    if rules != "hangzhou" and by.random() < 0.7:
        said["rounds"] = by.choice((1, 1, 2, players, None))
    if by.random() < 0.3 or said.get("rounds", 1) is None or rules == "hangzhou":
        said["hands"] = by.randint(1, 24)
    if by.random() < 0.2:
        said["minutes"] = by.randint(5, 60)
    if start:
        ends = ["owes", "ends_below_zero", "ends_at_zero"] + ["pays_what_is_left"] * (rules != "riichi")
        said["out_of_points"] = by.choice(ends)
    if rules in ("hongkong", "singapore") and by.random() < 0.5:
        said["dealer_ends"] = by.choice(("off", "win"))
    if rules == "riichi":
        said["dealer_ends"] = by.choice(("off", "win", "win_or_ready"))
        said["sticks_left"] = by.choice(("first", "nobody"))
        if said.get("rounds", 2) in (1, 2) and by.random() < 0.5:
            said["extension"] = 30000
        if by.random() < 0.5:
            said |= {"return_points": 30000, "uma": by.choice(([15000, 5000, -5000, -15000], [1, 0, 0, -1]))}
            if players == 3 and "uma" in said:
                said["uma"] = by.choice(([20000, 0, -20000], [10000, -3000, -7000]))
            if players == 4 and by.random() < 0.5:
                said["floating_uma"] = FLOATING
    elif by.random() < 0.4:
        said |= {"jackpot": by.choice((1, 2, "0.5", 10)), "jackpot_from": by.choice((0, 2, 5, 30))}
        said["sticks_left"] = by.choice(("first", "nobody"))
    said["ties"] = by.choice(("share", "seat"))
    return said, start


def act_by_chance(by: random.Random, game: PlainGame) -> dict[str, Any]:
    """What happens next in this game; ``seconds`` since it began are added by who plays."""
    kind = by.random()
    player = by.randrange(game.players)
    if kind < 0.06 and game.rules in ("riichi", "hangzhou", "hongkong", "zungjung", "mcr", "taiwanese"):
        return {"kind": "false_win", "player": player, "value": by.choice((1, 2, 8))}
    if kind < 0.12 and game.rules == "singapore":
        return {"kind": "instant", "player": player, "event": by.choice(INSTANT)}
    if kind < 0.3:
        ready = [p for p in range(game.players) if by.random() < 0.4]
        abortive = game.rules == "riichi" and by.random() < 0.15
        riichi = [p for p in (range(game.players) if abortive else ready) if by.random() < 0.5 and has_stick(game, p)]
        nagashi = [p for p in range(game.players) if by.random() < 0.04] if not abortive else []
        if game.rules != "riichi":
            ready = riichi = nagashi = []
        shown = [] if abortive else ready
        return {"kind": "draw", "ready": shown, "riichi": riichi, "nagashi": nagashi, "abortive": abortive}
    return _win(by, game, player)


def has_stick(game: PlainGame, player: int) -> bool:
    """Whether a player may lay a riichi stick."""
    return not game.start or game.course["out_of_points"] == "owes" or game.points[player] >= 1000


def _win(by: random.Random, game: PlainGame, player: int) -> dict[str, Any]:
    source = by.choice([None, *(p for p in range(game.players) if p != player)])
    if game.rules == "hangzhou" and (game.streak < 3 or game.dealer not in (player, source)):
        source = None
    winners = [player]
    if source is not None and game.rules in ("riichi", "hongkong", "singapore"):
        winners += [p for p in range(game.players) if p not in (player, source) and by.random() < 0.15]
        by.shuffle(winners)
    riichi = [p for p in range(game.players) if by.random() < 0.2 and has_stick(game, p)]
    riichi = riichi if game.rules == "riichi" else []
    cheap = game.rules in ("riichi", "hongkong", "zungjung", "hangzhou") and by.random() < 0.6
    hand = CHEAP if cheap else by.choice(HANDS)
    if game.players == 3:  # without 2m to 8m, and with norths set aside
        plain = str(hand["concealed"]).replace("234m", "234p").replace("67m", "67p").replace("22m", "22s")
        norths = ["4z"] * by.randint(0, 0 if "44z" in plain else 1)
        hand = {"concealed": plain, "winning_tile": str(hand["winning_tile"]).replace("8m", "8p"), "bonus": norths}
    hand = {**hand, "concealed": fitting(game.rules, str(hand["concealed"]))}
    return {"kind": "win", "winners": winners, "from": source, "hand": hand, "riichi": riichi}
