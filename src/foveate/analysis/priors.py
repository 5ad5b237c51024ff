"""Where targets lie before anybody has looked: by question, answer or skill; and how far that alone gets.

A prior is the mean of target masks on one grid of shares of the photo's height and width. Its region on a photo is the
places of at least a share of its highest value (`SHARE_OF_PEAK` of `foveate.core.prior_cells`; others are tried too); a
pixel belongs to it when the cell under its centre does. So a target's pixels are counted cell by cell once, and each
region that is tried on the photo is a sum of cells (`cells_of`). What is tried on a sample was made without all samples
of its photo. Where a group has then fewer than `least` others, the prior of all samples stands in. A sample that is in
several groups of one kind (it needs two skills) gets the mean of their means.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People. CVPR 2022; the naive
    baseline of the whole image.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import target_regions
from foveate.analysis.best_box import best_box
from foveate.analysis.columns import Analysis, Grouping
from foveate.analysis.groups import PREFIX, by_prefix
from foveate.core.masks import box_to_rle
from foveate.core.overlap import over_union
from foveate.core.prior_cells import cells_of, chosen_cells
from foveate.core.rle import Rle, area, decode, merge
from foveate.datasets._open import Dataset, fingerprint
from foveate.execution.ground import RunProgress
from foveate.formats.prior_npz import PriorFile, PriorGroup

GRID = 64
LEAST = 5
SHARES_OF_PEAK = (0.3, 0.4, 0.5, 0.6)
# Shares of a cell are kept in this many parts: whole numbers add up to the same sum in any order.
_PARTS = 255
WHOLE, CENTRE, OVERALL = "whole image", "centre box", "all samples"

Grid = NDArray[np.uint8]
Sums = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tried:
    """How one way to ground without a photo did.

    Attributes:
        name: `whole image`, `centre box`, `all samples`, or what the prior goes by.
        values: ``float64 (N,)``, the overlap of each sample's mask with the target (`mask_iou`), by row.
        own: ``bool (N,)``, where a group's own prior was used; elsewhere that of all samples stood in.
        share: Of the highest value of the prior, from which on a place counted; None without a prior.
    """

    name: str
    values: NDArray[np.float64]
    own: NDArray[np.bool_]
    share: float | None = None


def on_grid(region: Rle, grid: int = GRID) -> Grid:
    """Returns the share of each cell that a region covers, ``uint8 (grid, grid)``, in 255ths.

    Example:
        >>> from foveate.core.masks import box_to_rle
        >>> on_grid(box_to_rle((0, 0, 3, 4), (4, 8)), 2).tolist()
        [[191, 0], [191, 0]]
    """
    import cv2

    mask = decode(region) * np.uint8(_PARTS)
    # OpenCV averages areas when it makes smaller only; repeated pixels have the same averages.
    down, across = (-(-grid // side) for side in mask.shape)
    fine = mask if down == across == 1 else mask.repeat(down, axis=0).repeat(across, axis=1)
    return np.asarray(cv2.resize(fine, (grid, grid), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def grids(data: Dataset, analysis: Analysis, grid: int = GRID) -> NDArray[np.uint8]:
    """Returns the regions of all rows on the grid, ``uint8 (N, grid, grid)``: 4 kB a sample."""
    found = np.zeros((len(analysis.columns), grid, grid), dtype=np.uint8)
    for row, region in target_regions(data, analysis.columns):
        found[row] = on_grid(region, grid)
    return found


def prior_of(data: Dataset, analysis: Analysis, found: NDArray[np.uint8], least: int = LEAST) -> PriorFile:
    """Returns the priors of all samples and of each group of at least `least`.

    Args:
        data: The data set.
        analysis: Of the same.
        found: What `grids` gives.
        least: The smallest group that is kept.

    Raises:
        ValueError: There is no sample with a target.
    """
    columns = analysis.columns
    if not len(columns):
        raise ValueError("there is no sample with a target")
    parted = _groupings(analysis)
    groups = tuple(
        PriorGroup(
            grouping.name, group.key, len(group.rows), _centre(columns.centre[group.rows]), _mean(found, group.rows)
        )
        for grouping in parted.values()
        for group in grouping.groups
        if len(group.rows) >= least
    )
    everything = np.arange(len(columns))
    box = best_box(data, columns, found)
    return PriorFile(
        dataset=data.name,
        fingerprint=fingerprint(list(data.queries(with_images=False))),
        n=len(columns),
        notes={name: grouping.note for name, grouping in parted.items()},
        centre=_centre(columns.centre),
        mean=_mean(found, everything),
        groups=groups,
        best_box=box.xyxy,
        best_box_value=box.value,
    )


def try_priors(
    data: Dataset,
    analysis: Analysis,
    found: NDArray[np.uint8],
    *,
    least: int = LEAST,
    shares: Sequence[float] = SHARES_OF_PEAK,
    progress: RunProgress | None = None,
) -> list[Tried]:
    """Returns how the whole image, the centre box, and each prior do on every sample.

    A grouping of which no group is large enough for a prior of its own is left out.

    Args:
        data: The data set.
        analysis: Of the same.
        found: What `grids` gives.
        least: How many others a group needs for a prior of its own.
        shares: Of the highest value, from which on a place counts; each is tried.
        progress: Is told how far it is.
    """
    columns = analysis.columns
    makers = _Makers(columns.photos, found, least)
    groupings = [one for one in _groupings(analysis).values() if any(len(group.rows) > least for group in one.groups)]
    priors = [makers.overall(), *(makers.by(grouping) for grouping in groupings)]
    values = np.zeros((2 + len(priors) * len(shares), len(columns)))
    own = np.ones((len(priors), len(columns)), dtype=bool)
    if progress:
        progress.begin("trying priors", len(columns), 0)
    for row, region in target_regions(data, columns):
        means = [prior.get(row) for prior in priors]
        own[:, row] = [mean is not None for mean in means]
        chosen = _chosen([means[0] if mean is None else mean for mean in means], shares, found.shape[1:])
        values[:, row] = _overlaps(region, chosen)
        if progress:
            progress.advance()
    everywhere = np.ones(len(columns), dtype=bool)
    found_of = values[2:].reshape(len(priors), len(shares), -1)
    return [
        Tried(WHOLE, values[0], everywhere),
        Tried(CENTRE, values[1], everywhere),
        *(
            Tried(name, found_of[k, j], own[k], share)
            for k, name in enumerate([OVERALL, *(one.name for one in groupings)])
            for j, share in enumerate(shares)
        ),
    ]


def _groupings(analysis: Analysis) -> dict[str, Grouping]:
    """Returns the groupings of an analysis, and that by how questions begin, which is known beforehand as they are."""
    return {**analysis.groupings, PREFIX: by_prefix(analysis.columns)}


class _Prior:
    """The mean of the others for each row, made when it is asked for; None where there are too few."""

    def __init__(self, groups: Sequence[_Sum], of_row: Mapping[int, Sequence[int]], least: int) -> None:
        self._groups = groups
        self._of_row = of_row
        self._least = least

    def get(self, row: int) -> NDArray[np.float64] | None:
        """Returns the mean over the groups of a row of the mean of each without the row's photo."""
        means = [
            mean
            for number in self._of_row.get(row, ())
            if (mean := self._groups[number].without(row, self._least)) is not None
        ]
        if not means:
            return None
        return means[0] if len(means) == 1 else np.asarray(np.mean(means, axis=0))


