"""How sure an answer is, in words: by the share of such answers that were right when it was measured, or not at all.

A table of `calibration/` tells, for each range of a method's scores, how many answers were measured and how many of
them were right; `python benchmarks/certainty.py` makes them. The word follows the lower end of the 95 % interval of
that share (Wilson), never the score itself.

References:
    Guo, Pleiss, Sun, Weinberger, "On calibration of modern neural networks", ICML 2017; Wilson, JASA 22 (1927).
"""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from foveate.assist.texts import gettext, marked
from foveate.perception.photo_quality import PhotoQuality

Word = Literal["very", "fairly", "not", "guess", "unmeasured"]
WORDS: tuple[Word, ...] = get_args(Word)
Flaw = Literal["dark", "blurred", "bright"]
TABLES = Path(__file__).parent / "calibration"
_SENTENCES: Mapping[Word, str] = {
    "very": marked("Very sure."),
    "fairly": marked("Fairly sure."),
    "not": marked("Not sure."),
    "guess": marked("A guess."),
    "unmeasured": marked("How often that is right was never measured."),
}
_ON_SUCH: Mapping[Flaw, str] = {
    "dark": marked("How often that is right was never measured on photos as dark as this."),
    "blurred": marked("How often that is right was never measured on photos as blurred as this."),
    "bright": marked("How often that is right was never measured on photos as bright as this."),
}
# From which lower end on; as the memo has them (design/assist.md).
_LEAST: tuple[tuple[float, Word], ...] = ((0.9, "very"), (0.7, "fairly"), (0.4, "not"))


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers with scores from `least` on, up to the next bin's.

    Attributes:
        least: The lowest score that belongs to it, 0 to 1.
        n: How many answers were measured.
        right: How many of them were right.
        low: The lower end of the 95 % interval of the share that is right (Wilson).
    """

    least: float
    n: int
    right: int
    low: float


@dataclass(frozen=True, slots=True)
class Table:
    """What was measured of a score.

    Attributes:
        right_means: When an answer counts as right.
        measured_on: The data, in words.
        bins: From the lowest scores up, the first from 0; one alone where the score does not matter, or there is none.
    """

    right_means: str
    measured_on: str
    bins: tuple[Bin, ...]

    def __post_init__(self) -> None:
        least = [each.least for each in self.bins]
        if not least or least[0] != 0.0 or least != sorted(set(least)):
            raise ValueError("the bins of a table begin at 0 and rise")
        if any(not (0 <= each.right <= each.n and each.n > 0) for each in self.bins):
            raise ValueError("a bin has at least one answer, and of these some or none are right")

    def bin_of(self, score: float | None) -> Bin | None:
        """Returns the bin of a score; of none only where there is one bin."""
        if score is None:
            return self.bins[0] if len(self.bins) == 1 else None
        return self.bins[bisect_right([each.least for each in self.bins], score) - 1]


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure an answer is.

    Attributes:
        word: `very`, `fairly` or `not` sure, a `guess`, or `unmeasured`.
        measure: The table that says so; None where none does.
        measured: What was measured of such answers; None where nothing was.
        flaw: What of the photo makes the table say nothing about it; None where nothing does.
    """

    word: Word
    measure: str | None = None
    measured: Bin | None = None
    flaw: Flaw | None = None


def certainty(score: float | None, measure: str | None) -> Certainty:
    """Returns how sure an answer is by its score and the table under which that was measured.

    Example:
        >>> certainty(0.99, None).word
        'unmeasured'
    """
    found = table(measure) if measure else None
    measured = found.bin_of(score) if found else None
    if measured is None:
        return Certainty("unmeasured")
    return Certainty(next((word for least, word in _LEAST if measured.low >= least), "guess"), measure, measured)


def on_photo(sure: Certainty, quality: PhotoQuality) -> Certainty:
    """Returns how sure an answer is on a photo like this: the tables are of good photos, and tell nothing of others."""
    if sure.measured is None:
        return sure
    flaws: dict[Flaw, bool] = {"dark": quality.dark, "blurred": quality.blurred, "bright": quality.bright}
    flaw = next((flaw for flaw, holds in flaws.items() if holds), None)
    return sure if flaw is None else Certainty("unmeasured", sure.measure, None, flaw)


def told(sure: Certainty) -> str:
    """Returns how sure an answer is as a sentence in the language that is spoken."""
    return gettext(_SENTENCES[sure.word] if sure.flaw is None else _ON_SUCH[sure.flaw])


@cache
def table(measure: str) -> Table | None:
    """Returns the table of a measure ("pocket.thing"), or None where there is none.

    Raises:
        ValueError: The file of the table is not one.
    """
    # A plugin's measure may have any name; that of a file is looked for among those that are there.
    names = {path.stem: path for path in TABLES.glob("*.toml")}
    if measure not in names:
        return None
    told = tomllib.loads(names[measure].read_text(encoding="utf-8"))
    return Table(told["right_means"], told["measured_on"], tuple(Bin(**each) for each in told["bins"]))
