"""Doubts answered where they are asked, thirteen tiles with their prices, and the photo's tiles in reading order."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from scripts.browser.phone import Phone

if TYPE_CHECKING:
    from playwright.sync_api import Route

STEP = 60  # pixels from tile to tile


def reading(rows: list[str], *, doubts: list[tuple[str, int, int]] = (), **hand: Any) -> dict[str, Any]:  # type: ignore[assignment]
    """A Read response, its tiles in no order: each row is ``role: codes``; doubts are (code, row, place)."""
    spots = []
    for y, row in enumerate(rows):
        role, codes = row.split(": ")
        spots += [(y, x, role, code) for x, code in enumerate(codes.split())]
    shuffled = random.Random(7).sample(spots, len(spots))
    tiles = [
        {
            "tile": code,
            "confidence": 0.99,
            "corners": [
                [x * STEP + 40 + dx, y * 2 * STEP + 40 + dy] for dx, dy in ((0, 0), (48, 0), (48, 64), (0, 64))
            ],
            "alternatives": [],
            "role": role,
            "group": y,
        }
        for y, x, role, code in shuffled
    ]
    told = [
        {"code": code, "tile": next(i for i, s in enumerate(shuffled) if s[:2] == (y, x)), "message": code}
        for code, y, x in doubts
    ]
    of = {"melds": [], "winning_tile": None, "bonus": [], "dora_indicators": [], **hand}
    return {"image": "x.jpg", "width": 1000, "height": 700, "tiles": tiles, "hand": of, "doubts": told, "repairs": []}


def show(phone: Phone, read: dict[str, Any]) -> None:
    phone.page.route("**/api/v1/read", lambda route: route.fulfill(json=read))
    phone.photograph()


def settle_doubt(phone: Phone, answer: str) -> None:
    """The one doubt is opened, answered with one tap, and gone."""
    phone.close_by("review", f"answer-{answer}")
    assert phone.key("review").count() == 0
    assert phone.at(".tray .doubtful").count() == 0


LOOSE = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2p"
KONG = {"type": "kong_open", "tiles": ["9s"] * 4, "from": None}


def test_what_kong_it_was_is_asked_until_it_is_answered(phone: Phone) -> None:
    """Closing its sheet, keeping the face or naming another says nothing of how the kong was made."""
    rows = ["meld: 9s 9s 9s 9s", f"concealed: {LOOSE}", "winning: 2p"]
    doubts = [("kong_kind_unknown", 0, 0)]
    show(phone, reading(rows, doubts=doubts, concealed=LOOSE.split(), melds=[KONG], winning_tile="2p"))
    phone.answer(seat="S", win="self_draw")
    phone.key("review").click()
    phone.escape()
    assert phone.at(".tray .doubtful").count() == 1
    phone.press("review", "likely-9s")
    phone.allowed.append("status of 422")
    for code, name in (("8s", "8 of bamboo"), ("9s", "9 of bamboo")):
        phone.at("dialog [data-key='tab-s']").click()
        phone.key(f"key-{code}").click()
        phone.at(f"dialog h2:has-text('{name}')").wait_for()
        assert phone.key("answer-kong_added").is_visible(), "the question still stands"
    phone.escape()
    phone.press("bar", shows=".at-score .hero .review")
    settle_doubt(phone, "kong_added")
    assert phone.hand()["melds"][0]["type"] == "kong_added"
    assert "doubtful" not in phone.text(".hero")


def test_a_set_that_is_none_goes_back_where_it_was_read(phone: Phone) -> None:
    """The detector saw the tiles in another order than they lie in; broken up, they stand as they lie."""
    whole = "1m 2m 3m 7p 8p 9p 4m 5m 6m 7m 8m 9m 2p"
    rows = [f"concealed: {whole}", "winning: 2p"]
    read = reading(rows, concealed=[c for c in whole.split() if c[1] == "m" or c == "2p"], winning_tile="2p")
    read["hand"]["melds"] = [{"type": "chow", "tiles": ["7p", "8p", "9p"], "from": None}]
    for tile in read["tiles"]:
        if tile["tile"] in ("7p", "8p", "9p"):
            tile |= {"role": "meld", "group": 5}
    unclear = next(i for i, tile in enumerate(read["tiles"]) if tile["tile"] == "7p")
    read["doubts"] = [{"code": "melds_unclear", "tile": unclear, "message": "?"}]
    show(phone, read)
    settle_doubt(phone, "hand")
    assert phone.codes() == whole.split()


APART = ["7p 8p 9p", "4m 5m 6m", "2s 3s 4s"]
"""Sets of a hand that may be melds."""


def in_groups(*, asked: bool) -> dict[str, Any]:
    """A closed hand laid in groups, of which all but a set and the pair were taken for melds."""
    rows = ["concealed: 1m 2m 3m 5z", "winning: 5z", *(f"meld: {codes}" for codes in APART)]
    melds = [{"type": "chow", "tiles": codes.split(), "from": None} for codes in APART]
    doubts = [("winning_tile_unknown", 1, 0), *(("melds_unclear", y, 0) for y in (2, 3, 4))] if asked else []
    return reading(rows, doubts=doubts, concealed=["1m", "2m", "3m", "5z"], winning_tile="5z", melds=melds)


def test_sets_in_question_are_answered_with_two_taps(phone: Phone) -> None:
    """They are asked about before the tile that won, which may then be any of the row, and the score follows."""
    show(phone, in_groups(asked=True))
    phone.answer(seat="S", win="self_draw")
    before = phone.score()["answer"]
    phone.press("review", "answer-all_hand")
    phone.key("answer-won-4s").wait_for()
    assert phone.hand()["melds"] == []
    assert phone.codes() == ["1m", "2m", "3m", "5z", *" ".join(APART).split()]
    assert phone.score()["answer"] != before
    phone.close_by("answer-won-4s")
    assert phone.codes("winning") == ["4s"] and phone.key("review").count() == 0


def test_sets_in_question_are_all_declared(phone: Phone) -> None:
    show(phone, in_groups(asked=True))
    phone.close_by("review", "answer-all_meld", "answer-won-5z")
    assert len(phone.hand()["melds"]) == 3 and phone.key("review").count() == 0


def test_melds_that_are_none_go_back_with_two_taps(phone: Phone) -> None:
    show(phone, in_groups(asked=False))
    phone.at(".meld-name").nth(1).click()
    phone.close_by("break-all")
    assert phone.hand()["melds"] == [] and len(phone.codes()) == 13


def test_a_set_that_lies_there_becomes_a_meld_with_two_taps(phone: Phone) -> None:
    """Of tiles alike it takes those that lie beside the one that was tapped; a kong may be any."""
    codes = "1m 2m 3m 1m 2m 3m 5z 5z 5z 5z 7p 8p 2s"
    show(phone, reading([f"concealed: {codes}", "winning: 2s"], concealed=codes.split(), winning_tile="2s"))
    ids = [tile["id"] for tile in phone.hand()["concealed"]]
    phone.tile("concealed", 4).click()
    phone.at("dialog section .meld-choice").click()
    phone.closed()
    assert [tile["id"] for tile in phone.hand()["melds"][0]["tiles"]] == ids[3:6]
    phone.tile("concealed", 3).click()
    phone.at("dialog section .meld-choice:has-text('Concealed kong')").click()
    phone.closed()
    assert [meld["type"] for meld in phone.hand()["melds"]] == ["chow", "kong_concealed"]


def test_which_tile_won_is_asked_of_a_doubtful_face_too(phone: Phone) -> None:
    rows = ["concealed: 1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 2p 3s 4s", "winning: 5s"]
    doubts = [("winning_tile_unknown", 1, 0), ("low_confidence", 1, 0)]
    show(phone, reading(rows, doubts=doubts, concealed=rows[0].split(": ")[1].split(), winning_tile="5s"))
    phone.press("review", "answer-won-3s")
    phone.at("dialog:not(:has([data-key^='answer-won']))").wait_for()
    phone.escape()
    assert phone.codes("winning") == ["3s"] and "5s" in phone.codes()
    assert phone.key("review").count() == 1, "the face is still in doubt"


MISMATCH = """async () => (await axe.run('dialog', { runOnly: ['label-content-name-mismatch'] })).violations
  .flatMap(({ nodes }) => nodes.map(({ html }) => html))"""


def test_which_set_it_is(phone: Phone, axe: str) -> None:
    rows = ["meld: 7p 8p 9s", f"concealed: {LOOSE}", "winning: 2p"]
    melds = [{"type": "chow", "tiles": ["7p", "8p", "9s"], "from": None}]
    doubts = [("unreadable_meld", 0, 0)]
    show(phone, reading(rows, doubts=doubts, concealed=LOOSE.split(), melds=melds, winning_tile="2p"))
    phone.key("review").click()
    phone.key("answer-set-7p8p9p").wait_for()
    phone.page.evaluate(axe)
    assert phone.page.evaluate(MISMATCH) == [], "who speaks to the phone says what they see"
    phone.escape()
    settle_doubt(phone, "set-7p8p9p")
    assert [tile["code"] for tile in phone.hand()["melds"][0]["tiles"]] == ["7p", "8p", "9p"]


def test_of_two_hands_the_other_one_and_back(phone: Phone) -> None:
    first = reading([f"concealed: {LOOSE} 3s 4s 5s"], concealed=[*LOOSE.split(), "3s", "4s", "5s"])
    other = reading(
        ["concealed: 1z 1z 1z 2z 2z 2z 3z 3z 3z 4z 4z 4z 5z"], concealed=["1z", "2z", "3z", "4z"] * 3 + ["5z"]
    )
    for read in (first, other):
        read["doubts"] = [{"code": "two_hands", "tile": None, "message": "?", "answers": ["1m", "1z"]}]

    def answer(route: Route) -> None:
        asked = b'name="other"' in (route.request.post_data_buffer or b"")
        route.fulfill(json=other if asked else first)

    phone.page.route("**/api/v1/read", answer)
    phone.photograph()
    assert "1m" in phone.codes()
    for shown, hidden in (("1z", "1m"), ("1m", "1z")):
        phone.key("other-hand").click()
        phone.at(f".tray .tile[data-code='{shown}']").first.wait_for()
        assert hidden not in phone.codes()


def aside(number: int, code: str, x: int) -> dict[str, Any]:
    corners = [[x, 400], [x + 48, 400], [x + 48, 464], [x, 464]]
    return {"number": number, "tile": code, "confidence": 0.97, "corners": corners, "alternatives": []}


def test_what_was_set_aside_is_kept_or_dropped(phone: Phone) -> None:
    """A tap drops one, one answer keeps the others; the photo is read with them, and no more is asked."""
    things = [aside(0, "3s", 100), aside(1, "4s", 200), aside(2, "5s", 300)]
    question = [{"code": "set_aside", "tile": None, "message": "?", "answers": ["3s", "4s", "5s"], "open": False}]
    first = reading([f"concealed: {LOOSE}"], concealed=LOOSE.split()) | {"aside": things, "doubts": question}
    codes = [*LOOSE.split(), "3s", "5s"]
    kept = reading([f"concealed: {' '.join(codes)}"], concealed=codes) | {"aside": things[1:2], "doubts": question}
    sent: list[bytes] = []

    def answer(route: Route) -> None:
        sent.append(route.request.post_data_buffer or b"")
        route.fulfill(json=kept if b'name="aside"' in sent[-1] else first)

    phone.page.route("**/api/v1/read", answer)
    phone.photograph()
    assert phone.at(".outline.aside").count() == 3
    assert phone.at(".outline.aside").first.get_attribute("aria-label") == "looks like 3 of bamboo, set aside"
    assert "Are they tiles?" in phone.text(".photo-part .caution")
    phone.at(".outline.aside").nth(1).focus()
    phone.page.keyboard.press("Enter")
    phone.close_by("drop-this")
    assert phone.at(".outline.aside").count() == 2
    phone.key("keep-aside").click()
    phone.at(".tray .tile[data-code='5s']").wait_for()
    assert len(sent) == 2 and b'name="aside"\r\n\r\n0,2\r\n' in sent[1]
    assert "4s" not in phone.codes() and phone.at(".outline.aside, .photo-part .caution").count() == 0
    corrected = phone.page.evaluate("async () => (await part('js/camera/samples.js')).mended()")
    assert corrected == 2, "they can be taught, too"


def test_what_was_set_aside_joins_a_hand_that_was_mended(phone: Phone) -> None:
    read = reading([f"concealed: {LOOSE}"], concealed=LOOSE.split()) | {"aside": [aside(0, "3s", 100)]}
    read["doubts"] = [{"code": "set_aside", "tile": None, "message": "?", "answers": ["3s"], "open": False}]
    show(phone, read)
    phone.at(".tray .tile[data-code='2p']").click()
    phone.at("dialog [data-key='tab-s']").click()
    phone.close_by("key-9s")
    phone.page.unroute("**/api/v1/read")
    phone.at(".outline.aside").focus()
    phone.page.keyboard.press("Enter")
    phone.close_by("keep-this")
    phone.at(".tray .tile[data-code='3s']").wait_for()
    assert "9s" in phone.codes() and phone.at(".outline.aside, .photo-part .caution").count() == 0


def test_a_doubtful_flower_offers_all_eight(phone: Phone) -> None:
    rows = [f"concealed: {LOOSE}", "winning: 2p", "bonus: g2"]
    show(
        phone,
        reading(rows, doubts=[("low_confidence", 2, 0)], concealed=LOOSE.split(), winning_tile="2p", bonus=["g2"]),
    )
    phone.key("review").click()
    for flower in (f"{suit}{n}" for suit in "fg" for n in range(1, 5)):
        assert phone.key(f"key-{flower}").is_visible()
    phone.close_by("key-f3")
    assert phone.codes("bonus") == ["f3"] and phone.key("review").count() == 0


def test_arrow_keys_follow_the_rows(phone: Phone) -> None:
    rows = ["meld: 9s 9s 9s", f"concealed: {LOOSE}"]
    melds = [{"type": "pung", "tiles": ["9s"] * 3, "from": None}]
    read = reading(rows, concealed=LOOSE.split(), melds=melds)
    show(phone, read)
    corner = {i: (t["corners"][0][1], t["corners"][0][0]) for i, t in enumerate(read["tiles"])}
    order = sorted(corner, key=lambda i: corner[i])
    assert phone.at(".outline[tabindex='0']").count() == 1, "all tiles are one stop"
    phone.at(f".outline[data-seen='{order[0]}']").focus()

    def after(key: str) -> int:
        phone.page.keyboard.press(key)
        return int(phone.page.evaluate("document.activeElement.dataset.seen"))

    assert [after("ArrowRight") for _ in order] == [*order[1:], order[0]]
    assert after("ArrowRight") == order[1]
    assert after("ArrowDown") == order[3 + 1], "the tile below, not the next one found"
    assert after("ArrowUp") == order[1]
    assert after("ArrowLeft") == order[0]


def test_thirteen_tiles_show_what_each_wait_pays(phone: Phone) -> None:
    """The usual picture of a win by discard: nothing is missing but to say which tile it was."""
    phone.lay("2m 3m 4m 5m 6m 7m 2p 3p 4p 5s 5s 6s 7s")
    assert phone.text(".tray .count") == "Without its winning tile"
    assert phone.text(".nearer h2") == "Ready"
    phone.answer(seat="S", win="discard", giver="W")
    phone.key("wait-8s").wait_for()
    assert [t.get_attribute("data-code") for t in phone.at(".waits .tile").all()] == ["5s", "8s"]
    price = phone.at(".waits small").nth(1).inner_text().split("\n")
    phone.key("wait-8s").click()
    answer = phone.score()["answer"]
    assert price == [f"{answer['total']['value']} faan", f"+{answer['payments']['S']}"]
    assert phone.codes("winning") == ["8s"]


def test_a_full_hand_that_does_not_win_shows_its_best_discards(phone: Phone) -> None:
    """At once, and once it is said how it was won with what the waits pay, with riichi and without."""
    phone.use_rules("riichi")
    phone.lay("2m 3m 4m 6m 7m 8m 2p 3p 4p 9s 9s 1z 2s 3s")

    def told() -> list[str]:
        phone.at(".discards > li").first.wait_for()
        return [one.get_attribute("aria-label") or "" for one in phone.at(".discards .rack li").all()]

    assert phone.text(".nearer h2") == "Ready after a discard"
    assert phone.text(".discards p") == "Discard East wind: 8 tiles help"
    assert told() == ["1 of bamboo × 4", "4 of bamboo × 4"]
    phone.answer(seat="S", win="discard", giver="E")
    phone.page.wait_for_selector("text=Not a valid win")
    phone.until(lambda: "Riichi" in told()[0])
    assert told() == ["1 of bamboo × 4, +1,000, Riichi: +2,000", "4 of bamboo × 4, +3,900, Riichi: +7,700"]

    phone.lay("2m 3m 4m 6m 7m 9m 2p 3p 5p 9s 9s 1z 2z 3s")
    phone.page.wait_for_selector("text=3 tiles from ready")
    assert phone.at(".discards > li").count() == 3
    phone.lay("2m 3m 4m 6m 7m 8m 2p 3p 4p 9s 9s 2s 3s 4s")
    phone.page.wait_for_selector("a.score-bar .amounts")
    assert phone.at(".nearer").count() == 0, "it wins"


def test_a_ready_hand_says_what_riichi_adds(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.lay("2m 3m 4m 6m 7m 8m 2p 3p 4p 9s 9s 2s 3s")
    phone.answer(seat="S", win="discard", giver="E")
    phone.key("wait-4s").wait_for()
    assert phone.key("wait-4s").get_attribute("aria-label") == "4 of bamboo, 3 han 30 fu, +3,900, Riichi: +7,700"
    phone.press("chip-riichi", shows="[data-key=wait-4s][aria-label='4 of bamboo, 4 han 30 fu, +7,700']")


def test_thirteen_tiles_that_wait_for_nothing_say_so(phone: Phone) -> None:
    phone.lay("1m 4m 7m 2p 5p 8p 3s 6s 9s 1z 2z 3z 4z")
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_selector("text=No tile completes it")


def test_a_photo_of_thirteen_asks_for_no_missing_tile(phone: Phone) -> None:
    codes = "2m 3m 4m 5m 6m 7m 2p 3p 4p 5s 5s 6s 7s"
    read = reading([f"concealed: {codes}", "other: 8s 8s"], concealed=codes.split())
    read["doubts"] = [{"code": "one_tile_short", "tile": None, "message": "?"}]
    show(phone, read)
    assert phone.at(".photo-part .caution").count() == 0
    phone.at(".nearer li").first.wait_for()
    left = [one.get_attribute("aria-label") for one in phone.at(".nearer li").all()]
    assert left == ["5 of bamboo × 2", "8 of bamboo × 2"], "those that lie beside the hand are not left"
    phone.answer(seat="S", win="self_draw")
    phone.key("wait-5s").wait_for()
