"""Shapes that people drew on photos with other tools, as samples; and samples as such shapes.

These tools know classes, not questions. Where a shape has no question of its own, one is made of its class by one rule
("Where is the dog?"), and the class is the answer; shapes of one photo and one question are one sample.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from foveate.core.boxes import SizeHW
from foveate.core.masks import outlines, signed_area
from foveate.core.polygons import Corners
from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import Rle
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Target, TargetShape, Truth
from foveate.errors import InputError, shown
from foveate.formats._losses import answers_of, question_of, usual_match
from foveate.formats._sample_forms import FIX, Sample
from foveate.formats._sample_objects import parts_object
from foveate.formats.tables import OnInvalid

# The class of a region that has no answer, for tools that must have one.
NO_CLASS = "region"
_KEEP_ONE = "Keep one, or pass --skip-invalid to keep the first."
# Under these names a shape carries what its tool has no place for.
KEYS = ("sample", "question", "answer", "annotator")


@dataclass(frozen=True, slots=True)
class Drawn:
    """One shape on a photo.

    Attributes:
        where: File and shape, for messages.
        shape: The shape.
        kind: Its class, where the tool has one.
        named: What it says under our own names (`KEYS`).
    """

    where: str
    shape: TargetShape
    kind: str | None
    named: Mapping[str, str | None]

    @property
    def target(self) -> Target:
        """The shape as a target; its answer is the class, where none is said."""
        return Target(self.shape, self.named.get("answer", self.kind), self.named.get("annotator"))


def named_texts(values: Mapping[str, Any], where: str) -> dict[str, str | None]:
    """Returns what a shape says under our names.

    Raises:
        InputError: One is no text.
    """
    found = {name: values[name] for name in KEYS if name in values}
    for name, value in found.items():
        if value is not None and not isinstance(value, str):
            raise InputError(where, f"{name} is {value!r}; a text is needed here", FIX)
    return found


def samples_of_photo(
    photo: str, size_hw: SizeHW | None, drawn: Iterable[Drawn], on_invalid: OnInvalid, ids: dict[str, str]
) -> Iterator[Sample]:
    """Yields the samples of one photo, in the order of their first shapes.

    The id is the one that the shapes carry; else, for a question made of a class, `photo#class`; else the photo's name,
    or `photo#n` where it has several questions. Each id is noted in `ids` with its first shape; a second of it is
    refused.
    """
    groups: dict[tuple[str | None, str], list[Drawn]] = {}
    for shape in drawn:
        try:
            groups.setdefault((shape.named.get("sample"), _question(shape)), []).append(shape)
        except InputError as error:
            on_invalid(error)
    for number, ((sample_id, question), shapes) in enumerate(groups.items()):
        made = f"{photo}#{number}" if len(groups) > 1 else photo
        if not shapes[0].named.get("question"):
            made = f"{photo}#{shapes[0].kind}"
        where, name = shapes[0].where, sample_id or made
        try:
            sample = _sample(name, photo, size_hw, question, shapes)
        except ValueError as error:
            on_invalid(InputError(where, str(error), FIX))
            continue
        if ids.setdefault(name, where) != where:
            on_invalid(InputError(f"{where}, {name}", f"the id is here a second time, first {ids[name]}", _KEEP_ONE))
            continue
        yield sample


def refuse_second_photo(photo: str, where: str, seen: dict[str, str]) -> None:
    """Notes where a photo stands, in tools that have one entry for it.

    Raises:
        InputError: It stood somewhere before.
    """
    if seen.setdefault(photo, where) != where:
        raise InputError(f"{where}, {photo}", f"the photo is here a second time, first {seen[photo]}", _KEEP_ONE)


def class_of(target: Target) -> str:
    """Returns the class that stands for a target's answer, in tools that must have one."""
    return target.answer if target.answer and target.answer.strip() else NO_CLASS


