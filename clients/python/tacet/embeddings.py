"""Public word vectors in files: fastText and word2vec ``.vec``, GloVe ``.txt``, fastText ``.bin``, and
the ``.matrix`` that Tacet converts each of them into (``$TACET_CACHE/embeddings``)."""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import re
import struct
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NoReturn, Optional, Tuple

from .bundle import PathLike
from .errors import TacetError
from .optional_package import require
from .subwords import Subwords, compose

_MATRIX_MAGIC = b"TACETEM1"
_MAX_HEADER_BYTES = 1 << 16
_FASTTEXT_MAGIC = 793712314
_FASTTEXT_VERSIONS = (11, 12)
_SUPERVISED, _LABEL = 3, 1
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANKS = re.compile(rb"[ \t]+")
_FIELD = re.compile(rb"[^ \t]+")
_HASH_CHUNK_BYTES = 1 << 22


class Embeddings:
    """Public pre-trained word vectors, and what they give for words that they do not hold."""

    def __init__(
        self,
        identity: str,
        rows: Mapping[str, int],
        matrix: Any,
        subwords: Optional[Subwords] = None,
        *,
        composed: bool = True,
    ) -> None:
        #: SHA-256 in hex of the source file; a bundle names the one that it was trained on.
        self.identity = identity
        self._rows = rows
        #: [W, E] float32
        self._matrix = matrix
        self._subwords = subwords
        #: Whether rows hold the n-grams of their words already.
        self._composed = composed or subwords is None

    @property
    def dimension(self) -> int:
        """E"""
        return int(self._matrix.shape[1])

    def word_of(self, word: str) -> Optional[str]:
        """The word whose row stands for ``word``: itself, else its lower-case form; None without either."""
        if word in self._rows:
            return word
        lower = word.lower()
        return lower if lower in self._rows else None

    def vector(self, word: str) -> Optional[Any]:
        """[E] of a word as it is written: its row, else what its n-grams give; None without either."""
        row = self._rows.get(word)
        if row is None:
            return self._subwords.vector(word) if self._subwords else None
        own = self._matrix[row]
        return own if self._composed else compose(self._subwords, word, own)


def open_embeddings(file: PathLike) -> Embeddings:
    """The word vectors in a file, told apart by its content. Needs numpy. Raises ``file-not-found`` or
    ``embeddings-invalid``."""
    path = Path(file)
    try:
        with path.open("rb") as opened:
            start = opened.read(len(_MATRIX_MAGIC))
    except OSError as cause:
        raise TacetError("file-not-found", f"{path}: {cause.strerror}") from None
    if start == _MATRIX_MAGIC:
        return _read_matrix(path)
    if start[:4] == struct.pack("<i", _FASTTEXT_MAGIC):
        return _read_fasttext(path)
    return _read_text(path)


def _read_matrix(path: Path) -> Embeddings:
    """MAGIC, the length of the header, the header (JSON), words, [W, E], and [bucket, E] of n-grams."""
    np = require("numpy", "reading word vectors", "pipeline")
    content = _mapped(path)
    at = len(_MATRIX_MAGIC) + 4
    length = int.from_bytes(content[at - 4 : at], "little")
    if length > _MAX_HEADER_BYTES:
        _fail(path, "the header is too long")
    try:
        header: Dict[str, Any] = json.loads(content[at : at + length])
        at += length
        words, dimension = int(header["words"]), int(header["dimension"])
        text = content[at : at + header["wordBytes"]]
        if hashlib.sha256(text).hexdigest() != header["wordDigest"]:
            _fail(path, "the words differ from their digest")
        at += len(text)
        subwords = header.get("subwords")
        bucket = int(subwords["bucket"]) if subwords else 0
        identity = str(header["identity"])
        expected = at + 4 * dimension * (words + bucket)
    except (KeyError, TypeError, ValueError):
        _fail(path, "the header is malformed")
    if expected != len(content):
        _fail(path, f"expected {expected} bytes, found {len(content)}")
    rows = {word: row for row, word in enumerate(text.decode("utf-8", "replace").split("\n"))}
    if len(rows) != words:
        _fail(path, f"expected {words} words, found {len(rows)}")
    matrix = np.frombuffer(content, "<f4", words * dimension, at).reshape(words, dimension)
    if not subwords:
        return Embeddings(identity, rows, matrix)
    grams = np.frombuffer(content, "<f4", bucket * dimension, at + 4 * words * dimension)
    grams = grams.reshape(bucket, dimension)
    return Embeddings(
        identity, rows, matrix, Subwords(grams, int(subwords["minn"]), int(subwords["maxn"]))
    )


