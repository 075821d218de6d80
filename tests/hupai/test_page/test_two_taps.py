"""Two taps to the money: after the photo who won and who paid, and everybody's amount stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring.rules import systems
from scripts.browser.phone import EXAMPLES, HAND, Phone
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring
from tests.hupai.test_page.test_game_end import game

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


def test_riichi_with_ura_takes_six(phone: Phone) -> None:
    phone.use_rules("riichi")
    phone.page.evaluate(COUNT)
    phone.photograph(HAND)
    tap(phone, "seat=S", "payer=W", "chip-riichi", "add-ura", "key-1m")
    phone.closed()
    assert taps(phone) <= 6
    amounts(phone)
    assert phone.codes("ura") == ["1m"]
    assert "riichi" in {e["id"] for e in phone.score()["answer"]["elements"]}


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
    phone.key("chip-riichi").click()
    phone.page.wait_for_selector("[data-key='wait-8s']")
    promised = phone.at("li:has(> [data-key='wait-8s']) b").inner_text()
    phone.key("wait-8s").click()
    phone.page.wait_for_selector("#bar .amounts .gain b")
    bar = phone.at("#bar .amounts b").all_inner_texts()
    assert promised == bar[1] == "+7,700"
    phone.key("bar").click()
    phone.page.wait_for_selector(".at-score")
    assert phone.at(".hero .net td").all_inner_texts() == bar
    said = [int(re.sub(r"\D", "", text)) for text in phone.at(".transfers li b").all_inner_texts()]
    assert sorted(said) == [1000, 1000, 7700], "the stick goes out and comes back"
    whys = " ".join(phone.at(".transfers small").all_inner_texts())
    assert bool(re.search("[a-z]{3,}", whys)) is (locale == "en-GB")
    phone.key("fold-why").click()
    rule = phone.at(".why-more li b").filter(has_text=re.compile(r"\d.*\d")).first.inner_text()
    change, income = [int(text.replace(",", "").replace("−", "-")) for text in re.findall(r"[+−]?\d[\d,]*", rule)]
    assert income - change == 7700
    phone.key("all").click()
    phone.page.wait_for_selector(".systems h3 small")
    assert "+7,700" in phone.at(".systems li:has(h3 small) .system-total").inner_text()
    phone.key("record").click()
    phone.page.wait_for_selector(".hands li")
    assert game(server, phone)["hands"][0]["payments"] == [0, 7700, -7700, 0]
