"""Games of other programs: read in every format, scored anew, what differs found; what is no log refused."""

from __future__ import annotations

import gzip
import json
import random
import re
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from hupai.games.exchange import import_game
from hupai.imports import read
from hupai.imports.read import open_log, read_log
from hupai.imports.replay import Replayed, replay
from hupai.web.answers.json_text import parse_json
from scoring.errors import HupaiError, InvalidRequest
from scoring.payments import plain_amount
from tests.hupai.in_process import hupai
from tests.hupai.serving import problem

LOGS = Path(__file__).parent / "logs"
AT = datetime(2026, 11, 28, tzinfo=UTC)
# What each player gets, riichi sticks deducted: counted by hand.
OF_FOUR = [[-7700, 7700, 0, 0], [-1300, 3900, -1300, -1300], [-1000, -1000, 2000, -1000], [0, 0, 0, 0]]
OF_FOUR += [[1000, -2900, 0, 2900], [32_000, 0, -32_000, 0]]
OF_THREE = [[8000, -4000, -4000], [-1200, 1200, 0], [0, 0, 0], [6000, -2000, -4000]]


def played(log: object, preset: str | None = None) -> Replayed:
    return replay(read_log(log), "0123456789ab", AT, preset)


def opened(name: str) -> Any:
    return open_log((LOGS / name).read_bytes(), json.loads)


@pytest.mark.parametrize("name", ["four.json", "four.xml", "four-soul.json", "four-pantheon.json"])
def test_a_game_of_four_comes_in_from_every_program(name: str) -> None:
    """Riichi, red fives, a pung raised to a kong and its replacement, a draw, an early one, two winners, liability."""
    made = played(opened(name))
    assert made.differences == ()
    assert [[plain_amount(hand.payments[str(n)]) for n in range(4)] for hand in made.history.hands] == OF_FOUR
    assert made.history.players == ("Ann", "Bo", "Cy", "Di") and made.history.state.ended == "points"
    tables = [
        (hand.before["dealer"], hand.before["counters"], hand.before["riichi_sticks"]) for hand in made.history.hands
    ]
    assert tables == [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 2, 1), (2, 3, 1), (3, 0, 0)]


@pytest.mark.parametrize("name", ["three.json", "three.xml", "three-soul.json"])
def test_a_game_of_three_comes_in(name: str) -> None:
    """A north set aside, a concealed kong and an open one, a draw, nagashi; two guests are told apart."""
    made = played(opened(name))
    assert made.differences == ()
    assert [[plain_amount(hand.payments[str(n)]) for n in range(3)] for hand in made.history.hands] == OF_THREE
    assert made.history.players == ("NoName", "NoName 2", "Cy")


def test_exporters_of_mahjong_soul_write_english_too() -> None:
    text = (LOGS / "four.json").read_text().replace("2026112805gm-0009-0000-4f6a1b2c", "261128-4f6a1b2c-0000")
    english = {
        "立直": "Riichi",
        "断幺九": "All Simples",
        "平和": "Pinfu",
        "赤ドラ": "Red Five",
        "大三元": "Big Three Dragons",
    }
    english |= {"役牌 白": "White Dragon", "役牌 發": "Green Dragon", "嶺上開花": "After a Kan"}
    english |= {"流局": "Exhaustive Draw", "九種九牌": "Nine Terminal Abortion", "般南喰赤": "Jade Room South"}
    for japanese, name in english.items():
        assert japanese in text
        text = text.replace(japanese, name)
    made = played(json.loads(text))
    assert (made.log.source, made.differences) == ("Mahjong Soul", ())


@pytest.mark.parametrize(
    ("display", "source", "rounds", "kuitan"),
    [
        ("般南喰赤", "Tenhou", None, None),
        ("鳳東喰赤速", "Tenhou", 1, None),
        ("般南", "Tenhou", None, False),
        ("東京オープン決勝", "Tenhou", None, None),
        ("銅の間東喰赤", "Mahjong Soul", 1, None),
        ("大会戦南", "Mahjong Soul", None, None),
        ("Jade Room East", "Mahjong Soul", 1, None),
    ],
)
def test_rules_by_what_a_log_displays(display: str, source: str, rounds: int | None, kuitan: bool | None) -> None:
    log = read_log({**opened("four.json"), "rule": {"disp": display, "aka": 1}, "ref": ""})
    assert (log.source, log.course.get("rounds"), log.options.get("kuitan")) == (source, rounds, kuitan)


