"""What the hall's part of a server must not choke on, nor let through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

import httpx

from tests.hupai.serving import OPEN, Server, problem
from tests.waiting import at_once

Start = Callable[..., Server]


def test_addresses_and_headers_that_a_database_would_choke_on(
    start: Start, fresh_postgresql: str, tmp_path: Path
) -> None:
    server = start(tmp_path, database=fresh_postgresql, **OPEN)
    with server.client() as client:
        for path in ("tables/%00", "laid/%00", "events/list?table=%00", "tables/a%00b/preview", "tournaments/%00"):
            problem(httpx.get(f"{server.api}/{path}"), 404, "not_found")
        for number in ("9" * 5000, "9" * 19, "٣" * 5000):
            with client.stream("GET", "/events", headers=[(b"last-event-id", number.encode())]) as reply:
                assert reply.status_code == 200
                assert next(reply.iter_lines()).startswith("retry")


def test_many_guesses_at_once_are_counted_one_by_one(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path, access_code="right", director_code="secret", rate_code="10/hour", **OPEN)

    def guess(n: int) -> list[int]:
        with server.client() as client:  # of its own: one that many threads share sometimes closes a connection in use
            return [client.post("/director", json={"code": f"{n}.{k}"}).status_code for k in range(3)]

    assert Counter(chain.from_iterable(at_once(*(partial(guess, n) for n in range(40))))) == {401: 10, 429: 110}
