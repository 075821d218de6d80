"""Who asks a tournament's server: the director and one who only looks. The server, ``served``, is each file's own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.hupai.serving import Server


@pytest.fixture
def chief(served: Server) -> Iterator[httpx.Client]:
    with served.client(headers={"X-Hupai-Director": "chief"}) as it:
        yield it


@pytest.fixture
def viewer(served: Server) -> Iterator[httpx.Client]:
    with served.client() as it:
        yield it
