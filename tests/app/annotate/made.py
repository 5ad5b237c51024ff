"""Projects, photos and works for the tests of Annotate."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from foveate.annotation.kinds import Kind, ProjectSettings
from foveate.annotation.origin import Origin
from foveate.annotation.reading import Choice
from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Submission
from foveate.app.annotate.projects import Plan, act, create
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.annotate.services.send import send
from tests.helpers import save_photo, write

SIZE_HW = (48, 64)
QUESTIONS = ["What is red?", "What is blue?", "Where is the cat?"]


def photo_folder(folder: Path, *, questions: bool = True) -> Path:
    """Writes three photos, and a table with a question and an answer about each."""
    for number in range(3):
        save_photo(folder / f"photo{number}.png", SIZE_HW, (60 * number, 90, 160))
    if questions:
        rows = [f"photo{number}.png,{question},thing {number}" for number, question in enumerate(QUESTIONS)]
        write(folder / "questions.csv", "\n".join(["image,question,answer", *rows]) + "\n")
    return folder


def project(
    folder: Path,
    made_by: User,
    kind: Kind = "grounding",
    *,
    opened: bool = True,
    slug: str = "cats",
    **settings: Any,
) -> Project:
    """Makes a project of three photos, and opens it."""
    photo_folder(folder, questions=kind != "box_collection")
    given = ProjectSettings(**{"submissions": 1, **settings})
    plan = Plan(slug, kind, Origin("folder", folder), title="Cats and dogs", settings=given, choice=Choice())
    made, _ = create(plan, made_by)
    return act(made, "open", actor=made_by) if opened else made


def polygon(*points: tuple[float, float], **more: Any) -> dict[str, Any]:
    """Returns the three steps with a polygon."""
    return {
        "stage": "grounding",
        "several_questions": False,
        "several_regions": False,
        "outcome": "polygon",
        "polygon": list(points) or [(4, 4), (24, 4), (24, 24)],
        "closed": True,
        **more,
    }


def taken(person: User, of: Project, stage: str | None = None) -> Assignment:
    """Lends somebody the next task."""
    lent = lend(person, of, Wish(stage=stage))
    assert lent is not None
    return lent.assignment


def sent(person: User, of: Project, work: dict[str, Any]) -> Submission:
    """Lends somebody the next task and sends a work for it."""
    assignment = taken(person, of, work["stage"])
    return send(person, assignment.pk, uuid.uuid4(), WORK.validate_python(work)).submission
