"""Creates a running server's services from its settings."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy import Engine

from hupai.settings import Settings, SettingsError
from hupai.store.database import advisory_lock, open_store, writing
from hupai.store.files.samples import clear_leftovers
from hupai.store.tables import InstallationSetting
from hupai.store.tokens import token_holders
from hupai.store.ttl_cache import TtlCache
from hupai.web.decoding import DecodingBudget
from hupai.web.middleware.security import AccessCode
from hupai.web.middleware.tokens import TokenRegistry
from hupai.web.recogniser import Places, Recogniser
from hupai.web.requests.photos import KeptPhotos
from hupai.web.services import Services
from hupai.web.wing import WebWing

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
