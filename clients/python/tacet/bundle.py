"""Bundles: published models whose every file a pinned key has signed.

A bundle is a directory of ``manifest.json``, ``weights.safetensors``, ONNX graphs, ``MODEL_CARD.md`` and
``signature.json``: a DSSE envelope over an in-toto statement with one subject a file. Nothing in it is
ever executed, and nothing of it is used before every digest and a signature were found in order. A
``model.sig`` for tools of others may stand beside these; it has to name the same files.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import schema
from .dsse import read_envelope, verify_envelope
from .errors import TacetError
from .json_text import JsonFault, parse_json
from .manifest import DIGEST, SAFE_NAME, read_manifest
from .model_signature import MODEL_SIGNATURE_FILE, require_same_files

MANIFEST_FILE = "manifest.json"
SIGNATURE_FILE = "signature.json"
WEIGHTS_FILE = "weights.safetensors"
REPRESENTATION_FILE = "representation.onnx"
DEIDENTIFIER_FILE = "deidentifier.onnx"

_SIGNATURES = (SIGNATURE_FILE, MODEL_SIGNATURE_FILE)
_RUN_FILE = "metrics.jsonl"
_MAX_FILES = 64
_MAX_FILE_BYTES = 2**31 - 1
_PAYLOAD_TYPE = "application/vnd.in-toto+json"
_SAFE_NAME = schema.text(SAFE_NAME)
_STATEMENT = schema.closed(
    {
        "_type": schema.one_of("https://in-toto.io/Statement/v1"),
        "subject": schema.array(
            schema.closed({"name": _SAFE_NAME, "digest": schema.closed({"sha256": DIGEST})}), 1, 64
        ),
        "predicateType": schema.one_of("urn:tacet:bundle:v1"),
        "predicate": schema.closed({"name": schema.text(), "version": schema.text()}),
    }
)

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class VerifiedBundle:
    """The files of a bundle, as they were when their digests and a signature were verified."""

    manifest: Mapping[str, Any]
    #: SHA-256 in hex of ``manifest.json``, which names the digests of all other files.
    digest: str
    #: SHA-256 in hex of the trusted keys that signed.
    key_ids: Tuple[str, ...]
    #: Every file by name, the signatures included.
    files: Mapping[str, bytes]


def verify_bundle(
    directory: PathLike, trusted_keys: Sequence[bytes], *, signed_by: str = "any"
) -> VerifiedBundle:
    """The files of a bundle that pinned keys (32 bytes each, see ``read_public_key``) have signed.

    ``signed_by`` is ``"any"`` where one of them suffices, ``"all"`` where each must have signed. Raises
    ``bundle-signature``, ``key-untrusted``, ``bundle-digest``, ``bundle-file-missing``,
    ``bundle-file-extra``, ``bundle-file-unsafe`` or ``bundle-invalid``.
    """
    if signed_by not in ("any", "all"):
        raise ValueError("signed_by must be 'any' or 'all'")
    root = Path(directory)
    names = _list_files(root)
    if SIGNATURE_FILE not in names:
        raise _missing(root, SIGNATURE_FILE)
    signature = _read_file(root, SIGNATURE_FILE)
    payload, key_ids = _verify_signatures(root, signature, trusted_keys, signed_by)
    digests = _read_statement(payload)
    _require_same_names(root, names, digests)

    files: Dict[str, bytes] = {SIGNATURE_FILE: signature}
    # The manifest first: it tells another bundle's signature from a file that was changed.
    for name in sorted(digests, key=lambda each: each != MANIFEST_FILE):
        content = _read_file(root, name)
        if name == MANIFEST_FILE:
            _require_own_signature(root, content, digests)
        _require_digest(str(root / name), digests[name], _sha256(content))
        files[name] = content
    if MODEL_SIGNATURE_FILE in names:
        files[MODEL_SIGNATURE_FILE] = _read_model_signature(root, digests)
    if MANIFEST_FILE not in files:
        raise _missing(root, MANIFEST_FILE)
    manifest = read_manifest(files[MANIFEST_FILE])
    _require_manifest_agrees(root, manifest, digests)
    return VerifiedBundle(
        MappingProxyType(manifest), _sha256(files[MANIFEST_FILE]), key_ids, MappingProxyType(files)
    )


def _list_files(root: Path) -> List[str]:
    try:
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except OSError:
        raise TacetError("file-not-found", f"{root}: expected a bundle directory") from None
    if any(entry.name == _RUN_FILE for entry in entries):
        raise TacetError(
            "bundle-invalid",
            f"{root}: expected a bundle, found the directory of a training run; give what "
            "tacet bundle create makes of it",
        )
    if len(entries) > _MAX_FILES:
        raise TacetError("bundle-invalid", f"{root}: more than {_MAX_FILES} files")
    for entry in entries:
        if not entry.is_file(follow_symlinks=False):
            raise _unsafe(root, entry.name)
        try:
            _SAFE_NAME(entry.name, "")
        except schema.SchemaFault:
            raise TacetError(
                "bundle-file-extra",
                f"{root / entry.name}: no file of a bundle has such a name; remove it",
            ) from None
    return [entry.name for entry in entries]


def _read_file(root: Path, name: str) -> bytes:
    """One file, read once: what is digested is what is used."""
    no_follow = getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(root / name, os.O_RDONLY | no_follow | getattr(os, "O_BINARY", 0))
    except OSError as cause:
        if (root / name).is_symlink():
            raise _unsafe(root, name) from None
        raise TacetError("file-unreadable", f"{root / name}: {cause.strerror}") from None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise _unsafe(root, name)
        if found.st_size > _MAX_FILE_BYTES:
            raise TacetError("bundle-invalid", f"{root / name}: {found.st_size} bytes")
        return file.read()


def _read_model_signature(root: Path, digests: Mapping[str, str]) -> bytes:
    content = _read_file(root, MODEL_SIGNATURE_FILE)
    covered = {name: each for name, each in digests.items() if name not in _SIGNATURES}
    require_same_files(content, covered)
    return content


def _verify_signatures(
    root: Path, signature: bytes, trusted_keys: Sequence[bytes], signed_by: str
) -> Tuple[bytes, Tuple[str, ...]]:
    where = root / SIGNATURE_FILE
    try:
        verified = verify_envelope(read_envelope(signature), _PAYLOAD_TYPE, trusted_keys)
    except TacetError as cause:
        code = "key-untrusted" if cause.code == "key-untrusted" else "bundle-signature"
        raise TacetError(code, f"{where}: {cause}") from cause
    absent = sorted(
        {hashlib.sha256(raw).hexdigest() for raw in trusted_keys} - set(verified.key_ids)
    )
    if signed_by == "all" and absent:
        raise TacetError(
            "key-untrusted",
            f"{where}: every trusted key must sign; these have not: {', '.join(absent)}",
        )
    return verified.payload, verified.key_ids


def _read_statement(payload: bytes) -> Dict[str, str]:
    """The digests of a verified payload, by file name."""
    try:
        statement = parse_json(payload)
        _STATEMENT(statement, "")
    except (JsonFault, schema.SchemaFault) as cause:
        raise TacetError("bundle-invalid", f"the signed statement: {cause}") from None
    digests = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
    if len(digests) != len(statement["subject"]):
        raise TacetError("bundle-invalid", "the signed statement: a file is there twice")
    return digests


def _require_same_names(root: Path, names: Sequence[str], digests: Mapping[str, str]) -> None:
    for name in digests:
        if name not in names:
            raise _missing(root, name)
    for name in names:
        if name not in _SIGNATURES and name not in digests:
            raise TacetError("bundle-file-extra", f"{root / name}: not among the signed files")


def _require_own_signature(root: Path, manifest: bytes, digests: Mapping[str, str]) -> None:
    """Where the manifest names other digests than the signature for more files than one damage could
    touch, both may be genuine, and belong to two bundles."""
    if _sha256(manifest) == digests[MANIFEST_FILE]:
        return
    try:
        stated = read_manifest(manifest)["files"]
    except TacetError:
        return
    if sum(digests.get(name) != own for name, own in stated.items()) >= 2:
        raise TacetError(
            "bundle-signature",
            f"{root / SIGNATURE_FILE}: the signature of another bundle; fetch the bundle again",
        )


def _require_manifest_agrees(
    root: Path, manifest: Mapping[str, Any], digests: Mapping[str, str]
) -> None:
    where = root / MANIFEST_FILE
    for name, signed in digests.items():
        if name != MANIFEST_FILE:
            _require_digest(f"{where} on {name}", signed, manifest["files"].get(name))
    if len(manifest["files"]) != len(digests) - 1:
        raise TacetError("bundle-invalid", f"{where}: names other files than the signature")


def _require_digest(where: str, expected: str, found: Optional[str]) -> None:
    if found != expected:
        raise TacetError(
            "bundle-digest",
            f"{where}: expected SHA-256 {expected}, found {found or 'none'}; fetch the bundle again",
        )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _missing(root: Path, name: str) -> TacetError:
    return TacetError("bundle-file-missing", f"{root / name}: missing from the bundle")


def _unsafe(root: Path, name: str) -> TacetError:
    return TacetError(
        "bundle-file-unsafe",
        f"{root / name}: expected a plain file; links and folders are refused",
    )
