"""What the systems can say: of worked and random hands under many house rules, to mistakes, of other payments."""

import json
import random
import re
from pathlib import Path

import pytest

from scoring.context import Context, Win
from scoring.errors import InvalidRequest
from scoring.request import respond
from scoring.rules import hangzhou, hongkong, mcr, riichi, singapore, systems, taiwanese
from scoring.rules.singapore.options import SingaporeOptions
from scoring.rules.singapore.payment import INSTANT, instant_payments
from scoring.seats import Seat
from tests.scoring.hand_maker import make_request
from tests.scoring.requests.rare_requests import HAND, ME, MISTAKES, RARE
from tests.scoring.requests.test_every_option import OPEN
from tests.scoring.riichi.riichi_hands import riichi_request

GOLDEN = Path(__file__).parents[1] / "golden"
TRIES = 25
"""How often a worked hand is asked about again, in other circumstances and under other house rules."""

CIRCUMSTANCES = {
    "seat": "ESWN",
    "win": ("self_draw", "discard", "robbed_kong"),
    "from": ("E", "S", "W", "N", None),
    "round": "ESWN",
    **dict.fromkeys(("last_tile", "replacement", "double_kong", "heavenly", "earthly", "humanly"), (True,)),
    **dict.fromkeys(("flower_win", "riichi", "double_riichi", "ippatsu", "last_of_kind"), (True,)),
    **dict.fromkeys(("heavenly_ready", "earthly_ready"), (True,)),
    "banker": "ESWN",
    "streak": (0, 1, 2, 3),
    "floats": (-1, 1, 2, 4),
    "kong_streak": (1, 2),
    "honours": (9, 10, 12, 20),
    "doubles_after": (1, 2),
    "fed": ({"N>S": 3}, {"E>S": 3, "S>E": 3}, {"S>W": 4}, {"W>E": 1}),
    "counters": (-1, 1, 2),
    "riichi_sticks": (1, 3),
    "wareme": "ESWN",
    "responsible": ("none", "E", "S", "W", "N"),
    "turn_discards": ([{"seat": "W", "tile": "8s"}], [{"seat": "N", "tile": "5m"}, {"seat": "E", "tile": "8m"}]),
    "indicator": ("4s", "permanent", "5z", "f1", "1m"),
    "dora_indicators": (["1m"], ["1m", "2p", "3s"], ["f1"], ["4p"] * 6),
    "ura_indicators": (["8s", "9p"],),
}


def sentences():
    """Every kind of sentence once: those that differ in figures, tiles and seats only are of a kind.

    What an element is, is told in full: figures make the difference there.
    """
    kinds = {}
    for text in (*of_hands(), *of_steps(), *to_rare_requests(), *of_other_payments()):
        kinds.setdefault(re.sub(r"\b([ESWN]|(\d+[mpsz])+|[fga]\d|[\d.]+)\b", "#", text), text)
    return {*of_elements(), *kinds.values()}


def of_elements():
    """Conditions, and values in words."""
    for system in systems().values():
        for element in system.elements:
            yield element.condition
            if re.search("[a-z]", element.value):
                yield element.value


def of_hands():
    """The worked hands as they are and otherwise, random hands; what one system is asked depends on no other."""
    for rules, system in systems().items():
        rng = random.Random(rules)
        for entry in json.loads((GOLDEN / f"{rules}.json").read_text(encoding="utf-8")):
            asked = entry.get("request", entry)
            yield from of_answer(respond({**asked, "why": True}))
            for _ in range(TRIES):
                context = {**asked["context"], **circumstances(rng, system)}
                yield from of_answer(respond({**asked, "options": house(rng, system), "context": context}))
        for _ in range(400):
            deal = (
                riichi_request(rng, every=True)
                if rules == "riichi"
                else make_request(rng, rules, "fg", many=system.shapes.sets)
            )
            deal["options"] = house(rng, system)
            if not system.bonus_letters:
                deal["bonus"] = []
            if rules == "hangzhou":
                deal["context"]["indicator"] = rng.choice(("4s", "5z", "9p"))
                deal["context"].update(streak=rng.choice((2, 3)), banker=rng.choice("ESWN"))
            yield from of_answer(respond(deal))