class _Sum:
    """The sum of a group's grids, from which those of one photo can be taken."""

    def __init__(self, photos: Sequence[str], found: NDArray[np.uint8], rows: NDArray[np.int64]) -> None:
        self._photos, self._found, self._n = photos, found, len(rows)
        self._sum = _summed(found, rows)
        self._rows: dict[str, list[int]] = {}
        for row in rows.tolist():
            self._rows.setdefault(photos[row], []).append(row)

    def without(self, row: int, least: int) -> NDArray[np.float64] | None:
        """Returns the mean of the others, 0 to 1; None where they are fewer than `least`."""
        same = self._rows[self._photos[row]]
        others = self._n - len(same)
        if others < max(least, 1):
            return None
        return np.asarray((self._sum - _summed(self._found, same)) / (others * _PARTS))


class _Makers:
    def __init__(self, photos: Sequence[str], found: NDArray[np.uint8], least: int) -> None:
        self._photos, self._found, self._least = photos, found, least

    def overall(self) -> _Prior:
        rows = np.arange(len(self._photos))
        return _Prior(
            [_Sum(self._photos, self._found, rows)] if len(rows) else [], {row: (0,) for row in rows.tolist()}, 0
        )

    def by(self, grouping: Grouping) -> _Prior:
        groups = [
            _Sum(self._photos, self._found, group.rows) for group in grouping.groups if len(group.rows) > self._least
        ]
        of_row: dict[int, list[int]] = {}
        kept = [group for group in grouping.groups if len(group.rows) > self._least]
        for number, group in enumerate(kept):
            for row in group.rows.tolist():
                of_row.setdefault(row, []).append(number)
        return _Prior(groups, of_row, self._least)


def _chosen(
    means: Sequence[NDArray[np.float64] | None], shares: Sequence[float], grid_hw: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Returns the cells of each mean at each share, ``bool (M * S, grid * grid)``."""
    # Where there is no other photo at all, nothing speaks against any place.
    known = [np.zeros(grid_hw) if mean is None else mean for mean in means]
    return np.stack([chosen_cells(mean, share).ravel() for mean in known for share in shares])


def _overlaps(region: Rle, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns the IoU of a target with the whole photo, the centre box, and the chosen cells, on the photo's pixels."""
    grid = math.isqrt(chosen.shape[1])
    inside, of_cells = cells_of(region, grid)
    # Counts of pixels are far below 2**53, so that doubles add them up exactly.
    both = np.stack([inside.ravel(), of_cells.ravel()], axis=1).astype(np.float64)
    sums = np.concatenate([_fixed(region), chosen.astype(np.float64) @ both])
    return over_union(sums[:, 0], sums[:, 1] + area(region) - sums[:, 0], empty=0.0)


def _fixed(region: Rle) -> NDArray[np.float64]:
    """Returns the pixels shared with, and those of, the whole photo and the centre box, ``(2, 2)``."""
    height, width = region.size_hw
    box = box_to_rle((width * 0.25, height * 0.25, width * 0.75, height * 0.75), region.size_hw)
    return np.array(
        [[area(region), height * width], [area(merge([region, box], intersect=True)), area(box)]], dtype=np.float64
    )


def _summed(found: NDArray[np.uint8], rows: Sequence[int] | NDArray[np.int64]) -> Sums:
    return np.asarray(found[rows].sum(axis=0, dtype=np.int64))


def _mean(found: NDArray[np.uint8], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    return np.asarray(_summed(found, rows) / (len(rows) * _PARTS), dtype=np.float32)


def _centre(centres: NDArray[np.float64]) -> tuple[float, float]:
    x, y = centres.mean(axis=0).tolist()
    return x, y
