"""Long texts in pieces that can be worked on in bounded memory."""

from __future__ import annotations

import re
from typing import Iterator, Tuple

from .sentence_splitter import utf16_length
from .tokeniser import WHITE_SPACE

#: In UTF-16 units, as the service counts.
_LENGTH = 32_768
_BLANK = "".join(sorted(WHITE_SPACE - {"\n", "\x85"}))
_BLANK_LINE = re.compile(f"\n[{re.escape(_BLANK)}]*\n")


def blocks_of(text: str) -> Iterator[Tuple[int, str]]:
    """Pieces that make up the text, each with where it starts. They end at a blank line, where every
    sentence ends too; in a piece without one at a line's end, else at a space, else anywhere."""
    start = 0
    while start < len(text):
        window = _window(text, start)
        is_last = start + len(window) == len(text)
        size = len(window) if is_last else _cut(window)
        yield start, text[start : start + size]
        start += size


def _window(text: str, start: int) -> str:
    """As much of a text as has ``_LENGTH`` UTF-16 units."""
    window = text[start : start + _LENGTH]
    excess = utf16_length(window) - _LENGTH
    while excess > 0:
        # A character takes two units at most, so this never takes away too many.
        window = window[: len(window) - (excess + 1) // 2]
        excess = utf16_length(window) - _LENGTH
    return window


def _cut(window: str) -> int:
    blank = 0
    for match in _BLANK_LINE.finditer(window):
        blank = match.end()
    if blank > 0:
        return blank
    line = window.rfind("\n") + 1
    if line > 0:
        return line
    for at in range(len(window) - 1, -1, -1):
        if window[at] in WHITE_SPACE and window[at] != "\x85":
            return at + 1
    is_high_surrogate = "\ud800" <= window[-1] <= "\udbff"
    return len(window) - 1 if is_high_surrogate and len(window) > 1 else len(window)
