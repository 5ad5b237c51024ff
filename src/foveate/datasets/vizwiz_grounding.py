"""VizWiz-VQA-Grounding: questions of blind people, and the polygons of what answers them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.cards import DatasetCard
from foveate.core.overlap import mask_iou
from foveate.core.polygons import Corners
from foveate.core.queries import Query
from foveate.core.regions import Mask, Polygon
from foveate.core.rle import area
from foveate.core.truths import Target, Truth
from foveate.datasets._findings import Finding
from foveate.datasets._options import HiddenError, Options, needed_root, official_file
from foveate.datasets._tiny import TINY_BOXES, write_tiny_photos
from foveate.datasets._vizwiz_files import absent_files
from foveate.datasets._vizwiz_joins import PHOTO_FACTS, VOTES_OPTION, VQA_FACTS, Joins
from foveate.datasets._vizwiz_masks_check import mask_findings, mask_folder
from foveate.datasets.vizwiz_vqa import write_tiny_joins
from foveate.errors import InputError, some
from foveate.formats.mask_png import read_mask_png
from foveate.formats.vizwiz_json import VizwizRecord, read_vizwiz
from foveate.sources.folders import PhotoFolder
from foveate.sources.images import refuse_bomb
from foveate.sources.places import is_file, is_folder

CARD = DatasetCard(
    name="vizwiz_grounding",
    title="VizWiz-VQA-Grounding",
    summary="9,998 photos and questions of blind people, a polygon each; compared by the mean IoU of masks.",
    licence="CC BY 4.0",
    citation="Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People. CVPR 2022",
    homepage="the web site of VizWiz, section Answer Grounding",
    splits={"train": 6_494, "val": 1_131, "test": 2_373},
    evaluate_as="mask",
    options={"votes": VOTES_OPTION},
    facts=VQA_FACTS | PHOTO_FACTS,
)

# Mask and polygon of one target are two drawings of one line; below this IoU they are two targets.
AGREE = 0.9
_AGAIN = "Take the official file again, or pass --skip-invalid."


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split; the photos may lie anywhere below the root, or be absent.

    Official masks are read here too: a sample whose mask is broken is refused, or passed over, before hours of
    grounding, and the ids are those of the truths. A mask takes about 6 ms, once in a process.

    Raises:
        InputError: The split's JSON or a mask is missing or broken.
    """
    photos = PhotoFolder(needed_root(CARD.name, root))
    for name, record, _, _ in _records(photos.root, split, options):
        photo = photos.find(name) if options.with_images else None
        yield Query(name, name, photo, record.question, record.size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields answers and targets of a split; no photo is needed.

    Where `binary_masks_png/SPLIT/` holds the mask of a photo it is the target, else the polygon is; masks that differ
    from their polygon are counted in a remark. What VizWiz-VQA, its skills and the image quality issues know of a
    sample is joined where their files are below the root; remarks tell how many samples each reached.

    Raises:
        InputError: The split's JSON, a joined file or a mask is missing or broken, or there is no target at all.
    """
    for _, truth in pairs(root, split, replace(options, with_images=False)):
        yield truth


def pairs(root: Path | None, split: str, options: Options) -> Iterator[tuple[Query, Truth]]:
    """Yields questions with their truths, from one reading of the files, which are held as a whole.

    Raises:
        InputError: As for `truths`.
    """
    folder = needed_root(CARD.name, root)
    photos = PhotoFolder(folder) if options.with_images else None
    joins = Joins(folder, split, options)
    found, other = False, []
    for name, record, polygon, mask in _records(folder, split, options):
        if mask and polygon and mask_iou([mask.encoded], [polygon.rle(record.size_hw)], empty=1.0)[0] < AGREE:
            other.append(name)
        found = found or bool(mask or polygon)
        target = mask or polygon
        outline = polygon if mask else None
        targets = (Target(target, record.most_common_answer, outline=outline),) if target else ()
        facts = joins.facts(name, record.question, record.answers)
        truth = Truth(name, record.answers, targets, answerable=bool(target), size_hw=record.size_hw, facts=facts)
        yield Query(name, name, photos.find(name) if photos else None, record.question, record.size_hw), truth
    if not found:
        raise HiddenError(
            str(_json_of(folder, split)), "it holds no answer_grounding", "Take the file with the targets to score."
        )
    if other:
        options.on_remark(
            f"masks that differ from their polygon (IoU under {AGREE}) and were taken: {len(other):,}, {some(other)}"
        )
    for remark in joins.remarks():
        options.on_remark(remark)


def drawn(root: Path | None, split: str, options: Options) -> Iterator[tuple[str, Corners]]:
    """Yields the corners of each polygon as the file has them, before any is moved onto the photo.

    Raises:
        InputError: The split's JSON or a mask is missing or broken.
    """
    for name, record, _, _ in _records(needed_root(CARD.name, root), split, options):
        yield name, np.array([(corner.x, corner.y) for corner in record.answer_grounding]).reshape(-1, 2)


def _records(
    root: Path, split: str, options: Options
) -> Iterator[tuple[str, VizwizRecord, Polygon | None, Mask | None]]:
    """Yields the records that are valid as a whole, so that queries and truths always agree, each with its mask."""
    path = _json_of(root, split)
    masks = mask_folder(root, path, split)
    there = is_folder(masks)
    owners: dict[Path, str] = {}
    for name, record, polygon in read_vizwiz(path, options.on_invalid):
        file = masks / f"{Path(name).stem}.png"
        try:
            mask = _mask_of(file, record.size_hw) if there else None
            owner = owners.setdefault(file, name) if mask else name
            if owner != name:
                raise InputError(str(file), f"by its name it is the mask of {owner} and of {name}", _AGAIN)
        except InputError as error:
            options.on_invalid(InputError(error.where, error.problem, _AGAIN))
            continue
        yield name, record, polygon, mask


def _mask_of(file: Path, size_hw: SizeHW) -> Mask | None:
    """Returns the official mask, which wins over the polygon; None where there is no such file."""
    if not is_file(file):
        return None
    return _read_mask(file, size_hw, file.stat().st_mtime_ns)


@lru_cache(maxsize=8192)
def _read_mask(file: Path, size_hw: SizeHW, _: int) -> Mask:
    """Reads a mask once for queries and truths, unless the file has changed; kept packed, a few kilobytes each."""
    # The mask's header must say this very size, or nothing is decoded.
    refuse_bomb(str(file), size_hw[::-1], "photo of the mask")
    encoded = read_mask_png(file, size_hw)
    if area(encoded) == 0:
        raise InputError(str(file), "the official mask is empty", _AGAIN)
    return Mask(encoded)


def write_tiny(root: Path) -> None:
    """Writes three photos and every split in the official layout below the root; for tests and trying out."""
    names = write_tiny_photos(root / "images")
    records = {}
    for name, ((x0, y0, x1, y1), question) in zip(names, TINY_BOXES, strict=True):
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        records[name] = {
            "width": 64,
            "height": 48,
            "question": question,
            "answers": ["red"] * 10,
            "most_common_answer": "red",
            "answer_grounding": [{"x": x, "y": y} for x, y in corners],
        }
    for split in CARD.splits:
        (root / f"{split}_grounding.json").write_text(json.dumps(records), encoding="utf-8")
        write_tiny_joins(root, split, names)


def findings(root: Path, split: str, options: Options) -> Iterator[Finding]:
    """Yields what only this data set knows of its files: what it is not joined with, and its masks."""
    yield from absent_files(root, split)
    yield from mask_findings(root, split)


def _json_of(root: Path, split: str) -> Path:
    return official_file(root, f"{split}_grounding.json")
