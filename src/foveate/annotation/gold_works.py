"""Gold questions: samples whose answer is known, as tasks with the work that is right.

Targets come into a project as works only (`foveate.annotation.given`), in adjudications, which no annotator can read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foveate.annotation.given import finished, given_work
from foveate.annotation.kinds import Kind, Stage
from foveate.annotation.origin import Origin, opened
from foveate.annotation.reading import Choice, TaskRow, Tasks, read_tasks
from foveate.annotation.submissions import Submission
from foveate.annotation.work import Work
from foveate.errors import InputError, some
from foveate.sources.folders import PhotoFolder

_REMEDY = "Choose other samples with ids, or adjudicate them in a project and take them from there."


@dataclass(frozen=True)
class GoldTask:
    """A gold question: the task, and the work that is right."""

    row: TaskRow
    work: Work


@dataclass(frozen=True)
class GoldTasks:
    """Gold questions, and where their photos are.

    Attributes:
        tasks: In their order.
        origin: Of the photos.
        fingerprint: Of the queries; empty where they are of no data set.
    """

    tasks: list[GoldTask]
    origin: Origin
    fingerprint: str = ""


def gold_of_dataset(origin: Origin, kind: Kind, stage: Stage, choice: Choice) -> GoldTasks:
    """Returns samples of a data set with what their truths say, as works of a stage.

    A truth without a region is "several questions", "several regions" or "cannot draw" where its fact `no_target` says
    so, as data sets that were made here do; "cannot draw" where the data set says that it cannot be answered.

    Raises:
        UsageError: There is no such data set or sample.
        InputError: It is broken or its photos are absent, or a truth is no one answer that a person could give.
    """
    read: Tasks = read_tasks(origin, kind, choice)
    wanted = {row.key for row in read.rows}
    truths = {truth.id: truth for truth in opened(origin).truths() if truth.id in wanted}
    absent = [row.key for row in read.rows if row.key not in truths]
    if absent:
        raise InputError(read.dataset, f"it has no truth of {some(absent)}", _REMEDY)
    tasks, refused = [], []
    for row in _by(choice, read):
        try:
            tasks.append(GoldTask(row, given_work(truths[row.key], stage, row.size_hw)))
        except InputError as error:
            refused.append(error)
    if refused:
        raise _all_of(refused, read.dataset)
    return GoldTasks(tasks, origin.fixed(read.dataset), read.fingerprint)


def _all_of(refused: Sequence[InputError], dataset: str) -> InputError:
    # Whoever chooses samples shall mend the list once, and not meet one after the other.
    if len(refused) == 1:
        return refused[0]
    names = some([error.where for error in refused], 20)
    return InputError(dataset, f"{len(refused):,} samples cannot be gold: {names}", f"The first: {refused[0]}")


def gold_of_submissions(found: Sequence[Submission], origin: Origin, ids: Sequence[str] = ()) -> GoldTasks:
    """Returns the tasks of a file of submissions with what is right: what was adjudicated, else the only work.

    So the stored answers of the original tool's qualification are taken, once `foveate annotate import` has read them.

    Args:
        found: Of one project, all of one stage.
        origin: The folder of the photos.
        ids: Only these tasks, in this order; none for all, in that of the file.

    Raises:
        InputError: A task has several works none of which was adjudicated, or is not in the file, or its photo is not
            there or of another size.
    """
    tasks: dict[str, list[Submission]] = {}
    for one in found:
        tasks.setdefault(one.task, []).append(one)
    unknown = [key for key in ids if key not in tasks]
    if unknown:
        raise InputError("ids", f"the file has no task {some(unknown)}", "Look at the list of ids.")
    photos = PhotoFolder(origin.root) if origin.root else None
    made = []
    for key in ids or tasks:
        right = _right(key, tasks[key])
        row = TaskRow(key, right.image_name, right.size_hw, right.question, right.answer or "")
        photo = photos.find(right.image_name) if photos else None
        if photo is None or photo.size_hw != right.size_hw:
            what = "is not there" if photo is None else f"is of another size, {photo.size_hw} and not {right.size_hw}"
            raise InputError(key, f"the photo {right.image_name} {what}", "Give the folder of the photos.")
        made.append(GoldTask(row, finished(row.key, right.work, row.size_hw)))
    return GoldTasks(made, origin)


def _right(key: str, works: Sequence[Submission]) -> Submission:
    decided = [one for one in works if one.adjudicated]
    if not decided and len(works) > 1:
        raise InputError(key, f"{len(works)} works are there and none was adjudicated", "Adjudicate it first.")
    return (decided or list(works))[-1]


def _by(choice: Choice, read: Tasks) -> Iterable[TaskRow]:
    """Returns the rows in the order of the ids, where there are some: it is the order in which people meet them."""
    place = {key: number for number, key in enumerate(choice.ids)}
    return sorted(read.rows, key=lambda row: place.get(row.key, 0)) if choice.ids else read.rows
