"""Words that people type for seats, wins, melds and tiles; and messages that name the flag that was typed."""

from __future__ import annotations

import re

import pytest

from hupai.basics.words import seat_of, win_of
from hupai.messages import TERMINAL, Wording, flag_at, flag_of, with_flags
from hupai.terminal.flags import context_of, parse_discards, parse_fed, parse_liable, parse_meld
from scoring.errors import Fault, InvalidRequest, choice_message
from scoring.fields.table import all_context_fields
from scoring.hand import MeldType
from scoring.request import parse_request, respond
from scoring.rules import systems
from scoring.seats import Seat
from scoring.words.sentence import joined, say
from tests.hupai.test_messages import entries
from tests.scoring.requests.rare_requests import HAND, ME, MISTAKES, RARE

SEATS = {"e": "E", "East": "E", "SOUTH": "S", "東": "E", "西": "W", "n": "N", "Queen": "Queen"}
WINS = {
    "tsumo": "self_draw",
    "ZIMO": "self_draw",
    "self-draw": "self_draw",
    "自摸": "self_draw",
    "ron": "discard",
    "chankan": "robbed_kong",
    "Robbed Kong": "robbed_kong",
    "stolen": "stolen",
}


def test_seats_and_wins_in_everyday_words():
    assert {text: seat_of(text) for text in SEATS} == SEATS
    assert {text: win_of(text) for text in WINS} == WINS


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("🀇🀈🀉", {"type": "chow", "tiles": ["1m", "2m", "3m"], "from": None}),
        ("pon:555z@west", {"type": "pung", "tiles": ["5z"] * 3, "from": "W"}),
        ("concealed kong: 1111m", {"type": "kong_concealed", "tiles": ["1m"] * 4, "from": None}),
        ("KAKAN:中中中中@東", {"type": "kong_added", "tiles": ["7z"] * 4, "from": "E"}),
    ],
)
def test_melds(text, meld):
    assert parse_meld(text) == meld


def test_other_flags_with_seats_in_them():
    assert parse_liable("west:nine_piece") == {"seat": "W", "kind": "nine_piece"}
    assert parse_fed(["north>South=3"]) == {"N>S": 3}
    assert parse_discards("west:8s, East:🀗") == [{"seat": "W", "tile": "8s"}, {"seat": "E", "tile": "🀗"}]
    given = context_of({"responsible": "Auto", "indicator": "Permanent", "dora_indicators": "🀇", "counters": 0})
    assert given == {"responsible": "auto", "indicator": "permanent", "dora_indicators": "🀇", "counters": 0}


def test_whatever_is_wrong_no_field_is_named():
    """Of requests with every kind of mistake."""
    wrong = [
        *RARE,
        *({"rules": rules, **HAND, "context": ME, **mistake} for rules in systems() for mistake in MISTAKES),
    ]
    compound = "|".join(name for name in (*all_context_fields(), "winning_tile") if "_" in name)
    field = re.compile(rf"(?<!-)\b({compound})\b|context\.|melds\[|'(from|seat|win)'|(seat|win|from) must be")
    told = set()
    for request in wrong:
        if "error" in respond(request):
            with pytest.raises(InvalidRequest) as caught:
                parse_request(request).score()
            told |= {with_flags(fault) for fault in caught.value.faults if fault.code != "unknown_option"}
    assert len(told) > 100
    assert not [text for text in told if field.search(text)]


@pytest.mark.parametrize(
    ("path", "flag"),
    [
        ("context.seat", "--seat"),
        ("context.from", "--from"),
        ("context.dora_indicators", "--dora"),
        ("winning_tile", "--winning"),
        ("concealed[3]", "--hand"),
        ("liable.kind", "--liable's kind"),
        ("context.liable.seat", "--liable's seat"),
        ("melds[1]", "--meld number 2"),
        ("melds[1].type", "the type of --meld number 2"),
        ("options.table", "--option table"),
    ],
)
def test_a_field_is_called_by_what_was_typed_for_it(path, flag):
    assert flag_at(path) == flag


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("It's 'seating' that is meant by context.seat, winning_tile and 'from'.", None),
        (choice_message("context.seat", "ESWN", None), "--seat is one of E, S, W, N; it is missing."),
        (choice_message("context.win", ["discard"], "from"), "--win is one of discard; not 'from'."),
        (say("{n} tiles, {s}", n=3, s="context.seat"), None),
        (say("{s}: {t}", s="no", t="entry"), None),
        (say("{t}: {s} chows from {v} only.", t="123m", s=Seat.S, v=Seat.E), "123m: South chows from East only."),
        (say("A {kind} has {n} tiles; none is given.", kind=MeldType.PUNG, n=3), "Pung has 3 tiles; none is given."),
        (say("{t} cannot be the winning tile.", t="back"), "A tile that lies face down cannot be the winning tile."),
        (say("{kind}: {a}", kind="x", a=say("none of the melds was claimed from {s}.", s=Seat.W)),
         "None of the melds was claimed from West."),
        (joined(["ippatsu needs riichi or double_riichi.", choice_message("melds[1].type", ["chow"], "x")], " "),
         "Ippatsu needs riichi. the type of --meld number 2 is one of chow; not 'x'."),
    ],
)  # fmt: skip
def test_sentences_are_those_of_the_catalogue_and_no_others(message, told):
    assert Wording(TERMINAL).word(message) == (told or message)


def test_flags_and_options_of_the_catalogue_are_there():
    text = " ".join(entries(TERMINAL).values())
    known = {flag_of(name) for name in (*all_context_fields(), "seat", "win", "from", "options", "concealed")}
    assert set(re.findall(r"--[a-z-]+", text)) <= known
    options = {option.name for system in systems().values() for option in system.options}
    named = set(re.findall(r"--option (\w+)", text))
    assert named and named <= options


def test_a_message_about_the_thing_gets_its_flag():
    fault = Fault("contradiction", "A replacement tile needs a kong in the hand.", "context.replacement")
    assert with_flags(fault) == "A replacement tile needs a kong in the hand (--replacement)."
