"""The tokenisation that bundles name ``tacet-aggressive-1``, token by token as the service has it.

A token is a run of letters, a run of digits, or one other character; combining marks stay with the
character before them. Every character that is not white space is in exactly one token.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Dict, List

TOKENISATION = "tacet-aggressive-1"

#: White space of ECMAScript's regular expressions, and the C1 line end.
WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_SPACE, _LETTER, _DIGIT, _OTHER, _EXTENDER = range(5)


@dataclass(frozen=True)
class Token:
    #: Offsets in code points, as Python counts.
    start: int
    end: int
    text: str


class _Classes(Dict[str, int]):
    """The class of each character that was met."""

    def __missing__(self, character: str) -> int:
        self[character] = found = _classify(character)
        return found


def _classify(character: str) -> int:
    if character in WHITE_SPACE:
        return _SPACE
    category = unicodedata.category(character)
    if category.startswith("L"):
        return _LETTER
    if category == "Nd":
        return _DIGIT
    if category.startswith("M") or category == "Cf":
        return _EXTENDER
    return _OTHER


_CLASSES = _Classes()


def tokenise(text: str) -> List[Token]:
    """The tokens of a text, in order."""
    tokens: List[Token] = []
    start, running = -1, _SPACE
    for at, character in enumerate(text):
        kind = _CLASSES[character]
        continues = start >= 0 and (
            kind == _EXTENDER or (kind == running and kind in (_LETTER, _DIGIT))
        )
        if continues:
            continue
        if start >= 0:
            tokens.append(Token(start, at, text[start:at]))
        start = -1 if kind == _SPACE else at
        running = kind
    if start >= 0:
        tokens.append(Token(start, len(text), text[start:]))
    return tokens
