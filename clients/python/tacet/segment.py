"""Segments, and snapshots of any size in their format.

::

    magic | header | block ... block | 0 | footer | length of the footer | magic

Header, blocks and footer are frames: length, payload, CRC-32 (both 32-bit little-endian). A block holds
protobuf messages ``EncodedSentence``, each after its length. The one encoding of a message that tacet
writes is read and no other: fields in another order, twice, unknown or with longer varints than needed
could carry anything. One block is in memory at a time.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, NoReturn, Optional, Tuple

from .elements import ELEMENT_BYTES, are_finite, decode_elements
from .errors import TacetError
from .optional_package import require

if TYPE_CHECKING:
    import numpy

_MAGIC = {b"TACETSG1": 1, b"TACETSG2": 2}
_MAGIC_BYTES = 8
_LENGTH_BYTES = 4
_CHECKSUM_BYTES = 4
_MAX_FRAME_BYTES = 16 * 1024 * 1024
_DIGEST_BYTES = 32
_MAX_DIMENSION = 1024
_MAX_LABELS = 256
MAX_TOKENS = 1024
_CASING_VALUES = 7
_ELEMENT_TYPES = ("float16", "float32")
_TREATMENTS = ("kept", "replaced")
_VECTORS_TAG, _CASING_TAG, _LABELS_TAG = 0x0A, 0x12, 0x1A


@dataclass(frozen=True)
class SegmentHeader:
    """What all sentences of a segment or a snapshot have in common."""

    #: SHA-256 in hex of the bundle that encoded the sentences.
    model_digest: str
    #: d, the length of a token's vector.
    dimension: int
    #: ``float16`` or ``float32``.
    element_type: str
    #: SHA-256 in hex of the label scheme.
    label_scheme_digest: str
    label_count: int
    sentence_count: int
    #: What became of labelled entities before they were encoded: ``replaced`` or ``kept``.
    entities: str
    #: Where they were replaced, the types of the label scheme whose entities were kept, in order.
    kept_types: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Sentence:
    """One released sentence of T tokens: no text, no document, no order."""

    #: [T, d] numbers, row by row, little-endian.
    vectors: bytes
    #: [T] label ids: 0 is O, 1 + 2t and 2 + 2t are B and I of type t.
    labels: bytes
    dimension: int
    element_type: str

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self) -> List[Tuple[float, ...]]:
        """[T][d]"""
        values, d = decode_elements(self.vectors, self.element_type), self.dimension
        return [values[t * d : (t + 1) * d] for t in range(len(self))]

    def array(self) -> "numpy.ndarray[Any, Any]":
        """[T, d] in the element type of the release, read-only. Needs numpy."""
        np = require("numpy", "an array of vectors", "pipeline")
        dtype = "<f2" if self.element_type == "float16" else "<f4"
        found: "numpy.ndarray[Any, Any]" = np.frombuffer(self.vectors, dtype=dtype)
        shaped: "numpy.ndarray[Any, Any]" = found.reshape(len(self), self.dimension)
        return shaped


class SegmentReader:
    """Reads a segment, or a snapshot in its format, from chunks of any size.

    ``header`` is there at once. One pass gives the sentences; a stream that breaks off, or whose counts
    are other than it states, raises ``segment-invalid`` at its end at the latest.
    """

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._bytes = _Bytes(chunks)
        magic = self._bytes.take(_MAGIC_BYTES)
        if magic not in _MAGIC:
            self._bytes.fail("does not start as one")
        self._magic = magic
        self._format = _MAGIC[magic]
        self.header = _read_header(_frame(self._bytes))

    def __iter__(self) -> Iterator[Sentence]:
        block_bytes: List[int] = []
        block_tokens: List[int] = []
        count = 0
        for block in self._blocks():
            tokens = 0
            for sentence in _sentences_of(block, self.header, self._format):
                tokens += len(sentence)
                count += 1
                yield sentence
            block_bytes.append(len(block))
            block_tokens.append(tokens)
        self._end(count, block_bytes, block_tokens)

    def _blocks(self) -> Iterator[bytes]:
        while True:
            length = _frame_length(self._bytes)
            if length == 0:
                return
            yield _payload(self._bytes, length)

    def _end(self, count: int, block_bytes: List[int], block_tokens: List[int]) -> None:
        footer = _frame(self._bytes)
        agrees = self.header.sentence_count == count and _read_footer(footer) == (
            count,
            block_bytes,
            block_tokens,
        )
        if not agrees:
            self._bytes.fail("holds other counts than its header and footer state")
        length = int.from_bytes(self._bytes.take(_LENGTH_BYTES), "little")
        if length != len(footer) or self._bytes.take(_MAGIC_BYTES) != self._magic:
            self._bytes.fail("does not end as one")
        if self._bytes.has_more():
            self._bytes.fail("holds bytes after its end")


class _Bytes:
    """Chunks as they come, cut anew."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._held = bytearray()
        self._offset = 0

    def take(self, count: int) -> bytes:
        """The next ``count`` bytes. Memory grows with what has arrived, never by what is announced."""
        while len(self._held) < count:
            chunk = next(self._chunks, None)
            if chunk is None:
                self.fail("breaks off")
            self._held += chunk
        taken = bytes(memoryview(self._held)[:count])
        del self._held[:count]
        self._offset += count
        return taken

    def has_more(self) -> bool:
        return bool(self._held) or any(len(chunk) > 0 for chunk in self._chunks)

    def fail(self, fault: str) -> NoReturn:
        raise _invalid(f"the segment {fault}, at byte {self._offset}")

    @property
    def offset(self) -> int:
        return self._offset


