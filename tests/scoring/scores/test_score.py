"""The steps that every system shares, seen with a small system of our own."""

import pickle
from dataclasses import dataclass

import pytest

from scoring import rules
from scoring.arrangements.arrange import Shape
from scoring.context import Context, Win
from scoring.errors import Fault, InvalidRequest
from scoring.hand import Hand
from scoring.options import switch
from scoring.payments import Payments, Transfer, losers_pay
from scoring.request import parse_request, respond
from scoring.rules import system_named
from scoring.score import score
from scoring.seats import Seat
from scoring.system import Element, LazySentences, Line, Refusal, RuleSystem, Tally, usual_arrangements
from scoring.tiles import parse_tiles, tile
from tests.scoring.asking import ask, fitting, hand

PAIRS = Element("pairs", "Pairs", "對", "2", "seven pairs")
SETS = Element("sets", "Sets", "組", "1 each", "pungs and kongs")


@dataclass(frozen=True, slots=True)
class House:
    moody: bool = switch(False, "the hand depends on whose tile it was")
    strict: bool = switch(False, "east's tiles make no sense")
    sour: bool = switch(False, "nothing of another player makes sense")
    proud: bool = switch(False, "south's tiles never win")
    stiff: bool = switch(False, "no discard wins, each for a reason of its own")
    grim: bool = switch(False, "no discard wins, for a reason that they share beside it")


class Toy(RuleSystem[House]):
    """A point for each pung, two for seven pairs; the discarder pays it, or everybody."""

    id = "toy"
    name = "Toy"
    native = "玩"
    unit = "points"
    option_class = House
    elements = (PAIRS, SETS)
    asks = ()

    def faults(self, case):
        faults = super().faults(case)
        if (case.options.strict and case.context.source is Seat.E) or (case.options.sour and case.context.source):
            faults.append(Fault("contradiction", "Not from there.", "context.from"))
        return faults

    def arrangements(self, case):
        return usual_arrangements(case, self.shapes)

    def tally(self, case, arrangement):
        if arrangement.shape is Shape.SEVEN_PAIRS:
            return Tally((Line(PAIRS, 2),), 2, 2, (2,))
        value = len(arrangement.triplets) + (case.options.moody and case.context.source is Seat.N)
        return Tally((Line(SETS, value, value),), value, value, (value,), notes=LazySentences(_tell, value))

    def refusal(self, case, arrangement, tally):
        if case.options.proud and case.context.source is Seat.S:
            return Refusal("below_minimum", "South's.")
        own, shared = Refusal("below_minimum", f"{case.context.source}'s."), Refusal("no_yaku", "Nobody's.")
        if case.options.grim:
            return Refusal.of([own, shared])
        if case.options.stiff:
            return own
        return super().refusal(case, arrangement, tally)

    def settle(self, case, arrangement, tally):
        source = case.context.source
        if source is None:
            return losers_pay(case.context, lambda loser: (tally.value, "share"))
        return Payments((Transfer(source, case.context.seat, 3 * tally.value, "his tile"),))


def _tell(value):
    return (f"{value} in all.",)


TOY = Toy()


def won(concealed="111m222p444s333z1s", winning="1s", win=Win.SELF_DRAW, source=None, **options):
    made = Hand(parse_tiles(concealed), (), tile(winning))
    return score(made, Context(seat=Seat.W, win=win, source=source), TOY, options)


def discarded(**options):
    """A discard, nobody saw whose."""
    return won(win=Win.DISCARD, **options)


def test_a_score_in_full():
    s = won()
    assert (s.legal, s.tally.value, s.refusal) == (True, 4, None)
    assert s.payments.net == {"E": -4, "S": -4, "W": 12, "N": -4, "pot": 0}
    assert s.explanation == [
        "Read as 111m 222p 444s 333z 11s, won with 1s.",
        "Sets 組: 4 points - pungs and kongs.",
        "4 in all.",
        "N pays W 4: share.",
        "E pays W 4: share.",
        "S pays W 4: share.",
    ]
    response = s.to_json("x")
    assert response["id"] == "x"
    assert response["total"] == {"unit": "points", "value": 4, "uncapped": 4, "limit": None}
    assert response["arrangement"][-1] == {
        "type": "pair",
        "tiles": ["1s", "1s"],
        "concealed": True,
        "completed_by_winning_tile": True,
    }
    assert pickle.loads(pickle.dumps(s.tally)).rank == s.tally.rank


