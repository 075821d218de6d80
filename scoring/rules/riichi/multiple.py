"""Several winners on one discard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from scoring.context import Context
from scoring.errors import Fault, InvalidRequest
from scoring.hand import Hand
from scoring.options import options_of
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.system import SYSTEM
from scoring.score import Score, score
from scoring.words.sentence import say


def multiple_ron(wins: Iterable[tuple[Hand, Context]], options: Mapping[str, object] | None = None) -> list[Score]:
    """Score the winners of one discard, or of one robbed kan: each is paid in full by the same player.

    Counters and riichi sticks go to the first legal winner in turn order after the discarder, or as the house rule
    ``counters_and_sticks`` says; with head bump (``winners``) only that one is scored.

    Args:
        wins: hand and context of each winner; their contexts agree on discarder, tile, round, indicators, counters,
            sticks and wareme.
        options: house rules, as for :func:`scoring.score.score`.

    Returns:
        The scores in turn order after the discarder, up to the last winner; their payments add up
        (:func:`scoring.payments.merge_payments`).

    Raises:
        InvalidRequest: winners who contradict each other, or a hand or context that makes no sense by itself.
    """
    claims = [(hand, context.convert_to(RiichiContext)) for hand, context in wins]
    faults = _faults(claims)
    if faults:
        raise InvalidRequest.of(faults)
    claims.sort(key=lambda claim: (claim[1].seat.turn - claim[1].source.turn) % 4 if claim[1].source else 0)
    house = options_of(RiichiOptions, options or {}, SYSTEM.name)
    each = house.counters_and_sticks == "each"
    takes_back = [each and _has_riichi(c) and score(h, c, SYSTEM, options).legal for h, c in claims]
    scores: list[Score] = []
    paid = False
    for i, (hand, context) in enumerate(claims):
        if not paid:
            own = replace(context, riichi_sticks=context.riichi_sticks - sum(takes_back[i + 1 :]))
        elif each:
            own = replace(context, riichi_sticks=_has_riichi(context))
        else:
            own = replace(context, counters=0, riichi_sticks=0)
        scores.append(score(hand, own, SYSTEM, options))
        paid = paid or scores[-1].legal
        if paid and house.winners == "nearest":
            break
    return scores


def _has_riichi(context: RiichiContext) -> bool:
    return context.riichi or context.double_riichi


def _faults(claims: list[tuple[Hand, RiichiContext]]) -> list[Fault]:
    if not claims:
        return [Fault("bad_value", "Name at least one winner.", "wins")]
    faults = []
    contexts = [context for _, context in claims]
    first = contexts[0]
    if any(c.source is None for c in contexts):
        faults.append(Fault("from_needed", "Several winners need a discarder: give 'from' (no self-draw).", "wins"))
    if len({c.seat for c in contexts}) < len(contexts):
        faults.append(Fault("contradiction", "Each winner has a different seat.", "wins"))
    for name in ("source", "win", "round", "dora_indicators", "last_tile", "counters", "riichi_sticks", "wareme"):
        if any(getattr(c, name) != getattr(first, name) for c in contexts):
            shown = "from" if name == "source" else name
            message = say("Winners of one tile agree on {name}.", name=shown)
            faults.append(Fault("contradiction", message, f"context.{shown}"))
    if len({c.ura_indicators for c in contexts if c.riichi or c.double_riichi}) > 1:
        faults.append(Fault("contradiction", "Winners in riichi agree on ura_indicators.", "context.ura_indicators"))
    if len({hand.winning_tile for hand, _ in claims}) > 1:
        faults.append(Fault("contradiction", "Winners of one tile win with the same tile.", "winning_tile"))
    return faults
