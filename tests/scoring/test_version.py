"""The version is that of the installed package, and there is one for a folder that was never installed."""

from __future__ import annotations

from importlib import metadata

import pytest

from scoring import version as module


@pytest.fixture(autouse=True)
def fresh():
    module.version.cache_clear()
    yield
    module.version.cache_clear()


def test_the_installed_version_is_told() -> None:
    assert module.version() == metadata.version("hupai")


def test_a_folder_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(module, "_installed", missing)
    assert module.version() == "0+source"
