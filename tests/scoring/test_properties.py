"""What holds for any hand under any system and house rules: random requests of every shape, under all systems."""

import json
import random
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.arrangements.units import Unit, UnitType
from scoring.errors import InvalidRequest
from scoring.request import parse_request, respond
from scoring.rules import MODULES, systems
from scoring.system import Case
from tests.scoring.broken_requests import broken
from tests.scoring.hangzhou.test_hangzhou_recount import deal as hangzhou_request
from tests.scoring.hongkong.test_hongkong_recount import deal as hongkong_request
from tests.scoring.mcr.test_mcr_recount import deal as mcr_request
from tests.scoring.riichi.riichi_hands import riichi_request
from tests.scoring.singapore.test_singapore_recount import deal as singapore_request
from tests.scoring.taiwanese.test_taiwanese_recount import deal as taiwanese_request
from tests.scoring.test_golden import CASES
from tests.scoring.zungjung.test_zungjung_recount import deal as zungjung_request

DEALERS = {
    "hongkong": hongkong_request,
    "zungjung": zungjung_request,
    "hangzhou": hangzhou_request,
    "singapore": singapore_request,
    "riichi": lambda rng: riichi_request(rng, every=True),
    "mcr": mcr_request,
    "taiwanese": taiwanese_request,
}
NUMBERS = ("0", 0, 1, 2, 3, 5, 10, "0.3", None, "auto")
SEEDS = st.integers(0, 2**32)
RULES = st.sampled_from(MODULES)
WORKED = [case["request"] for case in CASES]


def test_every_system_is_dealt():
    assert DEALERS.keys() == systems().keys()


def another_option(rng, request):
    """The request under one more house rule, any value that the option may take, or a number it may refuse."""
    option = rng.choice(systems()[request["rules"]].options)
    value = rng.choice(option.values or NUMBERS)
    return {**request, "options": {**request["options"], option.name: value}}


def exact(payments):
    return {account: Decimal(str(amount)) for account, amount in payments.items()}


@settings(max_examples=600)
@given(SEEDS, RULES)
def test_payments_sum_to_zero_and_are_their_transfers(seed, rules):
    rng = random.Random(seed)
    request = another_option(rng, DEALERS[rules](rng))
    response = respond(request)
    if "error" in response:  # the option was refused, or the hand makes no sense under it
        return
    paid = exact(response["payments"])
    assert sum(paid.values()) == 0
    assert paid.keys() == {"E", "S", "W", "N", "pot"}
    moved = dict.fromkeys(paid, Decimal(0))
    for t in response["transfers"]:
        assert t["from"] != t["to"] == request["context"]["seat"] or request["options"].get("instant")
        assert Decimal(str(t["amount"])) > 0
        assert t["why"]
        moved[t["from"]] -= Decimal(str(t["amount"]))
        moved[t["to"]] += Decimal(str(t["amount"]))
    assert moved == paid
    assert response["legal"] or not any(paid.values())
    assert rules == "riichi" or not paid["pot"]


@settings(max_examples=500)
@given(SEEDS, RULES)
def test_an_unknown_discarder_is_tried_as_each(seed, rules):
    request = DEALERS[rules](random.Random(seed))
    context = request["context"]
    if context["win"] == "self_draw":
        return
    unknown = respond({**request, "context": {**context, "from": None}})
    if "error" in unknown:  # whose tile it was matters for more than who pays
        return
    for seat, payments in (unknown.get("payments_if_from") or {}).items():
        known = respond({**request, "context": {**context, "from": seat}})
        assert payments == known["payments"]
        assert unknown["elements"] == known["elements"]
        assert sum(exact(payments).values()) == 0
    assert unknown["legal"] is ("payments_if_from" in unknown) is (unknown["payments"] is None)
    if not unknown["legal"]:  # for a reason that holds whoever it was
        for seat in set("ESWN") - {context["seat"]}:
            known = respond({**request, "context": {**context, "from": seat}})
            assert "error" in known or unknown["reason"]["message"] in known["reason"]["message"]


def fresh(request):
    """The case, with nothing worked out yet."""
    case = parse_request(request).case
    return Case(case.hand, case.context, case.options)


@settings(max_examples=400)
@given(SEEDS, RULES)
def test_elements_are_those_of_one_arrangement_whatever_the_options(seed, rules):
    """The best arrangement counted alone gives the same, none is better, and the first of equals is taken."""
    rng = random.Random(seed)
    plain_request = DEALERS[rules](rng)
    system = systems()[rules]
    for request in (plain_request, another_option(rng, plain_request)):
        try:
            score = parse_request(request).score()
        except InvalidRequest:  # the option was refused, or the hand makes no sense under it
            continue
        arrangements = list(system.arrangements(fresh(request)))
        if score.arrangement is None:
            assert not arrangements
            continue
        alone = [system.tally(fresh(request), arrangement) for arrangement in arrangements]
        ranks = [tally.rank for tally in alone]
        best = alone[ranks.index(max(ranks))]
        assert score.arrangement == arrangements[ranks.index(max(ranks))]
        assert score.tally.lines == best.lines
        assert score.tally[:6] == best[:6]
        about = [unit for line in score.tally.lines for unit in line.about if isinstance(unit, Unit)]
        assert all(unit in score.arrangement.units for unit in about)


