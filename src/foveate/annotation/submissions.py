"""Submissions in a file: JSON lines without loss, after a line that says which version they are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, PlainSerializer, model_validator

from foveate.annotation.kinds import Kind, Stage
from foveate.annotation.shapes import drawn_shape
from foveate.annotation.work import Work
from foveate.core.boxes import SizeHW, size_problem
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, Row, read_objects, read_rows, refuse, typed
from foveate.sources.new_files import new_file

VERSION = 1
_HEADER = "foveate_submissions"
_LONGEST_HEADER = 10_000
_FIX = "Fix the line, or pass --skip-invalid."


def _as_utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("it is before the first or after the last year there is") from error


# Digits of the second stay; a whole zone is one zone.
_Utc = Annotated[
    AwareDatetime,
    AfterValidator(_as_utc),
    PlainSerializer(lambda time: time.isoformat(), return_type=str),
]


def _without_nul(name: str) -> str:
    if "\0" in name:
        raise ValueError("no file's name has a character of value 0 in it")
    return name


_Name = Annotated[NonBlank, AfterValidator(_without_nul)]


class Submission(BaseModel):
    """What one person sent for one task.

    Attributes:
        project: The name of the project.
        kind: Its kind.
        dataset: The data set that its photos are of, with the split.
        task: The key of the task, unique in the project: the id of the sample.
        image_name: The photo's name.
        size_hw: Height and width of the upright photo.
        question: As it was shown; empty where none was.
        answer: As it was shown; None where none was.
        annotator: Who, by a pseudonym.
        started: When the task was lent, UTC; None where nothing tells it.
        sent: When it was sent, UTC, likewise.
        work: What they filled in.
        adjudicated: Whether it is a decision, by whoever may decide, and stands as the answer of the task.
        rule: By which aggregator the region of a decision was made of what several drew; else empty.
        gold: Whether the task is a gold question, whose answer is known.
        set_aside: Whether an organiser has said that it does not count.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    project: NonBlank
    kind: Kind
    dataset: str = ""
    task: _Name
    image_name: _Name
    size_hw: SizeHW
    question: str = ""
    answer: str | None = None
    annotator: NonBlank
    started: _Utc | None = None
    sent: _Utc | None = None
    work: Work
    adjudicated: bool = False
    rule: str = ""
    gold: bool = False
    set_aside: bool = False

    @model_validator(mode="after")
    def _has_a_size(self) -> Self:
        problem = size_problem(self.size_hw)
        if problem:
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _draws_a_region(self) -> Self:
        # What crosses itself is one: the original tool checked nothing.
        drawn_shape(self.work, self.size_hw)
        return self

    @property
    def stage(self) -> Stage:
        """The stage that it was sent in."""
        return self.work.stage

    @property
    def seconds(self) -> float:
        """How long the task had the person's attention."""
        return self.work.seconds


def write_submissions(submissions: Iterable[Submission], out: Path) -> int:
    """Writes a new file of submissions; returns how many.

    Raises:
        InputError: A text cannot be written.
        OutputError: The file is there already, or cannot be written.
    """
    count = 0
    with new_file(out) as file:
        for line in submission_lines(submissions):
            file.write(line)
            count += 1
    return count - 1


def submission_lines(submissions: Iterable[Submission]) -> Iterator[bytes]:
    """Yields the lines of a file of submissions, each with its line feed; the first one is the header.

    Raises:
        InputError: A text cannot be written.
    """
    yield json.dumps({_HEADER: VERSION}).encode() + b"\n"
    for submission in submissions:
        try:
            text = json.dumps(submission.model_dump(mode="json"), ensure_ascii=False, allow_nan=False)
            yield text.encode() + b"\n"
        except ValueError as error:
            where = f"{submission.task!r}, {submission.annotator!r}"
            raise InputError(where, f"it cannot be written as JSON ({error})", "Take the odd letter out.") from error


def read_submissions(path: Path, on_invalid: OnInvalid = refuse) -> list[Submission]:
    """Returns the submissions of a file, in its order; it is known by its first line, whatever it is called.

    Raises:
        InputError: It is missing or no such file, or of a newer version; or a line is broken, or a person has two
            submissions of one task (unless `on_invalid` returns). Decisions are apart: whoever decides may have drawn,
            and may decide again.
    """
    # What is called .jsonl is not looked at first, since a pipe can be read once only.
    known = path.suffix.lower() != ".jsonl" and is_submissions(path)
    rows = read_objects(path, on_invalid) if known else read_rows(path, (), on_invalid)
    _check_header(path, next(rows, None))
    found: list[Submission] = []
    seen: dict[tuple[str, str, str], str] = {}
    for row in rows:
        try:
            submission = typed(row, Submission, _FIX)
            _refuse_second(submission, row, seen)
        except InputError as error:
            on_invalid(error)
            continue
        found.append(submission)
    return found


def is_submissions(path: Path) -> bool:
    """Returns whether a file is one of submissions, by its first line."""
    with suppress(OSError, ValueError, RecursionError), path.open(encoding="utf-8-sig") as file:
        first = json.loads(file.readline(_LONGEST_HEADER))
        return isinstance(first, dict) and _HEADER in first
    return False


def of_people(submissions: Iterable[Submission]) -> list[Submission]:
    """Returns the submissions of people that count: no decisions, nothing that was set aside; in their order."""
    return [submission for submission in submissions if not submission.adjudicated and not submission.set_aside]


def one_project(submissions: Iterable[Submission], where: str) -> str:
    """Returns the project that submissions are of; their tasks are told apart by it.

    Raises:
        InputError: There are none, or they are of several projects.
    """
    names = Counter(submission.project for submission in submissions)
    if not names:
        raise InputError(where, "there is no submission in it", "Give a file of submissions.")
    if len(names) > 1:
        told = ", ".join(f"{name} ({count:,})" for name, count in names.most_common(3))
        raise InputError(where, f"submissions of {len(names)} projects are in it: {told}", "Export one project a file.")
    return next(iter(names))


def _check_header(path: Path, row: Row | None) -> None:
    version = None if row is None else row.values.get(_HEADER)
    if type(version) is not int or version < 1:
        raise InputError(str(path), f"its first line is no {_HEADER} header", "Give a file of submissions.")
    if version > VERSION:
        raise InputError(
            str(path),
            f"it is of version {version}, this version of Foveate reads {VERSION}",
            "Install a newer Foveate.",
        )


def _refuse_second(submission: Submission, row: Row, seen: dict[tuple[str, str, str], str]) -> None:
    if submission.adjudicated:
        return
    key = (submission.project, submission.task, submission.annotator)
    first = seen.setdefault(key, row.where)
    if first != row.where:
        problem = f"{submission.annotator} has a second submission for {submission.task}, first {first}"
        raise InputError(row.where, problem, "Keep one, or pass --skip-invalid to keep the first.")
