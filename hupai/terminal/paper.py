"""The console that tables are printed to."""

from __future__ import annotations

from rich.console import Console


class Paper(Console):
    """A terminal or a file. If its reader closes it, as `| head` does, an exception is raised."""

    def on_broken_pipe(self) -> None:
        """Raise: :func:`hupai.cli.main` ends the command quietly."""
        raise BrokenPipeError

    def native(self, text: str) -> str:
        """Return a name in its own script, or nothing if the output's encoding lacks such letters."""
        try:
            text.encode(self.encoding)
        except (LookupError, UnicodeEncodeError):
            return ""
        return f" {text}"
