"""What an audit of labels looks at, and the signs that a label gives by itself or beside the other labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.overlap import mask_iou
from foveate.core.polygons import TOLERATED_PIXELS, Corners, as_corners, outside_by, polygon_area, rasterise
from foveate.core.queries import Query
from foveate.core.regions import Polygon
from foveate.core.rle import Rle, area, merge
from foveate.core.truths import Target, Truth
from foveate.datasets._open import Dataset
from foveate.errors import FoveateError
from foveate.evaluation.wording import counted, percent
from foveate.metrics._answers import expected, matchable

TINY, WHOLE, HALF = 0.001, 0.95, 0.5
# So many others with the same answer or question say how large such a target is.
FEWEST_ALIKE = 5
# Two targets are nearly the same, and two samples of one question have another target.
SAME, OTHER = 0.9, 0.5
# An outline that crosses itself by less than this share of what it covers has a slip of the hand.
SLIP = 0.01


@dataclass(frozen=True)
class Sign:
    """One reason to look at a label again.

    Attributes:
        name: Which.
        strength: How strongly it speaks, 0 to 1.
        why: What was found, with the values.
    """

    name: str
    strength: float
    why: str


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of a split, in its order.

    Attributes:
        name: Of the data set.
        truths: The labels.
        queries: The question of each.
        drawn: Corners as they were drawn, by id, where the data set tells; readers move those beside the photo onto it.
        photos: The size of the upright photo itself, by id, where it is at hand.
        refused: Rows that could not be taken, a sentence each.
    """

    name: str
    truths: Sequence[Truth]
    queries: Sequence[Query]
    drawn: Mapping[str, Corners] = field(default_factory=dict)
    photos: Mapping[str, SizeHW] = field(default_factory=dict)
    refused: Sequence[str] = ()


def labels_of(data: Dataset) -> Labels:
    """Returns the labels of a data set; photos are looked for, and none need be there.

    Raises:
        InputError: A file or row is broken (unless the data set passes them over).
    """
    queries = {query.id: query for query in data.queries(with_images=True)}
    refused = list(data.skipped)
    truths = list(data.truths())
    photos = {}
    for name, query in queries.items():
        if query.image is not None:
            try:
                photos[name] = query.image.size_hw
            except FoveateError:
                continue  # `foveate dataset check` tells of photos that cannot be read.
    drawn = {name: corners for name, corners in data.drawn() if len(corners)}
    return Labels(data.name, truths, [queries[truth.id] for truth in truths], drawn, photos, refused)


def size_of(labels: Labels, row: int) -> SizeHW | None:
    """Returns the size of a sample's photo, from whatever tells it."""
    truth = labels.truths[row]
    return truth.size_hw or labels.queries[row].size_hw or labels.photos.get(truth.id)


def label_region(labels: Labels, row: int) -> Rle | None:
    """Returns all targets of a sample together; None where there is none, or nothing tells the photo's size."""
    size_hw, targets = size_of(labels, row), labels.truths[row].targets
    if size_hw is None or not targets:
        return None
    return merge([target.shape.rle(size_hw) for target in targets])


def label_signs(labels: Labels) -> list[list[Sign]]:
    """Returns the signs of each sample that its label gives."""
    regions = [label_region(labels, row) for row in range(len(labels.truths))]
    coverage = [
        None if region is None else area(region) / (region.size_hw[0] * region.size_hw[1]) for region in regions
    ]
    found: list[list[Sign]] = [[] for _ in labels.truths]
    for row, truth in enumerate(labels.truths):
        parts = (
            _off_image(truth, labels.drawn.get(truth.id), size_of(labels, row)),
            _tiny(coverage[row], regions[row]),
            _crossing(truth, labels.drawn.get(truth.id), size_of(labels, row)),
            _photo_size(truth, labels.photos.get(truth.id)),
            _same_target(truth, size_of(labels, row)),
            _answer_not_given(truth),
        )
        found[row] += [sign for sign in parts if sign]
    for row, sign in (*_whole_images(labels, coverage), *_duplicates(labels, regions)):
        found[row].append(sign)
    return found


def _share(region: Rle) -> float:
    height, width = region.size_hw
    return area(region) / (height * width)


def _off_image(truth: Truth, corners: Corners | None, size_hw: SizeHW | None) -> Sign | None:
    """Corners beside the photo; readers refuse those farther out than they move onto it."""
    if corners is None or size_hw is None:
        return None
    by = outside_by(corners, size_hw)
    if by <= 0:
        return None
    many = int((np.any((corners < 0) | (corners > np.array(size_hw[::-1])), axis=1)).sum())
    told = f"{many} of {len(corners)} corners lie outside the photo, by up to {by:.3g} pixels"
    return Sign("off_image", min(1.0, by / TOLERATED_PIXELS) / 2, told)


def _tiny(coverage: float | None, region: Rle | None) -> Sign | None:
    if coverage is None or region is None or coverage >= TINY:
        return None
    pixels = area(region)
    if pixels == 0:
        return Sign("tiny", 1.0, "the target covers the middle of no pixel, so that no region could hit it")
    strength = 0.2 + 0.2 * (1 - coverage / TINY)
    return Sign("tiny", strength, f"the target is {counted(pixels, 'pixel')}, {percent(coverage, 3)} of the photo")


