"""Ranges of tokens, ``[start, end)`` by index."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

Range = Tuple[int, int]


def apart(ranges: Sequence[Range]) -> List[Optional[Range]]:
    """The ranges, in order of their starts, each from the end of those before it on, so that they cover what
    they covered and no token is of two; None where nothing is left of one."""
    found: List[Optional[Range]] = []
    end = 0
    for start, stop in ranges:
        found.append((max(start, end), stop) if stop > end else None)
        end = max(end, stop)
    return found
