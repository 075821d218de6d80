"""The ``hupai`` command. Each subcommand lives in ``hupai.commands``; heavy imports wait until one runs."""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer

from hupai.commands import check, label, labels, read, rules, score, serve, sets, watch
from hupai.output import complain, lasting, print_json
from scoring.errors import HupaiError

NOT_WRITTEN = 3
"""Exit status when the answers found no room, or a part of the installation is missing."""

app = typer.Typer(
    name="hupai",
    help="Photograph a mahjong hand, get its score. Exit status: 0 done; 1 finished, some inputs failed; "
    "2 wrong usage; 3 nothing could be read.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from scoring.version import version

        typer.echo(f"hupai {version()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = (
        False
    ),
) -> None:
    """Photograph a mahjong hand, get its score."""


app.command("score")(score.score)
app.command("read")(read.read)
app.command("rules")(rules.rules)
app.command("label")(label.label)
app.add_typer(labels.app, name="labels")
app.command("learn-set")(sets.learn_set)
app.add_typer(sets.sets, name="sets")
app.command("check")(check.check)
app.command("watch")(watch.watch)
app.command("serve")(serve.serve)


def main() -> None:
    """Run the command; an error of ours is one sentence on stderr and its exit status."""
    try:
        app()
    except HupaiError as error:
        if "--json" in sys.argv[1:]:
            print_json(lasting({"error": error.to_json()}))
        complain(error)
        sys.exit(error.exit_status)
    except ImportError as error:
        if (error.name or "").partition(".")[0] in ("", "hupai", "vision", "scoring"):
            raise
        print(f"hupai: {error.name} cannot be loaded ({error}); install hupai again, see hupai check.", file=sys.stderr)
        sys.exit(NOT_WRITTEN)
    except BrokenPipeError:
        # The reader of our output has gone (as `| head` does): no more can be said, and nothing went wrong.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        # Files of ours say so themselves: this is standard output, sent to a disk without room.
        print(f"hupai: the output cannot be written ({error.strerror}); make room and run it again.", file=sys.stderr)
        sys.stderr.flush()
        os._exit(NOT_WRITTEN)  # the interpreter would try to write the rest once more, and complain


if __name__ == "__main__":
    main()
