"""The services that routes work with: one object per application, found from the request."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast

from fastapi import Depends, Request
from sqlalchemy import Engine

from hupai.basics.memory import resident_bytes
from hupai.settings import Settings, SettingsError
from hupai.store.database import advisory_lock, open_store, writing
from hupai.store.files.metadata import hides_a_document
from hupai.store.files.samples import clear_leftovers
from hupai.store.tables import InstallationSetting
from hupai.store.tokens import token_holders
from hupai.store.ttl_cache import TtlCache
from hupai.web.errors import Gone
from hupai.web.middleware.decoding import DecodingBudget
from hupai.web.middleware.limits import client_of
from hupai.web.middleware.security import AccessCode
from hupai.web.middleware.tokens import TokenRegistry
from hupai.web.recogniser import Places, Recogniser
from hupai.web.requests.forms import Upload
from hupai.web.requests.photos import KeptPhotos
from hupai.web.wing import Guards, WebWing
from vision.errors import PhotoError
from vision.io.photo import Photo

T = TypeVar("T")
_DECODING_BYTES: Final = 172_000_000
"""Memory for decoding a photo: enough for any JPEG of a camera, a HEIC of an iPhone (24.5 megapixels), others of 12."""

_LEFT_BEHIND_BYTES: Final = 320_000_000
"""Memory of the server above which readings give back what they have left behind; photos of hands stay below it."""


@dataclass(slots=True)
class Services:
    """The services of a running server.

    Attributes:
        settings: in force. access: the access code. keys: the tokens. recogniser: the models in their threads.
        uploads: places for bodies with photos. decoding: what they may take. photos: stored for corrections.
        engine: the store. wings: what the wings add.
    """

    settings: Settings
    access: AccessCode
    tokens: TokenRegistry
    recogniser: Recogniser
    uploads: Places
    decoding: DecodingBudget
    photos: KeptPhotos
    engine: Engine
    wings: tuple[WebWing, ...] = ()

    @property
    def guards(self) -> list[Guards]:
        """What the wings forbid."""
        return [wing.guards for wing in self.wings if wing.guards is not None]

    @property
    def sets_folder(self) -> Path:
        """The folder of learned tile sets."""
        return self.settings.data_folder / "sets"

    @property
    def samples_folder(self) -> Path:
        """The folder of labelled samples."""
        return self.settings.data_folder / "samples"


def services_of(request: Request) -> Services:
    """Return the services of the application that serves this request."""
    return cast(Services, request.app.state.services)


Served = Annotated[Services, Depends(services_of)]
"""Parameter type of a route: the services."""


async def upload_place(request: Request, serve: Served) -> AsyncIterator[None]:
    """Dependency of routes that accept photos: a place, and room for the body, until the answer is complete.

    Raises:
        Busy: all places are taken. TooMany: half of them, by this address.
    """
    announced = request.headers.get("content-length", "")
    size = int(announced) if announced.isdigit() else serve.settings.max_upload_bytes
    with serve.uploads.take(client_of(request.scope), size, lambda: serve.recogniser.retry_after):
        yield


def open_photo(upload: Upload, serve: Services, client: str) -> Photo:
    """Return the photo, within the limits of the settings; a JPEG is decoded when its pixels are asked for.

    Raises:
        PhotoError: not a picture, too large, or another document is hidden behind the picture.
        TooMany: decoding the photos of this address, ``client``, has taken too long.
    """
    serve.decoding.refuse_spent(client)
    if resident_bytes() > _LEFT_BEHIND_BYTES:
        serve.recogniser.release_memory()
    photo = Photo(
        upload.data,
        name=upload.name,
        max_bytes=serve.settings.max_upload_bytes,
        max_pixels=serve.settings.max_pixels,
        max_memory=_DECODING_BYTES,
        decoding=partial(serve.decoding.spend, client),
    )
    if hides_a_document(upload.data):
        raise PhotoError(f"{upload.name} hides another document behind the picture; take the photo again.")
    return photo


async def run_unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``, which is cancelled if the client disconnects. The body must have been read.

    Raises:
        Gone: the client disconnected; nobody sees this answer.
    """
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            doing.cancel()
            raise Gone("The phone left before its photo was read.", code="client_gone")
        return doing.result()
    finally:
        leaving.cancel()


_KEY_NOTE = "cookie_key"


def build_services(settings: Settings, wings: Sequence[WebWing]) -> Services:
    """Create the data folder, open the store, prepare the rest; models are loaded when the application starts.

    Raises:
        SettingsError: an unusable data folder. StoreError: an unusable database.
    """
    try:
        settings.data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"The data folder {settings.data_folder} cannot be made ({error.strerror}); give another: --data-folder."
        ) from None
    engine = open_store(settings.database_url, [wing.store for wing in wings if wing.store is not None])
    roles = {name: role for wing in wings for name, role in wing.roles.items()}
    recogniser = Recogniser(settings.workers, settings.queue, settings.threads)
    services = Services(
        settings=settings,
        access=AccessCode(settings, cookie_key(engine)),
        tokens=TokenRegistry(TtlCache(engine, token_holders), roles),
        recogniser=recogniser,
        uploads=Places(settings.uploads, "uploads", settings.uploads_mb * 1_000_000),
        decoding=DecodingBudget(recogniser.release_memory),
        photos=KeptPhotos(settings.keep_minutes * 60, settings.keep_mb * 1_000_000),
        engine=engine,
        wings=tuple(wings),
    )
    clear_leftovers(services.samples_folder)
    return services


def cookie_key(engine: Engine) -> bytes:
    """Return the secret that signs cookies; it is made on the first start."""
    with writing(engine) as session:
        advisory_lock(session, _KEY_NOTE)
        note = session.get(InstallationSetting, _KEY_NOTE)
        if note is None:
            note = InstallationSetting(name=_KEY_NOTE, value=secrets.token_hex(32))
            session.add(note)
        return bytes.fromhex(note.value)
