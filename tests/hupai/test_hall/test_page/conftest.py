"""The tournament's pages in a browser, before a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hupai.test_hall.desk import Desk, director_desk
from tests.hupai.test_page.conftest import axe, contexts_closed, phone, ring

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["axe", "contexts_closed", "phone", "ring"]


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    """A director's desk; feeds that its test claims are not lost though nobody beats for them."""
    with director_desk(browser, tmp_path, hurried={"hupai.hall.events.feed.LEASE": 600}) as it:
        yield it
