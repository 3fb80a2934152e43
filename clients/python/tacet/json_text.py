"""JSON as every reader of it must see it: UTF-8, no key twice, no number that JSON does not have."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Tuple


class JsonFault(ValueError):
    """Bytes that are no JSON, or that two readers could understand in two ways."""


def parse_json(text: bytes) -> Any:
    """The value of a JSON text in UTF-8, which may begin with a byte order mark. Raises ``JsonFault``."""
    try:
        decoded = text.decode("utf-8")
        if decoded.startswith("\ufeff"):
            decoded = decoded[1:]
        return json.loads(
            decoded, object_pairs_hook=_object, parse_constant=_refuse_constant
        )
    except JsonFault:
        raise
    except (ValueError, RecursionError):
        # The parser's own message quotes the text.
        raise JsonFault("expected JSON in UTF-8") from None


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise JsonFault("a key is there twice")
    return found


def _refuse_constant(_: str) -> Any:
    raise JsonFault("expected JSON, found a number that it has not")
