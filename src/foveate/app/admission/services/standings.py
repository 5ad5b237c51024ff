"""Where candidates stand, read from the database for `foveate.quality`."""

from __future__ import annotations

from django.db.models import Q

from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.annotate.models import Project, Submission
from foveate.quality.qualification import AdmissionSettings, Standing, Try, standing
from foveate.quality.requirements import Record, Verdict, verdict


def settings_of(admission: Admission) -> AdmissionSettings:
    """Returns what the organiser has set."""
    return AdmissionSettings.model_validate(admission.settings)


def admission_of(project: Project) -> Admission | None:
    """Returns the admission that a project belongs to: as what one is admitted to, as qualification, or as trial."""
    rows = Admission.objects.select_related("project", "qualification", "trial")
    found = list(rows.filter(Q(project=project) | Q(qualification=project) | Q(trial=project)).order_by("pk"))
    # One may be admitted to what is the trial of another project; then its own admission is meant.
    return min(found, key=lambda one: one.project_id != project.pk, default=None)


def candidate_of(admission: Admission, person: User, *, to_change: bool = False) -> Candidate | None:
    """Returns a person's candidacy; locked where it is to be changed."""
    rows = Candidate.objects.filter(admission=admission, person=person)
    if to_change:
        rows = rows.select_for_update(of=("self",), no_key=True)
    return rows.first()


def questions_of(admission: Admission) -> list[str]:
    """Returns the keys of the gold questions, in their order."""
    return list(admission.qualification.tasks.order_by("position").values_list("key", flat=True))


def tries_of(candidate: Candidate) -> list[Try]:
    """Returns a candidate's attempts, in the order in which the database has them."""
    rows = Attempt.objects.filter(candidate=candidate).order_by("pk")
    return [
        Try(key, not faults, at, forgiven=number <= candidate.forgiven)
        for number, key, faults, at in rows.values_list("pk", "task__key", "faults", "at")
    ]


def standing_of(admission: Admission, candidate: Candidate) -> Standing:
    """Returns where a candidate stands in the qualification."""
    return standing(tries_of(candidate), questions_of(admission), settings_of(admission))


def verdict_of(admission: Admission, candidate: Candidate) -> Verdict:
    """Returns whether a candidate meets the requirements as they are now, and why."""
    return verdict(settings_of(admission).requirements, record(candidate.declared), record(candidate.imported))


def record(values: dict[str, object] | None) -> Record | None:
    """Returns a record as the database keeps it."""
    return None if values is None else Record.model_validate(values)


def trial_sent(admission: Admission, person: User) -> int:
    """Returns how many tasks of the trial a person has sent."""
    if admission.trial is None:
        return 0
    return Submission.objects.filter(assignment__task__project=admission.trial, assignment__annotator=person).count()
