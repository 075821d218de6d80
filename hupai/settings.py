"""Settings of the server: flags over environment (``HUPAI_*``) over a TOML file over defaults; bad ones are refused."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, get_args
from urllib.parse import urlsplit

from limits import RateLimitItem, parse_many
from limits import parse as parse_rate
from platformdirs import user_config_path, user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from scoring.errors import Fault, HupaiError

PREFIX: Final = "HUPAI_"
CONFIG_VARIABLE: Final = "HUPAI_CONFIG"
"""Environment variable with the path of the settings file."""
TOKEN_PREFIX: Final = "hupai-"
"""What tokens begin with, and no access code does; 160 random bits follow."""


def _split_names(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _check_origins(value: tuple[str, ...]) -> tuple[str, ...]:
    for origin in value:
        scheme, _, rest = origin.partition("://")
        if scheme not in ("http", "https") or not rest or "/" in rest or "*" in rest:
            raise ValueError("must be origins such as https://example.org, without path or star")
    return tuple(origin.lower() for origin in value)  # as browsers send them


def _check_code(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if not 4 <= len(text) <= 100 or not text.isascii() or not text.isprintable():
        raise ValueError("must have 4 to 100 plain (ASCII) characters")
    return value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_names)]
"""Several names: a list in TOML, comma-separated in the environment."""
Origins = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_names), AfterValidator(_check_origins)]
"""Several addresses of sites."""
Code = Annotated[SecretStr, AfterValidator(_check_code)]
"""What people type to be let in."""
_DATABASES: Final = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
_HOST_NAME: Final = re.compile(r"[\w.-]+")
_LEVELS: Final = ("critical", "error", "warning", "info", "debug")


def is_address(text: str) -> bool:
    """Whether this is the address of a server: http or https, no password, no query, nothing behind a ``#``."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    plain = not (parts.query or parts.fragment or parts.username)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own, which no other reaches."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class SettingsError(HupaiError):
    """An invalid setting; ``faults`` names all of them and where they were given."""

    code = "bad_setting"


def setting(default: Any = ..., description: str = "", title: str | None = None, **terms: Any) -> Any:
    """A setting with the help of its flag, and the panel it is in."""
    return Field(default, description=description, title=title, **terms)


ACCESS: Final = "Who may use it"
"""The panel of codes and addresses."""
_access, _limit = (partial(setting, title=panel) for panel in (ACCESS, "Limits"))


class Settings(BaseSettings):
    """Settings of `hupai serve`, and its flags; wings add theirs (:func:`all_settings`)."""

    # An empty variable counts as not given: compose files pass those that nobody has set in this way.
    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    host: str = setting("0.0.0.0", "Address to listen on; 127.0.0.1 keeps other devices out.")
    port: int = setting(8000, "Port to listen on; 0 takes any free one.", ge=0, le=65535)
    https: bool | None = setting(
        None, "Serve HTTPS with a certificate of its own; by default unless only this machine is answered."
    )
    data_folder: Path = setting(
        description="Where the ledger, learned sets, labelled samples and certificates are kept.",
        default_factory=lambda: user_data_path("hupai", appauthor=False),
    )
    database: str | None = setting(
        None, "Database URL, such as postgresql://user@host/hupai; SQLite in the data folder if not given."
    )
    access_code: Code | None = _access(None, "Code every phone must give; nobody is asked if not given.")
    allowed_hosts: Names = _access(
        (), "Further host names this server answers to (addresses and its own names are always known)."
    )
    cors_origins: Origins = _access((), "Other sites whose pages may use the API; none if not given.")
    max_upload_mb: int = _limit(25, "Largest upload, megabytes (10^6 bytes).", ge=1, le=100)
    max_megapixels: int = _limit(110, "Largest picture, megapixels.", ge=1, le=110)
    upload_seconds: int = _limit(60, "Time an upload may take.", ge=1, le=3600)
    uploads: int = _limit(128, "Photos uploaded, waiting or read at once; more get 503.", ge=1, le=10_000)
    uploads_mb: int = _limit(100, "Memory for photos uploaded or waiting, megabytes.", ge=25, le=100_000)
    workers: int = _limit(1, "Photos recognised at once.", ge=1, le=64)
    threads: int | None = _limit(None, "Cores one recognition may use; all (4 at most) by default.", ge=1, le=64)
    queue: int = _limit(64, "Photos that may wait for a worker; more get 503 and Retry-After.", ge=0, le=1000)
    rate_read: str = _limit("60/minute", "Photos one address may send, such as 60/minute; off for no limit.")
    rate_write: str = _limit("300/minute", "Other writing requests one address may send.")
    rate_any: str = _limit("1200/minute", "Requests one address may send in all, files of the page apart.")
    rate_code: str = _limit("10/minute", "Wrong access codes one address may try.")
    keep_minutes: int = _limit(30, "How long a photo is kept in memory for a correction.", ge=1, le=1440)
    keep_mb: int = _limit(200, "Memory for photos kept for corrections, megabytes.", ge=1, le=10_000)
    samples_mb: int = _limit(2000, "Disk space for labelled samples, megabytes.", ge=1, le=1_000_000)
    log_level: str = setting("info", "Critical, error, warning, info or debug.")

    @field_validator("rate_read", "rate_write", "rate_any", "rate_code")
    @classmethod
    def _check_rate(cls, value: str) -> str:
        if value.strip().lower() == "off":
            return "off"
        try:
            (rate,) = parse_many(value)  # of several only the first would be in force
            if not rate.amount:
                raise ValueError(value)
        except ValueError:
            raise ValueError("must be a rate such as 60/minute, or off") from None
        return value

    @field_validator("rate_code")
    @classmethod
    def _check_rate_is_on(cls, value: str) -> str:
        if value == "off":
            raise ValueError("must be a rate such as 10/minute: codes can be guessed without a limit")
        return value

    @field_validator("host")
    @classmethod
    def _check_host(cls, value: str) -> str:
        try:
            value.encode("idna")
        except UnicodeError:  # looking it up would fail in the same way
            value = ""
        if not value.strip() or any(c in value for c in "/ \t\n"):
            raise ValueError("must be an address or a host name, such as 0.0.0.0 or 127.0.0.1")
        return value

    @field_validator("log_level")
    @classmethod
    def _check_level(cls, value: str) -> str:
        if value.lower() not in _LEVELS:
            raise ValueError(f"must be one of {', '.join(_LEVELS)}")
        return value.lower()

    @field_validator("access_code")
    @classmethod
    def _check_is_no_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and value.get_secret_value().startswith(TOKEN_PREFIX):
            raise ValueError(f"must not begin with {TOKEN_PREFIX}: it would be taken for a token")
        return value

    @field_validator("allowed_hosts")
    @classmethod
    def _check_host_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_HOST_NAME.fullmatch(host) for host in value):
            raise ValueError("must be host names such as mahjong.example, without scheme, port or star")
        return value

    @field_validator("data_folder")
    @classmethod
    def _check_folder(cls, value: Path) -> Path:
        try:
            return value.expanduser().absolute()
        except RuntimeError:
            raise ValueError("must be a folder; there is no user of the name after ~") from None

    @field_validator("database")
    @classmethod
    def _check_database(cls, value: str | None) -> str | None:
        if value is not None and value.split(":")[0] not in _DATABASES:
            raise ValueError("must be a URL that begins with postgresql:// or sqlite://")
        return value

    @property
    def max_upload_bytes(self) -> int:
        """Largest upload, bytes."""
        return self.max_upload_mb * 1_000_000

    @property
    def max_pixels(self) -> int:
        """Largest picture, pixels."""
        return self.max_megapixels * 1_000_000

    @property
    def serves_https(self) -> bool:
        """Whether to serve HTTPS: as the setting says, else wherever a browser withholds features without it."""
        return not is_loopback(self.host) if self.https is None else self.https

    @property
    def database_url(self) -> str:
        """The database in use."""
        return self.database or f"sqlite:///{self.data_folder / 'hupai.db'}"

    def rate(self, name: str) -> RateLimitItem | None:
        """Return the limit of ``rate_<name>``; None if it is off."""
        text: str = getattr(self, f"rate_{name}")
        return None if text == "off" else parse_rate(text)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def default_config() -> Path:
    """Return the settings file that is read if it exists and none is named."""
    return user_config_path("hupai", appauthor=False) / "hupai.toml"


