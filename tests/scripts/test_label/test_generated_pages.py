"""A table that a script makes of the code is what it would be today."""

from scripts.docs import formats


def test_the_table_of_label_formats_is_current():
    text = formats.PAGE.read_text(encoding="utf-8")
    assert formats.page(text) == text, "run python -m scripts.docs.formats"
