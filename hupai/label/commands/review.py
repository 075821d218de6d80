"""``hupai review``: look through labels in a browser, the worst first, and put them right."""

from __future__ import annotations

import contextlib
from typing import Annotated

import typer

from hupai.basics.counts import count_of

PATIENCE_SECONDS = 0.5
"""Seconds in which the labels may be read before the page opens with the worst found until then."""


def review(
    labels: Annotated[str, typer.Argument(help="Folder that hupai label or hupai labels wrote.")],
    images: Annotated[
        str | None,
        typer.Option(help="Folder of the pictures; else where they were when they were labelled."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; any free one by default.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Look through labels, the worst first: a key an alternative, drag a corner, add what was missed."""
    import webbrowser

    import uvicorn

    from hupai.label.inputs.paths import local_path
    from hupai.label.review.label_review import CORRECTIONS, LabelReview
    from hupai.label.review.page import new_key, review_app
    from hupai.web.listen.listening import bind_socket

    folder = local_path(labels)
    label_review, key = LabelReview(folder, images, PATIENCE_SECONDS), new_key()
    with bind_socket("127.0.0.1", port) as listening:
        listening.listen()  # a browser that is faster than the server waits for it
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/{key}/"
        share = label_review.share_read
        so_far = f" in the {share:.1%} of the labels that are read" if share < 1 else ""
        count = label_review.index.picture_count()
        typer.echo(f"{count_of(count, 'picture')}{so_far}, the worst first: {address} (Ctrl-C ends the review)")
        if browser:
            webbrowser.open(address)
        server = uvicorn.Server(uvicorn.Config(review_app(label_review, key), log_level="error", access_log=False))
        with contextlib.suppress(KeyboardInterrupt):  # which uvicorn raises again when it has ended
            server.run(sockets=[listening])
    label_review.close()
    label_review.check_labels()
    index, kept = label_review.index, folder / CORRECTIONS
    done, count = index.count_reviewed(), index.picture_count()
    typer.echo(
        f"Looked through: {done} of {count_of(count, 'picture')}; what was said is kept in {kept}. "
        f"To make labels of it: hupai labels import {kept} --out NEW. To learn the tile set from it: "
        f"hupai learn-set --labels {kept} --name NAME PHOTOS."
    )
