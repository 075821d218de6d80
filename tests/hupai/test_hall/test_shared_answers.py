"""Answers that a whole hall shares."""

from __future__ import annotations

import json
from itertools import count
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine

from hupai.hall.shared_answers import SharedAnswers
from hupai.store.database import count_write
from hupai.store.ttl_cache import TTL_SECONDS


def test_what_no_write_has_changed_is_not_worked_out_again(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    now, stamp, asked = [1000.0], ["a"], count(1)
    monkeypatch.setattr("hupai.store.ttl_cache.time", SimpleNamespace(monotonic=lambda: now[0]))
    answers = SharedAnswers(store, lambda _, key: {key: next(asked)}, lambda _, key: (key, stamp[0]))

    def known() -> int:
        return int(json.loads(answers.value("cup").plain)["cup"])

    def after_a_write() -> int:
        count_write(store)
        return known()

    assert [after_a_write() for _ in range(3)] == [1, 1, 1]
    stamp[0] = "b"
    assert known() == 1, "nothing was written"
    assert [after_a_write() for _ in range(3)] == [2, 2, 2]
    now[0] += TTL_SECONDS + 0.1
    assert [after_a_write() for _ in range(3)] == [3, 3, 3], "what depends on the time is a second old at most"
