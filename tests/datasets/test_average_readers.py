"""A reader half-way between two. Skipped where torch is not installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")

from datasets.labels import INDEX  # noqa: E402
from datasets.learn.nets import Reader, ReaderShape  # noqa: E402


def test_weights_lie_half_way_but_for_what_only_one_knew() -> None:
    from scripts.average_readers import half_way

    shape = ReaderShape(stages=(8, 12, 16, 24), embedding=32)
    before, after = Reader(shape), Reader(shape)
    wanted = (before.embed.weight + after.embed.weight).detach() / 2
    plain, taught = INDEX["5m"], INDEX["a3"]
    rows = {k: (before.face.weight[k].detach().clone(), after.face.weight[k].detach().clone()) for k in (plain, taught)}
    made = half_way(before, after, ["a3"])
    torch.testing.assert_close(made.embed.weight.detach(), wanted)
    torch.testing.assert_close(made.face.weight[plain].detach(), sum(rows[plain]) / 2)
    torch.testing.assert_close(made.face.weight[taught].detach(), rows[taught][1])
