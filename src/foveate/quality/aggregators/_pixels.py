"""Votes for pixels, counted on the runs of the masks, so that the size of the photo does not matter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.regions import Mask, Shape
from foveate.core.rle import MaskArray, Rle, area, from_runs, runs_of
from foveate.quality.drawings import Drawing

Window = tuple[int, int, int, int]


def unanimous(drawings: Sequence[Drawing]) -> Shape | None:
    """Returns the shape that everybody drew to the last digit, also of one person; None where they differ."""
    first = drawings[0].shape
    return first if all(one.shape == first for one in drawings) else None


def as_shape(rle: Rle) -> Mask | None:
    """Returns a mask, or None where no pixel is left."""
    return Mask(rle) if area(rle) else None


def marked_by(rles: Sequence[Rle], needed: int) -> Rle:
    """Returns the pixels that at least `needed` of the masks cover.

    Args:
        rles: At least one, all of one size.
        needed: At least 1.
    """
    height, width = rles[0].size_hw
    spans = [_spans(rle) for rle in rles]
    starts, stops = (np.concatenate([one[side] for one in spans]) for side in (0, 1))
    places, which = np.unique(np.concatenate([starts, stops]), return_inverse=True)
    steps = np.concatenate([np.ones(len(starts)), -np.ones(len(stops))])
    inside = np.cumsum(np.bincount(which, steps, len(places))) > needed - 0.5
    edges = places[np.flatnonzero(np.diff(inside, prepend=False))]
    runs = np.diff(np.concatenate([[0], edges, [height * width]]))
    return from_runs(runs.tolist(), (height, width))


def unfolded(rle: Rle, window: Window) -> MaskArray:
    """Returns a mask within a window `x0, y0, x1, y1` of whole pixels, ``bool (y1 - y0, x1 - x0)``."""
    height, _ = rle.size_hw
    x0, y0, x1, y1 = window
    starts, stops = _spans(rle)
    first, last = x0 * height, x1 * height
    line = np.zeros(last - first + 1, dtype=np.int8)
    kept = (stops > first) & (starts < last)
    line[np.clip(starts[kept], first, last) - first] += 1
    line[np.clip(stops[kept], first, last) - first] -= 1
    columns = np.cumsum(line[:-1], dtype=np.int8).reshape(x1 - x0, height)
    return np.asarray(columns[:, y0:y1].T, dtype=bool)


def placed(part: MaskArray, window: Window, size: tuple[int, int]) -> Rle:
    """Returns the mask on a whole photo, of which a window is given and the rest is outside."""
    height, width = size
    x0, y0, x1, y1 = window
    columns = np.zeros((x1 - x0, height), dtype=bool)
    columns[:, y0:y1] = part.T
    edges = x0 * height + np.flatnonzero(np.diff(columns.ravel(), prepend=False, append=False))
    runs = np.diff(np.concatenate([[0], edges, [height * width]]))
    return from_runs(runs.tolist(), (height, width))


def _spans(rle: Rle) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns where the pieces of the mask begin and end, counted column by column."""
    ends = np.cumsum(runs_of(rle))
    starts = ends[:-1:2]
    return starts, ends[1::2][: len(starts)]