def _frame(source: _Bytes) -> bytes:
    return _payload(source, _frame_length(source))


def _frame_length(source: _Bytes) -> int:
    at = source.offset
    length = int.from_bytes(source.take(_LENGTH_BYTES), "little")
    if length > _MAX_FRAME_BYTES:
        raise _invalid(
            f"the block at byte {at} announces {length} bytes; the limit is {_MAX_FRAME_BYTES}"
        )
    return length


def _payload(source: _Bytes, length: int) -> bytes:
    at = source.offset - _LENGTH_BYTES
    payload = source.take(length)
    if int.from_bytes(source.take(_CHECKSUM_BYTES), "little") != zlib.crc32(payload):
        raise _invalid(f"the block at byte {at} differs from its checksum")
    return payload


class _Fields:
    """The fields of a message that must stand in one order, each written in one way."""

    def __init__(self, content: bytes, part: str) -> None:
        self._content = content
        self._part = part
        self._at = 0

    def number(self, field: int) -> int:
        """Zero where it is left out, as proto3 writes zero."""
        if not self._has(field, 0):
            return 0
        return self._varint() or self.fail()

    def content(self, field: int) -> bytes:
        """Empty where it is left out."""
        if not self._has(field, 2):
            return b""
        length = self._varint()
        if not 0 < length <= len(self._content) - self._at:
            self.fail()
        self._at += length
        return self._content[self._at - length : self._at]

    def numbers(self, field: int) -> List[int]:
        """A packed list."""
        packed = _Fields(self.content(field), self._part)
        found = []
        while packed._at < len(packed._content):
            found.append(packed._varint())
        return found

    def texts(self, field: int) -> List[str]:
        """All of a repeated field of ASCII."""
        found = []
        while content := self.content(field):
            found.append(content.decode("ascii", "replace"))
        return found

    def end(self) -> None:
        if self._at != len(self._content):
            self.fail()

    def fail(self) -> NoReturn:
        raise _invalid(f"the {self._part} holds other bytes than its fields")

    def _has(self, field: int, wire_type: int) -> bool:
        """Whether the field stands here; its tag, of one byte, is then passed over."""
        tag = field << 3 | wire_type
        found = self._content[self._at : self._at + 1] == bytes([tag])
        self._at += found
        return found

    def _varint(self) -> int:
        """An unsigned 32-bit number in its shortest form."""
        value = 0
        for shift in range(0, 35, 7):
            if self._at >= len(self._content):
                break
            byte = self._content[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if (byte == 0 and shift > 0) or value >= 2**32:
                    break
                return value
        self.fail()


def _read_header(content: bytes) -> SegmentHeader:
    fields = _Fields(content, "header")
    model_digest = _digest(fields.content(1), "model")
    dimension = _between(fields.number(2), _MAX_DIMENSION, "dimension")
    element_type = fields.number(3)
    scheme_digest = _digest(fields.content(4), "label scheme")
    label_count = _between(fields.number(5), _MAX_LABELS, "label count")
    sentence_count = fields.number(6)
    entities = fields.number(7)
    kept_types = tuple(fields.texts(8))
    fields.end()
    if element_type >= len(_ELEMENT_TYPES):
        raise _invalid(f"the header names the unknown element type {element_type}")
    if entities >= len(_TREATMENTS):
        raise _invalid(f"the header names the unknown treatment of entities {entities}")
    return SegmentHeader(
        model_digest,
        dimension,
        _ELEMENT_TYPES[element_type],
        scheme_digest,
        label_count,
        sentence_count,
        _TREATMENTS[entities],
        require_kept_types(kept_types, _TREATMENTS[entities]),
    )


def require_kept_types(types: Tuple[str, ...], entities: str) -> Tuple[str, ...]:
    """Raises ``segment-invalid`` for types that are not in order, or where nothing was replaced."""
    are_names = all(re.fullmatch("[A-Za-z0-9_:.-]{1,64}", each) for each in types)
    if types and (entities != "replaced" or not are_names or list(types) != sorted(set(types))):
        raise _invalid("the header names kept types out of order, or of entities that were kept")
    return types


def _read_footer(content: bytes) -> Tuple[int, List[int], List[int]]:
    fields = _Fields(content, "footer")
    found = (fields.number(1), fields.numbers(2), fields.numbers(3))
    fields.end()
    return found


def _digest(content: bytes, name: str) -> str:
    if len(content) != _DIGEST_BYTES:
        raise _invalid(
            f"the {name} digest in the header has {len(content)} bytes; expected {_DIGEST_BYTES}"
        )
    return content.hex()


def _between(value: int, limit: int, name: str) -> int:
    if 1 <= value <= limit:
        return value
    raise _invalid(f"the {name} in the header is {value}; expected 1 to {limit}")


def _sentences_of(block: bytes, header: SegmentHeader, form: int) -> Iterator[Sentence]:
    at = 0
    found = []
    # All of a block is checked before any of it is handed on.
    while at < len(block):
        sentence, at = _sentence_at(block, at, header, form)
        found.append(sentence)
    return iter(found)


def _sentence_at(
    block: bytes, at: int, header: SegmentHeader, form: int
) -> Tuple[Sentence, int]:
    """The sentence whose length is at ``at``, and where it ends."""
    start, stop = _extent(block, at, len(block), "a sentence")
    vectors_start, vectors_stop = _field(block, start, stop, _VECTORS_TAG)
    casing: Optional[Tuple[int, int]] = None
    if vectors_stop < stop and block[vectors_stop] == _CASING_TAG:
        casing = _field(block, vectors_stop, stop, _CASING_TAG)
    labels_at = casing[1] if casing else vectors_stop
    labels_start, labels_stop = _field(block, labels_at, stop, _LABELS_TAG)
    if labels_stop != stop:
        raise _invalid(f"a sentence goes on for {stop - labels_stop} bytes after its labels")
    tokens = stop - labels_start
    row_bytes = header.dimension * ELEMENT_BYTES[header.element_type]
    _require_bytes("vectors", vectors_stop - vectors_start, tokens * row_bytes, tokens)
    if (casing is not None) != (form == 1):
        raise _invalid(f"a sentence has casing in clear in format 1, and in no other than {form}")
    if casing:
        _require_bytes("casing", casing[1] - casing[0], tokens, tokens)
        if max(block[casing[0] : casing[1]], default=0) >= _CASING_VALUES:
            raise _invalid("a sentence has a casing value over 6")
    if not 1 <= tokens <= MAX_TOKENS:
        raise _invalid(f"a sentence has {tokens} tokens; expected 1 to {MAX_TOKENS}")
    labels = block[labels_start:stop]
    if max(labels) >= header.label_count:
        raise _invalid(f"a sentence has a label outside a scheme of {header.label_count}")
    vectors = block[vectors_start:vectors_stop]
    if not are_finite(vectors, header.element_type):
        raise _invalid("a sentence has a value that is not finite")
    return Sentence(vectors, labels, header.dimension, header.element_type), stop


def _field(block: bytes, at: int, stop: int, tag: int) -> Tuple[int, int]:
    if at >= stop or block[at] != tag:
        raise _invalid("a sentence is not a message of vectors and labels, in this order")
    return _extent(block, at + 1, stop, "a field")


def _extent(block: bytes, at: int, stop: int, what: str) -> Tuple[int, int]:
    """First byte, and the byte after the last, of what the varint at ``at`` gives the length of."""
    length = 0
    for index in range(min(4, stop - at)):
        byte = block[at + index]
        length |= (byte & 0x7F) << (7 * index)
        if byte >= 0x80:
            continue
        start = at + index + 1
        if (byte == 0 and index > 0) or start + length > stop:
            break
        return start, start + length
    raise _invalid(f"{what} runs over the end of what holds it")


def _require_bytes(what: str, found: int, expected: int, tokens: int) -> None:
    if found != expected:
        raise _invalid(
            f"a sentence has {found} bytes of {what}; expected {expected} for {tokens} tokens"
        )


def _invalid(fault: str) -> TacetError:
    return TacetError("segment-invalid", fault)
