"""Reads the values of a TOML table one by one, and keeps every fault instead of stopping at the first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from foveate.challenges.texts import problem_of_text
from foveate.errors import InputError, did_you_mean, shown

_KINDS = {
    bool: "true or false",
    str: "a text",
    int: "a whole number",
    float: "a number",
    datetime: "a date with its time",
    list: "a list",
    dict: "a table",
}
_ZONE = "Write it with its zone, as 2026-03-01T00:00:00Z; Z is UTC."
MISSING = object()
_LONGEST = 5_000
# Moments are also shown in zones beside UTC, and by calendars that end with the year 9999.
_YEARS = (1970, 9000)


class FaultsError(InputError):
    """A challenge's folder says things that cannot be taken; `faults` are all of them.

    Args:
        faults: At least one.
    """

    def __init__(self, faults: Sequence[InputError]) -> None:
        first = faults[0]
        more = len(faults) - 1
        problem = f"{first.problem} (and {more} more {'thing' if more == 1 else 'things'})" if more else first.problem
        super().__init__(first.where, problem, first.remedy)
        self.faults = tuple(faults)


@dataclass
class Table:
    """A table of the file that is being read.

    Attributes:
        values: What it says.
        at: How messages call it: `challenge.toml, phases 2 (evaluation)`.
        faults: Where every fault goes; all tables of a file share it.
        known: The keys that were asked for; others are faults (`done`).
    """

    values: Mapping[str, Any]
    at: str
    faults: list[InputError]
    known: list[str] = field(default_factory=list)

    def fault(self, key: str, problem: str, remedy: str) -> None:
        """Keeps a fault of a key."""
        self.faults.append(InputError(f"{self.at}, {key}", problem, remedy))

    def got(self, key: str, *kinds: type) -> Any:
        """Returns the value of a key; MISSING where there is none, or one of another kind, which is a fault."""
        self.known.append(key)
        value = self.values.get(key, MISSING)
        if value is MISSING:
            return value
        # True is a number to Python, and to nobody else.
        if isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool)):
            return value
        self.fault(key, f"it is {_said(value)}, which is not {_KINDS[kinds[0]]}", f"Write {_KINDS[kinds[0]]}.")
        return MISSING

    def text(self, key: str, default: str = "", *, needed: bool = False, most: int = _LONGEST) -> str:
        """Returns a text; a needed one that is absent or blank is a fault, and so is one that pages cannot show."""
        value = self.got(key, str)
        if value is not MISSING and (problem := problem_of_text(value, most)):
            self.fault(key, f"it {problem}", "Type it again, shorter, with ordinary letters.")
            return default
        if needed and (value is MISSING and key not in self.values or str(value).strip() == ""):
            self.fault(key, "it is missing", "Write a text.")
        return default if value is MISSING else value.strip()

    def choice(self, key: str, of: Sequence[str], default: str) -> str:
        """Returns one of some words."""
        value = self.text(key, default)
        if value in of:
            return value
        self.fault(key, f"{_said(value)} is none of {', '.join(of)}", did_you_mean(value, of))
        return default

    def flag(self, key: str, default: bool) -> bool:
        """Returns true or false."""
        value = self.got(key, bool)
        return default if value is MISSING else bool(value)

    def whole(self, key: str, default: Any, least: int = 1) -> Any:
        """Returns a whole number of at least `least`, or the default."""
        value = self.got(key, int)
        if value is MISSING:
            return default
        if value < least:
            self.fault(key, f"it is {value}, and at least {least} is needed", "Write a larger number.")
            return default
        return value

    def number(self, key: str, default: float) -> float:
        """Returns a number above 0, or the default."""
        value = self.got(key, float, int)
        if value is MISSING:
            return default
        if not (math.isfinite(value) and value > 0):
            self.fault(key, f"it is {value}, and a number above 0 is needed", "Write a larger number.")
            return default
        return float(value)

    def value(self, key: str) -> float:
        """Returns any finite number that is there; 0 for a fault."""
        value = self.got(key, float, int)
        if value is MISSING or not math.isfinite(value):
            if value is not MISSING:
                self.fault(key, f"{value} is no value", "Write a number.")
            return 0.0
        return float(value)

    def moment(self, key: str) -> datetime | None:
        """Returns a moment in UTC, None for none; one without a zone is a fault."""
        self.known.append(key)
        if key not in self.values:
            return None
        value = self.values[key]
        if not isinstance(value, datetime):
            self.fault(key, f"it is {_said(value)}, which is no moment with date, time and zone", _ZONE)
            return None
        if value.tzinfo is None:
            self.fault(key, f"{value.isoformat()} does not say of which zone it is", _ZONE)
            return None
        if not _YEARS[0] <= value.year <= _YEARS[1]:
            self.fault(key, f"the year {value.year} is not between {_YEARS[0]} and {_YEARS[1]}", "Write a nearer one.")
            return None
        return value.astimezone(UTC)

    def texts(self, key: str, default: tuple[str, ...] | None) -> Any:
        """Returns a list of texts without repetitions, as a tuple, or the default."""
        value = self.got(key, list)
        if value is MISSING:
            return default
        if not value or not all(isinstance(one, str) and one.strip() for one in value):
            self.fault(key, f"it is {_said(value)}, which is no list of texts", 'Write ["one", "two"].')
            return default
        problem = next((said for one in value if (said := problem_of_text(one, _LONGEST))), None)
        if problem:
            self.fault(key, f"it {problem}", "Type it again, shorter, with ordinary letters.")
            return default
        if len(set(value)) < len(value):
            self.fault(key, f"{_said(value)} names something twice", "Name each once.")
        return tuple(dict.fromkeys(value))

    def table(self, key: str) -> Table | None:
        """Returns a table inside, None where there is none."""
        value = self.got(key, dict)
        return None if value is MISSING else Table(value, f"{self.at}, {key}", self.faults)

    def tables(self, key: str) -> list[Table]:
        """Returns the tables of a list (`[[key]]`), each called by its number and, where it has one, its name."""
        value = self.got(key, list)
        found = []
        for number, one in enumerate([] if value is MISSING else value, 1):
            at = f"{self.at}, {key} {number}"
            if not isinstance(one, dict):
                self.fault(f"{key} {number}", f"it is {_said(one)}, which is not a table", f"Write [[{key}]].")
                continue
            name = one.get("name")
            found.append(Table(one, f"{at} ({shown(name)})" if isinstance(name, str) else at, self.faults))
        return found

    def done(self) -> None:
        """Looks for keys that nobody asked for."""
        for key in self.values:
            if key not in self.known:
                self.fault(key, "there is no such key", did_you_mean(key, self.known))


def _said(value: object) -> str:
    text = shown(value.isoformat() if hasattr(value, "isoformat") else repr(value))
    return text if len(text) <= 80 else f"{text[:76]} ..."