def test_a_game_whose_length_is_not_displayed_may_end_with_the_first_round() -> None:
    """Its last deal, unless somebody went below zero."""
    log = {**opened("three.json"), "rule": {"disp": "三銀の間赤", "aka": 1}}
    ended, broke = {**log, "sc": [47_800, 0, 30_200, 0, 27_000, 0]}, {**log, "sc": [-1, 0, 60_000, 0, 45_001, 0]}
    logs = [log, broke, {**ended, "log": log["log"][:3]}, ended]
    assert [read_log(one).course for one in logs] == [{}, {}, {}, {"rounds": 1}]


def test_where_tenhou_plays_only_east_less_is_between_the_places() -> None:
    for log in ({**opened("four.json"), "rule": {"disp": "般東喰赤", "aka": 1}}, XML.replace('type="9"', 'type="1"')):
        assert read_log(log).course == {"rounds": 1, "uma": [10_000, 5000, -5000, -10_000]}


def test_a_record_of_mahjong_soul_may_be_wrapped_as_its_server_sends_it() -> None:
    log = opened("four-soul.json")
    actions: list[Any] = [{"passed": 1, "type": 1, "result": event} for event in log["data"]]
    actions.insert(3, {"passed": 2, "type": 2, "user_input": {}})
    records = {"name": ".lq.GameDetailRecords", "data": {"records": [], "actions": actions}}
    assert played({**log, "data": records}).differences == ()
    assert played(actions).differences == ()


def test_a_lobby_tells_its_rules_by_numbers() -> None:
    made = played({**opened("four.json"), "rule": ["0", "1"]})
    assert (made.differences, made.log.options) == ((), {"aka": 3})


@pytest.mark.parametrize(("name", "names"), [("four.json", ["A", "B", "", "D"]), ("three.json", ["", "B", "C", ""])])
def test_players_without_a_name_play(name: str, names: list[str]) -> None:
    made = played({**opened(name), "name": names})
    assert made.differences == ()
    shown = [n or f"Player {i}" for i, n in enumerate(names, 1)]
    assert made.history.players == tuple(shown[: len(made.log.points)])


def test_a_difference_in_money_stops_nothing() -> None:
    """By the log Ann has 1000 left and bets them; a mangan of four han would leave her 700."""
    log = opened("four.json")
    won, drawn = deepcopy(log["log"][0]), deepcopy(log["log"][2])
    won[1], drawn[0], drawn[-1] = [8700] * 4, [1, 0, 0], ["流局", [3000, -1000, -1000, -1000]]
    drawn[4:7], drawn[10:13] = drawn[10:13], drawn[4:7]
    found = played({**log, "log": [won, drawn], "sc": None}, "wrc").differences
    assert [(one.hand, one.what, one.scored) for one in found] == [(1, "payments", [-8000, 8000, 0, 0])]


def test_who_wins_with_a_yakuman_may_rob_a_kan_beside_another() -> None:
    """Of a yakuman no chankan is told."""
    ann = [[39, 39, 11, 11, 12, 12, 13, 13, 21, 22, 23, 24, 25], ["p393939", 39], [11, "k39393939"]]
    bo = [[11, 12, 13, 24, 25, 26, 34, 35, 36, 22, 22, 37, 38], [], []]
    cy = [[11, 19, 19, 21, 29, 31, 41, 42, 43, 44, 45, 46, 47], [], []]
    di = [[39, 14, 15, 16, 17, 18, 27, 28, 29, 31, 32, 33, 34], [41], [39]]
    told = ["和了", [-2000, 2000, 0, 0], [1, 0, 1, "30符2飜2000点", "槍槓(1飜)", "平和(1飜)"]]
    told += [[-32_000, 0, 32_000, 0], [2, 0, 2, "役満32000点", "国士無双(役満)"]]
    hand = [[0, 0, 0], [25_000] * 4, [45], [], *ann, *bo, *cy, *di, told]
    assert played({**opened("four.json"), "log": [hand], "sc": None}).differences == ()


