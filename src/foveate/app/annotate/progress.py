"""How far projects are: counts that pages and commands show, asked of the database for all of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.utils import timezone

from foveate.annotation.kinds import STAGES
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Submission, Task
from foveate.app.annotate.services import gold, held_back, hooks


@dataclass(frozen=True)
class Stage:
    """The tasks of one stage.

    Attributes:
        name: The stage.
        open: Tasks that are in it.
        taken: Places of these that are lent or sent.
        wanted: Places of these.
        sent: Submissions of this stage in all, of tasks that have gone on too.
    """

    name: str
    open: int
    taken: int
    wanted: int
    sent: int


@dataclass(frozen=True)
class Progress:
    """How far a project is.

    Attributes:
        tasks: All tasks.
        done: Those that are done.
        set_aside: Those that were set aside.
        sent: Submissions.
        leased: Assignments that are being done now.
        stages: The stages that have tasks or submissions.
    """

    tasks: int
    done: int
    set_aside: int
    sent: int
    leased: int
    stages: list[Stage]

    @property
    def over(self) -> int:
        """Tasks with which nobody has anything to do any more."""
        return self.done + self.set_aside


@dataclass(frozen=True)
class Person:
    """What one person did for a project."""

    username: str
    name: str
    pseudonym: UUID
    sent: int
    returned: int
    expired: int
    leased: int
    time: timedelta
    latest: datetime | None


def progress_of(project: Project) -> Progress:
    """Returns how far a project is."""
    return progress_of_all([project])[project.pk]


def progress_of_all(projects: Iterable[Project]) -> dict[int, Progress]:
    """Returns how far projects are, by their numbers: in two queries, however many they are."""
    numbers = [project.pk for project in projects]
    tasks = (
        Task.objects.filter(project__in=numbers, gold=False)
        .values("project", "stage", "state")
        .annotate(n=Count("pk"), has=Sum("taken"), wants=Sum("wanted"))
    )
    held = Q(state="leased", leased_until__gt=timezone.now())
    work = (
        Assignment.objects.filter(task__project__in=numbers)
        .values("task__project", "stage")
        .annotate(sent=Count("submission"), leased=Count("pk", filter=held))
    )
    tasks_of, work_of = _by("project", tasks), _by("task__project", work)
    return {number: _progress(tasks_of.get(number, []), work_of.get(number, [])) for number in numbers}


def people_of(project: Project) -> list[Person]:
    """Returns what each person did for a project, those who sent most first."""
    fields = ("annotator__username", "annotator__display_name", "annotator__pseudonym")
    rows = (
        Assignment.objects.filter(task__project=project)
        .values(*fields)
        .annotate(
            sent=Count("pk", filter=Q(state="submitted")),
            returned=Count("pk", filter=Q(state="returned") & ~Q(why=held_back.WHY)),
            expired=Count("pk", filter=Q(state="expired")),
            leased=Count("pk", filter=Q(state="leased")),
            seconds=Sum("submission__seconds"),
            latest=Max("submission__sent_at"),
        )
        .order_by("-sent", "annotator__username")
    )
    return [
        Person(
            username=row["annotator__username"],
            name=row["annotator__display_name"],
            pseudonym=row["annotator__pseudonym"],
            sent=row["sent"],
            returned=row["returned"],
            expired=row["expired"],
            leased=row["leased"],
            time=timedelta(seconds=round(row["seconds"] or 0)),
            latest=row["latest"],
        )
        for row in rows
    ]


def set_aside(project: Project) -> dict[str, int]:
    """Returns how many tasks were set aside, by the reason, the commonest first."""
    rows = project.tasks.filter(state="set_aside").values("why").annotate(n=Count("pk")).order_by("-n", "why")
    return {row["why"]: row["n"] for row in rows}


def projects_for(user: User) -> QuerySet[Project]:
    """Returns the open projects in which a person may work."""
    return Project.objects.filter(state="open").filter(Q(everyone=True) | Q(members=user)).distinct()


def left_for(user: User, project: Project) -> QuerySet[Task]:
    """Returns the tasks of a project that could still be lent to a person, in their order.

    Where all are gold, as in a qualification, these are; elsewhere gold is not counted, so that nobody counts it.
    """
    mine = Assignment.objects.filter(annotator=user, task__project=project).values("task")
    left = project.tasks.filter(state="open").exclude(pk__in=mine).order_by("position")
    if not project.tasks.filter(gold=False).exists():
        return left
    return left.filter(gold=False, taken__lt=F("wanted"))


def left_of(user: User, project: Project, *, but: str = "") -> int:
    """Returns how many tasks a person can still get, gold questions among them, which nothing tells from others.

    Args:
        user: Who.
        project: Of which project.
        but: A stage whose tasks are not counted.
    """
    if hooks.held(user, project) is not None:
        return 0
    ordinary = left_for(user, project).exclude(stage=but).count()
    return ordinary + gold.to_come(user, project, ordinary)


def sent_by(user: User, project: Project) -> int:
    """Returns how many submissions of a person a project has."""
    return Submission.objects.filter(assignment__annotator=user, assignment__task__project=project).count()


def _by(name: str, rows: Iterable[Mapping[str, Any]]) -> dict[int, list[Mapping[str, Any]]]:
    found: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row[name], []).append(row)
    return found


def _progress(task_rows: list[Mapping[str, Any]], work_rows: list[Mapping[str, Any]]) -> Progress:
    tasks = {(row["stage"], row["state"]): row for row in task_rows}
    sent = {row["stage"]: row["sent"] for row in work_rows if row["sent"]}
    names = [name for name in STAGES if name in sent or any(stage == name for stage, _ in tasks)]
    nothing = {"n": 0, "has": 0, "wants": 0}

    def stage_of(name: str) -> Stage:
        row = tasks.get((name, "open"), nothing)
        return Stage(name, row["n"], row["has"], row["wants"], sent.get(name, 0))

    return Progress(
        tasks=sum(row["n"] for row in task_rows),
        done=sum(row["n"] for row in task_rows if row["state"] == "done"),
        set_aside=sum(row["n"] for row in task_rows if row["state"] == "set_aside"),
        sent=sum(sent.values()),
        leased=sum(row["leased"] for row in work_rows),
        stages=[stage_of(name) for name in names],
    )