def _crossing(truth: Truth, corners: Corners | None, size_hw: SizeHW | None) -> Sign | None:
    """An outline that crosses itself: by its turning it encloses less than it covers."""
    if size_hw is None:
        return None
    drawn = [corners] if corners is not None else [part for target in truth.targets for part in _outlines(target)]
    lost, whole = 0.0, 0.0
    for part in drawn:
        if len(part) > 3 and _crosses(part):
            covers = float(area(rasterise([as_corners(part)], size_hw)))
            lost, whole = lost + max(0.0, covers - polygon_area(part)), whole + covers
    if not whole or lost / whole < SLIP:
        return None
    told = (
        f"its outline crosses itself, so that {percent(lost / whole, 0)} of its {whole:,.0f} pixels are enclosed by no "
        "turn"
    )
    return Sign("crossing", min(1.0, lost / whole), told)


def _outlines(target: Target) -> Iterator[Corners]:
    polygon = target.outline or (target.shape if isinstance(target.shape, Polygon) else None)
    for part in polygon.parts if polygon else ():
        yield np.array(part)


def _crosses(corners: Corners) -> bool:
    """Returns whether two sides of an outline that are no neighbours cross."""
    starts, ends = corners, np.roll(corners, -1, axis=0)
    first, second = np.triu_indices(len(corners), 2)
    kept = ~((first == 0) & (second == len(corners) - 1))
    a, b, c, d = starts[first[kept]], ends[first[kept]], starts[second[kept]], ends[second[kept]]
    sides = [_side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)]
    return bool(((sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)).any())


def _side(a: Corners, b: Corners, point: Corners) -> Corners:
    """Returns on which side of the lines from `a` to `b` points lie, by sign."""
    along, to = b - a, point - a
    return np.sign(along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0])


def _photo_size(truth: Truth, photo: SizeHW | None) -> Sign | None:
    difference = size_difference(photo, truth.size_hw) if photo and truth.size_hw else None
    if not difference or photo is None or truth.size_hw is None:
        return None
    turned = photo == truth.size_hw[::-1]
    return Sign("photo_size", 0.95 if turned else 0.8, f"beside its label, the photo is {difference}")


def _same_target(truth: Truth, size_hw: SizeHW | None) -> Sign | None:
    if size_hw is None or len(truth.targets) < 2:
        return None
    pairs = list(combinations([target.shape.rle(size_hw) for target in truth.targets], 2))
    most = float(mask_iou([a for a, _ in pairs], [b for _, b in pairs], empty=0.0).max())
    return Sign("same_target", 0.3, f"two of its targets are nearly the same (IoU {most:.2f})") if most > SAME else None


def _answer_not_given(truth: Truth) -> Sign | None:
    given = {matchable(answer) for answer in truth.answers}
    stated = [target.answer for target in truth.targets if target.answer]
    other = [answer for answer in stated if given and matchable(answer) not in given]
    if not other:
        return None
    return Sign("answer_not_given", 0.4, f'the answer of its target, "{other[0]}", is none of its {len(given)} answers')


def _whole_images(labels: Labels, coverage: Sequence[float | None]) -> Iterator[tuple[int, Sign]]:
    """Targets of nearly the whole photo, where those with the same answer, or question, are smaller."""
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, truth in enumerate(labels.truths):
        if coverage[row] is not None:
            alike["question", " ".join(labels.queries[row].question.casefold().split())].append(row)
            answer = expected(truth)
            if answer:
                alike["answer", answer].append(row)
    best: dict[int, tuple[float, str]] = {}
    for (kind, value), rows in alike.items():
        if len(rows) <= FEWEST_ALIKE:
            continue
        shares = np.sort([coverage[row] or 0.0 for row in rows])
        for row in rows:
            share = coverage[row] or 0.0
            if share > WHOLE:
                middle = _middle_without(shares, share)
                told = (
                    f'of the {len(rows) - 1:,} others with the {kind} "{value}" half cover under {percent(middle, 0)}'
                )
                best[row] = min(best.get(row, (1.0, "")), (middle, told))
    for row, (middle, told) in best.items():
        if middle <= HALF:
            why = f"the target covers {percent(coverage[row], 0)} of the photo; {told}"
            yield row, Sign("whole_image", 0.4 * (1 - middle), why)


def _middle_without(ordered: NDArray[np.float64], value: float) -> float:
    """Returns the median of rising values without one of them; many samples may share an answer."""
    left_out, n = int(np.searchsorted(ordered, value)), len(ordered) - 1
    middle = [place + (place >= left_out) for place in ((n - 1) // 2, n // 2)]
    return float(ordered[middle].mean())


def _duplicates(labels: Labels, regions: Sequence[Rle | None]) -> Iterator[tuple[int, Sign]]:
    """Samples of one photo and one question that have another target."""
    asked: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, query in enumerate(labels.queries):
        if regions[row] is not None:
            asked[query.image_name, matchable(query.question)].append(row)
    for rows in asked.values():
        for a, b in combinations(rows, 2):
            one, other = regions[a], regions[b]
            if one is None or other is None or one.size_hw != other.size_hw:
                continue
            iou = float(mask_iou([one], [other], empty=0.0)[0])
            if iou < OTHER:
                for row, twin in ((a, b), (b, a)):
                    named = labels.truths[twin].id
                    why = f"{named} asks the same of the same photo and has another target (IoU {iou:.2f})"
                    yield row, Sign("duplicate", 0.5 * (1 - iou), why)