def _read_text(path: Path) -> Embeddings:
    """A word and its vector a line; the vector is the last E fields, so that a word may hold spaces."""
    np = require("numpy", "reading word vectors", "pipeline")
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        _fail(path, "expected a word and its vector, found no line")
    head = re.fullmatch(rb"([0-9]{1,10}) ([0-9]{1,5})", first[1])
    dimension = int(head.group(2)) if head else len(_BLANKS.split(first[1])) - 1
    if dimension < (1 if head else 2):
        _fail(path, "expected `words dimensions`, or a word and two or more numbers")
    rows: Dict[str, int] = {}
    vectors: List[Any] = []
    if not head:
        _add(path, *first, dimension, rows, vectors)
    count = 0
    for count, (number, line) in enumerate(lines, 1):
        _add(path, number, line, dimension, rows, vectors)
    if head and count < max(1, int(head.group(1))):
        _fail(path, f"the first line promises {int(head.group(1))} words, found {count}")
    return Embeddings(_sha256(path), rows, np.stack(vectors))


def _lines(path: Path) -> Iterator[Tuple[int, bytes]]:
    with path.open("rb") as opened:
        for number, line in enumerate(opened, 1):
            if number == 1 and line.startswith(_BYTE_ORDER_MARK):
                line = line[len(_BYTE_ORDER_MARK) :]
            yield number, line.rstrip(b"\n").rstrip(b" \t\r")


def _add(
    path: Path, number: int, line: bytes, dimension: int, rows: Dict[str, int], vectors: List[Any]
) -> None:
    """Keeps the vector of a line, unless its word came before."""
    np = require("numpy", "reading word vectors", "pipeline")
    fields = list(_FIELD.finditer(line))[-dimension:]
    values = [_decimal(field.group()) for field in fields]
    before = fields[0].start() if len(fields) == dimension else 0
    word = line[:before].rstrip(b" \t")
    _, *later = _BLANKS.split(word)
    surplus = bool(later) and not math.isnan(_decimal(later[-1]))
    if before == 0 or surplus or not all(map(math.isfinite, values)):
        _fail(path, f"expected a word and {dimension} numbers; the file is malformed", number)
    spelt = word.decode("utf-8", "replace")
    if spelt not in rows:
        rows[spelt] = len(vectors)
        vectors.append(np.array(values, np.float32))


def _decimal(field: bytes) -> float:
    """NaN where there is no number."""
    try:
        return math.nan if b"_" in field else float(field)
    except ValueError:
        return math.nan


def _read_fasttext(path: Path) -> Embeddings:
    """A fastText model of version 11 or 12 that was not quantised."""
    np = require("numpy", "reading word vectors", "pipeline")
    content = _mapped(path)
    try:
        _, version, dimension, *rest = struct.unpack_from("<14i", content)
        kind, bucket, minn, maxn = rest[6:10]
        entries, word_count, labels, _, pruned = struct.unpack_from("<3i2q", content, 64)
        _require_fasttext(path, version, dimension, entries, word_count, labels, pruned)
        rows: Dict[str, int] = {}
        at = 92
        for entry in range(entries):
            end = content.find(b"\0", at)
            is_label = end < 0 or content[end + 9] == _LABEL
            if is_label == (entry < word_count):
                _fail(path, "expected its words before its labels; the file is malformed")
            if not is_label:
                rows.setdefault(content[at:end].decode("utf-8", "replace"), entry)
            at = end + 10
        quantised, matrix_rows, columns = struct.unpack_from("<?2q", content, at)
        at += 17
    except (struct.error, IndexError):
        _fail(path, "the file is cut off; fetch it again")
    if quantised:
        _fail(path, "quantised fastText models cannot be read; give the full model")
    if (matrix_rows, columns) != (word_count + bucket, dimension):
        _fail(path, "the sizes in its head contradict each other; the file is malformed")
    if len(content) - at < 4 * matrix_rows * columns:
        _fail(path, "the file is cut off; fetch it again")
    both = np.frombuffer(content, "<f4", matrix_rows * columns, at).reshape(matrix_rows, columns)
    unigrams = version == 11 and kind == _SUPERVISED
    has_grams = bucket > 0 and maxn > 0 and not unigrams
    subwords = Subwords(both[word_count:], minn, maxn) if has_grams else None
    return Embeddings(_sha256(path), rows, both[:word_count], subwords, composed=False)


def _require_fasttext(
    path: Path, version: int, dimension: int, entries: int, words: int, labels: int, pruned: int
) -> None:
    if version not in _FASTTEXT_VERSIONS:
        _fail(path, f"expected model version 11 or 12, found {version}")
    if dimension < 1 or words < 0 or labels != entries - words:
        _fail(path, "the sizes in its head contradict each other; the file is malformed")
    if pruned > 0:
        _fail(path, "quantised fastText models cannot be read; give the full model")


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as opened:
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as opened:
        for chunk in iter(lambda: opened.read(_HASH_CHUNK_BYTES), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _fail(path: Path, problem: str, line: Optional[int] = None) -> NoReturn:
    where = f"{path}:{line}" if line else str(path)
    raise TacetError("embeddings-invalid", f"{where}: {problem}")
