"""Figures and photos of an evaluation -> an HTML page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scripts.accuracy.matching import PhotoResult
from vision.io.photo import Photo
from vision.reading import ImageArray

RULES = """
<p>A sighting matches the annotated tile with the highest overlap, at least 0.5: of the polygons where the annotation
is a quad, of the upright boxes around both where it is a box. Some boxes hold only the printed symbol: under the rule
<i>centres</i> a box and a sighting also match when the centre of each lies in the other.</p>
<p><b>located</b>: annotated tiles with a match.
<b>named_when_located</b>: of those, the label is right. <b>end_to_end</b>: located and named right, of all annotated.
<b>precision</b>: matches, of matches and false alarms. A false alarm is a sighting without a match; those that cover
half of a box standing aside (an index strip, a stretched box) or lie in an ignore area count neither way.</p>
<p>Box annotations are not complete: face-down tiles, and some face-up ones in ponds, walls and at the edges, carry no
box and count as false alarms when they are seen. The figures <b>without_backs</b> leave face-down sightings out; they
are still a lower bound of the precision. <b>photos_all_right</b>: every annotated tile located and named
right. <b>photos_whole</b>: that and no false alarm.
<b>calibration_error</b>: expected calibration error of located tiles, 15 bins.</p>"""
STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.5em 1em 1em 0;display:inline-table;vertical-align:top}
td,th{border:1px solid #ccc;padding:.1em .6em;text-align:right}th:first-child,td:first-child{text-align:left}
img{max-width:100%}figure{display:inline-block;width:46%;margin:1%;vertical-align:top}figcaption{font-size:.85em}
.low{background:#fde9d9}"""
RIGHT, WRONG, MISSED, ALARM = (0, 158, 115), (213, 94, 0), (240, 228, 66), (204, 121, 167)
KEY = "green: right; orange with ≠: named wrong; yellow, dashed: not located; pink with +: false alarm"


def write_report(whole: dict[str, Any], results: Sequence[PhotoResult], out: Path, pictures: int) -> None:
    """Write index.html and the worst photos into a folder."""
    worst = sorted(results, key=lambda r: (-r.faults, r.photo.path.name))[:pictures]
    tables = "".join(_table(name, rows) for name, rows in whole["by"].items())
    bins = [(f"{sure:.3f}", f"{right:.3f}", count) for sure, right, count in whole["reliability"]]
    photos = "".join(_photo(result, out, i) for i, result in enumerate(worst))
    (out / "index.html").write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Evaluation of hupai's eyes</title>"
        f"<style>{STYLE}</style><h1>Evaluation of hupai's eyes</h1>{RULES}"
        f"<p>Boxes matched by: {whole['rule']}</p>{_made(whole['made'])}{_rows((), list(whole['figures'].items()))}"
        f"<h2>Broken down</h2>{tables}"
        f"<h2>Mistakes</h2>{_rows(('true', 'read', 'times'), whole['confusion'][:40])}"
        f"<h2>Confidence</h2>{_rows(('stated', 'share right', 'tiles'), bins)}"
        f"<h2>Photos, worst first</h2><p>{KEY}</p>{photos}</html>\n",
        encoding="utf-8",
    )


def _made(made: dict[str, Any]) -> str:
    """What made the figures, in a line."""
    said = [f"hupai {made['version']}", *(f"{role} {digits}" for role, digits in made["models"].items())]
    said += [f"--{name.replace('_', '-')} {value}" for name, value in made["options"].items() if value is not None]
    return f"<p>Made with {html.escape(', '.join(said))}.</p>"


def _table(name: str, rows: dict[str, Any]) -> str:
    columns = ("tiles", "located", "named_when_located", "end_to_end")
    head = "".join(f"<th>{column.replace('_', ' ')}</th>" for column in columns)
    body = ""
    for value, row in rows.items():
        low = ' class="low"' if (row["end_to_end"] or 0) < 0.97 else ""
        cells = "".join(f"<td>{row[column]}</td>" for column in columns)
        body += f"<tr{low}><td>{html.escape(value)}</td>{cells}</tr>"
    return f"<table><tr><th>{html.escape(name)}</th>{head}</tr>{body}</table>"


def _rows(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{cells}</table>"


def _photo(result: PhotoResult, out: Path, number: int) -> str:
    name = f"photo-{number:03d}.jpg"
    cv2.imwrite(str(out / name), marked(result)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
    right = sum(o.right for o in result.outcomes)
    text = f"{result.photo.path.name}: {right} of {len(result.outcomes)} right, {len(result.false_alarms)} false alarms"
    image = f'<a href="{name}"><img src="{name}" alt="" loading=lazy></a>'
    return f"<figure>{image}<figcaption>{html.escape(text)}</figcaption></figure>"


def marked(result: PhotoResult, least_side: int = 1100) -> ImageArray:
    """The photo with every tile's outcome drawn on it, (h, w, 3) uint8 RGB."""
    photo = Photo(result.photo.path)
    scale = least_side / max(photo.width, photo.height)
    canvas = np.array(cv2.resize(photo.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for outcome in result.outcomes:
        if outcome.seen is None:
            _draw(canvas, outcome.truth.corners * scale, MISSED, f"{outcome.truth.label}", dashed=True)
        elif outcome.right:
            _draw(canvas, outcome.seen.corners * scale, RIGHT, outcome.seen.tile.code)
        else:
            _draw(canvas, outcome.seen.corners * scale, WRONG, f"{outcome.seen.tile.code}≠{outcome.truth.label}")
    for alarm in result.false_alarms:
        _draw(canvas, alarm.corners * scale, ALARM, f"+{alarm.tile.code} {alarm.located:.2f}")
    return canvas


def _draw(canvas: ImageArray, quad: Any, colour: tuple[int, int, int], text: str, *, dashed: bool = False) -> None:
    for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        for start in (0.0, 0.4, 0.8) if dashed else (0.0,):
            one, other = a + (b - a) * start, a + (b - a) * (start + 0.2 if dashed else 1.0)
            cv2.line(
                canvas, np.round(one).astype(int).tolist(), np.round(other).astype(int).tolist(), colour, 2, cv2.LINE_AA
            )
    at = (int(quad[:, 0].mean()) - 6 * len(text), int(quad[:, 1].max()) - 2)
    plain = text.replace("≠", "!=")
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)