def change_in(log: Any, *path: Any, to: Any) -> Any:
    """The log with one value changed."""
    changed = deepcopy(log)
    place = changed["log"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return changed


@pytest.mark.parametrize(
    ("path", "to", "hand", "what", "scored"),
    [
        ((0, -1, 1), [-8000, 9000, 0, 0], 1, "payments", [-7700, 7700, 0, 0]),
        ((0, -1, 2, 5), "三色同順(2飜)", 1, "yaku", {"tanyao": 1}),
        ((1, -1, 2, 3), "50符2飜1600点∀", 2, "fu", 40),
        ((2, 0), [1, 2, 0], 2, "table", {"counters": 1}),
        ((4, 0), [2, 3, 0], 4, "table", {"riichi_sticks": 1}),
    ],
)
def test_what_differs_is_listed(path: tuple[Any, ...], to: Any, hand: int, what: str, scored: Any) -> None:
    found = played(change_in(opened("four.json"), *path, to=to)).differences
    assert [(one.hand, one.what, one.scored) for one in found][:1] == [(hand, what, scored)]


def test_tiles_that_may_not_win_are_counted_as_logged() -> None:
    made = played(change_in(opened("four.json"), 0, 7, 0, to=19))  # 9m3m in place of 2m3m
    [refused] = made.differences
    assert (refused.hand, refused.what) == (1, "tiles") and "do not make four sets" in refused.scored
    assert made.history.hands[0].payments["1"] == 7700


def test_a_game_goes_on_and_ends_as_logged() -> None:
    log = opened("four.json")
    on = played({**log, "log": [*log["log"], [[4, 0, 0], *log["log"][3][1:]]]})
    assert [(one.hand, one.what, one.scored) for one in on.differences] == [(6, "ended", "points")]
    assert len(on.history.hands) == 7
    broken_off = played({**log, "log": log["log"][:5]})
    assert [(one.hand, one.what) for one in broken_off.differences] == [(5, "ended"), (5, "final")]


def test_a_part_of_a_game() -> None:
    """Cut out of a game, so that all begin with the mean here; one whose players began with more."""
    log = opened("four.json")
    cut = played({**log, "log": log["log"][2:5], "sc": None})
    [start] = cut.differences
    assert (start.hand, start.what, start.logged, start.scored) == (1, "start", log["log"][2][1], [25_000] * 4)
    assert [[plain_amount(hand.payments[str(n)]) for n in range(4)] for hand in cut.history.hands] == OF_FOUR[2:5]
    friends = change_in({**log, "log": log["log"][:1], "sc": None}, 0, 1, to=[30_000] * 4)
    assert played(friends, "mahjongsoul").differences == ()


def test_house_rules_of_another_preset() -> None:
    log = opened("four.json")
    rounded = played({**log, "log": log["log"][:2]}, "wrc").differences[0]  # 4 han 30 fu up to a mangan
    assert (rounded.hand, rounded.what, rounded.scored) == (1, "payments", [-8000, 8000, 0, 0])
    with pytest.raises(InvalidRequest, match="Hand 5 of this log cannot be entered: By the house rules the nearest"):
        played(log, "mleague")
    with pytest.raises(InvalidRequest, match="preset of Chinese Official"):
        played(log, "mcr-2006")


XML = (LOGS / "four.xml").read_text()
BOMB = '<!DOCTYPE mjloggm [<!ENTITY a "aaaa">]><mjloggm>&a;</mjloggm>'


@pytest.mark.parametrize(
    ("log", "says"),
    [
        ({}, "hupai cannot read this log: it reads those of Tenhou mjlog, tenhou.net/6, mjai, Pantheon, Mahjong Soul"),
        ("<html></html>", "cannot read this log"),
        ({"log": [0], "name": list("ABCD")}, r"This log \(tenhou.net/6\) cannot be read"),
        ({"log": [], "name": list("ABCD")}, "This log has 4 players and 0 hands"),
        ({"data": [], "head": {"accounts": [{}] * 4}}, "This log has 4 players and 0 hands"),
        (XML[: XML.index("<INIT")] + "</mjloggm>", "This log has 4 players and 0 hands"),
        (XML[:-20], "This XML cannot be read"),
        (BOMB, "This XML cannot be read"),
        ("<html>log</html>", "hupai cannot read this log"),
        (XML.replace('seed="1,', 'seed="x,'), "Hand 2 of this log cannot be read"),
        (XML.replace('who="3" fromWho="1"', 'who="5" fromWho="1"'), "Hand 5 of this log names a player"),
        ([{"name": "RecordNewRound", "data": {"scores": [25_000] * 4}}], "Hand 1 of this log cannot be read"),
        ({"games": [], "players": []}, r"This log \(Pantheon\) cannot be read"),
    ],
)
def test_what_is_no_log_is_refused(log: object, says: str) -> None:
    with pytest.raises(InvalidRequest, match=says):
        played(log)


JSON = (LOGS / "four.json").read_text()
HANDS = [json.dumps({**json.loads(JSON), "log": [hand]}) for hand in json.loads(JSON)["log"]]
LINKS = [f"https://tenhou.net/6/#json={quote(hand)}&ts=0" for hand in HANDS]


@pytest.mark.parametrize(
    "data",
    [
        f"<!-- a log -->\r\n{XML}".encode("utf-8-sig"),
        XML.encode("utf-16"),
        JSON.encode("utf-8-sig"),
        JSON.encode("utf-16"),
        f"http://tenhou.net/6/#json={JSON}".replace("\n", "").encode(),
        "\r\n".join([*LINKS, ""]).encode(),
        "\n".join(HANDS).encode(),
        "\n".join([JSON.replace("\n", "")] * 2).encode(),
    ],
)
def test_files_and_links_as_other_programs_give_them(data: bytes) -> None:
    assert played(open_log(data, parse_json)).differences == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cannot read this log"),
        (f"var log = {HANDS[0]}", "cannot read this log"),
        ('{"type":"start_game"}\n{"type":"end_game"}', "This log has 4 players and 0 hands"),
        ("https://tenhou.net/0/?log=2026112805gm-0009-0000-4f6a1b2c", "a link to a log, and hupai fetches nothing"),
        (f"{LINKS[0]}\nhttps://tenhou.net/6/", "a link to a log, and hupai fetches nothing"),
        (LINKS[0][:-90], "The JSON is not valid"),
        (f"{HANDS[0]}\n{HANDS[1].replace('Ann', 'Eve')}", "logs of several games"),
    ],
)
def test_files_and_links_without_a_game(text: str, says: str) -> None:
    with pytest.raises(HupaiError, match=says):
        played(open_log(text.encode(), parse_json))


