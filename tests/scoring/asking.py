"""Short ways to ask for a score in contract form, and to read the answer."""

import pytest

from scoring.errors import InvalidRequest
from scoring.request import parse_request, respond
from scoring.rules import system_named


def hand(concealed, winning, *melds):
    """A hand: compact tiles, the winning tile, melds written ``pung 888p`` or ``pung 888p W`` (claimed from west)."""
    return concealed, winning, melds


def fitting(rules, concealed):
    """The concealed tiles of a hand of four sets, with as many chows more as these rules ask for."""
    return concealed + "123p" * (system_named(rules).shapes.sets - 4)


def _meld(text):
    kind, tiles, *source = text.split()
    return {"type": kind, "tiles": tiles, "from": source[0] if source else None}


def ask(rules, tiles, win="discard", seat="S", source=None, bonus="", options=None, **context):
    """A request; a discard comes from west (or from south, to west)."""
    concealed, winning, melds = tiles
    if win != "self_draw":
        context["from"] = source or ("W" if seat != "W" else "S")
    return {
        "rules": rules,
        "options": options or {},
        "concealed": concealed,
        "melds": [_meld(m) for m in melds],
        "winning_tile": winning,
        "bonus": bonus,
        "context": {"seat": seat, "win": win, **context},
    }


def scored(rules, tiles, **how):
    response = respond(ask(rules, tiles, **how))
    assert "error" not in response, response
    return response


def elements(response):
    """Element id -> its value; each element is one line."""
    found = {line["id"]: line["value"] for line in response["elements"]}
    assert len(found) == len(response["elements"]), response["elements"]
    return found


def faults(rules, tiles, **how):
    """The sentences of the refusal of a request that makes no sense."""
    with pytest.raises(InvalidRequest) as caught:
        parse_request(ask(rules, tiles, **how)).score()
    return " ".join(f.message for f in caught.value.faults)
