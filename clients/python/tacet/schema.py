"""Checks of the shape of JSON values. A fault names the place of a value, never the value."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

#: Raises ``SchemaFault`` unless the value at the place is as it should be.
Check = Callable[[Any, str], None]


class SchemaFault(ValueError):
    """A value of another shape than expected."""


def _fault(place: str, expected: str) -> SchemaFault:
    return SchemaFault(f"{place or 'it'} {expected}")


def text(pattern: Optional[str] = None, shortest: int = 0, longest: Optional[int] = None) -> Check:
    compiled = re.compile(pattern) if pattern else None

    def check(value: Any, place: str) -> None:
        if not isinstance(value, str):
            raise _fault(place, "must be a string")
        if len(value) < shortest or (longest is not None and len(value) > longest):
            raise _fault(place, f"must have {shortest} to {longest} characters")
        if compiled and not compiled.fullmatch(value):
            raise _fault(place, f"must match {pattern}")

    return check


def number(
    least: float = -math.inf, above: float = -math.inf, below: float = math.inf, whole: bool = False
) -> Check:
    """A finite number x with ``least`` <= x, ``above`` < x < ``below``."""

    def check(value: Any, place: str) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _fault(place, "must be a number")
        if isinstance(value, float) and not math.isfinite(value):
            raise _fault(place, "must be a finite number")
        if whole and value != int(value):
            raise _fault(place, "must be a whole number")
        if not (value >= least and value > above and value < below):
            raise _fault(place, "is out of range")

    return check


def integer(least: int, most: int) -> Check:
    return number(least=least, below=most + 1, whole=True)


def boolean(value: Any, place: str) -> None:
    if not isinstance(value, bool):
        raise _fault(place, "must be true or false")


def one_of(*values: str) -> Check:
    def check(value: Any, place: str) -> None:
        if not isinstance(value, str) or value not in values:
            raise _fault(place, f"must be {' or '.join(values)}")

    return check


def any_of(*checks: Check) -> Check:
    def check(value: Any, place: str) -> None:
        for each in checks:
            try:
                return each(value, place)
            except SchemaFault:
                continue
        raise _fault(place, "is of no type that stands here")

    return check


def null(value: Any, place: str) -> None:
    if value is not None:
        raise _fault(place, "must be null")


def array(items: Check, least: int, most: int, unique: bool = False) -> Check:
    def check(value: Any, place: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise _fault(place, f"must be a list of {least} to {most}")
        for index, each in enumerate(value):
            items(each, f"{place}.{index}")
        if unique and len(set(value)) != len(value):
            raise _fault(place, "must not hold anything twice")

    return check


@dataclass(frozen=True)
class Fields:
    """The check of an object with these keys, beside which others may stand where it is not closed."""

    required: Mapping[str, Check]
    optional: Mapping[str, Check]
    is_closed: bool

    def __call__(self, value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise _fault(place, "must be an object")
        for key in self.required:
            if key not in value:
                raise _fault(place, f"must have {key}")
        for key, each in value.items():
            check = self.required.get(key) or self.optional.get(key)
            if check:
                check(each, f"{place}.{key}" if place else key)
            elif self.is_closed:
                raise _fault(place, "must not have a key that is not known")


def closed(required: Mapping[str, Check], optional: Mapping[str, Check] = {}) -> Fields:
    """An object with these keys and no others."""
    return Fields(required, optional, is_closed=True)


def opened(required: Mapping[str, Check], optional: Mapping[str, Check] = {}) -> Fields:
    """An object with these keys, beside which others may stand."""
    return Fields(required, optional, is_closed=False)


def mapping(
    values: Check,
    keys: Optional[Check] = None,
    least: int = 0,
    most: Optional[int] = None,
    required: Sequence[str] = (),
) -> Check:
    """An object with values of one kind under any keys."""

    def check(value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise _fault(place, "must be an object")
        if len(value) < least or (most is not None and len(value) > most):
            raise _fault(place, f"must have {least} to {most} keys")
        for key in required:
            if key not in value:
                raise _fault(place, f"must have {key}")
        for index, (key, each) in enumerate(value.items()):
            if keys:
                keys(key, f"{place}, key {index},")
            values(each, f"{place}, value {index},")

    return check
