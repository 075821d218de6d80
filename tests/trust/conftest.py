"""What the tests of trust share."""

from __future__ import annotations

import pytest

from tests.hupai.serving import ROOT


@pytest.fixture(scope="session")
def photo() -> bytes:
    """A photo of a hand, shipped with the project."""
    return (ROOT / "examples" / "hand-riichi.jpg").read_bytes()
