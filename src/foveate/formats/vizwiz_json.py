"""The official JSON of VizWiz-VQA-Grounding: one record a photo, the target as a polygon.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022; the files
    `{train,val,test}_grounding.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, PositiveInt

from foveate.core.boxes import SizeHW
from foveate.core.polygons import as_corners, clip_corners, outside_by
from foveate.core.regions import Polygon
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, Row, refuse, typed

# The official files have corners up to 5.5 pixels outside; more is another photo or another size.
TOLERATED_PIXELS = 10.0


class Corner(BaseModel):
    """One corner of a polygon, in pixels."""

    x: float
    y: float


class VizwizRecord(BaseModel):
    """One record; `answer_grounding` is empty or absent where the targets are not public."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    width: PositiveInt
    height: PositiveInt
    question: NonBlank
    answers: tuple[str, ...] = ()
    most_common_answer: str | None = None
    answer_grounding: tuple[Corner, ...] = ()

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the upright photo."""
        return self.height, self.width

    def polygon(self) -> Polygon | None:
        """Returns the target, its corners moved onto the photo where they lie a few pixels outside, as many do.

        Raises:
            ValueError: It has fewer than three corners, or one lies far outside.
        """
        if not self.answer_grounding:
            return None
        corners = as_corners([(corner.x, corner.y) for corner in self.answer_grounding])
        outside = outside_by(corners, self.size_hw)
        if outside > TOLERATED_PIXELS:
            raise ValueError(
                f"answer_grounding has a corner {outside:.10g} pixels outside the photo of {self.width} x {self.height}"
            )
        return Polygon((tuple((x, y) for x, y in clip_corners(corners, self.size_hw).tolist()),))


def read_vizwiz(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[tuple[str, VizwizRecord, Polygon | None]]:
    """Yields the photo's name, its record and its target, in the order of the file.

    Raises:
        InputError: The file is missing or no such JSON, or `on_invalid` raises for a record (the default).
    """
    for name, values in _records(path).items():
        try:
            record = typed(Row(values, f"{path}, {name}"), VizwizRecord)
            yield name, record, _target(record, f"{path}, {name}")
        except InputError as error:
            on_invalid(error)


def _target(record: VizwizRecord, where: str) -> Polygon | None:
    try:
        return record.polygon()
    except ValueError as error:
        raise InputError(where, str(error), "Fix the record, or pass --skip-invalid.") from error


def _records(path: Path) -> dict[str, dict[str, object]]:
    try:
        values = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(
            str(path), f"it cannot be read ({error.strerror})", "Look at the name and the folder."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(str(path), f"this is not valid JSON ({error})", "Take the official file again.") from error
    if not isinstance(values, dict) or not all(isinstance(record, dict) for record in values.values()):
        raise InputError(str(path), "it is not an object of one record a photo", "Take the official file.")
    return values
