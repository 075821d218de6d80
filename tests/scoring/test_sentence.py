"""Sentences that remember what they were made of."""

from __future__ import annotations

import copy
import json
import pickle

from scoring.words.sentence import Joined, Sentence, joined, labelled, say, say_many, table_of


def test_a_sentence_is_its_text_and_knows_its_template() -> None:
    said = say("{n} of {t}: there are only four.", n=5, t="1m")
    assert said == "5 of 1m: there are only four." and json.dumps([said]) == '["5 of 1m: there are only four."]'
    assert isinstance(said, Sentence) and said.template == "{n} of {t}: there are only four."
    assert table_of(said) == {said: ["{n} of {t}: there are only four.", {"n": "5", "t": "1m"}]}


def test_one_and_many() -> None:
    assert [say_many("{n} point", "{n} points", n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


def test_values_that_look_alike_are_told_apart() -> None:
    assert (say("{a} there", a=1), say("{a} there", a=True)) == ("1 there", "True there")


def test_sentences_in_sentences_stand_in_the_table_too() -> None:
    inner = say("base {n}", n=4)
    outer = say("{a}, doubled for east", a=inner)
    lines = joined([outer, "the shooter"], "; ")
    label = labelled("payments", lines)
    assert label == "payments: base 4, doubled for east; the shooter"
    assert table_of({"answer": [label, {"plain": "no sentence"}]}) == {
        label: ["{a}: {b}", {"a": "payments", "b": lines}],
        lines: {"parts": [outer, "the shooter"], "by": "; "},
        outer: ["{a}, doubled for east", {"a": "base 4"}],
        inner: ["base {n}", {"n": "4"}],
    }


def test_a_single_part_stays_what_it_is() -> None:
    one = say("base {n}", n=4)
    assert joined([one], ", ") is one


def test_they_reach_other_processes_whole() -> None:
    said = joined([say("base {n}", n=4), say("{n} each", n=1)], " + ")
    for kept in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said)):
        assert isinstance(kept, Joined) and kept == said
        assert table_of(kept) == table_of(said)
