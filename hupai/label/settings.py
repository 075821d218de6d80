"""What labelling adds to the settings of a server: the Label Studio that it answers."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from pydantic import AfterValidator, SecretStr

from hupai.settings import Origins, Settings, is_address, setting

_studio = partial(setting, title="Label Studio")


def _check_address(value: str) -> str:
    if not is_address(value):
        raise ValueError("must be an address such as http://studio.example:8080, without a password")
    return value.rstrip("/")


class LabelSettings(Settings):
    """Settings of a server with labelling."""

    label_studio: Annotated[str, AfterValidator(_check_address)] | None = _studio(
        None, "Address of the Label Studio that hupai is the ML backend of; off if not given."
    )
    label_studio_token: SecretStr | None = _studio(None, "Access token of a user of that Label Studio.")
    label_studio_pictures: Origins = _studio(
        (), "Other addresses that its tasks may have pictures at, such as https://pictures.example."
    )


SETTINGS: Final = LabelSettings
