"""Names are typed while the page is drawn anew: by an input method, as Chinese and Japanese are, and by a keyboard."""

from __future__ import annotations

from scripts.browser.phone import Phone
from tests.hupai.test_page.conftest import Ring

FIELD = "#field-player-0"
FEWER = """async (gone) => {
  const { setSystems, systems } = await part('js/state/rules.js');
  setSystems(systems.filter((rules) => rules.id !== gone));
  (await part('js/state/signal.js')).emit('about');
}"""


def composing(phone: Phone, *steps: str) -> None:
    """Compose a word in the field that has the keyboard; not finished yet."""
    keyboard = phone.context.new_cdp_session(phone.page)
    for word in steps:
        keyboard.send("Input.imeSetComposition", {"text": word, "selectionStart": len(word), "selectionEnd": len(word)})


def finished(phone: Phone, word: str) -> None:
    """The word that the input method gives for what was composed."""
    phone.context.new_cdp_session(phone.page).send("Input.insertText", {"text": word})


def drawn(phone: Phone, gone: str) -> None:
    """The page is drawn anew, without a rule system."""
    choice = phone.at(f"[data-key='game-rules={gone}']")
    assert choice.count() == 1
    phone.page.evaluate(FEWER, gone)
    choice.wait_for(state="detached")


def names_asked(ring: Ring) -> Phone:
    """Where a game is begun, the first name being typed."""
    phone = ring(locale="ja-JP")
    phone.page.wait_for_function("() => inside.about")
    phone.go("game")
    phone.at(FIELD).click()
    phone.page.evaluate(
        """(field) => {
          const kept = document.querySelector(field);
          window.before = { kept, left: 0 };
          kept.addEventListener('blur', () => (before.left += 1));
        }""",
        FIELD,
    )
    return phone


def test_a_word_that_is_composed_outlasts_a_drawing(ring: Ring) -> None:
    phone = names_asked(ring)
    composing(phone, "に")
    drawn(phone, "mcr")
    composing(phone, "にほ", "にほん")
    assert phone.at(FIELD).input_value() == "にほん"
    finished(phone, "日本")
    drawn(phone, "singapore")
    assert phone.at(FIELD).input_value() == "日本"
    assert phone.page.evaluate("() => document.activeElement.id") == FIELD[1:]
    for seat in (1, 2, 3):
        phone.at(f"#field-player-{seat}").fill(f"P{seat}")
    phone.key("create-game").click()
    phone.page.wait_for_function("() => inside.game")
    assert phone.page.evaluate("() => inside.game.players[0].name") == "日本"


def test_a_drawing_does_not_take_the_keyboard_away(ring: Ring) -> None:
    """A phone hides its keyboard when the field is left."""
    phone = names_asked(ring)
    phone.page.keyboard.type("Mei Li")
    phone.page.keyboard.press("ArrowLeft")
    for gone, letter, name in (("mcr", "n", "Mei Lni"), ("singapore", "a", "Mei Lnai")):
        drawn(phone, gone)
        phone.page.keyboard.type(letter)
        assert phone.at(FIELD).input_value() == name, "what was typed before is known to the drawing"
    assert phone.page.evaluate("() => before.kept.isConnected")
    assert phone.page.evaluate("() => before.left") == 0
