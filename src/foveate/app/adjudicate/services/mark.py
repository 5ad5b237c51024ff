"""Making a task a gold question, or none again."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.adjudicate.services.decide import task_to_decide
from foveate.app.annotate.models import Task
from foveate.app.annotate.services import gold as golds
from foveate.app.annotate.services import steps
from foveate.app.annotate.services.standing import standing
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.errors import FoveateError


def mark_gold(person: User, number: int, gold: bool, *, request: HttpRequest | None = None) -> Task:
    """Makes a task that has an answer a gold question, or none again; the same twice is once.

    Raises:
        RefusedError: The task is not there or not for this person (404); it has no answer, somebody is at it, or it
            can be no gold question, or must stay one (409).
    """
    return at_once(lambda: _mark(person, number, gold, request))


def _mark(person: User, number: int, gold: bool, request: HttpRequest | None) -> Task:
    task_to_decide(person, number)
    task = steps.locked(number)
    if task.gold == gold:
        return task
    if gold and standing(task) is None:
        said = _("The task has no answer yet, which a gold question needs.")
        raise RefusedError(409, "not_decided", said, _("Decide first."))
    if task.assignments.filter(state="leased").exists():
        said = _("Somebody is doing this task just now.")
        raise RefusedError(409, "is_lent", said, _("Try again when it is sent or given back."))
    try:
        return golds.mark(task, gold, request=request, actor=person)
    except FoveateError as error:
        said = f"{error.problem[:1].upper()}{error.problem[1:]}."
        raise RefusedError(409, "not_gold" if gold else "stays_gold", said, error.remedy) from error
