"""A user's own photos, with a CSV or JSONL table of questions and, if they have them, boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import model_validator

from foveate.core.boxes import SizeHW, box_problem
from foveate.core.cards import DatasetCard
from foveate.core.queries import Image, Query
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.datasets._options import HiddenError, Options, size_if_readable
from foveate.datasets._tiny import TINY_BOXES, write_csv, write_tiny_photos
from foveate.errors import InputError, UsageError
from foveate.formats._box_columns import has_boxes
from foveate.formats.fields import SIDES, NonBlank, PixelRow, Text
from foveate.formats.tables import Row, read_rows, typed
from foveate.sources.folders import PhotoFolder
from foveate.sources.places import is_file

CARD = DatasetCard(
    name="folder",
    title="Your own photos",
    summary="A folder of photos and a table of questions (CSV or JSONL), with boxes where you have them.",
    licence="yours",
    citation=None,
    homepage=None,
    splits={"all": None},
    evaluate_as="box",
    needs_root=False,
    options={
        "questions": "the table: columns image, question; optional id, answer, width, height, left, top, right, bottom"
    },
)

_REQUIRED = ("image", "question")


class QuestionRow(PixelRow):
    """One row of the table of questions; an empty cell is as good as a missing column."""

    image: NonBlank
    question: NonBlank
    id: Text = None
    answer: Text = None

    @model_validator(mode="after")
    def _whole_box(self) -> Self:
        empty = [name for name, side in zip(SIDES, self.sides, strict=True) if side is None]
        if empty and len(empty) < len(SIDES):
            raise ValueError(f"a box has four sides; {', '.join(empty)} is empty")
        return self

    @property
    def xyxy(self) -> tuple[float, float, float, float] | None:
        """The box as it is written, or None where the row has none."""
        x0, y0, x1, y1 = self.sides
        return None if x0 is None or y0 is None or x1 is None or y1 is None else (x0, y0, x1, y1)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One row with its id, its photo and the photo's size."""

    id: str
    row: QuestionRow
    photo: Image | None
    size_hw: SizeHW | None


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of the table, in its order.

    The id is the column `id` where there is one, else the photo's name where no photo has two questions, else
    `name#n`, the n-th question about that photo, from 0.

    Raises:
        InputError: The table is broken, or two different photos have a name that it asks for.
    """
    for asked in _all_asked(root, options):
        yield Query(asked.id, asked.row.image, asked.photo, asked.row.question, asked.size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the boxes of the table; a row whose four sides are empty has nothing to ground.

    Raises:
        InputError: As for `queries`, or the table has no box columns, or only some of them.
    """
    table, _ = _places(root, options)
    if not has_boxes(table, _REQUIRED, QuestionRow.model_fields):
        raise HiddenError(
            str(table), f"the table has no columns {', '.join(SIDES)}", "Add the boxes to score against them."
        )
    for asked in _all_asked(root, options):
        xyxy = asked.row.xyxy
        targets = (Target(Box(xyxy), asked.row.answer),) if xyxy else ()
        answers = (asked.row.answer,) if asked.row.answer else ()
        yield Truth(asked.id, answers, targets, answerable=bool(targets), size_hw=asked.size_hw)


def answers(root: Path | None, split: str, options: Options) -> Iterator[tuple[str, str]]:
    """Yields the answers of the table, which needs no boxes for them; empty where a row has none."""
    for asked in _all_asked(root, options):
        yield asked.id, asked.row.answer or ""


def write_tiny(root: Path) -> None:
    """Writes three photos and `questions.csv` below the root, the third question without a box."""
    names = write_tiny_photos(root / "photos")
    rows: list[list[object]] = [[name, question, *box] for name, (box, question) in zip(names, TINY_BOXES, strict=True)]
    rows[-1][2:] = ["", "", "", ""]
    write_csv(root / "questions.csv", ["image", "question", *SIDES], rows)


def _all_asked(root: Path | None, options: Options) -> Iterator[_Asked]:
    table, folder = _places(root, options)
    photos = PhotoFolder(folder)
    rows = list(_typed_rows(table, options))
    ids = _ids([row for row, _ in rows])
    seen: dict[str, str] = {}
    for (row, source), sample_id in zip(rows, ids, strict=True):
        photo = photos.find(row.image) if options.with_images else None
        asked = _Asked(sample_id, row, photo, row.size_hw or size_if_readable(photo))
        problem = _problem(asked, seen)
        if problem:
            options.on_invalid(
                InputError(f"{source.where}, {sample_id}", problem, "Fix the row, or pass --skip-invalid.")
            )
            continue
        seen[sample_id] = source.where.rpartition(", ")[2]
        yield asked


def _typed_rows(table: Path, options: Options) -> Iterator[tuple[QuestionRow, Row]]:
    for row in read_rows(table, _REQUIRED, options.on_invalid, tuple(QuestionRow.model_fields)):
        try:
            yield typed(row, QuestionRow), row
        except InputError as error:
            options.on_invalid(error)


def _problem(asked: _Asked, seen: dict[str, str]) -> str | None:
    if asked.id in seen:
        return f"the id is here a second time, first {seen[asked.id]}"
    return box_problem(asked.row.xyxy, asked.size_hw) if asked.row.xyxy else None


def _ids(rows: list[QuestionRow]) -> list[str]:
    count = Counter(row.image for row in rows)
    repeated = any(n > 1 for n in count.values())
    so_far: Counter[str] = Counter()
    ids = []
    for row in rows:
        ids.append(row.id or (f"{row.image}#{so_far[row.image]}" if repeated else row.image))
        so_far[row.image] += 1
    return ids


def _places(root: Path | None, options: Options) -> tuple[Path, Path]:
    table = options.questions
    if table is None and root is not None:
        table = next((p for p in (root / "questions.csv", root / "questions.jsonl") if is_file(p)), None)
    if table is None:
        raise UsageError(
            CARD.name, "the table of questions is not given", "Give it with --questions FILE.csv (image, question)."
        )
    return table, root if root is not None else table.parent
