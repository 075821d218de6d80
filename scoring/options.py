"""House rules: each system has a frozen dataclass of options; unknown names and bad values are refused by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar, cast

from scoring.errors import Fault, InvalidRequest, quote_name, quote_value
from scoring.words.sentence import say, say_many

T = TypeVar("T")
Check = Callable[[object], object]
_MAX_NAMED = 20  # unknown options named one by one
_MAX_KEPT = 200  # letters of a value that is kept with the options made of it; no option's value needs as many


def choice(default: T, others: tuple[T, ...], doc: str) -> T:
    """Declare an option with few values, ``default`` first. Null means ``none`` and false ``off`` if it is a value."""
    values: tuple[object, ...] = (default, *others)
    accepts = ", ".join(_format_json_value(v) for v in values)

    def check(value: object) -> object:
        if value is None and None not in values:
            value = "none"
        elif value is False and "off" in values:
            value = "off"
        for allowed in values:
            alike = isinstance(value, type(allowed)) and isinstance(value, bool) == isinstance(allowed, bool)
            if alike and value == allowed:
                return allowed
        raise ValueError(f"must be {accepts}")

    return _option(default, check, doc, accepts, values=values)


def _format_json_value(value: object) -> str:
    """Return a value as written in JSON and by people."""
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def format_value(value: object) -> str:
    """Return a value as house rules are displayed: on, off, none, or unchanged."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else "none" if value is None else str(value)


def switch(default: bool, doc: str) -> bool:
    """Declare an option that is on or off."""
    return choice(default, (not default,), doc)


def whole(default: T, doc: str, *, low: int = 0, high: int | None = None, words: tuple[object, ...] = ()) -> T:
    """Declare a whole number ``low`` to ``high``, or one of ``words`` (such as None, also written none; ``auto``)."""
    accepts = f"a whole number from {low}{f' to {high}' if high is not None else ' up'}"
    accepts += "".join(f", or {_format_json_value(w)}" for w in words)

    def check(value: object) -> object:
        if value == "none" and None in words:
            return None
        if any(value is w or (isinstance(w, str) and value == w) for w in words):
            return value
        if not isinstance(value, int) or isinstance(value, bool) or value < low or (high is not None and value > high):
            raise ValueError(f"must be {accepts}")
        return value

    return _option(default, check, doc, accepts)


def decimal_option(default: str, doc: str, *, zero: bool = False) -> Decimal:
    """Declare an exact number above 0 (or also zero): an integer, a decimal string, a float with few digits.

    At most 1000 million and nine decimal places, so that sums of it stay exact.
    """

    def check(value: object) -> object:
        return exact_amount(value, zero=zero, example=default)

    return _option(Decimal(default), check, doc, _span(zero))


def exact_amount(value: object, *, zero: bool = False, example: str = "1") -> Decimal:
    """Return the amount that a JSON value means, within the limits of :func:`decimal_option`.

    Raises:
        ValueError: the message says what it must be.
    """
    try:
        number = None if isinstance(value, bool) else Decimal(str(value))
    except InvalidOperation:
        number = None
    if number is None or not _exact(number) or number < 0 or not (number or zero):
        raise ValueError(f"must be {_span(zero)}, with at most 9 decimal places, such as {example}")
    return number


def _span(zero: bool) -> str:
    return "a number from 0 up" if zero else "a number above 0"


def _exact(number: Decimal) -> bool:
    """At most 1000 million and at most nine decimal places; checks the exponent first, so 1e999999 costs nothing."""
    if not number.is_finite() or not -9 <= number.adjusted() <= 9 or abs(number) > 10**9:
        return False
    exponent = number.normalize().as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -9


def element_values(
    known: Collection[str],
    most: int,
    unit: str,
    example: Mapping[str, int],
    *,
    named: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
    note: str = "",
) -> Mapping[str, int]:
    """Declare the values that a house gives elements by id in place of the listed ones; 0 means not played.

    Every system calls this option ``values``. A command line may write it as text.

    Args:
        known: ids of the elements. most: the highest value. unit, example: for messages.
        named: text that stands for values. note: what else is to be said about them.
    """
    first = next(iter(example))
    written = ",".join(f"{name}={value}" for name, value in example.items())
    needed = f'must be element ids and their {unit}, such as {{"{first}": {example[first]}}}, or {written}'

    def check(given: object) -> dict[str, int]:
        if isinstance(given, str):
            given = named[given] if given in named else _parse_values(given)
        if not isinstance(given, Mapping):
            raise ValueError(needed)
        wrong = []
        if unknown := [str(name)[:40] for name in given if name not in known]:
            wrong.append(f"name elements, and {', '.join(unknown)} is none (they are {', '.join(known)})")
        if bad := [str(n) for n, v in given.items() if n in known and (type(v) is not int or not 0 <= v <= most)]:
            wrong.append(f"give whole {unit} from 0 (not played) to {most} (wrong: {', '.join(bad)})")
        if wrong:
            raise ValueError("must " + "; and must ".join(wrong))
        return dict(given)

    made: dict[str, int] = _option(
        {},
        check,
        f"other {unit} for elements, by id; 0: not played{note}",
        f"element ids and {unit}, such as {written}",
        factory=dict,
        elements=tuple(known),
    )
    return made


