"""The summary page: a single HTML file without external resources, scripts or network access."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from hupai.batch.records import Box
from scoring.tiles import tile

MAX_ROWS: Final = 50
"""Rows per list on the page; the files beside it contain all."""
_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fbfaf6;--line:#c9c4b5;--bar:#0072b2;--soft:#6b675c}
@media(prefers-color-scheme:dark){:root{--ink:#eee9dd;--paper:#191815;--line:#4a473f;--bar:#56b4e9;--soft:#a9a498}}
body{margin:2rem auto;max-width:70rem;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);
background:var(--paper)}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin:2.2rem 0 .6rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}dt{color:var(--soft)}dd{margin:0}
table{border-collapse:collapse;font-size:.9rem}td,th{padding:.15rem .7rem .15rem 0;text-align:left;
border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.bars{columns:3 18rem;font-size:.85rem}.bar{display:grid;grid-template-columns:3.2rem 1fr 4rem;gap:.5rem;
break-inside:avoid;align-items:center}.bar b{font-weight:600}.bar i{display:block;height:.7rem;background:var(--bar);
border-radius:2px;min-width:1px}.bar span{text-align:right;font-variant-numeric:tabular-nums}
.histogram{display:flex;align-items:flex-end;height:10rem;gap:2px;border-bottom:1px solid var(--line);max-width:40rem}
.histogram i{flex:1;background:var(--bar);min-height:1px}.axis{display:flex;justify-content:space-between;
max-width:40rem;font-size:.8rem;color:var(--soft)}
.grid{display:flex;flex-wrap:wrap;gap:.8rem}figure{margin:0;max-width:360px;font-size:.8rem}
figure img{display:block;border:1px solid var(--line);max-width:100%}
figure.tile{width:7.5rem}figcaption{overflow-wrap:anywhere;color:var(--soft)}figcaption b{color:var(--ink)}
"""


@dataclass(slots=True)
class Page:
    """What the page shows besides the counts.

    Attributes:
        statistics: of :meth:`hupai.batch.outputs.statistics.Statistics.to_json`.
        begun_with: what the labels were made with, name and value.
        worst: rows of the list of the worst pictures.
        worst_thumbnails, sample_thumbnails: picture -> data URI.
        tiles: the least certain tiles: picture, box, data URI.
        failures, kept: picture and message. duplicates: picture, what it copies, bits that differ.
    """

    statistics: Mapping[str, Any]
    begun_with: Mapping[str, str]
    worst: Sequence[Mapping[str, Any]] = ()
    worst_thumbnails: Mapping[str, str] = field(default_factory=dict)
    sample_thumbnails: Mapping[str, str] = field(default_factory=dict)
    tiles: Sequence[tuple[str, Box, str]] = ()
    failures: Sequence[tuple[str, str]] = ()
    duplicates: Sequence[tuple[str, str, int]] = ()
    kept: Sequence[tuple[str, str]] = ()


def render(page: Page) -> str:
    """Return the page as HTML; every name is escaped."""
    parts = [
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>",
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">",
        '<meta name=viewport content="width=device-width,initial-scale=1"><title>Labels</title>',
        f"<style>{_STYLE}</style></head><body><h1>Labels</h1>",
        _facts(page),
        _classes(page.statistics["classes"]),
        _histogram(page.statistics["confidence_histogram"]),
        _tiles(page.tiles),
        _thumbnails("Pictures to look at first", page.worst_thumbnails, {str(r["image"]): r for r in page.worst}),
        _thumbnails("A sample of the pictures", page.sample_thumbnails, {}),
        _table(
            "Failures",
            ("picture", "what is wrong"),
            page.failures,
            page.statistics["pictures_failed"],
            "failures.csv",
        ),
        _table(
            "No longer there as they were read; their labels are kept",
            ("picture", "why"),
            page.kept,
            page.statistics["pictures_kept"],
            "kept.csv",
        ),
        _table(
            "Copies",
            ("picture", "shows the same as", "bits of 256 that differ"),
            page.duplicates,
            page.statistics["pictures_copied"],
            "duplicates.csv",
        ),
        "</body></html>\n",
    ]
    return "\n".join(filter(None, parts))


