"""Who pays a Zung Jung hand: the income is always three times its value, the split depends on who is responsible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scoring.context import Win
from scoring.errors import Fault, InvalidRequest, quote_value
from scoring.hand import KONG_CONCEALED
from scoring.payments import Amount, Payments, Transfer, losers_pay, plain_amount
from scoring.rules.zungjung.context import ZungJungContext
from scoring.rules.zungjung.options import ZungJungOptions
from scoring.seats import OTHERS, Seat
from scoring.system import Case
from scoring.tiles import PLAIN, Tile, format_tiles
from scoring.words.sentence import say, say_many

_FIELD: Final = "context.responsible"
_TURN: Final = "context.turn_discards"


def responsible_player(winner: Seat, winning_tile: Tile, turn_discards: Sequence[tuple[Seat, Tile]]) -> Seat | None:
    """Same-turn immunity: who answers for a big hand won on a discard.

    Args:
        winner: who won.
        winning_tile: the tile that was claimed.
        turn_discards: (seat, tile) in the order of play, from the winner's own previous discard to the winning one;
            earlier ones may come before (only the last turn is looked at).

    Returns:
        The first player of that turn who discarded the winning tile, or None when the winner himself had: then he
        let his own tile pass and nobody is responsible.

    Raises:
        InvalidRequest: the last discard is not the winning tile of another player.
    """
    if not turn_discards or turn_discards[-1][1].kind != winning_tile.kind or turn_discards[-1][0] is winner:
        message = say("The turn's discards end with the winning tile, {t}, of another player.", t=winning_tile)
        raise InvalidRequest.of([Fault("bad_value", message, _FIELD)])
    own = [i for i, (seat, _) in enumerate(turn_discards) if seat is winner]
    turn = turn_discards[own[-1] :] if own else turn_discards
    first = next(seat for seat, tile in turn if tile.kind == winning_tile.kind)
    return None if first is winner else first


def responsible_of(case: Case[ZungJungOptions]) -> Seat | None:
    """The responsible player of a case: as named, as the turn's discards say, or the discarder (the kong's maker)."""
    c, won = case.context.convert_to(ZungJungContext), case.hand.winning_tile
    if c.self_drawn or c.responsible == "none":
        return None
    if c.responsible != "auto":
        return Seat(c.responsible)
    if c.turn_discards and won is not None:
        return responsible_player(c.seat, won, c.turn_discards)
    return c.source


def responsible_faults(case: Case[ZungJungOptions]) -> list[Fault]:
    """Whether the responsible player fits how the hand was won."""
    c, won = case.context.convert_to(ZungJungContext), case.hand.winning_tile
    faults = _turn_discards_faults(case)
    if faults or won is None or (c.responsible == "auto" and not c.turn_discards):
        return faults

    def fault(message: str) -> list[Fault]:
        return [Fault("contradiction", message, _FIELD)]

    if c.responsible not in ("auto", "none", *Seat):
        message = say("responsible is auto, none or a seat, not {value}.", value=quote_value(c.responsible))
        return [Fault("bad_value", message, _FIELD)]
    if c.responsible == c.seat:
        return fault("The winner is not responsible for their own win: say none if they discarded the tile.")
    if c.self_drawn:
        return [] if c.responsible == "none" else fault("Nobody is responsible for a self-drawn tile: leave it out.")
    named = responsible_of(case)
    if c.turn_discards and named is not responsible_player(c.seat, won, c.turn_discards):
        return fault("responsible and turn_discards name different players: leave one of them out.")
    if c.source is None or named is c.source:
        return []
    if c.win is Win.ROBBED_KONG:
        return fault("Whoever makes the robbed kong is responsible: no other copy of its tile was discarded.")
    if c.earthly:
        return fault("East's first discard comes first, so East is responsible.")
    if case.counts[won.kind] == 4:
        tiles = format_tiles((won,) * 4)
        return fault(say("Another {t} must have been discarded before, but the winner holds {x}.", t=won, x=tiles))
    return []


def _turn_discards_faults(case: Case[ZungJungOptions]) -> list[Fault]:
    """Whether the turn's discards end with the winning one, and may lie beside the hand."""
    c, won = case.context.convert_to(ZungJungContext), case.hand.winning_tile
    if not c.turn_discards or won is None:
        return []
    if c.win is not Win.DISCARD:
        return [Fault("contradiction", "turn_discards belong to a win on a discard: leave them out.", _TURN)]
    try:
        responsible_player(c.seat, won, c.turn_discards)
    except InvalidRequest as error:
        return [Fault("contradiction", error.message, _TURN)]
    last, faults = c.turn_discards[-1][0], _fifth_tiles(case)
    if c.source not in (None, last):
        message = say("The last of turn_discards is {s}'s, but 'from' is {v}.", s=last, v=c.source)
        faults.append(Fault("contradiction", message, _TURN))
    if c.earthly and (len(c.turn_discards) > 1 or last is not Seat.E):
        message = "An earthly hand wins on East's first discard: turn_discards hold that one alone."
        faults.append(Fault("contradiction", message, _TURN))
    return faults


def _fifth_tiles(case: Case[ZungJungOptions]) -> list[Fault]:
    """Tiles that hand and discards need five times; what others threw in an earlier turn may lie in a claimed meld."""
    winner, hand = case.context.seat, case.hand
    discards = case.context.convert_to(ZungJungContext).turn_discards
    thrown = Counter(t.kind for _, t in discards[:-1] if t.is_playable)  # the last is the winning tile, in the counts
    turn = max((i for i, (seat, _) in enumerate(discards) if seat is winner), default=0)
    before = Counter(t.kind for seat, t in discards[:turn] if seat is not winner)
    claimed = Counter(k for m in hand.melds if m.type is not KONG_CONCEALED for k in {t.kind for t in m.tiles})
    faults = []
    for kind, n in thrown.items():
        total = n + hand.counts[kind] - min(before[kind], claimed[kind])
        if total > 4 >= hand.counts[kind]:
            message = say("{n} of {t} in hand and turn_discards: there are only four.", n=total, t=PLAIN[kind])
            faults.append(Fault("five_of_a_kind", message, _TURN))
    return faults


def settle(case: Case[ZungJungOptions], value: int) -> Payments:
    """Everyone pays the value; above the standard score of a discard the responsible player pays the difference."""
    c, options = case.context, case.options
    times_unit = f" x {plain_amount(options.unit)}" if options.unit != 1 else ""
    responsible, shared = responsible_of(case), options.shared
    alike = responsible is None or value <= shared
    if c.self_drawn:
        reason = "self-draw, everyone pays the value"
    elif responsible is None:
        reason = "nobody is responsible, everyone pays the value"
    else:
        reason = say_many("{n} point or less is paid alike", "{n} points or less are paid alike", shared)

    def due(loser: Seat) -> tuple[Amount, str]:
        if alike:
            return value * options.unit, reason
        if loser is responsible:
            why = say("responsible: {a} less what the others pay", a=f"3 x {value}{times_unit}")
            return (3 * value - 2 * shared) * options.unit, why
        return shared * options.unit, say("not responsible, pays {n} at most", n=plain_amount(shared * options.unit))

    return losers_pay(c, due)


def false_win(offender: Seat, options: ZungJungOptions | None = None) -> Payments:
    """A false win, such as a hand without a pattern: the offender pays each of the others the house's penalty."""
    options = options or ZungJungOptions()
    share = options.false_win * options.unit
    others = OTHERS[offender] if share else ()
    return Payments(tuple(Transfer(offender, seat, share, "false win") for seat in others))
