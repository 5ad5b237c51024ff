"""Where a task stands after all that was sent for it, as the database keeps it: stage, state and places."""

from __future__ import annotations

from typing import cast

from foveate.annotation.flow import Step, next_step
from foveate.annotation.kinds import Kind, ProjectSettings
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Assignment, Submission, Task
from foveate.app.annotate.services import hooks, places

# What `Task.why` holds.
_LONGEST_WHY = 200


def settings_of(task: Task) -> ProjectSettings:
    """Returns what the organiser of a task's project has set."""
    return ProjectSettings.model_validate(task.project.settings)


def step_of(task: Task) -> Step:
    """Returns where a task stands; what an organiser wants to be done again is as if it had not been sent."""
    # In the order of their numbers, since a clock may go back.
    sent = hooks.keeping_places(Submission.objects.filter(assignment__task=task)).order_by("pk")
    works = [WORK.validate_python(one) for one in sent.values_list("work", flat=True)]
    return next_step(cast(Kind, task.project.kind), settings_of(task), works)


def go_on(task: Task, step: Step) -> None:
    """Keeps where a task stands, which must be locked."""
    before = (task.stage, task.wanted)
    of_stage = Assignment.objects.filter(task=task, stage=step.stage)
    sent = hooks.keeping_places(Submission.objects.filter(assignment__in=of_stage.filter(state="submitted")))
    task.taken = of_stage.filter(state="leased").count() + sent.count()
    task.state, task.stage, task.why = step.state, step.stage, step.why[:_LONGEST_WHY]
    # An organiser may want fewer than are at it already; theirs are taken in all the same.
    task.wanted = max(step.wanted, task.taken)
    if step.question is not None:
        task.question, task.answer = step.question, step.answer or ""
    elif step.stage == "ask":
        task.question = task.answer = ""  # What was asked is to be asked again.
    task.save(update_fields=["taken", "state", "stage", "why", "wanted", "question", "answer"])
    if task.state == "open" and (task.stage, task.wanted) != before:
        places.reopened(task)


def anew(task: Task) -> None:
    """Lets a locked task go on from all that was sent for it, with its places counted anew; gold has none."""
    if task.gold:
        return
    go_on(task, step_of(task))
    if task.state == "open":
        places.reopened(task)


def locked(number: int) -> Task:
    """Returns a task that nobody else changes, nor who has it, until the transaction is over."""
    # Those who send and give back lock what they have first, then its task; so does this.
    list(Assignment.objects.select_for_update(of=("self",), no_key=True).filter(task=number).order_by("pk"))
    tasks = Task.objects.select_related("project").select_for_update(of=("self",), no_key=True)
    return tasks.get(pk=number)
