"""A published pipeline as a component of spaCy. Importing this module needs spacy, and registers it.

::

    import tacet.spacy_component

    nlp = spacy.blank("en")
    nlp.add_pipe("tacet", config={"bundle": ..., "public_keys": [...], "embeddings": ...})

Spans come into ``doc.spans["phi"]`` as they are found, and into ``doc.ents``. Where a span begins or ends
within one of spaCy's tokens it is widened to the whole of it, so that nothing found stays outside. A token
that two spans share is of the first in ``doc.ents``, which cannot overlap.
"""

from __future__ import annotations

from typing import Any, List, Optional

from .embeddings import open_embeddings
from .keys import read_public_key
from .optional_package import require
from .pipeline import Pipeline, open_pipeline
from .token_ranges import apart

SPANS_KEY = "phi"

_language = require("spacy.language", "the component tacet", "spacy")
_tokens = require("spacy.tokens", "the component tacet", "spacy")


class PhiComponent:
    """Finds PHI in a ``Doc`` of spaCy."""

    def __init__(self, pipeline: Pipeline, threshold: Optional[float] = None) -> None:
        self.pipeline = pipeline
        self.threshold = threshold

    def __call__(self, doc: Any) -> Any:
        found = self.pipeline.find(doc.text, threshold=self.threshold)
        spans = [
            doc.char_span(span.start, span.end, label=span.type, alignment_mode="expand")
            for span in found
        ]
        doc.spans[SPANS_KEY] = spans
        ranges = apart([(span.start, span.end) for span in spans])
        entities = [
            _tokens.Span(doc, *tokens, label=span.label)
            for span, tokens in zip(spans, ranges)
            if tokens is not None
        ]
        doc.set_ents(entities, default="unmodified")
        return doc


def create_component(
    nlp: Any,
    name: str,
    bundle: str,
    public_keys: List[str],
    embeddings: str,
    threshold: Optional[float] = None,
) -> PhiComponent:
    """The component of a bundle that one of the keys in ``public_keys`` (PEM files) must have signed."""
    keys = [read_public_key(file) for file in public_keys]
    return PhiComponent(open_pipeline(bundle, keys, open_embeddings(embeddings)), threshold)


_language.Language.factory("tacet", func=create_component, default_config={"threshold": None})
