"""Sentences that remember what they were made of."""

from __future__ import annotations

import copy
import json
import pickle

from scoring.words.sentence import Joined, Sentence, joined, labelled, parts_of, say, say_many


def test_a_sentence_is_its_text_and_knows_its_template() -> None:
    said = say("{n} of {t}: there are only four.", n=5, t="1m")
    assert said == "5 of 1m: there are only four." and json.dumps([said]) == '["5 of 1m: there are only four."]'
    assert isinstance(said, Sentence) and said.template == "{n} of {t}: there are only four."
    assert say(said) is said


def test_parts_make_it_again() -> None:
    said = say("{n} of {t}: there are only four.", n=5, t="1m")
    parts = parts_of(said)
    assert parts is not None and say(parts["template"], **parts["values"]) == said
    assert parts_of("plain") is None


def test_one_and_many() -> None:
    assert [say_many("{n} point", "{n} points", n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


def test_values_that_look_alike_are_told_apart() -> None:
    assert (say("{a} there", a=1), say("{a} there", a=True)) == ("1 there", "True there")


def test_a_label_and_what_it_is_about() -> None:
    inner = joined([say("base {n}", n=4), "the shooter"], "; ")
    label = labelled("payments", inner)
    assert label == "payments: base 4; the shooter"
    assert isinstance(label, Sentence) and label.values["b"] is inner


def test_a_single_part_stays_what_it_is() -> None:
    one = say("base {n}", n=4)
    assert joined([one], ", ") is one


def test_they_reach_other_processes_whole() -> None:
    said = joined([say("base {n}", n=4), say("{n} each", n=1)], " + ")
    for kept in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said)):
        assert isinstance(kept, Joined) and kept == said
        assert [part.template for part in kept.parts if isinstance(part, Sentence)] == ["base {n}", "{n} each"]
