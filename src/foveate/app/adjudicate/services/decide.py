"""Deciding what the answer of a task is; rows are only added, and two who decide do not write over one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.annotation.clipped import clipped
from foveate.annotation.problems import problems
from foveate.annotation.work import WORK, BoxWork, GroundingWork, PolygonWork, Work
from foveate.app.accounts.audit import note as log
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.adjudicate.services.aggregates import work_of_rule
from foveate.app.adjudicate.services.compare import drawings_of
from foveate.app.adjudicate.services.given import stage_of, work_of_target
from foveate.app.annotate.models import Adjudication, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.standing import newest_of, standing
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError

How = Literal["picked", "mended", "rejected", "given"]


@dataclass(frozen=True)
class Decision:
    """What somebody decides.

    Attributes:
        how: `picked`: the submission `picked` stands as it was sent; `mended`: the work stands, made of `picked` where
            that is said; `rejected`: there is no one region, and the work says why; `given`: the target of the data
            set stands.
        work: What stands; of no account where it is picked or given.
        picked: The number of a submission.
        target: Which of the targets of the data set, from 0.
        rule: The aggregator whose region stands, `mended` of what several drew; empty where a person made it.
        note: Why, for other reviewers.
        base: The number of the newest decision that the person has seen, 0 for none.
    """

    how: How
    base: int
    work: Work | None = None
    picked: int | None = None
    target: int = 0
    note: str = ""
    rule: str = ""


def task_to_decide(person: User, number: int, *, to_change: bool = False) -> Task:
    """Returns a task with its project, to an organiser.

    Args:
        person: Who asks.
        number: The task's.
        to_change: Whether no other transaction may change it until this one is over.

    Raises:
        RefusedError: It is not there, or nothing was drawn for it, or it is not for this person (404).
    """
    if not has_role(person, "organiser"):
        raise not_found()
    found = Task.objects.select_related("project").filter(pk=number)
    if to_change:
        found = found.select_for_update(of=("self",), no_key=True)
    task = found.first()
    if task is None or not drawings_of(task).exists():
        raise not_found()
    return task


def decide(person: User, number: int, decision: Decision, *, request: HttpRequest | None = None) -> Adjudication:
    """Adds a decision, which stands from now on.

    Raises:
        RefusedError: The task is not there or not for this person (404); the work cannot stand, or does not go with
            how it was decided (422); somebody else has decided meanwhile (409, with what is there).
    """
    # Read before the database is held: a data set may take its time.
    given = work_of_target(task_to_decide(person, number), decision.target) if decision.how == "given" else None
    return at_once(lambda: _decide(person, number, decision, given, request))


def undo(person: User, number: int, base: int, *, request: HttpRequest | None = None) -> Adjudication:
    """Takes the decision that stands back, by a row more: the task has no answer again.

    Raises:
        RefusedError: The task is not there or not for this person (404); there is no decision, somebody else has
            decided meanwhile, or the task is a gold question (409).
    """
    return at_once(lambda: _undo(person, number, base, request))


def own_latest(person: User, task: Task) -> Adjudication | None:
    """Returns the newest decision of a person in a task's project, where it stands and can be taken back."""
    mine = Adjudication.objects.filter(decided_by=person, task__project=task.project_id).select_related("task")
    latest = mine.order_by("-pk").first()
    if latest is None or latest.how == "undone":
        return None
    newest = standing(latest.task)
    return latest if newest is not None and newest.pk == latest.pk else None


def as_details(found: Adjudication | None) -> dict[str, Any] | None:
    """Returns a decision as answers tell it."""
    if found is None:
        return None
    return {
        "id": found.pk,
        "how": found.how,
        "work": found.work,
        "picked": found.picked_id,
        "note": found.note,
        "rule": found.rule,
        "decided_by": found.decided_by.get_username(),
        "decided_at": found.decided_at.isoformat(),
    }


