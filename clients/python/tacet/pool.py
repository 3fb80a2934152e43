"""Reads what a pool has frozen into snapshots."""

from __future__ import annotations

import hashlib
import http.client
import io
import time
from typing import Any, Dict, Iterator, List, Optional, Sequence

from .arrow import ArrowReader
from .errors import ServiceError, TacetError
from .segment import SegmentHeader, SegmentReader
from .service import Service, path_to
from .snapshot_file import SentenceReader

SNAPSHOTS = "/v1/snapshots"
SNAPSHOT = "/v1/snapshots/{id}"
SENTENCES = "/v1/snapshots/{id}/sentences"

_CHUNK_BYTES = 1 << 18
#: Counted anew after every byte of progress; long enough for a server to be restarted.
_RETRY_SECONDS = (0.1, 0.3, 1, 3, 5)
#: For the rest of a stream, before whose first byte the server makes all that was read already.
_REST_SECONDS = 3600
_PASSING = ("server-failed", "server-unreachable")


class Pool(Service):
    """A pool over HTTP, for who has a token of the role ``consumer``."""

    def snapshots(self) -> List[Dict[str, Any]]:
        """What the pool has frozen, oldest first, from all pages of its list."""
        return self.listed(SNAPSHOTS)

    def snapshot(self, snapshot_id: str) -> Dict[str, Any]:
        """What a snapshot holds. Raises ``digest-mismatch`` where it is another than was asked for: its id
        follows from its segments."""
        found: Dict[str, Any] = self.json("GET", path_to(SNAPSHOT, id=snapshot_id))
        own = snapshot_id_of(found.get("segments", []))
        if found.get("id") != snapshot_id or own != snapshot_id:
            raise TacetError(
                "digest-mismatch", f"asked for snapshot {snapshot_id}, was answered with {own}"
            )
        return found

    def sentences(
        self,
        snapshot_id: str,
        *,
        seed: int = 0,
        copies: Optional[int] = None,
        form: str = "protobuf",
    ) -> SentenceReader:
        """The sentences of a snapshot, shuffled by ``seed``, in bounded memory.

        ``copies`` asks for the part alone whose notes left so many times; ``form`` is ``protobuf`` or
        ``arrow``, which needs pyarrow. A connection that breaks is taken up again where it broke. Raises
        ``digest-mismatch`` where the stream does not begin like the snapshot, and as the readers do.
        """
        if form not in ("protobuf", "arrow"):
            raise TacetError("usage", "expected the form protobuf or arrow")
        snapshot = self.snapshot(snapshot_id)
        chunks = self._chunks(snapshot_id, seed, copies, form)
        reader: SentenceReader = (
            SegmentReader(chunks)
            if form == "protobuf"
            else ArrowReader(io.BufferedReader(_ChunkFile(chunks), _CHUNK_BYTES))
        )
        _require_same(reader.header, snapshot, copies)
        return reader

    def _chunks(
        self, snapshot_id: str, seed: int, copies: Optional[int], form: str
    ) -> Iterator[bytes]:
        part = "" if copies is None else f"&copies={copies}"
        path = f"{path_to(SENTENCES, id=snapshot_id)}?format={form}&seed={seed}{part}"
        received, failures, tag = 0, 0, ""
        while True:
            try:
                headers = {"Range": f"bytes={received}-", "If-Range": tag} if received else {}
                patience = _REST_SECONDS if received else 0
                with self.open("GET", path, headers=headers, patience=patience) as answer:
                    if received and answer.status != http.client.PARTIAL_CONTENT:
                        raise TacetError(
                            "conflict", "the server cannot go on with a stream that broke off"
                        )
                    tag = answer.headers.get("ETag", "")
                    while True:
                        chunk = self.read(answer, _CHUNK_BYTES)
                        if not chunk:
                            _require_whole(answer)
                            return
                        received += len(chunk)
                        failures = 0
                        yield chunk
            except TacetError as error:
                passing = error.code in _PASSING and not isinstance(error, ServiceError)
                # Before the first byte the failure is the answer.
                if not passing or received == 0 or failures == len(_RETRY_SECONDS):
                    raise
                time.sleep(_RETRY_SECONDS[failures])
                failures += 1


def snapshot_id_of(segments: Sequence[str]) -> str:
    """The id of a snapshot of these segments, sorted."""
    lines = ["tacet-snapshot-1", *segments, ""]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _require_whole(answer: http.client.HTTPResponse) -> None:
    """``read1`` tells an end from a connection that broke off only by the bytes that were announced."""
    if answer.length:
        raise TacetError("server-failed", "the answer broke off; try again")


def _require_same(header: SegmentHeader, snapshot: Dict[str, Any], copies: Optional[int]) -> None:
    stated = {
        "modelDigest": header.model_digest,
        "labelSchemeDigest": header.label_scheme_digest,
        "labelCount": header.label_count,
        "dimension": header.dimension,
        "elementType": header.element_type,
        "sentenceCount": header.sentence_count,
        "keptTypes": list(header.kept_types),
    }
    # A pool of an earlier version does not state parts: it knows of one copy a note.
    of_copies = {each["copies"]: each for each in snapshot.get("parts", [])}
    expected = {"keptTypes": [], **snapshot, **of_copies.get(copies, {})}
    for field, found in stated.items():
        if expected.get(field) != found:
            raise TacetError(
                "digest-mismatch",
                f"the sentences came with another {field} than snapshot {snapshot['id']} has",
            )


class _ChunkFile(io.RawIOBase):
    """Chunks as a file, for readers that want one."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self._chunks = chunks
        self._held = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._held:
            self._held = memoryview(next(self._chunks, b""))
        count = min(len(buffer), len(self._held))
        buffer[:count] = self._held[:count]
        self._held = self._held[count:]
        return count
