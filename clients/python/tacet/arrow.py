"""Snapshots as Apache Arrow IPC streams, which pyarrow reads.

``vectors`` is a list of T fixed-size lists of d float16 or float32, ``labels`` a list of T uint8; what all
sentences have in common is in the metadata of the schema.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping

from .elements import are_finite
from .errors import TacetError
from .optional_package import require
from .segment import MAX_TOKENS, SegmentHeader, Sentence, require_kept_types


class ArrowReader:
    """Reads sentences of an Arrow IPC stream, a record batch at a time. ``source`` is a path, or a file
    that is open for reading. Raises ``segment-invalid``, at the end at the latest."""

    def __init__(self, source: Any) -> None:
        ipc = require("pyarrow.ipc", "reading Arrow", "arrow")
        arrow = require("pyarrow", "reading Arrow", "arrow")
        self._invalid = arrow.ArrowInvalid, OSError
        path = source if hasattr(source, "read") else arrow.OSFile(str(source), "rb")
        try:
            self._reader = ipc.open_stream(path)
        except self._invalid:
            raise _fault("the stream is no Arrow IPC stream") from None
        self.header = _header_of(arrow, self._reader.schema)

    def __iter__(self) -> Iterator[Sentence]:
        count = 0
        while True:
            try:
                batch = self._reader.read_next_batch()
                batch.validate(full=True)
            except StopIteration:
                break
            except self._invalid:
                raise _fault("the stream breaks off or is damaged") from None
            for sentence in _sentences_of(batch, self.header):
                count += 1
                yield sentence
        if count != self.header.sentence_count:
            raise _fault(
                f"the stream has {count} sentences; its header states {self.header.sentence_count}"
            )


def _header_of(arrow: Any, schema: Any) -> SegmentHeader:
    if schema.names != ["vectors", "labels"]:
        raise _fault("the stream has other columns than vectors and labels")
    vectors, labels = schema.field("vectors").type, schema.field("labels").type
    types = arrow.types
    fits = (
        types.is_list(vectors)
        and types.is_fixed_size_list(vectors.value_type)
        and types.is_list(labels)
        and labels.value_type == arrow.uint8()
    )
    element = vectors.value_type.value_type if fits else None
    if element not in (arrow.float16(), arrow.float32()):
        raise _fault("the stream has other types than lists of vectors and of labels")
    metadata = {key.decode(): each.decode() for key, each in (schema.metadata or {}).items()}
    return SegmentHeader(
        _matching(metadata, "modelDigest", "[0-9a-f]{64}"),
        vectors.value_type.list_size,
        "float16" if element == arrow.float16() else "float32",
        _matching(metadata, "labelSchemeDigest", "[0-9a-f]{64}"),
        int(_matching(metadata, "labelCount", "[0-9]{1,3}")),
        int(_matching(metadata, "sentenceCount", "[0-9]{1,15}")),
        _matching(metadata, "entities", "kept|replaced"),
        require_kept_types(
            tuple(filter(None, metadata.get("keptTypes", "").split(","))), metadata["entities"]
        ),
    )


def _matching(metadata: Mapping[str, str], key: str, pattern: str) -> str:
    value = metadata.get(key, "")
    if not re.fullmatch(pattern, value):
        raise _fault(f"the metadata of the stream lacks a {key}")
    return value


def _sentences_of(batch: Any, header: SegmentHeader) -> Iterator[Sentence]:
    vectors, labels = batch.column("vectors"), batch.column("labels")
    numbers = vectors.values.flatten()
    if any(each.null_count for each in (vectors, labels, vectors.values, labels.values, numbers)):
        raise _fault("a sentence lacks a value")
    width = 2 if header.element_type == "float16" else 4
    first = numbers.offset * width
    content = numbers.buffers()[1]
    all_vectors = bytes(memoryview(content)[first : first + len(numbers) * width])
    all_labels = bytes(labels.values.to_pylist())
    places, label_places = vectors.offsets.to_pylist(), labels.offsets.to_pylist()
    row_bytes = header.dimension * width
    if not are_finite(all_vectors, header.element_type):
        raise _fault("a sentence has a value that is not finite")
    if max(all_labels, default=0) >= header.label_count:
        raise _fault(f"a sentence has a label outside a scheme of {header.label_count}")
    for row in range(batch.num_rows):
        start, stop = places[row], places[row + 1]
        own = all_labels[label_places[row] : label_places[row + 1]]
        if not 1 <= stop - start <= MAX_TOKENS or len(own) != stop - start:
            raise _fault("a sentence has other numbers of vectors and labels than it may have")
        yield Sentence(
            all_vectors[start * row_bytes : stop * row_bytes],
            own,
            header.dimension,
            header.element_type,
        )


def _fault(fault: str) -> TacetError:
    return TacetError("segment-invalid", fault)
