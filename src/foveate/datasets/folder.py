"""A user's own photos, with a CSV or JSONL table of questions and, if they have them, boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, PositiveInt, field_validator, model_validator

from foveate.core.boxes import SizeHW, box_problem
from foveate.core.cards import DatasetCard
from foveate.core.queries import Image, Query
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.datasets._options import Options
from foveate.datasets._tiny import TINY_BOXES, write_csv, write_tiny_photos
from foveate.errors import InputError, UsageError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import Row, columns, read_rows, typed
from foveate.sources.folders import PhotoFolder

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
_SIDES = ("left", "top", "right", "bottom")


class QuestionRow(BaseModel):
    """One row of the table of questions; an empty cell is as good as a missing column."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    image: NonBlank
    question: NonBlank
    id: str | None = None
    answer: str | None = None
    width: PositiveInt | None = None
    height: PositiveInt | None = None
    left: float | None = None
    top: float | None = None
    right: float | None = None
    bottom: float | None = None

    @field_validator("id", "answer", "width", "height", *_SIDES, mode="before")
    @classmethod
    def _empty_is_absent(cls, value: object) -> object:
        return None if isinstance(value, str) and not value.strip() else value

    @model_validator(mode="after")
    def _whole_groups(self) -> QuestionRow:
        if (self.width is None) != (self.height is None):
            raise ValueError("width and height come together; one of them is empty")
        empty = [side for side in _SIDES if getattr(self, side) is None]
        if empty and len(empty) < len(_SIDES):
            raise ValueError(f"a box has four sides; {', '.join(empty)} is empty")
        return self

    @property
    def size_hw(self) -> SizeHW | None:
        """Height and width as the table states them."""
        return (self.height, self.width) if self.height and self.width else None

    @property
    def sides(self) -> tuple[float, float, float, float] | None:
        """The box as it is written, or None where the row has none."""
        if self.left is None or self.top is None or self.right is None or self.bottom is None:
            return None
        return (self.left, self.top, self.right, self.bottom)


@dataclass(frozen=True, slots=True)
class _Entry:
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
    for entry in _entries(root, options):
        yield Query(entry.id, entry.row.image, entry.photo, entry.row.question, entry.size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the boxes of the table; a row whose four sides are empty has nothing to ground.

    Raises:
        InputError: As for `queries`, or the table has no box columns at all.
    """
    table, _ = _places(root, options)
    if not set(_SIDES) <= columns(table):
        raise InputError(
            str(table), "the table has no columns left, top, right, bottom", "Add the boxes to score against them."
        )
    for entry in _entries(root, options):
        sides = entry.row.sides
        targets = (Target(Box(sides), entry.row.answer),) if sides else ()
        answers = (entry.row.answer,) if entry.row.answer else ()
        yield Truth(entry.id, answers, targets, answerable=bool(targets), size_hw=entry.size_hw)


def write_tiny(root: Path) -> None:
    """Writes three photos and `questions.csv` below the root, the third question without a box."""
    names = write_tiny_photos(root / "photos")
    rows: list[list[object]] = [[name, question, *box] for name, (box, question) in zip(names, TINY_BOXES, strict=True)]
    rows[-1][2:] = ["", "", "", ""]
    write_csv(root / "questions.csv", ["image", "question", *_SIDES], rows)


def _entries(root: Path | None, options: Options) -> Iterator[_Entry]:
    table, folder = _places(root, options)
    photos = PhotoFolder(folder)
    rows = list(_typed_rows(table, options))
    ids = _ids([row for row, _ in rows])
    seen: dict[str, str] = {}
    for (row, source), sample_id in zip(rows, ids, strict=True):
        photo = photos.find(row.image)
        entry = _Entry(sample_id, row, photo, row.size_hw or _size_of(photo))
        problem = _problem(entry, seen)
        if problem:
            options.on_invalid(
                InputError(f"{source.where}, {sample_id}", problem, "Fix the row, or pass --skip-invalid.")
            )
            continue
        seen[sample_id] = source.where.rpartition(", ")[2]
        yield entry


def _typed_rows(table: Path, options: Options) -> Iterator[tuple[QuestionRow, Row]]:
    for row in read_rows(table, _REQUIRED, options.on_invalid):
        try:
            yield typed(row, QuestionRow), row
        except InputError as error:
            options.on_invalid(error)


def _problem(entry: _Entry, seen: dict[str, str]) -> str | None:
    if entry.id in seen:
        return f"the id is here a second time, first {seen[entry.id]}"
    return box_problem(entry.row.sides, entry.size_hw) if entry.row.sides else None


def _ids(rows: list[QuestionRow]) -> list[str]:
    count = Counter(row.image for row in rows)
    repeated = any(n > 1 for n in count.values())
    asked: Counter[str] = Counter()
    ids = []
    for row in rows:
        ids.append(row.id or (f"{row.image}#{asked[row.image]}" if repeated else row.image))
        asked[row.image] += 1
    return ids


def _size_of(photo: Image | None) -> SizeHW | None:
    """Returns the photo's size; a photo that cannot be read is reported before grounding, not here."""
    try:
        return photo.size_hw if photo else None
    except InputError:
        return None


def _places(root: Path | None, options: Options) -> tuple[Path, Path]:
    table = options.questions
    if table is None and root is not None:
        table = next((p for p in (root / "questions.csv", root / "questions.jsonl") if p.is_file()), None)
    if table is None:
        raise UsageError(
            CARD.name, "the table of questions is not given", "Give it with --questions FILE.csv (image, question)."
        )
    return table, root if root is not None else table.parent
