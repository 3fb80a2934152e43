"""What the service's own tests leave for these: files that its TypeScript wrote, and addresses of servers."""

from __future__ import annotations

import json
import os
import unittest
from pathlib import Path
from typing import Any

_FOLDER = os.environ.get("TACET_FIXTURES", "")


def needs_fixtures(case: Any) -> Any:
    return unittest.skipUnless(_FOLDER, "without fixtures: the tests in test/clients make them")(case)


def fixture(name: str) -> Path:
    return Path(_FOLDER, name)


def fixture_json(name: str) -> Any:
    return json.loads(fixture(name).read_text("utf-8"))
