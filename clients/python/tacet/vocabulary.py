"""What a network sees of words: a vector each, a casing, and the characters of the word."""

from __future__ import annotations

import unicodedata
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from .casing import CASINGS, casing_of
from .character_codes import CODES_A_WORD, character_codes
from .embeddings import Embeddings
from .optional_package import require

#: Digits alone longer than this share the vector of this length.
_TRAINED_DIGIT_LENGTHS = 10
#: One for unknown words, and one for each length of digits.
TRAINED_VECTORS = 1 + _TRAINED_DIGIT_LENGTHS


class Seen(NamedTuple):
    """What a network sees of one word."""

    #: [E] or [E + 7] float32
    vector: Any
    #: [S] codes of its characters
    characters: List[int]


class Vocabulary:
    """Looks words up in public vectors [W, E], and the rest in trained ones [11, E]: row 0 is the unknown
    word's, row k that of k digits."""

    def __init__(self, embeddings: Embeddings, trained: Any, *, casing: bool) -> None:
        self._embeddings = embeddings
        self._trained = trained
        self._casing = casing
        self._seen: Dict[str, Seen] = {}

    @property
    def width(self) -> int:
        """Numbers a token: E, and 7 for its casing where that is an input."""
        return self._embeddings.dimension + (CASINGS if self._casing else 0)

    def batch(self, sentences: Sequence[Sequence[str]]) -> Tuple[Any, Any, Any]:
        """Of B sentences of at most T words: [B, T, E or E + 7] float32, [B, T, S] int64 and [B] int32."""
        np = require("numpy", "looking words up", "pipeline")
        steps = max(len(sentence) for sentence in sentences)
        vectors = np.zeros((len(sentences), steps, self.width), np.float32)
        characters = np.zeros((len(sentences), steps, CODES_A_WORD), np.int64)
        for row, sentence in enumerate(sentences):
            for step, word in enumerate(sentence):
                seen = self._look_up(word)
                vectors[row, step] = seen.vector
                characters[row, step] = seen.characters
        lengths = np.array([len(sentence) for sentence in sentences], np.int32)
        return vectors, characters, lengths

    def _look_up(self, word: str) -> Seen:
        found = self._seen.get(word)
        if found is None:
            if len(self._seen) >= 1 << 16:
                self._seen.clear()
            found = self._seen[word] = self._find(word)
        return found

    def _find(self, token: str) -> Seen:
        word = self._composed(token)
        known = self._embeddings.word_of(word)
        spelling = word.lower() if known is None else known
        vector = self._embeddings.vector(spelling)
        if vector is None:
            vector = self._trained[_trained_row(word)]
        return Seen(self._with_casing(vector, word), character_codes(spelling.lower()))

    def _composed(self, token: str) -> str:
        """Accents that are marks of their own, as some systems write them, join their letters (NFC), unless
        the vectors have the word as it stands."""
        if token.isascii() or self._embeddings.word_of(token) is not None:
            return token
        has_marks = any(unicodedata.category(each).startswith("M") for each in token)
        return unicodedata.normalize("NFC", token) if has_marks else token

    def _with_casing(self, vector: Any, word: str) -> Any:
        if not self._casing:
            return vector
        np = require("numpy", "looking words up", "pipeline")
        one_hot = np.zeros(CASINGS, np.float32)
        one_hot[casing_of(word)] = 1
        return np.concatenate([vector, one_hot])


def _trained_row(word: str) -> int:
    is_digits = all(unicodedata.category(each) == "Nd" for each in word)
    return min(len(word), _TRAINED_DIGIT_LENGTHS) if is_digits else 0
