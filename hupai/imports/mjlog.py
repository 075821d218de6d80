"""Logs of Tenhou as XML (mjlog). Tiles are numbered from 0 to 135, four of a kind in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pyexpat import ExpatError, ParserCreate
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from hupai.imports.logged import (
    LoggedGame,
    LoggedHand,
    LoggedWin,
    different_names,
    hand_of,
    net_of,
    one_round,
    read_hands,
    refuse_no_game,
    split,
)
from hupai.imports.yaku import MJLOG
from scoring.errors import Fault, InvalidRequest
from scoring.tiles import PLAIN, SUITS
from scoring.words.sentence import say

_NO_REDS, _NO_KUITAN, _TWO_ROUNDS, _THREE, _PARLOUR = 0x02, 0x04, 0x08, 0x10, 0x400
"""Bits of the type of a game."""
_PARLOUR_RULES: Final = {"kiriage": True, "counter_points": 1500}
"""What a room with chips plays, unless its lobby says its own rules."""
_NO_XML: Final = "This XML cannot be read: {a}"


class _Tag(NamedTuple):
    tag: str
    attrib: dict[str, str]


def read_mjlog(text: str) -> LoggedGame:
    """Return the game of such a log.

    Raises:
        InvalidRequest: it is not XML, or has a document type.
    """
    tags = _parse(text)
    named = {tag.tag: tag.attrib for tag in reversed(tags) if tag.tag in ("GO", "UN")}  # who comes back is named again
    kind, people = int(named["GO"]["type"]), named["UN"]
    parlour = _PARLOUR_RULES if kind & _PARLOUR and "csrule" not in named["GO"] else {}
    players = 3 if kind & _THREE else 4
    starts = [i for i, tag in enumerate(tags) if tag.tag == "INIT"]
    refuse_no_game(players, len(starts))
    final = next((_numbers(tag.attrib["owari"])[::2] for tag in tags if "owari" in tag.attrib), None)
    faces = [PLAIN[n // 4].code for n in range(136)]
    if not kind & _NO_REDS:
        faces[16:108:36] = [f"0{letter}" for letter in SUITS]
    return LoggedGame(
        source="Tenhou",
        name=next((tag.attrib["log"] for tag in tags if "log" in tag.attrib), ""),
        players=different_names([unquote(people[f"n{n}"]) for n in range(players)]),
        preset="tenhou-sanma" if kind & _THREE else "tenhou",
        options={"aka": 0 if kind & _NO_REDS else 3, "kuitan": not kind & _NO_KUITAN, **parlour},
        course={} if kind & _TWO_ROUNDS else one_round(players),
        points=tuple(100 * n for n in _numbers(tags[starts[0]].attrib["ten"])[:players]),
        hands=read_hands(split(tags, starts), lambda hand: _read_hand(hand, players, faces)),
        final=tuple(100 * n for n in final[:players]) if final else None,
    )


def _parse(text: str) -> list[_Tag]:
    """Return the tags in order; by Expat itself, for no package for XML is in the browser's standard library."""
    if "<!DOCTYPE" in text:  # could make it grow without end
        raise InvalidRequest.of([Fault("bad_value", say(_NO_XML, a="<!DOCTYPE"), "log")])
    parser, tags = ParserCreate(), list[_Tag]()
    parser.StartElementHandler = lambda tag, attrib: tags.append(_Tag(tag, attrib))
    try:
        parser.Parse(text, True)
    except ExpatError as error:
        raise InvalidRequest.of([Fault("bad_value", say(_NO_XML, a=str(error)), "log")]) from error
    return tags


def _read_hand(tags: Sequence[_Tag], players: int, faces: Sequence[str]) -> LoggedHand:
    start, ends = tags[0].attrib, [tag.attrib for tag in tags if tag.tag in ("AGARI", "RYUUKYOKU")]
    kyoku, counters, sticks = _numbers(start["seed"])[:3]
    riichi = [int(tag.attrib["who"]) for tag in tags if tag.tag == "REACH" and tag.attrib["step"] == "2"]
    deltas = [[100 * n for n in _numbers(end["sc"])[1::2]] for end in ends if "sc" in end]
    won, how = "machi" in ends[0], ends[0].get("type", "")
    draw = not won and how in ("", "nm")
    last = ends[-1] if won else {}
    return LoggedHand(
        (kyoku // 4, int(start["oya"]), counters, sticks),
        "win" if won else "draw",
        wins=tuple(_read_win(end, faces) for end in ends) if won else (),
        riichi=tuple(riichi),
        ready=tuple(n for n in range(players) if draw and f"hai{n}" in ends[0]),
        nagashi=tuple(n for n in range(players) if how == "nm" and deltas[0][n] > 0),
        abortive=not won and not draw,
        dora=_tiles(last.get("doraHai", ""), faces),
        ura=next((_tiles(end["doraHaiUra"], faces) for end in ends if "doraHaiUra" in end), ()),
        paid=net_of(deltas, riichi, players),
    )


def _read_win(end: Mapping[str, str], faces: Sequence[str]) -> LoggedWin:
    winner, source = int(end["who"]), int(end["fromWho"])
    pairs, yakuman, sets = (_numbers(end.get(name, "")) for name in ("yaku", "yakuman", "m"))
    (won,) = _tiles(end["machi"], faces)
    melds = [_meld(n, winner, faces) for n in sets if not _is_north(n)]
    yaku = {MJLOG[id_]: han for id_, han in zip(pairs[::2], pairs[1::2], strict=True)}
    return LoggedWin(
        winner,
        None if source == winner else source,
        {**yaku, **{MJLOG[id_]: 0 for id_ in yakuman}},
        fu=_numbers(end["ten"])[0],
        yakuman=len(yakuman),
        liable=int(end["paoWho"]) if "paoWho" in end else None,
        hand=hand_of(_tiles(end["hai"], faces), won, melds, sum(map(_is_north, sets))),
    )


def _is_north(code: int) -> bool:
    """Whether this is a north set aside rather than a meld."""
    return code & 0x3C == 0x20


def _meld(code: int, player: int, faces: Sequence[str]) -> dict[str, Any]:
    """Return a meld of its 16 bits: whose tile it was in the lowest two, then what it is, then which tiles."""
    source = (player + code % 4) % 4
    if code & 0x04:
        lowest = (code >> 10) // 3
        ids = [4 * (lowest // 7 * 9 + lowest % 7 + i) + (code >> 3 + 2 * i) % 4 for i in range(3)]
        kind = "chow"
    elif code & 0x18:
        ids = [4 * ((code >> 9) // 3) + i for i in range(4)]
        kind = "pung" if code & 0x08 else "kong_added"
        if kind == "pung":
            del ids[(code >> 5) % 4]
    else:
        ids = [code >> 8 & ~3 | i for i in range(4)]
        kind = "kong_open" if code % 4 else "kong_concealed"
    return {"type": kind, "tiles": [faces[n] for n in ids]} | ({} if kind == "kong_concealed" else {"from": source})


def _tiles(ids: str, faces: Sequence[str]) -> tuple[str, ...]:
    return tuple(faces[n] for n in _numbers(ids))


def _numbers(text: str) -> list[int]:
    return [int(float(part)) for part in text.split(",") if part]
