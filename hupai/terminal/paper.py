"""What tables are printed to."""

from __future__ import annotations

from rich.console import Console


class Paper(Console):
    """A terminal or a file. Where who reads it goes away, as `| head` does, an exception tells."""

    def on_broken_pipe(self) -> None:
        """Raise: :func:`hupai.cli.main` ends the command quietly."""
        raise BrokenPipeError

    def native(self, text: str) -> str:
        """A name in its own script, or nothing where the output's encoding has no such letters."""
        try:
            text.encode(self.encoding)
        except (LookupError, UnicodeEncodeError):
            return ""
        return f" {text}"
