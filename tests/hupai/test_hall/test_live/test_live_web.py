"""Live hands over HTTP: who may show one, who hears of it and when, and that nobody else does and nothing is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pytest

from hupai.hall.live.seat_post import SeatPost
from hupai.hall.live.seat_view import SeatView
from hupai.hall.roles import ROLES
from scoring.seats import Seat
from tests.hupai.serving import OPEN, Server, problem
from tests.waiting import until

pytestmark = pytest.mark.slow
Start = Callable[..., Server]
CHIEF = {"X-Hupai-Director": "chief"}
HAND = {
    "state": "hand",
    "row": ["1m", "3m", "2m", "4p", "0p", "6p", "7s", "8s", "9s", "1p", "1p", "3p", "4p"],
    "drawn": "9m",
}
"""A hand whose tiles are in no other text of a server, in this order or sorted."""
TRACES = ('"1m", "3m", "2m"', '"1m","3m","2m"', '"1m", "2m", "3m"', '"1m","2m","3m"', "1m3m2m", "132m", "123m")


class Hall:
    """A server with an event of one table, A, and the director's client."""

    def __init__(self, server: Server, chief: httpx.Client) -> None:
        self.server, self.chief = server, chief
        players = [{"name": name} for name in ("Ann", "Bo", "Cy", "Di")]
        cup = self.ask("POST", "/tournaments", {"name": "Cup", "rules": "riichi", "players": players})
        self.cup = cup["id"]
        played = self.ask("POST", f"/tournaments/{self.cup}/rounds", {"tables": ["A"]})["rounds"][0]
        self.players = [player["name"] for player in played["tables"][0]["players"]]
        self.camera = self.holding(role="camera", table="A", tournament=self.cup)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return self.chief.request(method, path, json=body).raise_for_status().json()

    def token(self, **what: Any) -> dict[str, str]:
        made = self.ask("POST", "/tokens", {"name": "Somebody", **what})
        return {"X-Hupai-Code": made["token"]}

    def holding(self, **what: Any) -> httpx.Client:
        return self.server.client(headers=self.token(**what))

    def consents(self, seat: str, *, given: bool = True) -> Any:
        return self.ask("POST", f"/tournaments/{self.cup}/live/consent", {"table": "A", "seat": seat, "given": given})

    def delay(self, seconds: int) -> Any:
        return self.ask("POST", f"/tournaments/{self.cup}/live/delay", {"seconds": seconds, "by": "Eva"})

    def shows(self, seat: str = "E", view: Any = HAND) -> httpx.Response:
        return self.camera.put(f"/live/A/{seat}", json=view)


@contextmanager
def heard(client: httpx.Client, path: str) -> Iterator[list[str]]:
    """The lines of a stream, as they come, once it is open."""
    lines: list[str] = []
    opened = threading.Event()

    def listen() -> None:
        with client.stream("GET", path) as reply:
            lines.append(f"status {reply.status_code}")
            opened.set()
            try:
                for line in reply.iter_lines():
                    lines.append(line)
            except httpx.HTTPError:
                return

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    opened.wait()
    yield lines


def told(lines: list[str]) -> list[Any]:
    return [json.loads(line.removeprefix("data: ")) for line in list(lines) if line.startswith("data: ")]


@pytest.fixture
def hall(start: Start, database: str, tmp_path: Path) -> Iterator[Hall]:
    more = {} if database.startswith("sqlite") else {"database": database}
    server = start(tmp_path, director_code="chief", **more, **OPEN)
    with server.client(headers=CHIEF) as chief:
        yield Hall(server, chief)


