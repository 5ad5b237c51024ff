"""What happens when somebody sends something for a qualification or a trial (`design/admission.md`)."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foveate.annotation.clipped import clipped
from foveate.annotation.judged import said_by
from foveate.annotation.work import WORK, Work
from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.admission.services.standings import (
    admission_of,
    candidate_of,
    questions_of,
    settings_of,
    standing_of,
    trial_sent,
    tries_of,
)
from foveate.app.annotate.models import Adjudication, Assignment, Project, Submission, Task
from foveate.app.annotate.services import standing as decision
from foveate.app.refused import RefusedError
from foveate.quality.gold import MESSAGE, REMEDY, Comparison, compared
from foveate.quality.judgements import Said
from foveate.quality.qualification import AdmissionSettings, Standing, attempts_left, may_try, standing

# A work that differs in these only is the same attempt once more: its answer was lost, or somebody pressed twice.
_ASIDE = frozenset({"seconds", "comment"})


def before_taking(assignment: Assignment, work: Work) -> RefusedError | None:
    """Returns why what was sent for a gold question is not taken; None where it is, or where it is no such question.

    The attempt is logged in either case, in the transaction of sending, with the candidate locked: two tabs come one
    after the other, and count twice.
    """
    admission = Admission.objects.filter(qualification=assignment.task.project_id).first()
    if admission is None:
        return None
    candidate = candidate_of(admission, assignment.annotator, to_change=True)
    if candidate is None or candidate.state != "qualification":
        return _over(admission)
    where, settings = standing_of(admission, candidate), settings_of(admission)
    now, question = timezone.now(), assignment.task.key
    may = may_try(where, question, now)
    gold = decision.standing(assignment.task)
    if gold is None:
        return _no_answer()  # Nothing can be compared until there is an answer again.
    before = _the_same(candidate, assignment.task, gold, work)
    if before is not None:
        # What was accepted, and kept by something else from being taken in, needs no second look.
        return _not_accepted(where, settings, question) if before.faults else None
    if may == "wait":
        return _too_soon(where.until[question], now)
    if may == "over":
        # The organiser has left fewer attempts since.
        return _failed(admission, candidate)
    return _tried(admission, candidate, _attempt(candidate, assignment.task, gold, work, settings))


def after_taking(sent: Submission) -> None:
    """Lets a candidate go on where what was sent was the last of the qualification, or of the trial."""
    project = sent.assignment.task.project
    admission = admission_of(project)
    if admission is None or project == admission.project:
        return
    candidate = candidate_of(admission, sent.assignment.annotator, to_change=True)
    if candidate is not None:
        go_on(admission, candidate)


def go_on(admission: Admission, candidate: Candidate) -> None:
    """Lets a candidate, who must be locked, into the trial or before the organiser, where all before that is done."""
    now = timezone.now()
    if candidate.state == "qualification" and standing_of(admission, candidate).done:
        candidate.qualified_at = now
        candidate.state = "trial" if admission.trial else "waiting"
        if admission.trial:
            admission.trial.members.add(candidate.person)
    if candidate.state == "trial" and admission.trial:
        if trial_sent(admission, candidate.person) < admission.trial.tasks.count():
            candidate.save(update_fields=["state", "qualified_at"])
            return
        candidate.state, candidate.finished_at = "waiting", now
    candidate.save(update_fields=["state", "qualified_at", "finished_at"])


def gold_fixed(task: Task) -> str | None:
    """Returns why a task of a qualification or a trial stays what it is: all of either is done by every candidate."""
    if Admission.objects.filter(qualification=task.project_id).exists():
        return "it is a task of a qualification, in which all are gold questions"
    if Admission.objects.filter(trial=task.project_id).exists():
        return "it is a task of a trial, in which none is a gold question"
    return None


def next_page(person: User, project: Project) -> str | None:
    """Returns the address of a person's page of the admission that a qualification or a trial belongs to."""
    admission = admission_of(project)
    if admission is None or project == admission.project or candidate_of(admission, person) is None:
        return None
    return reverse("admission:mine", args=[admission.project.slug])


