"""A certificate for the LAN: an authority of this installation, made once, and a server certificate signed by it.

Phones warn about it until they are told to trust the authority (``/hupai-ca.pem``), which is needed only once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import trustme
from cryptography import x509

from hupai.basics.atomic_write import atomic_write
from hupai.settings import SettingsError

_VALIDITY: Final = timedelta(days=800)  # Apple refuses server certificates that are valid for more than 825 days
_RENEW_BEFORE: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files in PEM form: the authority's certificate, the server's chain, the server's key."""

    authority: Path
    chain: Path
    key: Path


def lan_certificate(folder: Path, names: list[str], now: datetime | None = None) -> Certificate:
    """Return the certificate for these names and addresses; made, or renewed if it lacks a name or expires soon.

    Args:
        folder: of the files; keys are readable by their owner only.
        names: host names and IP addresses. now: for tests.

    Raises:
        SettingsError: the folder cannot be written, or its files are damaged.
    """
    now = now or datetime.now(UTC)
    files = Certificate(folder / "authority.pem", folder / "server.pem", folder / "server.key")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority = _load_authority(files.authority, folder / "authority.key")
        if not _is_current(files, names, now):
            leaf = authority.issue_cert(
                *names,
                common_name="hupai",
                organization_name="hupai",
                not_before=now - timedelta(days=1),
                not_after=now + _VALIDITY,
            )
            atomic_write(files.key, leaf.private_key_pem.bytes(), mode=0o600)
            atomic_write(files.chain, b"".join(pem.bytes() for pem in leaf.cert_chain_pems), mode=0o600)
    except OSError as error:
        raise SettingsError(f"The certificate in {folder} cannot be kept ({error.strerror}).") from error
    except ValueError as error:
        raise SettingsError(f"The certificate in {folder} is damaged ({error}); delete that folder.") from error
    return files


def _load_authority(certificate: Path, key: Path) -> trustme.CA:
    if certificate.exists() and key.exists():
        return trustme.CA.from_pem(certificate.read_bytes(), key.read_bytes())
    made = trustme.CA(organization_name="hupai", organization_unit_name="certificates of this table's server")
    atomic_write(key, made.private_key_pem.bytes(), mode=0o600)
    atomic_write(certificate, made.cert_pem.bytes(), mode=0o600)
    return made


def _is_current(files: Certificate, names: list[str], now: datetime) -> bool:
    if not (files.chain.exists() and files.key.exists()):
        return False
    found = x509.load_pem_x509_certificate(files.chain.read_bytes())
    issuer = x509.load_pem_x509_certificate(files.authority.read_bytes())
    if (
        found.issuer != issuer.subject
        or found.not_valid_after_utc - now < _RENEW_BEFORE
        or found.not_valid_before_utc > now
    ):
        return False
    listed = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {str(a) for a in listed.get_values_for_type(x509.IPAddress)} | set(listed.get_values_for_type(x509.DNSName))
    return set(names) <= known
