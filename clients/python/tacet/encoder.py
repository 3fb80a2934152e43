"""Speaks to an encoder inside an institution: encoding, jobs, de-identifying, Presidio's analyzer."""

from __future__ import annotations

import http.client
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

from .errors import TacetError
from .json_text import JsonFault, parse_json
from .service import Service, path_to

ENCODE = "/v1/encode"
DEIDENTIFY = "/v1/deidentify"
JOBS = "/v1/jobs"
JOB = "/v1/jobs/{id}"
JOB_EVENTS = "/v1/jobs/{id}/events"
ANALYZE = "/analyze"

_MAX_LINE_BYTES = 1 << 22

#: ``{"id": ..., "text": ..., "spans": [{"label", "start", "end"}, ...]}``, offsets in code points, as
#: Python counts; to be encoded a document must have spans, if none.
Document = Mapping[str, Any]


class Encoder(Service):
    """An encoder over HTTP. Notes go to it in clear: it stands inside the institution."""

    def encode(
        self,
        documents: Sequence[Document],
        *,
        dry_run: bool = False,
        copies: Optional[int] = None,
        keep: Optional[Sequence[str]] = None,
    ) -> Dict[str, Any]:
        """Encodes labelled documents into the outbox and waits for it; returns counts. ``copies`` says how
        often each note leaves, each time with other entities; ``keep`` names types whose entities are kept where
        the others are replaced, as far as the policy of the encoder allows."""
        found: Dict[str, Any] = self.json(
            "POST", ENCODE, {"documents": _plain(documents), **_how(dry_run, copies, keep)}
        )
        return found

    def submit(
        self,
        documents: Optional[Sequence[Document]] = None,
        *,
        input: Optional[str] = None,
        dry_run: bool = False,
        copies: Optional[int] = None,
        keep: Optional[Sequence[str]] = None,
        without_phi: bool = False,
    ) -> Dict[str, Any]:
        """As ``encode``, in the background: returns the job. ``input`` is a file or folder below the
        encoder's input directory, in the place of documents; ``without_phi`` says that its notes hold no PHI, so
        that none needs a labelled entity."""
        if (documents is None) == (input is None):
            raise TacetError("usage", "give either documents or input")
        what = {"input": input} if documents is None else {"documents": _plain(documents)}
        how = {**_how(dry_run, copies, keep), **({"withoutPhi": True} if without_phi else {})}
        found: Dict[str, Any] = self.json("POST", JOBS, {**what, **how})
        return found

    def jobs(self) -> List[Dict[str, Any]]:
        """Jobs of this encoder, oldest first."""
        found: List[Dict[str, Any]] = self.json("GET", JOBS)
        return found

    def job(self, job_id: str) -> Dict[str, Any]:
        found: Dict[str, Any] = self.json("GET", path_to(JOB, id=job_id))
        return found

    def cancel(self, job_id: str) -> Any:
        """Ends a job; what it has released stays released."""
        return self.json("DELETE", path_to(JOB, id=job_id))

    def follow(self, job_id: str) -> Iterator[Dict[str, Any]]:
        """Every change of a job, until it has ended (server-sent events)."""
        path = path_to(JOB_EVENTS, id=job_id)
        with self.open("GET", path, headers={"Accept": "text/event-stream"}) as answer:
            while True:
                try:
                    line = answer.readline(_MAX_LINE_BYTES)
                except (OSError, http.client.HTTPException):
                    line = b""
                if not line:
                    raise TacetError("server-failed", "the events broke off; ask for the job again")
                if not line.startswith(b"data: "):
                    continue
                try:
                    view: Dict[str, Any] = parse_json(line[len(b"data: ") :])
                except JsonFault:
                    raise TacetError("server-failed", "an event is not JSON") from None
                yield view
                if view.get("ended") is not None:
                    return

    def deidentify(
        self,
        documents: Sequence[Document],
        *,
        policy: str = "tag",
        language: Optional[str] = None,
        threshold: Optional[float] = None,
        patterns: Optional[bool] = None,
    ) -> List[Dict[str, Any]]:
        """The documents with their PHI replaced (``policy``: tag, mask, surrogate or annotate), each with
        the spans of what stands there now, offsets in code points, and under annotate their confidence."""
        chosen = {"language": language, "threshold": threshold, "patterns": patterns}
        given = {name: value for name, value in chosen.items() if value is not None}
        found: List[Dict[str, Any]] = self.json(
            "POST", DEIDENTIFY, {"documents": _plain(documents), "policy": policy, **given}
        )["documents"]
        return found

    def analyze(self, text: str, language: str = "en", **options: Any) -> List[Dict[str, Any]]:
        """Presidio's analyzer: ``{"entity_type", "start", "end", "score", ...}`` of each finding.
        ``options`` are those of its request, ``entities`` and ``score_threshold`` among them."""
        body = {"text": text, "language": language, **options}
        found: List[Dict[str, Any]] = self.json("POST", ANALYZE, body)
        return found


def _plain(documents: Sequence[Document]) -> List[Dict[str, Any]]:
    return [dict(document) for document in documents]


def _how(
    dry_run: bool, copies: Optional[int], keep: Optional[Sequence[str]]
) -> Dict[str, Any]:
    return {
        **({"dryRun": True} if dry_run else {}),
        **({"copies": copies} if copies is not None else {}),
        **({"keep": list(keep)} if keep is not None else {}),
    }
