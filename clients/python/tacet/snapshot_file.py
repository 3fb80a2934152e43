"""Snapshots in files, as ``tacet snapshot read`` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator, Union

from .arrow import ArrowReader
from .bundle import PathLike
from .errors import TacetError
from .segment import SegmentReader

_CHUNK_BYTES = 1 << 18
_SEGMENT_START = b"TACETSG"
#: Of each message of an Arrow IPC stream.
_ARROW_START = b"\xff\xff\xff\xff"

#: ``header``, and the sentences of one pass over it.
SentenceReader = Union[SegmentReader, ArrowReader]


def open_snapshot(file: PathLike) -> SentenceReader:
    """A snapshot or a segment in a file of the formats ``protobuf`` and ``arrow``, told apart by their
    first bytes. Iterating gives its sentences, without all of them in memory. Raises ``file-not-found`` or
    ``segment-invalid``."""
    path = Path(file)
    try:
        with path.open("rb") as opened:
            start = opened.read(len(_SEGMENT_START))
    except OSError as cause:
        raise TacetError("file-not-found", f"{path}: {cause.strerror}") from None
    if start == _SEGMENT_START:
        return SegmentReader(_chunks_of(path))
    if not start.startswith(_ARROW_START):
        raise TacetError(
            "segment-invalid",
            f"{path}: expected a snapshot as tacet snapshot read writes it, in protobuf or arrow",
        )
    return ArrowReader(path)


def _chunks_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as opened:
        while True:
            chunk = opened.read(_CHUNK_BYTES)
            if not chunk:
                return
            yield chunk
