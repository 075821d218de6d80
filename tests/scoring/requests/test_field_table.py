"""Which context fields each system reads: what it says it reads, and nothing else."""

from __future__ import annotations

import inspect
import json

import pytest

from scoring.basics.context_field import FACTS, context_fields
from scoring.context import context_faults
from scoring.fields.table import all_context_fields, systems_reading
from scoring.request import respond
from scoring.rules import systems
from tests.repository import ROOT

OTHER = {
    **{"round": "W", "banker": "W", "wareme": "W", "streak": 2, "floats": 1, "kong_streak": 1, "counters": 3},
    **{"honours": 10, "doubles_after": 1},
    **{"riichi_sticks": 2, "dora_indicators": ["1m"], "ura_indicators": ["1m"], "indicator": "9s"},
    **{"responsible": "none", "turn_discards": [{"seat": "W", "tile": "8s"}], "fed": {"N>S": 3}},
    **{"liable": {"seat": "W", "kind": "other"}},
    **{name: True for name, ask in all_context_fields().items() if ask.kind == "switch"},
}


def worked(rules):
    return [case["request"] for case in json.loads((ROOT / "tests" / "golden" / f"{rules}.json").read_text())]


def answers(request, field):
    """Without the field, and with it as :data:`OTHER` has it; contradictions between any rules' fields left out."""
    plain = {name: value for name, value in request["context"].items() if name != field}
    told = respond({**request, "context": {**plain, field: OTHER[field]}})
    return respond({**request, "context": plain}), told


def test_every_field_has_another_value_to_try():
    assert set(OTHER) == set(all_context_fields())


@pytest.mark.parametrize("rules", list(systems()))
def test_what_a_system_does_not_read_changes_nothing(rules):
    """Only what no rules allow at all is refused: two dealt wins, a last tile that was robbed."""
    nowhere_allowed = inspect.getsource(context_faults)
    left = set(OTHER) - set(systems()[rules].reads)
    for request in worked(rules):
        for field in left:
            plain, told = answers(request, field)
            faults = told.get("error", {}).get("faults", ["?"])
            assert told == plain or all(fault in nowhere_allowed for fault in faults), (request, field)


@pytest.mark.parametrize("rules", list(systems()))
def test_what_a_system_reads_changes_something(rules):
    requests = worked(rules)
    for field in set(systems()[rules].reads) & set(OTHER):
        assert any(plain != told for plain, told in (answers(request, field) for request in requests)), field


@pytest.mark.parametrize("rules", list(systems()))
def test_conditions_of_questions_name_facts_fields_and_house_rules(rules):
    system = systems()[rules]
    known = {*FACTS, *context_fields(system.context_class), *(f"house.{option.name}" for option in system.options)}
    for name, ask in context_fields(system.context_class).items():
        named = {one.removeprefix("!") for any_of in ask.when for one in any_of.split("|")}
        assert named <= known - {name}, name


def test_the_readers_of_a_field():
    assert [s.id for s in systems_reading("riichi")] == ["riichi"]
    assert [s.id for s in systems_reading("turn_discards")] == ["zungjung"]
    assert "hangzhou" not in {s.id for s in systems_reading("round")}
    assert len(systems_reading("seat")) == len(systems())
