"""Vectors of words from their n-grams, as fastText computes them (Bojanowski et al. 2017, section 3.2)."""

from __future__ import annotations

from typing import Any, List, Optional

from .optional_package import require

_FNV_OFFSET_BASIS = 0x811C9DC5
_FNV_PRIME = 0x01000193
_MASK = 0xFFFFFFFF
#: fastText's mark for the end of a line, the one word without n-grams.
_END_OF_SENTENCE = "</s>"


class Subwords:
    """The n-gram vectors of a fastText model."""

    def __init__(self, matrix: Any, shortest: int, longest: int) -> None:
        #: [bucket, E] float32
        self.matrix = matrix
        self.shortest = shortest
        self.longest = longest

    def vector(self, word: str) -> Optional[Any]:
        """[E], the mean over the n-grams; None where the word has none."""
        buckets = self.buckets(word)
        if not buckets:
            return None
        np = require("numpy", "vectors of words", "pipeline")
        total = np.zeros(self.matrix.shape[1], np.float32)
        return _add(self.matrix, buckets, total) * np.float32(1 / len(buckets))

    def buckets(self, word: str) -> List[int]:
        """The rows of the n-grams of ``<word>``, in the order and with the repetitions of fastText: each
        hashed by 32-bit FNV-1a over sign-extended bytes, without the lone marks."""
        if word == _END_OF_SENTENCE:
            return []
        content = f"<{word}>".encode("utf-8", "replace")
        found = []
        for start in range(len(content)):
            if _continues(content, start):
                continue
            value, end = _FNV_OFFSET_BASIS, start
            for length in range(1, self.longest + 1):
                if end >= len(content):
                    break
                while True:
                    byte = content[end]
                    signed = byte if byte < 0x80 else byte | 0xFFFFFF00
                    value = (value ^ signed) * _FNV_PRIME & _MASK
                    end += 1
                    if not _continues(content, end):
                        break
                is_mark = length == 1 and (start == 0 or end == len(content))
                if length >= self.shortest and not is_mark:
                    found.append(value % len(self.matrix))
        return found


def compose(subwords: Optional[Subwords], word: str, own: Any) -> Any:
    """The mean of a word's own vector [E] and those of its n-grams."""
    if subwords is None:
        return own
    np = require("numpy", "vectors of words", "pipeline")
    buckets = subwords.buckets(word)
    return _add(subwords.matrix, buckets, own.copy()) * np.float32(1 / (1 + len(buckets)))


def _add(matrix: Any, buckets: List[int], total: Any) -> Any:
    """Sums in 32-bit floats, one n-gram after the other, as fastText does."""
    for bucket in buckets:
        total += matrix[bucket]
    return total


def _continues(content: bytes, at: int) -> bool:
    return at < len(content) and content[at] & 0xC0 == 0x80
