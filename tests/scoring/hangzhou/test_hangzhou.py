"""Hangzhou: what the explanation says of a float that does not count, and every reason of a refusal."""

from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import hand

drawn = partial(asking.scored, "hangzhou", indicator="4s", banker="E", streak=1, win="self_draw")
claimed = partial(asking.scored, "hangzhou", indicator="4s", banker="E", streak=3, source="E")

PLAIN = hand("123m456p789p55m67m", "8m")
EYE = hand("123m456m789p222z4s", "9m")  # four sets and a fortune


def test_a_thrown_fortune_without_wild_eye_does_not_count():
    response = drawn(PLAIN, floats=1)
    assert response["total"]["value"] == 1
    assert any("does not count" in line for line in response["explanation"])
    eye = drawn(EYE, floats=2)["explanation"]
    assert "Factor 2 x 4 = 8." in eye and not any("does not count" in line for line in eye)


def test_a_refusal_names_every_reason():
    message = claimed(EYE, streak=2, source="W", options={"wall_only": True})["reason"]["message"]
    for part in ("self-drawn tile", "waited for any tile", "hand 3 in a row, not in 2", "must be the dealer, E"):
        assert part in message


@pytest.mark.parametrize("chow", ["3s5z5s", "5z5s3s", "5s3s5z"])
def test_a_chow_that_a_white_dragon_stands_in_is_written_in_any_order(chow):
    assert drawn(hand("456p789p55m67m", "8m", f"chow {chow}"))["legal"]