def _existing_default() -> Path | None:
    path = default_config()
    try:
        return path if path.is_file() else None
    except OSError as error:  # somebody else's folder: its content may matter
        raise SettingsError(
            f"The settings file {path} cannot be looked for ({error.strerror}); name another with --config."
        ) from None


@cache
def all_settings() -> type[Settings]:
    """Return the settings with those of the wings that are there: the class ``SETTINGS`` in their ``settings.py``."""
    wings = sorted(path.parent.name for path in Path(__file__).parent.glob("*/settings.py"))
    found = [import_module(f"hupai.{wing}.settings").SETTINGS for wing in wings]

    class AllSettings(*found, Settings):  # type: ignore[misc]
        pass

    return AllSettings


def load_settings(config: Path | None = None, **flags: Any) -> Settings:
    """Return the settings in force.

    Args:
        config: the TOML file; if not given, that of ``HUPAI_CONFIG``, or the default one if it exists.
        flags: values by field name; None counts as not given.

    Raises:
        SettingsError: a named file that is missing or not TOML, an unknown name, an invalid value; all at once.
    """
    named = config or (Path(os.environ[CONFIG_VARIABLE]) if os.environ.get(CONFIG_VARIABLE) else None)
    path = named or _existing_default()
    if path is not None:
        _check_file(path)
    given = {name: value for name, value in flags.items() if value is not None}

    class FromFile(all_settings()):  # type: ignore[misc]
        model_config = SettingsConfigDict(toml_file=path)

    try:
        return FromFile(**given)
    except ValidationError as error:
        raise _settings_error(error, given, path) from None


def _settings_error(error: ValidationError, given: dict[str, Any], path: Path | None) -> SettingsError:
    """Return each fault with the name of the setting as it was written where it was given."""
    faults = []
    for problem in error.errors(include_url=False, include_context=False):
        name = str(problem["loc"][0]) if problem["loc"] else ""
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            known = all_settings().model_fields
            close = get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}."
            faults.append(Fault("unknown_setting", f"There is no setting {name!r:.40}: {hint}", name))
            continue
        if name in given:
            where = f"--{name.replace('_', '-')}"
        elif os.environ.get(PREFIX + name.upper()):
            where = PREFIX + name.upper()
        else:
            where = f"{name} in {path}" if path else name
        # A secret is not shown, not even a wrong one.
        field = all_settings().model_fields.get(name)
        kinds = {getattr(kind, "__origin__", kind) for kind in get_args(field.annotation)} if field else {SecretStr}
        secret = name == "database" or SecretStr in kinds
        shown = "" if secret else f", not {problem['input']!r:.60}"
        faults.append(Fault("bad_setting", f"{where}: {message[:1].lower()}{message[1:]}{shown}.", name))
    return SettingsError(" ".join(f.message for f in faults), field=faults[0].field, faults=tuple(faults))


def _check_file(path: Path) -> None:
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"The settings file {path} cannot be read ({error.strerror}); name another with --config or HUPAI_CONFIG."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The settings file {path} is no TOML ({error}); mend that line, or name another."
        ) from None
