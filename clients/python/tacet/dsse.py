"""Signed envelopes: DSSE v1, https://github.com/secure-systems-lab/dsse/blob/master/envelope.md"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Sequence, Tuple

from . import schema
from .ed25519 import require_sound_key, verify
from .errors import TacetError
from .json_text import JsonFault, parse_json
from .keys import key_id

_BASE64 = "[A-Za-z0-9+/]*={0,2}"
_ENVELOPE = schema.closed(
    {
        "payloadType": schema.text(shortest=1, longest=200),
        "payload": schema.text(_BASE64, longest=1_000_000),
        "signatures": schema.array(
            schema.closed(
                {"keyid": schema.text("[0-9a-f]{64}"), "sig": schema.text(_BASE64, longest=100)}
            ),
            1,
            16,
        ),
    }
)


@dataclass(frozen=True)
class Envelope:
    payload_type: str
    payload: bytes
    #: The id of a key, which is a hint and not authenticated, and its signature.
    signatures: Tuple[Tuple[str, bytes], ...]


@dataclass(frozen=True)
class Verified:
    payload: bytes
    #: The trusted keys that signed.
    key_ids: Tuple[str, ...]


def read_envelope(content: bytes) -> Envelope:
    """The envelope in a ``signature.json``, which must be spelt as tacet spells it: in another spelling,
    bytes that no signature covers could vary unseen. Raises ``signature-invalid``."""
    try:
        value = parse_json(content)
        _ENVELOPE(value, "")
        found = Envelope(
            value["payloadType"],
            base64.b64decode(value["payload"], validate=True),
            tuple(
                (each["keyid"], base64.b64decode(each["sig"], validate=True))
                for each in value["signatures"]
            ),
        )
    except (JsonFault, schema.SchemaFault) as cause:
        raise TacetError("signature-invalid", f"the DSSE envelope: {cause}") from None
    except binascii.Error:
        raise TacetError("signature-invalid", "the DSSE envelope: malformed base64") from None
    if _spelt(found) != content:
        raise TacetError("signature-invalid", "expected a DSSE envelope as tacet writes it")
    return found


def verify_envelope(
    envelope: Envelope, payload_type: str, trusted_keys: Sequence[bytes]
) -> Verified:
    """The payload that at least one trusted key signed. Unknown keys are passed over; a trusted key whose
    signature is wrong refuses the envelope. Raises ``signature-invalid``, ``key-untrusted``, and
    ``key-invalid`` for a trusted key that is none."""
    trusted = {key_id(raw): require_sound_key(raw) for raw in trusted_keys}
    if envelope.payload_type != payload_type:
        raise TacetError("signature-invalid", f"the envelope is not of the type {payload_type}")
    message = pre_authentication_encoding(payload_type, envelope.payload)
    signed: List[str] = []
    for keyid, signature in envelope.signatures:
        raw = trusted.get(keyid)
        if raw is None:
            continue
        if not verify(raw, message, signature):
            raise TacetError("signature-invalid", f"the signature of key {keyid} is wrong")
        if keyid not in signed:
            signed.append(keyid)
    if not signed:
        found = ", ".join(keyid for keyid, _ in envelope.signatures)
        raise TacetError("key-untrusted", f"no trusted key signed; signed by: {found}")
    return Verified(envelope.payload, tuple(signed))


def pre_authentication_encoding(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def _spelt(envelope: Envelope) -> bytes:
    def encoded(content: bytes) -> str:
        return base64.b64encode(content).decode("ascii")

    value: Dict[str, Any] = {
        "payloadType": envelope.payload_type,
        "payload": encoded(envelope.payload),
        "signatures": [
            {"keyid": keyid, "sig": encoded(signature)} for keyid, signature in envelope.signatures
        ],
    }
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
