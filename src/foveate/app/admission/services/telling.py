"""What pages of Annotate tell about admissions: to organisers what waits, to candidates that they are on trial."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services.standings import candidate_of, settings_of, standing_of
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.parts import Part
from foveate.quality.qualification import attempts_left


def to_decide(projects: QuerySet[Project]) -> dict[int, int]:
    """Returns how many candidates wait for a decision, by the numbers of the projects that have any."""
    rows = Candidate.objects.filter(state="waiting", admission__project__in=projects)
    return dict(rows.values_list("admission__project").annotate(n=Count("pk")).order_by())


def so_many_to_decide(n: int) -> str:
    """Returns what so many candidates are called."""
    return ngettext("%(n)d candidate to decide on", "%(n)d candidates to decide on", n) % {"n": n}


def may_have_one(_person: User, project: Project) -> bool:
    """Returns whether an admission of a project's own is spoken of: of a qualification or a trial, where it has one."""
    return not parts([project.pk]) or Admission.objects.filter(project=project).exists()


def parts(numbers: Iterable[int]) -> dict[int, Part]:
    """Returns which projects are qualifications and trials, by their numbers."""
    numbers = set(numbers)
    rows = Admission.objects.filter(Q(qualification__in=numbers) | Q(trial__in=numbers)).select_related("project")
    rows = rows.annotate(
        qualifying=Count("candidates", filter=Q(candidates__state="qualification")),
        qualified=Count("candidates", filter=Q(candidates__qualified_at__isnull=False)),
        trying=Count("candidates", filter=Q(candidates__state="trial")),
        finished=Count("candidates", filter=Q(candidates__finished_at__isnull=False)),
    )
    found = {}
    for one in rows:
        found[one.qualification_id] = Part("qualification", one.project, one.qualifying, one.qualified)
        if one.trial_id is not None:
            found[one.trial_id] = Part("trial", one.project, one.trying, one.finished)
    return {number: part for number, part in found.items() if number in numbers}


def attempts(assignment: Assignment) -> str | None:
    """Returns what a candidate is told before they send a task of a qualification; None for a task of anything else.

    All tasks of a qualification are gold questions, and candidates know it: nothing is told of gold among others.
    """
    admission = Admission.objects.filter(qualification=assignment.task.project_id).first()
    candidate = candidate_of(admission, assignment.annotator) if admission is not None else None
    if admission is None or candidate is None or candidate.state != "qualification":
        return None
    left = attempts_left(standing_of(admission, candidate), assignment.task.key, settings_of(admission))
    # The page stays as it is after an attempt that failed; what is left then is told with the refusal.
    told = ngettext(
        "When this page was opened, you had %(n)d attempt at this task.",
        "When this page was opened, you had %(n)d attempts at this task.",
        left,
    )
    return f"{_('This is the qualification: Submit is an attempt, saving is none.')} {told % {'n': left}}"
