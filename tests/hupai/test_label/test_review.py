"""A person looks through labels: the worst first, hints where a tile was missed, and a history that flows on."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import resource
import shutil
import subprocess
import threading
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import uvicorn
from fastapi.testclient import TestClient
from PIL import Image

from hupai.label.formats import LabelError, read_labels
from hupai.label.journal import Journal, JournalError
from hupai.label.records import Record
from hupai.label.review.claims import CLAIMS, Claims
from hupai.label.review.label_review import CORRECTIONS, LabelReview
from hupai.label.review.missed import Hints, hints
from hupai.label.review.page import review_app
from hupai.label.review.picture_index import PictureFilter
from hupai.web.listen.listening import bind_socket
from scoring.errors import HupaiError, InvalidRequest
from scoring.tiles import tile
from scripts.browser.phone import WAIT_MS
from tests.hupai.browsing import expect
from tests.hupai.test_label.batch_photos import ROOT, command, environment, hupai
from tests.hupai.test_label.test_engines.test_batch_journal import PLAN
from tests.hupai.test_label.test_formats.test_batch_formats import write
from tests.waiting import at_once, until

NAMES = ("hand-riichi", "hand-self-draw")


def lacking(record: Record, *indices: int) -> Record:
    return replace(record, boxes=tuple(b for i, b in enumerate(record.boxes) if i not in indices))


@pytest.fixture
def place(tmp_path):
    """Two example photos; of the second's labels one is doubtful, and the one in the middle of a row is missing."""
    (tmp_path / "photos").mkdir()
    records = []
    for name in NAMES:
        shutil.copy(ROOT / "examples" / f"{name}.jpg", tmp_path / "photos")
        (truth,) = read_labels(ROOT / "examples" / f"{name}.json")
        sha256 = hashlib.sha256((tmp_path / "photos" / f"{name}.jpg").read_bytes()).hexdigest()
        boxes = tuple(replace(b, origin="read", confidence=0.97) for b in truth.boxes)
        records.append(replace(truth, image=f"{name}.jpg", boxes=boxes, sha256=sha256))
    doubtful = replace(records[1].boxes[2], confidence=0.41, alternatives=((tile("9s"), 0.3), (tile("8s"), 0.2)))
    boxes = (*records[1].boxes[:2], doubtful, *records[1].boxes[3:])
    records[1] = lacking(replace(records[1], boxes=boxes), 5)
    write(tmp_path / "labels", records, ("jsonl",))
    return tmp_path


@pytest.fixture
def label_review(place):
    return LabelReview(place / "labels", str(place / "photos"))


def said(label_review, at):
    return [{"tile": b.tile.code, "corners": b.corners} for b in label_review.record(at).boxes]


def listed(label_review, **wanted):
    return label_review.index.pictures(PictureFilter(**wanted), 0, 10_000)


def reviewed(label_review):
    label_review.check_labels()
    return [item.reviewed for item in listed(label_review)]


@pytest.fixture
def worst(label_review):
    """The place of the picture with the doubtful tile."""
    return listed(label_review)[0].at


@pytest.fixture
def other(label_review):
    """The place of the second picture."""
    return listed(label_review)[1].at


def test_a_tile_taken_out_of_a_row_leaves_a_hint_at_its_place():
    from hupai.label.corrections.matching import match_boxes

    seen = missed = 0
    for name in NAMES:
        (truth,) = read_labels(ROOT / "examples" / f"{name}.json")
        whole = hints(truth).places
        for i, box in enumerate(truth.boxes):
            places = [p for p in hints(lacking(truth, i)).places if p not in whole]
            seen += any(match_boxes([replace(box, corners=p)], [box]) for p in places)
            missed += 1
    # Tiles at the end of a row leave no gap, and some were laid apart.
    assert seen >= missed / 2, (seen, missed)

    def holes(*lefts: float) -> int:
        corners = [((x, 0.0), (x + 30, 0.0), (x + 30, 40.0), (x, 40.0)) for x in lefts]
        return len(hints(replace(truth, boxes=tuple(replace(box, corners=each) for each in corners))).places)

    assert (holes(), holes(0), holes(0, 30), holes(0, 60)) == (0, 0, 0, 1)
    assert "11 tiles, a hand has 13 or 14" in hints(replace(truth, boxes=truth.boxes[:11])).reasons


def test_the_worst_come_first_and_say_why(label_review):
    first, second = listed(label_review)
    assert [first.image, second.image] == ["hand-self-draw.jpg", "hand-riichi.jpg"]
    assert "1 of" in first.why and "gap" in first.why


