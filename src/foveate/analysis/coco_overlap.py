"""How far the targets of a data set made on photos of COCO are things that COCO has drawn a box around itself.

The Toloka VQA challenge says of its boxes: "about 20 % of boxes had non-empty overlap, and we put all such instances
into the train dataset". What counts as an overlap is not said; here it is an option, and every reading is counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foveate.core.boxes import box_area, size_difference
from foveate.core.overlap import box_overlap, over_union
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset, card_of, named, open_dataset
from foveate.datasets._options import AbsentError
from foveate.errors import InputError, UsageError
from foveate.formats.coco import FIX, CocoBox, CocoImage, box_of, read_coco
from foveate.formats.photo_names import image_name
from foveate.formats.tables import OnInvalid, refuse

PUBLISHED = 0.20
SAME = 0.5
THRESHOLDS = (0.25, 0.5, 0.75, 0.9)
INSIDE = 0.9
# 000000001066.jpg of 2017 is COCO_train2014_000000001066.jpg of 2014.
_NUMBER = re.compile(r"(?:COCO_\w+_)?(\d{12})\.jpg", re.IGNORECASE)
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Overlap:
    """What COCO has where a sample has its target.

    Attributes:
        id: The sample.
        boxes: How many boxes COCO has in the photo.
        intersects: Whether any of them shares area with the target.
        iou: The best IoU of the target with one of them; 0 where there is none.
        kind: What the best one is, or None where no IoU is above 0.
        inside: The largest share of the target that lies inside one of them.
        same: Whether it is the same object: of the boxes of single things (no crowds), one and only one has an IoU of
            at least 0.5 with the target.
    """

    id: str
    boxes: int
    intersects: bool
    iou: float
    kind: str | None
    inside: float
    same: bool


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the samples that can be checked meet a criterion.

    Attributes:
        n: Those that meet it.
        of: Those that can be checked.
        share: The one through the other; NaN where none can be checked.
        low: Of the 95 % interval (Wilson).
        high: Of the 95 % interval.
    """

    n: int
    of: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class CocoOverlap:
    """The overlap of one split.

    Attributes:
        dataset: The split.
        n: Samples with a target.
        rows: Those whose photo is in a file of COCO.
        shares: By criterion: `any`, `iou>=T`, `inside>=T`, `same`.
    """

    dataset: str
    n: int
    rows: tuple[Overlap, ...]
    shares: Mapping[str, Share]


@dataclass(frozen=True)
class CocoPhotos:
    """COCO's own photos and boxes, by the number or the name of the photo."""

    images: Mapping[str, CocoImage]
    boxes: Mapping[str, Sequence[CocoBox]]


def coco_overlap(
    data: Dataset, coco: CocoPhotos, *, thresholds: Sequence[float] = THRESHOLDS, inside: float = INSIDE
) -> CocoOverlap:
    """Returns how far the targets of a split are things with a box of COCO's own.

    Args:
        data: A split with boxes as targets.
        coco: COCO's boxes, of `read_coco_photos`.
        thresholds: IoUs at which a target counts as overlapping.
        inside: The share of a target inside a COCO box at which it counts as inside.

    Raises:
        UsageError: A threshold is not above 0 and at most 1, or the targets are no boxes.
        InputError: The data set is broken, or a photo has another size there than in COCO's file.

    References:
        Ustalov and others: Toloka Visual Question Answering Benchmark, 2023; Wilson, JASA 22 (1927), for intervals.
    """
    wrong = next((value for value in (*thresholds, inside) if not 0 < value <= 1), None)
    if wrong is not None:
        raise UsageError("threshold", f"{wrong:g} is not above 0 and at most 1", "Give shares such as 0.5.")
    if data.card.evaluate_as != "box":
        raise UsageError(data.name, "its targets are no boxes", "Name a data set of boxes, such as toloka_vqa.")
    names = {query.id: query.image_name for query in data.queries(with_images=False)}
    truths = [truth for truth in data.truths() if truth.targets]
    rows = tuple(_rows(data.name, truths, names, coco))
    return CocoOverlap(data.name, len(truths), rows, _shares(rows, thresholds, inside))


def coco_overlaps(
    name: str,
    root: Path | str | None,
    files: Iterable[Path],
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    inside: float = INSIDE,
    on_absent: Callable[[str], None] = lambda _: None,
) -> list[CocoOverlap]:
    """Returns the overlap of the split that is named, or of each split that is there.

    Args:
        name: `NAME:SPLIT`, or `NAME` for every split whose file is there.
        root: The folder of the data set.
        files: COCO's files of instances.
        thresholds: As for `coco_overlap`.
        inside: As for `coco_overlap`.
        on_absent: Told of each split that is left out because its file is not there.

    Raises:
        UsageError: As for `coco_overlap`, or there is no such data set.
        InputError: As for `coco_overlap`, or no split is there.
    """
    base, split, place = named(name, root)
    card = card_of(base, place)
    opened = [open_dataset(f"{base}:{one}", place) for one in ([split] if split else card.splits)]
    photos = read_coco_photos(files)
    found: list[CocoOverlap] = []
    absent: list[AbsentError] = []
    for data in opened:
        try:
            found.append(coco_overlap(data, photos, thresholds=thresholds, inside=inside))
        except AbsentError as error:
            absent.append(error)
    if absent and not found:
        raise absent[0]
    for missing in absent:
        on_absent(f"Left out: {missing.fault}")
    return found


