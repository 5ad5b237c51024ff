"""Submissions as the original annotation tool of VizWiz-VQA-Grounding stored them: its tasks and its results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from foveate.annotation.submissions import Submission, of_people
from foveate.annotation.targets import by_task, reason_of
from foveate.annotation.work import GroundingWork
from foveate.errors import InputError, UsageError
from foveate.formats._json_files import write_object
from foveate.formats.vizwiz_crowd import WHOLE, to_canvas
from foveate.sources.new_files import new_place

GROUP = 5


def write_crowd(submissions: Sequence[Submission], out: Path, group: int = GROUP) -> int:
    """Writes a new folder, `grouped.json` and `results.json`, and returns how many submissions are in it.

    Tasks stand in groups in the order of their first submissions; each group has a list of results, one a person, with
    the tabs that they did. The reason why something cannot be drawn is a text there, `code: text`. Times of sending
    have no place in it, and the seconds are those of all tabs together. Decisions are nobody's result, and left out.

    Raises:
        InputError: Two tasks are of one photo and question.
        UsageError: The submissions are not of a project of the kind `grounding`.
        OutputError: Something is there already, or it cannot be written.
    """
    sent = of_people(submissions)
    for submission in sent:
        if not isinstance(submission.work, GroundingWork):
            problem = f"a submission is of the stage {submission.stage}"
            raise UsageError("--to vizwiz_crowd", problem, "The form holds projects of the kind grounding.")
    tasks = list(by_task(sent).values())
    _refuse_twins(tasks)
    groups = [tasks[start : start + group] for start in range(0, len(tasks), group)]
    name = "foveate"
    with new_place(out) as part:
        part.mkdir()
        (part / "grouped.json").write_text(
            json.dumps([[_task(sent[0]) for sent in of_group] for of_group in groups], ensure_ascii=False) + "\n",
            encoding="utf-8",
        )
        results = {f"{name}_{number}": _results(of_group) for number, of_group in enumerate(groups)}
        write_object(results, part / "results.json")
    return sum(map(len, tasks))


def _refuse_twins(tasks: Sequence[Sequence[Submission]]) -> None:
    """Refuses two tasks that could not be told apart again."""
    seen: dict[tuple[str, str], str] = {}
    for first, *_ in tasks:
        other = seen.setdefault((first.image_name, first.question), first.task)
        if other != first.task:
            problem = f"it is of the same photo and question as {other}, and the form has no name for a task"
            raise InputError(first.task, problem, "Write jsonl, or leave one of them out.")


def _task(submission: Submission) -> dict[str, Any]:
    answers = [] if submission.answer is None else [submission.answer]
    return {"question": submission.question, "answers": answers, "image": submission.image_name}


def _results(tasks: Sequence[Sequence[Submission]]) -> list[dict[str, Any]]:
    people: dict[str, dict[int, Submission]] = {}
    for number, sent in enumerate(tasks, start=1):
        for submission in sent:
            people.setdefault(submission.annotator, {})[number] = submission
    return [_result(annotator, tabs) for annotator, tabs in people.items()]


def _result(annotator: str, tabs: dict[int, Submission]) -> dict[str, Any]:
    comments = dict.fromkeys(s.work.comment for s in tabs.values() if s.work.comment)
    values: dict[str, Any] = {
        "Worker_id": annotator,
        "Ready": "Yes",
        "UseTime": str(sum(submission.seconds for submission in tabs.values())),
        "comments": "\n".join(comments) or None,
    }
    for number, submission in tabs.items():
        values |= _tab(submission, cast(GroundingWork, submission.work), number)  # Others were refused before.
    return values


def _tab(submission: Submission, work: GroundingWork, number: int) -> dict[str, Any]:
    answers = {
        "MULTI_QUESTION_DETECT": _yes_no(work.several_questions),
        "MULTI_FOCUS_DETECT": _yes_no(work.several_regions),
        "NoDraw": "CANNOT_DRAW" if work.outcome == "cannot_draw" else "",
        "NoDrawReason": reason_of(submission),
        "WholeImage": "WholeImage" if work.outcome == "whole_image" else "",
    }
    return {f"useranswersTAB{number}": answers, f"xyTAB{number}": _points(submission, work)}


def _points(submission: Submission, work: GroundingWork) -> list[dict[str, float]]:
    if work.outcome == "whole_image":
        points: Iterable[Sequence[float]] = WHOLE
    elif work.outcome == "polygon":
        points = to_canvas(work.polygon, submission.size_hw).tolist()
    else:
        return []
    ring = [{"x": x, "y": y} for x, y in points]
    return [*ring, ring[0]]


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "Y" if value else "N"