@pytest.mark.both_databases
def test_a_seat_is_looked_at_with_consent_only_and_heard_of_late(hall: Hall) -> None:
    assert hall.camera.get("/live/A/E").json() == {"may_look": False, "rules": None, "options": {}}
    refused = problem(hall.shows(), 403, "no_consent")
    assert refused["detail"].startswith("The player in seat E at table 'A' has not agreed to it")
    live = hall.consents("E")["live"]
    assert live["delay"] == 60 and [one["by"] for one in live["players"]] == ["director"]
    assert hall.camera.get("/live/A/E").json()["rules"] == "riichi"
    assert hall.delay(0)["live"]["delay"] == 0
    with heard(hall.holding(role="overlay", live=True), "/live/stream?table=A") as lines:
        assert hall.shows().status_code == 204
        assert until(lambda: told(lines))
        (shown,) = told(lines)
        assert (shown["name"], shown["seat"], shown["shanten"]) == (hall.players[0], "E", 0)
        assert [(one["tile"], one["left"]) for one in shown["waits"]] == [("2p", 4), ("5p", 3)]
        problem(hall.shows("S"), 403, "no_consent")
        hall.consents("E", given=False)
        problem(hall.shows(), 403, "no_consent")
        assert until(lambda: len(told(lines)) > 1)
        assert told(lines)[1:] == [{"table": "A", "seat": "E", "state": "off"}]
    log = hall.ask("GET", f"/tournaments/{hall.cup}/changes")["changes"]
    kinds = [(one["kind"], one["by"]) for one in log if one["kind"].startswith("live")]
    assert kinds == [("live_given", "director"), ("live_delay", "Eva"), ("live_ended", "director")]


def test_a_seats_camera_looks_with_consent_and_sends_what_it_sees(hall: Hall) -> None:
    hall.delay(0)
    said: list[str] = []
    token = hall.token(role="camera", table="A", tournament=hall.cup)["X-Hupai-Code"]
    post = SeatPost(hall.server.url, token, "A", Seat.E, said.append)
    post.start()
    assert not post.changed.wait(1) and not post.may_look
    hall.consents("E")
    assert post.changed.wait(30) and post.may_look
    with heard(hall.holding(role="overlay", live=True), "/live/stream?table=A") as lines:
        post.show(SeatView.from_json(HAND))
        assert until(lambda: told(lines))
        assert told(lines)[0]["drawn"] == HAND["drawn"]
    post.changed.clear()
    hall.consents("E", given=False)
    post.show(SeatView("looking"))
    assert post.changed.wait(30) and not post.may_look
    post.close()
    assert not said


def has(heard: list[str], told: str) -> bool:
    """Whether it was said; a slow machine may say before that no answer came in time."""
    return any(told in said for said in heard)


