"""A result given without its tiles: "5 faan", "10 tai", "3 han 40 fu", "a yakuman"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.errors import Fault, InvalidRequest, quote_value
from scoring.words.sentence import say

FIELDS: Final = ("value", "fu", "yakuman")
_MAX_VALUE: Final = 1_000_000  # beyond every system's highest hand by far; a slip of the keys is refused


@dataclass(frozen=True, slots=True)
class Result:
    """What the players counted themselves.

    Attributes:
        value: in the unit of the rules. fu: beside han, or None. yakuman: their number instead of han, or None.

    Raises:
        InvalidRequest: an impossible figure, or none.
    """

    value: int | None = None
    fu: int | None = None
    yakuman: int | None = None

    def __post_init__(self) -> None:
        faults = [
            result_fault(
                say(
                    "{name} is a whole number from 0 to {n}, not {value}.",
                    name=name,
                    n=_MAX_VALUE,
                    value=quote_value(number),
                ),
                name,
            )
            for name in FIELDS
            if (number := getattr(self, name)) is not None
            and (not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _MAX_VALUE)
        ]
        if (self.value is None) == (self.yakuman is None):
            faults.append(result_fault("A result has a value, or says how many yakuman: one of them.", "value"))
        if faults:
            raise InvalidRequest.of(faults)

    @classmethod
    def of(cls, data: object) -> Result:
        """Parse a result from JSON.

        Raises:
            InvalidRequest: not an object, unknown fields, impossible figures.
        """
        if not isinstance(data, Mapping):
            raise InvalidRequest.of([result_fault('A result is an object, such as {"value": 5}.', "")])
        unknown = [name for name in data if name not in FIELDS]
        if unknown:
            message = say("Unknown {name}; there are {names}.", name=quote_value(unknown[0]), names=", ".join(FIELDS))
            raise InvalidRequest.of([result_fault(message, "")])
        return cls(**data)

    def value_in(self, unit: str, least: int = 0) -> int:
        """Return its value, for rules that count nothing else.

        Raises:
            InvalidRequest: it has fu or yakuman, or less than the minimum.
        """
        if self.fu is not None or self.yakuman is not None or self.value is None:
            raise InvalidRequest.of(
                [result_fault(say("These rules count {unit} alone: give a value.", unit=unit), "value")]
            )
        if self.value < least:
            message = say("The least there is is {n}, not {m}.", n=least, m=self.value)
            raise InvalidRequest.of([result_fault(message, "value")])
        return self.value


def result_fault(message: str, name: str) -> Fault:
    """Return the fault of one figure."""
    return Fault("bad_value", message, f"result.{name}" if name else "result")
