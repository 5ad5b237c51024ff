"""Visual Genome's questions and answers: one answer each, and boxes for very few."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from foveate.core.boxes import SizeHW, size_problem
from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.truths import Match, Target, Truth
from foveate.datasets._official import Edges, optional_file, photo_of
from foveate.datasets._options import Options, needed_root, official_file, size_if_readable
from foveate.datasets._tiny import TINY_BOXES, write_tiny_photos
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.json_regions import Number, Whole
from foveate.formats.json_stream import stream_elements
from foveate.formats.tables import Row, typed
from foveate.sources.folders import PhotoFolder

CARD = DatasetCard(
    name="visual_genome_qa",
    title="Visual Genome question answers",
    summary="Questions of people about photos, one answer each; the boxes of answers are mostly empty in its file.",
    licence="CC BY 4.0; photos: as their owners at Flickr state",
    citation="Krishna and others: Visual Genome, Connecting Language and Vision Using Crowdsourced Dense Image "
    "Annotations. IJCV 2017",
    homepage="the web site of Visual Genome, section Download: question answers and image meta data (version 1.2)",
    splits={"all": None},
    evaluate_as="box",
)

_QUESTIONS = "question_answers.json"
_SIZES = "image_data.json"
_FIX = "Fix the entry, or pass --skip-invalid."
_Id = Annotated[int, Field(strict=True, ge=0)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Object(_Form):
    x: Number
    y: Number
    w: Number
    h: Number


class _Asked(_Form):
    qa_id: _Id
    image_id: _Id
    question: NonBlank
    answer: str
    a_objects: tuple[_Object, ...] = ()


class _Photo(_Form):
    id: _Id
    qas: tuple[Any, ...]


class _Size(_Form):
    image_id: _Id
    width: Whole
    height: Whole


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions, one at a time; the photos may lie anywhere below the root, or be absent.

    Sizes are those of `image_data.json`, where it is there, else those of the photos.

    Raises:
        InputError: A file is missing or broken.
    """
    folder = PhotoFolder(needed_root(CARD.name, root))
    sizes = _sizes(folder.root, options)
    for asked in _all_asked(folder.root, options):
        name = f"{asked.image_id}.jpg"
        photo = photo_of(folder, name) if options.with_images else None
        yield Query(str(asked.qa_id), name, photo, asked.question, sizes.get(asked.image_id) or size_if_readable(photo))


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the answer of each question, and the boxes of its objects where the file has any; several are a union.

    Raises:
        InputError: A file is missing or broken.
    """
    folder = needed_root(CARD.name, root)
    sizes = _sizes(folder, options)
    edges = Edges()
    for asked in _all_asked(folder, options):
        size_hw = sizes.get(asked.image_id)
        boxes = [edges.box((o.x, o.y, o.w, o.h), size_hw, str(asked.qa_id)) for o in asked.a_objects]
        targets = tuple(Target(box, asked.answer) for box in dict.fromkeys(boxes) if box)
        match: Match = "union" if len(targets) > 1 else "single"
        yield Truth(str(asked.qa_id), (asked.answer,), targets, match, size_hw=size_hw, polled=False)
    edges.tell(options.on_remark)


def write_tiny(root: Path) -> None:
    """Writes three photos and the official files below the root, one answer with a box; for tests and trying out."""
    photos = []
    for number, name in enumerate(write_tiny_photos(root / "VG_100K"), start=1):
        (root / "VG_100K" / name).rename(root / "VG_100K" / f"{number}.jpg")
        (x0, y0, x1, y1), question = TINY_BOXES[number - 1]
        box = {"object_id": number, "x": x0, "y": y0, "w": x1 - x0, "h": y1 - y0, "names": ["thing"], "synsets": []}
        asked = {"qa_id": 100 + number, "image_id": number, "question": question, "answer": "A thing.", "q_objects": []}
        photos.append({"id": number, "qas": [{**asked, "a_objects": [box] if number == 1 else []}]})
    sizes = [{"image_id": number, "width": 64, "height": 48} for number in range(1, len(photos) + 1)]
    (root / _QUESTIONS).write_text(json.dumps(photos), encoding="utf-8")
    (root / _SIZES).write_text(json.dumps(sizes), encoding="utf-8")


def _all_asked(root: Path, options: Options) -> Iterator[_Asked]:
    seen: set[int] = set()
    for row in _rows(official_file(root, _QUESTIONS), options):
        try:
            asked = typed(row, _Asked, _FIX)
            if asked.qa_id in seen:
                raise InputError(row.where, f"the qa_id {asked.qa_id} is here a second time", _FIX)
            if asked.image_id != row.values["photo"]:
                stands = f"its image_id is {asked.image_id}, it stands below the photo {row.values['photo']}"
                raise InputError(row.where, stands, _FIX)
        except InputError as error:
            options.on_invalid(error)
            continue
        seen.add(asked.qa_id)
        yield asked


def _rows(path: Path, options: Options) -> Iterator[Row]:
    """Yields each question with its place, and the photo that it stands below as `photo`."""
    for _, row in stream_elements(path, "", options.on_invalid, "photo"):
        try:
            photo = typed(row, _Photo, _FIX)
        except InputError as error:
            options.on_invalid(error)
            continue
        for number, asked in enumerate(photo.qas, start=1):
            where = f"{row.where}, question {number}"
            if isinstance(asked, Mapping):
                yield Row({**asked, "photo": photo.id}, where)
            else:
                problem = f"this is a JSON {type(asked).__name__}, not an object"
                options.on_invalid(InputError(where, problem, _FIX))


def _sizes(root: Path, options: Options) -> dict[int, SizeHW]:
    path = optional_file(root, _SIZES)
    sizes: dict[int, SizeHW] = {}
    for _, row in stream_elements(path, "", options.on_invalid, "photo") if path else ():
        try:
            found = typed(row, _Size, _FIX)
            size_hw = (found.height, found.width)
            problem = size_problem(size_hw)
            if problem:
                raise InputError(row.where, problem, _FIX)
            if sizes.setdefault(found.image_id, size_hw) != size_hw:
                raise InputError(row.where, f"the photo {found.image_id} has two sizes", _FIX)
        except InputError as error:
            options.on_invalid(error)
    return sizes
