"""Score requests: every fault named at once, and any JSON at all gives an answer or our error."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import InvalidRequest
from scoring.request import parse_request, respond
from scoring.rules import MODULES, system_named
from tests.scoring.asking import fitting
from tests.scoring.hand_maker import make_request
from tests.scoring.riichi.riichi_hands import riichi_request

HAND = {"concealed": "234m567m345p67s88p", "winning_tile": "8s"}
WON = {"seat": "S", "win": "discard", "from": "W"}
DRAGONS = {"type": "pung", "tiles": ["5z", "5z", "5z"], "from": "W"}


def request(**changes):
    return {"rules": "riichi", **HAND, "context": WON} | changes


def faults_of(data):
    """Code and field of every fault."""
    with pytest.raises(InvalidRequest) as caught:
        parse_request(data).score()
    return [(f.code, f.field) for f in caught.value.faults]


# --- what is read ---


def test_the_example_of_the_contract():
    response = respond(
        {
            "id": "anything, echoed",
            "rules": "riichi",
            "options": {},
            "concealed": ["2m", "3m", "4m", "5p", "6p", "7p", "3s", "4s", "5s", "8s"],
            "melds": [{"type": "chow", "tiles": ["6s", "7s", "8s"], "from": None}],
            "winning_tile": "8s",
            "bonus": [],
            "context": {"seat": "S", "round": "E", "win": "discard", "from": "W", "dora_indicators": ["7s"]},
        }
    )
    assert response["id"] == "anything, echoed"
    assert [line["id"] for line in response["elements"]] == ["tanyao", "dora"]
    assert set(response) == {
        *("id", "rules", "legal", "reason", "elements", "total", "arrangement", "payments", "transfers", "explanation")
    }


def test_compact_runs_and_lists_are_the_same():
    lists = request(
        concealed=["2m", "3m", "4m", "5m", "6m", "7m", "3p", "4p", "5p", "6s", "7s", "8p", "8p"],
        context=WON | {"dora_indicators": ["1m", "2m"]},
    )
    runs = request(context=WON | {"dora_indicators": "12m"})
    assert respond(lists) == respond(runs)


@pytest.mark.parametrize("identity", [None, 7, "x", ["a"], {"b": 1}])
def test_the_id_is_echoed(identity):
    assert respond(request(id=identity))["id"] == identity
    assert respond({"id": identity, "rules": "chess"})["id"] == identity
    assert "id" in respond([identity])


@pytest.mark.parametrize("identity", [float("inf"), float("nan"), [1, float("-inf")], {"a": [float("inf")]}, {1, 2}])
def test_an_id_that_json_cannot_hold_is_refused_and_not_echoed(identity):
    """Python reads 1e999 as infinity, and would write it back as a word that is no JSON."""
    response = respond(request(id=identity))
    assert response["id"] is None
    assert (response["error"]["code"], response["error"]["field"]) == ("bad_value", "id")
    json.dumps(response, allow_nan=False)
    assert faults_of(request(id=identity, speed=1)) == [("unknown_field", "speed"), ("bad_value", "id")]


def test_null_is_the_same_as_nothing():
    nothing = respond(request())
    empty = dict.fromkeys(("options", "melds", "bonus", "id"))
    unset = dict.fromkeys(("round", "riichi", "counters", "liable", "dora_indicators", "wareme", "fed", "indicator"))
    assert respond(request(**empty, context=WON | unset)) == nothing
    assert respond(request(winning_tile=""))["error"]["code"] == "no_winning_tile"


@pytest.mark.parametrize("name", ["riichi", "RIICHI", "Zung Jung", "hong-kong", "hk", "hangzhou", "singapore", "国标"])
def test_names_of_rules(name):
    assert system_named(name).id in MODULES


@pytest.mark.parametrize(("name", "words"), [(None, "it is missing"), (3, "not 3"), ("chess", "'chess'"), ("", "''")])
def test_rules_that_there_are_not(name, words):
    message = respond(request(rules=name))["error"]["message"]
    assert words in message
    assert "hongkong, zungjung, hangzhou, singapore, riichi, mcr" in message


# --- faults, one by one ---


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        (None, "bad_request", None),
        ([], "bad_request", None),
        ("riichi", "bad_request", None),
        (request(rules="chess"), "unknown_rules", "rules"),
        (request(rules=None), "unknown_rules", "rules"),
        (request(speed=1), "unknown_field", "speed"),
        (request(options=[]), "bad_value", "options"),
        (request(options={"kazo": 1}), "unknown_option", "options.kazo"),
        (request(options={"aka": 9}), "bad_option", "options.aka"),
        (request(concealed="234"), "bad_notation", "concealed"),
        (request(concealed=["2m", "xx"]), "unknown_tile", "concealed[1]"),
        (request(concealed=["2m", ["3m"]]), "unknown_tile", "concealed[1]"),
        (request(concealed=7), "bad_value", "concealed"),
        (request(concealed=["1m"] * 201), "bad_value", "concealed"),
        (request(concealed=" " * 1601), "bad_value", "concealed"),
        (request(winning_tile="8x"), "unknown_tile", "winning_tile"),
        (request(melds={}), "bad_value", "melds"),
        (request(melds=[1] * 201), "bad_value", "melds"),
        (request(melds=[DRAGONS] * 201), "bad_value", "melds"),
        (request(melds=[DRAGONS | {"tiles": ["5z"] * 2}]), "bad_meld", "melds[0]"),
        (
            request(melds=[DRAGONS | {"tiles": dict.fromkeys(("1m", "2m", "3m")), "type": "chow"}]),
            "bad_value",
            "melds[0].tiles",
        ),
        (request(melds=[DRAGONS | {"size": 3}]), "unknown_field", "melds[0].size"),
        (request(melds=[DRAGONS, DRAGONS | {"from": ["E"]}]), "bad_value", "melds[1].from"),
        (request(melds=["555z"]), "bad_value", "melds[0]"),
        (request(melds=[{"type": "pon", "tiles": "555z"}]), "bad_value", "melds[0].type"),
        (request(melds=[{"tiles": "555z"}]), "bad_value", "melds[0].type"),
        (request(melds=[{"type": "pung", "tiles": "677z"}]), "bad_meld", "melds[0]"),
        (request(melds=[{"type": "pung", "tiles": "55x"}]), "bad_notation", "melds[0].tiles"),
        (request(melds=[{"type": "pung", "tiles": "555z", "from": "X"}]), "bad_value", "melds[0].from"),
        (request(melds=[{"type": "pung", "tiles": "555z", "size": 3}]), "unknown_field", "melds[0].size"),
        (request(concealed="123m"), "wrong_count", "concealed"),
        (request(context=None), "bad_value", "context"),
        (request(context={"win": "discard"}), "bad_value", "context.seat"),
        (request(context={"seat": "S"}), "bad_value", "context.win"),
        (request(context=WON | {"seat": "X"}), "bad_value", "context.seat"),
        (request(context=WON | {"seat": ["S"]}), "bad_value", "context.seat"),
        (request(context=WON | {"win": "ron"}), "bad_value", "context.win"),
        (request(context=WON | {"from": "Q"}), "bad_value", "context.from"),
        (request(context=WON | {"round": 1}), "bad_value", "context.round"),
        (request(context=WON | {"riichi": 1}), "bad_value", "context.riichi"),
        (request(context=WON | {"counters": True}), "bad_value", "context.counters"),
        (request(context=WON | {"counters": 1001}), "bad_value", "context.counters"),
        (request(context=WON | {"honba": 1}), "unknown_field", "context.honba"),
        (request(context=WON | {"liable": "W"}), "bad_value", "context.liable"),
        (request(context=WON | {"liable": {"kind": "daisangen"}}), "bad_value", "context.liable.seat"),
        (request(context=WON | {"liable": {"seat": "W", "kind": 3}}), "bad_value", "context.liable.kind"),
        (request(context=WON | {"liable": {"seat": "W"}}), "bad_value", "context.liable.kind"),
        (request(context=WON | {"liable": {"seat": "W", "sum": 3}}), "unknown_field", "context.liable.sum"),
        (request(context=WON | {"dora_indicators": [None]}), "unknown_tile", "context.dora_indicators[0]"),
        (request(context=WON | {"indicator": "10m"}), "unknown_tile", "context.indicator"),
        (request(context=WON | {"responsible": ["auto"]}), "bad_value", "context.responsible"),
        (request(context=WON | {"fed": []}), "bad_value", "context.fed"),
        (request(context=WON | {"fed": {"NS": 3}}), "bad_value", "context.fed"),
        (request(context=WON | {"fed": {f"{i}": 3 for i in range(13)}}), "bad_value", "context.fed"),
        (request(context=WON | {"fed": {"N>N": 3}}), "bad_value", "context.fed"),
        (request(context=WON | {"fed": {"N>S": 5}}), "bad_value", "context.fed"),
        (request(context=WON | {"fed": {"N>S": True}}), "bad_value", "context.fed"),
        (request(context=WON | {"turn_discards": 3}), "bad_value", "context.turn_discards"),
        (request(context=WON | {"turn_discards": [3]}), "bad_value", "context.turn_discards[0]"),
    ],
)
def test_one_fault(data, code, field):
    assert (code, field) in faults_of(data)
    response = respond(data)
    assert response.keys() == {"id", "error"}
    assert response["error"].keys() == {"code", "message", "field", "faults"}


def test_every_fault_is_named_at_once():
    wrong = {
        "rules": "riichi",
        "speed": 1,
        "options": {"kazo": True, "aka": 9},
        "concealed": ["2m", "xx", None],
        "melds": [{"type": "pon", "tiles": "555z"}, {"type": "pung", "tiles": "677z"}],
        "winning_tile": "8x",
        "context": {"seat": "X", "win": "ron", "riichi": "yes", "counters": 1.5, "honba": 2, "liable": {"seat": "Q"}},
    }
    assert [field for _, field in faults_of(wrong)] == [
        *("speed", "options.kazo", "options.aka", "concealed[1]", "concealed[2]", "winning_tile"),
        *("melds[0].type", "melds[1]", "context.honba", "context.seat", "context.win"),
        *("context.liable.seat", "context.liable.kind", "context.riichi", "context.counters"),
    ]
    error = respond(wrong)["error"]
    assert len(error["faults"]) == 15
    assert error["message"].startswith("15 faults: ")


@pytest.mark.parametrize("rules", MODULES)
def test_a_penalty_without_a_name_is_the_other_one_or_missing(rules):
    """Nobody said 'other': where the rules know no such penalty, the answer does not say that somebody did."""
    known = system_named(rules).liable_kinds
    tiles = {
        "concealed": fitting(rules, "234m567m345p67s88p"),
        "winning_tile": "8s",
        "bonus": "a1" if rules == "singapore" else "",
    }
    told = {"seat": "S", "win": "self_draw", "indicator": "9p", "liable": {"seat": "N"}}
    response = respond({"rules": rules, **tiles, "context": told})
    if known and "other" not in known:
        assert response["error"]["field"] == "context.liable.kind"
        assert response["error"]["faults"] == [f"context.liable.kind is one of {', '.join(known)}; it is missing."]
    else:
        assert response["legal"]
        assert [seat for seat, n in response["payments"].items() if n < 0] == (["N"] if known else ["E", "W", "N"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"speed": 1},
        {"options": {"kazo": 1}},
        {"concealed": "234m567m345p67s8p f1"},
        {"bonus": "f1"},
        {"context": WON | {"counters": -1}},
    ],
)
def test_whatever_else_is_wrong_the_rules_faults_are_named_too(wrong):
    found = {"heavenly": True, "ippatsu": True}
    data = request(**wrong | {"context": wrong.get("context", WON) | found})
    messages = " ".join(respond(data)["error"]["faults"])
    for words in ("win must be self_draw", "seat must be E", "ippatsu needs riichi"):
        assert words in messages
    assert len(respond(data)["error"]["faults"]) == 4


@pytest.mark.parametrize("rules", MODULES)
def test_nobody_claims_a_set_from_himself(rules):
    melds = [{"type": "pung", "tiles": "666z"}, {"type": "pung", "tiles": "777z", "from": "S"}]
    context = {"seat": "S", "win": "self_draw", "indicator": "4s"}
    tiles = {"concealed": fitting(rules, "345s67s99m"), "winning_tile": "8s"}
    data = {"rules": rules, **tiles, "melds": melds, "context": context}
    assert faults_of(data) == [("contradiction", "melds[1]")]
    melds[1]["from"] = "N"
    assert respond(data)["legal"]


def test_the_same_fault_in_two_places_is_one_sentence():
    data = request(rules="hongkong", concealed=["xx"], bonus=["f1", "xx"])
    assert faults_of(data) == [("unknown_tile", "concealed[0]"), ("unknown_tile", "bonus[1]")]
    error = respond(data)["error"]
    assert error["faults"] == [error["message"]]
    assert error["message"].startswith("'xx' is not a tile")


def test_what_cannot_be_read_hides_no_contradiction_of_the_context():
    for wrong in ({"rules": "chess"}, {"concealed": ["xx"]}, {"winning_tile": "f1"}, {"options": []}):
        messages = respond(request(**wrong, context=WON | {"from": "S"}))["error"]["faults"]
        assert len(messages) == 2
        assert "'from' and 'seat' are the same" in messages[1]


@pytest.mark.parametrize("wrong", [{"concealed": ["2m", "xx"]}, {"concealed": "234q"}, {"winning_tile": "back"}])
def test_tiles_that_cannot_be_read_hide_no_contradiction_of_the_rules(wrong):
    """Nor do they make one: the hand is neither said to be too small, nor without a winning tile, nor of two suits."""
    error = respond(request(**wrong, bonus="f1", context=WON | {"ippatsu": True, "replacement": True}))["error"]
    assert len(error["faults"]) == 5
    for words in ("does not use f1", "ippatsu needs riichi", "A replacement tile needs a kan", "win must be self_draw"):
        assert words in " ".join(error["faults"])
    liable = {"seat": "S", "win": "discard", "from": "W", "liable": {"seat": "W", "kind": "nine_piece"}}
    melds = [{"type": "pung", "tiles": f"{n}{n}{n}m"} for n in (1, 2, 3)]
    hand = {"concealed": "567m8m", "winning_tile": "8m", "melds": melds} | wrong
    assert len(respond(request(rules="hongkong", **hand, context=liable))["error"]["faults"]) == 1


@pytest.mark.parametrize("wrong", [{"honba": 2}, {"from": "Q"}, {"counters": "two"}, {"dora_indicators": ["1m", "xx"]}])
def test_a_field_of_the_context_that_cannot_be_read_hides_no_contradiction_of_others(wrong):
    melds = [{"type": "kong_open", "tiles": "5555m"}]
    told = WON | {"riichi": True, "replacement": True} | wrong
    error = respond(request(concealed="234m567p67s8s", winning_tile="8s", melds=melds, context=told))["error"]
    words = ("win must be self_draw", "has 10 concealed", "riichi needs a concealed hand", "include the red one")
    assert all(word in " ".join(error["faults"]) for word in words)
    assert len(error["faults"]) == 5


@pytest.mark.parametrize(
    ("wrong", "rules"),
    [
        ({"riichi": "yes", "ippatsu": True}, "riichi"),
        ({"double_riichi": 1, "ura_indicators": "1m"}, "riichi"),
        ({"indicator": "10m"}, "hangzhou"),
        ({"seat": "X", "heavenly": True}, "riichi"),
        ({"win": "tsumo", "replacement": True}, "riichi"),
    ],
)
def test_nothing_is_said_to_contradict_what_cannot_be_read(wrong, rules):
    assert len(faults_of(request(rules=rules, context={"seat": "S", "win": "self_draw"} | wrong))) == 1


@pytest.mark.parametrize("wrong", [{"bonus": ["f9"]}, {"melds": [{"type": "pung", "tiles": "677z"}]}])
def test_melds_and_bonus_tiles_that_cannot_be_read_hide_no_contradiction_of_the_rules(wrong):
    told = {"seat": "S", "win": "self_draw", "ippatsu": True, "heavenly": True}
    messages = respond(request(**wrong, context=told))["error"]["faults"]
    assert messages[1:] == [
        "ippatsu needs riichi or double_riichi.",
        "Only the dealer can have a heavenly hand: seat must be E.",
    ]


def test_of_melds_those_that_can_be_read_are_looked_at():
    """Without the number that they have among the others."""
    melds = [{"type": "pung", "tiles": "677z"}, {"type": "pung", "tiles": "888p", "from": "S"}]
    data = request(concealed="234m567m3s", winning_tile="3s", melds=melds, context=WON | {"riichi": True})
    assert faults_of(data) == [
        ("bad_meld", "melds[0]"),
        ("contradiction", "context.riichi"),
        ("contradiction", "melds"),
    ]


def test_a_tile_that_is_no_bonus_tile_is_not_said_to_be_one_of_other_rules():
    assert faults_of(request(bonus=["1m"])) == [("wrong_tile", "bonus")]


@pytest.mark.parametrize("wrong", [{"bonus": ["f9"]}, {"melds": [{"type": "pung", "tiles": "677z"}]}])
def test_nothing_is_said_about_melds_and_bonus_tiles_that_cannot_be_read(wrong):
    """A kan may be among them, or the flower that was replaced."""
    assert len(faults_of(request(**wrong, context={"seat": "S", "win": "self_draw", "replacement": True}))) == 1


def test_many_unknown_fields_are_summed_up():
    data = request(**{f"x{i}": 1 for i in range(500)})
    error = respond(data)["error"]
    assert len(error["faults"]) == 21
    assert error["faults"][-1] == "480 more unknown fields."
    one_more = respond({f"x{i}": i for i in range(21)})["error"]["faults"]
    assert "1 more unknown field." in one_more
    inside = respond(request(context=WON | {f"x{i}": 1 for i in range(30)}))["error"]["faults"]
    assert inside[-1] == "10 more unknown fields."


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


HARD = {
    "deep": nested(100_000),
    "many digits": 10**5000,
    "surrogate": "\ud800",
    "long": "x" * 10**6,
    "surrogate name": {"\ud800": 1},
    "not a number": float("nan"),
}


@pytest.mark.parametrize("value", HARD.values(), ids=HARD)
def test_values_that_are_hard_to_print(value):
    """Deep, long or unprintable: refused like any other, and the answer can be written as UTF-8."""
    for name in ("rules", "concealed", "melds", "winning_tile", "bonus", "options", "context"):
        answer = respond(request(**{name: value}))
        answer["id"] = None
        json.dumps(answer, ensure_ascii=False).encode()
        assert "error" in answer
    for name in ("seat", "win", "riichi", "counters", "liable", "dora_indicators", "indicator", "fed", "responsible"):
        assert "error" in respond(request(context=WON | {name: value}))
    assert "error" in respond(request(options={"aka": value}))
    odd = respond(request(**{"\ud800": 1}))
    json.dumps(odd, ensure_ascii=False).encode()


# --- anything at all ---

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
WORDS = st.sampled_from(["riichi", "S", "W", "1m", "55z", "discard", "self_draw", "pung", "auto", "permanent", "f1"])
ANY_JSON = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | WORDS, inner, max_size=4),
    max_leaves=12,
)


def is_answer(response):
    """An answer of the contract, which JSON can hold."""
    json.dumps(response)
    if "error" in response:
        error = response["error"]
        return bool(error["code"] and error["message"] and error["faults"])
    return response["legal"] in (True, False) and bool(response["explanation"])


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from([*request(), "melds", "bonus", "options", "id"]), ANY_JSON))
def test_any_values_of_the_known_fields_are_answered(data):
    assert is_answer(respond(data))
    assert is_answer(respond(request() | data))


def sensible(rng, rules):
    if rules == "riichi":
        return riichi_request(rng, every=True)
    return make_request(rng, rules, {"hongkong": "fg", "singapore": "fga"}.get(rules, "f"))


@settings(max_examples=100)
@given(st.integers(0, 2**32), st.sampled_from(MODULES))
def test_what_cannot_be_read_is_the_only_fault_of_a_sensible_request(seed, rules):
    data = sensible(random.Random(seed), rules)
    if "error" in respond(data):
        return
    for name in data["context"]:
        faults = faults_of(data | {"context": data["context"] | {name: ["xx"]}})
        assert all(field.startswith(f"context.{name}") for _, field in faults)
    for name in ("concealed", "winning_tile", "melds", "bonus", "options"):
        assert all(field.startswith(name) for _, field in faults_of(data | {name: ["xx"]}))


FLAGS = ["last_tile", "replacement", "double_kong", "heavenly", "earthly", "humanly", "riichi", "double_riichi"]


@settings(max_examples=200)
@given(
    st.integers(0, 2**32),
    st.sampled_from(MODULES),
    st.fixed_dictionaries(
        {"seat": st.sampled_from("ESWN"), "win": st.sampled_from(["self_draw", "discard", "robbed_kong"])},
        optional={
            **dict.fromkeys([*FLAGS, "ippatsu", "flower_win"], st.booleans()),
            **dict.fromkeys(["from", "wareme", "banker", "responsible"], st.sampled_from("ESWN")),
            **dict.fromkeys(["counters", "riichi_sticks", "streak", "floats", "kong_streak"], st.integers(-1, 4)),
            **dict.fromkeys(["dora_indicators", "ura_indicators"], st.lists(st.sampled_from(["1m", "0p", "back"]))),
            "indicator": st.sampled_from(["permanent", "5z", "3m", "f1"]),
            "liable": st.fixed_dictionaries(
                {"seat": st.sampled_from("ESWN"), "kind": st.sampled_from(["daisangen", "nine_piece", "three_sets"])}
            ),
            "fed": st.dictionaries(st.sampled_from(["N>S", "E>W", "S>E"]), st.integers(0, 4), max_size=2),
        },
    ),
)
def test_any_circumstances_are_answered(seed, rules, context):
    """Contradictions of every kind, under every system: an answer, or faults that are all different."""
    response = respond(sensible(random.Random(seed), rules) | {"context": context})
    assert is_answer(response)
    if "error" in response:
        faults = response["error"]["faults"]
        assert len(faults) == len(set(faults))
