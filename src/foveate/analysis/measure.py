"""A data set's targets, measured: one pass over queries and truths, without photos where their sizes are known."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from foveate.analysis._pixels import Pixels, pixels_of
from foveate.analysis._regions import answer_of, target_region
from foveate.analysis.columns import Columns, Complexity
from foveate.analysis.complexity import (
    DEFAULT_BINS,
    SENSITIVITY_BINS,
    Corners,
    Points,
    contour_of,
    entropy,
    largest,
    outlines_of,
    relative_distances,
)
from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.regions import Box, Sides
from foveate.core.rle import Rle, area
from foveate.core.truths import Fact, TargetShape, Truth
from foveate.datasets._open import Dataset
from foveate.errors import InputError

NAN = float("nan")


@dataclass(frozen=True)
class Measured:
    """A data set's columns, and what was counted beside them.

    Attributes:
        n: All samples.
        columns: Those with a target.
        complexity: How boundary complexity was measured.
        unsized: Samples with a target that were left out because nothing tells the size of their photo.
        pixelless: Those that were left out because their targets are too small to hold the middle of a pixel.
    """

    n: int
    columns: Columns
    complexity: Complexity
    unsized: tuple[str, ...]
    pixelless: tuple[str, ...] = ()


@dataclass
class _Rows:
    """Columns as they grow."""

    values: dict[str, list[Any]] = field(default_factory=dict)
    facts: list[dict[str, Fact]] = field(default_factory=list)
    by_bins: dict[int, list[float]] = field(default_factory=dict)
    unsized: list[str] = field(default_factory=list)
    pixelless: list[str] = field(default_factory=list)

    def add(self, **values: object) -> None:
        for name, value in values.items():
            self.values.setdefault(name, []).append(value)


def measure(data: Dataset, *, bins: int = DEFAULT_BINS, points: Points = "vertices") -> Measured:
    """Returns the columns of a data set; time and memory grow with the number of samples.

    Args:
        data: The data set.
        bins: Bins of boundary complexity.
        points: Of which points it takes the distances (`foveate.analysis.complexity`).

    Raises:
        InputError: A file or row is broken, or queries and truths do not belong together.
    """
    as_boxes = data.card.evaluate_as == "box"
    measured = measure_pairs(data.pairs(with_images=False), as_boxes=as_boxes, bins=bins, points=points)
    if not measured.unsized:
        return measured
    # Photos are looked up only where nothing else tells the size of one.
    return measure_pairs(data.pairs(with_images=True), as_boxes=as_boxes, bins=bins, points=points)


def unmeasured(data: Dataset, points: Points, bins: int) -> Measured:
    """Returns the same of a data set whose targets are hidden: how many questions there are, and empty columns."""
    n = sum(1 for _ in data.queries(with_images=False))
    return Measured(n, _columns(_Rows()), Complexity(points, bins, {}), ())


def measure_pairs(
    pairs: Iterable[tuple[Query, Truth]],
    *,
    as_boxes: bool,
    bins: int = DEFAULT_BINS,
    points: Points = "vertices",
) -> Measured:
    """Returns the columns of queries with their truths.

    Args:
        pairs: In the order of the rows.
        as_boxes: Whether a box is measured by its own arithmetic; else by its pixels, as any shape.
        bins: Bins of boundary complexity.
        points: Of which points it takes the distances.
    """
    rows, n = _Rows(), 0
    for query, truth in pairs:
        n += 1
        if not truth.targets:
            continue
        size_hw = truth.size_hw or query.size_hw or _size_of_photo(query)
        if size_hw is None:
            rows.unsized.append(query.id)
        else:
            _add(rows, query, truth, size_hw, as_boxes, bins, points)
    sensitivity = {b: float(np.mean(np.array(values) == 0)) for b, values in sorted(rows.by_bins.items())}
    how = Complexity(points, bins, sensitivity)
    return Measured(n, _columns(rows), how, tuple(rows.unsized), tuple(rows.pixelless))


def _size_of_photo(query: Query) -> SizeHW | None:
    with suppress(InputError):  # A sample whose photo cannot be read is left out and counted, as one without a photo.
        return query.image.size_hw if query.image else None
    return None


def _add(rows: _Rows, query: Query, truth: Truth, size_hw: SizeHW, as_boxes: bool, bins: int, points: Points) -> None:
    height, width = size_hw
    shapes = [target.shape for target in truth.targets]
    rle = None if as_boxes and _is_one_box(shapes) else target_region(truth, size_hw)
    if rle is not None and area(rle) == 0:
        rows.pixelless.append(query.id)
        return
    inside = pixels_of(rle) if rle else _box_pixels(shapes[0].xyxy)
    drawn = outlines_of(target.outline or target.shape for target in truth.targets)
    outline = _outline(drawn, rle, truth, size_hw, points)
    _add_complexity(rows, outline, bins)
    rows.facts.append(dict(truth.facts))
    rows.add(
        ids=query.id,
        photos=query.image_name,
        questions=query.question,
        answers=answer_of(truth),
        size_hw=size_hw,
        centre=(inside.centre[0] / width, inside.centre[1] / height),
        coverage=inside.area / (height * width),
        points=float(sum(map(len, drawn))) if drawn is not None else NAN,
        complexity=NAN if outline is None else rows.by_bins[bins][-1],
        parts=inside.parts,
        targets=len(shapes),
    )


def _add_complexity(rows: _Rows, outline: Corners | None, bins: int) -> None:
    if outline is None:
        return
    relative = relative_distances(outline)
    for b in {*SENSITIVITY_BINS, bins}:
        rows.by_bins.setdefault(b, []).append(entropy(relative, b))


def _is_one_box(shapes: list[TargetShape]) -> bool:
    return len(shapes) == 1 and isinstance(shapes[0], Box)


def _box_pixels(xyxy: Sides) -> Pixels:
    """Returns what a box is like by its own arithmetic; no pixel rounds its sides."""
    x0, y0, x1, y1 = xyxy
    return Pixels((x1 - x0) * (y1 - y0), ((x0 + x1) / 2, (y0 + y1) / 2), 1)


def _outline(
    drawn: list[Corners] | None, rle: Rle | None, truth: Truth, size_hw: SizeHW, points: Points
) -> Corners | None:
    """Returns the outline whose distances are taken; of several it is the one that encloses most."""
    if points == "vertices":
        return largest(drawn) if drawn else None
    return contour_of(rle or target_region(truth, size_hw))


def _columns(rows: _Rows) -> Columns:
    def of(name: str) -> list[Any]:
        return rows.values.get(name, [])

    names = dict.fromkeys(name for facts in rows.facts for name in facts)
    return Columns(
        ids=of("ids"),
        photos=of("photos"),
        questions=of("questions"),
        answers=of("answers"),
        size_hw=np.array(of("size_hw"), dtype=np.int64).reshape(-1, 2),
        centre=np.array(of("centre"), dtype=np.float64).reshape(-1, 2),
        coverage=np.array(of("coverage"), dtype=np.float64),
        points=np.array(of("points"), dtype=np.float64),
        complexity=np.array(of("complexity"), dtype=np.float64),
        parts=np.array(of("parts"), dtype=np.int64),
        targets=np.array(of("targets"), dtype=np.int64),
        facts={name: [facts.get(name) for facts in rows.facts] for name in names},
    )
