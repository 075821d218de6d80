"""Two roles at a tournament: viewers look (with the access code, where one is set), the director writes."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Final, cast

from fastapi import Depends, Request

from hupai.settings import Settings
from hupai.store.database import reading
from hupai.store.directing import is_directed
from hupai.web.errors import WebError
from hupai.web.security import AccessCode
from hupai.web.services import Served

DIRECTOR_COOKIE: Final = "hupai_director"
DIRECTOR_HEADER: Final = "x-hupai-director"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class DirectorNeeded(WebError):
    """Only the director may do this. Codes: ``director_needed``, ``director_off``, ``code_wrong``."""

    code = "director_needed"
    status = HTTPStatus.FORBIDDEN


@dataclass(slots=True)
class Director:
    """The director's code: checked in constant time, wrong tries throttled, kept as a signed cookie.

    Attributes:
        settings: in force. key: secret of this installation.
    """

    settings: Settings
    key: bytes
    _door: AccessCode = field(init=False)

    def __post_init__(self) -> None:
        secret = self.settings.director_code
        self._door = AccessCode(self.settings.model_copy(update={"access_code": secret}), self.key)

    @property
    def there(self) -> bool:
        """Whether this server has a director at all."""
        return self._door.needed

    @property
    def token(self) -> str:
        """What the cookie holds."""
        return hmac.new(self.key, f"director {self._door.code}".encode(), hashlib.sha256).hexdigest()

    def admit(self, code: str, client: str) -> None:
        """Pass a right code.

        Raises:
            DirectorNeeded: the server has none. TooMany, CodeNeeded: as for the access code.
        """
        if not self.there:
            raise _off()
        self._door.check(code, client)

    def is_here(self, request: Request) -> bool:
        """Whether the request is the director's.

        Raises:
            TooMany, CodeNeeded: it carries a wrong code.
        """
        if not self.there:
            return False
        given = request.headers.get(DIRECTOR_HEADER)
        if given is not None:
            self._door.check(given, request.client.host if request.client else "unknown")
            return True
        return hmac.compare_digest(request.cookies.get(DIRECTOR_COOKIE, "").encode(), self.token.encode())


def director_of(request: Request) -> Director:
    """The director of the application that serves this request."""
    return cast(Director, request.app.state.director)


def need_director(request: Request) -> None:
    """Dependency of routes that write.

    Raises:
        DirectorNeeded: the request is not the director's.
    """
    director = director_of(request)
    if not director.there:
        raise _off()
    if not director.is_here(request):
        raise DirectorNeeded("Only the director may do this; give the director's code first.")


def guard_game(request: Request, serve: Served) -> None:
    """Dependency of the ledger's routes: games of a tournament or a watched table are the director's to write.

    Raises:
        DirectorNeeded: the request is not the director's.
    """
    game_id = request.path_params.get("game_id")
    if request.method in _SAFE or game_id is None:
        return
    with reading(serve.engine) as session:
        directed = is_directed(session, str(game_id))
    if directed:
        need_director(request)


def _off() -> DirectorNeeded:
    return DirectorNeeded(
        "This server has no director: start hupai serve with HUPAI_DIRECTOR_CODE set, or director_code in its "
        "settings file.",
        code="director_off",
    )


DirectorOnly = Depends(need_director)
Directing = Annotated[Director, Depends(director_of)]
"""Parameter type of a route: the director's door."""
