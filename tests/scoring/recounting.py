"""Random requests, answered by hupai and counted again: what the recounts of all systems have in common."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scoring.request import respond

Request = dict[str, Any]


def chosen(rng: random.Random, *rules: tuple[float, str, Sequence[Any]]) -> dict[str, Any]:
    """House rules, each for its share of the hands: (share, name, values)."""
    return {
        name: values[0] if len(values) == 1 else rng.choice(values)
        for share, name, values in rules
        if rng.random() < share
    }


def recounted(
    seed: str, hands: int, deal: Callable[[random.Random], Request], recount: Callable[[Request], Any]
) -> Iterator[tuple[Request, Request, Any]]:
    """Request, response and recount of those hands that have a winning shape; the others are seen to be refused."""
    rng = random.Random(seed)
    for _ in range(hands):
        request = deal(rng)
        response = respond(request)
        assert "error" not in response, (request, response)
        expected = recount(request)
        if expected is None:
            assert response["reason"]["code"] == "not_a_winning_hand", (request, response)
            continue
        yield request, response, expected
