"""What labelling adds to a server: answers to the Label Studio that the settings name."""

from __future__ import annotations

from typing import Final, cast

from fastapi import FastAPI

from hupai.label.settings import LabelSettings
from hupai.label.studio import routes as labelstudio
from hupai.label.studio.backend import Backend
from hupai.label.studio.client import LabelStudio
from hupai.web.middleware.tokens import API
from hupai.web.services import Services
from hupai.web.wing import WebWing

_TASKS: Final = {f"{API}{labelstudio.PREFIX}/{name}": 1 for name in ("predict", "webhook", "train")}
"""Paths whose bodies contain tasks with everything drawn in them."""


def _install(app: FastAPI) -> None:
    services = cast(Services, app.state.services)
    settings = services.settings
    assert isinstance(settings, LabelSettings) and settings.label_studio is not None
    secret = settings.label_studio_token
    studio = LabelStudio(
        settings.label_studio,
        secret.get_secret_value() if secret else None,
        settings.label_studio_pictures,
        settings.max_upload_bytes,
    )
    backend = Backend(studio, services.recogniser, services.sets_folder, settings.max_pixels)
    app.state.label_studio = backend
    app.state.closing.append(backend.close)


WEB: Final = WebWing(routers=(labelstudio.router,), tasks=_TASKS, install=_install)
