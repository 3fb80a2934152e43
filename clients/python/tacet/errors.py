"""Expected failures, under the stable codes of the service's own error table."""

from __future__ import annotations


class TacetError(Exception):
    """An expected failure.

    ``code`` is stable; the message says what was wrong, where, what was expected and what to do, and
    never holds text of a document. Codes are those of ``proto/errors.ts``, and ``package-missing``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ServiceError(TacetError):
    """What a server refused, as its problem details (RFC 9457) say it.

    ``title`` names the kind of failure, ``detail`` this one, ``status`` is that of the answer.
    """

    def __init__(self, code: str, title: str, detail: str, status: int) -> None:
        super().__init__(code, f"{title}: {detail}" if title else detail)
        self.title = title
        self.detail = detail
        self.status = status
