"""Requests that the page may send anywhere, sound and broken ones: the worked hands of all seven systems."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import cycle, islice, zip_longest
from random import Random

from hupai.messages import LANGUAGES
from scoring.rules import systems
from tests.repository import ROOT
from tests.scoring.broken_requests import broken

_PATHS = ("/score", "/score/all", "/score", "/score/waits", "/score", "/score/shanten")
_FIXED = (
    *(("GET", path, "") for path in ("/about", "/rules", "/nothing")),
    *(("POST", path, body) for path in ("/score", "/score/shanten") for body in ("[1]", "{", "null", '{"a":1,"a":2}')),
    ("POST", "/score/shanten", '{"rules":"riichi","concealed":"12367m234p0578s1z","seen":["5m"]}'),
    ("POST", "/score/shanten", '{"rules":"hangzhou","concealed":"12367m234p578s1z"}'),
    ("POST", "/score/shanten", '{"rules":"hangzhou","concealed":"12367m234p578s15z","context":{"indicator":"1z"}}'),
    (
        "POST",
        "/score/shanten",
        '{"rules":"riichi","concealed":"12367m234p05s788s","context":{"seat":"S","win":"discard","from":"E"}}',
    ),
    ("POST", "/score/shanten", '{"rules":7,"options":[],"concealed":"1m","house":1}'),
)


@dataclass(frozen=True)
class Asked:
    """One request: its path is without the API's, its headers choose the language and the names of the answer."""

    method: str
    path: str
    headers: dict[str, str]
    body: str


def page_requests(number: int) -> list[Asked]:
    """So many requests, the same every time: every fifth of those for scores is broken."""
    rng = Random(number)
    languages = cycle((*LANGUAGES, ""))
    asked = [Asked(method, path, _headers(next(languages), "riichi"), body) for method, path, body in _FIXED]
    golden = [json.loads((ROOT / "tests" / "golden" / f"{s}.json").read_text(encoding="utf-8")) for s in systems()]
    hands = [entry["request"] for row in zip_longest(*golden) for entry in row if entry is not None]
    for i, hand in enumerate(islice(cycle(hands), number - len(asked))):
        path = _PATHS[rng.randrange(len(_PATHS))]
        request = {**hand, "why": rng.random() < 0.2, "open": i % 2 == 0}
        if path == "/score/shanten":
            request = {name: hand.get(name) for name in ("rules", "options", "concealed")}
        if i % 5 == 4:
            request = broken(rng, request, hands)
        asked.append(Asked("POST", path, _headers(next(languages), hand["rules"]), json.dumps(request)))
    return asked


def _headers(language: str, rules: str) -> dict[str, str]:
    return {"accept-language": language, "x-hupai-table": f"rules={rules}&E=Mei&S=Jun"} if language else {}
