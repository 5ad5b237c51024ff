"""What an analysis looks at: one row a sample with a target, in the order of the data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.truths import Fact


@dataclass(frozen=True)
class Columns:
    """The samples with a target, ``N`` rows; a sample with several targets is measured on their union.

    Attributes:
        ids: The samples' ids.
        photos: The names of their photos; what is drawn together in a bootstrap.
        questions: As they were asked.
        answers: The answer of each: that of its target, else the most common one; None where there is none.
        size_hw: ``int64 (N, 2)``, height and width of the upright photo.
        centre: ``float64 (N, 2)``, x and y of the centre of mass, as shares of width and height.
        coverage: ``float64 (N,)``, the share of the photo's pixels inside.
        points: ``float64 (N,)``, corners as they were drawn, without a repeated closing point; four of a box; NaN of a
            mask whose outline is not known.
        complexity: ``float64 (N,)``, boundary complexity, 0 to 1; NaN where it is not defined.
        parts: ``int64 (N,)``, connected parts (pixels that touch at a side or a corner are connected).
        targets: ``int64 (N,)``, how many targets the sample has.
        facts: What the data set knows of each sample, by name; None where it does not.
    """

    ids: Sequence[str]
    photos: Sequence[str]
    questions: Sequence[str]
    answers: Sequence[str | None]
    size_hw: NDArray[np.int64]
    centre: NDArray[np.float64]
    coverage: NDArray[np.float64]
    points: NDArray[np.float64]
    complexity: NDArray[np.float64]
    parts: NDArray[np.int64]
    targets: NDArray[np.int64]
    facts: Mapping[str, Sequence[Fact | None]]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Group:
    """Samples that have something in common.

    Attributes:
        key: What they have in common: a question, an answer, a skill, …
        rows: ``int64 (n,)``, their rows in the columns.
    """

    key: str
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class Grouping:
    """One way to part the samples; a sample may be in several groups (it may need two skills) or in none.

    Attributes:
        name: `question`, `answer`, or the name of a fact.
        groups: The groups, in the order in which they are told: most samples first, or by rank (none, medium, severe).
        known: Of how many samples the thing is known at all.
        note: The rule behind it, where there is one (a normalisation, a threshold of votes).
    """

    name: str
    groups: Sequence[Group]
    known: int
    note: str = ""


@dataclass(frozen=True)
class Complexity:
    """How boundary complexity was measured.

    Attributes:
        points: `vertices`, as the paper's values for rectangles demand, or `contour`.
        bins: Bins of the histogram of distances.
        sensitivity: The share of samples that score 0, by other numbers of bins.
    """

    points: str
    bins: int
    sensitivity: Mapping[int, float]


@dataclass(frozen=True)
class Analysis:
    """One data set, measured.

    Attributes:
        name: `NAME:SPLIT`.
        n: All its samples.
        columns: Those with a target.
        groupings: By name, in the order in which they are told.
        complexity: How boundary complexity was measured.
        notes: What a reader must know: joins and how many samples they reached, what is not complete.
    """

    name: str
    n: int
    columns: Columns
    groupings: Mapping[str, Grouping]
    complexity: Complexity
    notes: Sequence[str]
