"""The errors that Foveate raises on purpose, each one sentence and one remedy.

Form: ``where: what is wrong, with both values. What to do.`` The command line prints just that and leaves with
the class's ``exit_code``; ``--debug`` adds the traceback. Anything else that escapes is a bug of ours.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from typing import ClassVar

_LONGEST = 1_000


class FoveateError(Exception):
    """Says where something is wrong, what is wrong, and what to do about it.

    Args:
        where: The file, row, option or name at fault, most general first: ``"answers.csv, line 7"``.
        problem: What was found and what was expected, without a full stop.
        remedy: One or two full sentences: what the reader can do now.
        details: What programs show in columns, where there is such: `field`, `expected`, `got`.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, where: str, problem: str, remedy: str, **details: str) -> None:
        super().__init__(where, problem, remedy)
        self.details = details
        self.where = where
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.fault} {self.remedy}"

    @property
    def fault(self) -> str:
        """The sentence without its remedy, on one line, whatever a name or value in it holds."""
        end = "" if self.problem.endswith(("?", "!")) else "."
        return _cut(shown(f"{self.where}: {self.problem}{end}"))


def shown(text: str) -> str:
    r"""Returns a text without characters that would end the line, turn it around or drive the terminal.

    Example:
        >>> shown("two\nlines")
        'two\\nlines'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20]} ... {text[-15:]}"


class UsageError(FoveateError):
    """A name, option or combination that Foveate does not have."""

    exit_code = 2


class InputError(FoveateError):
    """A file, row or value from outside that cannot be taken as it is."""

    exit_code = 3


class UnavailableError(FoveateError):
    """Something needed is not here: weights, a network, an optional package."""

    exit_code = 4


class OutputError(FoveateError):
    """A result cannot be written where it was asked for."""

    exit_code = 5


def reason_of(error: Exception) -> str:
    """Returns why the system or a library failed, on one line: the system's own words, where it has their number."""
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else str(error).partition("\n")[0] or type(error).__name__


def some(names: list[str], limit: int = 3) -> str:
    """Returns the first names of a list, each on one line, and how many more there are, for a sentence.

    Example:
        >>> some(["a", "b", "c", "d", "e"])
        'a, b, c and 2 more'
    """
    first = ", ".join(_cut(shown(name)) for name in names[:limit])
    rest = len(names) - limit
    return f"{first} and {rest:,} more" if rest > 0 else first


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns the remedy for a name that there is not: the nearest names, or all of them.

    Example:
        >>> did_you_mean("whole_imge", ["centre_box", "whole_image"])
        'Did you mean whole_image?'
    """
    names = [_cut(shown(one)) for one in known]
    if not names:
        return "There are none at all."
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    return f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(names)}."
