"""Speaks HTTP to the services: tokens, JSON, problem details (RFC 9457)."""

from __future__ import annotations

import http.client
import json
import re
import ssl
import urllib.error
import urllib.request
from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import quote, urljoin, urlsplit

from .errors import ServiceError, TacetError
from .json_text import JsonFault, parse_json

_MAX_PROBLEM_BYTES = 1 << 20
_NEXT = re.compile('<([^>]*)>\\s*;\\s*rel="?next"?')


class Service:
    """A server at ``base_url`` (``http://host:port``).

    ``token`` is sent as a bearer token, ``context`` says which certificates are trusted. Every failure is a
    ``TacetError``: a ``ServiceError`` with the code that the server stated, ``server-unreachable`` where
    none answers, ``server-failed`` where an answer is not Tacet's. Redirects are not followed, and no
    proxy is used: what is sent may be notes, and a token.
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[str] = None,
        *,
        timeout: float = 60,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise TacetError("usage", "expected an address such as http://127.0.0.1:7421")
        self.base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=context),
            _NoRedirects,
        )

    def json(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of the answer; None where it has none."""
        headers = {} if body is None else {"Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode("ascii")
        with self.open(method, path, content, headers) as answer:
            found = self.read(answer)
        return self._parsed(path, found)

    def listed(self, path: str) -> List[Any]:
        """The rows of a list, from all of its pages: one leads to the next by its ``Link`` (RFC 8288). Raises
        ``server-failed`` where a page leads elsewhere, for the token goes there too."""
        rows: List[Any] = []
        seen = {""}
        query = ""
        while True:
            with self.open("GET", path + query) as answer:
                link = answer.headers.get("Link")
                page = self._parsed(path, self.read(answer))
            if not isinstance(page, list):
                raise self._strayed(path)
            rows.extend(page)
            target = _NEXT.search(link or "")
            if target is None:
                return rows
            own = urlsplit(self.base_url + path)
            to = urlsplit(urljoin(own.geturl(), target.group(1)))
            query = f"?{to.query}"
            if to[:3] != own[:3] or query in seen:
                raise self._strayed(path)
            seen.add(query)

    def _parsed(self, path: str, found: bytes) -> Any:
        if not found:
            return None
        try:
            return parse_json(found)
        except JsonFault:
            raise TacetError(
                "server-failed",
                f"{self.base_url}{path} did not answer in JSON; is it a Tacet server?",
            ) from None

    def _strayed(self, path: str) -> TacetError:
        return TacetError(
            "server-failed",
            f"{self.base_url}{path} answered with no list, or with a page that leads astray",
        )

    def open(
        self,
        method: str,
        path: str,
        content: Optional[bytes] = None,
        headers: Mapping[str, str] = {},
        patience: float = 0,
    ) -> http.client.HTTPResponse:
        """The answer, to be read and closed; ``patience`` is for an answer that may take longer than the timeout,
        in seconds. Raises ``ServiceError`` for what the server refused."""
        request = urllib.request.Request(
            f"{self.base_url}{path}", data=content, method=method, headers=dict(headers)
        )
        if self._token is not None:
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        timeout = max(self._timeout, patience)
        try:
            answer: http.client.HTTPResponse = self._opener.open(request, timeout=timeout)
            return answer
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise self._refused(path, refusal) from None
        except (OSError, http.client.HTTPException):
            raise TacetError(
                "server-unreachable",
                f"no answer from {self.base_url}; is the server running and the address right?",
            ) from None

    def read(self, answer: http.client.HTTPResponse, most: int = -1) -> bytes:
        """Bytes of an answer: all, or at most ``most`` that have come. Raises ``server-failed`` where they
        break off."""
        try:
            return answer.read() if most < 0 else answer.read1(most)
        except (OSError, http.client.HTTPException):
            raise TacetError("server-failed", "the answer broke off; try again") from None

    def _refused(self, path: str, refusal: urllib.error.HTTPError) -> TacetError:
        try:
            problem = parse_json(refusal.read(_MAX_PROBLEM_BYTES))
        except (JsonFault, OSError, http.client.HTTPException):
            problem = None
        found: Dict[str, Any] = problem if isinstance(problem, dict) else {}
        code, title, detail = (found.get(key) for key in ("code", "title", "detail"))
        if isinstance(code, str):
            return ServiceError(code, str(title or ""), str(detail or ""), refusal.code)
        # Presidio's own routes answer in its words.
        if isinstance(found.get("error"), str):
            return ServiceError("request-invalid", "", found["error"], refusal.code)
        return ServiceError(
            "server-failed",
            "A server failed",
            f"{self.base_url}{path} answered {refusal.code} without problem details",
            refusal.code,
        )


def path_to(path: str, **parameters: str) -> str:
    """A path with its parameters in their places, whatever characters they have."""
    return path.format(**{name: quote(value, safe="") for name, value in parameters.items()})


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token and notes go where they were sent, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None
