"""A project's flags, and what of them an organiser has looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project
from foveate.app.review.models import Checks, Look, Measured
from foveate.quality.checks import Batch, CheckSettings, Flag, check, drawn_for_inspection
from foveate.quality.done import Done

_CHUNK = 5_000


@dataclass
class Work:
    """What one person sent for a project, in the order of sending.

    Attributes:
        annotator: The person's number.
        submissions: Their numbers.
        done: What checks need of each.
    """

    annotator: int
    submissions: list[int] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """A batch with a flag.

    Attributes:
        annotator: The person's number.
        batch: The batch.
        submissions: The numbers of its submissions.
        open: Flags that nobody has looked at.
        settled: Those that somebody has.
    """

    annotator: int
    batch: Batch
    submissions: tuple[int, ...]
    open: tuple[Flag, ...]
    settled: tuple[Flag, ...]


def settings_of(project: Project) -> CheckSettings:
    """Returns what an organiser has set of a project's checks."""
    found = Checks.objects.filter(project=project).first()
    return CheckSettings.model_validate(found.settings if found else {})


def work_of(project: Project, annotator: int | None = None) -> dict[int, Work]:
    """Returns what people sent for a project as far as it is measured, by their numbers; of one person where asked."""
    rows = Measured.objects.filter(project=project)
    if annotator is not None:
        rows = rows.filter(annotator=annotator)
    names = ("annotator", "submission", "task", "seconds", "several_questions", "several_regions", "cannot_draw")
    values = rows.order_by("annotator", "submission").values_list(*names, "points", "gold", "gold_same", "peers")
    found: dict[int, Work] = {}
    for person, submission, task, *more in values.iterator(chunk_size=_CHUNK):
        work = found.setdefault(person, Work(person))
        work.submissions.append(submission)
        work.done.append(Done(str(task), *more))
    return found


def looked_at(project: Project, annotator: int | None = None) -> dict[int, set[str]]:
    """Returns for which rules submissions were looked at, by their numbers."""
    looks = Look.objects.filter(submission__assignment__task__project=project)
    if annotator is not None:
        looks = looks.filter(submission__assignment__annotator=annotator)
    found: dict[int, set[str]] = {}
    for submission, rules in looks.order_by("pk").values_list("submission", "rules"):
        found.setdefault(submission, set()).update(rules)
    return found


def entries(work: Work, settings: CheckSettings, looked: Mapping[int, set[str]]) -> list[Entry]:
    """Returns a person's batches, those without a flag too."""
    return [_entry(work, batch, looked) for batch in check(work.done, settings)]


def queue(
    project: Project,
    works: Mapping[int, Work],
    looked: Mapping[int, set[str]],
    *,
    rule: str = "",
    annotator: int | None = None,
    settled: bool = False,
) -> tuple[list[Entry], Counter[str]]:
    """Returns the batches of a project that have flags, the newest first, and how many have a flag of each rule.

    Args:
        project: The project.
        works: What people sent, as `work_of` gives it.
        looked: What somebody has looked at.
        rule: Only batches that have a flag of this rule.
        annotator: Only this person's.
        settled: Those whose flags somebody has looked at, instead of those that nobody has.
    """
    settings = settings_of(project)
    found: list[Entry] = []
    counts: Counter[str] = Counter()
    for work in works.values():
        if annotator is not None and work.annotator != annotator:
            continue
        for entry in entries(work, settings, looked):
            flags = entry.settled if settled else entry.open
            counts.update(flag.rule for flag in flags)
            if flags and (not rule or any(flag.rule == rule for flag in flags)):
                found.append(entry)
    return sorted(found, key=lambda entry: -entry.submissions[-1]), counts


def to_inspect(project: Project, works: Mapping[int, Work], looked: Mapping[int, set[str]]) -> list[int]:
    """Returns the numbers of submissions that are drawn for inspection, and nobody has looked at, oldest first.

    Args:
        project: The project.
        works: What people sent, as `work_of` gives it.
        looked: What somebody has looked at.
    """
    settings = settings_of(project)
    if not settings.inspect_number and not settings.inspect_share:
        return []
    found: list[int] = []
    for work in works.values():
        drawn = drawn_for_inspection(f"{project.pk} {work.annotator}", [one.task for one in work.done], settings)
        found += (number for number in (work.submissions[n] for n in drawn) if number not in looked)
    return sorted(found)


def as_rows(project: Project, *, looked: bool) -> list[dict[str, Any]]:
    """Returns a project's flags as plain values, the newest first.

    Args:
        project: The project.
        looked: Also those that somebody has looked at.
    """
    works, seen_for = work_of(project), looked_at(project)
    found = [(entry, flag, False) for entry in queue(project, works, seen_for)[0] for flag in entry.open]
    if looked:
        entries_seen, _ = queue(project, works, seen_for, settled=True)
        found += [(entry, flag, True) for entry in entries_seen for flag in entry.settled]
    people = User.objects.in_bulk({entry.annotator for entry, _, _ in found})
    keys = dict(project.tasks.values_list("pk", "key"))
    task_of = dict(Measured.objects.filter(project=project).values_list("submission", "task"))
    return [
        {
            "annotator": str(people[entry.annotator].pseudonym),
            "name": people[entry.annotator].username,
            "batch": entry.batch.number,
            "whole": entry.batch.whole,
            "rule": flag.rule,
            "found": flag.found,
            "limit": flag.limit,
            "tasks": [keys[task_of[entry.submissions[n - entry.batch.first]]] for n in flag.which],
            "looked_at": seen,
        }
        for entry, flag, seen in found
    ]


def _entry(work: Work, batch: Batch, looked: Mapping[int, set[str]]) -> Entry:
    numbers = tuple(work.submissions[batch.first : batch.first + batch.size])
    open_: list[Flag] = []
    settled: list[Flag] = []
    for flag in batch.flags:
        seen = _seen(flag, (work.submissions[n] for n in flag.which), looked)
        (settled if seen else open_).append(flag)
    return Entry(work.annotator, batch, numbers, tuple(open_), tuple(settled))


def _seen(flag: Flag, numbers: Iterable[int], looked: Mapping[int, set[str]]) -> bool:
    return all(flag.rule in looked.get(number, ()) for number in numbers)
