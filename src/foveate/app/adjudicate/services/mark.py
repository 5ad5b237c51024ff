"""Making a task a gold question, or none again, for who decides."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.adjudicate.services.decide import task_to_decide
from foveate.app.annotate.models import Task
from foveate.app.annotate.services import gold as service
from foveate.app.annotate.services.standing import standing
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.errors import FoveateError


def mark_gold(person: User, number: int, gold: bool, *, request: HttpRequest | None = None) -> Task:
    """Makes a task that has an answer a gold question, or none again; the same twice is once.

    Somebody may be at it: what they send is kept, and compared with the answer as all that comes.

    Raises:
        RefusedError: The task is not there or not for this person (404); it has no answer, or it can be no gold
            question, or must stay one (409).
    """
    return at_once(lambda: _mark(person, number, gold, request))


def _mark(person: User, number: int, gold: bool, request: HttpRequest | None) -> Task:
    task = task_to_decide(person, number)
    if gold and not task.gold and standing(task) is None:
        said = _("The task has no answer yet, which a gold question needs.")
        raise RefusedError(409, "not_decided", said, _("Decide first."))
    try:
        return service.mark(task, gold, request=request, actor=person)
    except FoveateError as error:
        said = f"{error.problem[:1].upper()}{error.problem[1:]}."
        raise RefusedError(409, "not_gold" if gold else "stays_gold", said, error.remedy) from error
