"""Tricky cases: written, ordered and withdrawn by organisers, read by whoever works on the project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.annotation.shapes import drawn_shape
from foveate.annotation.work import WORK
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.standing import standing
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.app.talk.models import Case, CaseVersion, Look
from foveate.core.regions import Box, Polygon


@dataclass(frozen=True)
class Shown:
    """A case as people read it.

    Attributes:
        case: The case.
        now: Its newest version.
        new: Whether it was written since the person last looked.
        has_picture: Whether its example may be shown now.
    """

    case: Case
    now: CaseVersion
    new: bool
    has_picture: bool


@dataclass(frozen=True)
class Words:
    """What an organiser writes: a title, a text in Markdown, and a task whose photo is the example."""

    title: str
    text: str
    task: Task | None = None


def cases_of(project: Project, since: datetime | None = None) -> list[Shown]:
    """Returns a project's cases in their order, those that are withdrawn left out.

    Args:
        project: The project.
        since: When the person last looked; None for never.
    """
    found = project.cases.filter(withdrawn_at=None).order_by("position", "pk")
    return [_shown(case, since) for case in found]


def looked_at(project: Project, person: User) -> datetime | None:
    """Returns when a person last looked at a project's cases; None for never."""
    return Look.objects.filter(project=project, person=person).values_list("at", flat=True).first()


def look(project: Project, person: User) -> None:
    """Notes that a person looks at a project's cases now."""
    at_once(lambda: Look.objects.update_or_create(project=project, person=person, defaults={"at": timezone.now()}))


def new_cases(person: User, project: Project) -> int:
    """Returns how many cases were written or changed since a person last looked."""
    newest = Case.objects.filter(project=project, withdrawn_at=None).annotate(written=Max("versions__made_at"))
    since = looked_at(project, person)
    return (newest.filter(written__gt=since) if since else newest).count()


def write(
    project: Project, words: Words, author: User, case: Case | None = None, *, request: HttpRequest | None = None
) -> Case:
    """Returns a case with a new version: a new one at the end, or one that was there.

    Raises:
        RefusedError: The example would give something away (422).
    """
    if words.task is not None and (why := why_not_shown(words.task)):
        raise RefusedError(422, "not_valid", why, _("Take another task, or none."))
    return at_once(lambda: _write(project, words, author, case, request))


def move(case: Case, act: str, *, request: HttpRequest | None = None) -> None:
    """Moves a case `up` or `down`, withdraws it (`withdraw`), or puts it back at the end (`restore`)."""
    at_once(lambda: _move(case, act, request))


def why_not_shown(task: Task) -> str:
    """Returns why a task may not be an example for everybody, in a sentence; empty where it may."""
    if task.gold:
        return _("It is a gold question: whoever gets it would know the answer.")
    if task.state == "open":
        return _("It is not done yet: whoever gets it would know what others drew.")
    if task.state != "done" or shape_to_show(task) is None:
        return _("Nothing was drawn for it that could be shown.")
    return ""


def gold_fixed(task: Task) -> str | None:
    """Returns why a task may not become a gold question: annotators have seen in a tricky case what its answer is."""
    # A version of long ago counts too: it was open to everybody. One that is gold already stays free to be none.
    if task.gold or not CaseVersion.objects.filter(task=task).exists():
        return None
    return "it is or was the example of a tricky case, where every annotator can have seen its answer"


def shape_to_show(task: Task) -> Box | Polygon | None:
    """Returns what is outlined in an example: what stands by adjudication, else the first that was drawn and counts."""
    return next((shape for shape in _shapes(task) if shape is not None), None)


def _shapes(task: Task) -> Iterator[Box | Polygon | None]:
    decided = standing(task)
    if decided is not None:
        # What was rejected has no region, whatever people drew.
        yield _shape(task, decided.work)
        return
    # Of a box collection it is the last box that was found right.
    order = "-pk" if task.project.kind == "box_collection" else "pk"
    for sent in hooks.counting(Submission.objects.filter(assignment__task=task)).order_by(order):
        yield _shape(task, sent.work)


def _shape(task: Task, work: object) -> Box | Polygon | None:
    return drawn_shape(WORK.validate_python(work), (task.height, task.width))


def _shown(case: Case, since: datetime | None) -> Shown:
    now = case.versions.select_related("task__project", "made_by").latest("number")
    new = since is None or now.made_at > since
    return Shown(case, now, new, now.task is not None and not why_not_shown(now.task))


def _write(project: Project, words: Words, author: User, case: Case | None, request: HttpRequest | None) -> Case:
    # Two who write at once get numbers one after the other.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if case is None:
        last = project.cases.aggregate(last=Max("position"))["last"] or 0
        case = Case.objects.create(project=project, position=last + 1)
    number = (case.versions.aggregate(last=Max("number"))["last"] or 0) + 1
    CaseVersion.objects.create(
        case=case,
        number=number,
        title=words.title,
        text=words.text,
        task=words.task,
        made_by=author,
        made_at=timezone.now(),
    )
    note(request, "case.written", project.slug, actor=author, case=case.pk, version=number)
    return case


def _move(case: Case, act: str, request: HttpRequest | None) -> None:
    Project.objects.select_for_update(no_key=True).get(pk=case.project_id)
    ordered = list(Case.objects.filter(project=case.project_id, withdrawn_at=None).order_by("position", "pk"))
    at = next((place for place, one in enumerate(ordered) if one.pk == case.pk), None)
    if act == "restore" and at is None:
        last = ordered[-1].position if ordered else 0
        Case.objects.filter(pk=case.pk).update(withdrawn_at=None, position=last + 1)
    elif act == "withdraw" and at is not None:
        Case.objects.filter(pk=case.pk).update(withdrawn_at=timezone.now())
    elif act in ("up", "down") and at is not None:
        _swapped(ordered, at, at + (1 if act == "down" else -1))
    note(request, "case.moved", case.project.slug, case=case.pk, act=act)


def _swapped(ordered: list[Case], one: int, other: int) -> None:
    if not 0 <= other < len(ordered):
        return
    ordered[one], ordered[other] = ordered[other], ordered[one]
    for position, case in enumerate(ordered, start=1):
        if case.position != position:
            Case.objects.filter(pk=case.pk).update(position=position)
