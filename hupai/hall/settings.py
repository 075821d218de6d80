"""What the hall adds to the settings of a server."""

from __future__ import annotations

from typing import Final

from hupai.settings import ACCESS, Code, Settings, setting


class HallSettings(Settings):
    """Settings of a server with a hall."""

    director_code: Code | None = setting(
        None, "Code of a tournament's director; without one nobody can change a tournament.", ACCESS
    )


SETTINGS: Final = HallSettings
