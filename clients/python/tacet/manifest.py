"""What a bundle says about itself: the schema of ``manifest.json``."""

from __future__ import annotations

from typing import Any, Dict

from . import schema
from .errors import TacetError
from .json_text import JsonFault, parse_json

SAFE_NAME = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"
DIGEST = schema.text("[0-9a-f]{64}")

_LABEL = schema.text(shortest=1, longest=100)
_SIZE = schema.integer(1, 4096)
_RATE = schema.number(least=0, below=1)
_STDDEV = schema.number(above=0)
_NOISE_LEVEL = schema.closed(
    {"mean": _STDDEV, "min": _STDDEV, "max": _STDDEV, "sumOfSquares": _STDDEV}
)
_CHARACTERS = {
    "characters": schema.one_of("none", "cnn", "bilstm"),
    "characterDimension": _SIZE,
    "characterUnits": _SIZE,
}
_REPRESENTATION = schema.closed(
    {
        "embeddingDimension": _SIZE,
        "units": _SIZE,
        "dimension": _SIZE,
        "initialInputStddev": _STDDEV,
        "initialOutputStddev": _STDDEV,
    },
    {"casing": schema.boolean, "residual": schema.boolean, **_CHARACTERS},
)
_DEIDENTIFIER = schema.closed(
    {
        "inputDimension": _SIZE,
        "labels": _SIZE,
        "units": _SIZE,
        "layers": schema.integer(1, 16),
        "inputDropout": _RATE,
        "recurrentDropout": _RATE,
        "outputDropout": _RATE,
    },
    {
        "network": schema.one_of("bilstm-crf", "sequence-to-sequence"),
        "casing": schema.boolean,
        **_CHARACTERS,
        "wordDimension": _SIZE,
        "heads": schema.integer(1, 256),
        "feedForward": schema.integer(1, 65_536),
        "reach": schema.integer(1, 4096),
        "phiWeight": schema.number(above=0),
    },
)
_LABEL_SCHEME = schema.closed(
    {
        "name": _LABEL,
        "version": _LABEL,
        "labels": schema.array(_LABEL, 1, 255, unique=True),
        "digest": DIGEST,
    },
    {
        "types": schema.array(schema.text("[A-Za-z0-9_:.-]{1,64}"), 1, 127, unique=True),
        "map": schema.mapping(
            schema.any_of(schema.null, schema.text(longest=64)),
            keys=schema.text(shortest=1, longest=100),
            most=10_000,
        ),
        "describes": schema.array(_LABEL, 0, 127, unique=True),
    },
)
MANIFEST = schema.closed(
    {
        "name": schema.text("[a-z0-9][a-z0-9-]{0,62}"),
        "version": schema.text(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}"),
        "kind": schema.one_of("representation", "pipeline"),
        "tokenisation": _LABEL,
        "labelScheme": _LABEL_SCHEME,
        "embeddings": schema.closed(
            {
                "identity": DIGEST,
                "dimension": _SIZE,
                "name": schema.text(shortest=1, longest=200),
            }
        ),
        "architecture": schema.closed(
            {}, {"representation": _REPRESENTATION, "deidentifier": _DEIDENTIFIER}
        ),
        "training": schema.mapping(
            schema.any_of(schema.text(), schema.number(), schema.boolean)
        ),
        "scores": schema.mapping(schema.number()),
        "created": schema.text(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z"
        ),
        "files": schema.mapping(
            DIGEST,
            keys=schema.text(SAFE_NAME),
            least=1,
            most=64,
            required=["weights.safetensors", "MODEL_CARD.md"],
        ),
    },
    {"noise": schema.closed({"inputStddev": _NOISE_LEVEL, "outputStddev": _NOISE_LEVEL})},
)


def read_manifest(content: bytes) -> Dict[str, Any]:
    """The manifest in these bytes. Raises ``bundle-invalid``, naming the field."""
    try:
        manifest = parse_json(content)
        MANIFEST(manifest, "")
        _require_parts(manifest)
    except (JsonFault, schema.SchemaFault) as cause:
        raise TacetError("bundle-invalid", f"manifest.json: {cause}") from None
    found: Dict[str, Any] = manifest
    return found


def _require_parts(manifest: Dict[str, Any]) -> None:
    architecture = manifest["architecture"]
    needed = "deidentifier" if manifest["kind"] == "pipeline" else "representation"
    if needed not in architecture:
        raise schema.SchemaFault(f"architecture must have {needed}")
    if ("noise" in manifest) != ("representation" in architecture):
        raise schema.SchemaFault("must state noise where it has a representation, and only there")
    scheme = manifest["labelScheme"]
    if ("types" in scheme) != ("map" in scheme):
        raise schema.SchemaFault("labelScheme must have types and map, or neither")
