"""A rule system on paper: elements with example hands, payments, house rules, as pages of a PDF (A4, portrait)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import segno
from PIL import Image

from hupai.printed.amounts import NO_WIN, YAKUMAN, Amounts, amounts_of, instant_of, streaks_of
from hupai.printed.catalogue import Catalogue
from hupai.printed.hands import counts_in, example, groups_of, picture
from hupai.printed.letters import Letters
from hupai.printed.pages import DOTS, HEAD, INSIDE, MINOR, ROW, SMALL, TITLE, Cell, PageLine, columns, laid_out
from hupai.web.addresses import house_fragment
from scoring.errors import HupaiError, InvalidRequest
from scoring.options import options_of
from scoring.payments import plain
from scoring.rulebook.presets import Preset
from scoring.seats import Seat
from scoring.system import Element, RuleSystem

_MODULE: Final = 7
"""Pixels per module of the QR code, somewhat less than a millimetre."""
_TALL: Final = 48
"""Maximum height of an example hand's tiles, pixels."""
_ELEMENT: Final = columns(560, 130, 0)
_CONTAINS: Final = columns(430, 0)
_HOUSE: Final = columns(380, 260, 0)
_WHOLE: Final = columns(0)
_LABEL: Final = 150
"""Width of the first column of a payment table, pixels."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of a sheet: the rules, the house rules (None: the defaults), and the language."""

    system: RuleSystem[Any]
    preset: Preset | None
    catalogue: Catalogue

    @property
    def options(self) -> dict[str, Any]:
        """House rules that differ from the defaults."""
        return dict(self.preset.options) if self.preset is not None else {}

    @property
    def title(self) -> str:
        """The rules and the house."""
        return self.catalogue.say(
            "sheet.title", rules=self.catalogue.system(self.system), house=self.catalogue.preset(self.preset)
        )


def write_sheet(
    system: RuleSystem[Any],
    preset: Preset | None,
    path: Path,
    page: str = "",
    language: str = "en",
    font: Path | None = None,
) -> int:
    """Write the sheet.

    Args:
        system: the rules. preset: the house rules to print; None: the defaults. path: of the file.
        page: the address of a phone page; a QR code beside the title then opens it with these rules.
        language: one of ``hupai.printed.catalogue.SHEET_LANGUAGES``. font: a file with its letters; None: find one.

    Returns:
        The number of pages.

    Raises:
        InvalidRequest: no font has the letters. HupaiError: the file cannot be written.
    """
    sheet = Sheet(system, preset, Catalogue(language))
    fragment = house_fragment(system.id, preset=preset.id if preset else "")
    code = _code(f"{page.rstrip('/')}/#{fragment}") if page else None
    lines = list(lines_of(sheet))
    letters = Letters(language, "".join(cell.text for line in lines for cell in line.cells), font)
    pages = laid_out(lines, letters, code)
    try:
        pages[0].save(
            path, "PDF", save_all=True, append_images=pages[1:], resolution=DOTS, title=sheet.title, quality=90
        )
    except OSError as error:
        raise HupaiError(f"{path} cannot be written: {error.strerror or error}.", code="cannot_write") from error
    return len(pages)


def lines_of(sheet: Sheet) -> Iterator[PageLine]:
    """Yield everything on the sheet, from the top."""
    yield _line((sheet.title,), _WHOLE, TITLE)
    yield from _elements(sheet)
    yield from _contained(sheet)
    yield from _money(sheet)
    yield from _instant(sheet)
    yield from _penalties(sheet)
    yield from _house(sheet)
    yield from _source(sheet)


def _elements(sheet: Sheet) -> Iterator[PageLine]:
    system, catalogue = sheet.system, sheet.catalogue
    for group in dict.fromkeys(element.group for element in system.elements):
        yield _heading((catalogue.group(group), catalogue.unit(system)), _ELEMENT)
        for element in system.elements:
            if element.group == group:
                yield _element(element, sheet)


def _element(element: Element, sheet: Sheet) -> PageLine:
    catalogue, (name, value, hand) = sheet.catalogue, _ELEMENT
    request = example(sheet.system.id, element.id)
    own = counts_in(element.id, request, sheet.options) if request is not None and sheet.options else None
    texts = (
        Cell(catalogue.element(sheet.system, element), *name),
        Cell(catalogue.phrase(element.condition), *name, SMALL),
        Cell(catalogue.phrase(element.value if own is None else own), *value),
    )
    drawn = picture(groups_of(request), (hand[1], _TALL)) if request is not None else None
    return PageLine(texts, drawn, picture_at=hand[0], rule=True)


def _contained(sheet: Sheet) -> Iterator[PageLine]:
    system, catalogue = sheet.system, sheet.catalogue
    if not system.absorbs:
        return
    names = {e.id: catalogue.element(system, e) for e in system.elements}
    apart = ", " if catalogue.language == "en" else "、"
    yield _heading((catalogue.say("sheet.counted"), catalogue.say("sheet.contains")), _CONTAINS)
    for by, inner in system.absorbs.items():
        yield _line((names[by], apart.join(names[id_] for id_ in inner)), _CONTAINS, SMALL)


def _money(sheet: Sheet) -> Iterator[PageLine]:
    """Yield what every value pays, with one table per consecutive dealer's hand where that matters."""
    system, catalogue = sheet.system, sheet.catalogue
    yield _heading((catalogue.say("pays.title"),), _WHOLE)
    yield _line((catalogue.say(f"pays.text.{system.id}", catalogue.say("pays.text")),), _WHOLE, SMALL, with_next=True)
    streaks = streaks_of(system)
    for streak in streaks:
        if len(streaks) > 1:
            yield _heading((catalogue.say("game.streak", n=streak),), _WHOLE, MINOR)
        yield from _table(amounts_of(system, sheet.options, streak), sheet)


