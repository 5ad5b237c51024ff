"""A sample as plain values and back: the canonical form of JSON lines and Parquet (design/canonical-form.md)."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from foveate.core import soft_maps
from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Point, Polygon
from foveate.core.rle import Rle
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Fact, Match, Target, TargetShape, Truth
from foveate.errors import InputError
from foveate.formats._fitted import fitted
from foveate.formats._losses import usual_match
from foveate.formats._sample_forms import FIX, EmbeddedPhoto, Reading, Sample
from foveate.formats.fields import SIDES, NonBlank, PixelRow
from foveate.formats.json_regions import Corner, Four, RleObject, SampleId, Size
from foveate.formats.tables import Row, typed

# The number of the canonical form; a file of a later one is refused, not guessed at.
VERSION = 1
VERSION_KEY = "foveate_samples"
REQUIRED = ("image", "question")
Parts = tuple[tuple[Corner, ...], ...]


class SoftObject(BaseModel):
    """A soft map: its values as little-endian float32, row by row, in base64."""

    model_config = ConfigDict(extra="forbid")

    size: Size
    values: str
    affine: Four
    # A table has a cell for it in every row.
    reading: soft_maps.Reading | None = None

    def shape(self) -> SoftMap:
        """Returns the map.

        Raises:
            ValueError: The values are no such code or do not fill the size.
        """
        data = base64.b64decode(self.values, validate=True)
        height, width = self.size
        if len(data) != 4 * height * width:
            raise ValueError(f"the soft map holds {len(data):,} bytes; {width} x {height} values have 4 each")
        return SoftMap(np.frombuffer(data, dtype="<f4").reshape(self.size), self.affine, self.reading or "bilinear")


class TargetObject(BaseModel):
    """One region: exactly one of `box`, `polygon`, `mask` and `soft_map`."""

    model_config = ConfigDict(extra="forbid")

    box: Four | None = None
    polygon: Parts | None = None
    mask: RleObject | None = None
    soft_map: SoftObject | None = None
    answer: str | None = None
    annotator: str | None = None
    outline: Parts | None = None

    def target(self, size_hw: tuple[int, int] | None) -> Target:
        """Returns the target.

        Raises:
            ValueError: There is no shape or several, or it is none on a photo of that size.
        """
        outline = Polygon(self.outline) if self.outline is not None else None
        return Target(fitted(self._shape(), size_hw), self.answer, self.annotator, outline)

    def _shape(self) -> TargetShape:
        given: list[TargetShape] = []
        if self.box is not None:
            given.append(Box(self.box))
        if self.polygon is not None:
            given.append(Polygon(self.polygon))
        if self.mask is not None:
            given.append(self.mask.mask(None))
        if self.soft_map is not None:
            given.append(self.soft_map.shape())
        if len(given) != 1:
            raise ValueError(f"a target has one shape (box, polygon, mask or soft_map), this one has {len(given)}")
        return given[0]


class SampleObject(BaseModel):
    """One row; all but photo and question may be absent."""

    model_config = ConfigDict(extra="forbid")

    id: SampleId | None = None
    image: NonBlank
    question: NonBlank
    given_answer: str | None = None
    answers: tuple[str, ...] = ()
    answerable: bool | None = None
    match: Match | None = None
    polled: bool = True
    facts: dict[str, str | int | float | bool | tuple[str, ...]] = {}
    targets: tuple[TargetObject, ...] = ()


def sample_object(sample: Sample) -> dict[str, Any]:
    """Returns a sample as plain values, in a fixed order of keys."""
    query, truth = sample.query, sample.truth
    height, width = query.size_hw or (None, None)
    return {
        "id": query.id,
        "image": query.image_name,
        "width": width,
        "height": height,
        "question": query.question,
        "given_answer": query.given_answer,
        "answers": list(truth.answers),
        "answerable": truth.answerable,
        "match": truth.match,
        "polled": truth.polled,
        "facts": {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in truth.facts.items()},
        "targets": [_target_object(target) for target in truth.targets],
    }


def sample_of(values: Mapping[str, Any], where: str, reading: Reading, made_id: str) -> Sample:
    """Returns the sample of a row: of the canonical form, or of a plain table with an answer and a box.

    Columns that neither of the two knows become facts; an empty cell of a table is as good as a missing one.

    Args:
        values: By column.
        where: File and row, for messages.
        reading: Tells the size of the photo where the row does not.
        made_id: The id where the row has none.

    Raises:
        InputError: A value does not fit, or a region is none on its photo.
    """
    row = {name: value for name, value in values.items() if value is not None}
    pixels = typed(Row({name: row.pop(name) for name in PIXELS if name in row}, where), PixelRow, FIX)
    photo = row.pop(PHOTO, None)
    _take_box(row, pixels, where)
    own = {name: row.pop(name) for name in list(row) if name not in KNOWN}
    if own:
        row["facts"] = {**own, **row.get("facts", {})}
    given = typed(Row(row, where), SampleObject, FIX)
    sample_id = given.id or made_id
    try:
        return _sample(given, sample_id, pixels.size_hw or reading.size_of(given.image), photo)
    except ValueError as error:
        raise InputError(f"{where}, {sample_id}", str(error), FIX) from error


# Under this key, which no column has, a row carries the photo that lies in the file itself.
PHOTO = " photo"
KNOWN = frozenset(SampleObject.model_fields)
PIXELS = ("width", "height", *SIDES)


def _sample(given: SampleObject, sample_id: str, size_hw: tuple[int, int] | None, photo: Any) -> Sample:
    targets = tuple(target.target(size_hw) for target in given.targets)
    truth = Truth(
        sample_id,
        given.answers,
        targets,
        given.match or usual_match(targets),
        bool(targets) if given.answerable is None else given.answerable,
        size_hw,
        given.polled,
        given.facts,
    )
    embedded = photo if isinstance(photo, EmbeddedPhoto) else None
    return Sample(Query(sample_id, given.image, None, given.question, size_hw, given.given_answer), truth, embedded)


def _take_box(row: dict[str, Any], pixels: PixelRow, where: str) -> None:
    """Turns the columns of a plain table, one answer and one box, into answers and targets."""
    answer = row.pop("answer", None)
    if answer is not None:
        row.setdefault("answers", [answer])
    empty = [name for name, side in zip(SIDES, pixels.sides, strict=True) if side is None]
    if len(empty) == len(SIDES):
        return
    if empty:
        raise InputError(where, f"a box has four sides; {', '.join(empty)} is empty", FIX)
    if row.get("targets"):
        raise InputError(where, "it has targets and the sides of a box as well", "Put the box among the targets.")
    row["targets"] = [{"box": list(pixels.sides), "answer": answer}]


def _target_object(target: Target) -> dict[str, Any]:
    shape = target.shape
    return {
        "box": list(shape.xyxy) if isinstance(shape, Box) else None,
        "polygon": parts_object(shape) if isinstance(shape, Polygon) else None,
        "mask": mask_object(shape.encoded) if isinstance(shape, Mask) else None,
        "soft_map": _soft_object(shape) if isinstance(shape, SoftMap) else None,
        "answer": target.answer,
        "annotator": target.annotator,
        "outline": None if target.outline is None else parts_object(target.outline),
    }


def parts_object(polygon: Polygon) -> list[list[list[float]]]:
    """Returns the outlines as lists of points, such that reading them gives the very polygon."""
    return [[list(point) for point in _closed_if_needed(part)] for part in polygon.parts]


def mask_object(rle: Rle) -> dict[str, Any]:
    """Returns a mask as COCO writes it."""
    return {"size": list(rle.size_hw), "counts": rle.counts.decode("ascii")}


def _closed_if_needed(part: Sequence[Point]) -> Sequence[Point]:
    # A polygon leaves one repeated closing point out; where a second one is meant to stay, it needs another.
    return [*part, part[0]] if part[0] == part[-1] else part


def _soft_object(shape: SoftMap) -> dict[str, Any]:
    code = base64.b64encode(shape.values.astype("<f4").tobytes()).decode("ascii")
    how = {} if shape.reading == "bilinear" else {"reading": shape.reading}
    return {"size": list(shape.values.shape), "values": code, "affine": list(shape.affine), **how}


def facts_text(facts: Mapping[str, Fact | list[str]]) -> str:
    """Returns facts as a JSON text, for forms whose columns have one type."""
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)
