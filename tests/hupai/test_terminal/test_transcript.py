"""A new user's commands, right and wrong ones, in a terminal of 80 columns: the essentials of what they print."""

from __future__ import annotations

import pytest

from tests.hupai.test_terminal.conftest import Desk

pytestmark = pytest.mark.slow

TYPED = "hupai score --hand 123m456m789m11z23s --winning 4s"
TRANSCRIPT = [
    # line, exit status, what it prints, what it does not
    ("hupai", 2, ["Usage: hupai [OPTIONS] COMMAND", "One hand", "hupai score hand.jpg --rules riichi"], ["python"]),
    ("hupai score --help", 0, ["How it was won", "Riichi", "House rules", "Examples", "1m-9m", "docs/tiles.md"], []),
    ("hupai score hand.jpg", 2, ["Who won? Give --seat E, S, W or N.", "Give --win self_draw, discard or"], []),
    (
        "hupai score hand.jpg --seat south --win tsumo",
        0,
        [
            "hand.jpg: 1223456799p777z | won with 3p | bonus f2 f3",
            "Hong Kong 香港: South drew the tile, round East",
            "South +256",
            "Assumed, and it changes the outcome: --rules hongkong; no --last-tile,",
        ],
        ["--riichi"],
    ),
    (
        "hupai score thirteen.jpg --seat S --win self_draw",
        2,
        ["thirteen.jpg: The hand read", "is not whole", "which tile is missing?", "waits for 3p", "(--winning TILE)"],
        [],
    ),
    (
        "hupai score riichi.jpg --rules riichi --seat South --win ron --from West",
        0,
        ["South on West's discard", "dora indicator 3p", "chow 456p from East", "--counters 0", "South +3900"],
        [],
    ),
    (
        "hupai score --hand 🀇🀈🀉🀊🀋🀌🀍🀎🀏🀀🀀🀑🀒 --winning 🀓 --seat 東 --win zimo --rules riichi",
        0,
        ["123456789m11z23s | won with 4s", "Riichi 立直麻雀: East drew the tile", "no --dora, --riichi"],
        [],
    ),
    (f"{TYPED} --seat S --win discard", 0, ["If the tile was East's: ", "Say whose it was with --from."], []),
    ("hupai score ph/no.jpg --seat S --win tsumo", 3, ["There is no file ph/no.jpg; check the name."], ["ph/ph"]),
    ("hupai score hand.jpg --seat S --win tsumo --tile 1p=9s", 1, ["read 1p, taken for 9s: as you said"], []),
    (f"{TYPED} --seet S", 2, ["--seet", "See hupai score --help."], ["python"]),
    ("hupai read hand.jpg", 0, ["26 tiles", "not of the hand: 10 face-down"], []),
    ("hupai rules hangzhou", 0, ["Flags it reads", "--kong-streak"], []),
]


@pytest.mark.parametrize(("line", "status", "printed", "absent"), TRANSCRIPT, ids=[line for line, *_ in TRANSCRIPT])
def test_what_a_new_user_sees(desk: Desk, line: str, status: int, printed: list[str], absent: list[str]) -> None:
    said = desk(line)
    text = " ".join((said.out + said.err).split())
    assert said.status == status, text
    for part in printed:
        assert part in text
    for part in absent:
        assert part not in text
    assert "Traceback" not in said.err
    assert max(map(len, said.out.splitlines()), default=0) <= 80
