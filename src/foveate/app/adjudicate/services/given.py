"""The targets that a data set has for a task: read for organisers only, when they ask, and never kept in the database.

People who draw anew are blind to them, so nothing else may show them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.utils.translation import gettext as _

from foveate.annotation.given import drawn_work
from foveate.annotation.kinds import Stage, first_stage
from foveate.annotation.origin import opened
from foveate.annotation.problems import problems
from foveate.annotation.work import Work
from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.projects import kind_of, origin_of, settings_of
from foveate.app.refused import RefusedError
from foveate.core.boxes import SizeHW
from foveate.core.masks import outlines
from foveate.core.regions import Box, Polygon
from foveate.core.truths import Target, TargetShape
from foveate.errors import FoveateError, InputError

# Of so many projects the targets stay in memory, the latest used.
_REMEMBERED = 2

Targets = Mapping[str, tuple[Target, ...]]


@dataclass
class _Read:
    """A project's targets. The lock is its own, so that a slow data set makes nobody else wait."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    targets: Targets | None = None


_read: OrderedDict[tuple[str, ...], _Read] = OrderedDict()
_guard = threading.Lock()


@dataclass(frozen=True)
class Given:
    """A target of the data set.

    Attributes:
        shape: Its region.
        work: The same as a work that can stand; None where it cannot.
        why: Why it cannot.
    """

    shape: TargetShape
    work: Work | None
    why: str


def targets_of(task: Task) -> tuple[list[Given], str]:
    """Returns the targets of a task that is drawn anew, and why there are none where they cannot be read."""
    if task.project.kind != "reannotation":
        return [], ""
    try:
        found = _all(task.project).get(task.key, ())
    except FoveateError as error:
        return [], _("The targets of the data set cannot be read: %(problem)s.") % {"problem": error.problem}
    return [_given(task, target) for target in found], ""


def work_of_target(task: Task, number: int) -> Work:
    """Returns a target of a task as a work that can stand.

    Raises:
        RefusedError: There is none of this number, or it cannot stand.
    """
    found, problem = targets_of(task)
    if not 0 <= number < len(found):
        said = problem or _("The data set has no such target.")
        raise RefusedError(422, "no_target", said, _("Pick or draw another region."))
    chosen = found[number]
    if chosen.work is None:
        raise RefusedError(422, "no_target", chosen.why, _("Pick or draw another region."))
    return chosen.work


def _all(project: Project) -> Targets:
    key = (str(project.pk), project.slug, project.dataset, project.root, project.questions, project.fingerprint)
    with _guard:
        kept = _read.setdefault(key, _Read())
        _read.move_to_end(key)
        while len(_read) > _REMEMBERED:
            _read.popitem(last=False)
    with kept.lock:
        if kept.targets is None:
            kept.targets = {truth.id: truth.targets for truth in opened(origin_of(project)).truths() if truth.targets}
        return kept.targets


def _given(task: Task, target: Target) -> Given:
    size_hw = (task.height, task.width)
    shape = target.outline or target.shape
    stage = stage_of(task)
    # The box around something else is not what the data set says.
    work, why = (None, "") if stage == "box" and not isinstance(shape, Box) else work_of_shape(shape, stage, size_hw)
    return Given(target.shape, work, "" if work else why or not_one_outline())


def stage_of(task: Task) -> Literal["grounding", "box", "polygon"]:
    """Returns the stage whose work an answer of a task is."""
    stage = first_stage(kind_of(task.project), settings_of(task.project))
    return stage if stage in ("grounding", "polygon") else "box"


def work_of_shape(shape: TargetShape, stage: Stage, size_hw: SizeHW) -> tuple[Work | None, str]:
    """Returns the work that draws a region, or None and why it cannot stand as it is."""
    try:
        made = drawn_work("", shape, stage, size_hw)
    except InputError:
        return None, not_one_outline()
    found = problems(made, size_hw)
    if found:
        return None, _("It cannot be picked as it is: %(problem)s.") % {"problem": found[0].problem}
    return made, ""


def not_one_outline() -> str:
    """Returns the sentence that says why a region cannot be picked."""
    return _("It is no single outline as people draw here, so that it cannot be picked.")


def rings_of(shape: TargetShape, size_hw: tuple[int, int]) -> list[list[tuple[float, float]]]:
    """Returns the outlines of a region as they are drawn on a screen."""
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        return [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]
    if isinstance(shape, Polygon):
        return [list(part) for part in shape.parts]
    return [[(x, y) for x, y in ring.tolist()] for ring in outlines(shape.rle(size_hw))]
