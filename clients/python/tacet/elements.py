"""How the numbers of a vector are stored: float16 or float32, little-endian."""

from __future__ import annotations

import struct
from typing import Dict, Tuple

#: Bytes a number, by element type.
ELEMENT_BYTES: Dict[str, int] = {"float16": 2, "float32": 4}
_CODES = {"float16": "e", "float32": "f"}
#: The last byte of a float16 whose exponent is all ones: an infinity or no number.
_NOT_FINITE_16 = bytes(byte for byte in range(256) if byte & 0x7C == 0x7C)
#: The last byte of a float32 whose exponent may be all ones.
_DOUBTFUL_32 = bytes(byte for byte in range(256) if byte & 0x7F == 0x7F)


def decode_elements(content: bytes, element_type: str) -> Tuple[float, ...]:
    """The numbers in ``content``, whose length is a multiple of the element's size."""
    count = len(content) // ELEMENT_BYTES[element_type]
    return struct.unpack(f"<{count}{_CODES[element_type]}", content)


def are_finite(content: bytes, element_type: str) -> bool:
    """Whether none of the numbers is an infinity or no number at all."""
    if element_type == "float16":
        return not _has_any(content[1::2], _NOT_FINITE_16)
    if not _has_any(content[3::4], _DOUBTFUL_32):
        return True
    pairs = zip(content[3::4], content[2::4])
    return not any(high & 0x7F == 0x7F and low & 0x80 for high, low in pairs)


def _has_any(content: bytes, unwanted: bytes) -> bool:
    return len(content.translate(None, unwanted)) != len(content)