def test_a_camera_says_how_it_comes_to_trust_the_halls_certificate(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(https=True)
    authority = str(server.data_folder / "certificates" / "authority.pem")
    for trusts, told in (("/dev/null", "authority.pem"), (authority, "not accept this token")):
        monkeypatch.setenv("SSL_CERT_FILE", trusts)
        heard: list[str] = []
        post = SeatPost(server.url, "hupai-x", "A", Seat.E, heard.append)
        post.start()
        assert until(partial(has, heard, told)), heard
        post.close()


@pytest.mark.both_databases
def test_consent_is_the_players_and_ends_with_the_seat(hall: Hall) -> None:
    """In the next round another sits there: nobody has asked that one; where the first sits now, it holds."""
    hall.consents("E")
    assert hall.shows().status_code == 204
    seats = {"tables": ["A"], "over_unfinished": True}
    hall.ask("POST", f"/tournaments/{hall.cup}/rounds", seats)
    table = hall.ask("GET", f"/tournaments/{hall.cup}")["rounds"][-1]["tables"][0]
    now = [player["name"] for player in table["players"]].index(hall.players[0])
    may = [hall.camera.get(f"/live/A/{seat}").json()["may_look"] for seat in "ESWN"]
    assert may == [i == now for i in range(4)]


def test_who_may_show_a_hand(hall: Hall) -> None:
    hall.consents("E")
    assert hall.chief.put("/live/A/E", json=HAND).status_code == 204
    other = hall.ask("POST", "/tournaments", {"name": "Side", "rules": "riichi"})["id"]
    refused = [
        hall.holding(role="camera", table="B", tournament=hall.cup),
        hall.holding(role="camera", table="A", tournament=other),
        *(hall.holding(role=role) for role in ("viewer", "overlay", "scorer")),
        hall.holding(role="overlay", live=True),
        hall.holding(role="table", table="A", tournament=hall.cup),
        hall.holding(role="entrant", tournament=hall.cup),
        hall.server.client(),
    ]
    for client in refused:
        assert client.put("/live/A/E", json=HAND).status_code == client.get("/live/A/E").status_code == 403
    for path in ("/tournaments", "/tables", "/live/stream?table=A"):
        problem(hall.camera.get(path), 403, "role_refused")
    for view in ({}, {"state": "hand", "row": ["9z"]}, {"state": "lost", "row": ["1m"]}, {**HAND, "picture": ""}):
        assert hall.shows(view=view).status_code == 422
    for what in ({"role": "viewer", "live": True}, {"role": "overlay", "live": True, "delay": 5}, {"role": "camera"}):
        assert hall.chief.post("/tokens", json={"name": "X", **what}).status_code == 422


def test_the_delay_holds_on_the_stream(hall: Hall) -> None:
    hall.consents("E")
    hall.delay(1)
    late = []
    with heard(hall.holding(role="overlay", live=True), "/live/stream?table=A&seat=E") as lines:
        for i in range(1, 8):
            assert hall.shows(view={**HAND, "drawn": f"{i}z"}).status_code == 204
            assert until(lambda: len(told(lines)) == i)  # noqa: B023
            taken, sent = (datetime.fromisoformat(told(lines)[-1][name]) for name in ("taken_at", "sent_at"))
            late.append((sent - taken).total_seconds())
    assert min(late) >= 1 and median(late) <= 1.2, late


def test_nobody_else_hears_and_nothing_is_kept(hall: Hall, tmp_path: Path) -> None:
    """Every other role listens to every stream and asks for everything: before, during and after."""
    hall.consents("E")
    hall.delay(0)
    of_table = {"table": "A", "tournament": hall.cup}
    what = {"table": of_table, "camera": of_table, "entrant": {"tournament": hall.cup}}
    others = {role: hall.holding(role=role, **what.get(role, {})) for role in ROLES}
    others |= {"nobody": hall.server.client(), "chief": hall.chief, "late": hall.holding(role="viewer", delay=1)}
    game = hall.ask("GET", f"/tournaments/{hall.cup}")["rounds"][0]["tables"][0]["game_id"]
    cup = f"/tournaments/{hall.cup}"
    paths = [
        *("/tables", "/tables/A", "/events/list", "/games", f"/games/{game}", f"/games/{game}/changes", "/figures"),
        *(f"/games/{game}/export.json", f"/games/{game}/export.csv", cup, f"{cup}/changes", f"{cup}/export.json"),
        *(f"{cup}/standings.csv", f"{cup}/tables.csv", "/session", "/about", "/live/A/E", "/live/A", "/tokens"),
    ]
    said: list[str] = []

    def look() -> None:
        for client in others.values():
            said.extend(client.get(path).text for path in paths)
        said.append(httpx.get(f"{hall.server.url}/metrics").text)

    with ExitStack() as stack:
        streams = [
            stack.enter_context(heard(client, path))
            for client in others.values()
            for path in ("/events", "/events?table=A", f"/games/{game}/events", "/live/stream?table=A")
        ]
        look()
        lines = stack.enter_context(heard(hall.holding(role="overlay", live=True), "/live/stream?table=A"))
        assert hall.shows().status_code == 204
        assert until(lambda: told(lines)), "the overlay made for it hears"
        look()
        hall.consents("E", given=False)
        look()
        assert any("status 200" in stream for stream in streams)
        said += [line for stream in streams for line in stream]
    assert any(trace in line for trace in TRACES for line in lines), "the traces are what a hand leaves"
    hall.server.stop()
    kept = [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert kept and hall.server.said
    for text in (*said, *kept, *hall.server.said):
        assert not [trace for trace in TRACES if trace in text], text[:2000]
