"""The worst tasks on their photos: what each person drew, outlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.assist._outlines import draw_outlines, outline
from foveate.assist.overlay import SKY_BLUE, YELLOW
from foveate.core.boxes import size_difference
from foveate.core.regions import Box, Mask, Polygon, Shape
from foveate.core.rle import decode, encode
from foveate.errors import FoveateError, InputError
from foveate.quality.agreement import AgreementReport, TaskPairs
from foveate.reports._text import cut
from foveate.reports.agreement.rows import relations_of
from foveate.reports.analysis.looks_pictures import jpeg, small
from foveate.reports.sections.parts import Album, Photo
from foveate.sources.folders import PhotoFolder

SIDE = 480
# Okabe, Ito: Color universal design, 2008, those that stand out on photos; whole and dashed lines take turns.
_LINES = (
    (YELLOW, "yellow"),
    (SKY_BLUE, "light blue, dashed"),
    ((204, 121, 167), "pink"),
    ((255, 255, 255), "white, dashed"),
    ((230, 159, 0), "orange"),
    ((0, 158, 115), "green, dashed"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown with a task: the photo's name and the question."""

    image_name: str
    question: str


def worst_album(
    found: AgreementReport, shown: Mapping[str, Shown], photos: PhotoFolder
) -> tuple[Album | None, list[str]]:
    """Returns the worst tasks on their photos, None where none of these is there; and why photos are not shown."""
    pictures, problems = [], []
    for task in found.worst:
        try:
            made = _picture(found, task, shown[task.task], photos)
        except FoveateError as error:
            problems.append(f"{error.where}: {error.problem}")
            continue
        pictures.append(made)
    about = "By the mean IoU of their pairs, the lowest first; each line is one person's region."
    return Album("worst_photos", "On their photos", about, pictures, large=True) if pictures else None, problems


def _picture(found: AgreementReport, task: TaskPairs, shown: Shown, photos: PhotoFolder) -> Photo:
    regions = found.pairs.regions
    places = np.flatnonzero(regions.task == task.number).tolist()
    height, width = regions.size_hw[places[0]].tolist()
    image = photos.find(shown.image_name)
    if image is None:
        raise InputError(shown.image_name, "there is no such photo below the folder", "Look at --root.")
    difference = size_difference(image.size_hw, (height, width))
    if difference:
        raise InputError(shown.image_name, f"the photo is {difference}", "Look at --root.")
    names = [regions.annotators[int(regions.annotator[place])] for place in places]
    lines = [_LINES[n % len(_LINES)][1] for n in range(len(places))]
    who = "; ".join(f"{name}: {line}" for name, line in zip(names, lines, strict=True))
    about = f"IoU {task.mean:.2f}; {relations_of(task.relations)}. {who}. Task {task.task}"
    title = cut(shown.question or task.task, 80)
    return Photo(title, cut(about, 300), outlined(image.load(), [regions.shapes[place] for place in places]))


def outlined(pixels: NDArray[np.uint8], shapes: Sequence[Shape]) -> bytes:
    """Returns a small photo with the outlines of shapes, as JPEG."""
    picture = small(pixels, SIDE)
    size_hw = (picture.height, picture.width)
    scale = (picture.width / pixels.shape[1], picture.height / pixels.shape[0])
    kinds: tuple[list[int], list[int]] = ([], [])
    for number in range(len(shapes)):
        kinds[number % 2].append(number)
    solid, dashed = (
        [
            outline(_scaled(shapes[n], scale, size_hw), size_hw, 1, _LINES[n % len(_LINES)][0], dashed=bool(n % 2))
            for n in numbers
        ]
        for numbers in kinds
    )
    draw_outlines(picture, solid, dashed)
    return jpeg(picture)


def _scaled(shape: Shape, scale: tuple[float, float], size_hw: tuple[int, int]) -> Shape:
    across, down = scale
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        return Box((x0 * across, y0 * down, x1 * across, y1 * down))
    if isinstance(shape, Polygon):
        return Polygon(tuple(tuple((x * across, y * down) for x, y in part) for part in shape.parts))
    mask = decode(shape.encoded)
    rows, columns = ((np.arange(count) * side) // count for count, side in zip(size_hw, mask.shape, strict=True))
    smaller = mask[rows][:, columns]
    # A mask too thin for a small picture is shown whole by its box.
    return Mask(encode(smaller)) if smaller.any() else _scaled(Box(shape.xyxy), scale, size_hw)
