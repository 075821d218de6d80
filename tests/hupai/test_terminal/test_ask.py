"""``--ask`` in a real terminal: questions with pictures of the tiles, answers, the score."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.hupai.test_terminal.conftest import HUPAI, Desk, environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix"),
]


class Terminal:
    """A command in a pseudo-terminal: what it shows, and keys for it."""

    def __init__(self, desk: Desk, *words: str) -> None:
        import pty

        self.main, side = pty.openpty()
        more = environment(TERM="xterm-256color", COLORTERM="truecolor")
        self.process = subprocess.Popen(
            [*HUPAI, *words], cwd=desk.folder, env=more, stdin=side, stdout=side, stderr=side
        )
        os.close(side)
        self.shown = ""

    def until(self, text: str, seconds: float = 60) -> str:
        """What is shown up to the text."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} does not come after:\n{self.shown}"
            if select.select([self.main], [], [], 0.2)[0] and not self._read():
                break
        assert text in self.shown, self.shown
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def rest(self) -> str:
        """What is shown until the command ends."""
        while self._read():
            pass
        return self.shown

    def _read(self) -> bool:
        try:
            piece = os.read(self.main, 65536)
        except OSError:  # the other end was closed
            return False
        self.shown += re.sub(r"\r", "", piece.decode("utf-8", "replace"))
        return bool(piece)

    def type(self, text: str) -> None:
        os.write(self.main, text.encode())


@pytest.fixture
def terminal(desk: Desk) -> Iterator[type]:
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        opened.append(Terminal(desk, *words))
        return opened[-1]

    yield start  # type: ignore[misc]
    for one in opened:
        one.process.kill()
        one.process.wait()
        os.close(one.main)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", text)


def test_an_unsure_tile_is_shown_asked_about_and_scored_as_answered(terminal) -> None:
    at = terminal("score", "blurred.jpg", "--rules", "hk", "--seat", "S", "--win", "self_draw", "--ask")
    asked = at.until("\n> ")
    assert "\x1b[38;2;" in asked and "▀" in asked, "a picture of the tile"
    assert "Is this tile" in asked and re.search(r"\n  1  \w\w  ", plain(asked)), "its likeliest readings"
    at.type("9x\n")
    assert "'9x' is not a tile" in at.until("\n> ")
    at.type("6p\n")
    told = plain(at.rest())
    assert at.process.wait(30) == 0
    assert "blurred.jpg: 1223456799p777z | won with 3p" in told
    assert "South +256" in told
    assert "? Is this tile" not in told, "what was answered is not asked again"


@pytest.mark.parametrize("keys", ["\n\x04", "\x04"], ids=["enter", "end of input"])
def test_enter_leaves_it_and_the_end_of_input_ends_the_questions(terminal, keys: str) -> None:
    at = terminal("score", "blurred.jpg", "--rules", "hk", "--seat", "S", "--win", "self_draw", "--ask")
    at.until("\n> ")
    at.type(keys)
    told = plain(at.rest())
    assert at.process.wait(30) == 0
    assert "? Is this tile" in told and "7 faan in all" in told, "scored as it was read"


def test_who_won_and_how_are_asked_where_no_flag_says_it(terminal) -> None:
    at = terminal("score", "thirteen.jpg", "--rules", "hk", "--ask")
    assert "Who won" in at.until("\n> ")
    at.type("Q\n")
    assert "It is one of E, S, W, N." in at.until("\n> ")
    at.type("south\n")
    assert "How: self_draw, discard, robbed_kong?" in at.until("\n> ")
    at.type("ron\n")
    assert "Whose tile was it" in at.until("\n> ")
    at.type("東\n")
    asked = plain(at.until("\n> "))
    assert "which tile is missing?" in asked and "▀" in asked
    at.type("3p\n")
    told = plain(at.rest())
    assert at.process.wait(30) == 0
    assert "South on East's discard" in told and "won with 3p" in told
