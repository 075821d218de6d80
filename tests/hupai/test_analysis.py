"""Many hands as arrays: the answers of ``score``, in order, whatever the rules and however many processes."""

import random

import numpy as np
import pytest

from hupai.analysis import CHUNK, WORTH_A_PROCESS, Scores, score_many
from scoring.errors import InvalidRequest
from scoring.request import respond
from scoring.rules import systems
from scoring.tiles import PLAIN
from tests.hupai.many_hands import dealt

DRAWN = {"seat": "S", "win": "self_draw"}
CLAIMED = {"seat": "E", "win": "discard", "from": "W"}
SEATS = ("E", "S", "W", "N")


def one_by_one(hands, rules, context, options):
    """The same as rows of plain numbers, each hand a request of its own."""
    for *concealed, won in hands.tolist():
        tiles = {"concealed": [PLAIN[k].code for k in concealed], "winning_tile": PLAIN[won].code}
        answer = respond({"rules": rules, "context": context, "options": options, **tiles})
        total = answer["total"] or {"value": 0}
        yield answer["legal"], total["value"], total.get("fu") or 0, *(float(answer["payments"][s]) for s in SEATS)


def rows_of(scores):
    columns = (scores.legal, scores.value, scores.fu, *scores.payments.T)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("rules", systems())
@pytest.mark.parametrize("context", [DRAWN, CLAIMED])
def test_the_answers_of_single_requests(rules, context):
    sets = systems()[rules].shapes.sets
    if rules == "hangzhou":
        context = context | {"indicator": "permanent", "streak": 3}
    hands = dealt(random.Random(rules), 300, sets)
    scores = score_many(hands, rules, context=context)
    assert rows_of(scores) == list(one_by_one(hands, rules, context, {}))
    assert scores.legal.any() and not scores.legal.all() and len(scores) == 300
    assert np.allclose(scores.payments.sum(axis=1), 0)


@pytest.mark.slow
def test_fifty_thousand_hands_in_two_processes():
    hands = dealt(random.Random("many"), 50_000)
    context = CLAIMED | {"riichi": True, "counters": 2}
    options = {"kiriage": True, "aka": 0}
    scores = score_many(hands, "riichi", context=context, options=options, workers=2)
    assert rows_of(scores) == list(one_by_one(hands, "riichi", context, options))


def test_equal_hands_in_any_order_have_equal_scores():
    hands = dealt(random.Random(9), 200)
    scores = score_many(hands, "riichi", context=DRAWN)
    rng = np.random.default_rng(9)
    again = np.hstack([rng.permuted(hands[:, :-1], axis=1), hands[:, -1:]])
    order = rng.permutation(np.arange(400) % 200)
    mixed = score_many(again[order], "riichi", context=DRAWN)
    assert rows_of(mixed) == [rows_of(scores)[at] for at in order]


def test_no_hands():
    assert len(score_many(np.zeros((0, 14), int), "riichi", context=DRAWN)) == 0


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        (np.zeros((1, 13), int), r"shape \(N, 14\), not int64 of \(1, 13\)"),
        (np.zeros(14, int), r"of \(14,\)"),
        (np.zeros((1, 14)), "not float64"),
        ([[0] * 14], "not a list"),
        (np.full((1, 14), 34), "0 to 33"),
        (np.full((1, 14), -1), "0 to 33"),
        (np.zeros((1, 14), int), "Hand 0: 14 of 1m: there are only four"),
    ],
)
def test_what_cannot_be_hands(hands, words):
    with pytest.raises(InvalidRequest, match=words) as caught:
        score_many(hands, "riichi", context=DRAWN)
    assert caught.value.field == "hands"


def test_the_first_wrong_hand_is_named_by_its_row():
    hands = dealt(random.Random(5), CHUNK + 3)
    hands[CHUNK + 1], hands[CHUNK + 2] = 7, 0
    with pytest.raises(InvalidRequest, match=f"Hand {CHUNK + 1}: 14 of 8m"):
        score_many(hands, "riichi", context=DRAWN)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [0, 33])
def test_whichever_process_meets_it(kind):
    hands = dealt(random.Random(6), 2 * WORTH_A_PROCESS)
    hands[777] = kind
    with pytest.raises(InvalidRequest, match=f"Hand 777: 14 of {PLAIN[kind].code}"):
        score_many(hands, "riichi", context=DRAWN, workers=2)


@pytest.mark.parametrize(
    ("context", "options", "words"),
    [
        ({"seat": "S", "win": "discard"}, {}, "give 'from'"),
        ({"win": "self_draw"}, {}, "context.seat"),
        (DRAWN | {"from": "W"}, {}, "comes from nobody"),
        (DRAWN, {"aka": 9}, "Option aka"),
    ],
)
def test_circumstances_are_refused_before_any_hand(context, options, words):
    with pytest.raises(InvalidRequest, match=words):
        score_many(np.zeros((0, 14), int), "riichi", context=context, options=options)


@pytest.mark.parametrize("wrong", [5, "a", [1]])
@pytest.mark.parametrize(
    ("name", "words"),
    [("rules", "No rules called"), ("context", "context is an object"), ("options", "options is an object")],
)
def test_arguments_of_another_type_are_refused(name, words, wrong):
    with pytest.raises(InvalidRequest, match=words):
        score_many(np.zeros((0, 14), int), **{"context": DRAWN, name: wrong})


@pytest.mark.parametrize("workers", ["a", None, 1.5])
def test_a_number_of_processes_is_whole(workers):
    with pytest.raises(InvalidRequest, match="workers is a whole number"):
        score_many(np.zeros((0, 14), int), context=DRAWN, workers=workers)


def test_taiwanese_hands_have_seventeen_tiles():
    with pytest.raises(InvalidRequest, match=r"shape \(N, 17\)"):
        score_many(np.zeros((1, 14), int), "taiwanese", context=DRAWN)


def test_arrays_of_one_length():
    with pytest.raises(ValueError, match="in each array"):
        Scores(np.zeros(1, bool), np.zeros(2, int), np.zeros(1, int), np.zeros((1, 4)))
