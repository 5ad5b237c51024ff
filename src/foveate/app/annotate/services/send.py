"""Sending and giving back: what a submission does to its task happens in the transaction that takes it in."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.annotation.clipped import clipped
from foveate.annotation.problems import problems
from foveate.annotation.work import WORK, Work
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Submission, Task
from foveate.app.annotate.services import hooks, places, steps
from foveate.app.annotate.services.access import own_assignment, refuse_unless_open
from foveate.app.annotate.services.drafts import already_sent, keep, lease_over, newest_of, prune, refuse_other_stage
from foveate.app.annotate.services.lend import lend_again
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError


@dataclass(frozen=True)
class Sent:
    """A submission that is in the database.

    Attributes:
        submission: With its assignment, task and project.
        new: Whether it was sent now; not, where the same came a second time.
    """

    submission: Submission
    new: bool


def send(person: User, number: int, key: UUID, work: Work) -> Sent:
    """Takes a submission in, and lets its task go on; the same key twice is once.

    Raises:
        RefusedError: It is not this person's (404) or cannot be sent as it is (422). Something else was sent for it
            already, the project is not open, or the task went to another person (409; the work is kept as a draft).
    """
    sent = at_once(lambda: _send(person, number, key, work))
    if isinstance(sent, RefusedError):
        raise sent
    return sent


def give_back(person: User, number: int, why: str) -> Assignment:
    """Gives a task back, so that another person gets it; its draft stays. Twice is once.

    Raises:
        RefusedError: It is not this person's (404), or was sent already (409).
    """
    return at_once(lambda: _give_back(person, number, why))


def _send(person: User, number: int, key: UUID, work: Work) -> Sent | RefusedError:
    assignment = own_assignment(person, number, to_change=True)
    before = Submission.objects.filter(key=key).first()
    if before is not None and before.assignment_id == assignment.pk:
        return Sent(assignment.submission, new=False)
    if before is not None:
        said = _("The key of this submission belongs to another one.")
        raise RefusedError(409, "key_taken", said, _("Send it with a new random UUID."))
    if assignment.state == "submitted":
        raise already_sent(assignment)
    refuse_unless_open(assignment.task.project)
    refuse_other_stage(assignment, work)
    _refuse_unfinished(assignment.task, work)
    if assignment.state != "leased" and not (assignment.state == "expired" and lend_again(assignment)):
        return _kept_aside(assignment, work)
    for refused in (hook(assignment, work) for hook in hooks.BEFORE_TAKING):
        if refused is not None:
            return refused
    sent = _taken_in(assignment, key, work)
    for after in hooks.AFTER_TAKING:
        after(sent)
    return Sent(sent, new=True)


def _refuse_unfinished(task: Task, work: Work) -> None:
    found = problems(work, (task.height, task.width))
    if found:
        said = _("This cannot be sent yet: %(problem)s.") % {"problem": found[0].problem}
        listed = [{"field": one.field, "problem": one.problem, "remedy": one.remedy} for one in found]
        raise RefusedError(422, "not_valid", said, found[0].remedy, {"problems": listed})


def _kept_aside(assignment: Assignment, work: Work) -> RefusedError:
    newest = newest_of(assignment)
    number = newest.version + 1 if newest else 1
    version = keep(assignment, number, WORK.dump_python(work, mode="json"), "submission")
    prune(assignment)
    # Who sent it has the work: it need not come back.
    return lease_over(version, {"version": version.version, "saved_at": version.saved_at.isoformat()})


def _taken_in(assignment: Assignment, key: UUID, work: Work) -> Submission:
    # Two who send for one task come one after the other, so that the second sees what the first has sent.
    task = (
        Task.objects.select_related("project").select_for_update(of=("self",), no_key=True).get(pk=assignment.task_id)
    )
    stored = clipped(work, (task.height, task.width))
    submission = Submission(assignment=assignment, key=key, work=WORK.dump_python(stored, mode="json"))
    submission.seconds, submission.sent_at = work.seconds, timezone.now()
    submission.save(force_insert=True)
    assignment.state = "submitted"
    assignment.save(update_fields=["state"])
    prune(assignment)
    if not task.gold:
        steps.go_on(task, steps.step_of(task))
    assignment.task = task
    return submission


def _give_back(person: User, number: int, why: str) -> Assignment:
    assignment = own_assignment(person, number, to_change=True)
    if assignment.state == "submitted":
        raise already_sent(assignment)
    held = assignment.state == "leased"
    if assignment.state != "returned":
        assignment.state, assignment.why = "returned", why
        assignment.save(update_fields=["state", "why"])
    if held:
        places.give_up(assignment)
    prune(assignment)
    return assignment