def is_played(values: Mapping[str, int], id_: str) -> bool:
    """Return whether a house with these values plays an element: every one that it does not value at 0."""
    return values.get(id_) != 0


def _parse_values(text: str) -> dict[str, object]:
    """``all_green=4,animal=2`` as an object, for a command line."""
    found: dict[str, object] = {}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        if name in found:
            raise ValueError(f"must name each element only once ({name[:40]} is there twice)")
        # Python refuses to turn thousands of digits into a number; as text they are refused by name.
        found[name] = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value
    return found


def custom(
    default: T, check: Check, doc: str, *, accepts: str = "see what it does", factory: Callable[[], T] | None = None
) -> T:
    """Declare an option with its own check: value -> checked value, ValueError with what it must be."""
    return _option(default, check, doc, accepts, factory=factory)


def _option(
    default: T,
    check: Check,
    doc: str,
    accepts: str,
    *,
    values: tuple[object, ...] = (),
    factory: Callable[[], T] | None = None,
    elements: tuple[str, ...] = (),
) -> T:
    metadata = {"check": check, "values": values, "accepts": accepts, "doc": doc, "elements": elements}
    made: object = (
        field(default_factory=factory, metadata=metadata) if factory else field(default=default, metadata=metadata)
    )
    return cast(T, made)


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A house rule's name, default, values (empty if open), effect, what it accepts, elements that it values by id."""

    name: str
    default: object
    values: tuple[object, ...]
    doc: str
    accepts: str
    elements: tuple[str, ...]


def _default(f: Field[Any]) -> object:
    return f.default_factory() if f.default_factory is not MISSING else f.default


def describe_options(kind: type[Any]) -> tuple[OptionInfo, ...]:
    """Return the options of a system's option class, in order."""
    return tuple(
        OptionInfo(f.name, _default(f), *(f.metadata[each] for each in ("values", "doc", "accepts", "elements")))
        for f in fields(kind)
    )


@lru_cache(maxsize=64)
def default_options(kind: type[Any]) -> Any:
    """Return the options if none is given: frozen, so that one object can be shared."""
    return kind()


def parse_options(kind: type[T], given: Mapping[str, object], system: str) -> tuple[T, list[Fault]]:
    """Return the option object for these values, and all faults in them; a refused option keeps its default.

    Args:
        kind: the system's option class. given: name -> value as in JSON. system: name, for messages.
    """
    if not given:
        return cast(T, default_options(kind)), []  # type: ignore[arg-type]
    try:
        return cast(T, _build_once(kind, _key_of(given))), []  # type: ignore[arg-type]
    except (KeyError, ValueError, TypeError):  # a value that cannot be a key, or something wrong: name everything
        pass
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    faults: list[Fault] = []
    checked: dict[str, Any] = {}
    unknown = [name for name in given if name not in known]
    for name in unknown[:_MAX_NAMED]:
        template = "{system} has no option {name}; it has {names}."
        message = say(template, system=system, name=quote_value(name), names=", ".join(known))
        faults.append(Fault("unknown_option", message, f"options.{quote_name(name)}"))
    if len(unknown) > _MAX_NAMED:
        more = say_many("{n} more unknown option.", "{n} more unknown options.", len(unknown) - _MAX_NAMED)
        faults.append(Fault("unknown_option", more, "options"))
    for name, value in given.items():
        if name not in known:
            continue
        try:
            checked[name] = known[name].metadata["check"](value)
        except ValueError as error:
            message = say("Option {name} {error}, not {value}.", name=name, error=str(error), value=quote_value(value))
            faults.append(Fault("bad_option", message, f"options.{name}"))
    return kind(**checked), faults


@lru_cache(maxsize=1 << 8)
def _build_once(kind: type[Any], given: tuple[tuple[str, type[Any], object], ...]) -> Any:
    """Return the option object for values that are right: nearly all requests of a table have the same ones."""
    checks = {f.name: f.metadata["check"] for f in fields(kind)}
    return kind(**{name: checks[name](value) for name, _, value in given})


def _key_of(given: Mapping[str, object]) -> tuple[tuple[str, type[Any], object], ...]:
    """Return names, types (true equals 1) and values; ValueError for texts that are too long to be kept."""
    if any(isinstance(value, str) and len(value) > _MAX_KEPT for value in given.values()):
        raise ValueError
    return tuple([(name, value.__class__, value) for name, value in given.items()])


def options_of(kind: type[T], given: Mapping[str, object], system: str) -> T:
    """Do the same as :func:`parse_options`, but raise.

    Raises:
        InvalidRequest: unknown options or values.
    """
    made, faults = parse_options(kind, given, system)
    if faults:
        raise InvalidRequest.of(faults)
    return made
