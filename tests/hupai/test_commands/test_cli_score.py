"""The score command without a camera: typed hands, request files, refusals, exit statuses."""

import json

import pytest

from tests.hupai.in_process import answer, hupai

pytestmark = pytest.mark.slow

HAND = ["--hand", "123m456m345p78s22p", "--winning", "9s"]
WON = ["--seat", "S", "--win", "discard", "--from", "E"]


def test_json_prints_nothing_else():
    response = answer("score", *HAND, *WON)
    assert response["payments"] == {"E": -32, "S": 48, "W": -8, "N": -8, "pot": 0}
    assert response["total"]["value"] == 3


def test_unknown_discarder_gives_payments_for_each():
    response = answer("score", *HAND, "--seat", "S", "--win", "discard")
    assert response["payments"] is None
    assert response["payments_if_from"]["E"]["S"] == 48
    assert response["payments_if_from"]["W"]["S"] == 40


def test_every_fault_is_named_at_once():
    status, out, err = hupai("score", "--hand", "11111m", "--winning", "9s", "--rules", "nowhere", "--json")
    assert status == 2
    assert json.loads(out)["version"]
    faults = " ".join(json.loads(out)["error"]["faults"])
    for part in ("nowhere", "5 of 1m", "has 13 concealed, not 5", "--seat", "--win"):
        assert part in faults
    assert "nowhere" in err
    for part in ("5 things are wrong", "  - Who won? Give --seat E", "  - How was it won? Give --win"):
        assert part in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([*HAND, *WON, "--option", "table=gold"], "traditional, 4-6-8"),
        ([*HAND, *WON, "--option", "colour=red"], "no option 'colour'"),
        ([*HAND, *WON, "--rules", "riichi", "--liable", "W"], "daisangen, daisuushii, suukantsu; it is missing"),
        ([*HAND, *WON, "--rules", "hangzhou", "--option", "remaining={E:1}"], "--option 'remaining={\"E\": 12}'."),
        ([*HAND, *WON, "--option", "remaining=" + '{"E":' * 9999], "isn't a JSON object"),
        ([*HAND, *WON, "--option", "values=animal=2", "--option", "values=all_green=4"], "values is given twice"),
        ([*HAND, *WON, "--option", 'table={"E": 1}'], "not {'E': 1}"),
        (["--hand", "123m456m345p789s22p", "--winning", "9s", *WON], "winning tile 9s. Leave it out."),
        ([], "Give one of"),
        ([*HAND, "--jsonl", "-"], "Give one of"),
        (["--jsonl", "/nowhere/hands.jsonl"], "cannot be read"),
    ],
)
def test_wrong_usage_exits_2_and_says_why(arguments, says):
    status, _, err = hupai("score", *arguments)
    assert status == 2
    assert says in err


def test_melds_bonus_and_house_rules_reach_the_score():
    arguments = ["--hand", "9s", "--winning", "9s", "--seat", "S", "--win", "self_draw", "--bonus", "f1", "--json"]
    for meld in ("123s", "345s@E", "pung:777s@W", "456s"):
        arguments += ["--meld", meld]
    status, out, _ = hupai("score", *arguments, "--liable", "W:twelve_piece", "--option", "unit=0.5")
    assert status == 0, out
    response = json.loads(out)
    assert [e["id"] for e in response["elements"]] == ["all_one_suit", "self_pick"]
    assert response["payments"] == {"E": 0, "S": 128, "W": -128, "N": 0, "pot": 0}


TSUMO = ["--seat", "S", "--win", "self_draw"]


@pytest.mark.parametrize(("chips", "paid"), [('{"E": 1}', "1"), ('{"E":0.5, "W":7}', "0.5"), (" {} ", "2")])
def test_a_house_rule_by_seat_is_written_as_json(chips, paid):
    tiles = ["--hand", "123m456p789p55m67m", "--winning", "8m", "--rules", "hangzhou", "--indicator", "4s"]
    assert str(answer("score", *tiles, *TSUMO, "--option", f"remaining={chips}")["payments"]["E"]) == f"-{paid}"


def test_flowers_alone_are_a_typed_hand():
    flowers = ["--rules", "singapore", "--flower-win", "--bonus", "f1 f2 f3 f4 g1 g2 g3 g4"]
    told = answer("score", *flowers, *TSUMO)
    assert "flower_win" in {e["id"] for e in told["elements"]}
    assert hupai("score", *flowers, *TSUMO)[0] == 0
    for part in (flowers[:3], [*flowers[:2], *flowers[3:]]):
        status, _, err = hupai("score", *part, *TSUMO)
        assert status == 2
        assert "Give one of" in err


