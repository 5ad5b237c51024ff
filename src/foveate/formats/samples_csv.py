"""Samples as a plain CSV table, one box each: the columns of the data set `folder`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from foveate.core.boxes import clip_boxes
from foveate.core.regions import Box
from foveate.core.truths import Target
from foveate.formats._losses import LEFT_OUT
from foveate.formats._rows import samples_of_rows
from foveate.formats._sample_forms import Form, Reading, Sample
from foveate.formats.fields import SIDES
from foveate.formats.tables import OnInvalid, Row, read_rows

COLUMNS = ("id", "image", "question", "answer", "width", "height", *SIDES)


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a table.

    Raises:
        InputError: The file is missing or no such table, or a row cannot be taken (unless `on_invalid` returns).
    """
    return samples_of_rows(_rows(path, reading.on_invalid), lambda _: _rows(path, lambda _: None), reading)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a row a sample; of several regions the first, of other shapes the box around; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for sample in samples:
            writer.writerow(_record(sample))
            count += 1
    return count


def _rows(path: Path, on_invalid: OnInvalid) -> Iterator[Row]:
    for row in read_rows(path, (), on_invalid, COLUMNS):
        yield Row({name: value if value.strip() else None for name, value in row.values.items()}, row.where)


def _record(sample: Sample) -> list[object]:
    query, truth = sample.query, sample.truth
    height, width = query.size_hw or ("", "")
    answer = truth.answers[0] if truth.answers else ""
    sides: Iterable[object] = _sides(truth.targets[0], query.size_hw) if truth.targets else [""] * 4
    return [query.id, query.image_name, query.question, answer, width, height, *sides]


def _sides(target: Target, size_hw: tuple[int, int] | None) -> list[float]:
    # A soft map's grid may reach over the photo.
    sides = target.shape.xyxy if isinstance(target.shape, Box) or size_hw is None else None
    around: list[float] = list(sides) if sides else clip_boxes(target.shape.xyxy, size_hw or (1, 1)).tolist()
    return around


FORM = Form(
    "csv",
    "a table of boxes (CSV)",
    read,
    write,
    suffixes=(".csv",),
    lost={
        "several_regions": "only the first is kept",
        "polygon": "it becomes the box around it",
        "mask": "it becomes the box around it",
        "soft_map": "it becomes the box around the places of at least one half",
        "outline": LEFT_OUT,
        "annotator": LEFT_OUT,
        "other_answers": "the region gets the first answer",
        "several_answers": "only the first is kept",
        "given_answer": LEFT_OUT,
        "no_poll": "they read as votes",
        "match": "it is read as one region",
        "answerable": "it follows from there being a region",
        "facts": LEFT_OUT,
        "blank": LEFT_OUT,
    },
)