def read_coco_photos(paths: Iterable[Path], on_invalid: OnInvalid = refuse) -> CocoPhotos:
    """Returns the photos and boxes of COCO files of instances.

    Raises:
        InputError: A file is none, two files have one photo, or an entry is broken (unless `on_invalid` takes it).
    """
    images: dict[str, CocoImage] = {}
    boxes: dict[str, list[CocoBox]] = {}
    for path in paths:
        file = read_coco(path, on_invalid)
        for image in file.images.values():
            key = photo_key(image.file_name)
            if key in images:
                twice = f"the photo {image.file_name} is there a second time"
                raise InputError(str(path), twice, "Give each photo's file once: those of 2014, or those of 2017.")
            images[key], boxes[key] = image, []
        for found, row in file.annotations(on_invalid):
            image = file.images[found.image_id]
            try:
                box, _ = box_of(found, image.size_hw)
            except ValueError as error:
                on_invalid(InputError(row.where, str(error), FIX))
                continue
            kind = file.categories[found.category_id].name
            boxes[photo_key(image.file_name)].append(CocoBox(kind, box.xyxy, found.crowd))
    return CocoPhotos(images, boxes)


def photo_key(name: str) -> str:
    """Returns what is the same for one photo of COCO in its editions of 2014 and 2017.

    Example:
        >>> photo_key("COCO_train2014_000000001066.jpg") == photo_key("000000001066.jpg")
        True
    """
    last = image_name(name)
    number = _NUMBER.fullmatch(last)
    return number[1] if number else last


def wilson(n: int, of: int) -> Share:
    """Returns a share with its 95 % interval.

    Example:
        >>> wilson(3, 4).share, round(wilson(3, 4).low, 3), round(wilson(3, 4).high, 3)
        (0.75, 0.301, 0.954)
    """
    if not of:
        return Share(n, of, math.nan, math.nan, math.nan)
    share, z2 = n / of, _Z95**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z95 / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    # The ends are 0 and 1 exactly there, and rounding would miss them.
    return Share(n, of, share, middle - half if n else 0.0, middle + half if n < of else 1.0)


def _rows(dataset: str, truths: Iterable[Truth], names: Mapping[str, str], coco: CocoPhotos) -> Iterator[Overlap]:
    for truth in truths:
        key = photo_key(names[truth.id])
        image = coco.images.get(key)
        if image is None:
            continue
        difference = size_difference(image.size_hw, truth.size_hw) if truth.size_hw else None
        if difference:
            where = f"{dataset}, {truth.id}"
            raise InputError(where, f"in COCO's file the photo is {difference}", "Give COCO's file of the same photos.")
        yield _overlap(truth, coco.boxes[key])


def _overlap(truth: Truth, boxes: Sequence[CocoBox]) -> Overlap:
    """Returns the best of all targets with all boxes; a data set of the cup's kind has one target."""
    if not boxes:
        return Overlap(truth.id, 0, False, 0.0, None, 0.0, False)
    targets = np.array([target.shape.xyxy for target in truth.targets])[:, None]  # (T, 1, 4)
    own = np.array([box.xyxy for box in boxes])  # (M, 4)
    shared, union = box_overlap(targets, own)
    ious = over_union(shared, union, empty=0.0)
    best = int(ious.max(axis=0).argmax())
    iou = float(ious.max())
    single = np.array([not box.crowd for box in boxes])
    return Overlap(
        truth.id,
        len(boxes),
        bool(shared.max() > 0),
        iou,
        boxes[best].kind if iou > 0 else None,
        float((shared / box_area(targets)).max()),
        bool((ious.max(axis=0)[single] >= SAME).sum() == 1),
    )


def _shares(rows: Sequence[Overlap], thresholds: Sequence[float], inside: float) -> dict[str, Share]:
    of = len(rows)
    return {
        "any": wilson(sum(row.intersects for row in rows), of),
        **{f"iou>={t:g}": wilson(sum(row.iou >= t for row in rows), of) for t in sorted(set(thresholds))},
        f"inside>={inside:g}": wilson(sum(row.inside >= inside for row in rows), of),
        "same": wilson(sum(row.same for row in rows), of),
    }
