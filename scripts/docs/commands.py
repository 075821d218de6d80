"""Write ``docs/commands.md`` from the commands themselves: every argument, flag and default."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from hupai.cli import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
_OURS = {"--install-completion", "--show-completion", "--help"}


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by what is typed, groups before what is in them."""
    yield from _below("hupai", typer.main.get_command(app))


def _below(typed: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield typed, command
    for name, one in getattr(command, "commands", {}).items():
        yield from _below(f"{typed} {name}", one)


def flags(command: Any) -> Iterator[Any]:
    """The parameters of a command that are its own."""
    for parameter in command.params:
        if not _OURS & set(parameter.opts) and not getattr(parameter, "hidden", False):
            yield parameter


def page() -> str:
    """The page's text."""
    lines = [
        "# Commands",
        "",
        "<!-- Made by scripts/docs/commands.py: change the command, then run it again. -->",
        "",
        "`hupai COMMAND --help` prints the same. Exit status: 0 done; 1 finished, some inputs failed (named on",
        "standard error); 2 wrong usage; 3 nothing could be read. `--json` prints nothing but JSON on standard output.",
        "",
    ]
    for typed, command in commands():
        lines += [f"## {typed}", "", str(command.help or "").strip(), ""]
        for panel, rows in _panels(command).items():
            lines += [f"**{panel}**", ""] if panel else []
            lines += ["| argument | what it is |", "|---|---|", *rows, ""]
        lines += _more(str(getattr(command, "epilog", None) or ""))
    return "\n".join(lines)


def _panels(command: Any) -> dict[str, list[str]]:
    """The rows of a command's parameters by the panel of its help, those without a panel first."""
    found: dict[str, list[str]] = {}
    for parameter in sorted(flags(command), key=lambda p: bool(getattr(p, "rich_help_panel", None))):
        found.setdefault(getattr(parameter, "rich_help_panel", None) or "", []).append(_row(parameter))
    return found


def _more(epilog: str) -> list[str]:
    """Examples and notes that stand below a command's help."""
    parts = [part.strip() for part in epilog.split("\n\n") if part.strip() and not part.strip().startswith("[bold]")]
    typed = [part for part in parts if part.startswith("hupai ")]
    examples = ["```sh", *typed, "```", ""] if typed else []
    return examples + [line for part in parts if part not in typed for line in (part, "")]


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{o}`" for o in (*parameter.opts, *parameter.secondary_opts))
    if parameter.param_type_name == "argument":
        names = f"`{(parameter.metavar or parameter.name).upper()}`"
    elif parameter.metavar:
        names += f" {parameter.metavar}"
    notes = []
    if parameter.required:
        notes.append("required")
    if parameter.multiple:
        notes.append("may be repeated")
    default = parameter.default
    if default not in (None, False, (), []) and not callable(default) and not parameter.required:
        notes.append(f"default {default}")
    text = str(getattr(parameter, "help", "") or "").replace("|", "\\|").strip()
    more = f" ({', '.join(notes)})" if notes else ""
    return f"| {names} | {text}{more} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
