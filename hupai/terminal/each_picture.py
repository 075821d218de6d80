"""Pictures named on the command line -> readings, one at a time; a faulty one is reported and the rest goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hupai.terminal.output import print_error, print_json, with_provenance
from scoring.errors import HupaiError

if TYPE_CHECKING:
    from rich.status import Status

    from vision.io.photo import Photo

NOTHING_READ = 3
SOME_FAILED = 1


@dataclass(slots=True)
class Outcome:
    """How many inputs were done and what happened to the others; determines the exit status."""

    done: int = 0
    failures: list[int] = field(default_factory=list)

    @property
    def exit_status(self) -> int:
        """0: all done; 1: some failed; none done: 3 if nothing was readable, else as for a refused typed hand."""
        if not self.failures:
            return 0
        return SOME_FAILED if self.done else min(self.failures)


def each_picture(
    pictures: Sequence[Path],
    work: Callable[[Path], Callable[[], None]],
    *,
    as_json: bool,
) -> Outcome:
    """Do ``work`` for every picture; one of our errors is reported (a JSON line, or a sentence on stderr) and counted.

    Args:
        work: reads a picture and returns a function that prints the answer, called when the progress line is cleared.
    """
    outcome = Outcome()
    with Progress(len(pictures)) as progress:
        for number, picture in enumerate(pictures, 1):
            progress.at(number, picture.name)
            try:
                tell = work(picture)
                with progress.aside():
                    tell()
            except HupaiError as error:
                outcome.failures.append(error.exit_status)
                with progress.aside():
                    if as_json:
                        print_json(with_provenance({"image": str(picture), "error": error.to_json()}))
                    print_error(error, str(picture))
            else:
                outcome.done += 1
    return outcome


class Progress:
    """A line on stderr that shows progress, if stderr is a terminal."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._status: Status | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("loading the models")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def at(self, number: int, name: str) -> None:
        """Show which picture is being read."""
        if self._status is not None:
            from rich.text import Text

            of = f" ({number} of {self.count})" if self.count > 1 else ""
            self._status.update(Text(f"reading {name}{of}"))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clear the line while something is printed: stdout usually goes to the same terminal."""
        if self._status is None:
            yield
            return
        self._status.stop()
        try:
            yield
        finally:
            sys.stdout.flush()
            self._status.start()


def mention_pages(photo: Photo) -> None:
    """Report on stderr that a file contains more pictures than the one that was read."""
    if photo.pages > 1:
        print(f"hupai: {photo.name} holds {photo.pages} pages or frames; only the first was read.", file=sys.stderr)
