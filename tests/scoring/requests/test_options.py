"""House rules: every kind of option, its values, and refusals by name."""

from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import InvalidRequest
from scoring.options import choice, custom, decimal_option, options_of, parse_options, switch, whole
from scoring.rules import systems


def _seats(value):
    if not isinstance(value, list):
        raise ValueError("must be a list of seats")
    return tuple(value)


@dataclass(frozen=True, slots=True)
class House:
    table: str = choice("old", ("new", "none"), "which table")
    man: str = choice("off", ("mangan",), "what it is worth")
    fu: int = choice(4, (2,), "how many")
    open: bool = switch(True, "on or off")
    least: int | str | None = whole(0, "a number", high=13, words=("auto", None))
    free: int = whole(1, "from one up", low=1)
    unit: Decimal = decimal_option("0.5", "money")
    gift: Decimal = decimal_option("0", "money or nothing", zero=True)
    seats: tuple[str, ...] = custom((), _seats, "seats", accepts="a list")
    table_of: dict[str, int] = custom({}, lambda v: v, "a table", factory=dict)


GOOD = [
    ("table", "new", "new"),
    ("table", "none", "none"),
    ("table", None, "none"),  # null where none is a value
    ("man", False, "off"),  # as --option man=off says it
    ("fu", 2, 2),
    ("open", False, False),
    ("least", 13, 13),
    ("least", "auto", "auto"),
    ("least", None, None),
    ("least", "none", None),
    ("free", 10**9, 10**9),
    ("unit", 3, Decimal(3)),
    ("unit", "0.25", Decimal("0.25")),
    ("unit", 0.25, Decimal("0.25")),
    ("unit", 10**9, Decimal(10**9)),
    ("gift", 0, Decimal(0)),
    ("seats", ["E"], ("E",)),
    ("table_of", {"a": 1}, {"a": 1}),
]
BAD = [
    ("table", "modern", "must be old, new, none"),
    ("table", False, "must be old, new, none"),
    ("man", True, "must be off, mangan"),
    ("man", None, "must be off, mangan"),
    ("fu", 3, "must be 4, 2"),
    ("fu", True, "must be 4, 2"),
    ("fu", None, "must be 4, 2"),
    ("fu", 2.0, "must be 4, 2"),
    ("fu", Decimal("sNaN"), "must be 4, 2"),  # which cannot be compared
    ("open", 1, "must be true, false"),
    ("open", "true", "must be true, false"),
    ("least", 14, "must be a whole number from 0 to 13, or auto, or none"),
    ("least", -1, "must be a whole number"),
    ("least", 1.0, "must be a whole number"),
    ("least", True, "must be a whole number"),
    ("free", 0, "must be a whole number from 1 up"),
    ("free", None, "must be a whole number from 1 up"),
    ("unit", 0, "must be a number above 0"),
    ("unit", -1, "must be a number above 0"),
    ("unit", True, "must be a number above 0"),
    ("unit", "NaN", "must be a number"),
    ("unit", "Infinity", "must be a number"),
    ("unit", "1e999999", "must be a number"),
    ("unit", "1e-999999", "must be a number"),
    ("unit", 10**9 + 1, "must be a number"),
    ("unit", "0.0000000001", "must be a number"),
    ("unit", "1.0000000001", "must be a number"),
    ("unit", "much", "must be a number"),
    ("unit", [], "must be a number"),
    ("gift", -1, "must be a number from 0 up"),
    ("seats", "E", "must be a list of seats"),
]


@pytest.mark.parametrize(("name", "value", "expected"), GOOD)
def test_values(name, value, expected):
    made = options_of(House, {name: value}, "House")
    assert getattr(made, name) == expected
    assert type(getattr(made, name)) is type(expected)


@pytest.mark.parametrize(("name", "value", "words"), BAD)
def test_bad_values_are_refused_by_name(name, value, words):
    with pytest.raises(InvalidRequest) as caught:
        options_of(House, {name: value}, "House")
    [fault] = caught.value.faults
    assert (fault.code, fault.field) == ("bad_option", f"options.{name}")
    assert fault.message.startswith(f"Option {name} {words}")


