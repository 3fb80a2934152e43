"""Ed25519 signatures (RFC 8032, section 5.1): verification alone, of public data.

``cryptography`` does it where it is installed, the arithmetic below where it is not. That arithmetic
takes a time that depends on its numbers, all of which are public.
"""

from __future__ import annotations

import hashlib
from typing import Optional, Tuple

from .errors import TacetError

KEY_BYTES = 32
SIGNATURE_BYTES = 64

PRIME = 2**255 - 19
#: L, the order of the base point.
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
_SQRT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)
_SIGN_BIT = 2**255

#: y of a point of order 8; with those below, every y of a point whose order divides 8. Under such a key
#: one signature holds for many messages, so nobody in particular has signed.
_ORDER_8 = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({1, PRIME - 1, 0, _ORDER_8, PRIME - _ORDER_8})

#: Extended coordinates (X, Y, Z, T) of the point (X/Z, Y/Z), with T = XY/Z.
_Point = Tuple[int, int, int, int]
_NEUTRAL: _Point = (0, 1, 1, 0)


def require_sound_key(raw: bytes) -> bytes:
    """The 32 bytes of a public key. Raises ``key-invalid`` for another length, for a point that could be
    written in another way, and for one under which anyone can sign."""
    if len(raw) != KEY_BYTES:
        raise TacetError(
            "key-invalid", f"a raw Ed25519 key has {KEY_BYTES} bytes, not {len(raw)}"
        )
    y = int.from_bytes(raw, "little") % _SIGN_BIT
    if y >= PRIME:
        raise TacetError("key-invalid", "the Ed25519 key is no canonical point")
    if y in _SMALL_ORDER:
        raise TacetError(
            "key-invalid",
            "the Ed25519 key is a point of small order, under which anyone can sign; make a key "
            "with tacet keys create",
        )
    return raw


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the holder of ``public_key`` (32 bytes) signed ``message``."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return verify_in_python(public_key, message, signature)
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def verify_in_python(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """As ``verify``, on the standard library alone (RFC 8032, section 5.1.7, without the cofactor)."""
    if len(public_key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    key = _decompress(public_key)
    s = int.from_bytes(signature[32:], "little")
    # "S ... as an integer in the range 0 <= s < L": otherwise one signature had several forms.
    if key is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    found = _compress(_sum_of_multiples(s, _BASE, k, _negative(key)))
    return found == signature[:32]


def _decompress(raw: bytes) -> Optional[_Point]:
    """The point of an encoding (RFC 8032, section 5.1.3); None where there is none."""
    encoded = int.from_bytes(raw, "little")
    sign, y = divmod(encoded, _SIGN_BIT)
    if y >= PRIME:
        return None
    u, v = (y * y - 1) % PRIME, (_D * y * y + 1) % PRIME
    x = u * pow(v, 3, PRIME) * pow(u * pow(v, 7, PRIME), (PRIME - 5) // 8, PRIME) % PRIME
    if v * x * x % PRIME == -u % PRIME:
        x = x * _SQRT_OF_MINUS_ONE % PRIME
    if v * x * x % PRIME != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = PRIME - x
    return (x, y, 1, x * y % PRIME)


def _compress(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, PRIME - 2, PRIME)
    x, y = x * inverse % PRIME, y * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


def _negative(point: _Point) -> _Point:
    x, y, z, t = point
    return (PRIME - x, y, z, PRIME - t)


def _add(first: _Point, second: _Point) -> _Point:
    """RFC 8032, section 5.1.4; right for equal points too."""
    x1, y1, z1, t1 = first
    x2, y2, z2, t2 = second
    a = (y1 - x1) * (y2 - x2) % PRIME
    b = (y1 + x1) * (y2 + x2) % PRIME
    c = 2 * _D * t1 * t2 % PRIME
    d = 2 * z1 * z2 % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _sum_of_multiples(m: int, first: _Point, n: int, second: _Point) -> _Point:
    """m · first + n · second, both read bit by bit together."""
    steps = (_NEUTRAL, first, second, _add(first, second))
    total = _NEUTRAL
    for bit in range(max(m.bit_length(), n.bit_length()) - 1, -1, -1):
        total = _add(total, total)
        step = (m >> bit & 1) | (n >> bit & 1) << 1
        if step:
            total = _add(total, steps[step])
    return total


def _base_point() -> _Point:
    """B, whose y is 4/5 and whose x is even."""
    y = 4 * pow(5, PRIME - 2, PRIME) % PRIME
    point = _decompress(y.to_bytes(KEY_BYTES, "little"))
    assert point is not None
    return point


_BASE = _base_point()
