"""The ``hupai`` command. Of the subcommands, those of wings too, only the one that is typed is loaded."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from hupai.wing import MANY_HANDS, Command, installed_wings
from scoring.errors import Fault, HupaiError, InvalidRequest

EXIT_NOT_WRITTEN = 3
"""Exit status if the output could not be written, or a part of the installation is missing."""
EXIT_STOPPED: Final = 130
"""Exit status after Ctrl-C, as shells have it."""

_HANDS: Final = "One hand"
_HOUSE: Final = "Tile sets and this installation"

_COMMANDS: Final[dict[str, Command]] = {
    "score": Command(
        "hupai.commands.score.score",
        _HANDS,
        (
            "hupai score hand.jpg --seat S --win self_draw",
            "hupai score hand.jpg --rules riichi --seat East --win ron --from West --riichi",
            "hupai score hand.jpg --seat S --win self_draw --winning 3p --tile 6m=7m",
            "hupai score --hand 123m456m789m11z23s --winning 4s --seat S --win discard --from E",
            "hupai score --jsonl requests.jsonl",
            "Tiles are written 1m-9m (characters), 1p-9p (dots), 1s-9s (bamboo), 1z-7z (east south west north, white "
            "green red), 0m 0p 0s (red fives), f1-f4, g1-g4, a1-a4 (flowers, seasons, animals), back; or as glyphs "
            "such as 🀈. With pictures: docs/tiles.md. The fields of --jsonl: docs/request.md.",
        ),
    ),
    "read": Command("hupai.commands.read.read", _HANDS, ("hupai read hand.jpg", "hupai read hand.jpg --json")),
    "rules": Command("hupai.commands.rules.rules", _HANDS, ("hupai rules", "hupai rules riichi")),
    "serve": Command("hupai.commands.serve.serve", MANY_HANDS, ("hupai serve", "hupai serve --http --port 8080")),
    "page": Command("hupai.commands.page.page", MANY_HANDS, ("hupai page club",)),
    "learn-set": Command("hupai.commands.sets.learn_set", _HOUSE, ("hupai learn-set all-tiles.jpg --name home",)),
    "sets": Command("hupai.commands.sets.sets", _HOUSE),
    "backup": Command("hupai.commands.backup.backup", _HOUSE, ("hupai backup cup.zip",)),
    "replay": Command(
        "hupai.commands.replay.replay", MANY_HANDS, ("hupai replay 2026112800gm-0009-0000-12345678.json",)
    ),
    "forget": Command("hupai.commands.forget.forget", _HOUSE, ("hupai forget --days 365 --export old.zip",)),
    "check": Command("hupai.commands.check.check", _HOUSE, ("hupai check", "hupai check --fix")),
}
"""The core's commands."""
_HELP: Final = """
[bold]Examples[/]

hupai score hand.jpg --rules riichi --seat S --win tsumo --riichi

hupai score --hand 123m456m789m11z23s --winning 4s --seat S --win discard --from E

hupai read hand.jpg

hupai serve

Exit status: 0 done; 1 finished, some inputs failed or a hand may not win; 2 wrong usage; 3 nothing could be read.
"""


def _version(wanted: bool) -> None:
    if wanted:
        from scoring.version import version

        typer.echo(f"hupai {version()}")
        raise typer.Exit


def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = (
        False
    ),
) -> None:
    """Photograph a mahjong hand, get its score."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def build_app(typed: str = "") -> typer.Typer:
    """The command with the subcommand of this name, or with all where there is none: they take a second to load."""
    app = typer.Typer(
        name="hupai",
        help="Photograph a mahjong hand, get its score.",
        epilog=_HELP,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        callback=_root,
    )
    commands = dict(_COMMANDS)
    for wing in installed_wings():
        commands |= wing.commands
    for name in [typed] if typed in commands else commands:
        found = commands[name]
        module, _, attribute = found.place.rpartition(".")
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, rich_help_panel=found.panel)
            continue
        epilog = "\n\n".join(("[bold]Examples[/]", *found.examples))
        app.command(name, epilog=epilog, rich_help_panel=found.panel)(command)
    return app


_UsageError: Final[Any] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""The command line parser's exceptions, for which typer has no public name."""


def main() -> None:
    """Run the command; one of our errors becomes a sentence on stderr and an exit status."""
    _reopen_closed_streams()
    _replace_unencodable_letters()
    try:
        sys.exit(_run())
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):  # typer treats it as a failure
            raise
        _discard_output()
        sys.exit(0)
    except KeyboardInterrupt:  # before the command began: later ones are Abort
        sys.exit(EXIT_STOPPED)
    except HupaiError as error:
        _print_refusal(error)
    except ImportError as error:
        if (error.name or "").partition(".")[0] in ("", "hupai", "vision", "scoring"):
            raise
        from hupai.checks.result import import_hint

        print(f"hupai: {error.name} {import_hint(error)} See hupai check.", file=sys.stderr)
        sys.exit(EXIT_NOT_WRITTEN)
    except BrokenPipeError:
        _discard_output()
        sys.exit(0)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        # For files, our own errors say so: this is standard output, redirected to a full disk.
        print(f"hupai: the output cannot be written ({error.strerror}); make room and run it again.", file=sys.stderr)
        sys.stderr.flush()
        os._exit(EXIT_NOT_WRITTEN)  # the interpreter would try to write the rest again, and complain


def _run() -> int:
    """Run the command, flush its output and return its exit status."""
    try:
        status = build_app(*sys.argv[1:2])(prog_name="hupai", standalone_mode=False)
        sys.stdout.flush()
    except _UsageError as error:
        context = error.ctx
        command = context.command_path if context else "hupai"
        said = error.format_message()
        if not said:  # no command was given, and the help was printed instead
            return int(error.exit_code)
        message = f"{said}{'' if said.endswith(('.', '?')) else '.'} See {command} --help."
        raise InvalidRequest.of([Fault("usage", message)]) from error
    except typer.Abort:
        print("hupai: stopped.", file=sys.stderr)
        return EXIT_STOPPED
    return status if isinstance(status, int) else 0


def _print_refusal(error: HupaiError) -> None:
    from hupai.terminal.output import print_error, print_json, with_provenance

    try:
        if "--json" in sys.argv[1:]:
            print_json(with_provenance({"error": error.to_json()}))
    except BrokenPipeError:
        _discard_output()
    print_error(error)
    sys.exit(error.exit_status)


def _reopen_closed_streams() -> None:
    """A standard stream that is closed becomes the null device: else the next file opened would take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _replace_unencodable_letters() -> None:
    """Letters that the output's encoding lacks become question marks instead of aborting the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _discard_output() -> None:
    """The reader of our output has closed it, as `| head` does, which is not an error: the rest is discarded."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
