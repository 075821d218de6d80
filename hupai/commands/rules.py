"""``hupai rules``: the rule systems, or one system's elements, options and questions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from hupai.messages import flag_of
from hupai.terminal.options import PrintJson
from hupai.terminal.output import print_json, with_provenance
from scoring.options import format_value
from scoring.rules import system_named, systems
from scoring.system import RuleSystem


def rules(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULES", help="A system or alias; none lists them all."),
    ] = None,
    as_json: PrintJson = False,
) -> None:
    """Print the rule systems, or the elements and house rules of one."""
    if name is None:
        _list(as_json)
        return
    system = system_named(name)
    if as_json:
        print_json(with_provenance(describe(system)))
        return
    _tables(system)


def describe(system: RuleSystem[Any]) -> dict[str, Any]:
    """A system as JSON: names, unit, what it asks, elements, options."""
    return {
        "id": system.id,
        "name": system.name,
        "native": system.native,
        "aliases": list(system.aliases),
        "unit": system.unit,
        "asks": list(system.asks),
        "bonus_tiles": system.bonus_letters,
        "red_fives": system.red_fives,
        "sets": system.shapes.sets,
        "elements": [asdict(e) for e in system.elements],
        "options": [
            {
                "name": o.name,
                "default": _json(o.default),
                "values": [_json(v) for v in o.values],
                "accepts": o.accepts,
                "elements": list(o.elements),
                "doc": o.doc,
            }
            for o in system.options
        ],
        "presets": [preset.to_json() for preset in system.presets],
    }


def _json(value: object) -> object:
    return value if isinstance(value, bool | int | str | list | dict | None) else str(value)


def _list(as_json: bool) -> None:
    if as_json:
        print_json([with_provenance(describe(s)) for s in systems().values()])
        return
    from rich.table import Table

    from hupai.terminal.show import Paper

    paper = Paper()
    table = Table("Rules", "Name", "Unit", "Elements", "Also called")
    for s in systems().values():
        name = f"{s.name}{paper.native(s.native)}"
        table.add_row(s.id, name, s.unit_name, str(len(s.elements)), ", ".join(s.aliases))
    paper.print(table)


def _tables(system: RuleSystem[Any]) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from hupai.terminal.show import Paper

    paper = Paper()
    elements = Table(title=f"{system.name}{paper.native(system.native)}: elements", title_justify="left")
    for column in ("Element", "Id", system.unit_name, "When"):
        elements.add_column(column, overflow="fold")
    for group in dict.fromkeys(e.group for e in system.elements):
        elements.add_section()
        for e in system.elements:
            if e.group == group:
                elements.add_row(f"{e.name}{paper.native(e.native)}", e.id, e.value, Text(e.condition))
    paper.print(elements)
    options = Table(title="House rules (--option name=value)", title_justify="left")
    for column in ("Option", "Default", "Values", "What it does"):
        options.add_column(column, overflow="fold")
    for o in system.options:
        options.add_row(
            o.name, format_value(o.default), " ".join(format_value(v) for v in o.values) or o.accepts, Text(o.doc)
        )
    paper.print(options)
    if system.presets:
        paper.print(Text("Presets (--preset NAME)", style="italic"))
    for p in system.presets:
        paper.print(Text(f"{p.id}: {p.name}{paper.native(p.native)}", style="bold"))
        house = " ".join(f"{name}={format_value(value)}" for name, value in p.options.items())
        paper.print(Padding(Text(f"House rules: {house or 'as usual'}"), (0, 0, 0, 2)))
        if p.unsettled:
            paper.print(Padding(Text(f"Left open by its source: {', '.join(p.unsettled)}"), (0, 0, 0, 2)))
        paper.print(Padding(Text(f"Source: {p.source}"), (0, 0, 0, 2)))
    flags = ", ".join(flag_of(name) for name in (*system.asks, *system.also_reads))
    paper.print(Text(f"Flags it reads besides --seat, --win and --from: {flags}"))