def _table(amounts: Amounts, sheet: Sheet) -> Iterator[PageLine]:
    catalogue = sheet.catalogue
    wide = (INSIDE - _LABEL) // len(amounts.columns)
    places = columns(_LABEL, *[wide] * len(amounts.columns))
    unit = "han / fu" if sheet.system.unit == "han" and catalogue.language == "en" else catalogue.unit(sheet.system)
    heads = [Cell(unit, *places[0], SMALL)]
    for column, place in zip(amounts.columns, places[1:], strict=True):
        roles = " / ".join(catalogue.say(f"pays.role.{role}") for role, _ in column.roles)
        heads += [Cell(catalogue.say(f"pays.how.{column.how}"), *place, SMALL), Cell(roles, *place, SMALL)]
    yield PageLine(tuple(heads), with_next=True)
    for i, (told, figures) in enumerate(amounts.rows, 1):
        label = catalogue.say("pays.yakuman") if told == YAKUMAN else told
        won = any(figure != NO_WIN for paid in figures for figure in paid)
        cells = [" / ".join(paid) if NO_WIN not in paid else "-" for paid in figures] if won else []
        texts = (label, *(cells or [catalogue.say("pays.no_win")]))
        yield _line(texts, places, rule=True, with_next=i < len(amounts.rows))


def _instant(sheet: Sheet) -> Iterator[PageLine]:
    """Yield what is paid at once, whoever wins."""
    catalogue, paid = sheet.catalogue, list(instant_of(sheet.system, sheet.options))
    if not paid:
        return
    yield _heading(
        (catalogue.say("outcome.instant"), catalogue.say("pays.role.each"), catalogue.say("instant.dealt")), _HOUSE
    )
    for instant in paid:
        texts = (catalogue.say(f"instant.{instant.event}"), instant.amount, instant.dealt or "")
        yield _line(texts, _HOUSE, rule=True)


def _penalties(sheet: Sheet) -> Iterator[PageLine]:
    system, catalogue = sheet.system, sheet.catalogue
    if system.liable_kinds:
        yield _heading((catalogue.say("sheet.liable"),), _WHOLE)
        for kind, words in system.liable_kinds.items():
            yield _line((catalogue.say(f"liable.{system.id}.{kind}", words),), _WHOLE)
    yield _heading((catalogue.say("sheet.false_win"),), _WHOLE)
    yield _line((_false_win(sheet),), _WHOLE)


def _false_win(sheet: Sheet) -> str:
    """Return what a false win costs in this house."""
    custom, say = sheet.system.custom, sheet.catalogue.say
    if custom.claimed_back is not None:
        return say("sheet.false_win.claimed")
    if custom.false_win is None:
        return say("sheet.false_win.none")
    options = options_of(sheet.system.option_class, sheet.options, sheet.system.name)
    try:
        player, dealer = (custom.false_win(seat, options).net for seat in (Seat.S, Seat.E))
    except InvalidRequest:  # a house that has no fixed penalty
        return say("sheet.false_win.none")
    to_dealer, to_player, of_dealer = (plain(paid) for paid in (player["E"], player["W"], dealer["S"]))
    if to_dealer == to_player == of_dealer:
        return say("sheet.false_win.each", n=to_player)
    return say("sheet.false_win.dealer", a=to_dealer, b=to_player, c=of_dealer)


def _house(sheet: Sheet) -> Iterator[PageLine]:
    system, catalogue = sheet.system, sheet.catalogue
    yield _heading((catalogue.say("rules.house"),), _WHOLE)
    for option in system.options:
        label, hint = catalogue.option(system, option)
        value = catalogue.value(system, option, sheet.options.get(option.name, option.default))
        yield _line((label, value, hint), _HOUSE, SMALL, rule=True)


def _source(sheet: Sheet) -> Iterator[PageLine]:
    preset, catalogue = sheet.preset, sheet.catalogue
    if preset is None:
        return
    yield _heading((catalogue.say("sheet.source"),), _WHOLE)
    yield _line((preset.source,), _WHOLE, SMALL)
    if preset.unsettled:
        options = {o.name: catalogue.option(sheet.system, o)[0] for o in sheet.system.options}
        own = [options.get(name) or catalogue.say(f"course.{name}") for name in preset.unsettled]
        yield _line((catalogue.say("presets.unsettled", list=", ".join(own)),), _WHOLE, SMALL)


def _line(
    texts: tuple[str, ...],
    places: tuple[tuple[int, int], ...],
    size: int = ROW,
    *,
    rule: bool = False,
    with_next: bool = False,
) -> PageLine:
    return PageLine(
        tuple(Cell(text, *place, size) for text, place in zip(texts, places, strict=False)),
        rule=rule,
        with_next=with_next,
    )


def _heading(texts: tuple[str, ...], places: tuple[tuple[int, int], ...], size: int = HEAD) -> PageLine:
    return _line(texts, places, size, with_next=True)


def _code(address: str) -> Image.Image:
    """Return a QR code of this address."""
    out = io.BytesIO()
    segno.make_qr(address, error="m").save(out, kind="png", scale=_MODULE, border=0)
    return Image.open(out).convert("L")
