"""Making a task a gold question, or none again."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.adjudicate.services.decide import task_to_decide
from foveate.app.annotate.models import Assignment, Task
from foveate.app.annotate.services import places
from foveate.app.annotate.services.standing import standing
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError


def mark_gold(person: User, number: int, gold: bool, *, request: HttpRequest | None = None) -> Task:
    """Makes a task that has an answer a gold question, or none again; the same twice is once.

    Raises:
        RefusedError: The task is not there or not for this person (404); it has no answer, or somebody is at it (409).
    """
    return at_once(lambda: _mark(person, number, gold, request))


def _mark(person: User, number: int, gold: bool, request: HttpRequest | None) -> Task:
    task = task_to_decide(person, number, to_change=True)
    if task.gold == gold:
        return task
    if gold and standing(task) is None:
        said = _("The task has no answer yet, which a gold question needs.")
        raise RefusedError(409, "not_decided", said, _("Decide first."))
    if task.assignments.filter(state="leased").exists():
        said = _("Somebody is doing this task just now.")
        raise RefusedError(409, "is_lent", said, _("Try again when it is sent or given back."))
    task.gold = gold
    if not gold:
        # While it was gold it had no places; what was sent meanwhile takes some.
        held = Assignment.objects.filter(task=task, stage=task.stage, state="submitted").count()
        task.taken, task.wanted = held, max(task.wanted, held)
    task.save(update_fields=["gold", "taken", "wanted"])
    if not gold and task.state == "open":
        places.reopened(task)
    action = "task.made_gold" if gold else "task.made_ordinary"
    note(request, action, f"{task.project.slug}/{task.key}", actor=person)
    return task
