"""What is printed survives every encoding and every reader."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.hupai.in_process import run
from tests.hupai.test_terminal.conftest import HUPAI, Desk, environment

pytestmark = pytest.mark.slow

TYPED = ["score", "--hand", "123m456m789m11z23s", "--winning", "4s", "--seat", "S", "--win", "self_draw"]


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        *((encoding, TYPED) for encoding in ("ascii", "cp1252", "shift_jis", "utf-8")),
        *(("cp437", words) for words in (["rules", "riichi"], ["score", "--help"], ["score", "手.jpg", *TYPED[5:]])),
    ],
)
def test_any_encoding(desk: Desk, encoding: str, words: list[str]) -> None:
    """A redirect on Windows has the code page's letters and no others."""
    how = environment(PYTHONIOENCODING=encoding)
    if encoding == "ascii":  # as Python itself opens the streams; the others are opened in the same way
        done = subprocess.run([*HUPAI, *words], cwd=desk.folder, env=how, capture_output=True, check=False)
        status, out, err = done.returncode, done.stdout, done.stderr
    else:
        status, out, err = run(*words, environment=how, folder=desk.folder)
    assert status == (3 if "手.jpg" in words else 0), err
    out.decode(encoding)
    assert b"Traceback" not in err
    if words == TYPED:
        text = out.decode(encoding)
        assert "South +128" in text and "?" not in text
        assert ("自摸" in text) == (encoding in ("utf-8", "shift_jis"))


@pytest.mark.parametrize("words", [["rules", "riichi"], ["score", "--help"], ["score", "--jsonl", "-"]])
def test_a_reader_that_goes_away_is_no_trouble(desk: Desk, words: list[str]) -> None:
    request = {"rules": "hongkong", "concealed": "123m456m789m11z23s", "winning_tile": "4s"}
    request["context"] = {"seat": "S", "win": "self_draw"}  # type: ignore[assignment]
    with subprocess.Popen(
        [*HUPAI, *words],
        cwd=desk.folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()  # before anything is printed
        try:
            process.stdin.write((json.dumps(request) + "\n").encode() * 200)
            process.stdin.close()
        except BrokenPipeError:
            pass
        said = process.stderr.read()
        assert (process.wait(120), said) == (0, b"")


@pytest.mark.parametrize(
    ("closed", "words", "status", "out", "err"),
    [
        (">&-", TYPED, 0, "", ""),
        ("2>&-", [*TYPED, "--json"], 0, '"legal": true', ""),
        ("2>&-", [*TYPED[:2], "1m", *TYPED[3:]], 2, "", ""),
        ("<&-", ["score", "--jsonl", "-"], 0, "", ""),
    ],
)
def test_a_stream_that_is_closed_is_no_trouble(
    desk: Desk, closed: str, words: list[str], status: int, out: str, err: str
) -> None:
    """As some service managers start a program."""
    line = ["sh", "-c", f'exec "$@" {closed}', "sh", *HUPAI, *words]
    done = subprocess.run(line, cwd=desk.folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert out in done.stdout and bool(out) == bool(done.stdout)
    assert err in done.stderr and bool(err) == bool(done.stderr)
