"""A client of Tacet, which shares noisy representations of clinical text in the place of text.

Verifies bundles, reads snapshots of a pool, speaks to an encoder, and finds PHI with a published pipeline.
The standard library suffices to import it; what a task needs besides is said when it is missing.
"""

from __future__ import annotations

from .bundle import VerifiedBundle, verify_bundle
from .embeddings import Embeddings, open_embeddings
from .encoder import Encoder
from .errors import ServiceError, TacetError
from .keys import key_id, read_public_key
from .label_scheme import Span
from .pipeline import Pipeline, open_pipeline
from .pool import Pool
from .segment import SegmentHeader, Sentence
from .snapshot_file import SentenceReader, open_snapshot

__all__ = [
    "Embeddings",
    "Encoder",
    "Pipeline",
    "Pool",
    "SegmentHeader",
    "Sentence",
    "SentenceReader",
    "ServiceError",
    "Span",
    "TacetError",
    "VerifiedBundle",
    "key_id",
    "open_embeddings",
    "open_pipeline",
    "open_snapshot",
    "read_public_key",
    "verify_bundle",
]