def test_what_was_parsed_once_is_not_taken_for_an_equal_value():
    assert options_of(House, {"open": False, "fu": 2}, "House") is options_of(House, {"open": False, "fu": 2}, "House")
    for equal in ({"open": 0, "fu": 2}, {"open": False, "fu": 2.0}):
        with pytest.raises(InvalidRequest):
            options_of(House, equal, "House")


def test_unknown_names_and_bad_values_are_named_at_once():
    made, faults = parse_options(House, {"tabel": "old", "fu": 3, "unit": 0, "table": "new"}, "House")
    assert made == House(table="new")  # what is refused stays as it is usually
    assert [f.code for f in faults] == ["unknown_option", "bad_option", "bad_option"]
    assert "House has no option 'tabel'; it has table, man, fu, open" in faults[0].message


def test_many_unknown_names_are_summed_up():
    made, faults = parse_options(House, {**{f"x{i}": 1 for i in range(500)}, "table": "new", "fu": 3}, "House")
    assert made == House(table="new")
    assert len(faults) == 22
    assert (faults[20].message, faults[20].field) == ("480 more unknown options.", "options")
    assert parse_options(House, {f"x{i}": 1 for i in range(21)}, "House")[1][-1].message == "1 more unknown option."
    assert faults[21].field == "options.fu"


OUTSIDE = {
    "hongkong": {"min_faan": (-1, 14), "max_faan": (0, 41, None), "pays_from": (-1, 14), "unit": (0,), "limit": (5,)},
    "zungjung": {"standard_score": (-1,), "minimum": (321,), "limit": (0,), "unit": (0,), "max": (3,)},
    "hangzhou": {"remaining": (-1, {"X": 1}, {"E": True}), "liability_between_from": (4,), "unit": (0,), "max": (10,)},
    "singapore": {
        **{"base": (0, -1, "1e99"), "limit": (0, 101), "over_bonus": (-1,), "false_win": (0, 101), "min": (-1, 101)},
        **{"values": ({"animal": 41}, {"animal": -1}, {"animal": 1.5}), "instant_limit": (1,)},
    },
    "riichi": {"aka": (-1, 5, True), "double_wind_fu": (3,), "min_han": (0,), "red_fives": (3,)},
}
"""Just outside what options take, and options that other systems have."""


@pytest.mark.parametrize("system", systems().values(), ids=systems())
def test_what_no_option_of_a_system_takes(system):
    wrong = [(o.name, v) for o in system.options for v in ("nonsense", [[]])]
    wrong += [(o.name, v) for o in system.options if set(o.values) == {True, False} for v in (1, "on", None)]
    for name, value in [*wrong, *((name, v) for name, values in OUTSIDE.get(system.id, {}).items() for v in values)]:
        with pytest.raises(InvalidRequest) as caught:
            options_of(system.option_class, {name: value}, system.name)
        assert [fault.field for fault in caught.value.faults] == [f"options.{name}"], value
        assert name in caught.value.message


@pytest.mark.parametrize("system", systems().values(), ids=systems())
def test_the_options_of_every_system(system):
    """Each has words and a default that its own check takes, as does each listed value."""
    assert system.options
    for option in system.options:
        assert option.doc
        assert option.accepts
        for value in option.values:
            made = options_of(system.option_class, {option.name: value}, system.name)
            assert getattr(made, option.name) == value
        assert getattr(system.option_class(), option.name) == option.default


@given(
    st.sampled_from([name for name, _, _ in GOOD]),
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers()) | st.decimals(),
)
def test_any_value_is_taken_or_refused(name, value):
    made, faults = parse_options(House, {name: value}, "House")
    if faults:
        assert made == House()
    elif name in ("unit", "gift"):
        assert getattr(made, name) == Decimal(str(value))
