"""House rules as a link to the page: checked where the link is made, and again where it is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import quote, urlencode

from hupai.basics.errors import NotFound
from hupai.basics.names import clean_name
from hupai.web.answers.json_text import parse_field
from hupai.web.errors import BadValue, WebError
from scoring.errors import InvalidRequest
from scoring.options import options_of
from scoring.rules import preset_named, system_named
from scoring.words.sentence import say

_NO_OBJECT: Final = 'options is a JSON object such as {"kiriage": true}.'
_ELSEWHERE: Final = "{name} is a preset of {a}, not of {b}: leave one of them out."
_BORDER: Final = 2
_TOO_LONG: Final = "This address is too long for a QR code; share the address itself."


@dataclass(frozen=True, slots=True)
class HouseLink:
    """House rules that a link hands on.

    Attributes:
        rules: a system's id. preset: one of its presets, or empty. options, name: without a preset, house rules and
            what they are called, or empty.
    """

    rules: str
    preset: str
    options: Mapping[str, Any]
    name: str

    @classmethod
    def read(cls, rules: str, *, options: str = "{}", preset: str = "", name: str = "") -> Self:
        """Return the house rules of a link: texts, the options as JSON.

        Raises:
            NotFound: no such system. BadValue: options that are no JSON object; a preset of other rules.
            InvalidRequest: options or values that the rules do not have, an unknown preset, a bad name.
        """
        try:
            system = system_named(rules)
        except InvalidRequest as error:
            raise NotFound(error.message, field="rules_id") from None
        try:
            said = parse_field(options, "options")
        except WebError:
            said = None
        if not isinstance(said, dict):
            raise BadValue(_NO_OBJECT, field="options")
        options_of(system.option_class, said, system.name)
        if not preset:
            return cls(system.id, "", said, clean_name(name, "name") if name else "")
        owner, found = preset_named(preset)
        if owner is not system:
            raise BadValue(say(_ELSEWHERE, name=found.id, a=owner.name, b=system.name), field="preset")
        return cls(system.id, found.id, {}, "")

    @property
    def fragment(self) -> str:
        """The fragment of the page's address; browsers never send it."""
        house = json.dumps(self.options, separators=(",", ":"))
        told = (
            {"preset": self.preset} if self.preset else {"options": house, **({"name": self.name} if self.name else {})}
        )
        return urlencode({"house": self.rules, **told}, quote_via=quote)

    def to_json(self, url: str) -> dict[str, Any]:
        """Return the answer: the rules, the address, and its QR code as another one, or null if it is too long."""
        try:
            code = f"data:image/svg+xml,{quote(qr_of(url))}"
        except BadValue:
            code = None
        told = {"rules": self.rules, "preset": self.preset, "options": dict(self.options), "name": self.name}
        return {"url": url, "code": code, **told}


def qr_of(address: str) -> bytes:
    """Return an address as a QR code (SVG).

    Raises:
        BadValue: no code holds it.
    """
    from segno.encoder import DataOverflowError, encode  # few ask for it, and in a browser it takes time

    try:
        rows = encode(address, error="m", micro=False).matrix  # type: ignore[no-untyped-call]
    except DataOverflowError:
        raise BadValue(_TOO_LONG) from None
    side = len(rows) + 2 * _BORDER
    dark = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows, _BORDER) for x, one in enumerate(row, _BORDER) if one)
    size = f'width="{side}" height="{side}"'
    return (
        f'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {side} {side}" '
        f'shape-rendering="crispEdges"><rect {size} fill="#fff"/><path d="{"".join(dark)}"/></svg>'
    ).encode()
