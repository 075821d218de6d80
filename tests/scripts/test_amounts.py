"""Tables of what every value pays: each figure is that of a real win, and none is missing."""

from decimal import Decimal

import pytest

from scoring.request import respond
from scoring.rules import preset_named, systems
from scripts.docs.amounts import NO_WIN, YAKUMAN, amounts_of, streaks_of
from tests.scoring import asking

HOUSES = [(s, p) for s in systems().values() for p in (None, *s.presets)]


def table(system, preset=None, streak=1):
    """Label -> {column: {role: figure}}."""
    found = amounts_of(systems()[system], dict(preset_named(preset)[1].options) if preset else {}, streak)
    return {
        label: {
            column.how: dict(zip((role for role, _ in column.roles), paid, strict=True))
            for column, paid in zip(found.columns, figures, strict=True)
        }
        for label, figures in found.rows
    }


@pytest.mark.parametrize(("system", "preset"), HOUSES, ids=lambda x: getattr(x, "id", "usual"))
def test_every_house_has_a_table_in_which_more_never_pays_less(system, preset):
    for streak in streaks_of(system):
        found = amounts_of(system, dict(preset.options) if preset else {}, streak)
        assert found.columns and len(found.rows) >= 1
        for i, column in enumerate(found.columns):
            for j in range(len(column.roles)):
                paid = [
                    Decimal(figures[i][j])
                    for label, figures in found.rows
                    if figures[i][j] != NO_WIN and "/" not in label
                ]
                assert paid == sorted(paid) and paid, (column, paid)


def test_a_minimum_a_limit_and_east_in_hong_kong():
    half_spicy = table("hongkong", "half-spicy")
    assert list(half_spicy) == ["0-2", *map(str, range(3, 13)), "13+"]
    assert half_spicy["0-2"]["player_draws"] == {"dealer": NO_WIN, "others": NO_WIN}
    assert half_spicy["5"]["player_discard"] == {"giver": "48", "dealer": "48", "other": "24"}
    # Seat wind, all in triplets and a dragon, on west's discard: 5 faan.
    hand = asking.hand("99m44p", "4p", "pung 222z", "pung 777z", "pung 333s")
    request = {**asking.ask("hongkong", hand, win="discard", bonus="f1"), "preset": "half-spicy"}
    paid = respond(request)
    assert paid["total"]["value"] == 5
    assert [-paid["payments"][seat] for seat in "WEN"] == [48, 48, 24]


def test_values_that_pay_alike_share_a_row():
    assert {"4-6", "7-9", "10+"} <= table("hongkong").keys()
    assert list(table("hongkong", "hk-parlour")) == ["0", "1+"]  # no self-draw has 0 faan: it is 1 itself


def test_mcr_begins_at_its_minimum():
    first = next(iter(table("mcr").items()))
    assert first == ("8", {"discard": {"giver": "16", "others": "8"}, "draws": {"each": "16"}})


def test_a_shooter_pays_all():
    assert table("singapore", "sg-shooter")["3"]["discard"] == {"giver": "16"}


def test_riichi_rounds_up_and_has_yakuman():
    usual, wrc = table("riichi"), table("riichi", "wrc")
    assert usual["4 / 30"]["player_discard"] == {"giver": "7700"}
    assert wrc["4 / 30"]["player_discard"] == {"giver": "8000"}
    assert usual["3 / 40"]["player_draws"] == {"dealer": "2600", "others": "1300"}
    assert usual[YAKUMAN]["dealer_draws"] == wrc[YAKUMAN]["dealer_draws"] == {"each": "16000"}
    assert "13+" in usual and "11+" in wrc
    assert NO_WIN in usual["2 / 20"]["player_discard"].values() and "1 / 20" not in usual


def test_the_dealers_streak_in_taiwan_and_hangzhou():
    assert [table("taiwanese", streak=n)["2"]["player_draws"]["dealer"] for n in (1, 2, 3)] == ["60", "80", "100"]
    assert [table("hangzhou", streak=n)["1"]["dealer_draws"]["each"] for n in (1, 2, 3)] == ["2", "4", "8"]
    assert "player_dealers" in table("hangzhou", streak=3)["1"] and "player_dealers" not in table("hangzhou")["1"]
