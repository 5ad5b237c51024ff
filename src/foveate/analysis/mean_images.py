"""Mean images: what photos with one answer, or of one question, have in common, and where their targets lie.

Each photo is stretched to one frame, whatever its shape, so that a place is a share of height and width, as in the
location of targets. The mean is that of the stored values, not of the light. A photo with several samples of one group
counts once for each.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import target_regions
from foveate.analysis.columns import Analysis, Columns, Grouping
from foveate.analysis.photo_work import Job, Settings, Work, look, photos_of, pixels_of
from foveate.core.queries import Image
from foveate.core.rle import Rle, decode
from foveate.datasets._open import Dataset
from foveate.execution.ground import RunProgress

FRAME_HW = (128, 160)
LEAST = 5
TOP = 12
_MAKING = 1


@dataclass(frozen=True, eq=False)
class MeanImage:
    """One group.

    Attributes:
        grouping: `question`, `answer`, …
        key: What its samples have in common.
        n: How many photos the mean is made of.
        of: How many samples the group has.
        photo: ``uint8 (H, W, 3)``, RGB.
        mask: ``float32 (H, W)``, the share of targets that cover each place, 0 to 1; of the same samples.
    """

    grouping: str
    key: str
    n: int
    of: int
    photo: NDArray[np.uint8]
    mask: NDArray[np.float32]


@dataclass(frozen=True)
class MeanImages:
    """The mean images of a data set.

    Attributes:
        images: In the order of the groupings and their groups.
        photos: How many photos are there.
        unread: Why one of these could not be used, by its name.
        few: How many groups had photos, but fewer than `least`.
        least: How many photos a group needs.
    """

    images: Sequence[MeanImage]
    photos: int
    unread: Mapping[str, str]
    few: int
    least: int


def mean_images(
    data: Dataset,
    analysis: Analysis,
    images: Mapping[str, Image | None],
    settings: Settings,
    *,
    by: Sequence[str] = ("answer", "question"),
    least: int = LEAST,
    top: int = TOP,
    progress: RunProgress | None = None,
) -> MeanImages:
    """Returns the mean image of each of the first groups that has enough photos.

    Args:
        data: The data set.
        analysis: Of the same.
        images: Its photos by name.
        settings: How photos are read, and where the small ones are kept.
        by: The groupings.
        least: How many photos a group needs.
        top: How many groups of each grouping.
        progress: Is told how far it is.

    Raises:
        OutputError: The small photos cannot be kept.
    """
    columns = analysis.columns
    jobs, unusable = photos_of(columns, images)
    chosen, few = _chosen(
        [analysis.groupings[name] for name in by if name in analysis.groupings], columns.photos, jobs, least, top
    )
    rows = {row for _, _, members, _ in chosen for row in members}
    needed = {columns.photos[row]: jobs[columns.photos[row]] for row in sorted(rows)}
    small = look(needed, Work("small", f"{FRAME_HW}, making {_MAKING}", _small), settings, "averaging photos", progress)
    seen = [[row for row in members if columns.photos[row] in small.made] for _, _, members, _ in chosen]
    masks = _mean_masks(data, columns, seen)
    made = [
        MeanImage(grouping, key, len(rows), of, _mean([small.made[columns.photos[row]] for row in rows]), mask)
        for (grouping, key, _, of), rows, mask in zip(chosen, seen, masks, strict=True)
        if len(rows) >= least
    ]
    return MeanImages(made, len(jobs) + len(unusable), unusable | small.unread, few, least)


def in_frame(region: Rle) -> NDArray[np.float32]:
    """Returns the share of each place of the frame that a region covers, ``float32 FRAME_HW``."""
    import cv2

    height, width = FRAME_HW
    mask = decode(region).astype(np.float32)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _chosen(
    groupings: Sequence[Grouping], photos: Sequence[str], jobs: Mapping[str, Job], least: int, top: int
) -> tuple[list[tuple[str, str, list[int], int]], int]:
    """Returns grouping, key, rows with a photo and size of the groups that are shown, and how many have too few."""
    chosen: list[tuple[str, str, list[int], int]] = []
    few = 0
    for grouping in groupings:
        there = [[row for row in group.rows.tolist() if photos[row] in jobs] for group in grouping.groups]
        few += sum(0 < len(rows) < least for rows in there)
        enough = [(g, rows) for g, rows in zip(grouping.groups, there, strict=True) if len(rows) >= least]
        chosen += [(grouping.name, group.key, rows, len(group.rows)) for group, rows in enough[:top]]
    return chosen, few


def _small(job: Job) -> str:
    """Returns a photo stretched to the frame, as PNG in base 64."""
    import cv2

    height, width = FRAME_HW
    small = cv2.resize(pixels_of(job), (width, height), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".png", cv2.cvtColor(small, cv2.COLOR_RGB2BGR))
    return base64.b64encode(data.tobytes()).decode("ascii")


def _pixels(kept: str) -> NDArray[np.uint8]:
    import cv2

    data = np.frombuffer(base64.b64decode(kept), dtype=np.uint8)
    bgr = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def _mean_masks(data: Dataset, columns: Columns, groups: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
    """Returns the mean region of each group of rows; they are summed one by one, as there may be very many."""
    groups_of: dict[int, list[int]] = {}
    for number, rows in enumerate(groups):
        for row in rows:
            groups_of.setdefault(row, []).append(number)
    sums = np.zeros((len(groups), *FRAME_HW))
    for row, region in target_regions(data, columns):
        if row in groups_of:
            sums[groups_of[row]] += in_frame(region)
    return [np.asarray(total / max(len(rows), 1), np.float32) for total, rows in zip(sums, groups, strict=True)]


def _mean(photos: Sequence[str]) -> NDArray[np.uint8]:
    total = np.zeros((*FRAME_HW, 3), dtype=np.int64)
    for photo in photos:
        total += _pixels(photo)
    return np.asarray(np.rint(total / len(photos)), dtype=np.uint8)
