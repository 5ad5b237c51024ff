"""What came of an admission, and what one candidate did: read from the database, computed by `foveate.quality`."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import Any

from foveate.annotation.judged import judgements_of
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.admission.services.standings import questions_of, standing_of
from foveate.app.annotate.models import Assignment
from foveate.app.annotate.records import records_of
from foveate.quality.admissions import PAPER, Course, Report, TrialFacts, mean_overlap, report_of, trial_facts
from foveate.quality.judgements import Judgement
from foveate.quality.qualification import Standing, State, Try

# A page compares a candidate with so many others at most: each region is made pixels for it.
MOST_OTHERS = 100


@dataclass(frozen=True)
class OfQuestion:
    """A candidate's attempts at one gold question."""

    key: str
    task: int
    passed: bool
    attempts: list[Attempt]


def report(admission: Admission) -> Report:
    """Returns what came of an admission."""
    rows = Candidate.objects.filter(admission=admission).select_related("admission").order_by("pk")
    tries: dict[int, list[Try]] = {}
    seconds: dict[int, list[float]] = {}
    found = Attempt.objects.filter(candidate__admission=admission).order_by("pk")
    for number, key, faults, at, took in found.values_list("candidate", "task__key", "faults", "at", "seconds"):
        tries.setdefault(number, []).append(Try(key, not faults, at))
        seconds.setdefault(number, []).append(took)
    return report_of(
        [_course(row, tries.get(row.pk, []), seconds.get(row.pk, [])) for row in rows], questions_of(admission)
    )


def as_json(admission: Admission) -> dict[str, Any]:
    """Returns the report as the command prints it, the first paper's own figures beside."""
    told = report(admission)
    overlap, pairs = mean_overlap(trial_judgements(admission))
    return {
        "project": admission.project.slug,
        "open": admission.open,
        "settings": admission.settings,
        **asdict(told),
        "questions": [{**asdict(one), "share": one.share} for one in told.questions],
        "trial": {"mean_iou": overlap, "pairs": pairs},
        "first_paper": PAPER,
    }


def trial_judgements(admission: Admission) -> list[Judgement]:
    """Returns what everybody said in the trial."""
    return [] if admission.trial is None else judgements_of(records_of(admission.trial))


@dataclass(frozen=True)
class Trial:
    """What a candidate did in the trial.

    Attributes:
        facts: Beside others.
        compared: Beside how many others.
        others: How many there are.
    """

    facts: TrialFacts
    compared: int
    others: int


def trial_of(candidate: Candidate) -> Trial | None:
    """Returns what a candidate did in the trial, beside `MOST_OTHERS` at most, whom a fixed seed draws."""
    trial = candidate.admission.trial
    if trial is None:
        return None
    sent = Assignment.objects.filter(task__project=trial, state="submitted").exclude(annotator=candidate.person)
    others = list(sent.order_by("annotator").values_list("annotator", flat=True).distinct())
    chosen = random.Random(trial.pk).sample(others, min(MOST_OTHERS, len(others)))
    judgements = judgements_of(records_of(trial, people=[candidate.person_id, *chosen]))
    return Trial(trial_facts(judgements, str(candidate.person.pseudonym)), len(chosen), len(others))


def attempts_of(candidate: Candidate) -> tuple[Standing, list[OfQuestion]]:
    """Returns where a candidate stands, and the attempts at each gold question that was tried, in their order."""
    by_task: dict[int, list[Attempt]] = {}
    for attempt in Attempt.objects.filter(candidate=candidate).order_by("pk"):
        by_task.setdefault(attempt.task_id, []).append(attempt)
    tasks = candidate.admission.qualification.tasks.order_by("position")
    where = standing_of(candidate.admission, candidate)
    listed = [
        OfQuestion(task.key, task.pk, task.key in where.passed, by_task[task.pk])
        for task in tasks
        if task.pk in by_task
    ]
    return where, listed


def _course(row: Candidate, tries: list[Try], seconds: list[float]) -> Course:
    state: State = row.state  # type: ignore[assignment]
    dates = (row.applied_at, row.met_at, row.qualified_at, row.finished_at)
    applied, met, passed, finished = (one is not None for one in dates)
    return Course(state, applied, met, passed, finished or (passed and row.admission.trial_id is None), tries, seconds)
