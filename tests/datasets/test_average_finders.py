"""The mean of finders. Skipped where torch is not installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra: train)")

from datasets.learn.nets import Finder, FinderShape  # noqa: E402


def test_every_weight_is_the_mean_of_all() -> None:
    from scripts.average_finders import mean_of

    nets = [Finder(FinderShape()) for _ in range(3)]
    states = [{n: v.clone() for n, v in net.state_dict().items()} for net in nets]
    made = mean_of(nets).state_dict()
    changed = 0
    for name, value in made.items():
        if value.dtype.is_floating_point:
            torch.testing.assert_close(value, sum(s[name] for s in states) / 3)
            changed += int(not torch.equal(value, states[2][name]))
    assert changed > 50


def test_other_shapes_are_refused() -> None:
    from scripts.average_finders import mean_of

    one, other = Finder(FinderShape()), Finder(FinderShape())
    other.register_buffer("more", torch.zeros(1))
    with pytest.raises(ValueError, match="one shape"):
        mean_of([one, other])
