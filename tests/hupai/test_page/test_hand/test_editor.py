"""Mending a hand: change, add, remove, regroup, winning tile, bonus tiles, indicators; typing one in."""

from __future__ import annotations

import json
from typing import Any

from PIL import Image

from scripts.browser.phone import EXAMPLES, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring


def test_typing_a_whole_hand(phone: Phone) -> None:
    phone.type_in("9m 1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 5m")
    assert " ".join(phone.codes()) == "1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m", "typed tiles sort themselves"
    assert phone.codes("winning") == ["5m"], "the fourteenth tile is the winning one"
    phone.answer(seat="S", win="self_draw")
    answer = phone.score()["answer"]
    assert "nine_gates" in {e["id"] for e in answer["elements"]}


def test_taking_back_while_typing(phone: Phone) -> None:
    phone.press("type", "tab-z")
    for code in ("5z", "6z", "7z"):
        phone.key(f"key-{code}").click()
    phone.key("add-undo").click()
    assert phone.codes() == ["5z", "6z"]


def test_back_closes_the_sheet_and_leaves_the_screen_where_none_is_open(phone: Phone) -> None:
    phone.go("game")
    phone.go("hand")
    phone.lay("1m 2m 3m 4m 5z 5z 5z 7p 8p 9p 2s 3s 4s 4m")
    for _ in range(2):
        phone.tile("concealed", 10).click()
        phone.at("dialog").wait_for()
        phone.page.go_back()
        phone.closed()
    for _ in range(2):  # what was closed otherwise takes no Back of its own
        phone.tile("concealed", 10).click()
        phone.escape()
    assert phone.at(".at-hand").count() == 1 and len(phone.codes()) == 13
    phone.page.go_back()
    phone.page.wait_for_selector(".at-game")


def test_back_closes_sheets_one_by_one(phone: Phone) -> None:
    phone.page.evaluate(
        """async () => {
          const { openSheet } = await part('js/controls/sheet.js');
          for (const name of ['lower', 'upper']) openSheet(name, () => name);
        }"""
    )
    for left in (["lower"], []):
        phone.page.go_back()
        phone.until(lambda left=left: phone.at("dialog h2").all_inner_texts() == left)
    assert phone.at(".at-hand").count() == 1


def test_melds_from_the_tiles_there_are(phone: Phone) -> None:
    phone.lay("1m 2m 3m 4m 5z 5z 5z 7p 8p 9p 2s 3s 4s 4m")
    phone.tile("concealed", 10).click()  # a white dragon, after suits sorted before it
    phone.at(".meld-choice").click()  # there is one
    phone.closed()
    hand = phone.hand()
    assert [t["code"] for t in hand["melds"][0]["tiles"]] == ["5z", "5z", "5z"]
    assert len(hand["concealed"]) == 10
    # From whom, and from pung to kong: the fourth tile comes with it.
    phone.at(".meld-name").click()
    phone.choose("meld-type", "kong_added")
    phone.choose("meld-from", "W")
    phone.at("dialog .main").click()
    phone.closed()
    meld = phone.hand()["melds"][0]
    assert (meld["type"], meld["from"], len(meld["tiles"])) == ("kong_added", "W", 4)
    # Broken up, everything lies in the hand again.
    phone.at(".meld-name").click()
    phone.page.get_by_role("button", name="Break up").click()
    phone.closed()
    assert phone.hand()["melds"] == []
    assert len(phone.codes()) == 14


def test_a_fourth_kong_that_wins_at_once_needs_no_winning_tile(ring: Ring, server: Server) -> None:
    house = {"fourth_kong_wins": True, "values": {"four_kongs": 8}}
    settings = json.dumps({"rules": "taiwanese", "options": {"taiwanese": house}})
    kept = [{"origin": server.url, "localStorage": [{"name": "hupai.settings", "value": settings}]}]
    phone = ring(storage_state={"cookies": [], "origins": kept})
    phone.type_in("2m 4m 7m 9m")
    for number in range(1, 5):
        phone.key("add-meld").click()
        phone.choose("new-meld-type", "kong_concealed")
        phone.close_by("tab-z", f"key-{number}z")
    phone.answer(seat="S", win="self_draw")
    assert "four_kongs" in {e["id"] for e in phone.score()["answer"]["elements"]}


def test_the_winning_tile(phone: Phone) -> None:
    phone.lay()
    old = phone.codes("winning")
    phone.tile("concealed", 0).click()
    phone.page.get_by_role("button", name="Won with this").click()
    phone.closed()
    assert phone.codes("winning") == ["1m"]
    assert old[0] in phone.codes(), "the former winning tile goes back"
    phone.tile("winning", 0).click()
    phone.page.get_by_role("button", name="Not the winning tile").click()
    phone.closed()
    assert phone.codes("winning") == []
    assert len(phone.codes()) == 14