def of_steps():
    """Steps that are seldom needed: several doubles, a single point."""
    claimed = {"seat": "S", "win": "discard", "from": "W"}
    far = {"rules": "singapore", "options": {"min": 3}, "bonus": ["f1"], "context": claimed}
    near = {"rules": "zungjung", "options": {"limit": 51}}
    for asked in (far, near):
        yield from of_answer(respond({**HAND, "context": ME, "why": True, **asked}))


def house(rng, system):
    """Some house rules that are not the usual ones."""
    values = {o.name: OPEN[system.id].get(o.name, tuple(o.values)) for o in system.options}
    return {name: rng.choice(some) for name, some in values.items() if some and rng.random() < 0.25}


def circumstances(rng, system):
    """One or two circumstances, perhaps a penalty; many contradict the hand."""
    told = {name: rng.choice(CIRCUMSTANCES[name]) for name in rng.sample(sorted(CIRCUMSTANCES), rng.choice((0, 1, 2)))}
    if system.liable_kinds and rng.random() < 0.4:
        told["liable"] = {"seat": rng.choice("ESWN"), "kind": rng.choice(sorted(system.liable_kinds))}
    return told


def to_rare_requests():
    """Hands, circumstances and house rules that make no sense, or seldom do."""
    for asked in RARE:
        yield from of_answer(respond(asked))
    for rules, system in systems().items():
        for mistake in MISTAKES:
            known = {o.name for o in system.options}
            if mistake.get("options", {}).keys() <= known:
                yield from of_answer(respond({"rules": rules, **HAND, "context": ME, **mistake}))


def of_answer(answer):
    """The sentences of a response as the page shows them: faults, reason, limit, steps, payments, tiles."""
    if "error" in answer:
        yield from answer["error"]["faults"]
        return
    if answer["reason"]:
        yield answer["reason"]["message"]
    if answer["total"] and answer["total"].get("limit"):
        yield answer["total"]["limit"]
    if "why" in answer:
        why = answer["why"]
        yield from (left["why"] for left in why["not_counted"])
        yield from (step["sentence"] for step in why["next_steps"])
        if why["second_best"]:
            yield why["second_best"]
    for line in answer["elements"]:
        _, _, about = line["why"].partition(": ")
        if re.search("[a-z]{3}", about):
            yield line["why"]
    paid = {f"{t['from']} pays {t['to']} {t['amount']}: {t['why']}." for t in answer["transfers"]}
    yield from (t["why"] for t in answer["transfers"])
    for step in answer["explanation"][1 + len(answer["elements"]) :]:
        if step not in paid and not step.startswith(("No win: ", "If ")):
            yield step


def of_other_payments():
    """False wins, drawn hands, payments at once: the reasons."""
    drawn = Context(Seat.S, Win.SELF_DRAW)
    found = [hongkong.false_win(Seat.S), mcr.false_win(Seat.S), riichi.chombo(Seat.S), riichi.nagashi_mangan(Seat.W)]
    found += [riichi.noten_payments([Seat.E, Seat.N]), hangzhou.false_win(drawn, 4)]
    found += [singapore.false_win(Seat.S), singapore.false_win(Seat.E, SingaporeOptions(dealer_doubling=True))]
    found += [taiwanese.false_win(Seat.S)]
    found += [instant_payments(Seat.E, event) for event in INSTANT]
    found += [instant_payments(Seat.E, id_, dealt=True) for id_, event in INSTANT.items() if event.dealt]
    yield from (t.why for payments in found for t in payments.transfers)
    for refused in (
        lambda: instant_payments(Seat.E, "exposed_kong", dealt=True),
        lambda: hangzhou.false_win(Context(Seat.S, Win.DISCARD)),
        lambda: singapore.false_win(Seat.S, SingaporeOptions(false_win=None)),
    ):
        with pytest.raises(InvalidRequest) as caught:
            refused()
        yield caught.value.message
