"""Arguments at a table: each is settled from the page of a rule system alone, and by the code in the same way."""

import re
from functools import cache

import pytest

from scoring.request import respond
from scoring.rules import system_named
from scoring.rules.hongkong import false_win
from scoring.seats import Seat
from scripts.docs.rules import page
from tests.scoring import asking


@cache
def page_of(rules):
    return page(system_named(rules))


def rows(rules, heading):
    """The cells of the first table below a heading of a page, its head first."""
    below = page_of(rules).partition(f"\n{heading}\n")[2]
    found = re.search(r"(?:^\|.*\n)+", below, re.M)
    assert found, f"{rules}: no table below {heading}"
    table = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in found[0].splitlines()]
    return [table[0], *table[2:]]


def cell(rules, heading, row, column):
    """The cell in the row that begins with one text, below another; tables after the first are looked at, too."""
    below = page_of(rules).partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    for block in re.findall(r"(?:^\|.*\n)+", below, re.M):
        table = [[c.strip() for c in line.strip("|\n").split("|")] for line in block.splitlines()]
        for line in table[2:]:
            if line[0] == row and column in table[0]:
                return line[table[0].index(column)]
    raise AssertionError(f"{rules}: no {row} / {column} below {heading}")


def score(rules, concealed, winning, *melds, win="self_draw", **how):
    answer = respond(asking.ask(rules, asking.hand(concealed, winning, *melds), win=win, **how))
    assert "error" not in answer, answer
    return answer


def ids(answer):
    return {e["id"] for e in answer["elements"]}


def test_does_all_in_triplets_count_beside_self_triplets():
    contained = dict(rows("hongkong", "## What contains what"))["Self Triplets 四暗刻"]
    assert "All in Triplets" in contained
    assert "all_triplets" not in ids(score("hongkong", "111m333p555s77s99p", "9p"))


def test_may_two_faan_win_under_half_spicy():
    assert cell("hongkong", "### Who pays whom: `half-spicy`", "0-2", "dealer draws it: each") == "no win"
    refused = score("hongkong", "123m456m345p78s22p", "9s", bonus="f1", options={"table": "canton", "min_faan": 4})
    assert not refused["legal"]


def test_four_han_thirty_fu_at_a_world_championship_and_in_europe():
    for preset, houses in (("wrc", "`wrc`, `mleague`"), ("ema", "`ema`")):
        section, column = f"### Who pays whom: {houses}", "player wins on a player's tile: who gave it"
        listed = int(cell("riichi", section, "4 / 30", column))
        hand = asking.ask("riichi", asking.hand("234m567m234p67s55p", "8s"), riichi=True, dora_indicators=["6s"])
        assert respond({**hand, "preset": preset})["total"]["points"] == listed


def test_what_does_east_pay_for_three_han_forty_fu_self_drawn():
    east, _ = cell("riichi", "## What it pays", "3 / 40", "player draws it: dealer / others").split(" / ")
    # A claimed dragon and a half flush: 3 han; 20, 2 for the self-draw, 8 and 4 for the sets: 40 fu.
    paid = score("riichi", "234m444z99m56m", "7m", "pung 777z")
    assert (paid["total"]["value"], paid["total"]["fu"]) == (3, 40)
    assert paid["payments"]["E"] == -int(east)


def test_what_does_the_discarder_pay_for_three_doubles_in_singapore():
    second, first = cell("singapore", "## What it pays", "3", "on another's tile: who gave it / others").split(" / ")
    paid = score("singapore", "67s99p", "5s", "pung 555z", "pung 666z", "pung 333m", win="discard", bonus="a1")
    assert paid["total"]["value"] == 3
    assert (str(-paid["payments"]["N"]), str(-paid["payments"]["W"])) == (first, second)


def test_who_pays_when_the_shooter_pays():
    assert "shooter=on" in cell("singapore", "## Presets", "`sg-shooter`", "house rules")
    hand = asking.hand("67s99p", "5s", "pung 555z", "pung 666z", "pung 333m")
    paid = respond({**asking.ask("singapore", hand), "preset": "sg-shooter"})["payments"]
    assert paid["E"] == paid["N"] == 0 > paid["W"]


def test_what_do_the_others_pay_for_sixty_points_of_zung_jung():
    column = "on another's tile: who gave it / others"
    most, least = map(int, cell("zungjung", "## What it pays", "60", column).split(" / "))
    answer = score("zungjung", "123m45m99m", "6m", "pung 666z", "pung 777z", win="discard")
    assert answer["total"]["value"] == 60, answer["total"]
    assert (answer["payments"]["W"], answer["payments"]["N"]) == (-most, -least)


def test_do_two_identical_sequences_count_beside_double_two_sequences():
    line = dict(rows("zungjung", "## Series"))["5.1"]
    assert "Two Identical Sequences" in line and "Double Two Sequences" in line
    assert "two_identical_sequences" not in ids(score("zungjung", "223344m223344p5s", "5s"))


