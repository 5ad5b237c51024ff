"""A large server's state for `quality_pages`: a screening, an admission, and a project with all its work, of chance.

The rows are those that the server would write itself; they are written together, since 200,000 submissions one by one
take hours. Regions are quadrilaterals, so that a row is as large as a quick person's.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

SIZE_HW = (900, 1_200)
_BATCH = 2_000
_PEOPLE = 40
_GOLD = 200
_TRIAL = 10
BASE = {"stage": "grounding", "several_questions": False, "several_regions": False}


@dataclass(frozen=True)
class Sizes:
    """How much there is.

    Attributes:
        samples: Of the screening; two reviewers have answered all of the first round, which is open.
        candidates: Who have done all of the admission.
        tasks: Of the project, each done by two people.
    """

    samples: int = 33_000
    candidates: int = 500
    tasks: int = 45_000


def make(sizes: Sizes) -> None:
    """Makes the screening `screened`, the project `large` with an admission to it, and the person `organiser`."""
    from foveate.app.accounts.models import User

    chance = random.Random(0)
    organiser = _people(["organiser"], "organiser")[0]
    people = _people([f"person-{n}" for n in range(_PEOPLE)], "annotator")
    _screening(sizes.samples, organiser, people[:2], chance)
    project = _project("large", organiser)
    _work(_tasks(project, sizes.tasks, _GOLD), people, organiser, chance)
    candidates = _people([f"candidate-{n}" for n in range(sizes.candidates)], "annotator")
    _admission(project, candidates, organiser, chance)
    assert User.objects.count() == 1 + _PEOPLE + sizes.candidates


def _people(names: Sequence[str], role: str) -> list[Any]:
    from django.contrib.auth.models import Group

    from foveate.app.accounts.models import User

    users = User.objects.bulk_create(User(username=name, password="!") for name in names)
    Group.objects.get_or_create(name=role)[0].user_set.add(*users)
    return users


def _in_bulk(rows: Iterable[Any]) -> list[Any]:
    """Returns rows of one table, written; with their numbers."""
    found: list[Any] = []
    waiting = iter(rows)
    while some := list(islice(waiting, _BATCH)):
        found += type(some[0]).objects.bulk_create(some)
    return found


def _screening(count: int, organiser: Any, reviewers: Sequence[Any], chance: random.Random) -> None:
    from django.utils import timezone

    from foveate.app.rounds.models import Mark, Sample, Screening, Turn
    from foveate.curation._rounds import ROUNDS

    made = Screening.objects.create(
        slug="screened", title="Screened", dataset="vizwiz_vqa:val", fingerprint="0" * 64, made_by=organiser
    )
    two = {"first": reviewers[0], "second": reviewers[1]}
    turns = [
        Turn.objects.create(screening=made, number=n, name=one.name, state="waiting" if n else "open", **two)
        for n, one in enumerate(ROUNDS)
    ]
    said = {"question": "What is written on this?", "asked": "What is written on this?", "answer": "tins"}
    samples = _in_bulk(
        Sample(
            screening=made,
            position=n,
            key=f"sample-{n}",
            image_name=f"{n}.jpg",
            height=SIZE_HW[0],
            width=SIZE_HW[1],
            first_in=chance.choice((0, 0, 0, 1, 2, 4)),
            line='{"question": "What is written on this?"}\n',
            **said,
        )
        for n in range(count)
    )
    times = {"made_at": timezone.now(), "changed_at": timezone.now()}
    _in_bulk(
        Mark(turn=turns[0], sample=one, place=place, reviewer=who, flag=chance.random() < 0.05, **times)
        for one in samples
        for place, who in enumerate(reviewers, start=1)
    )


def _project(slug: str, organiser: Any) -> Any:
    from foveate.annotation.kinds import ProjectSettings
    from foveate.app.annotate.models import Project

    settings = ProjectSettings(submissions=2, gold_every=20).model_dump()
    values = {"kind": "grounding", "state": "open", "dataset": "folder:all", "settings": settings}
    return Project.objects.create(slug=slug, title=slug.title(), made_by=organiser, **values)


def _tasks(project: Any, count: int, gold: int, wanted: int = 2) -> list[Any]:
    from foveate.app.annotate.models import Task

    return _in_bulk(
        Task(
            project=project,
            key=f"task-{n:06}",
            position=n,
            image_name=f"{n}.jpg",
            height=SIZE_HW[0],
            width=SIZE_HW[1],
            question="What is this?",
            stage="grounding",
            wanted=wanted,
            taken=0 if n < gold else wanted,
            state="open" if n < gold else "done",
            gold=n < gold,
        )
        for n in range(count)
    )


def _region(chance: random.Random) -> dict[str, Any]:
    corners = [(200.0, 200.0), (700.0, 200.0), (700.0, 600.0), (200.0, 600.0)]
    polygon = [[x + chance.uniform(-60, 60), y + chance.uniform(-60, 60)] for x, y in corners]
    return {**BASE, "outcome": "polygon", "polygon": polygon, "closed": True}


def _sent(pairs: Sequence[tuple[Any, Any]], chance: random.Random) -> list[Any]:
    """Returns a submission of each task by a person."""
    from django.utils import timezone

    from foveate.app.annotate.models import Assignment, Submission

    now = timezone.now()
    times = {"leased_at": now, "leased_until": now}
    given = _in_bulk(
        Assignment(task=task, annotator=who, stage="grounding", state="submitted", **times) for task, who in pairs
    )
    return _in_bulk(
        Submission(
            assignment=one,
            key=uuid.UUID(int=chance.getrandbits(128)),
            work=_region(chance),
            seconds=chance.uniform(10, 90),
            sent_at=now + timedelta(seconds=n),
        )
        for n, one in enumerate(given)
    )


def _work(tasks: Sequence[Any], people: Sequence[Any], organiser: Any, chance: random.Random) -> None:
    """Has two people send each task, and most people each gold question; compares them as pages would have."""
    pairs = [(task, who) for task in tasks for who in chance.sample(people, 20 if task.gold else 2)]
    sent = _sent(pairs, chance)
    _decided([task for n, task in enumerate(tasks) if task.gold or n % 10 == 0], organiser, chance)
    _in_bulk(_measured(sent, chance))
    of_task: dict[int, list[Any]] = {}
    for one in sent:
        if not one.assignment.task.gold:
            of_task.setdefault(one.assignment.task_id, []).append(one)
    _in_bulk(_pairs(of_task, chance))


def _decided(tasks: Sequence[Any], organiser: Any, chance: random.Random) -> list[Any]:
    from django.utils import timezone

    from foveate.app.annotate.models import Adjudication

    said = {"how": "mended", "decided_by": organiser, "decided_at": timezone.now()}
    return _in_bulk(Adjudication(task=task, work=_region(chance), **said) for task in tasks)


def _measured(sent: Sequence[Any], chance: random.Random) -> Iterator[Any]:
    from foveate.app.annotate.models import Adjudication
    from foveate.app.review.models import Measured

    answers = dict(Adjudication.objects.values_list("task", "pk"))
    for one in sent:
        task, gold = one.assignment.task, one.assignment.task.gold
        yield Measured(
            submission=one,
            project_id=task.project_id,
            annotator=one.assignment.annotator,
            task=task,
            seconds=one.seconds,
            several_questions=False,
            several_regions=False,
            cannot_draw=chance.random() < 0.1,
            points=4,
            compared=True,
            answer=answers[task.pk] if gold else None,
            gold=chance.uniform(0.5, 1) if gold else None,
            gold_same=True if gold else None,
            peers=None if gold else chance.uniform(0.5, 1),
        )


def _pairs(of_task: dict[int, list[Any]], chance: random.Random) -> list[Any]:
    from foveate.app.adjudicate.models import Pair, TaskAgreement

    pairs, kept = [], []
    for first, second in of_task.values():
        task, alike = first.assignment.task, chance.uniform(0.3, 1)
        pairs.append(Pair(project_id=task.project_id, task=task, first=first, second=second, alike=alike))
        values = {"least": alike, "mean": alike, "rank": alike, "decided": task.position % 10 == 0}
        kept.append(TaskAgreement(project_id=task.project_id, task=task, people=2, drawn=2, **values))
    _in_bulk(kept)
    return pairs


def _admission(project: Any, candidates: Sequence[Any], organiser: Any, chance: random.Random) -> None:
    """Makes an admission whose candidates have passed ten gold questions, some in the second attempt, and the trial."""
    from django.utils import timezone

    from foveate.app.admission.models import Admission, Attempt, Candidate
    from foveate.quality.qualification import AdmissionSettings

    qualification, trial = _project("large-qualification", organiser), _project("large-trial", organiser)
    golds, tasks = _tasks(qualification, 10, 10), _tasks(trial, _TRIAL, 0, wanted=1_000)
    answers = _decided(golds, organiser, chance)
    settings = AdmissionSettings().model_dump(mode="json")
    made = Admission.objects.create(
        project=project, qualification=qualification, trial=trial, settings=settings, made_by=organiser, open=True
    )
    now = timezone.now()
    times = dict.fromkeys(("applied_at", "met_at", "qualified_at", "finished_at"), now)
    people = _in_bulk(Candidate(admission=made, person=one, state="waiting", **times) for one in candidates)
    _in_bulk(
        Attempt(candidate=who, task=task, gold=gold, work=_region(chance), faults=faults, iou=0.9, seconds=30, at=now)
        for who in people
        for task, gold in zip(golds, answers, strict=True)
        for faults in (["region"], [])[chance.randrange(2) :]
    )
    _sent([(task, who) for who in candidates for task in tasks], chance)
