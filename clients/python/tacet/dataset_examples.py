"""Snapshots as examples for `datasets`, whose package is not needed to make them.

::

    datasets.Dataset.from_generator(
        examples_of_file, gen_kwargs={"file": "snapshot.segment"}, features=features_of(header)
    )

`datasets` keeps what it is given in a cache on disk: releases too are to be thrown away there when an
institution withdraws them from the pool.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, Optional

from .bundle import PathLike
from .optional_package import require
from .pool import Pool
from .segment import SegmentHeader, Sentence
from .snapshot_file import open_snapshot


def examples_of_file(file: PathLike) -> Iterator[Dict[str, Any]]:
    """``{"vectors": [T][d], "labels": [T]}`` of each sentence of a snapshot in a file."""
    return _examples(open_snapshot(file))


def examples_of_pool(
    url: str, snapshot: str, token_file: PathLike, seed: int = 0, copies: Optional[int] = None
) -> Iterator[Dict[str, Any]]:
    """The same of a running pool. The token stands in a file, since `datasets` writes a digest of what a
    generator is given into the names of its cache."""
    with open(token_file, encoding="ascii") as opened:
        token = opened.read().strip()
    return _examples(Pool(url, token).sentences(snapshot, seed=seed, copies=copies))


def features_of(header: SegmentHeader) -> Any:
    """What `datasets` calls the features of these examples. Needs the package."""
    datasets = require("datasets", "the features of a dataset", "datasets")
    row = datasets.Sequence(datasets.Value(header.element_type), length=header.dimension)
    return datasets.Features(
        {"vectors": datasets.Sequence(row), "labels": datasets.Sequence(datasets.Value("uint8"))}
    )


def _examples(sentences: Iterable[Sentence]) -> Iterator[Dict[str, Any]]:
    for sentence in sentences:
        rows = [list(row) for row in sentence.rows()]
        yield {"vectors": rows, "labels": list(sentence.labels)}
