"""All pairs of regions that different people drew for one task: how much they share, and why two differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, box_area
from foveate.core.overlap import box_overlap, mask_overlap, over_union
from foveate.core.regions import Box, Shape
from foveate.core.rle import areas
from foveate.quality.judgements import Judgement
from foveate.quality.regions import Regions, Whole, regions_of

Values = NDArray[np.float64]
Relation = Literal["same", "contains", "inside", "partial", "disjoint"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
# Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022: percent of
# pairs, "about 60 %", "about 20 %", "just over 10 %"; nothing is said of the other two ranges.
PUBLISHED: tuple[float | None, ...] = (10.0, None, None, 20.0, 60.0)
BINS = len(PUBLISHED)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where one reason for a difference ends and the next begins.

    Attributes:
        same: Two regions are the same where their IoU is greater.
        inside: One lies inside the other where they share at least so much of the smaller one.
    """

    same: float = 0.8
    inside: float = 0.95


LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of regions of one task, ``P`` of them, tasks in their order.

    Attributes:
        regions: What they are pairs of.
        first: ``int64 (P,)``, the place in `regions` of the one.
        second: ``int64 (P,)``, that of the other.
        iou: ``float64 (P,)``.
        smaller: ``float64 (P,)``, how much of the smaller one both share, 0 to 1.
        coverage: ``float64 (P, 2)``, which share of the photo each covers.
        relation: ``P`` words: `same`; the first `contains` the second, or is `inside` it; they share a part
            (`partial`), or nothing (`disjoint`).
        limits: By which they were told apart.
    """

    regions: Regions
    first: Whole
    second: Whole
    iou: Values
    smaller: Values
    coverage: Values
    relation: NDArray[np.str_]
    limits: Limits = field(default=LIMITS)

    @property
    def task(self) -> Whole:
        """The number of each pair's task ``(P,)``."""
        return self.regions.task[self.first]

    @property
    def annotators(self) -> Whole:
        """The numbers of who drew the two ``(P, 2)``."""
        return np.stack([self.regions.annotator[self.first], self.regions.annotator[self.second]], axis=1)

    @property
    def one_drew(self) -> int:
        """How many pairs of people are no pair of regions, because one drew and the other did not."""
        return int((self.regions.drawn * self.regions.silent).sum())

    @property
    def neither_drew(self) -> int:
        """How many are none because neither drew."""
        silent = self.regions.silent
        return int((silent * (silent - 1) // 2).sum())

    def relations(self, rows: Whole | None = None) -> dict[str, int]:
        """Returns how many pairs, or of some, have each relation; `contains` and `inside` are one, from either end."""
        found = Counter((self.relation if rows is None else self.relation[rows]).tolist())
        return {
            "same": found["same"],
            "contains": found["contains"] + found["inside"],
            "partial": found["partial"],
            "disjoint": found["disjoint"],
        }


def pairs_of(judgements: Iterable[Judgement], limits: Limits = LIMITS) -> Pairs:
    """Returns all pairs; two boxes are compared as they are, anything else as pixels of the photo.

    Raises:
        InputError: As for `regions_of`.
    """
    return _paired(regions_of(judgements), limits)


def compared(one: Shape, other: Shape, size_hw: SizeHW, limits: Limits = LIMITS) -> tuple[float, Relation]:
    """Returns the IoU of two regions of a photo and their relation, as `pairs_of` would.

    Args:
        one: A region, upright pixels.
        other: Another one; `contains` and `inside` are said of the first.
        size_hw: Height and width of the photo.
        limits: Where one relation ends and the next begins.
    """
    sizes = np.array([size_hw, size_hw], dtype=np.int64)
    place = np.zeros(2, dtype=np.int64)
    regions = Regions(("",), ("one", "other"), place, np.arange(2), sizes, (one, other), place[:1])
    pairs = _paired(regions, limits)
    relation: Relation = pairs.relation[0].item()
    return float(pairs.iou[0]), relation


def _paired(regions: Regions, limits: Limits) -> Pairs:
    ends = [0, *np.cumsum(regions.drawn).tolist()]
    places = [two for start, end in pairwise(ends) for two in combinations(range(start, end), 2)]
    first, second = np.array(places, dtype=np.int64).reshape(-1, 2).T
    shared, sizes = _shared(regions, first, second)
    union = sizes.sum(axis=1) - shared
    # Two that cover no pixel at all are alike, as in a run of people.
    iou = over_union(shared, union, empty=1.0)
    smaller = over_union(shared, sizes.min(axis=1), empty=0.0)
    coverage = sizes / regions.size_hw[first].prod(axis=1)[:, None]
    relation = _relations(iou, smaller, sizes, limits)
    return Pairs(regions, first, second, iou, smaller, coverage, relation, limits)


def histogram(values: Values, bins: int = BINS) -> Whole:
    """Returns how many IoUs lie in each of equal ranges from 0 to 1: from its lower edge to below its upper one.

    The last range has its upper edge, 1, too.

    Example:
        >>> histogram(np.array([0.0, 0.2, 0.79, 0.8, 1.0])).tolist()
        [1, 1, 0, 1, 2]
    """
    return np.asarray(np.histogram(values, bins=edges(bins))[0], dtype=np.int64)


def edges(bins: int = BINS) -> Sequence[float]:
    """Returns the edges of the ranges, each the number that one would write: 0.6, not 0.6000000000000001."""
    return [k / bins for k in range(bins + 1)]


def _shared(regions: Regions, first: Whole, second: Whole) -> tuple[Values, Values]:
    """Returns what two regions share ``(P,)`` and their areas ``(P, 2)``, in square pixels."""
    is_box = np.array([isinstance(shape, Box) for shape in regions.shapes], dtype=bool)
    both = is_box[first] & is_box[second]
    shared, sizes = np.zeros(len(first)), np.zeros((len(first), 2))
    ours, theirs = regions.xyxy()[first[both]], regions.xyxy()[second[both]]
    shared[both] = box_overlap(ours, theirs)[0]
    sizes[both] = np.stack([box_area(ours), box_area(theirs)], axis=1)
    if not both.all():
        masks, others = ([regions.masks[n] for n in places[~both].tolist()] for places in (first, second))
        shared[~both] = mask_overlap(masks, others)[0]
        sizes[~both] = np.stack([areas(masks), areas(others)], axis=1)
    return shared, sizes


def _relations(iou: Values, smaller: Values, sizes: Values, limits: Limits) -> NDArray[np.str_]:
    within = smaller >= limits.inside
    larger = sizes[:, 0] >= sizes[:, 1]
    cases = [iou > limits.same, smaller == 0.0, within & larger, within & ~larger]
    return np.select(cases, ["same", "disjoint", "contains", "inside"], "partial")
