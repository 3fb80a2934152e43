"""OpenSSF model signing: ``model.sig``, a sigstore bundle with an in-toto statement of a bundle's files.

It may stand beside a bundle's own signature, which alone is trusted: it is held to the same files here,
and whose key signed it is not asked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Mapping, Sequence

from . import schema
from .errors import TacetError
from .json_text import JsonFault, parse_json

MODEL_SIGNATURE_FILE = "model.sig"

_SHA256 = schema.text("[0-9a-f]{64}")
_BASE64 = "[A-Za-z0-9+/]*={0,2}"
_BUNDLE = schema.opened(
    {
        "mediaType": schema.one_of("application/vnd.dev.sigstore.bundle.v0.3+json"),
        "verificationMaterial": schema.opened(
            {"publicKey": schema.opened({}, {"hint": schema.text()})}
        ),
        "dsseEnvelope": schema.opened(
            {
                "payload": schema.text(_BASE64, longest=1_000_000),
                "payloadType": schema.one_of("application/vnd.in-toto+json"),
                "signatures": schema.array(
                    schema.opened({"sig": schema.text(_BASE64, longest=400)}), 1, 1
                ),
            }
        ),
    }
)
_STATEMENT = schema.opened(
    {
        "_type": schema.one_of("https://in-toto.io/Statement/v1"),
        "subject": schema.array(
            schema.opened(
                {"name": schema.text(), "digest": schema.opened({"sha256": _SHA256})}
            ),
            1,
            1,
        ),
        "predicateType": schema.one_of("https://model_signing/signature/v1.0"),
        "predicate": schema.opened(
            {
                "serialization": schema.opened(
                    {"method": schema.one_of("files"), "hash_type": schema.one_of("sha256")}
                ),
                "resources": schema.array(
                    schema.opened(
                        {
                            "name": schema.text(),
                            "algorithm": schema.one_of("sha256"),
                            "digest": _SHA256,
                        }
                    ),
                    1,
                    64,
                ),
            }
        ),
    }
)


def require_same_files(content: bytes, digests: Mapping[str, str]) -> None:
    """Checks that a ``model.sig`` names exactly these files, ``digests`` being SHA-256 in hex by name.
    Raises ``bundle-signature``."""
    try:
        bundle = parse_json(content)
        _BUNDLE(bundle, "")
        statement = parse_json(base64.b64decode(bundle["dsseEnvelope"]["payload"]))
        _STATEMENT(statement, "")
    except (JsonFault, schema.SchemaFault, binascii.Error) as cause:
        raise TacetError("bundle-signature", f"{MODEL_SIGNATURE_FILE}: {cause}") from None
    resources = statement["predicate"]["resources"]
    named = {each["name"]: each["digest"] for each in resources}
    root = _root_of([each["digest"] for each in resources])
    if named != dict(digests) or statement["subject"][0]["digest"]["sha256"] != root:
        raise TacetError(
            "bundle-signature",
            f"{MODEL_SIGNATURE_FILE} is of other files than the bundle has; sign the bundle again "
            "with --model-key",
        )


def _root_of(digests: Sequence[str]) -> str:
    """SHA-256 over the bytes of all digests, in their order."""
    return hashlib.sha256(bytes.fromhex("".join(digests))).hexdigest()
