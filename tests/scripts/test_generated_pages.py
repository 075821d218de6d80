"""Tables that scripts make of the code are what they would be today."""

import pytest

from scripts.docs import formats, request


@pytest.mark.release
def test_the_table_of_the_request_is_current():
    text = request.PAGE.read_text(encoding="utf-8")
    assert request.page(text) == text, "run python -m scripts.docs.request"


def test_the_table_of_label_formats_is_current():
    text = formats.PAGE.read_text(encoding="utf-8")
    assert formats.page(text) == text, "run python -m scripts.docs.formats"
