"""What a score looks like in a terminal."""

from hupai.terminal.show import Paper, show_score
from scoring.request import parse_request
from tests.scoring.asking import ask, fitting, hand

PLAIN = hand("123m456m789p23s55p", "4s")
DRAGONS = hand("99p45m", "6m", "pung 555z", "pung 666z", "pung 777z")


def shown(rules, tiles, **how):
    paper = Paper(width=120)
    with paper.capture() as captured:
        show_score(paper, parse_request(ask(rules, tiles, **how)).score())
    return captured.get().splitlines()


def test_values_stand_under_their_unit():
    head = shown("taiwanese", (fitting("taiwanese", PLAIN[0]), *PLAIN[1:]), win="self_draw")[1]
    assert [cell.strip() for cell in head.strip("┃").split("┃")] == ["Element", "tai", "Why"]


def test_yakuman_are_counted_in_yakuman():
    lines = shown("riichi", DRAGONS)
    assert [cell.strip() for cell in lines[1].strip("┃").split("┃")] == ["Element", "yakuman", "Why"]
    row = next(line for line in lines if "大三元" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")][1] == "1"


def test_a_win_that_nobody_pays_for_has_no_table_of_payments():
    lines = shown("hongkong", PLAIN, bonus="f1", options={"pays_from": 4})
    assert lines[-1] == "Nobody pays."
    assert "Who pays" not in " ".join(lines)
    assert "Who pays" in " ".join(shown("hongkong", PLAIN, bonus="f1"))