def test_what_is_said_is_kept_with_its_history_and_comes_back(place, label_review, worst):
    tiles = said(label_review, worst)
    tiles[2]["tile"] = "9s"
    counts = label_review.save(worst, tiles, 0)
    assert counts == {"confirmed": len(tiles) - 1, "renamed": 1, "moved": 0, "added": 0, "removed": 0, "unsure": 0}
    tiles.append({"tile": "5z", "corners": [[10, 10], [40, 10], [40, 60], [10, 60]]})
    label_review.save(worst, tiles, 1)
    assert len((place / "labels" / CORRECTIONS).read_text().splitlines()) == 2
    again = LabelReview(place / "labels", str(place / "photos"))
    assert reviewed(again) == [True, False] and len(again.record(worst).boxes) == len(tiles)
    (one,) = read_labels(place / "labels" / CORRECTIONS)  # the last word counts
    assert one.boxes[-1].tile is tile("5z") and one.boxes[2].tile is tile("9s")
    assert {b.origin for b in one.boxes} == {"confirmed", "corrected"}


def test_a_quarter_turn_is_kept_and_comes_back(place, label_review, worst):
    """In our own history the first corner says how a tile is turned; label tools begin anywhere."""
    tiles = said(label_review, worst)
    a, *others = tiles[4]["corners"]
    tiles[4]["corners"] = (*others, a)
    assert label_review.save(worst, tiles, 0)["moved"] == 1
    assert label_review.record(worst).boxes[4].corners == (*others, a)
    labels, history = place / "labels", place / "labels" / CORRECTIONS
    status, _, stderr = hupai("labels", "import", history, "--base", labels, "--out", place / "better")
    assert status == 0, stderr
    (record,) = read_labels(place / "better")
    assert record.boxes[4].corners == (*others, a)


def test_a_line_that_was_cut_off_by_a_power_cut_was_not_kept(place, label_review, worst, other):
    label_review.save(worst, said(label_review, worst), 0)
    with (place / "labels" / CORRECTIONS).open("a") as file:
        file.write('{"image": "hand-ri')
    label_review = LabelReview(place / "labels", str(place / "photos"))
    assert reviewed(label_review) == [True, False]
    label_review.save(other, said(label_review, other), 0)
    assert len(read_labels(place / "labels" / CORRECTIONS)) == 2


@pytest.mark.parametrize("line", [b'{"image": "hand-ri', b"5", b'{"image": "a"}', b"\xff\xfe"])
def test_a_damaged_line_of_the_history_is_told_with_its_number(place, label_review, worst, line):
    label_review.save(worst, said(label_review, worst), 0)
    with (place / "labels" / CORRECTIONS).open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(LabelError, match=r"corrections\.jsonl, line 2: "):
        LabelReview(place / "labels", str(place / "photos"))


