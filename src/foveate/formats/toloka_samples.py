"""Samples as the Toloka VQA challenge publishes them: a CSV of boxes in whole pixels."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from foveate.core.queries import Query
from foveate.core.regions import Sides
from foveate.core.truths import Target, Truth
from foveate.errors import InputError
from foveate.formats._losses import LEFT_OUT, OF_REGIONS
from foveate.formats._sample_forms import FIX, Form, Reading, Sample
from foveate.formats.fields import SIDES
from foveate.formats.toloka_csv import QUESTION_COLUMNS, read_toloka, row_error

COLUMNS = ("image", "width", "height", *SIDES, "question")
_BOX = "the box around it is written"


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a CSV of the cup, with the targets.

    Raises:
        InputError: The file is not of this form, or a row cannot be taken (unless `on_invalid` returns).
    """
    for row, source in read_toloka(path, (*QUESTION_COLUMNS, *SIDES), reading.on_invalid):
        try:
            target = Target(row.box())
        except ValueError as error:
            reading.on_invalid(row_error(source, row.sample_id, str(error)))
            continue
        query = Query(row.sample_id, row.image_name, None, row.question or "", row.size_hw)
        yield Sample(query, Truth(row.sample_id, (), (target,), size_hw=row.size_hw))


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a row a sample; returns how many samples have a region, which are kept.

    Raises:
        InputError: Two questions are about one photo, or the size of a photo is not known.
    """
    seen: dict[str, str] = {}
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for sample in samples:
            if sample.truth.targets:
                table.writerow(_row(sample, seen))
    return len(seen)


def whole_pixels(xyxy: Sides) -> tuple[int, int, int, int]:
    """Returns a box in whole pixels: each side rounded, halves up; where that leaves no area, to the pixels around it.

    A side of at least one pixel never vanishes, and a box inside a photo stays inside.

    Example:
        >>> whole_pixels((0.5, 1.2, 1.5, 9.7)), whole_pixels((3.1, 0.0, 3.3, 4.0))
        ((1, 1, 2, 10), (3, 0, 4, 4))
    """
    x0, y0, x1, y1 = xyxy
    (left, right), (top, bottom) = _rounded(x0, x1), _rounded(y0, y1)
    return left, top, right, bottom


def _rounded(low: float, high: float) -> tuple[int, int]:
    first, last = math.floor(low + 0.5), math.floor(high + 0.5)
    return (first, last) if first < last else (math.floor(low), math.ceil(high))


def _row(sample: Sample, seen: dict[str, str]) -> list[object]:
    query = sample.query
    if query.size_hw is None:
        raise InputError(query.id, "the size of its photo is not known", "State it, or give the photos.")
    other = seen.setdefault(query.image_name, query.id)
    if other != query.id:
        problem = f"its photo is also that of {other}, and the form holds one question a photo"
        raise InputError(f"{query.image_name}, {query.id}", problem, FIX)
    height, width = query.size_hw
    box = whole_pixels(sample.truth.targets[0].shape.xyxy)
    return [query.image_name, width, height, *box, query.question]


FORM = Form(
    "toloka",
    "the cup's CSV (boxes in whole pixels)",
    read,
    write,
    suffixes=(".csv",),
    lost={
        **OF_REGIONS,
        "several_regions": "the first one is written",
        "polygon": _BOX,
        "mask": _BOX,
        "soft_map": _BOX,
        "fractions": "they are rounded",
        "annotator": LEFT_OUT,
        "poll": LEFT_OUT,
        "no_poll": LEFT_OUT,
        "own_id": "the photo's name takes its place",
    },
)