def test_removing_and_adding(phone: Phone) -> None:
    phone.keep_notices()
    phone.lay()
    before = phone.codes()
    for put_back in ("undo", "add"):
        phone.tile("concealed", 3).click()
        phone.page.get_by_role("button", name="Remove").click()
        phone.closed()
        assert len(phone.codes()) == 12
        if put_back == "undo":  # a slip of the finger
            phone.page.get_by_role("button", name="Undo").click()
        else:
            phone.close_by("add-concealed", "tab-m", "key-4m", "add-done")
        assert phone.codes() == before


def test_bonus_tiles_find_their_place(phone: Phone) -> None:
    phone.lay()
    phone.key("add-bonus").click()
    assert phone.key("tab-m").count() == 0, "only bonus tiles can be bonus tiles"
    phone.close_by("key-f2", "add-done")
    assert phone.codes("bonus") == ["f2"]
    # A flower misread as a hand tile: changed, it moves by itself.
    phone.mend("concealed", 0, "g3")
    assert phone.codes("bonus") == ["f2", "g3"]
    assert len(phone.codes()) == 12


def test_riichi_asks_for_what_riichi_needs(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.lay()
    phone.answer(seat="W", win="self_draw")
    phone.close_by("chip-riichi", "chip-ippatsu", "add-dora", "key-9p")
    phone.close_by("add-ura", "key-1m")
    ids = {e["id"] for e in phone.score()["answer"]["elements"]}
    assert {"riichi", "ippatsu", "menzen_tsumo", "ura_dora"} <= ids
    phone.key("chip-riichi").click()
    assert phone.key("chip-ippatsu").count() == 0, "without riichi there is no ippatsu"
    assert not {"riichi", "ippatsu", "ura_dora"} & {e["id"] for e in phone.score()["answer"]["elements"]}


def test_hangzhou_takes_the_fortune_for_permanent_until_told_otherwise(phone: Phone) -> None:
    phone.use_rules("hangzhou")
    phone.lay("1m 2m 3m 4p 5p 6p 7p 8p 9p 5m 5m 6m 7m 8m")
    phone.answer(seat="S", win="self_draw")
    assert phone.score()["request"]["context"]["indicator"] == "permanent"
    phone.close_by("fact-indicator", "indicator", "tab-s", "key-4s")
    assert phone.score()["answer"]["legal"]
    # The banker's streak is a fact of the table.
    phone.key("fact-streak").click()
    phone.page.get_by_role("button", name="Dealer's extra hands: one more").click()
    assert phone.score()["request"]["context"]["streak"] == 2


def test_the_variations_of_hangzhou_are_asked_where_the_house_plays_them(phone: Phone) -> None:
    """Thirteen tiles and ten honours thrown win without a winning tile; what came after a liable discard is asked."""
    phone.go("rules")
    phone.choose("rules", "hangzhou")
    phone.at("#select-option-ten_honours").select_option(label="Ten as a Wild Eye (x2)")
    phone.switch("option-float_liability", on=True)
    phone.go("hand")
    phone.lay("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 9s")
    phone.answer(seat="S", win="self_draw")
    phone.close_by("fact-indicator", "indicator", "tab-s", "key-4s")
    assert phone.score()["state"] == "missing"
    assert phone.text(".tray .count") == "Without its winning tile"
    phone.key("fold-rare").click()
    phone.key("honoursplus").click()  # to ten at once
    phone.until(lambda: phone.score()["state"] == "done")
    assert phone.text(".tray .count") == "Complete", "nothing is missing beside a hand that wins as it is"
    phone.key("honoursplus").click()
    phone.until(lambda: phone.score()["request"]["context"]["honours"] == 11)
    score = phone.score()
    assert [e["id"] for e in score["answer"]["elements"]] == ["ten_honours"]
    assert score["answer"]["payments"] == {"E": -8, "S": 16, "W": -4, "N": -4, "pot": 0}
    assert score["request"]["context"]["banker"] == "E"
    assert phone.key("doubles_afterplus").count() == 0
    phone.allowed.append("status of 422")  # nothing was floated, so nobody is liable
    phone.at("#select-liable").select_option(label="West")
    phone.key("doubles_afterplus").wait_for()


def test_rules_that_see_more_in_the_photo_read_it_again(phone: Phone) -> None:
    phone.photograph(EXAMPLES / "hand-riichi.jpg")
    assert not phone.codes("dora")
    phone.answer(seat="W", win="discard", giver="E")
    phone.use_rules("riichi")
    phone.page.wait_for_function("() => !inside.reading")
    assert "0m" in phone.codes(), "the red five is red here"
    assert phone.codes("dora"), "the indicator is one"
    assert {"aka_dora", "dora", "hatsu"} <= {e["id"] for e in phone.score()["answer"]["elements"]}
    # A hand that its owner has mended stays as it is.
    phone.mend("concealed", 0, "1m")
    read = phone.sent_to("/read")
    phone.use_rules("hongkong")
    phone.settle()
    assert not read
    assert phone.codes()[0] == "1m"


def test_an_unknown_discarder(phone: Phone) -> None:
    phone.lay()
    phone.choose("seat", "E")
    phone.choose("payer", "null")
    answer = phone.score()["answer"]
    assert answer["payments"] is None
    phone.press("bar", shows=".pay-if")
    assert phone.at(".pay-if").count() == 3


def test_a_tile_beside_the_hand_is_named_before_it_counts(phone: Phone) -> None:
    phone.photograph()
    before = phone.hand()
    seen = int(phone.at(".outline.other").first.get_attribute("data-seen") or "")
    phone.at(".outline.other").first.focus()
    phone.page.keyboard.press("Enter")
    assert phone.at("dialog canvas.crop").is_visible()
    phone.close_by("tab-fg", "key-f1")
    assert phone.codes("bonus") == [*[t["code"] for t in before["bonus"]], "f1"]
    assert phone.hand()["bonus"][-1]["seen"] == seen
    # What its owner named, though the reader saw a back, is a correction, and what it says.
    labels, mended = corrected(phone)
    assert (labels.count("f1"), mended) == (1, 1)


def corrected(phone: Phone) -> tuple[list[str], int]:
    """What a sample of the photo would call its tiles, and how many of them its owner has mended."""
    labels, mended = phone.page.evaluate(
        """async () => {
          const { correctedTiles, mendedCount } = await part('js/hand/fromread.js');
          const tiles = (await part('js/hand/hand.js')).tilesOf(inside.draft.hand);
          const { read } = inside.draft;
          return [correctedTiles(read, tiles).map((t) => t.label), mendedCount(read, tiles)];
        }"""
    )
    return labels, mended


def test_zoom_and_pan(phone: Phone) -> None:
    phone.photograph()

    def width() -> float:
        return phone.steady(".outline.won polygon")["width"]

    before = width()
    phone.page.get_by_role("button", name="Zoom in").click()
    assert width() > before * 1.4
    box = phone.at(".photo-stage").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def place() -> float:
        return phone.steady(".outline polygon")["x"]

    start = place()
    phone.page.mouse.move(x, y)
    phone.page.mouse.down()
    phone.page.mouse.move(x - 60, y, steps=4)
    phone.page.mouse.up()
    assert place() < start - 30
    assert phone.at("dialog").count() == 0, "a drag is no tap"


def test_photos_are_turned_upright(phone: Phone, tmp_path: Any) -> None:
    """A phone stores the picture as the sensor saw it and says in EXIF how to turn it."""
    path = tmp_path / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "SecretCamera"
    with Image.open(EXAMPLES / "hand-self-draw.jpg") as image:
        image.resize((2000, 1500)).transpose(Image.Transpose.ROTATE_90).save(path, exif=exif, quality=92)
    sent = phone.sent_to("/api/v1/read")
    phone.photograph(path)
    size = phone.page.evaluate("[inside.bitmap.width, inside.bitmap.height]")
    assert size == [2000, 1500]
    truth = json.loads((EXAMPLES / "hand-self-draw.json").read_text())
    read = [t["tile"] for t in phone.remembered("draft")["read"]["tiles"]]
    assert sorted(read) == sorted(t["label"] for t in truth["tiles"]), "read the right way up"
    assert b"SecretCamera" not in (sent[0].post_data_buffer or b""), "metadata stays on the phone"


def test_large_photos_are_shrunk(phone: Phone) -> None:
    sent = phone.sent_to("/api/v1/read")
    phone.photograph()
    assert phone.page.evaluate("Math.max(inside.bitmap.width, inside.bitmap.height)") == 2560
    assert len(sent[0].post_data_buffer or b"") < 2_000_000


def test_a_hand_has_as_many_tiles_as_its_rules_say(phone: Phone) -> None:
    phone.use_rules("taiwanese")
    phone.lay("1m 2m 3m 4m 5m 6m 7p 8p 9p 3p 4p 5p 6s 7s 9s 9s 8s")
    phone.answer(seat="S", win="discard")
    assert [unit["type"] for unit in phone.score()["answer"]["arrangement"]] == ["chow"] * 5 + ["pair"]
    phone.press("bar", shows=".at-score")
    assert not phone.key("all").count(), "no other rules score hands of five sets"


def test_wareme_is_asked_where_few_need_it(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    assert phone.key("fact-wareme").count() == 0
    phone.key("fold-rare").click()
    before = phone.score()["answer"]["payments"]["S"]
    phone.at("[data-field=wareme] select").select_option(label="South")
    phone.until(lambda: phone.score()["answer"]["payments"]["S"] == 2 * before)
