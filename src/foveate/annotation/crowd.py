"""Submissions of the original annotation tool of VizWiz-VQA-Grounding, from its result files.

Each photo was stretched onto a canvas of 400 x 500; points are scaled back to the upright photo. What a file does not
tell is not made up: who drew it is a number in the order of the file, when it was sent stays open, and which photo a
tab was of is checked wherever anything tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from foveate.annotation.outlines import first_meeting, plain
from foveate.annotation.reasons import OTHER, REASONS
from foveate.annotation.submissions import Submission
from foveate.annotation.work import GroundingWork
from foveate.core.boxes import SizeHW
from foveate.core.polygons import clip_corners, rasterise
from foveate.core.regions import Point
from foveate.core.rle import area
from foveate.errors import InputError, some
from foveate.formats.tables import OnInvalid, Row, json_file, refuse, typed
from foveate.formats.vizwiz_crowd import (
    CANVAS_HW,
    FIX,
    WHOLE,
    CrowdResult,
    CrowdTab,
    CrowdTask,
    read_crowd,
    read_grouped,
    to_photo,
    yes_no,
)

AS_LISTED = "as-listed"
# So far outside the canvas, in its pixels, a click at its edge may lie; farther is another canvas.
_TOLERATED = 5.0
# What the kinds of the qualification's photos say must have been answered.
_STATED = {
    "MultiQuestionTrue": "several questions",
    "MultiRegion": "several regions",
    "Cannotdraw": "cannot draw",
}


@dataclass
class Imported:
    """What became of a result file.

    Attributes:
        submissions: In the order of the file.
        remarks: What a reader must know.
    """

    submissions: list[Submission] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def import_crowd(
    path: Path,
    tasks: Path,
    size_of: Callable[[str], SizeHW | None],
    *,
    order: str | None = None,
    on_invalid: OnInvalid = refuse,
) -> Imported:
    """Returns the submissions of a result file.

    Args:
        path: The result file.
        tasks: The file of grouped tasks that the results are about.
        size_of: Tells the height and width of an upright photo by its name.
        order: Which photo each tab was of: None for the order of the tasks, checked; `as-listed` for that order without
            the check of what a task's kind says; or a JSON file `{"DATASET_GROUP": ["PHOTO of tab 1", …], …}`.
        on_invalid: Called with the error of each entry that cannot be taken; raising stops the reading.

    Raises:
        InputError: A file is not of its form, results and tasks do not fit each other, a photo's size is not known, or
            `on_invalid` raises (the default).
    """
    groups = read_grouped(tasks)
    keys = _Keys(groups)
    listed = _order_file(Path(order)) if order not in (None, AS_LISTED) else {}
    reader = _Reader(size_of, on_invalid)
    people: dict[str, str] = {}
    made = Imported()
    for result in read_crowd(path, on_invalid):
        asked = _asked(result, groups, tasks, listed.get(result.group))
        if order is None:
            _check_kinds(result, asked)
        person = result.worker or result.where
        annotator = people.setdefault(person, f"person-{len(people) + 1}")
        made.submissions += reader.read(result, asked, annotator, keys)
    unused = sorted(set(listed) - reader.groups)
    if unused:
        raise InputError(str(order), f"it names groups that are not in {path}: {some(unused)}", "Look at the names.")
    made.remarks = reader.remarks()
    return made


class _Keys:
    """The keys of tasks: the photo's name, or `photo#n` where several questions are about it."""

    def __init__(self, groups: Sequence[Sequence[CrowdTask]]) -> None:
        self._questions: dict[str, dict[str, int]] = {}
        for task in (task for group in groups for task in group):
            asked = self._questions.setdefault(task.image, {})
            asked.setdefault(task.question, len(asked))

    def of(self, task: CrowdTask) -> str:
        asked = self._questions[task.image]
        return task.image if len(asked) == 1 else f"{task.image}#{asked[task.question]}"


