"""A reading or a score as a card for notebooks: self-contained HTML, including the picture."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

    from scoring.score import Score

WIDTH_PX = 640
"""Longer side of the picture on a card, pixels."""


def notebook_card(name: str, picture: Image, notes: Iterable[str], score: Score | None = None) -> str:
    """Return the marked photo, the elements, the total, the payments, and notes about the reading.

    Args:
        name: of the photo. picture: the photo with its tiles marked. notes: sentences.
    """
    small = picture.copy()
    small.thumbnail((WIDTH_PX, WIDTH_PX))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=80)
    data = base64.b64encode(file.getvalue()).decode()
    image = f'<img alt="{escape(name, quote=True)}, tiles marked" src="data:image/jpeg;base64,{data}">'
    said = "".join(f"<div>{escape(note)}</div>" for note in notes)
    return f'<div class="hupai">{image}{"" if score is None else _format_score(score)}{said}</div>'


def _format_score(score: Score) -> str:
    total = score.to_json()["total"]
    lines = () if score.tally is None else score.tally.lines
    rows = [(f"{line.element.name} {line.element.native}", str(line.value), line.why) for line in lines]
    rows.append(("In all", str(total["value"]), str(total["unit"])))
    body = f"<b>{escape(f'{score.system.name} {score.system.native}')}</b>{_format_table(rows)}"
    if score.refusal is not None:
        return f"{body}<p><b>{escape(score.refusal.message)}</b></p>"
    if score.payments is not None:
        body += _format_table([(seat, str(amount)) for seat, amount in score.payments.to_json().items() if amount])
    return body


def _format_table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