def test_what_does_the_banker_pay_in_his_second_hand():
    row = ("The dealer's hand 2 in a row:", "1", "player draws it: dealer / others")
    banker, other = map(int, cell("hangzhou", *row).split(" / "))
    paid = score("hangzhou", "123m456m345p78s22p", "9s", indicator="1z", streak=2)["payments"]
    assert (paid["E"], paid["N"]) == (-banker, -other)


@pytest.mark.parametrize(("offender", "seat"), [("south", "S"), ("east", "E")])
def test_what_does_a_false_win_cost(offender, seat):
    line = next(r for r in rows("hongkong", "## Penalty for a false win") if r[0] == offender)
    assert [int(x) for x in line[1:]] == [false_win(Seat(seat)).to_json()[code] for code in "ESWN"]


def test_what_do_they_pay_for_twelve_points_of_mcr():
    giver, other = map(
        int, cell("mcr", "## What it pays", "12", "on another's tile: who gave it / others").split(" / ")
    )
    answer = score("mcr", "234m567m234p55p67s", "8s", win="discard", last_of_kind=True)
    assert answer["total"]["value"] == 12
    assert (answer["payments"]["W"], answer["payments"]["N"]) == (-giver, -other)
    assert answer["payments"]["S"] == giver + 2 * other


def test_does_a_pung_of_terminals_count_beside_three_winds_in_mcr():
    contained = dict(rows("mcr", "## What contains what"))["Big Three Winds 三風刻"]
    assert "Pung of Terminals or Honors" in contained
    winds = ("pung 111z", "pung 333z", "pung 444z")
    assert "pung_of_terminals_or_honors" not in ids(score("mcr", "555p5s", "5s", *winds, win="discard"))
    # The order of counting says it of these sets only: a pung of nines beside the winds counts.
    assert "pung_of_terminals_or_honors" in ids(score("mcr", "999p5p", "5p", *winds, win="discard"))


def test_do_flowers_help_to_reach_the_eight_points_of_mcr():
    default = cell("mcr", "## House rules", "`min_points`", "default")
    meaning = cell("mcr", "## House rules", "`min_points`", "what it does")
    assert (default, "without flower tiles" in meaning) == ("8", True)
    refused = score("mcr", "123m456m345p78s22p", "9s", win="discard", bonus="f1 f2 f3 f4 g1 g2 g3 g4")
    assert not refused["legal"] and refused["reason"]["code"] == "below_minimum"


def test_what_does_a_taiwanese_dealer_pay_who_stayed_twice():
    row = ("The dealer's hand 3 in a row:", "2", "player draws it: dealer / others")
    dealer, other = map(int, cell("taiwanese", *row).split(" / "))
    # Self-drawn, and a claimed dragon: 2 tai.
    hand = ("123m456m345p67s99s", "8s", "pung 777z")
    paid = score("taiwanese", *hand, streak=3)
    assert paid["total"]["value"] == 2, paid["elements"]
    assert (paid["payments"]["E"], paid["payments"]["N"]) == (-dealer, -other)


def test_does_self_drawn_count_beside_fully_concealed_in_taiwan():
    contained = dict(rows("taiwanese", "## What contains what"))["Fully Concealed 門清自摸"]
    assert "Self-Drawn" in contained and "Concealed Hand" in contained
    found = ids(score("taiwanese", "123m456m789p345p67s99s", "8s"))
    assert "fully_concealed" in found and not found & {"self_drawn", "concealed_hand"}


@pytest.mark.parametrize(
    ("column", "seat", "source", "paying"),
    [
        ("player wins on a player's tile: who gave it / dealer / the other", "S", "W", "WEN"),
        ("player wins on the dealer's tile: dealer / others", "S", "E", "EW"),
        ("dealer wins on a tile: who gave it / others", "E", "W", "WN"),
    ],
)
def test_who_pays_how_much_for_five_faan_half_spicy(column, seat, source, paying):
    figures = cell("hongkong", "### Who pays whom: `half-spicy`", "5", column).split(" / ")
    # All in triplets, a dragon, and the winner's own wind: 5 faan; the flower is another's.
    own, another = ("222z", "f1") if seat == "S" else ("111z", "f2")
    hand = asking.hand("99m44p", "4p", f"pung {own}", "pung 777z", "pung 333s")
    request = asking.ask("hongkong", hand, seat=seat, source=source, bonus=another, round="W")
    answer = respond({**request, "preset": "half-spicy"})
    assert answer["total"]["value"] == 5, answer
    assert [str(-answer["payments"][payer]) for payer in paying] == figures


def test_what_do_seven_doubles_cost_over_a_limit_of_five():
    section = "### Who pays whom: `sg-bonus`"
    figures = cell("singapore", section, "7", "on another's tile: who gave it / others").split(" / ")
    # Two dragons, the seat wind, half a flush of triplets.
    hand = asking.hand("33m99m", "3m", "pung 555z", "pung 666z", "pung 222z")
    answer = respond({**asking.ask("singapore", hand), "preset": "sg-bonus"})
    assert answer["total"]["uncapped"] == 7, answer["elements"]
    assert [str(-answer["payments"][payer]) for payer in "WN"] == figures
