"""Score requests answered: under one system or all, and what a hand waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hupai.web.errors import BadValue
from scoring.errors import HupaiError, InvalidRequest
from scoring.request import parse_request, respond
from scoring.rules import preset_named, system_named, systems
from scoring.system import RuleSystem
from scoring.tiles import PLAIN, TILES, Tile
from scoring.words.sentence import say
from scoring.written import read_tile, read_tiles

NO_HAND: Final = "not_a_winning_hand"
PLAYED: Final = tuple(t.code for t in TILES if t.is_playable and not t.red)


def score_hand(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the score of a hand; one that may not win is an answer, too.

    Raises:
        InvalidRequest: the request makes no sense; with every fault.
    """
    return parse_request(request).respond()


def score_all(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores of a hand under every system; tiles a system does not use are set aside and named.

    Raises:
        BadValue: a result without tiles; options that are no object. InvalidRequest: an unknown system.
    """
    if request.get("result") is not None:
        raise BadValue("A result without tiles is counted by one system: ask /score.", field="result")
    options = _options_by_system(request)
    shared = {k: v for k, v in request.items() if k not in ("options", "options_by_rules")}
    return {"scores": [_score_under(s, shared, options.get(s.id, {})) for s in systems().values()]}


def score_waits(request: Mapping[str, Any], drawn: Sequence[str] = PLAYED) -> dict[str, Any]:
    """Return what a hand that lacks its winning tile waits for, and what each would be worth, with riichi as well.

    Args:
        request: of a score. drawn: the codes of the tiles that may be waited for.

    Raises:
        InvalidRequest: no tile completes a valid hand.
    """
    scored = {code: _try_score({**request, "winning_tile": code}) for code in drawn}
    answers = {code: found for code, found in scored.items() if isinstance(found, dict)}
    if not answers:  # one of the errors says why
        raise next(found for found in scored.values() if isinstance(found, HupaiError))
    won = {code: found for code, found in answers.items() if found["legal"] or found["reason"]["code"] != NO_HAND}
    declared = _with_riichi(request)
    return {
        "waits": [
            {"tile": code, "score": found, "riichi": declared and _score_or_none({**declared, "winning_tile": code})}
            for code, found in won.items()
        ]
    }


def _with_riichi(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the request of one who declared riichi; None where that is so already, and where no rules know it."""
    context = request["context"]
    if context.get("riichi") or context.get("double_riichi") or "riichi" not in parse_request(request).system.reads:
        return None
    return {**request, "context": {**context, "riichi": True}}


def _score_or_none(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the score; None where the circumstances cannot be, such as riichi after a call."""
    found = _try_score(request)
    return found if isinstance(found, dict) else None


def _try_score(request: Mapping[str, Any]) -> dict[str, Any] | HupaiError:
    try:
        return parse_request(request).score().to_json(request.get("id"))
    except HupaiError as error:  # a fifth tile of a kind, or a fault of the whole request
        return error


def _options_by_system(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return system id -> its house rules.

    Raises:
        BadValue: not an object. InvalidRequest: an unknown system.
    """
    by_rules = request.get("options_by_rules") or {}
    if not isinstance(by_rules, Mapping):
        raise BadValue('options_by_rules is an object such as {"riichi": {"kiriage": true}}.', field="options_by_rules")
    found = {system_named(name).id: options for name, options in by_rules.items()}
    name = request.get("rules")
    if name is not None:
        found[system_named(name if isinstance(name, str) else "").id] = request.get("options") or {}
    return found


def _score_under(system: RuleSystem[Any], request: Mapping[str, Any], options: object) -> dict[str, Any]:
    aside: list[str] = []
    fitted = _fit_to(system, request, aside)
    if not _is_for(system, request.get("preset")):
        fitted.pop("preset", None)
    answer = respond({**fitted, "rules": system.id, "options": options})
    return {"rules": system.id, **answer, "set_aside": aside}


def _is_for(system: RuleSystem[Any], preset: object) -> bool:
    """Whether a preset belongs to this system; an unknown one counts for all, so that it is refused."""
    try:
        return not isinstance(preset, str) or preset_named(preset)[0] is system
    except InvalidRequest:
        return True


def _fit_to(system: RuleSystem[Any], request: Mapping[str, Any], aside: list[str]) -> dict[str, Any]:
    """Return the request without bonus tiles and red fives that this system lacks; they are listed in ``aside``."""

    def unused(t: Tile) -> bool:
        return t.is_bonus and t.suit not in system.bonus_letters

    def plain(t: Tile) -> Tile:
        return PLAIN[t.kind] if t.red and not system.red_fives else t

    fitted = dict(request)
    bonus = parse_tiles_or_none(request.get("bonus"))
    if bonus is not None and any(map(unused, bonus)):
        aside.extend(say("{t} is not used", t=t.code) for t in bonus if unused(t))
        fitted["bonus"] = [t.code for t in bonus if not unused(t)]
    if system.red_fives:
        return fitted
    reds: list[str] = []
    for name in ("concealed", "winning_tile"):
        fitted[name] = _replace_reds(request.get(name), plain, reds)
    melds = request.get("melds")
    if isinstance(melds, list):
        fitted["melds"] = [
            {**m, "tiles": _replace_reds(m.get("tiles"), plain, reds)} if isinstance(m, Mapping) else m for m in melds
        ]
    aside.extend(say("{t} counts as a plain five", t=code) for code in reds)
    return fitted


def _replace_reds(value: Any, plain: Callable[[Tile], Tile], reds: list[str]) -> Any:
    """Return a tile or tile list with red fives made plain; anything else unchanged, for the core to refuse."""
    tiles = parse_tiles_or_none(value)
    if tiles is None or not any(t.red for t in tiles):
        return value
    reds.extend(t.code for t in tiles if t.red)
    made = [plain(t).code for t in tiles]
    return made[0] if isinstance(value, str) and len(made) == 1 else made


def parse_tiles_or_none(value: object) -> tuple[Tile, ...] | None:
    """Return tiles written as a run or as a list of codes; None where that is not what they are."""
    try:
        if isinstance(value, str):
            return read_tiles(value[:1600])
        if isinstance(value, list):
            return tuple(read_tile(str(code)) for code in value)
    except HupaiError:
        return None
    return None
