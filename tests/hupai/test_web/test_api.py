"""The operations of the API, against a real server process."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import cv2
import httpx
import pytest

from hupai.web.requests.bodies import ReadBody, ScoreBody, ScoresBody, ShantenBody, WaitsBody
from scoring.request import respond
from scoring.rules import systems
from tests.hupai.serving import Server, problem, record
from tests.hupai.three_photo import hand_of_three

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
HAND = {
    "id": 7,
    "concealed": "123m456m789p23s55p",
    "winning_tile": "4s",
    "context": {"seat": "S", "win": "discard", "from": "W"},
}
CHOWS = [{"type": "chow", "tiles": "123m"}, {"type": "chow", "tiles": "123s"}]
NO_YAKU = {**HAND, "concealed": "456p78s55z", "melds": CHOWS, "winning_tile": "9s"}
NAMES = ["Ann", "Bo", "陳大文", "O'Brien"]


def begin(client: httpx.Client, rules: str = "riichi", **more: Any) -> dict[str, Any]:
    reply = client.post("/games", json={"players": NAMES, "rules": rules, **more})
    assert reply.status_code == 201, reply.text
    game: dict[str, Any] = reply.json()
    assert reply.headers["location"] == f"/api/v1/games/{game['id']}"
    return game


def test_about(client: httpx.Client) -> None:
    told = client.get("/about").json()
    assert told["rules"] == list(systems())
    assert set(told["models"]) == {"detector", "classifier", "scene", "bonus"}
    assert (told["code_needed"], told["open"]) == (False, True)


def test_scores_are_those_of_the_core(client: httpx.Client) -> None:
    answers = []
    for rules in systems():
        for entry in json.loads((GOLDEN / f"{rules}.json").read_text(encoding="utf-8"))[:8]:
            request = {**entry["request"], "why": True}
            reply = client.post("/score", json=request)
            if reply.status_code == 200:
                answers.append(reply.json())
                assert reply.json() == json.loads(json.dumps(respond(request)))
                ScoreBody.model_validate(reply.json())
            else:
                assert respond(request)["error"]["code"] == reply.json()["code"]
    assert len(answers) >= 8 * len(systems()) * 0.8
    assert {answer["legal"] for answer in answers} == {True, False}


def test_a_request_that_makes_no_sense_names_every_fault(client: httpx.Client) -> None:
    told = problem(client.post("/score", json={**HAND, "rules": "chess", "bonus": "q", "x": 1}), 422, "unknown_field")
    assert {f["field"] for f in told["faults"]} == {"x", "rules", "bonus"}


def test_an_answer_is_in_the_language_and_the_names_asked_for(client: httpx.Client) -> None:
    asked = {"Accept-Language": "ja", "X-Hupai-Table": "rules=riichi&E=Mei+Lin"}
    hand = {**HAND, "rules": "hongkong"}
    wrong = {**hand, "bonus": "f1f1"}
    for path, body in (("score", hand), ("score/all", hand), ("score/waits", hand), ("score", wrong)):
        plain, worded = (client.post(f"/{path}", json=body, headers=headers).json() for headers in ({}, asked))
        assert plain.keys() == worded.keys() and plain != worded, path
        assert plain.get("payments") == worded.get("payments")
    first = client.get("/rules", headers=asked).json()["rules"][0]["elements"][0]
    assert not first["condition"].isascii()
    chow = {"melds": [{"type": "chow", "tiles": "123m", "from": "N"}], "context": {**hand["context"], "seat": "S"}}
    reply = client.post("/score", json={**hand, **chow}, headers=asked)
    assert "Mei Lin" in " ".join(fault["message"] for fault in reply.json()["faults"])


def test_a_hand_between_wins(client: httpx.Client) -> None:
    hand = {"rules": "riichi", "concealed": "12367m234p0578s1z"}
    told = client.post("/score/shanten", json={**hand, "seen": ["5m", "5m", "8m", *["6s"] * 4, "f1"]}).json()
    draws = [{"tile": "5m", "left": 2}, {"tile": "8m", "left": 3}, {"tile": "9s", "left": 4}]
    assert told == {"shanten": 1, "draws": draws, "discards": []}
    wild = {**hand, "rules": "hangzhou", "concealed": "12367m234p578s15z"}
    assert client.post("/score/shanten", json=wild).json() == {"shanten": None, "draws": [], "discards": []}
    told = client.post("/score/shanten", json={**wild, "context": {"indicator": "1z"}}).json()
    assert told["shanten"] == 1 and {"tile": "1z", "left": 2} in told["draws"], "the indicator lies open"
    for wrong in ({"concealed": "12367m234p0578s"}, {"concealed": 7}, {"seen": ["9z"]}, {"context": 1}):
        problem(client.post("/score/shanten", json={**hand, **wrong}), 422, "bad_value")
    assert client.post("/score/shanten", json={**hand, "options": {"players": 5}}).status_code == 422
    full = {"rules": "riichi", "concealed": "123678m234p0578s1z", "seen": ["6s"]}
    told = client.post("/score/shanten", json=full).json()
    ShantenBody.model_validate(told)
    assert (told["shanten"], told["draws"]) == (0, [])
    assert told["discards"] == [
        {"tile": "1z", "draws": [{"tile": "6s", "left": 3}, {"tile": "9s", "left": 4}], "waits": []}
    ]
    three = {"rules": "riichi", "options": {"players": 3}, "concealed": "1m13579p13579s11z"}
    drawn = {draw["tile"] for draw in client.post("/score/shanten", json=three).json()["draws"]}
    assert "2p" in drawn and not drawn & {f"{n}m" for n in range(2, 9)}, "three players have no 2m to 8m"


def test_what_the_waits_are_worth_with_and_without_riichi(client: httpx.Client) -> None:
    hand = {
        "rules": "riichi",
        "concealed": "123m567m234p23s99p",
        "context": {"seat": "S", "win": "discard", "from": "E"},
    }
    waits = client.post("/score/waits", json=hand).json()
    WaitsBody.model_validate(waits)
    worth = {one["tile"]: (one["score"]["total"]["points"], one["riichi"]["total"]["points"]) for one in waits["waits"]}
    assert worth == {"1s": (1000, 2000), "4s": (1000, 2000)}
    full = client.post("/score/shanten", json={**hand, "concealed": "123m567m234p23s99p5z"}).json()
    assert [(one["tile"], one["waits"]) for one in full["discards"]] == [("5z", waits["waits"])]

    def riichi(**changed: Any) -> list[Any]:
        asked = {**hand, **changed}
        return [one["riichi"] for one in client.post("/score/waits", json=asked).json()["waits"]]

    assert riichi(context={**hand["context"], "riichi": True}) == [None, None], "it is declared"
    claimed = [{"type": "chow", "tiles": "234p", "from": "E"}]
    assert riichi(concealed="123m567m23s99p", melds=claimed) == [None, None], "the hand is open"
    assert riichi(rules="zungjung") == [None, None], "others have none"


def test_the_same_hand_under_every_system(client: httpx.Client) -> None:
    hand = {**HAND, "concealed": "123m406p789p23s55s", "bonus": "f1", "rules": "riichi", "options": {"kiriage": True}}
    scores = client.post("/score/all", json=hand).json()["scores"]
    ScoresBody.model_validate({"scores": scores})
    assert [s["rules"] for s in scores] == list(systems())
    by_rules = {s["rules"]: s for s in scores}
    assert by_rules["riichi"]["set_aside"] == ["f1 is not used"]
    assert by_rules["hongkong"]["set_aside"] == ["0p counts as a plain five"]
    assert by_rules["hongkong"]["legal"]
    assert by_rules["zungjung"]["set_aside"] == ["f1 is not used", "0p counts as a plain five"]


def test_options_for_all_systems(client: httpx.Client) -> None:
    ask = {**HAND, "options_by_rules": {"hk": {"unit": 5}, "riichi": {"min_han": 4}}}
    by_rules = {s["rules"]: s for s in client.post("/score/all", json=ask).json()["scores"]}
    plain = {s["rules"]: s for s in client.post("/score/all", json=HAND).json()["scores"]}
    assert by_rules["hongkong"]["payments"]["S"] == 5 * plain["hongkong"]["payments"]["S"]
    assert by_rules["riichi"]["reason"]["code"] == "below_minimum"
    problem(client.post("/score/all", json={**HAND, "options_by_rules": {"chess": {}}}), 422, "unknown_rules")
    problem(client.post("/score/all", json={**HAND, "options_by_rules": [1]}), 422, "bad_value")
    refused = client.post("/score/all", json={**HAND, "rules": "hk", "options": {"tabel": 1}}).json()["scores"][0]
    assert refused["error"]["code"] == "unknown_option"


def test_rules_tell_all_a_page_needs(client: httpx.Client) -> None:
    listed = client.get("/rules").json()["rules"]
    assert [r["id"] for r in listed] == list(systems())
    for told, system in zip(listed, systems().values(), strict=True):
        assert [o["name"] for o in told["options"]] == [o.name for o in system.options]
        assert [a["name"] for a in told["asks"]] == list(system.asks)
        assert [e["id"] for e in told["elements"]] == [e.id for e in system.elements]
        # Defaults, sent back as options, change nothing.
        options = {o["name"]: o["default"] for o in told["options"]}
        ask = {**HAND, "rules": system.id, "options": options}
        told_back, plain = client.post("/score", json=ask), client.post("/score", json={**ask, "options": {}})
        assert told_back.json() == plain.json()
        assert client.get(f"/rules/{system.native}").json() == told
    problem(client.get("/rules/chess"), 404, "not_found")


def test_reading_a_photo(client: httpx.Client, photo: bytes) -> None:
    reply = client.post("/read", files={"photo": ("C:\\pics\\hand.jpg", photo)}, data={"rules": "riichi"})
    assert reply.status_code == 200, reply.text
    body = reply.json()
    ReadBody.model_validate(body)
    assert body["image"] == "hand.jpg"
    assert len(body["tiles"]) >= 14
    assert body["set"] is None
    assert "photo_id" not in body


def test_a_photo_is_read_by_the_house_rules_of_three_players(client: httpx.Client) -> None:
    picture = cv2.imencode(".jpg", hand_of_three()[..., ::-1])[1].tobytes()
    told = []
    for options in ("{}", '{"players": 3}', '{"players": 3, "kita": false}'):
        reply = client.post("/read", files={"photo": ("a.jpg", picture)}, data={"rules": "riichi", "options": options})
        assert reply.status_code == 200, reply.text
        told.append(reply.json()["hand"]["bonus"])
    assert told == [[], ["4z"] * 3, []]
    for options, status, code in (
        ("[3]", 422, "bad_value"),
        ("{", 400, "bad_json"),
        ('{"players": 5}', 422, "bad_option"),
    ):
        how = {"rules": "riichi", "options": options}
        problem(client.post("/read", files={"photo": ("a.jpg", picture)}, data=how), status, code)


def test_presets(client: httpx.Client) -> None:
    body = {"name": "  Zu Hause ", "rules": "hk", "options": {"table": "canton"}}
    saved = client.post("/presets", json=body)
    assert (saved.status_code, saved.json()["name"], saved.json()["rules"]) == (201, "Zu Hause", "hongkong")
    assert client.post("/presets", json={**body, "options": {}}).status_code == 200
    kept = {preset["name"]: preset["options"] for preset in client.get("/presets").json()["presets"]}
    assert kept["Zu Hause"] == {}
    for wrong, code in (
        ({"options": {"tabel": 1}}, "unknown_option"),
        ({"rules": "chess"}, "unknown_rules"),
        ({"name": "<b>"}, "bad_name"),
    ):
        problem(client.post("/presets", json={**body, **wrong}), 422, code)
    assert client.delete("/presets/zu hause").status_code == 204
    problem(client.delete("/presets/zu hause"), 404, "not_found")
    assert client.post("/presets", json={**body, "name": "Bar/Küche"}).status_code == 201
    assert client.delete("/presets/Bar%2FK%C3%BCche").status_code == 204


def test_house_rules_are_handed_on_by_address_and_code(client: httpx.Client) -> None:
    house = {"options": '{"kiriage": true}', "name": "Friday"}
    url = client.get("/rules/riichi/link", params=house).json()["url"]
    assert url.endswith("#house=riichi&options=%7B%22kiriage%22%3Atrue%7D&name=Friday")
    assert client.get("/rules/riichi/link.svg", params=house).text.startswith("<?xml")
    assert client.get("/rules/riichi/link", params={"preset": "ema"}).json()["url"].endswith("#house=riichi&preset=ema")


@pytest.mark.parametrize(
    ("rules", "house", "status"),
    [
        ("nobody", {}, 404),
        ("riichi", {"options": "[" * 1500}, 422),
        ("riichi", {"options": "1" * 1500}, 422),
        ("riichi", {"options": "\ud800"}, 422),
        ("riichi", {"options": '{"kiriage": 7}'}, 422),
        ("riichi", {"preset": "mcr-2006"}, 422),
        ("riichi", {"name": "<b>"}, 422),
    ],
)
def test_house_rules_that_nobody_has_are_not_handed_on(
    client: httpx.Client, rules: str, house: dict[str, str], status: int
) -> None:
    query = urlencode(house, errors="surrogatepass")
    for kind in ("link", "link.svg"):
        assert client.get(f"/rules/{rules}/{kind}?{query}").status_code == status


def test_a_game_from_first_hand_to_export(client: httpx.Client) -> None:
    game = begin(client, starting_points=25000, name="Friday")
    here = f"/games/{game['id']}"
    assert game["context"] == {"round": "E", "counters": 0, "riichi_sticks": 0}
    win = {
        "outcome": "win",
        "seen": {"revision": 0},
        "wins": [{**HAND, "context": {**HAND["context"], "riichi": True}}],
        "models": {"classifier": "ab"},
    }
    expected = {"E": 0, "S": 2000, "W": -2000, "N": 0, "pot": 0}
    first = client.post(f"{here}/hands", json={**win, "expected_payments": expected}, headers={"Idempotency-Key": "1"})
    assert first.status_code == 201, first.text
    again = client.post(f"{here}/hands", json={**win, "expected_payments": expected}, headers={"Idempotency-Key": "1"})
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    assert first.json()["hand"]["models"] == {"classifier": "ab"}
    problem(client.post(f"{here}/hands", json=win, headers={"Idempotency-Key": "1"}), 409, "conflict")
    wrong = {**win, "expected_payments": {"S": 1000, "W": -1000}}
    problem(record(client, game["id"], wrong), 409, "payments_differ")
    record(client, game["id"], {"outcome": "draw", "ready": ["E", "S"], "riichi": ["E"]}).raise_for_status()
    bet = [{"from": "W", "to": "E", "amount": "0.5", "why": "bet"}]
    record(client, game["id"], {"outcome": "payment", "transfers": bet}).raise_for_status()
    state = client.get(here).json()
    assert [h["outcome"] for h in state["hands"]] == ["win", "draw", "payment"]
    # S won 2000 of W; the new E (before: S) and S (before: W) are ready and win 1500 each, E lays a stick; W bets.
    assert [p["total"] for p in state["players"]] == [23500, "27500.5", 24500, "23499.5"]
    assert sum(float(p["total"]) for p in state["players"]) + state["pot"] == 100000
    assert client.get(here, params={"last": 1}).json()["hands"] == state["hands"][-1:]
    undo = {"hand": 3, "by": "Bo", "seen": {"revision": 3}}
    undone = client.post(f"{here}/undo", json=undo)
    assert undone.json()["hands"][2]["undone_at"]
    assert client.post(f"{here}/undo", json=undo).json() == undone.json()
    (change,) = client.get(f"{here}/changes", params={"after": 3}).json()["changes"]
    assert (change["kind"], change["by"]) == ("undone", "Bo")
    now = {"seen": {"revision": 4}}
    problem(client.post(f"{here}/undo"), 422, "seen_needed")
    problem(client.post(f"{here}/undo", json={"hand": 1, **now}), 409, "conflict")
    problem(client.post(f"{here}/undo", json={"hand": 99, **now}), 404, "not_found")
    problem(client.get(f"{here}/hands/99"), 404, "not_found")
    hand = client.get(f"{here}/hands/1").json()
    assert hand == first.json()["hand"]
    assert hand["scores"][0]["total"]["points"] == 2000
    assert hand["request"]["scored"][0]["context"]["counters"] == 0
    exported = client.get(f"{here}/export.json")
    assert exported.headers["content-disposition"] == f'attachment; filename="hupai-{game["id"]}.json"'
    document = exported.json()
    assert document["format"] == 1
    assert document["exported_by"].startswith("hupai ")
    assert [h["number"] for h in document["hands"]] == [1, 2, 3]
    assert document["hands"][0]["scores"] == hand["scores"]
    listed = client.get("/games").json()["games"]
    assert next(g for g in listed if g["id"] == game["id"])["hands"] == 2
    problem(client.delete(here), 422, "seen_needed")
    problem(client.delete(here, params={"revision": 3}), 409, "game_moved_on")
    assert client.delete(here, params={"revision": 4}).status_code == 204
    problem(client.get(here), 404, "not_found")


def test_the_spreadsheet(client: httpx.Client) -> None:
    names = ["=HYPERLINK(1)", "陳", 'a "b", c', "@d"]
    reply = client.post("/games", json={"players": names, "rules": "singapore"})
    here = f"/games/{reply.json()['id']}"
    for amount in ("0.5", 2):
        bet = [{"from": "E", "to": "S", "amount": amount, "why": "bet"}]
        record(client, reply.json()["id"], {"outcome": "payment", "transfers": bet}).raise_for_status()
    reply = client.get(f"{here}/export.csv")
    assert reply.content.startswith("\ufeff".encode()), "spreadsheets need the mark to see UTF-8"
    rows = list(csv.DictReader(io.StringIO(reply.content.decode("utf-8-sig"))))
    assert list(rows[0])[10:14] == ["'=HYPERLINK(1)", "陳", 'a "b", c', "'@d"]
    assert [r["陳"] for r in rows] == ["0.5", "2"]
    assert [r["陳 (total)"] for r in rows] == ["0.5", "2.5"]


def test_a_game_of_three(client: httpx.Client) -> None:
    more = {"options": {"players": 3}, "starting_points": 35_000, "course": {"uma": [20_000, 0, -20_000]}}
    game = client.post("/games", json={"players": NAMES[:3], "rules": "riichi", **more}).json()
    assert game["seats"] == {"E": 0, "S": 1, "W": 2}
    assert [s["uma"] for s in game["settlement"]] == [20_000, 0, -20_000]  # equal totals by turn
    win = {"concealed": "123p456p789p23s55p", "winning_tile": "4s", "bonus": "4z"}
    win |= {"context": {"seat": "S", "win": "self_draw", "riichi": True}}
    seen = {"players": dict(zip("ESW", NAMES, strict=False))}
    told = record(client, game["id"], {"outcome": "win", "wins": [win], "seen": seen}).json()
    assert told["hand"]["payments"] == [-6000, 9000, -3000]  # six han: haneman without north's share
    assert [p["total"] for p in told["game"]["players"]] == [29_000, 44_000, 32_000]
    assert told["game"]["seats"] == {"E": 1, "S": 2, "W": 0}
    seen["players"]["N"] = "Dee"
    problem(client.post(f"/games/{game['id']}/hands", json={"outcome": "draw", "seen": seen}), 422, "bad_value")
    mended = {"by": "Ann", "outcome": "draw", "ready": ["W"], "seen": {"revision": told["game"]["revision"]}}
    again = client.put(f"/games/{game['id']}/hands/1", json=mended)
    assert again.json()["game"]["players"][2]["total"] == 37_000
    rows = list(csv.DictReader(io.StringIO(client.get(f"/games/{game['id']}/export.csv").text)))
    assert [r["陳大文 (total)"] for r in rows] == ["37000"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": ["a", "b", "c", "d", "e"]}, "bad_value"),
        ({"players": ["a", "a", "c", "d"]}, "bad_name"),
        ({"players": ["a", "b", "c", 4]}, "bad_value"),
        ({"players": NAMES[:3]}, "bad_value"),
        ({"options": {"players": 3}}, "bad_value"),
        ({"players": NAMES[:3], "options": {"players": 3}, "start": {"dealer": 3}}, "bad_value"),
        ({"players": NAMES[:3], "options": {"players": 3}, "course": {"uma": [1, 0, 0, -1]}}, "bad_option"),
        ({"rules": "chess"}, "unknown_rules"),
        ({"options": {"nope": 1}}, "unknown_option"),
        ({"start": {"dealer": 4}}, "bad_value"),
        ({"start": {"riichi_sticks": 1}, "rules": "hongkong"}, "contradiction"),
        ({"starting_points": "1e400"}, "bad_value"),
        ({"starting_points": True}, "bad_value"),
        ({"starting_points": "NaN"}, "bad_value"),
        ({"rotation": "sideways"}, "bad_value"),
        ({"extra": 1}, "unknown_field"),
        ({"name": "x" * 41}, "bad_name"),
    ],
)
def test_games_that_cannot_begin(client: httpx.Client, change: dict[str, Any], code: str) -> None:
    problem(client.post("/games", json={"players": NAMES, "rules": "riichi", **change}), 422, code)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "missing"),
        ({"outcome": "flood"}, "bad_value"),
        ({"outcome": "win", "wins": [{}]}, "bad_value"),
        ({"outcome": "win", "wins": [HAND] * 4}, "bad_value"),
        ({"outcome": "win", "wins": [NO_YAKU]}, "no_yaku"),
        ({"outcome": "draw", "ready": ["X"]}, "bad_value"),
        ({"outcome": "payment", "transfers": [{"from": "E", "to": "E", "amount": 1}]}, "bad_value"),
        ({"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": -1}]}, "bad_value"),
        ({"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 1, "why": "\u0000"}]}, "bad_name"),
        ({"outcome": "draw", "next": {"riichi_sticks": 3}}, "unknown_field"),
        ({"outcome": "draw", "models": {"a": "x" * 100}}, "bad_value"),
        ({"outcome": "instant", "seat": "E", "event": "x"}, "no_instant"),
    ],
)
def test_hands_that_cannot_be_recorded(client: httpx.Client, body: dict[str, Any], code: str) -> None:
    game = begin(client)
    told = problem(record(client, game["id"], body), 422, code)
    assert told["faults"]
    assert client.get(f"/games/{game['id']}").json()["hands"] == []


def test_a_correction_is_kept_with_what_it_was_made_of(client: httpx.Client, server: Server, photo: bytes) -> None:
    read = client.post("/read", files={"photo": ("a.jpg", photo)}, data={"keep": "true"}).json()
    labels = [{"label": t["tile"], "corners": t["corners"]} for t in read["tiles"]]
    labels[0] = {**labels[0], "label": "back", "sure": False}
    form = {"consent": (None, "true"), "photo_id": (None, read["photo_id"])}
    form["annotation"] = (None, json.dumps({"tiles": labels, "rules": "riichi"}))
    reply = client.post("/corrections", files=form)
    assert reply.status_code == 201, reply.text
    kept = reply.json()
    folder = server.data_folder / "samples"
    document = json.loads((folder / kept["annotation"]).read_text(encoding="utf-8"))
    assert document["tiles"][0]["state"] == "face_down"
    face_up = {"state": "face_up", "visible": 1.0, "row": None, "sure": True}
    shown = next(i for i, one in enumerate(labels) if one["label"] != "back")
    assert document["tiles"][shown] == {**labels[shown], **face_up}
    told = {"width": read["width"], "height": read["height"], "models": read["models"], "read": read["tiles"]}
    assert document.items() >= {**told, "rules": "riichi", "consent": True}.items()
    assert kept["id"] in [c["id"] for c in client.get("/corrections").json()["corrections"]]
    assert client.delete(f"/corrections/{kept['id']}").status_code == 204
    assert not (folder / kept["image"]).exists()
    assert not (folder / kept["annotation"]).exists()
    problem(client.delete(f"/corrections/{kept['id']}"), 404, "not_found")


BOX = [[10, 10], [50, 10], [50, 60], [10, 60]]


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"consent": "false"}, 422, "consent_needed"),
        ({"consent": None}, 422, "consent_needed"),
        ({"consent": "yes"}, 422, "bad_value"),
        ({"annotation": None}, 422, "missing"),
        ({"annotation": "{"}, 400, "bad_json"),
        ({"annotation": "[" * 5000}, 400, "bad_json"),
        ({"annotation": '{"tiles": [{"label": "9z", "corners": [[0,0],[1,0],[1,1],[0,1]]}]}'}, 422, "bad_value"),
        ({"annotation": '{"tiles": [{"label": "1m", "corners": [[0,0],[1,0],[1,1]]}]}'}, 422, "bad_value"),
        ({"annotation": '{"tiles": [{"label": "1m", "corners": [["0",0],[1,0],[1,1],[0,1]]}]}'}, 422, "bad_value"),
        ({"annotation": "[]"}, 422, "bad_value"),
        ({"annotation": '{"tiles": [], "tile": []}'}, 422, "unknown_field"),
        ({"annotation": '{"tiles": [{"label": "1m", "corners": [[0,0],[99999,0],[1,1],[0,1]]}]}'}, 422, "bad_value"),
        ({"annotation": '{"tiles": [], "rules": "chess"}'}, 422, "unknown_rules"),
        ({"photo_id": "nothing"}, 422, "missing"),
        ({"photo": None, "photo_id": "nothing"}, 404, "photo_gone"),
        ({"photo": None}, 422, "missing"),
        ({"other": "x"}, 422, "unknown_field"),
    ],
)
def test_corrections_that_are_not_kept(
    client: httpx.Client, photo: bytes, form: dict[str, str | None], status: int, code: str
) -> None:
    good: dict[str, Any] = {
        "consent": "true",
        "annotation": json.dumps({"tiles": [{"label": "1m", "corners": BOX}]}),
        "photo": ("a.jpg", photo),
    }
    sent = {k: v if isinstance(v, tuple) else (None, v) for k, v in {**good, **form}.items() if v is not None}
    problem(client.post("/corrections", files=sent), status, code)


@pytest.mark.parametrize(("numbers", "code"), [("0,x", "bad_value"), ("-1", "bad_value"), ("7", "bad_tile")])
def test_what_was_set_aside_is_named_by_its_number(client: httpx.Client, photo: bytes, numbers: str, code: str) -> None:
    sent = {"photo": ("a.jpg", photo), "aside": (None, numbers)}
    assert problem(client.post("/read", files=sent), 422, code)["field"] == "aside"
    assert client.post("/read", files={**sent, "aside": (None, "all")}).json()["aside"] == []


@pytest.mark.parametrize(
    ("labels", "code", "field"),
    [
        ('[[{"label": "1m"}]]', "missing", "labels[0][0].corners"),
        ('[[{"label": "1m", "corners": 3}]]', "bad_value", "labels[0][0].corners"),
        ("[[], []]", "bad_value", "labels"),
    ],
)
def test_labels_that_teach_no_set_name_the_place(
    client: httpx.Client, photo: bytes, labels: str, code: str, field: str
) -> None:
    sent = {"photo": ("a.jpg", photo), "name": (None, "n"), "labels": (None, labels)}
    assert problem(client.post("/sets", files=sent), 422, code)["field"] == field


@pytest.mark.parametrize(
    ("path", "form", "field"),
    [
        ("/read", {"options": "{"}, "options"),
        ("/corrections", {"consent": "true", "annotation": "[[1]"}, "annotation"),
        ("/sets", {"name": "n", "labels": '{"a": 1, "a": 2}'}, "labels"),
    ],
)
def test_broken_json_in_a_form_names_its_field(
    client: httpx.Client, photo: bytes, path: str, form: dict[str, str], field: str
) -> None:
    sent = {"photo": ("a.jpg", photo), **{name: (None, text) for name, text in form.items()}}
    refused = problem(client.post(path, files=sent), 400, "bad_json")
    assert refused["field"] == field
    assert refused["detail"].startswith(f"{field}: The JSON ")


def test_health(server: Server, client: httpx.Client) -> None:
    client.post("/score", json=HAND)
    with httpx.Client(base_url=server.url) as top:
        assert top.get("/healthz").json() == {"status": "ok"}
        for probe in ("/healthz", "/readyz"):
            asked = top.head(probe)
            assert (asked.status_code, asked.content) == (200, b"")
            assert top.post(probe).headers["allow"] == "GET, HEAD"
        assert top.get("/readyz").json() == {"ready": True, "troubles": []}
        text = top.get("/metrics").text
    assert "hupai_photos_waiting 0.0" in text
    assert 'handler="/api/v1/score"' in text


def test_the_description_has_every_operation_documented(client: httpx.Client) -> None:
    description = client.get("/openapi.json").json()
    ids = [op["operationId"] for path in description["paths"].values() for op in path.values()]
    assert len(ids) == len(set(ids))
    for path in description["paths"].values():
        for operation in path.values():
            assert operation["summary"]
            for status, reply in operation["responses"].items():
                if status[0] in "45":
                    assert list(reply["content"]) == ["application/problem+json"], operation["operationId"]


@pytest.mark.parametrize("path", ["/nothing", "/games/x/y/z", "/../../etc/passwd"])
def test_nothing_there(client: httpx.Client, path: str) -> None:
    problem(client.get(path), 404, "not_found")
    problem(client.post(path), 404, "not_found")


def test_wrong_methods(client: httpx.Client) -> None:
    problem(client.put("/score", json={}), 405, "method_not_allowed")
    for method, path, takes in (
        ("GET", "/score", "POST"),
        ("HEAD", "/about", "GET"),
        ("PATCH", "/games", "GET, POST"),
        ("POST", str(client.base_url.copy_with(path="/index.html")), "GET, HEAD"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, takes), f"{method} {path}"
