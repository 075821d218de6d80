"""Who acts, and what of shared data he may write: what the wings forbid, nobody does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from sqlalchemy.orm import Session

from hupai.store.database import reading
from hupai.web.middleware.tokens import SAFE, holder_in
from hupai.web.services import Served, Services

GameId = Annotated[str, Path(max_length=40)]


def need_keeper(request: Request, serve: Served) -> None:
    """Dependency of routes that delete what everybody shares.

    Raises:
        WebError: a wing forbids it.
    """
    for guards in serve.guards:
        guards.delete(request)


def guard_game(request: Request, serve: Served) -> None:
    """Dependency of the ledger's routes: a game is open to everybody, except for what a wing forbids.

    Whoever may look may try, too: that writes nothing.

    Raises:
        WebError: a wing forbids it.
    """
    game_id = request.path_params.get("game_id")
    if request.method in SAFE or game_id is None or request.scope["route"].path.endswith("/try"):
        return
    if request.method == "DELETE":
        need_keeper(request, serve)
    with reading(serve.engine) as session:
        check_writing(request, serve, session, str(game_id))


def check_writing(request: Request, serve: Served, session: Session, game_id: str) -> None:
    """Check that a request may write into a game.

    Raises:
        WebError: a wing forbids it.
    """
    for guards in serve.guards:
        guards.write(request, session, game_id)


def check_course(request: Request, serve: Services, game_id: str, body: Mapping[str, Any]) -> None:
    """Check that a request that ends a game or lets it go on may agree on its course anew, if it does.

    Raises:
        WebError: a wing forbids it.
    """
    if body.get("course"):
        with reading(serve.engine) as session:
            for guards in serve.guards:
                guards.agree(request, session, game_id)


def holder_name(request: Request) -> str | None:
    """Return the name of the holder of the request's token; None without one."""
    holder = holder_in(request)
    return holder.name if holder is not None else None


KeeperOnly = Depends(need_keeper)
Acting = Annotated[str | None, Depends(holder_name)]
"""Parameter type of a route: the name of the token's holder, if there is a token."""
