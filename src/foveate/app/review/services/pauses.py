"""People who get no more tasks of a project for now."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project
from foveate.app.annotate.services import held_back
from foveate.app.annotate.services.transactions import at_once
from foveate.app.review.models import Pause

_TOLD = _(
    "The organiser has paused you here: you get no more tasks for now. What you have begun you can finish and send."
)


def running(person: User, project: Project) -> Pause | None:
    """Returns the pause that a person is in."""
    return Pause.objects.filter(project=project, annotator=person, ended_at=None).first()


def held(person: User, project: Project) -> str | Promise | None:
    """Returns what a person is told who is paused; None for everybody else."""
    return _TOLD if running(person, project) is not None else None


def pause(project: Project, person: User, word: str, by: User, request: HttpRequest | None = None) -> bool:
    """Lends a person no more tasks of a project; what they have begun they may finish. Returns whether it is new."""

    def act() -> bool:
        _alone(person)
        if running(person, project) is not None:
            return False
        Pause.objects.create(
            project=project, annotator=person, word=word.strip(), paused_by=by, paused_at=timezone.now()
        )
        taken = held_back.take(person, project)
        note(request, "annotator.paused", project.slug, actor=by, annotator=str(person.pseudonym), taken_back=taken)
        return True

    return at_once(act)


def resume(project: Project, person: User, by: User, request: HttpRequest | None = None) -> bool:
    """Lends a person tasks again; returns whether they were paused."""

    def act() -> bool:
        _alone(person)
        paused = running(person, project)
        if paused is None:
            return False
        paused.ended_at = timezone.now()
        paused.save(update_fields=["ended_at"])
        held_back.put_back(person, project)
        note(request, "annotator.resumed", project.slug, actor=by, annotator=str(person.pseudonym))
        return True

    return at_once(act)


def _alone(person: User) -> None:
    # Lending locks the person too: no task is lent once this is over.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