def _facts(page: Page) -> str:
    s = page.statistics
    rows = {
        "Pictures": f"{s['pictures']:,} labelled, {s['pictures_failed']:,} failed, "
        f"{s['pictures_without_tiles']:,} without a tile, {s['pictures_copied']:,} copies of others",
        "Tiles": f"{s['tiles']:,}, of them probably wrong: {s['tiles_probably_wrong']:,.1f}",
        **page.begun_with,
    }
    return f"<dl>{''.join(f'<dt>{escape(k)}</dt><dd>{escape(v)}</dd>' for k, v in rows.items())}</dl>"


def _classes(counts: Mapping[str, int]) -> str:
    most = max(counts.values(), default=0) or 1
    bars = "".join(
        f'<div class=bar title="{escape(tile(code).name)}"><b>{code}</b>'
        f'<div><i style="width:{100 * n / most:.1f}%"></i></div><span>{n:,}</span></div>'
        for code, n in counts.items()
    )
    return f"<h2>Tiles by class</h2><div class=bars>{bars}</div>"


def _histogram(counts: Sequence[int]) -> str:
    most = max(counts, default=0) or 1
    step = 100 // len(counts)
    heights = [100 * math.log1p(n) / math.log1p(most) for n in counts]
    bars = "".join(
        f'<i style="height:{height:.1f}%" title="{i * step} to {(i + 1) * step} %: {n:,}"></i>'
        for i, (n, height) in enumerate(zip(counts, heights, strict=True))
    )
    rows = "".join(f"<tr><td>{i * step} to {(i + 1) * step} %<td class=n>{n:,}" for i, n in enumerate(counts) if n)
    return (
        f"<h2>Confidence</h2><div class=histogram aria-hidden=true>{bars}</div>"
        "<div class=axis><span>0 %</span><span>50 %, heights logarithmic</span><span>100 %</span></div>"
        f"<details><summary>As a table</summary><table><tr><th>Confidence<th class=n>Tiles{rows}</table></details>"
    )


def _tiles(tiles: Sequence[tuple[str, Box, str]]) -> str:
    if not tiles:
        return ""
    shown = []
    for name, box, uri in tiles:
        others = ", ".join(f"{t.code} {p:.0%}" for t, p in box.alternatives[:2])
        caption = f"<b>{box.tile.code} {box.confidence or 0:.0%}</b> {escape(others)}<br>{escape(name)}"
        shown.append(
            f'<figure class=tile><img src="{uri}" alt="{escape(box.tile.name)}?"><figcaption>{caption}</figcaption>'
            "</figure>"
        )
    return f"<h2>The least certain tiles</h2><div class=grid>{''.join(shown)}</div>"


def _thumbnails(title: str, thumbnails: Mapping[str, str], rows: Mapping[str, Mapping[str, Any]]) -> str:
    if not thumbnails:
        return ""
    shown = []
    for name, uri in thumbnails.items():
        why = f"<br>{escape(str(rows[name]['why']))}" if rows.get(name, {}).get("why") else ""
        shown.append(f'<figure><img src="{uri}" alt=""><figcaption><b>{escape(name)}</b>{why}</figcaption></figure>')
    return f"<h2>{title}</h2><div class=grid>{''.join(shown)}</div>"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[object]], total: int, file: str) -> str:
    if not rows:
        return ""
    head = "".join(f"<th>{h}" for h in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}" for cell in row) for row in rows[:MAX_ROWS])
    more = f"<p>The first {MAX_ROWS} of {total:,}; all are in {file}.</p>" if total > MAX_ROWS else ""
    return f"<h2>{title}</h2><table><tr>{head}{body}</table>{more}"