def without_shape(photos: Sequence[str]) -> str:
    """Returns the remark on photos about which nothing is asked."""
    return f"photos without a shape, about which nothing is asked: {len(photos):,}, first {shown(photos[0])}"


def _question(shape: Drawn) -> str:
    question = shape.named.get("question")
    if question is not None and question.strip():
        return question
    if not shape.kind or not shape.kind.strip():
        raise InputError(shape.where, "it has neither a class nor a question", "Give it one of the two.")
    return question_of(shape.kind)


def _sample(sample_id: str, photo: str, size_hw: SizeHW | None, question: str, shapes: list[Drawn]) -> Sample:
    targets = tuple(shape.target for shape in shapes)
    answers = answers_of(targets)
    truth = Truth(sample_id, answers, targets, usual_match(targets), True, size_hw, polled=not answers)
    return Sample(Query(sample_id, photo, None, question, size_hw), truth)


def by_photo(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """Returns the samples of each photo, photos in the order of their first.

    Raises:
        InputError: Two samples of a photo state different sizes, or a name leads out of the folder.
    """
    found: dict[str, list[Sample]] = {}
    for sample in samples:
        others = found.setdefault(inside(sample.query.image_name), [])
        others.append(sample)
        first, this = others[0].query, sample.query
        if first.size_hw != this.size_hw:
            raise InputError(
                f"{this.image_name}, {this.id}",
                f"its photo is {_shown(this.size_hw)}, for {first.id} it is {_shown(first.size_hw)}",
                "One photo has one size; fix the data set.",
            )
    return found


def inside(name: str) -> str:
    """Returns a photo's name as a path below a folder.

    Raises:
        InputError: It leads out of it.
    """
    path = posixpath.normpath(name)
    if path.startswith(("/", "..")) or "://" in name or path == ".":
        raise InputError(name, "the name of the photo is no path below a folder", "Name the photo by its file name.")
    return path


def new_file_for(name: str, folder: Path, suffix: str, owners: dict[Path, str]) -> Path:
    """Returns where the file that goes with a photo is written; makes the folder.

    Raises:
        InputError: Another photo's file has that name, since only the suffixes of the photos differ.
    """
    path = folder / PurePosixPath(name).with_suffix(suffix)
    owner = owners.setdefault(path, name)
    if owner != name:
        raise InputError(name, f"its file would be the one of {owner}", "Give the two photos different names.")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def carried(sample: Sample, target: Target) -> dict[str, str | None]:
    """Returns what a shape carries beside its class, under our names."""
    return {
        "sample": sample.query.id,
        "question": sample.query.question,
        "answer": target.answer,
        "annotator": target.annotator,
    }


def mask_of(shape: TargetShape, size_hw: SizeHW | None) -> Rle | None:
    """Returns the pixels of a mask or soft map, or None where the shape is drawn with corners.

    A soft map without a photo's size becomes the box around it, as its user is told.
    """
    if isinstance(shape, Mask):
        return shape.encoded
    return shape.rle(size_hw) if isinstance(shape, SoftMap) and size_hw else None


def rings(shape: TargetShape, size_hw: SizeHW | None) -> list[list[tuple[float, float]]]:
    """Returns a shape as outlines without holes: corners as they are drawn, those around pixels else."""
    if isinstance(shape, Polygon):
        return [[(x, y) for x, y in part] for part in parts_object(shape)]
    rle = mask_of(shape, size_hw)
    if rle is not None:
        return [_points(ring) for ring in outlines(rle) if signed_area(ring) > 0]
    x0, y0, x1, y1 = (shape if isinstance(shape, Box) else Box(shape.xyxy)).xyxy
    return [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]


def _points(ring: Corners) -> list[tuple[float, float]]:
    return [(x, y) for x, y in ring.tolist()]


def _shown(size_hw: SizeHW | None) -> str:
    return f"{size_hw[1]} x {size_hw[0]}" if size_hw else "of unknown size"