class _Reader:
    """Turns tabs into submissions, and counts what is told at the end."""

    def __init__(self, size_of: Callable[[str], SizeHW | None], on_invalid: OnInvalid) -> None:
        self._size_of = size_of
        self._on_invalid = on_invalid
        self._told: dict[str, list[str]] = {}
        self.groups: set[str] = set()

    def read(
        self, result: CrowdResult, asked: Mapping[int, CrowdTask], annotator: str, keys: _Keys
    ) -> Iterator[Submission]:
        self.groups.add(result.group)
        for number, tab in result.tabs.items():
            task = asked[number]
            try:
                size_hw = self._size(task.image, tab.where)
                work = self._work(tab, size_hw)
                seconds = (result.seconds or 0.0) / len(result.tabs)
                values = {"seconds": seconds, "comment": result.comments, **(work or {})}
                checked = typed(Row(values, tab.where), GroundingWork, FIX)
            except InputError as error:
                self._on_invalid(error)
                continue
            if work is None:
                self._note("not done, and left out", tab.where)
                continue
            yield Submission(
                project=result.dataset,
                kind="grounding",
                dataset="vizwiz_crowd",
                task=keys.of(task),
                image_name=task.image,
                size_hw=size_hw,
                question=task.question,
                answer=task.answers[0] if task.answers else None,
                annotator=annotator,
                work=checked,
            )

    def remarks(self) -> list[str]:
        return [f"{what}: {len(where):,}, {some(where)}" for what, where in self._told.items()]

    def _note(self, what: str, where: str) -> None:
        self._told.setdefault(what, []).append(where)

    def _size(self, image: str, where: str) -> SizeHW:
        size_hw = self._size_of(image)
        if size_hw is None:
            problem = f"the size of {image} is not known, and the canvas had another"
            raise InputError(where, problem, "Give the photos with --photos DIR, or their sizes with --sizes FILE.")
        return size_hw

    def _work(self, tab: CrowdTab, size_hw: SizeHW) -> dict[str, object] | None:
        """Returns what was answered; None where the tab was not done.

        What the tool stored of steps that were not reached ("N", "Not activated") is nothing.
        """
        answers = tab.answers
        first, second = yes_no(answers.several_questions), yes_no(answers.several_regions)
        if first or (first is False and second):
            if tab.points:
                self._note("drawn although step 1 or 2 ends the sample; the drawing is left out", tab.where)
            return {"several_questions": first, "several_regions": None if first else True}
        drawn = bool(tab.points or tab.undefined or answers.whole_image or answers.no_draw == "CANNOT_DRAW")
        if not drawn:
            return None
        if first is None or second is None:
            number = 1 if first is None else 2
            raise InputError(tab.where, f"step {number} is not answered, but step 3 is", FIX)
        steps: dict[str, object] = {"several_questions": False, "several_regions": False}
        if answers.no_draw == "CANNOT_DRAW":
            return steps | _reason(tab)
        if answers.whole_image or _is_whole(tab.points):
            return steps | {"outcome": "whole_image"}
        return steps | {"outcome": "polygon", "polygon": self._polygon(tab, size_hw), "closed": True}

    def _polygon(self, tab: CrowdTab, size_hw: SizeHW) -> list[Point]:
        if tab.undefined:
            self._note("points without numbers, from Enter before the first click, left out", tab.where)
        if len(set(tab.points)) < 3:
            raise InputError(tab.where, f"the polygon has {len(set(tab.points))} points, it needs 3", FIX)
        corners = np.array(tab.points)
        outside = float(np.abs(corners - clip_corners(corners, CANVAS_HW)).max())
        if outside > _TOLERATED:
            problem = f"a point lies {outside:.4g} pixels outside the canvas of 400 x 500"
            raise InputError(tab.where, problem, FIX)
        if outside:
            self._note("points a little outside the canvas, moved onto its edge", tab.where)
        scaled = plain([(x, y) for x, y in to_photo(tab.points, size_hw).tolist()], size_hw)
        if len(np.unique(scaled, axis=0)) < 3 or area(rasterise([scaled], size_hw)) == 0:
            raise InputError(tab.where, "the polygon covers the middle of no pixel", FIX)
        if first_meeting(scaled):
            self._note(
                "outlines that cross or touch themselves, which the tool did not check, kept as drawn", tab.where
            )
        return [(x, y) for x, y in scaled.tolist()]


def _reason(tab: CrowdTab) -> dict[str, object]:
    text = tab.answers.reason.strip()
    if not text:
        raise InputError(tab.where, "it cannot be drawn, but no reason is written", FIX)
    code, _, rest = text.partition(":")
    # Where submissions of ours were written in this form, the text begins with the code.
    known = code in REASONS
    return {
        "outcome": "cannot_draw",
        "reason": code if known else OTHER,
        "reason_text": rest.strip() if known else text,
    }


def _is_whole(points: Sequence[Point]) -> bool:
    return len(points) == len(WHOLE) and set(points) == set(WHOLE)


def _asked(
    result: CrowdResult, groups: Sequence[Sequence[CrowdTask]], tasks: Path, listed: Sequence[str] | None
) -> dict[int, CrowdTask]:
    """Returns which task each tab is of."""
    if result.number >= len(groups):
        problem = f"there is no group {result.number} among the {len(groups)} of {tasks}"
        raise InputError(result.where, problem, "Give the file of tasks that the results are about.")
    group = groups[result.number]
    if listed is not None:
        by_name = {task.image: task for task in group}
        unknown = [name for name in listed if name not in by_name]
        if unknown or len(set(listed)) != len(listed):
            problem = f"the order names {some(unknown or list(listed))}, of the group are {some(list(by_name), 10)}"
            raise InputError(result.where, problem, "Name each photo of the group once, tab by tab.")
        group = [by_name[name] for name in listed]
    last = max(result.tabs, default=0)
    if last > len(group):
        problem = f"it has a tab {last}, the group has {len(group)} tasks"
        raise InputError(result.where, problem, "Give the file of tasks that the results are about.")
    return dict(enumerate(group, start=1))


def _check_kinds(result: CrowdResult, asked: Mapping[int, CrowdTask]) -> None:
    """Refuses answers that are not what the kinds of the photos say: as likely the order differs."""
    for number, tab in result.tabs.items():
        stated = next((what for kind, what in _STATED.items() if kind == asked[number].q_type), "a region")
        found = _answered(tab)
        if asked[number].q_type is not None and found != stated:
            problem = (
                f"tab {number} says {found}, but task {number}, {asked[number].image}, is of the kind "
                f"{asked[number].q_type}: the results seem to be in another order than the tasks"
            )
            remedy = (
                f"Say which photo each tab was of with --order FILE, or --order {AS_LISTED} if they are in this order."
            )
            raise InputError(result.where, problem, remedy)


def _answered(tab: CrowdTab) -> str:
    if yes_no(tab.answers.several_questions):
        return "several questions"
    if yes_no(tab.answers.several_regions):
        return "several regions"
    return "cannot draw" if tab.answers.no_draw == "CANNOT_DRAW" else "a region"


def _order_file(path: Path) -> dict[str, list[str]]:
    values = json_file(path, "Write it as an object of lists of photos.")
    lists = values.values() if isinstance(values, dict) else [None]
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
        raise InputError(str(path), "it is not an object of a list of photos for each group", "Write it anew.")
    return dict(values)
