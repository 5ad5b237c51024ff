"""Threads between an annotator and the organisers: begun by either, answered by any organiser, seen by nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.transactions import at_once
from foveate.app.limits import Limit
from foveate.app.refused import RefusedError
from foveate.app.talk.models import Message, Thread

LONGEST = 5_000
# Of one person, however many threads they are for.
_LIMIT = Limit("30/600")


@dataclass(frozen=True)
class Said:
    """A message that is to be sent.

    Attributes:
        text: What it says.
        key: The page's own, so that sending twice is sending once.
    """

    text: str
    key: UUID


def begin(project: Project, annotator: User, author: User, said: Said, assignment: Assignment | None = None) -> Thread:
    """Returns a new thread with its first message; the same message once more is the same thread.

    Raises:
        RefusedError: It was too often (429), or the annotator has left (409).
    """
    _LIMIT.check(f"messages of {author.pk}")

    def act() -> Thread:
        # Whoever leaves is locked too: no letter comes after theirs are gone.
        if User.objects.select_for_update(no_key=True).get(pk=annotator.pk).deleted_at is not None:
            raise RefusedError(409, "account_deleted", _("This person has left."), _("Nobody would read it."))
        there = Message.objects.filter(key=said.key, author=author).select_related("thread").first()
        if there is not None:
            return there.thread
        now = timezone.now()
        thread = Thread.objects.create(project=project, annotator=annotator, assignment=assignment, changed_at=now)
        _add(thread, author, said)
        return thread

    return at_once(act)


def answer(thread: Thread, author: User, said: Said) -> None:
    """Adds a message to a thread; one that was closed is open again.

    Raises:
        RefusedError: It was too often (429), or the thread went with its annotator (404).
    """
    _LIMIT.check(f"messages of {author.pk}")

    def act() -> None:
        if Thread.objects.select_for_update(no_key=True).filter(pk=thread.pk).first() is None:
            raise not_found()
        if not Message.objects.filter(key=said.key).exists():
            _add(thread, author, said)

    at_once(act)


def set_state(thread: Thread, state: str) -> None:
    """Closes a thread, or opens it again."""
    Thread.objects.filter(pk=thread.pk).update(state=state)


def thread_for(person: User, number: int) -> Thread:
    """Returns a thread of a person's, any to an organiser.

    Raises:
        RefusedError: There is none, or it is not theirs (404).
    """
    found = Thread.objects.select_related("project", "annotator", "assignment__task").filter(pk=number).first()
    if found is None or not (found.annotator_id == person.pk or has_role(person, "organiser")):
        raise not_found()
    return found


def see(thread: Thread, person: User) -> None:
    """Notes that a side has seen what there is in a thread; never less than before."""
    newest = thread.messages.aggregate(newest=Max("pk"))["newest"] or 0
    column = "annotator_seen" if thread.annotator_id == person.pk else "organisers_seen"
    Thread.objects.filter(pk=thread.pk, **{f"{column}__lt": newest}).update(**{column: newest})


def own_threads(person: User) -> QuerySet[Thread]:
    """Returns an annotator's own threads, `unseen` where an organiser has said something new; the newest first."""
    return _listed(Thread.objects.filter(annotator=person), _news_for_annotator())


def all_threads() -> QuerySet[Thread]:
    """Returns all threads, `unseen` where an annotator has said something new; the newest first."""
    return _listed(Thread.objects.all(), _news_for_organisers())


def unseen_by_annotator(person: User, project: Project) -> int:
    """Returns in how many of a person's threads of a project an organiser has said something new."""
    return Thread.objects.filter(_news_for_annotator(), annotator=person, project=project).count()


def unseen_by_organisers(_person: User, project: Project) -> int:
    """Returns in how many threads of a project an annotator has said something new."""
    return Thread.objects.filter(_news_for_organisers(), project=project).count()


def unread(projects: QuerySet[Project]) -> dict[int, int]:
    """Returns in how many threads an annotator has said something new, by the numbers of the projects with any."""
    rows = Thread.objects.filter(_news_for_organisers(), project__in=projects)
    return dict(rows.values_list("project").annotate(n=Count("pk")).order_by())


def so_many_unread(n: int) -> str:
    """Returns what so many threads are called."""
    return ngettext("%(n)d unread question", "%(n)d unread questions", n) % {"n": n}


def assignment_in_hand(person: User, project: Project) -> Assignment | None:
    """Returns the task that a person is doing in a project, by which they ask; None where there is none."""
    mine = Assignment.objects.filter(annotator=person, task__project=project, state="leased")
    return mine.select_related("task__project").order_by("-leased_at").first()


def assignment_of(annotator: User, project: Project, number: int) -> Assignment:
    """Returns an assignment of a person in a project.

    Raises:
        RefusedError: There is none (404).
    """
    mine = Assignment.objects.filter(annotator=annotator, task__project=project, pk=number)
    found = mine.select_related("task__project").first()
    if found is None:
        raise not_found()
    return found


def forget(person: User) -> None:
    """Deletes a person's threads, as they leave: letters are theirs; what they sent for a project is not."""
    Thread.objects.filter(annotator=person).delete()


def _news_for_annotator() -> Exists:
    return Exists(Message.objects.filter(thread=OuterRef("pk"), by_organiser=True, pk__gt=OuterRef("annotator_seen")))


def _news_for_organisers() -> Exists:
    return Exists(Message.objects.filter(thread=OuterRef("pk"), by_organiser=False, pk__gt=OuterRef("organisers_seen")))


def _listed(threads: QuerySet[Thread], unseen: Exists) -> QuerySet[Thread]:
    asked = Message.objects.filter(thread=OuterRef("pk")).order_by("pk").values("text")[:1]
    found = threads.annotate(unseen=unseen, begins=Subquery(asked))
    return found.select_related("project", "annotator", "assignment__task").order_by("-unseen", "-changed_at", "-pk")


def _add(thread: Thread, author: User, said: Said) -> None:
    by_organiser = author.pk != thread.annotator_id
    now = timezone.now()
    made = Message.objects.create(
        thread=thread, author=author, by_organiser=by_organiser, text=said.text, key=said.key, sent_at=now
    )
    seen = "organisers_seen" if by_organiser else "annotator_seen"
    Thread.objects.filter(pk=thread.pk).update(state="open", changed_at=now, **{seen: made.pk})
