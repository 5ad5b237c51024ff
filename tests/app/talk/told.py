"""Cases and threads for the tests of their pages."""

from __future__ import annotations

import uuid

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Task
from foveate.app.talk.cases import Words, write
from foveate.app.talk.models import Case, Thread
from foveate.app.talk.threads import Said, begin


def said(text: str) -> Said:
    """Returns a message that is to be sent."""
    return Said(text, uuid.uuid4())


def a_thread(project: Project, annotator: User, text: str = "Is it so?", about: Assignment | None = None) -> Thread:
    """Begins a thread by its annotator."""
    return begin(project, annotator, annotator, said(text), about)


def a_case_with_an_example(project: Project, author: User) -> Case:
    """Writes a case about a task of its own, which is done, of a project of boxes."""
    from django.utils import timezone

    from foveate.app.annotate.models import Adjudication

    task = Task.objects.filter(project=project).order_by("-position")[0]
    Task.objects.filter(pk=task.pk).update(state="done")
    box = {"stage": "box", "outcome": "box", "box": [4, 4, 24, 24]}
    Adjudication.objects.create(task=task, work=box, how="given", decided_by=author, decided_at=timezone.now())
    task.refresh_from_db()
    return write(project, Words("Tails", "A *tail* belongs to the cat.", task), author)
