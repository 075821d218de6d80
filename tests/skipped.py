"""``--only-skipped``: once everything ran without extras, run what that left out, and nothing twice."""

from __future__ import annotations

import pytest

KEY = "hupai/skipped"
"""Where pytest's cache keeps which tests (or whole files) were skipped when they were last run here."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only-skipped", action="store_true", help="only tests that were skipped when last run here")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("only_skipped"):
        return
    before: list[str] | None = config.cache.get(KEY, None) if config.cache else None
    if before is None:
        raise pytest.UsageError("--only-skipped: no tests were run in this folder before")
    kept = set(before)
    left = [item for item in items if kept.isdisjoint({item.nodeid, item.nodeid.partition("::")[0]})]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """What was not run now stays as it was noted before."""
    config = session.config
    # Without the cache there is nowhere to note it; with pytest-xdist the one who hands out tests notes for all.
    if getattr(config, "cache", None) is None or hasattr(config, "workerinput"):
        return
    stats = config.pluginmanager.get_plugin("terminalreporter").stats
    run = {report.nodeid for reports in stats.values() for report in reports if hasattr(report, "nodeid")}
    run |= {name.partition("::")[0] for name in run}
    if run:
        skipped = {report.nodeid for report in stats.get("skipped", [])}
        config.cache.set(KEY, sorted((set(config.cache.get(KEY, [])) - run) | skipped))
