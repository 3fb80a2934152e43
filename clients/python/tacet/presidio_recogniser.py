"""A published pipeline, or an encoder, as a recogniser of Presidio's analyzer. Needs presidio-analyzer.

::

    analyzer.registry.add_recognizer(recogniser_of(pipeline))
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Union

from .encoder import Encoder
from .label_scheme import Span
from .optional_package import require
from .pipeline import Pipeline


def recogniser_of(
    finder: Union[Pipeline, Encoder],
    *,
    language: str = "en",
    entities: Optional[Sequence[str]] = None,
    threshold: Optional[float] = None,
) -> Any:
    """An ``EntityRecognizer`` that finds what ``finder`` finds. ``entities`` are the types that it is asked
    for, by default those of the pipeline; an encoder has no such list here, so that it must be given."""
    analyzer = require("presidio_analyzer", "a recogniser of Presidio", "presidio")
    types = list(entities if entities is not None else getattr(finder, "types", ()))
    if not types:
        raise ValueError("entities must be given for an encoder")

    class TacetRecognizer(analyzer.EntityRecognizer):  # type: ignore[misc, name-defined]
        def load(self) -> None:
            """The pipeline is open, or the encoder serves."""

        def analyze(
            self, text: str, entities: Sequence[str], nlp_artifacts: Any = None
        ) -> List[Any]:
            wanted = entities or types
            return [
                analyzer.RecognizerResult(span.type, span.start, span.end, span.confidence)
                for span in spans_of(finder, text, threshold)
                if span.type in wanted
            ]

    return TacetRecognizer(
        supported_entities=types, name="TacetRecognizer", supported_language=language
    )


def spans_of(
    finder: Union[Pipeline, Encoder], text: str, threshold: Optional[float] = None
) -> List[Span]:
    """The spans that a pipeline finds here, or an encoder elsewhere."""
    if isinstance(finder, Pipeline):
        return finder.find(text, threshold=threshold)
    (document,) = finder.deidentify([{"text": text}], policy="annotate", threshold=threshold)
    return [
        Span(span["label"], span["start"], span["end"], span["confidence"])
        for span in document["spans"]
    ]
