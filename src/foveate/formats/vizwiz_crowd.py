"""Result files of the original annotation tool of VizWiz-VQA-Grounding, as it stored what people drew.

An object of groups, `DATASET_GROUP` ("train_12"), each the result of one person, or a list of such results, as its page
of visualisations has them. A result has `useranswersTABn` and `xyTABn` for the photos 1, 2, … of the group. Points are
pixels of a canvas 400 wide and 500 high, onto which every photo was stretched, whatever its shape.

Faults of the files, all handled here or in `foveate.annotation.crowd`:

- Points without numbers: Enter before the first click stored `undefined`.
- Polygons of fewer than three points, and points a little outside the canvas.
- A step that was skipped is "", "N", "Not activated" or not there, by the version of the tool.
- A whole photo is `WholeImage`, or only the rectangle (1.5, 1.5)-(398.5, 498.5).
- `UseTime` is a text, or not there.
- Nothing says which photo a tab was of; the tasks' file may be in another order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from foveate.core.boxes import SizeHW
from foveate.core.polygons import Corners
from foveate.core.regions import Point
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, Row, json_file, refuse, typed

CANVAS_HW: SizeHW = (500, 400)
WHOLE = ((1.5, 1.5), (398.5, 1.5), (398.5, 498.5), (1.5, 498.5))
FIX = "Fix the entry, or pass --skip-invalid."
_GROUP = re.compile(r"(?P<dataset>.+)_(?P<number>\d+)")
_TAB = re.compile(r"useranswersTAB(\d+)")


def _of(*known: str) -> BeforeValidator:
    def check(value: object) -> object:
        if value is not None and value not in known:
            raise ValueError(f"it is one of {', '.join(map(repr, known))}")
        return value or ""

    return BeforeValidator(check)


class CrowdAnswers(BaseModel):
    """What was answered about one photo: `useranswersTABn`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    several_questions: Annotated[str, Field(alias="MULTI_QUESTION_DETECT"), _of("Y", "N", "")] = ""
    several_regions: Annotated[str, Field(alias="MULTI_FOCUS_DETECT"), _of("Y", "N", "")] = ""
    no_draw: Annotated[str, Field(alias="NoDraw"), _of("Draw", "CANNOT_DRAW", "Not activated", "")] = ""
    reason: Annotated[str, Field(alias="NoDrawReason"), BeforeValidator(lambda value: value or "")] = ""
    whole_image: Annotated[str, Field(alias="WholeImage"), _of("WholeImage", "")] = ""


@dataclass(frozen=True)
class CrowdTab:
    """One photo of a result.

    Attributes:
        where: File, group and tab, for messages.
        answers: What was answered.
        points: The polygon on the canvas, without its repeated last point.
        undefined: How many points without numbers were left out of it.
    """

    where: str
    answers: CrowdAnswers
    points: tuple[Point, ...]
    undefined: int


@dataclass(frozen=True)
class CrowdResult:
    """What one person sent for a group of photos.

    Attributes:
        where: File and group, for messages.
        group: The key of the group.
        dataset: The first part of that.
        number: The second.
        worker: Who, where the file says so.
        hit: The number of the task on the market, likewise.
        seconds: How long it took, likewise.
        comments: What they wrote.
        tabs: By number, from 1; a tab that is no such thing is told and not in it.
    """

    where: str
    group: str
    dataset: str
    number: int
    worker: str | None
    hit: str | None
    seconds: float | None
    comments: str
    tabs: Mapping[int, CrowdTab]


