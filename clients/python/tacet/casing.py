"""The casing feature of Reimers and Gurevych 2017, coded 0 to 6."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

#: Numeric, mainly numeric, all lower, all upper, initial upper, contains digit, other.
CASINGS = 7


def casing_of(word: str) -> int:
    """The first casing that fits, in their order."""
    kinds = [_kind(character) for character in word]
    digits, lower, upper = kinds.count("digit"), kinds.count("lower"), kinds.count("upper")
    if digits > 0 and digits == len(kinds):
        return 0
    if digits > len(kinds) / 2:
        return 1
    if lower > 0 and upper == 0:
        return 2
    if upper > 0 and lower == 0:
        return 3
    if kinds and kinds[0] == "upper":
        return 4
    return 5 if digits > 0 else 6


@lru_cache(maxsize=1 << 14)
def _kind(character: str) -> str:
    if character.islower():
        return "lower"
    category = unicodedata.category(character)
    if character.isupper() or category == "Lt":
        return "upper"
    return "digit" if category == "Nd" else ""
