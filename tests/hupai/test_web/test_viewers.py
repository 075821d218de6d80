"""A tournament as plain files: complete, renewed at once, late as wanted, with nothing but what viewers may read."""

from __future__ import annotations

import json
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.ledger.confirmed import Confirmed
from hupai.store.database import open_store
from hupai.store.errors import NotFound
from hupai.store.play import hands
from hupai.store.play.changes import Amendment
from hupai.store.tournament import refereeing, rounds, tokens, tournaments
from hupai.tournament.importing import NewEntrant
from hupai.tournament.standings import Scoring
from hupai.web.viewers.folder import Unwritable, renew, take_up
from hupai.web.viewers.keeping import Keeper
from hupai.web.viewers.pages import DATA, PAGE_LANGUAGES, PAGES, Words, files
from hupai.web.viewers.published import published
from scoring.payments import Transfer
from scoring.seats import Seat

FILES = sorted([*PAGES, DATA])
WHO = Amendment("Judge Secretive", "a reason for nobody")
NAMES = ("Ann <b>", "陳大文", "Cy & Co", "Di", "Eve", "Flo", "Gus", "Hal", "Ida")


class Plain(HTMLParser):
    """The text of a page; every element that is opened is closed again, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script") and data.strip():
            self.words.append(data.strip())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Engine]:
    engine = open_store(f"sqlite:///{tmp_path / 'hupai.db'}")
    yield engine
    engine.dispose()


@pytest.fixture
def cup(store: Engine) -> dict[str, Any]:
    """Nine players with EMA numbers, two rounds planned, the first seated and begun."""
    players = [NewEntrant(name, club="Oak", country="NED", ema=f"0429{i:04}") for i, name in enumerate(NAMES)]
    new = tournaments.NewTournament("Cup & <i>", "riichi", {}, players, Scoring(start=Decimal(25000)))
    cup_id = str(tournaments.create_tournament(store, new)["id"])
    rounds.plan_rounds(store, cup_id, 2, seed=1, who=WHO)
    rounds.seat_round(store, cup_id, who=WHO)
    refereeing.announce(store, cup_id, "Lunch <at> one", WHO)
    refereeing.penalise(store, cup_id, 1, Decimal(-20), WHO)
    made = refereeing.set_timer(store, cup_id, 1, "start", 75, WHO)
    pay(store, made, 1000)
    return tournaments.get_tournament(store, cup_id)


def pay(store: Engine, cup: dict[str, Any], amount: int) -> None:
    moved = Transfer(Seat.E, Seat.S, Decimal(amount), "x")
    game = cup["rounds"][0]["tables"][0]["game_id"]
    hands.record_hand(store, game, hands.NewHand(Confirmed("payment", transfers=(moved,)), {"outcome": "payment"}))


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def versions(folder: Path) -> set[str]:
    found = {re.findall(r'data-version="(\w+)"', (folder / name).read_text(encoding="utf-8"))[0] for name in PAGES}
    return found | {json.loads((folder / DATA).read_bytes())["version"]}


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_every_page_is_whole_and_stands_alone(cup: dict[str, Any], language: str) -> None:
    made = {name: content.decode() for name, content in files(published(cup), Words(language)).items()}
    assert list(made)[-1] == DATA and sorted(made) == FILES
    for name in PAGES:
        text = Plain(made[name]).words
        assert "Cup & <i>" in text and "Lunch <at> one" in text
        assert not re.search(r'(src|href)="(?!(?:index|seating|results)\.html")', made[name]), (
            "something from elsewhere"
        )
    index, seating, results = ([*Plain(made[name]).words] for name in PAGES)
    assert [word for word in index if word in NAMES] == [s["name"] for s in cup["standings"]]
    table = cup["rounds"][0]["tables"][0]["players"]
    east, south = (Words(language)(f"seat.{wind}.sign") for wind in "ES")
    at = results.index(east)
    assert results[at : at + 6] == [east, table[0]["name"], "24,000", south, table[1]["name"], "26,000"]
    planned = [NAMES[n - 1] for t in cup["plan"][0]["tables"] for n in t["players"]]
    assert [word for word in seating if word in NAMES][8:] == planned


def test_nothing_but_what_viewers_may_read_is_published(store: Engine, cup: dict[str, Any]) -> None:
    made = tokens.make_token(store, "Scorer Hidden", "scorer", None, "chief")
    everything = "".join(content.decode() for content in files(published(cup), Words("en")).values())
    games = [table["game_id"] for table in cup["rounds"][0]["tables"]]
    for secret in (made["token"], made["id"], "Scorer Hidden", WHO.by, WHO.reason, "0429000", cup["id"], *games):
        assert secret not in everything, secret
    data = published(cup)
    assert set(data) == {
        "made_by", "format", "name", "rules", "changed_at", "standings", "teams", "rounds", "plan", "announcements",
        "version",
    }  # fmt: skip
    assert set(data["rounds"][0]["tables"][0]) == {"table", "hands", "ended", "players"}
    assert set(data["rounds"][0]["tables"][0]["players"][0]) == {"name", "total"}
    assert set(data["announcements"][0]) == {"at", "text"}


def test_files_are_renewed_when_something_changes_and_only_then(
    store: Engine, cup: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "www" / "cup"
    take_up(folder)
    keeper = Keeper(store, cup["id"], folder, Words("en"))
    assert keeper.look() and sorted(read(folder)) == FILES
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o644}
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert not keeper.look()
    assert before == {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    pay(store, cup, 500)
    assert keeper.look() and "26,500" in read(folder)["results.html"] and sorted(read(folder)) == FILES
    assert len(versions(folder)) == 1
    rounds.drop_round(store, other := begun(store))
    tournaments.delete_tournament(store, other)
    with pytest.raises(NotFound):
        Keeper(store, other, folder, Words("en")).look()


def begun(store: Engine) -> str:
    made = tournaments.create_tournament(
        store, tournaments.NewTournament("B", "riichi", {}, [NewEntrant(n) for n in NAMES])
    )
    rounds.seat_round(store, made["id"])
    return str(made["id"])


def test_late_pages_show_each_state_when_it_is_old_enough(store: Engine, cup: dict[str, Any], tmp_path: Path) -> None:
    keeper = Keeper(store, cup["id"], tmp_path / "late", Words("en"), late=30)
    take_up(keeper.folder)

    def total() -> str:
        found = re.search(r"2[67],\d{3}", read(keeper.folder)["results.html"])
        assert found
        return found[0]

    assert not keeper.look(100) and read(keeper.folder) == {}, "what happened just now is not published yet"
    pay(store, cup, 500)
    assert not keeper.look(110)
    assert keeper.look(130.1) and total() == "26,000"
    pay(store, cup, 500)
    assert not keeper.look(135)
    assert keeper.look(140) and total() == "26,500"
    assert keeper.look(165) and total() == "27,000" and not keeper.look(300)
    assert len(keeper._seen) == 1
    # The clock is as late as everything else.
    ends = [published(cup, late)["rounds"][0]["timer"]["ends_at"] for late in (0, 30)]
    assert ends[0] == cup["rounds"][0]["timer"]["ends_at"] and ends[0] < ends[1]


def test_a_reader_never_finds_a_file_half_written(store: Engine, cup: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "www"
    take_up(folder)
    said = published(cup)
    renew(folder, files(said, Words("en")))
    stop, seen, broken = threading.Event(), set(), []

    def reader() -> None:
        while not stop.is_set():
            for name in PAGES:
                text = (folder / name).read_text(encoding="utf-8")
                if not text.endswith("</html>\n"):
                    broken.append(name)
            seen.add(json.loads((folder / DATA).read_bytes())["name"])

    thread = threading.Thread(target=reader)
    thread.start()
    for i in range(10_000):
        renew(folder, files({**said, "name": f"Cup {i}" + "x" * (i % 7) * 5000}, Words("en")))
        if not thread.is_alive() or (i >= 100 and len(seen) > 10):
            break
    assert thread.is_alive(), "a file was missing, or made no sense"
    stop.set()
    thread.join()
    assert broken == [] and len(seen) > 10 and sorted(read(folder)) == FILES


def test_a_full_disk_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    renew(tmp_path, {"index.html": b"old"})

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Unwritable, match="No space left on device"):
        renew(tmp_path, {"index.html": b"new"})
    assert read(tmp_path) == {"index.html": "old"}


def test_somebody_elses_pages_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html>My club</html>", encoding="utf-8")
    with pytest.raises(Unwritable, match="folder of its own"):
        take_up(tmp_path)
    assert read(tmp_path) == {"index.html": "<html>My club</html>"}


def test_drafts_of_a_run_that_was_killed_are_removed(store: Engine, cup: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "www"
    take_up(folder)
    Keeper(store, cup["id"], folder, Words("en")).look()
    (folder / ".hupai-abc.part").write_bytes(b"<!doc")
    take_up(folder)
    assert sorted(read(folder)) == FILES


def publish(tmp_path: Path, *flags: str) -> list[str]:
    folder = str(tmp_path / "www")
    return [sys.executable, "-m", "hupai.cli", "publish", folder, "--data-folder", str(tmp_path), *flags]


@pytest.mark.slow
def test_the_command_keeps_the_latest_tournament_until_it_is_interrupted(
    store: Engine, cup: dict[str, Any], tmp_path: Path
) -> None:
    data = tmp_path / "www" / DATA
    with subprocess.Popen(publish(tmp_path, "--every", "0.2", "--language", "ja"), stdout=subprocess.PIPE) as process:
        waited(data.is_file)
        before = data.read_bytes()
        pay(store, cup, 500)
        waited(lambda: data.read_bytes() != before)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert 'lang="ja"' in read(tmp_path / "www")["index.html"] and len(versions(tmp_path / "www")) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--language", "xx"], "No pages in"),
        (["--once", "--delay", "5"], "leave --delay out"),
        (["--once"], "no tournament yet"),
        (["--once", "--tournament", "X" * 26], "no tournament"),
    ],
)
def test_what_cannot_be_published_is_refused(store: Engine, tmp_path: Path, flags: list[str], said: str) -> None:
    done = subprocess.run(publish(tmp_path, *flags), capture_output=True, text=True, check=False)
    assert done.returncode == 2 and said in " ".join(done.stderr.split()) and not (tmp_path / "www").exists()


def waited(ready: Any) -> None:
    ends = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < ends
        time.sleep(0.1)
