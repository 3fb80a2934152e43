"""The PHI types of a bundle and the IOB2 labels of its networks."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, List, Mapping, Sequence, Tuple

from .errors import TacetError
from .tokeniser import Token


@dataclass(frozen=True)
class Span:
    """A PHI mention, ``[start, end)`` in code points."""

    type: str
    start: int
    end: int
    #: The least posterior that a token of it is of its type.
    confidence: float = 1.0


@dataclass(frozen=True)
class LabelScheme:
    types: Tuple[str, ...]

    @property
    def label_count(self) -> int:
        """L: O, then B and I of each type in order."""
        return 1 + 2 * len(self.types)

    def decode(self, tokens: Sequence[Token], labels: Sequence[int]) -> List[Span]:
        """The spans of label ids [T]. An inside label after O or after another type starts a span, so that
        any sequence a network gives decodes."""
        spans: List[Span] = []
        running = -1
        for token, label in zip(tokens, labels):
            kind = -1 if label == 0 else (label - 1) >> 1
            if kind >= 0 and (label % 2 == 1 or kind != running):
                spans.append(Span(self.types[kind], token.start, token.end))
            elif kind >= 0:
                last = spans[-1]
                spans[-1] = Span(last.type, last.start, token.end)
            running = kind
        return spans


def scheme_of(where: str, stated: Mapping[str, Any]) -> LabelScheme:
    """The scheme that a manifest states. Raises ``bundle-invalid`` where its parts do not belong together."""
    labels = stated["labels"]
    types = stated.get("types")
    named = [*stated.get("map", {}).values(), *stated.get("describes", [])]
    is_stray = types is not None and any(each not in types for each in named if each is not None)
    if types is None:
        types = [label[2:] for label in labels[1::2]]
    expected = ["O", *(f"{mark}-{each}" for each in types for mark in "BI")]
    content = {"labels": labels, "name": stated["name"], "version": stated["version"]}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    if is_stray or labels != expected or digest != stated["digest"]:
        raise TacetError(
            "bundle-invalid",
            f"{where}: manifest.json: types, map, describes, labels and digest of the label scheme do not "
            "belong together",
        )
    return LabelScheme(tuple(types))
