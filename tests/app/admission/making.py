"""An admission to a project of three photos, with gold of every sort, for the tests."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from foveate.annotation.kinds import Kind
from foveate.annotation.origin import Origin
from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services import people
from foveate.app.admission.services.making import GoldFrom, NewAdmission, make, set_open
from foveate.app.annotate.models import Adjudication, Project, Submission, Task
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import send
from foveate.quality.qualification import AdmissionSettings
from foveate.quality.requirements import Record, Requirements
from tests.app.annotate.made import SIZE_HW, photo_folder
from tests.app.annotate.making import make_project, outline

# Numbers that stand in gold and nowhere else: whoever is told one of them was told gold.
CANARIES = (17.137, 33.713)
GOLD_REGION = {
    **{
        "stage": "grounding",
        "several_questions": False,
        "several_regions": False,
        "outcome": "polygon",
        "closed": True,
    },
    "polygon": [[4.0, 4.0], [CANARIES[1], 4.0], [CANARIES[1], CANARIES[0]], [4.0, CANARIES[0]]],
}
SEVERAL = {"stage": "grounding", "several_questions": True}
REGIONS = {"stage": "grounding", "several_questions": False, "several_regions": True}
CANNOT = {
    **{"stage": "grounding", "several_questions": False, "several_regions": False, "outcome": "cannot_draw"},
    **{"reason": "cut_off", "comment": "canary in the gold"},
}
SECRETS = (*(str(number) for number in CANARIES), "canary in the gold")
GOLDS = (GOLD_REGION, SEVERAL, CANNOT)
# What is right, drawn by a hand of one's own.
RIGHT = ({**GOLD_REGION, "polygon": [[4, 4], [33, 4], [33, 17], [4, 17]]}, SEVERAL, {**CANNOT, "comment": ""})
WRONG = {**GOLD_REGION, "polygon": [[40, 30], [50, 30], [50, 40], [40, 40]]}
SAID = Record(tasks=600, accepted=599, region="US")
QUICK = {"wait_minutes": 0}


def adjudicated(folder: Path, made_by: User, kind: Kind = "grounding", golds: tuple[Any, ...] = GOLDS) -> Project:
    """Makes a project whose tasks were adjudicated, photos and all."""
    photo_folder(folder)
    project = make_project(made_by, tasks=len(golds), kind=kind)
    Project.objects.filter(pk=project.pk).update(dataset="folder:all", root=str(folder), questions="")
    for number, gold in enumerate(golds):
        task = project.tasks.get(position=number)
        Task.objects.filter(pk=task.pk).update(image_name=f"photo{number}.png", height=SIZE_HW[0], width=SIZE_HW[1])
        work = WORK.dump_python(WORK.validate_python(gold), mode="json")
        for one in ({"stage": "grounding", "several_questions": True}, work):  # The newest counts.
            Adjudication.objects.create(
                task=task, work=one, how="mended", decided_by=made_by, decided_at=project.made_at
            )
    return Project.objects.get(pk=project.pk)


def an_admission(
    folder: Path, organiser: User, *, trial: int = 2, tasks: int = 4, note: str = "", **settings: Any
) -> Admission:
    """Makes an admission with three gold questions, that people may apply to."""
    source = adjudicated(folder, organiser)
    project = make_project(organiser, tasks=tasks, submissions=1)
    values = {**QUICK, "requirements": Requirements(regions=("US",)), **settings}
    plan = NewAdmission(GoldFrom(project=source.slug), trial, settings=AdmissionSettings(**values), note=note)
    made = make(project, plan, organiser)
    set_open(made, True, actor=organiser)
    return made


def applied(person: User, admission: Admission, record: Record | None = SAID) -> Candidate:
    """Lets somebody apply."""
    return people.apply(person, admission, record)


def sent(person: User, project: Project, work: dict[str, Any]) -> Submission:
    """Sends a work for the task that a person has, or gets."""
    lent = lend(person, project)
    assert lent is not None
    return send(person, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(work)).submission


def qualified(person: User, admission: Admission) -> Candidate:
    """Lets somebody apply and pass the qualification."""
    candidate = applied(person, admission)
    for work in RIGHT:
        sent(person, admission.qualification, work)
    candidate.refresh_from_db()
    return candidate


def finished(person: User, admission: Admission, side: float = 10.0) -> Candidate:
    """Lets somebody do all, so that they wait for the decision."""
    candidate = qualified(person, admission)
    assert admission.trial is not None
    for _ in range(admission.trial.tasks.count()):
        sent(person, admission.trial, outline(side))
    candidate.refresh_from_db()
    return candidate


def origin_of(folder: Path) -> Origin:
    """Returns the folder of the photos as an origin."""
    return Origin("folder", folder)