def _attempt(candidate: Candidate, task: Task, gold: Adjudication, work: Work, settings: AdmissionSettings) -> Attempt:
    size_hw = (task.height, task.width)
    stored = clipped(work, size_hw)
    nothing = Said()
    found: Comparison = compared(
        said_by(stored, size_hw) or nothing,
        said_by(WORK.validate_python(gold.work), size_hw) or nothing,
        size_hw,
        settings.threshold,
    )
    return Attempt.objects.create(
        candidate=candidate,
        task=task,
        gold=gold,
        work=WORK.dump_python(stored, mode="json"),
        faults=[fault.code for fault in found.faults],
        iou=found.iou,
        seconds=work.seconds,
        at=timezone.now(),
    )


def _tried(admission: Admission, candidate: Candidate, attempt: Attempt) -> RefusedError | None:
    """Returns what a person is told of an attempt; of what is wrong in it, nothing."""
    settings = settings_of(admission)
    where = standing(tries_of(candidate), questions_of(admission), settings)
    if not attempt.faults:
        return None
    if where.over is None:
        return _not_accepted(where, settings, attempt.task.key)
    return _failed(admission, candidate)


def _failed(admission: Admission, candidate: Candidate) -> RefusedError:
    candidate.state = "failed"
    candidate.save(update_fields=["state"])
    admission.qualification.members.remove(candidate.person)
    return _over(admission)


def _the_same(candidate: Candidate, task: Task, gold: Adjudication, work: Work) -> Attempt | None:
    """Returns the last attempt at a question where it said the same, and was compared with the same answer."""
    before = Attempt.objects.filter(candidate=candidate, task=task).order_by("-pk").first()
    if before is None or before.gold_id != gold.pk or before.pk <= candidate.forgiven:
        return None
    stored = WORK.dump_python(clipped(work, (task.height, task.width)), mode="json")
    return before if _bare(before.work) == _bare(stored) else None


def _bare(work: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in work.items() if name not in _ASIDE}


def _not_accepted(where: Standing, settings: AdmissionSettings, question: str) -> RefusedError:
    left = attempts_left(where, question, settings)
    told = ngettext("You have %(n)d more attempt at it.", "You have %(n)d more attempts at it.", left) % {"n": left}
    until = where.until.get(question)
    if until is not None and until > timezone.now():
        told = f"{told} {_('The next one can be sent from %(time)s on.') % {'time': _clock(until)}}"
    return _refused(422, "not_accepted", _(MESSAGE), f"{_(REMEDY)} {told}", {"attempts_left": left})


def _too_soon(until: datetime, now: datetime) -> RefusedError:
    remedy = _("Use the time to read the instructions again. What you do is saved, and this was not counted.")
    said = _("This can be sent again from %(time)s on") % {"time": _clock(until)}
    seconds = (until - now).total_seconds()
    return _refused(429, "wait", said, remedy, {"seconds": round(seconds)}, wait=seconds)


def _no_answer() -> RefusedError:
    said = _("The organiser is changing this question, so that nothing can be sent for it now")
    return _refused(
        409, "question_changing", said, _("What you do is saved, and this was not counted. Send it later."), {}
    )


def _over(admission: Admission) -> RefusedError:
    address = reverse("admission:mine", args=[admission.project.slug])
    remedy = _("Whether there is a second chance is for the organiser to say: see the page “Admission”.")
    return _refused(
        409, "attempts_over", _("There are no more attempts in this qualification"), remedy, {"see": address}
    )


def _refused(
    status: int, code: str, said: str, remedy: str, details: dict[str, object], wait: float | None = None
) -> RefusedError:
    # The pages show it where they show what is not filled in; it is at no field, which would tell where to look.
    problems = [{"field": "work", "problem": said, "remedy": remedy}]
    return RefusedError(status, code, f"{said}.", remedy, {"problems": problems, **details}, wait=wait)


def _clock(time: datetime) -> str:
    local = localtime(time)
    return date_format(local, "H:i:s T" if local.date() == localtime().date() else "Y-m-d H:i T")