@settings(max_examples=300)
@given(SEEDS, RULES)
def test_an_arrangement_lays_out_every_tile_once_and_one_unit_won(seed, rules):
    request = DEALERS[rules](random.Random(seed))
    response = respond(request)
    units = response["arrangement"]
    if not units:
        return
    laid = sorted(t for unit in units for t in unit["tiles"])
    melded = [t for meld in request["melds"] for t in meld["tiles"]]
    assert laid == sorted([*request["concealed"], request["winning_tile"], *melded])
    [won] = [unit for unit in units if unit["completed_by_winning_tile"]]
    assert request["winning_tile"] in won["tiles"]
    sizes = {"pair": 2, "kong": 4, "thirteen_orphans": 14, "knitted": 14 if len(units) == 1 else 9}
    assert all(len(unit["tiles"]) == sizes.get(unit["type"], 3) for unit in units)
    assert [unit["type"] for unit in units].count(UnitType.PAIR) in (0, 1, 7)


@settings(max_examples=300)
@given(SEEDS, RULES)
def test_each_element_is_one_line_and_the_lines_make_the_total(seed, rules):
    response = respond(DEALERS[rules](random.Random(seed)))
    lines, total = response["elements"], response["total"]
    known = {e.id: e for e in systems()[rules].elements}
    assert len({line["id"] for line in lines}) == len(lines)
    for line in lines:
        element = known[line["id"]]
        assert (line["name"], line["native"]) == (element.name, element.native)
        assert line["why"].startswith(element.condition)
        assert line["count"] >= 1
    if total is None or total["limit"] == "listed limit":
        return
    values = [line["value"] for line in lines]
    if rules == "hangzhou":
        product = 1
        for value in values:
            product *= value
        assert product == total["value"] == total["uncapped"]
    elif total.get("yakuman"):
        assert sum(values) == total["yakuman"]
    else:
        assert sum(values) == total["uncapped"]
        assert total["value"] <= total["uncapped"]


def relabelled(value, suits):
    """A request with its suits exchanged; seats, words and options have none."""
    if isinstance(value, dict):
        return {k: v if k == "options" else relabelled(v, suits) for k, v in value.items()}
    if isinstance(value, list):
        return [relabelled(v, suits) for v in value]
    if isinstance(value, str) and len(value) == 2 and value[0].isdigit():
        return value[0] + suits.get(value[1], value[1])
    return value


GREEN = {"2s", "3s", "4s", "6s", "8s", "6z"}


def is_green(request):
    """Whether all its tiles are green; the element may be counted without being shown, above a limit."""
    tiles = [*request["concealed"], *(t for meld in request.get("melds", []) for t in meld["tiles"])]
    return {*tiles, request["winning_tile"]} <= GREEN


ALIKE = {*(f"{n}p" for n in "1234589"), *(f"{n}s" for n in "245689"), "5z"}


def is_reversible(request):
    """Whether all its tiles look alike upside down, which no characters do."""
    tiles = [*request["concealed"], *(t for meld in request.get("melds", []) for t in meld["tiles"])]
    return {*tiles, request["winning_tile"]} <= ALIKE


@settings(max_examples=600)
@given(SEEDS, RULES, st.permutations("mps"))
def test_relabelling_the_suits_changes_nothing_but_green_and_reversible_hands(seed, rules, order):
    request = DEALERS[rules](random.Random(seed))
    if request["options"].get("aka") == 4:
        return  # two red fives of dots, one of the others: the suits are not alike
    renamed = relabelled(request, dict(zip("mps", order, strict=True)))
    if any(about_faces(r) for about_faces in (is_green, is_reversible) for r in (request, renamed)):
        return
    one, other = respond(request), respond(renamed)
    lines = [[(line["id"], line["value"], line["count"]) for line in r["elements"]] for r in (one, other)]
    assert lines[0] == lines[1]
    assert one["total"] == other["total"]
    assert one["payments"] == other["payments"]
    assert one["reason"] == other["reason"] or rules == "hangzhou"  # which names the fortune
    assert one["legal"] is other["legal"]


@settings(max_examples=400)
@given(SEEDS)
def test_a_broken_request_is_answered(seed):
    rng = random.Random(seed)
    answer = respond(broken(rng, rng.choice(WORKED), WORKED))
    json.dumps(answer)
    assert "error" not in answer or all(answer["error"][key] for key in ("code", "message", "faults"))
    for paid in (answer.get("payments"), *(answer.get("payments_if_from") or {}).values()):
        assert not sum(exact(paid or {}).values())
