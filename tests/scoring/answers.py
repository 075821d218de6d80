"""Every answer of the scoring core to random, worked and broken requests, for comparing it with itself.

``python -m tests.scoring.answers FILE`` writes one line an answer. A change that is to change no answer leaves the file
as it was, byte for byte: write one before it and one after.
"""

import json
import random
import sys
from pathlib import Path

from scoring.request import respond
from scoring.rules import systems
from scripts.bench.scoring import deal, request_of
from tests.scoring.broken_requests import broken
from tests.scoring.riichi.riichi_hands import riichi_request
from tests.scoring.test_golden import CASES
from tests.scoring.test_properties import DEALERS

HANDS = 2_500
"""Of each kind."""
FOUR_SETS = [name for name, system in systems().items() if system.shapes.sets == 4]
"""The systems under which the hands that the benchmark deals are hands."""


def requests():
    """Requests of every kind; the same ones every time."""
    rng = random.Random("answers")
    worked = [case["request"] for case in CASES]
    yield from (request | {"why": why} for request in worked for why in (False, True))
    for deal_one in DEALERS.values():
        yield from (deal_one(rng) for _ in range(HANDS))
        yield from (deal_one(rng) | {"why": True} for _ in range(HANDS // 25))
    for rules in FOUR_SETS:
        yield from (request_of(deal(rng), rules) for _ in range(HANDS))
    yield from (riichi_request(rng) for _ in range(HANDS))
    unseated = (riichi_request(rng, every=True) for _ in range(HANDS))
    yield from (r | {"context": {k: v for k, v in r["context"].items() if k != "from"}} for r in unseated)
    yield from (broken(rng, rng.choice(worked), worked) for _ in range(3 * HANDS))


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
        for asked in requests():
            file.write(json.dumps(respond(asked)) + "\n")