def test_what_was_said_of_a_picture_is_not_said_of_another_that_took_its_name(place, label_review, other):
    label_review.save(other, said(label_review, other), 0)
    lines = [json.loads(line) for line in (place / "labels" / "labels.jsonl").read_text().splitlines()]
    lines[0] |= {"sha256": "ab" * 32, "tiles": lines[0]["tiles"][:3]}  # hand-riichi.jpg, read again
    (place / "labels" / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = LabelReview(place / "labels", str(place / "photos"))
    (item,) = listed(again, text="hand-riichi.jpg")
    assert not item.reviewed and len(again.record(item.at).boxes) == 3


def test_refusals_say_what_to_do(place, label_review, worst, other):
    with pytest.raises(LabelError, match=r"holds no labels\.jsonl"):
        LabelReview(place / "photos")
    with pytest.raises(InvalidRequest, match="--images"):
        LabelReview(place / "labels")
    with pytest.raises(HupaiError):
        label_review.save(worst, [{"tile": "9z", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}], 0)
    (place / "photos" / "hand-riichi.jpg").unlink()
    with pytest.raises(HupaiError, match="no longer where it was"):
        label_review.photo(other)
    (place / "labels" / "labels.jsonl").write_text("{}\n")
    with pytest.raises(LabelError, match="written anew"):
        label_review.as_read_record(other)
    with pytest.raises(LabelError, match=r"after byte 0: .*'image' is missing"):
        LabelReview(place / "labels", str(place / "photos"))


def test_the_page_is_for_those_who_know_its_address(label_review):
    client = TestClient(review_app(label_review, "key"))
    assert client.get("/key/").headers["content-security-policy"].startswith("default-src 'none'")
    assert client.get("/key/pictures").json()["pictures"][0]["image"] == "hand-self-draw.jpg"
    for path in ("/", "/pictures", "/kez/pictures", "/favicon.ico"):
        assert client.get(path).status_code == 404
    assert client.get("/key/pictures/0/photo").content[:2] == b"\xff\xd8"
    assert client.get("/key/pictures/7").json()["code"] == "image_missing"
    assert client.put("/key/pictures/0", json={"tiles": [{"tile": "x"}], "seen": 0}).status_code == 400
    assert client.get("/key/../label_review.py").status_code == 404


@pytest.mark.slow
def test_where_another_run_writes_the_labels_a_review_says_what_to_do(place):
    with closing(Journal(place / "labels" / ".hupai", PLAN)):
        with pytest.raises(JournalError, match=r"Another run is writing .* begin with --images") as refused:
            LabelReview(place / "labels").photo(0)
        assert refused.value.code == "journal_busy"
        assert LabelReview(place / "labels", str(place / "photos")).photo(0)


def test_a_panorama_that_no_jpeg_holds_is_shown_smaller(place):
    (place / "photos" / "hand-riichi.jpg").unlink()
    Image.new("RGB", (70_000, 32), "white").save(place / "photos" / "hand-riichi.jpg", "PNG")
    client = TestClient(review_app(LabelReview(place / "labels", str(place / "photos")), "key"))
    assert Image.open(io.BytesIO(client.get("/key/pictures/0/photo").content)).size == (65_500, 29)


def test_corrections_teach_a_set(place, label_review, other, monkeypatch):
    monkeypatch.setenv("HUPAI_DATA_FOLDER", str(place / "data"))
    label_review.save(other, said(label_review, other), 0)
    where = ("--labels", place / "labels" / CORRECTIONS, "--name", "home")
    status, stdout, stderr = hupai("learn-set", place / "photos", *where)
    assert status == 0, stderr
    assert int(re.search(r"home: (\d+) lessons", stdout)[1]) >= 2 * 12
    status, _, stderr = hupai("learn-set", place / "photos" / "hand-self-draw.jpg", *where)
    assert status == 2 and "has no labels there" in stderr


def window(browser, **how):
    """A page that is waited for as long as a busy machine takes."""
    page = browser.new_page(**how)
    page.set_default_timeout(WAIT_MS)
    return page


SHOWN = "#photo [data-shown]"
"""The photo, once it is on the screen."""


@contextmanager
def served(place):
    """A review served by the process of the tests; gives its address."""
    label_review = LabelReview(place / "labels", str(place / "photos"))
    with bind_socket("127.0.0.1", 0) as listening, closing(label_review):
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(review_app(label_review, "key"), log_level="error", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/key/"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def commanded(place):
    """A review served by the command, which Ctrl-C ends after one picture was looked through."""
    running = subprocess.Popen(
        command("review", place / "labels", "--images", place / "photos", "--no-browser"),
        env=environment(), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield re.search(r"http://\S+", running.stdout.readline())[0]
    finally:
        running.send_signal(2)
        told = running.communicate(timeout=300)[0]
    assert "Looked through: 1 of 2 pictures" in told


@contextmanager
def opened(place, browser, serve=served):
    """Open a review, which shows its first picture; its scripts may have no errors."""
    with serve(place) as url:
        page, errors = window(browser, viewport={"width": 1400, "height": 850}), []
        page.on("pageerror", lambda e: errors.append(str(e)))
        page.goto(url)
        expect(page.locator("#name")).to_have_text("hand-self-draw.jpg")
        expect(page.locator(SHOWN)).to_have_count(1)
        yield page
        page.close()
        assert not errors


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def drag(page, start, end, button="left"):
    page.mouse.move(*start)
    page.mouse.down(button=button)
    page.mouse.move(*end, steps=4)
    page.mouse.up(button=button)


@pytest.mark.slow
def test_with_keys_and_mouse_in_a_browser(place, browser):
    """An alternative by its key, a gap filled, a corner dragged, a tile added, one removed, undone, and kept."""
    with opened(place, browser, commanded) as page:
        tiles = page.locator("polygon[data-tile]")
        count = tiles.count()
        expect(page.locator("#tile")).to_contain_text("2p")  # the doubtful one is chosen
        page.keyboard.press("2")
        expect(page.locator("#tile")).to_contain_text("9s")
        page.keyboard.press("G")  # as with Caps Lock
        page.locator("#code").fill("7s")
        page.keyboard.press("Enter")
        expect(tiles).to_have_count(count + 1)
        before = page.locator("circle").nth(1).bounding_box()
        drag(page, middle_of(before), (before["x"] + 40, before["y"] - 20))
        assert page.locator("circle").nth(1).bounding_box()["x"] > before["x"] + 20
        page.keyboard.press("n")
        page.locator("#code").fill("9p")
        page.keyboard.press("Escape")
        expect(page.locator("#code")).to_have_value("7s")
        stage = page.locator("#photo").bounding_box()
        press(page, "a", "Escape")
        drag(page, (stage["x"] + 60, stage["y"] + 150), (stage["x"] + 100, stage["y"] + 210))
        expect(tiles).to_have_count(count + 1)
        page.keyboard.press("a")
        drag(page, (stage["x"] + 60, stage["y"] + 150), (stage["x"] + 100, stage["y"] + 210))
        page.locator("#code").fill("9z")
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text("9z is not a tile")
        page.locator("#code").fill("back")
        page.keyboard.press("Enter")
        expect(tiles).to_have_count(count + 2)
        page.keyboard.press("Delete")
        expect(tiles).to_have_count(count + 1)
        page.keyboard.press("u")
        expect(tiles).to_have_count(count + 2)
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text("1 renamed, 2 added")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        if shot := os.environ.get("HUPAI_SHOT"):
            page.screenshot(path=shot)
    (record,) = read_labels(place / "labels" / CORRECTIONS)
    assert sorted(b.tile.code for b in record.boxes if b.origin == "corrected") == sorted(["9s", "7s", "back"])
    assert json.loads((place / "labels" / CORRECTIONS).read_text())["corrected"]["added"] == 2


@pytest.mark.slow
def test_a_typed_name_counts_however_the_field_is_left(place, browser):
    """By a click on another tile it is taken over; one that is not a tile is told instead of dropped."""
    with opened(place, browser) as page:
        expect(page.locator("#tile")).to_contain_text("2p")
        page.locator("#code").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("f1")
        page.locator('polygon[data-tile="8"]').click()
        expect(page.locator('polygon[data-tile="2"] + text')).to_have_text("f1")
        page.locator("#code").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("zz")
        page.locator("#save").click()
        expect(page.locator("#status")).to_contain_text("zz is not a tile")
        page.locator('polygon[data-tile="2"]').click()
        expect(page.locator("#code")).to_have_value("zz")
    assert not (place / "labels" / CORRECTIONS).exists()


HELD = """() => {
  const ask = fetch;
  let held = [];
  window.fetch = (path, how) => new Promise((go) => held.push({ what: `${how?.method ?? "GET"} ${path}`, go }))
    .then(() => ask(path, how));
  window.isHeld = (what) => held.some((one) => one.what.startsWith(what));
  window.release = (what) => {
    held.filter((one) => one.what.startsWith(what)).forEach((one) => one.go());
    held = held.filter((one) => !one.what.startsWith(what));
  };
  window.letAllPass = () => { window.fetch = ask; release(""); };
}"""


def passing_on(page):
    """Have every request held; returns a function that waits for one and lets it pass."""
    page.evaluate(HELD)

    def pass_on(what):
        page.wait_for_function("(what) => isHeld(what)", arg=what)
        page.evaluate("release", what)

    return pass_on


@pytest.mark.slow
@pytest.mark.parametrize("meanwhile", ["Enter", "j"])
def test_no_picture_counts_as_looked_through_before_it_was_seen(place, browser, meanwhile):
    """A second Enter, or J, before the answer to the first has come."""
    with opened(place, browser) as page:
        pass_on = passing_on(page)
        press(page, "Enter", meanwhile)
        for what in ("GET pictures/", "PUT ") if meanwhile == "j" else ("PUT ", "POST next", "GET pictures/"):
            pass_on(what)
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        page.evaluate("letAllPass()")
        expect(page.locator("#count")).to_have_text("1 of 2 looked through")
        expect(page.locator("#status")).to_contain_text("Kept: ")
        expect(page.locator("#pictures [aria-current=true]")).not_to_contain_text("✓")
    assert [r.image for r in read_labels(place / "labels" / CORRECTIONS)] == ["hand-self-draw.jpg"]


@pytest.mark.slow
def test_enter_keeps_nothing_before_the_photo_is_on_the_screen(place, browser):
    """The photo's file is held back; one that never comes cannot be looked through either."""
    with opened(place, browser) as page:
        status = page.locator("#status")
        held = []

        def hold(route):
            held.append(route)

        page.route("**/photo", hold)
        with page.expect_request("**/photo"):
            page.keyboard.press("s")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        page.keyboard.press("Enter")
        expect(status).to_contain_text("before the photo is on the screen")
        held.pop().continue_()
        expect(page.locator(SHOWN)).to_have_count(1)
        with page.expect_request("**/photo"):
            page.keyboard.press("Enter")
        expect(status).to_contain_text("Kept: ")
        expect(page.locator("#name")).to_have_text("hand-self-draw.jpg")
        held.pop().abort()
        page.keyboard.press("Enter")
        expect(status).to_contain_text("before the photo is on the screen")
        expect(page.locator("#count")).to_have_text("1 of 2 looked through")
    assert [r.image for r in read_labels(place / "labels" / CORRECTIONS)] == ["hand-riichi.jpg"]


@pytest.mark.slow
def test_keys_pressed_before_the_next_picture_is_there_are_meant_for_it(place, browser):
    with opened(place, browser) as page:
        pass_on = passing_on(page)
        press(page, "Enter", "Tab", "Delete")
        for what in ("PUT ", "POST next", "GET pictures/"):
            pass_on(what)
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        expect(page.locator("#undo")).to_be_enabled()
        count = page.locator("polygon[data-tile]").count()
        page.keyboard.press("u")
        expect(page.locator("polygon[data-tile]")).to_have_count(count + 1)
    (record,) = read_labels(place / "labels" / CORRECTIONS)
    assert {b.origin for b in record.boxes} == {"confirmed"}


@pytest.mark.slow
def test_what_is_done_while_a_picture_goes_or_comes_is_done_to_the_right_one(place, browser):
    """Every request is held until the test lets it pass."""
    with opened(place, browser) as page:
        doubtful = page.locator('polygon[data-tile="2"]')
        corners = doubtful.get_attribute("points")
        pass_on = passing_on(page)
        page.mouse.move(*middle_of(doubtful.bounding_box()))
        page.mouse.down()
        press(page, "s", "x", "Control+z", "Control+Shift+z")
        page.mouse.move(300, 300, steps=3)  # of a tile that was taken before
        page.mouse.up()
        page.mouse.click(*middle_of(page.locator("#remove").bounding_box()))
        expect(doubtful).to_have_attribute("points", corners)
        pass_on("POST next")
        pass_on("GET pictures/")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        expect(page.locator("polygon.unsure")).to_have_count(1)
        expect(page.locator("#pictures button").first).not_to_contain_text("✎")
        expect(page.locator(SHOWN)).to_have_count(1)
        press(page, "u", "Enter", "k")
        pass_on("GET pictures/")
        expect(page.locator("#name")).to_have_text("hand-self-draw.jpg")
        page.keyboard.press("2")
        expect(page.locator('polygon[data-tile="2"] + text')).to_have_text("9s")
        expect(page.locator(SHOWN)).to_have_count(1)
        page.keyboard.press("Enter")  # the former one has not been kept yet
        page.evaluate("letAllPass()")
        expect(page.locator("#count")).to_have_text("2 of 2 looked through")
    kept = {r.image: r for r in read_labels(place / "labels" / CORRECTIONS)}
    assert kept["hand-self-draw.jpg"].boxes[2].tile is tile("9s")
    assert not any(record.ignored for record in kept.values())
    assert {b.origin for b in kept["hand-riichi.jpg"].boxes} == {"confirmed"}


def holding(what):
    """A function of the page: the answer to the next such request is held back until ``go()``."""
    return f"""() => {{
      const ask = fetch;
      window.fetch = async (path, how) => {{
        const answer = await ask(path, how);
        if (window.go || !path.startsWith('{what}')) return answer;
        const text = await answer.text();
        await new Promise((done) => {{ window.go = done; }});
        return new Response(text, answer);
      }};
    }}"""


@pytest.mark.slow
def test_a_list_that_comes_late_does_not_take_the_place_of_a_newer_one(place, browser):
    with opened(place, browser) as page:
        count = page.locator("#count")
        page.evaluate(holding("pictures?"))
        page.locator("#class").select_option("2p")  # asks for a list, and is answered last
        page.wait_for_function("() => Boolean(window.go)")
        page.locator("#save").click()
        expect(page.locator("#status")).to_contain_text("Kept: ")
        expect(count).to_contain_text("1 of")
        page.evaluate("async () => { go(); await (await fetch('tiles')).json() }")
        expect(count).to_contain_text("1 of")


@pytest.mark.slow
def test_changes_are_there_until_they_are_kept_whatever_is_opened_meanwhile(place, browser):
    """By J and K, and by a click in the list; a window with such changes does not close without a question."""
    with opened(place, browser) as page:
        doubtful = page.locator('polygon[data-tile="2"] + text')
        page.keyboard.press("2")
        expect(doubtful).to_have_text("9s")
        page.keyboard.press("j")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        expect(page.locator("#status")).to_have_text("What was changed in hand-self-draw.jpg is not kept yet.")
        expect(page.locator("#pictures button").first).to_contain_text("✎ hand-self-draw.jpg")
        questions = []
        page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.dismiss()))
        with page.expect_event("dialog"):
            page.evaluate("setTimeout(() => location.reload())")
        assert questions == ["beforeunload"]
        page.keyboard.press("k")
        expect(doubtful).to_have_text("9s")
        page.keyboard.press("u")
        expect(doubtful).to_have_text("2p")
        page.locator('polygon[data-tile="2"]').click()
        page.keyboard.press("3")
        page.locator("#pictures button").nth(1).click()
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        page.locator("#pictures button").first.click()
        expect(doubtful).to_have_text("8s")
        expect(page.locator(SHOWN)).to_have_count(1)
        page.locator("#save").click()
        expect(page.locator("#status")).to_contain_text("1 renamed")
        expect(page.locator("#pictures button").first).to_contain_text("✓ hand-self-draw.jpg")
    (record,) = read_labels(place / "labels" / CORRECTIONS)
    assert record.boxes[2].tile is tile("8s")


def test_labels_kept_in_another_window_or_review_are_not_replaced_unseen(place, label_review, worst):
    """The other one may be a tab of the same review, or a second ``hupai review`` of the same folder."""
    second = LabelReview(place / "labels", str(place / "photos"))
    seen, tiles = label_review.save_count(worst), said(label_review, worst)
    tiles[2]["tile"] = "9s"
    second.save(worst, tiles, second.save_count(worst))
    with pytest.raises(HupaiError, match="kept meanwhile") as refused:
        label_review.save(worst, tiles[:3], seen)
    assert refused.value.code == "kept_meanwhile" and reviewed(label_review)[0]
    assert label_review.record(worst).boxes == second.record(worst).boxes
    assert label_review.record(worst).boxes[2].tile is tile("9s")
    label_review.save(worst, tiles[:3], label_review.save_count(worst))
    assert len(second.record(worst).boxes) == 3 and second.save_count(worst) == 2
    (place / "labels" / CORRECTIONS).unlink()
    assert not reviewed(label_review)[0] and label_review.save_count(worst) == 0


def test_two_people_at_one_folder_get_different_pictures(place, label_review, worst, other):
    second = LabelReview(place / "labels", str(place / "photos"))
    assert label_review.open_next(None, "mine").at == worst
    assert second.open_next(None, "yours").at == other
    assert label_review.open_next(worst, "mine").at == worst  # its window was loaded again
    second.save(other, said(second, other), 0)
    assert second.open_next(other, "yours") is None
    label_review.close()
    assert second.open_next(other, "yours").at == worst
    grow_old(place)  # as if left behind by a review that was killed
    assert label_review.open_next(None, "mine").at == worst
    label_review.close()
    assert not (place / "labels" / CLAIMS).exists()


def grow_old(place):
    for path in (place / "labels" / CLAIMS).iterdir():
        os.utime(path, (1, 1))


def test_who_was_away_too_long_does_not_release_what_another_has_opened(place):
    first, second, third = (Claims(place / "labels") for _ in range(3))
    assert first.take("a.jpg", "mine")
    grow_old(place)
    assert second.take("a.jpg", "yours")
    assert not first.take("a.jpg", "mine")
    first.release("mine")
    assert not third.take("a.jpg", "theirs")
    second.close()
    assert third.take("a.jpg", "theirs")


def test_of_two_who_take_over_a_picture_at_once_not_both_get_it(place, monkeypatch):
    """Neither claims it before both are about to."""
    assert Claims(place / "labels").take("a.jpg", "away")
    grow_old(place)
    touch, both = Path.touch, threading.Barrier(2, timeout=300)

    def touch_together(path, **how):
        both.wait()
        touch(path, **how)

    monkeypatch.setattr(Path, "touch", touch_together)
    first, second = Claims(place / "labels"), Claims(place / "labels")
    assert sum(at_once(lambda: first.take("a.jpg", "mine"), lambda: second.take("a.jpg", "yours"))) <= 1


def test_a_review_of_many_labels_begins_before_all_are_read(place, monkeypatch):
    (line, *_) = (place / "labels" / "labels.jsonl").read_text().splitlines()
    whole = json.loads(line)
    lines = (json.dumps(whole | {"image": f"{i:05d}.jpg", "tiles": whole["tiles"][: 1 + i % 3]}) for i in range(3000))
    (place / "labels" / "labels.jsonl").write_text("".join(f"{line}\n" for line in lines))
    go_on = threading.Event()

    def wait(record: Record) -> Hints:
        assert record.image == "00000.jpg" or go_on.wait(300)
        return hints(record)

    monkeypatch.setattr("hupai.label.review.label_review.hints", wait)
    begun = LabelReview(place / "labels", str(place / "photos"), 0.0)
    assert [item.image for item in listed(begun)] == ["00000.jpg"] and begun.share_read < 1
    go_on.set()
    assert until(lambda: begun.share_read == 1)
    everything = [item.image for item in listed(begun)]
    assert everything[:50] == [f"{i:05d}.jpg" for i in range(2, 150, 3)] and len(everything) == 3000
    client = TestClient(review_app(begun, "key"))
    last = client.get(f"/key/pictures?around={listed(begun)[2990].at}").json()
    assert last["first"] == 2940 and [item["image"] for item in last["pictures"]] == everything[2940:]
    found = client.get("/key/pictures?text=0299&code=" + whole["tiles"][2]["tile"]).json()
    assert [item["image"] for item in found["pictures"]] == [
        "00299.jpg",
        "02990.jpg",
        "02993.jpg",
        "02996.jpg",
        "02999.jpg",
    ]
    assert client.get("/key/grid?text=02999&start=2").json()["total"] == 1 + 2999 % 3


def test_what_a_full_disk_took_of_a_line_does_not_spoil_the_next(place, label_review, worst, other):
    """The limit on the size of files stands for the disk: a part of the line is written."""
    label_review.save(worst, said(label_review, worst), 0)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((place / "labels" / CORRECTIONS).stat().st_size + 100, limits[1]))
    try:
        with pytest.raises(HupaiError, match="nothing was kept"):
            label_review.save(other, said(label_review, other), 0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    label_review.save(other, said(label_review, other), 0)
    assert len(read_labels(place / "labels" / CORRECTIONS)) == 2


@pytest.mark.slow
def test_a_second_window_gets_another_picture_and_is_told_before_it_replaces_labels(place, browser):
    with opened(place, browser) as page:
        second = window(browser)
        second.goto(page.url)
        expect(second.locator("#name")).to_have_text("hand-riichi.jpg")
        second.keyboard.press("k")
        expect(second.locator("#name")).to_have_text("hand-self-draw.jpg")
        expect(second.locator(SHOWN)).to_have_count(1)
        press(page, "2", "Enter")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        press(second, "3", "Enter")
        expect(second.locator("#status")).to_contain_text("were kept meanwhile, in another window")
        second.keyboard.press("Enter")
        expect(second.locator("#status")).to_contain_text("or open in another window")
        second.close()
    lines = (place / "labels" / CORRECTIONS).read_text().splitlines()
    assert [json.loads(line)["tiles"][2]["tile"] for line in lines] == ["9s", "8s"]


@pytest.mark.slow
def test_a_duplicate_of_a_window_is_another_window_and_leaves_its_picture_when_it_goes(place, browser):
    with opened(place, browser) as page:
        with page.expect_popup() as duplicate:
            page.evaluate("() => { open(location.href); }")  # has all that is stored for this window, too
        second = duplicate.value
        expect(second.locator("#name")).to_have_text("hand-riichi.jpg")
        page.keyboard.press("s")
        expect(page.locator("#status")).to_contain_text("or open in another window")
        second.goto("about:blank")
        assert until(lambda: len(list((place / "labels" / CLAIMS).iterdir())) == 1)
        page.keyboard.press("s")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")


def middle_of(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def corners_of(tile):
    return [tuple(map(float, point.split(","))) for point in tile.get_attribute("points").split()]


@pytest.mark.slow
def test_a_picture_is_enlarged_under_the_mouse_and_moved(place, browser):
    with opened(place, browser) as page:
        tile = page.locator('polygon[data-tile="2"]')
        whole = tile.bounding_box()
        page.mouse.move(*middle_of(whole))
        page.mouse.wheel(0, -600)
        width = json.loads((place / "labels" / "labels.jsonl").read_text().splitlines()[1])["width"]
        expect(page.locator("#photo")).to_have_attribute("viewBox", re.compile(rf" {width / 4:g} \S+$"))
        large = tile.bounding_box()
        assert middle_of(large) == pytest.approx(middle_of(whole), abs=3)
        page.mouse.down(button="middle")
        page.mouse.move(middle_of(whole)[0] + 90, middle_of(whole)[1] + 50, steps=3)
        page.mouse.up(button="middle")
        moved = middle_of(tile.bounding_box())
        assert moved == pytest.approx((middle_of(large)[0] + 90, middle_of(large)[1] + 50), abs=3)
        page.keyboard.press("0")
        assert tile.bounding_box() == whole
        stage = page.locator("#photo").bounding_box()
        press(page, "+", "+", "+")  # about the chosen tile
        assert middle_of(tile.bounding_box()) == pytest.approx(middle_of(whole), abs=3)
        drag(page, (stage["x"] + 5, stage["y"] + 5), (stage["x"] + 45, stage["y"] + 35))
        assert middle_of(tile.bounding_box())[0] > middle_of(whole)[0] + 30
        for _ in range(40):
            page.keyboard.press("Tab")  # through all tiles: each comes into view
            chosen = middle_of(page.locator("polygon.chosen").bounding_box())
            assert stage["x"] <= chosen[0] <= stage["x"] + stage["width"]
    assert not (place / "labels" / CORRECTIONS).exists()


@pytest.mark.slow
def test_arrow_keys_move_and_turn_a_tile_and_all_can_be_undone_and_redone(place, browser):
    (read,) = (r for r in read_labels(place / "labels") if r.image == "hand-self-draw.jpg")
    with opened(place, browser) as page:
        tile = page.locator('polygon[data-tile="2"]')
        before = corners_of(tile)
        press(page, "ArrowRight", "ArrowRight", "ArrowUp")
        nudged = corners_of(tile)
        step = nudged[0][0] - before[0][0]
        assert step >= 2 and np.allclose(np.array(nudged) - before, (step, -step / 2), atol=0.2)
        page.keyboard.press("Shift+ArrowRight")
        turned = corners_of(tile)
        assert turned == nudged[1:] + nudged[:1]
        page.keyboard.press("Shift+ArrowLeft")
        assert corners_of(tile) == nudged
        page.keyboard.press("Control+z")
        assert corners_of(tile) == turned
        page.keyboard.press("u")
        page.keyboard.press("u")  # all steps of one move
        assert corners_of(tile) == before
        expect(page.locator("#undo")).to_be_disabled()
        press(page, "y", "Control+Shift+z")
        assert corners_of(tile) == turned
        page.keyboard.press("h")
        expect(page.locator('polygon[data-tile="2"] + text')).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text("1 moved")
    (record,) = read_labels(place / "labels" / CORRECTIONS)
    assert np.allclose(record.boxes[2].corners, turned) and record.boxes[2].tile is read.boxes[2].tile
    assert [b.corners for b in record.boxes[3:]] == [b.corners for b in read.boxes[3:]]


@pytest.mark.slow
def test_a_picture_is_skipped_and_of_a_tile_nobody_can_tell(place, browser):
    (read,) = (r for r in read_labels(place / "labels") if r.image == "hand-self-draw.jpg")
    with opened(place, browser) as page:
        page.keyboard.press("x")
        expect(page.locator("#tile")).to_have_text("Unsure: nobody can tell")
        page.keyboard.press("s")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        expect(page.locator("#status")).to_have_text("What was changed in hand-self-draw.jpg is not kept yet.")
        page.keyboard.press("s")
        expect(page.locator("#name")).to_have_text("hand-self-draw.jpg")
        expect(page.locator(SHOWN)).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text(f"Kept: {len(read.boxes) - 1} confirmed, 1 unsure.")
        page.keyboard.press("k")
        expect(page.locator("#name")).to_have_text("hand-self-draw.jpg")
        expect(page.locator("polygon.unsure")).to_have_count(1)
        page.locator("polygon.unsure").click()
        page.keyboard.press("n")
        page.locator("#code").fill("2p")
        page.keyboard.press("Enter")
        expect(page.locator("polygon.unsure")).to_have_count(0)
    (record,) = read_labels(place / "labels" / CORRECTIONS)
    assert record.ignored == (read.boxes[2].bounds,) and len(record.boxes) == len(read.boxes) - 1


@pytest.mark.slow
def test_pictures_are_found_by_name_and_by_tile(place, browser):
    with opened(place, browser) as page:
        names = page.locator("#pictures button")
        expect(names).to_have_count(2)
        page.keyboard.press("/")
        page.keyboard.type("RIICHI")
        expect(names).to_have_count(1)
        expect(page.locator("#count")).to_have_text("0 of 1 looked through")
        press(page, "Enter", "j")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")
        page.locator("#search").fill("")
        expect(names).to_have_count(2)
        (one, two) = (Counter(b.tile.code for b in r.boxes) for r in read_labels(place / "labels"))
        page.locator("#class").select_option(next(iter(two - one)))
        expect(names).to_have_count(1)
        expect(names).to_contain_text("hand-self-draw.jpg")
        page.locator("#search").fill("riichi")
        expect(page.locator("#status")).to_have_text("No picture is found.")
        page.locator("#name").click()
        page.keyboard.press("j")
        expect(page.locator("#name")).to_have_text("hand-riichi.jpg")


@pytest.mark.slow
def test_wrong_labels_stand_out_among_the_tiles_of_a_class(place, browser):
    """A click on a crop opens its picture with the tile chosen; once it is kept, the others are there again."""
    with opened(place, browser) as page:
        page.locator("#class").select_option("2p")
        page.keyboard.press("Escape")
        page.locator("#show-grid").click()
        crops = page.locator("#crops button")
        count = sum(b.tile is tile("2p") for r in read_labels(place / "labels") for b in r.boxes)
        expect(crops).to_have_text(["2p 41 %", *["2p 97 %"] * (count - 1)])
        for image in page.locator("#crops img").all():
            expect(image).to_have_js_property("complete", value=True)
            assert image.evaluate("image => image.naturalWidth") == 64
        crops.first.click()
        expect(page.locator("#picture")).to_be_visible()
        expect(page.locator("#tile")).to_contain_text("2p")
        expect(page.locator("polygon.chosen")).to_have_attribute("data-tile", "2")
        expect(page.locator(SHOWN)).to_have_count(1)
        press(page, "2", "Enter")
        expect(crops).to_have_count(count - 1)
        expect(page.locator("#status")).to_contain_text("1 renamed")
        page.keyboard.press("c")
        expect(page.locator("#name")).to_have_text("hand-self-draw.jpg")
        page.locator("#class").select_option("")
        page.keyboard.press("c")
        expect(page.locator("#grid-count")).to_contain_text(
            str(sum(len(r.boxes) for r in read_labels(place / "labels")))
        )
        page.keyboard.press("/")
        expect(page.locator("#search")).to_be_focused()
