"""The page of the commands, made from the commands themselves: every argument, flag and default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer.main

from hupai.cli import app
from scripts.docs import table

_OURS = {"--install-completion", "--show-completion", "--help"}


def commands(typed: str = "hupai", command: Any = None) -> Iterator[tuple[str, Any]]:
    """Every command by what is typed, groups before what is in them."""
    command = command or typer.main.get_command(app)
    yield typed, command
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(f"{typed} {name}", one)


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
        "`hupai COMMAND --help` prints the same. Exit status: 0 done; 1 finished, some inputs failed (named on",
        "standard error); 2 wrong usage; 3 nothing could be read. `--json` prints nothing but JSON on standard output.",
        "",
    ]
    for typed, command in commands():
        lines += [f"## {typed}", "", str(command.help or "").strip(), ""]
        panels: dict[str, list[tuple[str, str]]] = {"": []}
        for parameter in flags(command):
            panels.setdefault(getattr(parameter, "rich_help_panel", None) or "", []).append(_row(parameter))
        for panel, rows in panels.items():
            lines += [f"**{panel}**", ""] if panel else []
            lines += [table(("argument", "what it is"), rows), ""] if rows else []
        lines += _more(str(getattr(command, "epilog", None) or ""))
    return "\n".join(lines)


def _more(epilog: str) -> list[str]:
    """Examples and notes that stand below a command's help."""
    parts = [part.strip() for part in epilog.split("\n\n") if part.strip() and not part.strip().startswith("[bold]")]
    typed = [part for part in parts if part.startswith("hupai ")]
    examples = ["```sh", *typed, "```", ""] if typed else []
    return examples + [line for part in parts if part not in typed for line in (part, "")]


def _row(parameter: Any) -> tuple[str, str]:
    names = ", ".join(f"`{o}`" for o in (*parameter.opts, *parameter.secondary_opts))
    if parameter.param_type_name == "argument":
        names = f"`{(parameter.metavar or parameter.name).upper()}`"
    elif parameter.metavar:
        names += f" {parameter.metavar}"
    notes = ["required"] if parameter.required else []
    notes += ["may be repeated"] if parameter.multiple else []
    default = parameter.default
    if default not in (None, False, (), []) and not callable(default) and not parameter.required:
        notes.append(f"default {default}")
    text = str(getattr(parameter, "help", "") or "").strip()
    return names, f"{text} ({', '.join(notes)})" if notes else text
