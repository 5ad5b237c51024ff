"""The Toloka Visual Question Answering Challenge, WSDM Cup 2023."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.datasets._options import HiddenError, Options, needed_root, official_file
from foveate.datasets._tiny import TINY_BOXES, write_csv, write_tiny_photos
from foveate.formats._box_columns import has_boxes
from foveate.formats.fields import SIDES
from foveate.formats.toloka_csv import QUESTION_COLUMNS, TolokaRow, read_toloka, row_error
from foveate.sources.folders import PhotoFolder

CARD = DatasetCard(
    name="toloka_vqa",
    title="Toloka VQA challenge (WSDM Cup 2023)",
    summary="45,199 photos of MS COCO, a question and a box each; compared by the mean IoU of boxes (AIoU).",
    licence="annotations CC BY 4.0; photos: the CC BY part of MS COCO",
    citation="Ustalov, Pavlichenko, Koshelev, Likhobaba, Smirnova. Toloka Visual Question Answering Benchmark. 2023.",
    homepage="the repository Toloka/WSDMCup2023 and its data records",
    splits={"train": 38_990, "train_sample": 1_000, "test_public": 1_705, "test_private": 4_504},
    evaluate_as="box",
)


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split; the photos may lie anywhere below the root, or be absent.

    Raises:
        InputError: The split's CSV is missing or broken.
    """
    folder = PhotoFolder(needed_root(CARD.name, root))
    for row, _ in _rows(folder.root, split, options):
        name = row.image_name
        photo = folder.find(name) if options.with_images else None
        yield Query(row.id or name, name, photo, row.question or "", row.size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the targets of a split, one box each; no photo is needed.

    Raises:
        HiddenError: The split's CSV holds no targets.
        InputError: It is missing or broken.
    """
    path = _csv_of(needed_root(CARD.name, root), split)
    if not has_boxes(path, QUESTION_COLUMNS, TolokaRow.model_fields):
        raise HiddenError(
            str(path), f"the file has no columns {', '.join(SIDES)}", "Take the file with the targets to score."
        )
    for row, box in _rows(needed_root(CARD.name, root), split, options):
        yield Truth(row.sample_id, targets=(Target(box),) if box else (), size_hw=row.size_hw)


def write_tiny(root: Path) -> None:
    """Writes three photos and every split in the official layout below the root; for tests and trying out."""
    names = write_tiny_photos(root / "images")
    header = ["image", "width", "height", "left", "top", "right", "bottom", "question"]
    rows = [
        [f"https://example.invalid/wsdmcup2023/{name}", 64, 48, *box, question]
        for name, (box, question) in zip(names, TINY_BOXES, strict=True)
    ]
    for split in CARD.splits:
        write_csv(root / f"{split}.csv", header, rows)


def _rows(root: Path, split: str, options: Options) -> Iterator[tuple[TolokaRow, Box | None]]:
    """Yields the rows that are valid as a whole, so that queries and truths always agree, each with its box."""
    path = _csv_of(root, split)
    with_targets = has_boxes(path, QUESTION_COLUMNS, TolokaRow.model_fields)
    for parsed, row in read_toloka(path, QUESTION_COLUMNS, options.on_invalid):
        try:
            box = parsed.box() if with_targets else None
        except ValueError as error:
            options.on_invalid(row_error(row, parsed.sample_id, str(error)))
            continue
        yield parsed, box


def _csv_of(root: Path, split: str) -> Path:
    return official_file(root, f"{split}.csv")
