"""The official JSON of VizWiz-VQA-Grounding: one record a photo, the target as a polygon.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022; the files
    `{train,val,test}_grounding.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from foveate.core.polygons import TOLERATED_PIXELS, as_corners, clip_corners, outside_by
from foveate.core.regions import Polygon
from foveate.core.rle import area
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.json_regions import Number, Sized
from foveate.formats.tables import OnInvalid, Row, json_file, refuse, typed

_FIX = "Fix the record, or pass --skip-invalid."


class Corner(BaseModel):
    """One corner of a polygon, in pixels."""

    x: Number
    y: Number


class VizwizRecord(Sized):
    """One record; `answer_grounding` is empty or absent where the targets are not public."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: NonBlank
    answers: tuple[str, ...] = ()
    most_common_answer: str | None = None
    answer_grounding: tuple[Corner, ...] = ()

    def polygon(self) -> Polygon | None:
        """Returns the target, its corners moved onto the photo where they lie a few pixels outside, as many do.

        Raises:
            ValueError: It has fewer than three corners, or one lies far outside, or no pixel lies inside.
        """
        if not self.answer_grounding:
            return None
        corners = as_corners([(corner.x, corner.y) for corner in self.answer_grounding])
        outside = outside_by(corners, self.size_hw)
        if outside > TOLERATED_PIXELS:
            raise ValueError(
                f"answer_grounding has a corner {outside:.10g} pixels outside the photo of {self.width} x {self.height}"
            )
        polygon = Polygon((tuple((x, y) for x, y in clip_corners(corners, self.size_hw).tolist()),))
        if area(polygon.rle(self.size_hw)) == 0:
            raise ValueError("answer_grounding covers the middle of no pixel, so that no region could hit it")
        return polygon


def read_vizwiz(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[tuple[str, VizwizRecord, Polygon | None]]:
    """Yields the photo's name, its record and its target, in the order of the file.

    Raises:
        InputError: The file is missing or no such JSON, or `on_invalid` raises for a record (the default).
    """
    records = _records(path)
    public = any("answer_grounding" in record for record in records.values())
    for number, (name, values) in enumerate(records.items(), start=1):
        try:
            if not name.strip():
                raise InputError(f"{path}, record {number}", "the name of its photo is empty", _FIX)
            if public and "answer_grounding" not in values:
                raise InputError(f"{path}, {name}", "answer_grounding is missing, which other records have", _FIX)
            record = typed(Row(values, f"{path}, {name}"), VizwizRecord, _FIX)
            yield name, record, _target(record, f"{path}, {name}")
        except InputError as error:
            on_invalid(error)


def _target(record: VizwizRecord, where: str) -> Polygon | None:
    try:
        return record.polygon()
    except ValueError as error:
        raise InputError(where, str(error), _FIX) from error


def _records(path: Path) -> dict[str, dict[str, object]]:
    values = json_file(path, "Take the official file again.")
    if not isinstance(values, dict) or not all(isinstance(record, dict) for record in values.values()):
        raise InputError(str(path), "it is not an object of one record a photo", "Take the official file.")
    return values
