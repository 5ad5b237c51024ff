"""What looking at a data set's files finds, each in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from foveate.errors import shown

Kind = Literal["fine", "missing", "extra", "broken", "count", "join", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        split: The split that it is about, or an empty text where it is about the whole folder.
        kind: `fine`; `missing`, `extra`, `broken` files or rows; a `count` that is not the publisher's; how many a
            `join` reached; a `note`.
        what: What was found, with both numbers, as a sentence.
        remedy: What to do; empty where there is nothing to do.
        n: How many files or rows it is about.
        examples: The first of them, by name or by their own error sentence.
    """

    split: str
    kind: Kind
    what: str
    remedy: str = ""
    n: int = 0
    examples: Sequence[str] = ()


def first_of(sentences: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Returns the first names or sentences, fit to be shown on one line each."""
    return tuple(shown(sentence) for sentence in islice(sentences, limit))