class CrowdTask(BaseModel):
    """One photo with its question, as the file of grouped tasks has it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    image: NonBlank
    question: NonBlank
    answers: tuple[str, ...] = ()
    q_type: str | None = None


def read_crowd(path: Path, on_invalid: OnInvalid = refuse) -> list[CrowdResult]:
    """Returns the results of a file, group after group.

    Raises:
        InputError: The file is not of this form, or a result or tab is broken (unless `on_invalid` returns).
    """
    values = json_file(path, "Take the file again.")
    if not isinstance(values, dict) or not values:
        raise InputError(str(path), "it is not an object of one or several groups", "Give a result file.")
    found = []
    for group, given in values.items():
        results = given if isinstance(given, list) else [given]
        for number, result in enumerate(results, start=1):
            person = f", result {number}" if isinstance(given, list) else ""
            try:
                found.append(_result(result, group, f"{path}, {group}{person}", on_invalid))
            except InputError as error:
                on_invalid(error)
    return found


def read_grouped(path: Path) -> list[list[CrowdTask]]:
    """Returns the tasks of a file, group after group.

    Raises:
        InputError: The file is not of this form.
    """
    values = json_file(path, "Take the file again.")
    if not isinstance(values, list) or not all(isinstance(group, list) for group in values):
        raise InputError(str(path), "it is not a list of groups of tasks", "Give the file of grouped tasks.")
    return [
        [
            typed(Row(task if isinstance(task, dict) else {}, f"{path}, group {at}, task {number}"), CrowdTask, FIX)
            for number, task in enumerate(group, start=1)
        ]
        for at, group in enumerate(values)
    ]


def to_photo(points: Sequence[Point], size_hw: SizeHW) -> Corners:
    """Returns points of the canvas in pixels of the upright photo, ``float64 (N, 2)``; none is moved onto it."""
    return _scaled(points, size_hw, CANVAS_HW)


def to_canvas(points: Sequence[Point], size_hw: SizeHW) -> Corners:
    """Returns points of the upright photo in pixels of the canvas, ``float64 (N, 2)``."""
    return _scaled(points, CANVAS_HW, size_hw)


def _scaled(points: Sequence[Point], wanted: SizeHW, given: SizeHW) -> Corners:
    corners: Corners = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    return corners * np.array(wanted[::-1], dtype=np.float64) / np.array(given[::-1], dtype=np.float64)


def yes_no(value: str) -> bool | None:
    """Returns what a step says; None where it was skipped."""
    return {"Y": True, "N": False}.get(value)


def _result(result: object, group: str, where: str, on_invalid: OnInvalid) -> CrowdResult:
    name = _GROUP.fullmatch(group)
    if name is None or not isinstance(result, dict):
        what = "its key is not of the form DATASET_NUMBER" if name is None else "a result is an object"
        raise InputError(where, what, FIX)
    tabs = {}
    for number in sorted(int(found[1]) for key in result if (found := _TAB.fullmatch(key))):
        try:
            tabs[number] = _tab(result, number, f"{where}, tab {number}")
        except InputError as error:
            on_invalid(error)
    return CrowdResult(
        where,
        group,
        name["dataset"],
        int(name["number"]),
        _text(result.get("Worker_id")),
        _text(result.get("Hit_id")),
        _seconds(result.get("UseTime"), where),
        str(result.get("comments") or ""),
        tabs,
    )


def _tab(result: Mapping[str, Any], number: int, where: str) -> CrowdTab:
    answers = result[f"useranswersTAB{number}"]
    typed_answers = typed(Row(answers if isinstance(answers, dict) else {"NoDraw": answers}, where), CrowdAnswers, FIX)
    given = result.get(f"xyTAB{number}") or []
    if not isinstance(given, list):
        raise InputError(where, f"xyTAB{number} is {given!r}; a list of points is needed here", FIX)
    points = [_point(point, where) for point in given]
    kept = [point for point in points if point is not None]
    if len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return CrowdTab(where, typed_answers, tuple(kept), points.count(None))


def _point(point: object, where: str) -> Point | None:
    """Returns a point, or None for one without numbers, which pressing Enter too early stored."""
    if point is None or point == "undefined":
        return None
    if not isinstance(point, dict):
        raise InputError(where, f"a point is {point!r}; an object of x and y is needed here", FIX)
    sides: list[Any] = [point.get(name) for name in ("x", "y")]
    if any(side is None or side == "undefined" or side != side for side in sides):
        return None
    if not all(isinstance(side, int | float) and not isinstance(side, bool) and math.isfinite(side) for side in sides):
        raise InputError(where, f"a point is {sides[0]!r}, {sides[1]!r}; two numbers are needed here", FIX)
    return float(sides[0]), float(sides[1])


def _seconds(value: object, where: str) -> float | None:
    if value in (None, ""):
        return None
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < math.inf:
        raise InputError(where, f"UseTime is {value!r}; a number of seconds is needed here", FIX)
    return seconds


def _text(value: object) -> str | None:
    return str(value) if value not in (None, "") else None