def test_a_room_without_chips_is_like_any_other() -> None:
    assert played(XML.replace('type="9"', f'type="{0x200 | 9}"')).differences == ()


def test_a_room_with_chips_has_rules_of_its_own_unless_its_lobby_has() -> None:
    room = XML.replace('type="9"', 'type="1545"')
    found, lobby = (
        played(open_log(text.encode(), json.loads)) for text in (room, room.replace("<GO", "<GO csrule=''", 1))
    )
    assert [(one.hand, one.what, one.scored) for one in found.differences][:1] == [(1, "payments", [-8000, 8000, 0, 0])]
    assert lobby.differences == ()


def test_packed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress((LOGS / "four.xml").read_bytes())
    assert played(open_log(packed, json.loads)).differences == ()
    for damaged in (packed[:-30], packed[:20] + b"?" + packed[21:]):
        with pytest.raises(InvalidRequest, match="cannot be opened"):
            open_log(damaged, json.loads)
    monkeypatch.setattr(read, "MAX_BYTES", 1000)
    for large in (packed, XML.encode()):
        with pytest.raises(InvalidRequest, match="larger than"):
            open_log(large, json.loads)


def test_a_dealer_may_win_on_the_deal() -> None:
    hand = ["1m", "2m", "3m", "4p", "0p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "2z"]
    won = {"zimo": True, "hand": hand, "hu_tile": "2z", "yiman": True, "count": 1, "fans": [{"id": 35, "val": 1}]}
    start = {"name": "RecordNewRound", "data": {"scores": [25_000] * 4}}
    end = {"name": "RecordHule", "data": {"hules": [won], "delta_scores": [48_000, *[-16_000] * 3]}}
    assert played({"data": [start, end]}).differences == ()


def test_a_record_with_odd_values() -> None:
    """What only the comparison with the log comes upon, or the search for who is liable."""
    text = (LOGS / "four-soul.json").read_text()
    with pytest.raises(InvalidRequest, match="Hand 1 of this log cannot be read"):
        played(json.loads(text.replace('"val":1', '"val":"1"')))
    made = played(json.loads(re.sub(r'"froms":\[[^]]*', '"froms":[', text)))
    assert made.differences[0].what == "payments", "nobody is liable"


@pytest.mark.parametrize("name", ["four.json", "four-soul.json", "four-pantheon.json", "three-soul.json"])
def test_whatever_is_wrong_is_an_error_of_ours(name: str) -> None:
    rng = random.Random(name)
    refused = 0
    for _ in range(250):
        log = opened(name)
        place: Any = log
        while True:
            at = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
            inner = place[at]
            if not isinstance(inner, dict | list) or not inner or rng.random() < 0.1:
                break
            place = inner
        place[at] = rng.choice([None, -1, 7, 10**30, 0.5, "x", "", [], {}, [[]], True])
        try:
            played(log)
        except HupaiError:
            refused += 1
    assert refused > 30


def test_a_log_becomes_a_game_of_the_server(client: httpx.Client) -> None:
    sent = client.post("/games/import", files={"game": ("log", (LOGS / "four.xml").read_bytes())})
    game = sent.json()
    assert sent.status_code == 201
    assert game["imported"] == {"source": "Tenhou", "log": "", "differences": []}
    assert [p["total"] for p in client.get(f"/games/{game['id']}").json()["players"]] == [
        48_000,
        32_700,
        -6_300,
        25_600,
    ]
    again = client.get(f"/games/{game['id']}/export.json").json()
    assert import_game({"history": again["history"]}).state.ended == "points"
    tenhou = {"game": ("log", (LOGS / "four.json").read_bytes())}
    assert client.post("/games/import", files=tenhou, data={"preset": "mahjongsoul"}).json()["options"][
        "double_yakuman"
    ]
    problem(client.post("/games/import", files=tenhou, data={"preset": "none"}), 422, "unknown_preset")


def test_a_replay_on_the_command_line() -> None:
    status, shown, _ = hupai("replay", LOGS / "four.xml", COLUMNS="80")
    assert status == 0 and "Nothing differs from the log." in shown
    assert max(map(len, shown.splitlines())) <= 80
    status, shown, _ = hupai("replay", LOGS / "three.json", "--preset", "mahjongsoul-sanma", "--json")
    answer = json.loads(shown)
    assert (status, answer["source"], answer["differences"]) == (0, "Tenhou", [])
    assert [player["total"] for player in answer["game"]["players"]] == [47_800, 30_200, 27_000]
    status, shown, _ = hupai("replay", "-", stdin=(LOGS / "three.json").read_bytes())
    assert status == 0 and shown.splitlines()[4].endswith("draw, nagashi mangan of NoName")
    status, shown, _ = hupai("replay", f"https://tenhou.net/6/#json={quote(JSON)}")
    assert status == 0 and "Nothing differs from the log." in shown
    status, _, told = hupai("replay", LOGS / "four.json", "--preset", "ema")
    assert status == 2 and "Hand 4 of this log cannot be entered" in told
    assert hupai("replay", LOGS / "none.xml")[0] == 2
