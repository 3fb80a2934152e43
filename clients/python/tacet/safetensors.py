"""Weights in the safetensors format, https://huggingface.co/docs/safetensors, section "Format".

``u64 header length | JSON header | tensor bytes``, little-endian. Float32 alone is read, and everything
that the format forbids or leaves open is refused: names twice, ranges that overlap, holes, bytes beyond
the last tensor.
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass
from math import prod
from typing import Any, Dict, List, Mapping, NoReturn, Tuple

from .errors import TacetError
from .json_text import JsonFault, parse_json

_LENGTH_BYTES = 8
_MAX_HEADER_BYTES = 4 * 1024 * 1024
_ELEMENT_BYTES = 4
_METADATA = "__metadata__"
_MAX_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True)
class Tensor:
    shape: Tuple[int, ...]
    #: Float32, row by row.
    data: "array[float]"


def read_safetensors(content: bytes) -> Dict[str, Tensor]:
    """The tensors of a file by name. Raises ``bundle-invalid``."""
    if len(content) < _LENGTH_BYTES:
        _fail(f"{len(content)} bytes cannot hold a header length")
    declared = int.from_bytes(content[:_LENGTH_BYTES], "little")
    if declared > min(_MAX_HEADER_BYTES, len(content) - _LENGTH_BYTES):
        _fail(f"the header claims {declared} bytes of a file of {len(content)}")
    start = _LENGTH_BYTES + declared
    entries = _read_header(content[_LENGTH_BYTES:start])
    _require_exact_cover(entries, len(content) - start)
    tensors = {}
    for name, shape, begin, end in entries:
        data = array("f", content[start + begin : start + end])
        if sys.byteorder == "big":
            data.byteswap()
        tensors[name] = Tensor(shape, data)
    return tensors


def part_of(weights: Mapping[str, Tensor], part: str) -> Dict[str, Tensor]:
    """The weights of one network of a bundle, by the names it has for them."""
    prefix = f"{part}/"
    return {name[len(prefix) :]: each for name, each in weights.items() if name.startswith(prefix)}


_Entry = Tuple[str, Tuple[int, ...], int, int]


def _read_header(content: bytes) -> List[_Entry]:
    # "The header data MUST begin with a { character (0x7B)."
    if content[:1] != b"{":
        _fail("the header does not begin with {")
    try:
        header = parse_json(content)
    except JsonFault as cause:
        _fail(f"the header: {cause}")
    return [
        _read_entry(name, entry)
        for name, entry in header.items()
        if name != _METADATA or not _is_text_record(entry)
    ]


def _read_entry(name: str, entry: Any) -> _Entry:
    where = f"tensor {ascii(name)}"
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        _fail(f"{where}: expected dtype, shape and data_offsets alone")
    shape, offsets = entry["shape"], entry["data_offsets"]
    if entry["dtype"] != "F32":
        _fail(f'{where}: expected the dtype "F32"')
    if not _is_sizes(shape):
        _fail(f"{where}: shape is not a list of sizes")
    if not _is_sizes(offsets) or len(offsets) != 2:
        _fail(f"{where}: bad data_offsets")
    begin, end = offsets
    if end - begin != prod(shape) * _ELEMENT_BYTES:
        _fail(f"{where}: offsets {begin} to {end} do not hold shape {shape}")
    return name, tuple(shape), begin, end


def _require_exact_cover(entries: List[_Entry], content_bytes: int) -> None:
    """ "No holes in the byte buffer", and no byte that belongs to two tensors or to none."""
    covered = 0
    for name, _, begin, end in sorted(entries, key=lambda entry: entry[2:]):
        if begin != covered:
            _fail(f"tensor {ascii(name)} begins at byte {begin}, expected {covered}")
        covered = end
    if covered != content_bytes:
        _fail(f"tensors cover {covered} of {content_bytes} bytes")


def _is_text_record(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def _is_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(size, int) and not isinstance(size, bool) and 0 <= size <= _MAX_SAFE_INTEGER
        for size in value
    )


def _fail(reason: str) -> NoReturn:
    raise TacetError("bundle-invalid", f"safetensors: {reason}")
