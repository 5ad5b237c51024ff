"""A problem of an entry's file: what a team reads of it. It is made of public facts: ids, sizes, forms, values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from foveate.errors import InputError, shown

# What the command line offers besides, and a challenge does not.
_SKIPPING = re.compile(r",? or pass --skip-invalid[^.]*(?=\.)")
_LONGEST = 300


@dataclass(frozen=True)
class Problem:
    """One problem.

    Attributes:
        file: The file as its sender calls it.
        row: The line, entry or mask; empty where it is the file as a whole.
        field: The column or key; empty where it is none in particular.
        expected: What was expected; empty where the sentence says it all.
        got: What is there.
        said: One sentence, with file and row.
        remedy: What to do.
    """

    file: str
    row: str
    field: str
    expected: str
    got: str
    said: str
    remedy: str


def problem_of(error: InputError, path: Path, name: str) -> Problem:
    """Returns what a reader's error is to a team.

    Args:
        error: The error.
        path: The file as it lies here; nobody is told where.
        name: The file as its sender calls it.
    """
    here = str(path)
    row = error.where.removeprefix(here).removeprefix(", ") if error.where.startswith(here) else error.where
    told = InputError(f"{name}, {row}" if row else name, error.problem.replace(here, name), error.remedy)
    field, expected, got = (_short(error.details.get(key, "")) for key in ("field", "expected", "got"))
    remedy = _SKIPPING.sub("", error.remedy.replace(here, name))
    return Problem(shown(name), _short(row), field, expected, got, told.fault, remedy)


class Problems:
    """Problems as they are found: the first ones kept, all counted.

    Args:
        path: The file as it lies here.
        name: The file as its sender calls it.
        most: How many are kept.
        beyond: Called when there are more than `give_up`; it ends the reading by raising.
        give_up: How many problems of one file are worth to be counted.
    """

    def __init__(self, path: Path, name: str, most: int, give_up: int, beyond: Callable[[], None]) -> None:
        self._path, self._name = path, name
        self._most, self._give_up, self._beyond = most, give_up, beyond
        self.kept: list[Problem] = []
        self.count = 0

    def note(self, error: InputError) -> None:
        """Counts a problem, and keeps it if it is one of the first."""
        self.count += 1
        if len(self.kept) < self._most:
            self.kept.append(problem_of(error, self._path, self._name))
        if self.count > self._give_up:
            self._beyond()


def _short(text: str) -> str:
    plain = shown(text)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 4]} ..."
