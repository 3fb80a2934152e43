"""Public keys: the pins that a bundle's signatures are held to."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import stat
from pathlib import Path
from typing import Union

from .ed25519 import require_sound_key
from .errors import TacetError

_LABEL = "PUBLIC KEY"
_MAX_FILE_BYTES = 16 * 1024
#: SubjectPublicKeyInfo of Ed25519 up to the key itself (RFC 8410, section 4).
_SPKI_START = bytes.fromhex("302a300506032b6570032100")


def read_public_key(file: Union[str, "os.PathLike[str]"]) -> bytes:
    """The 32 bytes of the Ed25519 key in a PEM file, as ``tacet keys create`` makes it. Raises
    ``file-not-found`` or ``key-invalid``."""
    path = Path(file)
    try:
        found = path.stat()
    except OSError:
        raise TacetError("file-not-found", f"{path}: no such key file") from None
    if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_FILE_BYTES:
        raise TacetError("key-invalid", f"{path}: not a key file")
    try:
        return parse_public_key(path.read_bytes())
    except TacetError as cause:
        raise TacetError(cause.code, f"{path}: {cause}") from None


def parse_public_key(pem: bytes) -> bytes:
    """The 32 bytes of the Ed25519 key in a PEM text. Raises ``key-invalid``."""
    expected = "expected an Ed25519 public key in PEM, as tacet keys create makes"
    lines = [line.strip() for line in pem.strip().splitlines()]
    begin, end = f"-----BEGIN {_LABEL}-----".encode(), f"-----END {_LABEL}-----".encode()
    if len(lines) < 3 or lines[0] != begin or lines[-1] != end:
        raise TacetError("key-invalid", expected)
    try:
        der = base64.b64decode(b"".join(lines[1:-1]), validate=True)
    except binascii.Error:
        raise TacetError("key-invalid", f"the PEM is malformed; {expected}") from None
    if not der.startswith(_SPKI_START):
        raise TacetError("key-invalid", f"found a key of another kind; {expected}")
    return require_sound_key(der[len(_SPKI_START) :])


def key_id(raw: bytes) -> str:
    """SHA-256 in hex of the 32 raw bytes, by which signatures name a key."""
    return hashlib.sha256(raw).hexdigest()
