"""Two taps to the money: after the photo who won and who paid, and everybody's amount stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import pytest

from scoring.rules import systems
from scripts.browser.phone import EXAMPLES, HAND, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game.test_game_end import enter, game
from tests.hupai.test_page.test_whole.test_accessible import findings, sideways, small_targets

PHOTOS = {"riichi": EXAMPLES / "hand-riichi.jpg", "taiwanese": EXAMPLES / "hand-taiwanese.jpg"}
COUNT = "window.taps = 0; addEventListener('pointerup', (e) => { if (e.isTrusted) window.taps += 1 }, true)"


def tap(phone: Phone, *keys: str) -> None:
    for key in keys:
        phone.at(f'label:has(> [data-key="{key}"]), button[data-key="{key}"]').tap()


def taps(phone: Phone) -> int:
    """Since they are counted; taking the photo is the first."""
    return 1 + int(phone.page.evaluate("window.taps"))


def amounts(phone: Phone) -> list[str]:
    """What stands in the bar under the thumb."""
    phone.page.wait_for_selector("#bar .amounts")
    return phone.at("#bar .amounts b").all_inner_texts()


def figure(text: str) -> int:
    return int(text.replace(",", "").replace("−", "-"))


def figures(phone: Phone) -> list[int]:
    return [figure(text) for text in amounts(phone)]


def asked(phone: Phone) -> list[str]:
    """What the bar asks for."""
    keys = phone.at(".prompts [data-key]").evaluate_all("all => all.map((one) => one.dataset.key)")
    return [str(key).removeprefix("prompt-") for key in keys]


@pytest.mark.parametrize(
    ("rules", "payer"),
    [("riichi", "W"), ("taiwanese", "W"), *((rules, "S") for rules in systems() if rules not in PHOTOS)],
)
def test_photo_to_payment_takes_three_taps(phone: Phone, rules: str, payer: str) -> None:
    """By self-draw, and on a discard, which a first hand of Hangzhou does not win."""
    phone.use_rules(rules)
    phone.page.evaluate(COUNT)
    phone.photograph(PHOTOS.get(rules, HAND))
    tap(phone, "seat=S", f"payer={payer}")
    assert taps(phone) <= 3
    shown = amounts(phone)
    answer = phone.score()["answer"]
    assert answer["legal"], answer
    assert [text.replace(",", "").replace("−", "-") for text in shown] == [
        f"{answer['payments'][seat]:+d}" if answer["payments"][seat] else "0" for seat in "ESWN"
    ]


def test_riichi_with_dora_and_ura_takes_eight(phone: Phone) -> None:
    """An ura indicator lies under a dora indicator, so there is no key for it before one is there."""
    phone.use_rules("riichi")
    phone.page.evaluate(COUNT)
    phone.photograph(HAND)
    tap(phone, "seat=S", "payer=W", "chip-riichi")
    assert phone.key("add-ura").count() == 0
    tap(phone, "add-dora", "key-2m")
    phone.closed()
    tap(phone, "add-ura", "key-1m")
    phone.closed()
    assert phone.key("add-ura").count() == 0, "nothing lies under it any more"
    assert taps(phone) <= 8
    amounts(phone)
    assert phone.codes("ura") == ["1m"]
    assert "riichi" in {e["id"] for e in phone.score()["answer"]["elements"]}


LOCALES = ["en-GB", "zh-HK", "zh-TW", "zh-CN", "ja-JP"]


@pytest.mark.parametrize(("locale", "scheme"), list(zip(LOCALES, ["light", "dark"] * 3, strict=False)))
def test_riichi_and_a_dora_take_three_taps_more(ring: Ring, axe: str, locale: str, scheme: str) -> None:
    """They are asked for beside the amounts with what they would change, which then is what the amounts changed by."""
    phone = ring(size=(360, 740), locale=locale, color_scheme=scheme)
    phone.use_rules("riichi")
    phone.page.evaluate(COUNT)
    phone.photograph(HAND)
    tap(phone, "seat=S", "payer=W")
    assert figures(phone)[1] == 8000 and asked(phone) == ["riichi", "dora_indicators"]
    tap(phone, "prompt-riichi")
    phone.key("prompt-ippatsu").wait_for()
    phone.settle()
    assert figures(phone)[1] == 8000, "a fifth han is a mangan, too"
    assert asked(phone) == ["riichi", "dora_indicators", "ippatsu"], "ura lies under a dora indicator"
    assert phone.text("[data-key=prompt-dora_indicators] small") == "+4,000"
    assert phone.at(".prompts").evaluate("keys => keys.scrollWidth <= keys.clientWidth && keys.offsetHeight < 60")
    tap(phone, "prompt-dora_indicators", "key-3p")
    phone.closed()
    phone.settle()
    assert figures(phone)[1] == 12000
    assert asked(phone) == ["riichi", "ippatsu", "ura_indicators"]
    assert phone.at(".prompts").evaluate("keys => keys.scrollWidth <= keys.clientWidth && keys.offsetHeight < 60")
    assert taps(phone) <= 6
    assert not findings(phone, axe) and not sideways(phone) and not small_targets(phone)
    words = phone.text(".prompts")
    assert bool(re.search("[a-z]{3,}", words)) is (locale == "en-GB")
    tap(phone, "prompt-riichi")
    phone.settle()
    assert asked(phone) == ["riichi"], "what hangs on it goes with it, and the dora stays"
    assert len(phone.codes("dora")) == 1


def test_a_dora_that_the_photo_shows_is_not_asked_for(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.photograph(PHOTOS["riichi"])
    tap(phone, "seat=S", "payer=W")
    amounts(phone)
    assert phone.codes("dora") and phone.at(".prompts").count() == 0, "nor is riichi with an open hand"


def test_riichi_makes_a_win_of_a_hand_without_yaku(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.lay("1m 1m 1m 3m 4m 5m 3p 4p 5p 7s 8s 2s 2s 9s")
    tap(phone, "seat=S", "payer=W", "prompt-riichi")
    assert figures(phone)[1] == 1300


def test_a_yakuman_asks_for_nothing(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.lay("1m 1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z")
    tap(phone, "seat=S", "payer=W")
    assert figures(phone)[1] == 32000 and phone.at(".prompts").count() == 0
    tap(phone, "chip-riichi")
    phone.page.wait_for_selector(".prompts")
    assert asked(phone) == ["riichi"], "what was said can be taken back"
    phone.press("bar", "fold-why", shows=".why-more [role=status] :is(li, p)")
    assert "Dora" not in phone.text(".why-more")


def test_what_is_open_is_said_wherever_the_hand_is_explained(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.lay()
    tap(phone, "seat=S", "payer=W", "prompt-riichi")
    phone.page.wait_for_selector("[data-key=prompt-ippatsu]")
    assert "every hand has one" in phone.text(".zone.dora")
    assert phone.text("[data-key=fact-dora_indicators]") == "Dora: none"
    phone.press("bar", "fold-why", shows=".why-more li")
    change = next(o["change"] for o in phone.score()["answer"]["open"] if o["name"] == "dora_indicators")
    assert f"Dora (every hand has one) · +{change:,}" in phone.text(".why-more")
    phone.close_by("fact-dora_indicators", "key-1z")
    phone.settle()
    phone.until(lambda: "Dora" not in phone.text(".why-more").split("One step")[0].replace("Ura dora", ""))
    assert phone.key("fact-dora_indicators").count() == 0


def test_the_wild_tile_and_the_dealers_streak_are_asked_for_until_they_are_known(phone: Phone) -> None:
    phone.use_rules("hangzhou")
    phone.lay()
    tap(phone, "seat=S", "payer=S")
    amounts(phone)
    tap(phone, "prompt-indicator", "tab-s", "key-9s")
    phone.closed()
    phone.settle()
    assert asked(phone) == [] and phone.score()["request"]["context"]["indicator"] == "9s"

    phone.use_rules("taiwanese")
    phone.lay("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 6s 7s 8s 4p")
    phone.answer(seat="S", win="discard", giver="W")
    phone.settle()
    assert phone.at(".prompts").count() == 0, "the dealer has no part in it"
    phone.answer(seat="E", win="self_draw")
    phone.settle()
    before, (value, change) = figures(phone)[0], phone.text(".prompts small").split(": ")
    tap(phone, "prompt-streakplus")
    phone.settle()
    assert (value, figures(phone)[0] - before) == ("1", figure(change))
    assert phone.text(".prompts output") == "1" and phone.score()["request"]["context"]["streak"] == 2

    phone.begin_game(rules="taiwanese")
    phone.go("hand")
    phone.lay("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 6s 7s 8s 4p")
    phone.answer(seat="E", win="self_draw")
    phone.settle()
    assert phone.at("#bar .amounts").count() == 1 and phone.at(".prompts").count() == 0, "the game knows it"


@pytest.mark.parametrize(
    ("rules", "photo"),
    [("hongkong", HAND), ("riichi", EXAMPLES / "hand-riichi.jpg"), ("taiwanese", EXAMPLES / "hand-taiwanese.jpg")],
)
def test_in_a_game_the_bar_leaves_a_scored_hand_in_sight(phone: Phone, rules: str, photo: Path) -> None:
    phone.begin_game(rules=rules)
    phone.go("hand")
    phone.photograph(photo)
    phone.answer(seat="S", win="self_draw")
    phone.key("record").wait_for()
    bar, record = phone.steady("#bar"), phone.steady("[data-key=record]")
    assert record["top"] >= phone.steady(".amounts")["bottom"]
    for zone in ("winning", "melds"):
        assert phone.steady(f".zone.{zone} .tile, .zone.{zone} .add-tile")["bottom"] <= bar["top"]
    assert phone.steady(".score-bar small")["right"] <= record["left"]
    assert phone.steady(".photo-keys")["top"] >= phone.steady(".photo-stage")["bottom"], "no key lies on a tile"
    phone.page.evaluate(COUNT)
    tap(phone, "record")
    phone.page.wait_for_selector(".at-game .hands li")
    assert phone.page.evaluate("window.taps") == 1, "after the amounts the ledger takes one tap"


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_the_winner_gains_one_figure_everywhere(ring: Ring, server: Server, locale: str) -> None:
    """A stick that comes back is no gain: waits, bar, score, comparison, house rules and ledger say the same."""
    phone = ring(size=(360, 740), locale=locale)
    phone.begin_game(rules="riichi", points="25000")
    phone.go("hand")
    phone.lay("2m 3m 4m 5m 6m 7m 3p 4p 0p 6s 7s 2s 2s")
    phone.answer(seat="S", win="discard", giver="W")
    phone.press("chip-riichi", shows="[data-key='wait-8s']")
    promised = phone.at("li:has(> [data-key='wait-8s']) b").inner_text()
    phone.press("wait-8s", shows="#bar .amounts .gain b")
    bar = phone.at("#bar .amounts b").all_inner_texts()
    assert promised == bar[1] == "+7,700"
    phone.press("bar", shows=".at-score")
    assert phone.at(".hero .net td").all_inner_texts() == bar
    said = [int(re.sub(r"\D", "", text)) for text in phone.at(".transfers li b").all_inner_texts()]
    assert sorted(said) == [1000, 1000, 7700], "the stick goes out and comes back"
    whys = " ".join(phone.at(".transfers small").all_inner_texts())
    assert bool(re.search("[a-z]{3,}", whys)) is (locale == "en-GB")
    phone.key("fold-why").click()
    rule = phone.at(".why-more li b").filter(has_text=re.compile(r"\d.*\d")).first.inner_text()
    change, income = [int(text.replace(",", "").replace("−", "-")) for text in re.findall(r"[+−]?\d[\d,]*", rule)]
    assert income - change == 7700
    phone.press("all", shows=".systems h3 small")
    assert "+7,700" in phone.at(".systems li:has(h3 small) .system-total").inner_text()
    phone.press("record", shows=".hands li")
    assert game(server, phone)["hands"][0]["payments"] == [0, 7700, -7700, 0]


WINNERS = {"S": "2m 3m 4m 5m 6m 7m 3p 4p 0p 6s 7s 2s 2s", "N": "1m 2m 3m 4m 5m 6m 7m 8m 9m 6s 7s 5z 5z"}


@pytest.mark.parametrize("house", ["nearest", "each"])
@pytest.mark.parametrize(("first", "second"), ["SN", "NS"])
def test_of_two_winners_each_counts_what_he_takes_of_the_table(
    ring: Ring, server: Server, first: str, second: str, house: str
) -> None:
    """North, next after the discarder, takes sticks and counters, whoever was entered first, unless each takes."""
    settings = json.dumps({"options": {"riichi": {"counters_and_sticks": house}}})
    storage = {"origin": server.url, "localStorage": [{"name": "hupai.settings", "value": settings}]}
    phone = ring(storage_state={"cookies": [], "origins": [storage]})
    phone.begin_game(rules="riichi", points="25000")
    enter(server, phone, outcome="draw", ready=["E", "S"], riichi=["S"])
    phone.go("hand")
    phone.lay(f"{WINNERS[first]} 8s")
    phone.answer(seat=first, win="discard", giver="W")
    tap(phone, "prompt-riichi")
    phone.show_score(seat=first, win="discard", giver="W")
    phone.press("other-winner", shows=".at-hand")
    phone.lay(WINNERS[second])
    tap(phone, f"seat={second}", "chip-riichi")
    asked = phone.score()["request"]["context"]
    gain = figures(phone)["ESWN".index(second)]
    assert phone.codes("winning") == ["8s"], "both won with one tile"
    phone.press("bar", "fold-why", shows=".why-more li b")
    changed = [figure(n) for n in re.findall(r"[+−]?\d[\d,]*", phone.at(".why-more li b").last.inner_text())]
    assert changed[1] - changed[0] == gain
    phone.press("all", shows=".systems h3 small")
    assert f"{gain:+,}" in phone.text(".systems li:has(h3 small) .system-total")
    phone.press("record", shows=".hands li:nth-child(2)")
    number = game(server, phone)["id"]
    scored = httpx.get(f"{server.api}/games/{number}/hands/2").json()["request"]["scored"]
    (booked,) = [one["context"] for one in scored if one["context"]["seat"] == second]
    for name in ("counters", "riichi_sticks"):
        assert asked.get(name, 0) == booked[name]


def test_what_cannot_be_booked_of_two_winners_is_no_amount(phone: Phone) -> None:
    """Not what one of them gains: both won with one tile, which is put right in the hand that lacks it."""
    phone.begin_game()
    phone.go("hand")
    phone.lay()
    phone.show_score(seat="S", win="discard", giver="E")
    phone.press("other-winner", shows=".start")
    phone.allowed.append("status of 422")
    phone.lay("1s 2s 3s 4s 5s 6s 7s 8s 9s 2p 3p 6m 6m 1p")
    phone.choose("seat", "W")
    phone.page.wait_for_selector(".bar-faults")
    assert phone.at(".amounts").count() == 0 and "same tile" in phone.text(".bar-faults")
    assert phone.at("[data-key^='payer=']").count() == 0, "it is known"
    phone.press("bar", shows=".at-score")
    assert phone.at(".net, .transfers").count() == 0
    phone.go("hand")
    phone.tile("winning", 0).click()
    phone.page.get_by_role("button", name="Remove").click()
    phone.closed()
    phone.page.wait_for_selector(".amounts .gain b")
    assert phone.codes("winning") == ["4p"] and figures(phone)[1] > 0 and figures(phone)[2] > 0
    phone.press("record", shows=".hands li")


def test_a_hand_of_more_sets_is_scored_by_its_rules_in_one_tap(phone: Phone) -> None:
    phone.lay("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 6s 7s 8s 4p")
    phone.page.wait_for_selector(".count.open")
    tap(phone, "seat=S", "payer=W")
    assert "Tap a tile" in phone.text("#bar .score-bar"), "nothing is to be added"
    tap(phone, "other-rules")
    amounts(phone)
    assert phone.score()["request"]["rules"] == "taiwanese" and phone.key("other-rules").count() == 0
    phone.use_rules("hongkong")
    phone.lay("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 6s 7s")
    assert phone.score()["tiles"] == -1 and phone.key("other-rules").count() == 0, "no rules have such a hand"


def test_another_photo_may_be_chosen(phone: Phone) -> None:
    phone.photograph(HAND)
    with phone.page.expect_file_chooser() as chooser:
        phone.at("label[for=choose-another]").tap()
    chooser.value.set_files(str(PHOTOS["riichi"]))
    phone.page.wait_for_function("() => inside.reading")
    assert phone.at(".tray .count").count() == 0, "nothing is missing before it is read"
    phone.page.wait_for_function("() => !inside.reading")
    assert phone.codes("dora") or phone.codes()


def test_in_large_type_the_key_that_records_holds_its_words(ring: Ring) -> None:
    phone = ring(size=(360, 740))
    phone.begin_game()
    phone.go("hand")
    phone.lay()
    phone.answer(seat="S", win="self_draw")
    phone.key("record").wait_for()
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    phone.steady("[data-key=record]")
    words = """key => {
      const range = document.createRange();
      range.selectNodeContents(key);
      const [inside, around] = [range.getBoundingClientRect(), key.getBoundingClientRect()];
      return inside.left >= around.left && inside.right <= around.right && inside.height < 120;
    }"""
    assert phone.key("record").evaluate(words), "two words in two lines, none of them broken, and a sign"