def _decide(
    person: User, number: int, decision: Decision, given: Work | None, request: HttpRequest | None
) -> Adjudication:
    task = task_to_decide(person, number, to_change=True)
    _refuse_unseen(task, decision.base)
    picked = _picked(task, decision)
    work = WORK.validate_python(picked.work) if decision.how == "picked" and picked else given or decision.work
    if decision.rule:
        # Made here of what counts now, so that it is what the rule makes and nothing else.
        work = _by_rule(task, decision)
    if work is None:
        raise _not_valid(_("Nothing is said that could stand."), _("Send a work, or pick one."))
    _refuse_unfit(task, decision.how, work)
    stored = clipped(work, (task.height, task.width)).model_copy(update={"seconds": 0.0, "comment": ""})
    made = Adjudication(task=task, work=WORK.dump_python(stored, mode="json"), how=decision.how, picked=picked)
    made.rule = decision.rule
    return _added(made, person, decision.note, request)


def _undo(person: User, number: int, base: int, request: HttpRequest | None) -> Adjudication:
    task = task_to_decide(person, number, to_change=True)
    _refuse_unseen(task, base)
    stands = standing(task)
    if stands is None:
        raise RefusedError(409, "nothing_to_undo", _("No decision stands for this task."), _("Load the page again."))
    if task.gold:
        said = _("The task is a gold question, which needs its answer.")
        raise RefusedError(409, "is_gold", said, _("Decide otherwise, or let it be no gold question first."))
    return _added(Adjudication(task=task, work=stands.work, how="undone", picked=stands.picked), person, "", request)


def _added(made: Adjudication, person: User, note: str, request: HttpRequest | None) -> Adjudication:
    made.note, made.decided_by, made.decided_at = note.strip(), person, timezone.now()
    made.save(force_insert=True)
    about = f"{made.task.project.slug}/{made.task.key}"
    action = "task.decision_undone" if made.how == "undone" else "task.decided"
    log(request, action, about, actor=person, how=made.how, adjudication=made.pk)
    return made


def _refuse_unseen(task: Task, base: int) -> None:
    newest = newest_of(task)
    if (newest.pk if newest else 0) == base:
        return
    said = _("Somebody else has decided about this task meanwhile.")
    remedy = _("Look at what is there, and decide again if it is not right.")
    raise RefusedError(409, "decided_meanwhile", said, remedy, {"newest": as_details(newest)})


def _picked(task: Task, decision: Decision) -> Submission | None:
    if decision.picked is None and decision.how != "picked":
        return None
    found = hooks.counting(drawings_of(task)).filter(pk=decision.picked or 0).first()
    if found is None or decision.how in ("rejected", "given"):
        raise _not_valid(_("The submission is none of this task."), _("Load the page again."))
    return found


def _by_rule(task: Task, decision: Decision) -> Work:
    if decision.how != "mended" or decision.picked is not None or decision.work is not None:
        raise _not_valid(_("What a rule makes is nobody’s drawing."), _("Load the page again."))
    return work_of_rule(task, decision.rule)


def _refuse_unfit(task: Task, how: How, work: Work) -> None:
    """Looks whether a work can stand: of the right stage, as whole as a submission, and what `how` says."""
    if work.stage != stage_of(task):
        said = _("The work is of the stage %(work)s, an answer here is of %(task)s.")
        raise _not_valid(said % {"work": work.stage, "task": stage_of(task)}, _("Load the page again."))
    found = problems(work, (task.height, task.width))
    if found:
        listed = [{"field": one.field, "problem": one.problem, "remedy": one.remedy} for one in found]
        raise _not_valid(_("This cannot stand: %(problem)s.") % {"problem": found[0].problem}, found[0].remedy, listed)
    if how != "picked" and has_region(work) != (how != "rejected"):
        said = _("Nothing is drawn.") if how != "rejected" else _("A region is drawn, so that it is not rejected.")
        raise _not_valid(said, _("Draw the region, or say why there is no one."))


def has_region(work: Work) -> bool:
    """Returns whether a work draws or chooses a region."""
    return isinstance(work, GroundingWork | BoxWork | PolygonWork) and work.outcome not in (None, "cannot_draw")


def _not_valid(said: str, remedy: str, listed: list[dict[str, str]] | None = None) -> RefusedError:
    return RefusedError(422, "not_valid", said, remedy, {"problems": listed or []})
