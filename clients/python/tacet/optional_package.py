"""Packages that only some tasks need."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import TacetError


def require(module: str, purpose: str, extra: str) -> Any:
    """The module of an optional package. Raises ``package-missing``, with what installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as cause:
        package = module.split(".")[0].replace("_", "-")
        raise TacetError(
            "package-missing",
            f"{purpose} needs the package {package}, which is not installed; "
            f"run: pip install {package}, or install tacet with the extra [{extra}]",
        ) from cause
