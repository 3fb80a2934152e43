"""The characters of a word as codes, for networks that read them."""

from __future__ import annotations

from typing import List

#: S, the characters that a model sees of a word; of a longer one its beginning and its end.
CODES_A_WORD = 20
_OWN_CODES = 0x180
_PADDING, _OTHER = 0, 1


def character_codes(word: str) -> List[int]:
    """[S]: 2 + c for the character of code point c below 384, 1 for any other, then 0."""
    half = CODES_A_WORD // 2
    seen = word if len(word) <= CODES_A_WORD else word[:half] + word[-half:]
    codes = [_OTHER + 1 + ord(each) if ord(each) < _OWN_CODES else _OTHER for each in seen]
    return codes + [_PADDING] * (CODES_A_WORD - len(codes))