def test_tiles_that_make_no_hand():
    s = won(winning="2s")
    assert not s.legal
    assert (s.refusal.code, s.tally, s.arrangement) == ("not_a_winning_hand", None, None)
    assert s.explanation == ["No win: The tiles do not make four sets and a pair, nor a special hand."]
    response = s.to_json()
    assert (response["total"], response["arrangement"], response["elements"]) == (None, [], [])
    assert set(response["payments"].values()) == {0}


# --- a discard, nobody saw whose ---


def test_an_unknown_discarder():
    s = discarded()
    assert s.legal
    assert s.payments is None
    assert {seat: p.net["W"] for seat, p in s.payments_if.items()} == {Seat.E: 12, Seat.S: 12, Seat.N: 12}
    assert "If N gave the tile: N pays W 12: his tile." in s.explanation
    response = s.to_json()
    assert (response["payments"], response["transfers"]) == (None, [])
    assert response["payments_if_from"]["E"] == {"E": -12, "S": 0, "W": 12, "N": 0, "pot": 0}
    assert s.context.source is None


@pytest.mark.parametrize("option", ["moody", "strict", "proud", "stiff"])
def test_the_discarder_must_be_known_where_the_answer_depends_on_him(option):
    with pytest.raises(InvalidRequest, match="Under Toy this hand depends on whose tile it was: give 'from'") as caught:
        discarded(**{option: True})
    assert (caught.value.code, caught.value.field) == ("from_needed", "context.from")


def test_a_hand_that_wins_from_nobody_is_refused_for_what_holds_of_all():
    named = won(win=Win.DISCARD, source=Seat.S, grim=True).refusal
    assert (named.code, named.message) == ("below_minimum", "S's. Nobody's.")
    s = discarded(grim=True)
    assert (s.refusal.code, s.refusal.message, s.context.source) == ("no_yaku", "Nobody's.", None)
    assert set(s.payments.net.values()) == {0}
    assert s.refusal.reasons == (Refusal("no_yaku", "Nobody's."),)


def test_faults_with_every_discarder_are_the_faults():
    with pytest.raises(InvalidRequest, match="Not from there") as caught:
        discarded(sour=True)
    assert caught.value.code == "contradiction"


# --- what every system refuses ---


def test_unknown_rules_and_options():
    made = Hand(parse_tiles("111m222p444s333z1s"), (), tile("1s"))
    context = Context(seat=Seat.W, win=Win.SELF_DRAW)
    with pytest.raises(InvalidRequest, match="No rules called 'chess'; there are hongkong"):
        score(made, context, "chess")
    with pytest.raises(InvalidRequest, match="Toy has no option 'loud'"):
        score(made, context, TOY, {"loud": True})
    assert score(made, context, "Hong-Kong", {"min_faan": 3}).system is system_named("hk")


def test_names_may_not_be_shared(monkeypatch):
    class Copy(Toy):
        id = "copy"
        aliases = ("T.O.Y.",)

    monkeypatch.setattr(rules, "systems", lambda: {"toy": TOY, "copy": Copy()})
    rules._names.cache_clear()
    try:
        with pytest.raises(ValueError, match="names both toy and copy"):
            system_named("toy")
    finally:
        rules._names.cache_clear()


# --- facts of a case ---


def case_of(tiles):
    return parse_request(ask("riichi", tiles, win="self_draw")).case


def test_a_fact_is_worked_out_once():
    case, asked = case_of(hand("234m567m345p67s88p", "8s")), []

    def fact(of):
        asked.append(of)
        return "known"

    assert [case.compute_once(fact), case.compute_once(fact)] == ["known", "known"]
    assert asked == [case]


@pytest.mark.parametrize("rules", ["hongkong", "singapore", "zungjung", "mcr", "taiwanese", "hangzhou", "riichi"])
def test_a_chow_takes_the_tile_of_the_player_before(rules):
    """Every one of these rules: only the discard of the player before is chowed, S's from E."""
    more = {"indicator": "9s"} if rules == "hangzhou" else {}
    tiles = hand(fitting(rules, "234m567m2345p"), "5p", "chow 345s W")
    response = respond(ask(rules, tiles, **more))
    assert (response["error"]["code"], response["error"]["field"].partition("[")[0]) == ("contradiction", "melds")
    claimed = respond(ask(rules, hand(fitting(rules, "234m567m2345p"), "5p", "chow 345s E"), **more))
    assert "error" not in claimed
