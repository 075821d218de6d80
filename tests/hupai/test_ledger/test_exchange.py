"""A game as a file: read back as it was, or refused with what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hupai.basics.errors import Conflict
from hupai.games.amendments import withdraw_result
from hupai.games.apply import apply, begin_game
from hupai.games.commands import Command, MovedOn, NewGame, NewHand
from hupai.games.exchange import MAX_SETTLED, export_history, import_game
from hupai.games.game_json import changes_after, history_json, whole_hand_json
from hupai.games.history import (
    CORRECTED,
    ENDED,
    RECORDED,
    REOPENED,
    RESTORED,
    SEATED,
    UNDONE,
    WITHDRAWN,
    Amendment,
    GameTerms,
    History,
)
from hupai.games.json_store import JsonGames, JsonStore
from hupai.games.parting import Parted, catch_up
from hupai.games.terms.agreed import agree
from hupai.games.terms.confirmed import Confirmed, confirmed_body, parse_confirmed
from hupai.web.answers.operations import take_over
from hupai.web.answers.respond import respond
from scoring.errors import InvalidRequest
from tests.hupai.kept import Kept
from tests.hupai.serving import problem
from tests.hupai.store_builders import NAMES

BO = Amendment("Bo", "misheard")
BEGUN = datetime(2026, 1, 31, 20, 15, 0, 123456, tzinfo=UTC)
PINFU = {
    "concealed": "123m456m789p23s55p",
    "winning_tile": "4s",
    "context": {"seat": "S", "win": "discard", "from": "W", "riichi": True},
}


def later(minutes: float) -> datetime:
    return BEGUN + timedelta(minutes=minutes)


def begin(rules: str = "riichi", points: int = 25_000, **course: Any) -> History:
    new = NewGame(NAMES, agree(rules, starting_points=Decimal(points), course=course))
    return begin_game(new, "0123456789ab", BEGUN)


def said(body: dict[str, Any], **more: Any) -> NewHand:
    return NewHand(parse_confirmed(body), body, **more)


def evening() -> History:
    """A game with every kind of change."""
    won = said({"outcome": "win", "wins": [PINFU]}, key="k1", models={"detector": "d1"})
    game = apply(begin(), Command(RECORDED, Amendment("Ann", ""), hand=won), later(1))
    drawn = said({"outcome": "draw", "ready": ["E", "S"], "riichi": ["S"]})
    game = apply(game, Command(RECORDED, hand=drawn), later(5))
    game = apply(game, Command(RECORDED, hand=said({"outcome": "false_win", "offender": "W"})), later(9))
    game = apply(game, Command(UNDONE, Amendment("Ann", "")), later(10))
    game = apply(game, Command(RECORDED, hand=won_by("N")), later(15))
    game = apply(game, Command(CORRECTED, BO, number=1, hand=said({"outcome": "draw", "ready": ["E"]})), later(20))
    game = apply(game, Command(WITHDRAWN, BO, number=2), later(21))
    game = apply(game, Command(RESTORED, Amendment("Bo", ""), number=2), later(22))
    game = apply(game, Command(ENDED, BO, course={"ties": "seat"}), later(30))  # as was agreed on already
    settle = Command(ENDED, BO, course={"uma": [10, 5, -5, -10]})
    game = apply(game, settle, later(31))
    game = apply(game, settle, later(31))  # the same, which is a change, too
    return apply(game, Command(REOPENED, BO, course={"hands": 20}), later(32))


def won_by(seat: str) -> NewHand:
    return said({"outcome": "win", "wins": [{**PINFU, "context": {"seat": seat, "win": "self_draw"}}]})


def exported(game: History) -> dict[str, Any]:
    """The file, as text and back."""
    file: dict[str, Any] = json.loads(json.dumps({"history": export_history(game)}))
    return file


def shown(game: History) -> Any:
    hands = [{**whole_hand_json(hand), "totals": hand.totals} for hand in game.hands]
    return json.loads(json.dumps([history_json(game), hands, changes_after(game, 0), export_history(game)]))


def test_a_game_is_read_back_as_it_was_after_every_change() -> None:
    game = evening()
    read = import_game(exported(game))
    assert shown(read) == shown(game)
    assert {change.kind for change in game.changes} == {
        *("recorded", "undone", "corrected", "withdrawn", "restored", "ended", "settled", "reopened"),
    }
    for revision in range(1, game.revision):
        file = exported(game)
        file["history"] = file["history"][: revision + 1]
        assert import_game(file).state.to_json() | {"ended": None} == dict(game.changes[revision].before) | {
            "ended": None
        }


def test_tiles_are_kept_in_the_notation_however_they_were_written() -> None:
    """The page reads nothing else."""
    tiles = {"concealed": ["一萬", "2m", "三萬", *"EEPP"], "winning_tile": "🀀", "bonus": []}
    melds = [{"type": "chow", "tiles": "m123"}, {"type": "pung", "tiles": "777z"}]
    win = {**tiles, "melds": melds, "context": {"seat": "S", "win": "self_draw", "dora_indicators": "１ｓ"}}
    game = apply(begin(), Command(RECORDED, hand=said({"outcome": "win", "wins": [win]})), later(1))
    request = game.hands[-1].request
    for kept in (request["wins"][0], request["scored"][0]):
        assert kept["concealed"] == ["1m", "2m", "3m", "1z", "1z", "5z", "5z"]
        assert (kept["winning_tile"], kept["context"]["dora_indicators"]) == ("1z", "1s")
        assert [meld["tiles"] for meld in kept["melds"]] == ["123m", "777z"]


def test_a_file_says_all_that_was_agreed_on() -> None:
    """When it began is its ``at``; the key is for this server only; when it ended is told by the changes."""
    game = evening()
    told = exported(game)["history"][0].keys() | {"created", "key", "key_hash", "closed_at"}
    assert {each.name for each in fields(GameTerms)} <= told
    assert replace(import_game(exported(game)).terms, created=BEGUN) == game.terms


def test_it_goes_on_as_the_game_would_have() -> None:
    game = evening()
    read = import_game(exported(game))
    again = said({"outcome": "win", "wins": [PINFU]}, key="k1", models={"detector": "d1"})
    assert apply(read, Command(RECORDED, hand=again), later(40)) is read, (
        "the phone that tries again enters nothing twice"
    )
    for correct in (lambda g: apply(g, Command(CORRECTED, BO, number=1, hand=won_by("S")), later(41)), lambda g: g):
        ended = [apply(correct(one), Command(ENDED, BO), later(42)) for one in (game, read)]
        assert shown(ended[0]) == shown(ended[1])


def test_a_game_is_read_that_another_version_kept_on_this_phone() -> None:
    """What it did not know has its default, what only it knew is left out."""
    kept, game = Kept(), begin()
    kept.do(lambda texts: JsonGames(texts, BEGUN).insert(lambda _: game, lambda known, _: known))
    (name,) = (name for name in kept.texts if name.startswith("game/"))
    told = json.loads(kept.texts[name])
    del told["terms"]["name"], told["terms"]["closed_at"]
    kept.texts[name] = json.dumps({**told, "terms": {**told["terms"], "weather": "rain"}})
    assert kept.do(lambda texts: JsonGames(texts, BEGUN).read(game.terms.id)) == game


def cut(game: History, revision: int) -> History:
    """The game as it was then, kept by an older version: of what that did not know nothing is kept."""
    was = import_game({"history": exported(game)["history"][: revision + 1]})
    course = {name: value for name, value in was.terms.course.items() if name != "floating_uma"}
    changes = [
        replace(change, before={name: value for name, value in change.before.items() if name != "players"})
        for change in was.changes
    ]
    hands = tuple(replace(hand, version="0.0.9") for hand in was.hands)
    terms = replace(was.terms, course=course, key="begun", key_hash="so")
    return replace(was, terms=terms, hands=hands, changes=tuple(changes))


@pytest.mark.parametrize("revision", range(evening().revision + 1))
def test_what_was_done_since_is_added_to_a_game_that_is_kept(revision: int) -> None:
    kept, newer = cut(evening(), revision), import_game(exported(evening()))
    now = catch_up(kept, newer)
    assert (now.revision, now.state, now.last and now.last.totals) == (
        newer.revision, newer.state, newer.last and newer.last.totals,
    )  # fmt: skip
    assert now.terms.key == "begun" and now.changes[:revision] == kept.changes
    touched = {change.hand_number for change in newer.changes[revision:]} - {0}
    versions = ["0.0.9" if hand.number < min(touched, default=9) else hand.version for hand in newer.hands]
    assert [hand.version for hand in now.hands] == versions
    assert catch_up(now, newer) is now
    if revision < newer.revision:
        with pytest.raises(Conflict, match="is newer than this file"):
            catch_up(now, kept)


@pytest.mark.parametrize(
    ("revision", "done", "hand"),
    [
        (0, lambda game: apply(game, Command(RECORDED, hand=won_by("N")), later(2)), 1),
        (4, lambda game: apply(game, Command(RECORDED, hand=won_by("S")), later(15)), 4),
        (4, lambda game: apply(game, Command(RECORDED, hand=won_by("N")), later(14)), 4),
        (5, lambda game: apply(game, Command(UNDONE), later(16)), 1),  # there the first one was corrected then
        (6, lambda game: apply(game, Command(WITHDRAWN, BO, number=4), later(21)), 2),
        (8, lambda game: apply(game, Command(ENDED, BO), later(29)), 5),
        (4, lambda game: replace(game, players=("Ann", "Bo", "Cleo", "Dee")), 1),
        (4, lambda game: replace(game, terms=replace(game.terms, name="Another")), 1),
    ],
)
def test_games_in_which_something_else_was_done_are_not_made_one(
    revision: int, done: Callable[[History], History], hand: int
) -> None:
    with pytest.raises(Conflict, match=f"part at hand {hand}:"):
        catch_up(done(cut(evening(), revision)), import_game(exported(evening())))


def test_the_result_of_a_table_and_its_withdrawal_are_read_too() -> None:
    table = Confirmed("result", totals=tuple(map(Decimal, (40_000, 30_000, 20_000, 10_000))))
    game = apply(begin(), Command(RECORDED, hand=NewHand(table, confirmed_body(table))), later(1))
    game = apply(game, Command(ENDED, BO), later(1))
    assert game.last is not None
    game = withdraw_result(game, game.last, BO, later(2))
    game = apply(game, Command(SEATED, BO), later(3))
    read = import_game(exported(game))
    assert shown(read) == shown(game)
    assert read.state.ended is None


def test_the_last_minute_is_told_by_times_as_they_are_written() -> None:
    """60 minutes are over by the milliseconds of the file, not by the microseconds of the clock."""
    game = apply(
        begin(minutes=60), Command(RECORDED, hand=said({"outcome": "draw"})), later(60) - timedelta(microseconds=400)
    )
    assert game.state.ended == "minutes"
    assert import_game(exported(game)).state == game.state


def change(file: Any, *path: Any, to: Any) -> Any:
    """The file with another value at a place of its history."""
    found = inside = deepcopy(file)
    for name in ("history", *path)[:-1]:
        inside = inside[name]
    inside[("history", *path)[-1]] = to
    return found


@pytest.mark.parametrize(
    ("spoilt", "field", "words"),
    [
        (lambda _: [], "history", "history is not as this hupai writes it"),
        (lambda _: {"hands": []}, "history", "history is not as this hupai writes it: update hupai, or export"),
        (lambda _: {"history": []}, "history[0].id", "is not as"),
        (lambda f: change(f, 0, "rules", to="chess"), None, "chess"),
        (lambda f: change(f, 0, "players", to=["A", "B", "C"]), "players", "By these rules 4 play, not 3"),
        (lambda f: change(f, 0, "id", to="../../x"), "history[0].id", "is not as"),
        (lambda f: change(f, 0, "course", "hands", to=0), None, "hands"),
        (lambda f: change(f, 1, "at", to="yesterday"), "history[1].at", "is not as"),
        (lambda f: change(f, 1, "kind", to="forged"), "history[1].kind", "is not as"),
        (lambda f: change(f, 1, "extra", to=1), "history[1].extra", "is not as"),
        (lambda f: change(f, 1, "request", "wins", to="x"), "history[1].request.wins", "is not as"),
        (lambda f: change(f, 1, "request", "wins", 0, "winning_tile", to="9s"), "history[1]", "Not a valid win"),
        (lambda f: change(f, 1, "payments", 1, to=8000), "history[1]", "Change 1 of this game comes out otherwise"),
        (lambda f: change(f, 6, "settled_again", to=[]), "history[6]", "Change 6 of this game comes out otherwise"),
        (lambda f: change(f, 2, "before", "dealer", to=3), "history[2]", "comes out otherwise"),
        (lambda f: change(f, 4, "number", to=1), "history[4]", "Hand 1 is not the last one"),
        (lambda f: change(f, 2, "key", to="k1"), "history[2]", "Idempotency-Key was used for another hand"),
        (lambda f: {"history": [f["history"][0], *f["history"][2:]]}, "history[1]", "comes out otherwise"),
        (lambda f: {"history": [*f["history"], f["history"][-1]]}, "history[13]", "The game is not over"),
    ],
)
def test_a_bad_file_is_refused_with_what_is_wrong(spoilt: Callable[[Any], Any], field: str | None, words: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        import_game(spoilt(exported(evening())))
    assert words in refused.value.message
    assert field is None or refused.value.faults[0].field == field


@pytest.mark.parametrize("name", ["rules", "options", "name", "start", "starting_points", "rotation", "course"])
def test_nothing_is_assumed_that_a_file_leaves_out(name: str) -> None:
    file = exported(evening())
    del file["history"][0][name]
    with pytest.raises(InvalidRequest) as refused:
        import_game(file)
    assert refused.value.faults[0].field == f"history[0].{name}"


def test_a_file_cannot_keep_a_server_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.games.exchange.MAX_SETTLED", 10)
    assert MAX_SETTLED >= 1000
    with pytest.raises(InvalidRequest, match="more than 10 hands are settled"):
        import_game(exported(evening()))


SPOILT = exported(evening())
VALUES = st.sampled_from([None, True, -1, 0, 3, 10**30, 0.5, "", "E", "x" * 5000, "\0", [], {}, [None], {"a": []}])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for name, one in inner for found in places(one, (*path, name)))]


@given(place=st.sampled_from(places(SPOILT["history"])[1:]), value=VALUES)
@settings(max_examples=150, derandomize=True, database=None, deadline=None)
def test_whatever_is_in_a_file_is_read_or_refused(place: tuple[Any, ...], value: Any) -> None:
    try:
        read = import_game(change(SPOILT, *place, to=value))
    except InvalidRequest as refused:
        assert refused.faults
    else:
        json.dumps(shown(read))


def test_a_game_goes_from_one_server_to_another(client: httpx.Client) -> None:
    game = client.post("/games", json={"players": NAMES, "rules": "hongkong"}).json()
    here = f"/games/{game['id']}"
    for revision in range(3):
        paid = {"from": "E", "to": "S", "amount": "0.5", "why": "bet"}
        body = {"outcome": "payment", "transfers": [paid], "seen": {"revision": revision}}
        assert client.post(f"{here}/hands", json=body).status_code == 201
    assert client.post(f"{here}/undo", json={"by": "Bo", "seen": {"revision": 3}}).status_code == 200
    file = client.get(f"{here}/export.json").content
    before = [client.get(f"{here}{path}").json() for path in ("", "/hands/1", "/changes")]
    files = {"game": ("game.json", file)}
    again = client.post("/games/import", files=files)
    assert (again.status_code, again.json()) == (200, {**before[0], "added": {"hands": 0, "changes": 0}})
    assert client.delete(here, params={"revision": 4}).status_code == 204
    taken = client.post("/games/import", files=files)
    assert (taken.status_code, taken.json()) == (201, before[0])
    assert [client.get(f"{here}{path}").json() for path in ("", "/hands/1", "/changes")] == before
    assert client.post(f"{here}/undo", json={"by": "Bo", "seen": {"revision": 4}}).status_code == 200
    newer = client.get(f"{here}/export.json").content
    problem(client.post("/games/import", files=files), 409, "file_refused")
    assert client.delete(here, params={"revision": 5}).status_code == 204
    assert client.post("/games/import", files=files).status_code == 201
    added = client.post("/games/import", files={"game": ("game.json", newer)})
    assert (added.status_code, added.json()["added"]) == (200, {"hands": 0, "changes": 1})
    problem(client.post("/games/import", files={"game": ("game.json", b"{")}), 400, "bad_json")
    problem(client.post("/games/import", files={"game": ("game.json", b"{}")}), 422, "bad_value")


def parted() -> tuple[History, History]:
    """One game, in which two phones entered other fourth hands."""
    begun = cut(evening(), 4)
    return apply(begun, Command(RECORDED, hand=won_by("S")), later(15)), import_game(exported(evening()))


def test_what_differs_is_told_side_by_side() -> None:
    here, there = parted()
    with pytest.raises(Parted) as refused:
        catch_up(here, there)
    told = json.loads(json.dumps(refused.value.to_json()))
    assert (told["hand"], told["revision"]) == (4, 5)
    numbers = [row["number"] for row in told["hands"]]
    assert numbers == [1, 2, 4], "the first two were corrected, and settled again, in the file alone"
    wins = [row[side]["wins"][0]["player"] for row in told["hands"][-1:] for side in ("here", "file")]
    assert wins == [player_in(game, 4) for game in (here, there)]
    assert [row["file"] for row in told["hands"][:1]] != [row["here"] for row in told["hands"][:1]]
    for side, game in (("here", here), ("file", there)):
        assert told["players"][side] == json.loads(json.dumps(history_json(game)["players"]))


def test_a_phone_keeps_either_or_both() -> None:
    """As a server does (below)."""
    phone, (here, there) = Kept(), parted()
    mine, theirs = (json.dumps(exported(game)).encode() for game in (here, there))

    def take(file: bytes, **how: Any) -> Any:
        return phone.do(lambda texts: take_over(JsonGames(texts, later(60)), file, **how))

    def read(game_id: str) -> History:
        return phone.do(lambda texts: JsonGames(texts, later(60)).read(game_id))

    take(mine)
    with pytest.raises(Parted):
        take(theirs)
    other = take(theirs, beside=1)["id"]
    assert shown(read(here.terms.id))[1] == shown(import_game(exported(here)))[1]
    assert take(theirs)["added"] == {"hands": 0, "changes": 0} and len(read(other).hands) == len(there.hands)
    with pytest.raises(MovedOn):
        take(theirs, replaces=4)
    assert take(theirs, replaces=5)["id"] == here.terms.id
    assert shown(read(here.terms.id)) == shown(there)


def test_a_phone_gives_all_its_games_as_files_in_lines() -> None:
    phone = Kept()
    for game in parted():
        file = json.dumps(exported(game)).encode()
        phone.do(lambda texts, file=file: take_over(JsonGames(texts, later(60)), file, beside=1))
    status, text = phone.do(lambda texts: respond("GET", "/games.jsonl", {}, "", texts))
    head, *lines = text.splitlines()
    assert status == 200 and head.startswith('{"hupai":"games"'), "by which the page knows it"
    other = Kept()
    for line in lines:
        other.do(lambda texts, line=line: take_over(JsonGames(texts, later(60)), line.encode()))
    was, now = ([shown(game) for game in each.do(all_games)] for each in (phone, other))
    assert len(lines) == 2 and was == now


def all_games(texts: JsonStore) -> list[History]:
    return JsonGames(texts, later(60)).read_all()


def player_in(game: History, number: int) -> Any:
    return game.hand(number).summary[0]["player"]


@pytest.mark.both_databases
def test_two_phones_that_went_on_apart(client: httpx.Client) -> None:
    """Both games are kept, or one of them; nothing changes before somebody has said which."""
    here, there = parted()
    mine, theirs = ({"game": ("game.json", json.dumps(exported(game)))} for game in (here, there))
    assert client.post("/games/import", files=mine).status_code == 201
    path = f"/games/{here.terms.id}"
    before = client.get(path).json()
    said = problem(client.post("/games/import", files=theirs), 409, "file_refused", "parted")
    assert [row["number"] for row in said["parted"]["hands"]] == [1, 2, 4]
    assert client.get(path).json() == before

    beside = client.post("/games/import", params={"beside": 1}, files=theirs)
    assert beside.status_code == 201 and client.get(path).json() == before
    other = beside.json()["id"]
    assert other != here.terms.id and beside.json()["name"].endswith(" (2)")
    assert beside.json()["hands"] == json.loads(json.dumps(history_json(there)))["hands"]
    newer = apply(there, Command(RECORDED, hand=won_by("W")), later(50))
    files = {"game": ("game.json", json.dumps(exported(newer)))}
    on = client.post("/games/import", files=files)
    assert (on.status_code, on.json()["id"], on.json()["added"]["hands"]) == (200, other, 1), "the file goes on with it"
    assert client.get(path).json() == before

    problem(client.post("/games/import", params={"replaces": 4}, files=theirs), 409, "game_moved_on")
    taken = client.post("/games/import", params={"replaces": 5}, files=theirs)
    assert (taken.status_code, taken.json()["id"]) == (201, here.terms.id)
    assert client.get(path).json() == taken.json() != before
    assert client.get(f"{path}/changes").json()["revision"] == there.revision