def test_a_hand_that_may_not_win_is_an_answer_with_a_status_of_its_own():
    status, out, err = hupai("score", "--hand", "123m456m345p79s22p", "--winning", "9s", *WON, "--json")
    assert (status, json.loads(out)["reason"]["code"], err) == (1, "not_a_winning_hand", "")


def request(**changes):
    base = {"id": 1, "rules": "hongkong", "concealed": "123m456m345p78s22p", "winning_tile": "9s"}
    return {**base, "context": {"seat": "S", "win": "discard", "from": "E"}, **changes}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_jsonl_as_powershell_writes_it(encoding, tmp_path):
    asked = [request(id=1), request(id=2, winning_tile="九条")]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\r\n" for one in asked).encode(encoding)
    (tmp_path / "hands.jsonl").write_bytes(lines)
    for source, stdin in (("-", lines), (tmp_path / "hands.jsonl", b"")):
        status, out, _ = hupai("score", "--jsonl", source, stdin=stdin)
        found = [json.loads(line) for line in out.splitlines()]
        assert (status, [one["id"] for one in found], found[1]["legal"]) == (0, [1, 2], True)


def test_jsonl_answers_every_line_in_order():
    lines = [
        json.dumps(request(id="a")),
        "{broken",
        json.dumps(request(id="b", winning_tile="9x")),
        "",
        "[" * 100_000,
        '{"id": NaN}',
        '{"id": 1, "id": 2}',
        json.dumps(request(id="\ud800")),
        json.dumps(request(id="c", options={"min_faan": 1}, context={"seat": "S", "win": "self_draw"})),
        '"' + "x" * (1 << 20) + '"',
        json.dumps(request(id="last")),
    ]
    status, out, err = hupai("score", "--jsonl", "-", stdin="\n".join(lines).encode())
    assert status == 1
    answers = [json.loads(line) for line in out.splitlines()]
    assert all(a["version"] for a in answers)
    assert [a["id"] for a in answers] == ["a", None, "b", None, None, None, "\ud800", "c", None, "last"]
    assert [("error" in a) for a in answers] == [False, True, True, True, True, True, False, False, True, False]
    assert [a.get("options") for a in answers if "error" not in a] == [{}, {}, {"min_faan": 1}, {}]
    assert "6 of 11 lines" in err


def test_rules_lists_and_describes():
    status, out, _ = hupai("rules")
    assert status == 0 and "hongkong" in out
    status, out, _ = hupai("rules", "HK")
    assert status == 0 and "min_faan" in out and "平糊" in out
    status, out, _ = hupai("rules", "hongkong", "--json")
    described = json.loads(out)
    assert described["version"] and described["unit"] == "faan" and len(described["elements"]) == 34
    status, _, err = hupai("rules", "bridge")
    assert status == 2 and "hongkong" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "nowhere"],
        ["score", "--jsonl", "/nowhere/hands.jsonl"],
        ["labels", "compare", "/nowhere/a", "/nowhere/b"],
        ["label", "/nowhere", "--out", "/nowhere/labels"],
    ],
)
def test_a_refusal_before_any_work_is_an_object_too(arguments):
    status, out, err = hupai(*arguments, "--json")
    assert status == 2
    told = json.loads(out)
    assert told["version"]
    assert told["error"]["code"] != "error"
    assert err.startswith("hupai: ")


def test_a_preset_brings_rules_and_house_rules():
    tiles = ["--hand", "234m567m234p67s55p", "--winning", "8s", *WON, "--riichi", "--dora", "6s"]
    assert answer("score", *tiles, "--preset", "WRC")["total"]["points"] == 8000
    status, out, _ = hupai("score", *tiles, "--preset", "wrc", "--option", "kiriage=off", "--json")
    assert json.loads(out)["total"]["points"] == 7700
    status, _, err = hupai("score", *tiles, "--preset", "wrc", "--rules", "hk")
    assert status == 2
    assert "wrc is a preset of Riichi" in err
    assert hupai("score", *tiles, "--preset", "none")[0] == 2


def test_every_score_says_what_was_not_counted():
    tiles = ["--hand", "111m333p555s77s99p", "--winning", "9p", "--seat", "S", "--win", "self_draw"]
    _, out, _ = hupai("score", *tiles)
    assert "Not counted: All in Triplets 對對糊" in out
    assert "table=canton" not in out
    _, out, _ = hupai("score", *tiles, "--why")
    assert "with table=canton: +1536 (2048)" in out
    _, out, _ = hupai("score", *tiles, "--why", "--json")
    assert {e["id"] for e in json.loads(out)["why"]["not_counted"]} == {"all_triplets", "concealed_hand"}
    _, out, _ = hupai("score", "--hand", "123m456m345p78s22p", "--winning", "9s", *WON)
    assert "1 more faan: the winner gets 96 instead of 48." in out
